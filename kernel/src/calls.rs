//! System calls: decode, then perform.

mod conditions;
mod endpoints;
mod event_groups;
mod mailboxes;
mod notifications;
mod promises;
mod semaphores;
mod state_messages;

use beryl_abi::call::Operand;
use beryl_abi::{CallError, CallNumber, Fault, FaultKind, Range, Wanted};

use crate::arguments::{is_short, words};
use crate::event::{Call, Machine, Switch};
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::processes::Processes;
use crate::rows::threads::{Thread, ThreadKind};
use crate::scheduling::stop::Scope;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Carries out a call, or refuses it: then nothing has changed.
    #[inline(always)]
    pub(crate) fn call<W: Way>(&mut self, way: W, call: Call) -> Outcome {
        let Some(number) = CallNumber::decode(call.number) else { return Err(CallError::UnknownCall) };
        let [first, second, third, timeout] = call.arguments;
        let operand = Operand(first);
        match number {
            CallNumber::Null => {
                self.do_nothing();
                Ok(Next::Stay)
            }
            CallNumber::SemaphoreWait
            | CallNumber::SemaphoreSignal
            | CallNumber::ConditionWait
            | CallNumber::ConditionSignal
            | CallNumber::ConditionBroadcast
            | CallNumber::MailboxSend
            | CallNumber::MailboxReceive
            | CallNumber::EndpointCall
            | CallNumber::EndpointReceive
            | CallNumber::EndpointReply
            | CallNumber::Notify
                if !S::SHARED =>
            {
                Err(CallError::NoSuchObject)
            }
            CallNumber::EventGroupSet | CallNumber::EventGroupClear | CallNumber::EventGroupWait
                if !S::GROUPED =>
            {
                Err(CallError::NoSuchObject)
            }
            CallNumber::Yield => self.yield_processor(way),
            CallNumber::Complete => self.complete(way),
            CallNumber::WaitPeriod => self.wait_period(way, operand),
            CallNumber::SemaphoreWait => self.semaphore_wait(way, operand, timeout),
            CallNumber::SemaphoreSignal => self.semaphore_signal(way, operand),
            CallNumber::MailboxSend => self.mailbox_send(way, operand, [second, third], timeout),
            CallNumber::MailboxReceive => self.mailbox_receive(way, operand, second, timeout),
            CallNumber::EndpointCall => self.endpoint_call(way, operand, [second, third], timeout),
            CallNumber::EndpointReply => self.endpoint_reply(way, operand, [second, third]),
            CallNumber::Notify => self.notify(way, operand, second),
            CallNumber::NotificationWait => self.notification_wait(way, operand, second, timeout),
            CallNumber::StateMessageRead => self.read_state_message(way, operand, second),
            // No host has a short way in for these; the text is written for both.
            CallNumber::EventGroupSet => {
                way.rare()?;
                self.event_group_set(way, operand, second)
            }
            CallNumber::EventGroupWait => {
                way.rare()?;
                self.event_group_wait(way, operand, Wanted { bits: second, how: third }, timeout)
            }
            _ => {
                way.rare()?;
                self.rare_call(number, call.arguments)
            }
        }
    }

    /// The call that does nothing but succeed. Hosts may come here at once.
    #[inline(always)]
    pub fn do_nothing(&mut self) {
        self.succeed();
    }

    /// The calls that aren't worth a way of their own.
    #[inline(always)]
    fn rare_call(&mut self, number: CallNumber, [first, second, third, timeout]: [u32; 4]) -> Outcome {
        let operand = Operand(first);
        match number {
            CallNumber::DriverDone => self.driver_done(first != 0),
            CallNumber::ExecutionTime => {
                self.charge_until_now();
                let ticks = self.state.threads.at(self.state.running().index()).clock.ticks();
                self.answer(words(ticks));
                Ok(Next::Stay)
            }
            CallNumber::Time => {
                let ticks = self.machine.now().ticks();
                self.answer(words(ticks));
                Ok(Next::Stay)
            }
            CallNumber::Stop => self.stop(),
            CallNumber::Preempt => Ok(self.preempt()),
            CallNumber::SleepUntil => self.sleep_until(operand, [second, third]),
            CallNumber::ConditionWait => self.condition_wait(operand, timeout),
            CallNumber::ConditionSignal => self.condition_signal(operand),
            CallNumber::ConditionBroadcast => self.condition_broadcast(operand),
            CallNumber::EndpointReceive => self.endpoint_receive(operand, second, timeout),
            CallNumber::Acknowledge => self.acknowledge(operand),
            CallNumber::EventGroupClear => self.event_group_clear(operand, second),
            CallNumber::SlotWrite | CallNumber::SlotCheck | CallNumber::SlotRollback if !Self::HAS_ROOMS => {
                Err(CallError::NoSuchObject)
            }
            CallNumber::SlotRecord | CallNumber::SlotRead if !Self::HAS_TAKEOVERS => {
                Err(CallError::NoSuchObject)
            }
            CallNumber::SlotWrite => self.write_slot(operand, second, Range::new(third, timeout)),
            CallNumber::SlotCheck => self.check_slot(operand),
            CallNumber::SlotRollback => self.roll_back(operand),
            CallNumber::SlotRecord => self.record_period(operand),
            CallNumber::SlotRead => self.read_slot(operand, second, Range::new(third, timeout)),
            CallNumber::TraceEvent => self.hear_event(first, second),
            CallNumber::TraceRead => self.take_notes(second, third),
            CallNumber::TraceClasses => self.choose_classes(first),
            // The others have been carried out.
            _ => Err(CallError::UnknownCall),
        }
    }

    /// Whoever comes first once the caller stands behind the others of its priority. In its own place it comes first, so the next of
    /// its priority does then.
    #[inline(always)]
    fn yield_processor<W: Way>(&mut self, way: W) -> Outcome {
        self.must_not_be_raised(way)?;
        let running = self.state.running();
        let row = self.caller();
        let next = self.state.threads.at(running.index()).next;
        let is_own = way.is_calm() && self.state.processor.is_in_own_place();
        if let Some(rank) = row.rank.as_fixed()
            && is_own
            && self.state.threads.at(next.index()).is_ready()
        {
            self.state.bands.put_first(rank, next);
            self.succeed();
            return Ok(Next::Pass(next));
        }
        way.rare()?;
        self.state.bands.rotate(self.machine.system(), &self.state.threads, running);
        self.succeed();
        Ok(Next::Decide)
    }

    fn stop(&mut self) -> Outcome {
        if !self.may_wait_at_all() {
            return Err(CallError::WrongCaller);
        }
        if self.is_raised(Any::UNDER_WAY) {
            return Ok(self.end_while_raised());
        }
        self.begin_stopping(Scope::Thread(self.state.running()));
        Ok(Next::Again)
    }

    /// Whoever ends while it holds a ceiling lock leaves behind what nobody can trust.
    #[cold]
    pub(crate) fn end_while_raised(&mut self) -> Next {
        self.fault(Fault { kind: FaultKind::Usage, address: 0, instruction: 0 });
        Next::Again
    }

    /// The caller's answer: a status and two values.
    #[inline(always)]
    pub(crate) fn answer(&mut self, values: [u32; 3]) {
        self.machine.answer(self.state.running(), values);
    }

    /// The call did what it should.
    #[inline(always)]
    pub(crate) fn succeed(&mut self) {
        self.machine.done(self.state.running());
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, error: CallError) -> Switch {
        self.machine.answer(self.state.running(), [error as u32, 0, 0]);
        Switch::Stay
    }

    /// The running thread's constant row.
    #[inline(always)]
    pub(crate) fn caller(&self) -> &'static Thread {
        self.machine.system().threads.at(self.state.running().index())
    }

    /// What the running thread is for.
    #[inline(always)]
    pub(crate) fn caller_kind(&self) -> ThreadKind {
        self.caller().kind
    }

    /// The number of an object of which there are so many; by the ordinary way nothing is promised beside.
    #[inline(always)]
    pub(crate) fn number<W: Way>(_way: W, operand: Operand, length: usize) -> Result<u8, CallError> {
        let number = if W::IS_ORDINARY { operand.0 as usize } else { operand.number().into() };
        if number < length { Ok(number as u8) } else { Err(CallError::NoSuchObject) }
    }

    /// Refuses an object that the caller's process may not name.
    #[inline(always)]
    pub(crate) fn must_be_allowed<W: Way>(&self, _way: W, processes: Processes) -> Result<(), CallError> {
        let process = match self.state.caller.process() {
            Some(process) if W::IS_ORDINARY => process,
            _ => self.caller().process.0 & 31,
        };
        if processes >> process & 1 == 1 { Ok(()) } else { Err(CallError::NoSuchObject) }
    }

    /// Refuses callers that may not wait: what runs above all bands, and who idles.
    #[inline(always)]
    pub(crate) fn must_be_able_to_wait<W: Way>(&self, _way: W) -> Result<(), CallError> {
        if W::IS_ORDINARY || self.may_wait_at_all() { Ok(()) } else { Err(CallError::WrongCaller) }
    }

    #[inline(always)]
    fn may_wait_at_all(&self) -> bool {
        matches!(self.caller_kind(), ThreadKind::Task | ThreadKind::Free | ThreadKind::Periodic)
    }

    /// Refuses timeouts that the timer queue can't hold.
    #[inline(always)]
    pub(crate) fn must_be_short(timeout: u32) -> Result<(), CallError> {
        if is_short(timeout) { Ok(()) } else { Err(CallError::TooLong) }
    }

    /// Refuses memory that isn't the caller's, or not in words. Most messages are on its stack.
    #[inline(always)]
    pub(crate) fn must_be_callers<W: Way>(&self, way: W, address: u32, length: u32) -> Result<(), CallError> {
        if !W::IS_ORDINARY {
            return self.must_be_of_process(address, length);
        }
        way.only_if(address & 3 == 0 && self.caller().stack.contains(Range::new(address, length)))
    }

    #[inline(never)]
    fn must_be_of_process(&self, address: u32, length: u32) -> Result<(), CallError> {
        let range = Range::new(address, length);
        let row = self.caller();
        let process = self.machine.system().processes.at(row.process.index());
        let [first, second, third] = process.memory;
        let inside = row.stack.contains(range)
            || first.contains(range)
            || second.contains(range)
            || third.contains(range);
        match address & 3 == 0 && inside {
            true => Ok(()),
            false => Err(CallError::BadAddress),
        }
    }
}
