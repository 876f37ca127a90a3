//! System calls: decode, then perform.

mod conditions;
mod endpoints;
mod event_groups;
mod limits;
mod mailboxes;
mod notifications;
mod promises;
mod prompt;
mod rights;
mod semaphores;
mod state_messages;

use beryl_abi::call::{Needs, Operand};
use beryl_abi::{CallError, CallNumber, Fault, FaultKind, Range, SlotId, ThreadId, Wanted};

use crate::arguments::{is_short, words};
use crate::event::{Call, Machine, Switch};
use crate::exits::Exit;
use crate::kernel::{Kernel, Next, Outcome};
use crate::parts::Parts;
use crate::rows::processes::Processes;
use crate::rows::threads::{Thread, ThreadKind};
use crate::scheduling::stop::Scope;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

/// What a call for a slot is about.
enum Subject {
    /// A process that can be replaced.
    Process,
    /// A module.
    Module,
    /// What this system doesn't have.
    Nothing,
}

/// One arm for each call; the compiler leaves out those that need something the system doesn't have.
macro_rules! dispatch {
    ($number:expr, $($call:ident => $result:expr,)+) => {
        match $number {
            $(CallNumber::$call => match Self::has(CallNumber::$call.needs()) {
                true => $result,
                false => Err(CallError::NoSuchObject),
            },)+
        }
    };
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Carries out a call or refuses it. A refused call has changed nothing.
    #[inline(always)]
    pub(crate) fn call<W: Exit<S, M>>(&mut self, way: W, call: Call) -> W::Answer {
        let Some(number) = CallNumber::decode(call.number) else {
            return way.give_up(self, CallError::UnknownCall);
        };
        if W::IS_ORDINARY && !number.has_own_way() {
            return way.give_up(self, CallError::UnknownCall);
        }
        let [first, second, third, fourth] = call.arguments;
        let operand = Operand(first);
        let outcome = dispatch! { number,
            Null => Ok(Next::Stay),
            Yield => self.yield_processor(way),
            Complete => self.complete(way),
            DriverDone => self.driver_done(first != 0),
            ExecutionTime => Ok(self.tell_execution_time()),
            Time => Ok(self.tell_time()),
            Stop => self.stop(),
            Preempt => Ok(self.preempt()),
            WaitPeriod => self.wait_period(way, operand),
            SleepUntil => self.sleep_until(operand, [second, third]),
            SemaphoreWait => return self.semaphore_wait(way, operand, fourth),
            SemaphoreSignal => return self.semaphore_signal(way, operand),
            ConditionWait => self.condition_wait(operand, self.granted(fourth)),
            ConditionSignal => self.condition_signal(operand),
            ConditionBroadcast => self.condition_broadcast(operand),
            MailboxSend => self.mailbox_send(way, operand, [second, third], self.granted(fourth)),
            MailboxReceive => return self.mailbox_receive(way, operand, second, self.granted(fourth)),
            EndpointCall => self.endpoint_call(way, operand, [second, third], fourth),
            EndpointReceive => self.endpoint_receive(operand, second, fourth),
            EndpointReply => self.endpoint_reply(way, operand, [second, third]),
            Notify => self.notify(way, operand, second),
            NotificationWait => self.notification_wait(way, operand, second, self.granted(fourth)),
            Acknowledge => self.acknowledge(operand),
            StateMessageRead => self.read_state_message(way, operand, second),
            SlotWrite => match Self::subject(operand) {
                Subject::Process => self.write_process(operand, second, Range::new(third, fourth)),
                Subject::Module => self.write_slot(operand, second, Range::new(third, fourth)),
                Subject::Nothing => Err(CallError::NoSuchObject),
            },
            SlotCheck => match Self::subject(operand) {
                Subject::Process => self.check_process(operand),
                Subject::Module => self.check_slot(operand),
                Subject::Nothing => Err(CallError::NoSuchObject),
            },
            SlotRollback => match Self::subject(operand) {
                Subject::Process => self.revert_process(operand),
                Subject::Module => self.roll_back(operand),
                Subject::Nothing => Err(CallError::NoSuchObject),
            },
            SlotRecord => self.record_period(operand),
            SlotRead => self.read_slot(operand, second, Range::new(third, fourth)),
            TraceEvent => self.hear_event(first, second),
            TraceRead => self.take_notes(second, third),
            TraceClasses => self.choose_classes(first),
            EventGroupSet => self.event_group_set(way, operand, second),
            EventGroupClear => self.event_group_clear(operand, second),
            SetPriority => self.set_priority(operand, second),
            EventGroupWait => {
                self.event_group_wait(way, operand, Wanted { bits: second, how: third }, self.granted(fourth))
            },
        };
        self.come_to(way, outcome)
    }

    /// What a call for a slot is about, of what the system has.
    #[inline(always)]
    fn subject(operand: Operand) -> Subject {
        match SlotId(operand.number()).process() {
            Some(_) if S::REPLACED => Subject::Process,
            _ if S::HAS_ROOMS => Subject::Module,
            _ => Subject::Nothing,
        }
    }

    /// Whether the system has what a call needs.
    #[inline(always)]
    const fn has(needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::Objects => S::SHARED,
            Needs::Ranges => S::RANGED,
            Needs::EventGroups => S::GROUPED,
            Needs::Slots => S::HAS_ROOMS || S::REPLACED,
            Needs::Takeovers => S::HAS_TAKEOVERS,
        }
    }

    fn tell_execution_time(&mut self) -> Next {
        self.charge_until_now();
        let ticks = self.state.threads.at(self.state.running().index()).clock.ticks();
        self.answer(words(ticks));
        Next::Stay
    }

    fn tell_time(&mut self) -> Next {
        let ticks = self.machine.now().ticks();
        self.answer(words(ticks));
        Next::Stay
    }

    /// The first thread once the caller has moved behind the others of its priority. If the caller runs in
    /// its own place it is the first now, so the next of its priority follows.
    #[inline(always)]
    fn yield_processor<W: Way>(&mut self, way: W) -> Outcome {
        if S::DEPTHS > 0 && self.caller_kind() == ThreadKind::Idle {
            way.rare()?;
            self.go_to_sleep();
            return Ok(Next::Stay);
        }
        self.must_not_be_raised(way)?;
        let running = self.state.running();
        let state = self.state.threads.at(running.index());
        let (rank, next) = (state.rank(), state.next);
        let is_own = way.is_calm() && self.state.processor.is_in_own_place();
        if let Some(rank) = rank.as_fixed()
            && is_own
            && self.state.threads.at(next.index()).is_ready()
        {
            self.state.bands.put_first(rank, next);
            return Ok(Next::Pass(next));
        }
        way.rare()?;
        self.state.bands.rotate(&self.state.threads, running);
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

    /// A thread that ends while it holds a ceiling lock leaves data behind that nobody can trust.
    #[cold]
    pub(crate) fn end_while_raised(&mut self) -> Next {
        self.fault(Fault { kind: FaultKind::Usage, address: 0, instruction: 0 });
        Next::Again
    }

    /// Returns two values to the caller.
    #[inline(always)]
    pub(crate) fn answer(&mut self, values: [u32; 2]) {
        self.machine.answer(self.state.running(), values);
    }

    /// Returns two values to a thread that was waiting. By the ordinary way another thread has the processor.
    #[inline(always)]
    pub(crate) fn deliver<W: Way>(&mut self, _way: W, sleeper: ThreadId, values: [u32; 2]) {
        match W::IS_ORDINARY {
            true => self.machine.deliver(sleeper, values),
            false => self.machine.result(sleeper, values),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, error: CallError) -> Switch {
        self.machine.tell(self.state.running(), error as u32);
        self.look_for_lack(error);
        Switch::Stay
    }

    /// The running thread's constant row.
    #[inline(always)]
    pub(crate) fn caller(&self) -> &'static Thread {
        self.machine.system().threads.at(self.state.running().index())
    }

    /// The kind of the running thread.
    #[inline(always)]
    pub(crate) fn caller_kind(&self) -> ThreadKind {
        self.caller().kind
    }

    /// Checks an object's number against the length of its table. The ordinary way doesn't take a promise
    /// along with it.
    #[inline(always)]
    pub(crate) fn number<W: Way>(_way: W, operand: Operand, length: usize) -> Result<u8, CallError> {
        let number = if W::IS_ORDINARY { operand.0 as usize } else { operand.number().into() };
        if number < length { Ok(number as u8) } else { Err(CallError::NoSuchObject) }
    }

    /// Refuses an object that the caller's process may not name.
    #[inline(always)]
    pub(crate) fn must_be_allowed<W: Way>(&self, _way: W, processes: Processes) -> Result<(), CallError> {
        let process = match W::IS_ORDINARY {
            true => self.state.processor.caller().number(),
            false => self.caller().process.0 & 31,
        };
        if processes >> process & 1 == 1 { Ok(()) } else { Err(CallError::NoSuchObject) }
    }

    /// Refuses callers that may not wait: threads above all bands, and the idle thread.
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

    /// Refuses memory that isn't the caller's, or isn't aligned to words. Most messages are on the caller's
    /// stack.
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
