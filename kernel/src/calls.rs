//! System calls: decode, then perform.

use beryl_abi::call::{LONGEST_WAIT, Operand, SUCCESS};
use beryl_abi::{CallError, CallNumber, Fault, FaultKind, Range};

use crate::event::{Call, Machine, Switch};
use crate::faults::Scope;
use crate::handle::{Kernel, Next};
use crate::rank::Rank;
use crate::sizes::{Sizes, Table};
use crate::state::Phase;
use crate::system::{Processes, Thread, ThreadKind};
use crate::waits::promised;

/// What a call comes to: what follows it, or why it is refused.
pub(crate) type Outcome = Result<Next, CallError>;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Carries out a call that nothing stands in the way of: most are so. Nothing has changed if the
    /// answer is none. Hosts that know the number make it a constant, so that each such call has a short
    /// way in and out.
    #[inline(always)]
    pub fn call_at_once(&mut self, call: Call) -> Option<Switch> {
        const NULL: u32 = CallNumber::Null as u32;
        const YIELD: u32 = CallNumber::Yield as u32;
        const COMPLETE: u32 = CallNumber::Complete as u32;
        const WAIT_PERIOD: u32 = CallNumber::WaitPeriod as u32;
        const SEMAPHORE_WAIT: u32 = CallNumber::SemaphoreWait as u32;
        const SEMAPHORE_SIGNAL: u32 = CallNumber::SemaphoreSignal as u32;
        const MAILBOX_SEND: u32 = CallNumber::MailboxSend as u32;
        const MAILBOX_RECEIVE: u32 = CallNumber::MailboxReceive as u32;
        const ENDPOINT_CALL: u32 = CallNumber::EndpointCall as u32;
        const ENDPOINT_REPLY: u32 = CallNumber::EndpointReply as u32;
        const STATE_MESSAGE_READ: u32 = CallNumber::StateMessageRead as u32;
        const NOTIFY: u32 = CallNumber::Notify as u32;
        const NOTIFICATION_WAIT: u32 = CallNumber::NotificationWait as u32;
        let [first, second, third, timeout] = call.arguments;
        let operand = Operand(first);
        match call.number {
            NULL => {
                self.succeed();
                Some(Switch::Stay)
            }
            // The numbers of all calls about objects of several threads stand in a row.
            SEMAPHORE_WAIT..=NOTIFY if !S::SHARED => None,
            YIELD => self.yield_at_once(),
            COMPLETE => self.complete_at_once(),
            WAIT_PERIOD => self.wait_period_at_once(operand),
            SEMAPHORE_WAIT => self.take_at_once(operand, timeout),
            SEMAPHORE_SIGNAL => self.give_back_at_once(operand),
            MAILBOX_SEND => self.send_at_once(operand, [second, third], timeout),
            MAILBOX_RECEIVE => self.receive_at_once(operand, second, timeout),
            ENDPOINT_CALL => self.call_server_at_once(operand, [second, third]),
            ENDPOINT_REPLY => self.reply_at_once(operand, [second, third]),
            STATE_MESSAGE_READ => self.read_state_message_at_once(operand, second),
            NOTIFY => self.notify_at_once(operand, second),
            NOTIFICATION_WAIT => self.wait_for_bits_at_once(operand, second, timeout),
            _ => None,
        }
    }

    /// Carries out any call, or refuses it.
    #[inline(always)]
    pub(crate) fn call_at_length(&mut self, call: Call) -> Switch {
        let Some(number) = CallNumber::decode(call.number) else {
            return self.refuse(CallError::UnknownCall);
        };
        match self.known_call(number, call.arguments) {
            Ok(next) => self.conclude(next),
            Err(error) => self.refuse(error),
        }
    }

    #[inline(always)]
    fn known_call(&mut self, number: CallNumber, [first, second, third, timeout]: [u32; 4]) -> Outcome {
        let operand = Operand(first);
        match number {
            CallNumber::Null => {
                self.succeed();
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
            CallNumber::Yield => self.yield_processor(),
            CallNumber::Complete => self.complete(),
            CallNumber::DriverDone => self.driver_done(first != 0),
            CallNumber::ExecutionTime => {
                self.charge_until_now();
                let ticks = self.state.threads.at(self.state.running.index()).clock.ticks();
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
            CallNumber::WaitPeriod => self.wait_period(operand),
            CallNumber::SleepUntil => self.sleep_until(operand, [second, third]),
            CallNumber::SemaphoreWait => self.semaphore_wait(operand, timeout),
            CallNumber::SemaphoreSignal => self.semaphore_signal(operand),
            CallNumber::ConditionWait => self.condition_wait(operand, timeout),
            CallNumber::ConditionSignal => self.condition_signal(operand),
            CallNumber::ConditionBroadcast => self.condition_broadcast(operand),
            CallNumber::MailboxSend => self.mailbox_send(operand, [second, third], timeout),
            CallNumber::MailboxReceive => self.mailbox_receive(operand, second, timeout),
            CallNumber::EndpointCall => self.endpoint_call(operand, [second, third]),
            CallNumber::EndpointReceive => self.endpoint_receive(operand, second, timeout),
            CallNumber::EndpointReply => self.endpoint_reply(operand, [second, third]),
            CallNumber::Notify => self.notify(operand, second),
            CallNumber::NotificationWait => self.notification_wait(operand, second, timeout),
            CallNumber::Acknowledge => self.acknowledge(operand),
            CallNumber::StateMessageRead => self.read_state_message(operand, second),
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
        }
    }

    /// The same as [`Kernel::yield_processor`] for a caller that runs in its own place: it comes first, so
    /// the next of its priority does then.
    #[inline(always)]
    fn yield_at_once(&mut self) -> Option<Switch> {
        self.state.caller.process()?;
        let rank = self.own_rank()?.as_fixed()?;
        let running = self.state.running;
        let next = self.state.threads.at(running.index()).next;
        if self.state.threads.at(next.index()).phase != Phase::Ready {
            return None;
        }
        self.succeed();
        if next == running {
            return Some(Switch::Stay);
        }
        self.state.bands.put_first(rank, next);
        Some(self.hand_over_at_once(running, next))
    }

    /// The rank of the running thread's place, if the thread runs in it: it comes first there.
    #[inline(always)]
    pub(crate) fn own_rank(&self) -> Option<Rank> {
        let running = self.state.running;
        if self.state.place != running {
            return None;
        }
        Some(self.machine.system().threads.at(running.index()).rank)
    }

    /// Whoever comes first once the caller stands behind the others of its priority.
    #[inline(always)]
    fn yield_processor(&mut self) -> Outcome {
        self.must_not_be_raised()?;
        let running = self.state.running;
        self.state.bands.rotate(self.machine.system(), &self.state.threads, running);
        self.machine.done(running);
        Ok(Next::Decide)
    }

    fn stop(&mut self) -> Outcome {
        if !self.may_wait_at_all() {
            return Err(CallError::WrongCaller);
        }
        if self.is_raised() {
            return Ok(self.end_while_raised());
        }
        self.begin_stopping(Scope::Thread(self.state.running));
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
        self.machine.answer(self.state.running, values);
    }

    /// The call did what it should.
    #[inline(always)]
    pub(crate) fn succeed(&mut self) {
        self.machine.done(self.state.running);
    }

    #[cold]
    #[inline(never)]
    fn refuse(&mut self, error: CallError) -> Switch {
        self.machine.answer(self.state.running, [error as u32, 0, 0]);
        Switch::Stay
    }

    /// The running thread's constant row.
    #[inline(always)]
    pub(crate) fn caller(&self) -> &'static Thread {
        self.machine.system().threads.at(self.state.running.index())
    }

    /// What the running thread is for.
    #[inline(always)]
    pub(crate) fn caller_kind(&self) -> ThreadKind {
        self.caller().kind
    }

    /// Whether a call that may wait can go on at once, if what it is for is there.
    #[inline(always)]
    pub(crate) fn is_plain_wait(&self, operand: Operand, timeout: u32) -> bool {
        self.state.caller.process().is_some() && promised(operand) == 0 && is_short(timeout)
    }

    /// Refuses an object that the caller's process may not name.
    #[inline(always)]
    pub(crate) fn must_be_allowed(&self, processes: Processes) -> Result<(), CallError> {
        match processes >> (self.caller().process.0 & 31) & 1 {
            0 => Err(CallError::NoSuchObject),
            _ => Ok(()),
        }
    }

    /// Refuses callers that may not wait: what runs above all bands, and who idles.
    #[inline(always)]
    pub(crate) fn must_be_able_to_wait(&self) -> Result<(), CallError> {
        if self.may_wait_at_all() { Ok(()) } else { Err(CallError::WrongCaller) }
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

    /// Whether memory is words of the caller's stack, where most messages are.
    #[inline(always)]
    pub(crate) fn is_on_stack(&self, address: u32, length: u32) -> bool {
        address & 3 == 0 && self.caller().stack.contains(Range::new(address, length))
    }

    /// Refuses memory that isn't the caller's, or not in words.
    #[inline(never)]
    pub(crate) fn must_be_callers(&self, address: u32, length: u32) -> Result<(), CallError> {
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

/// The number of an object, one of `length`, in an operand without a promise.
#[inline(always)]
pub(crate) const fn plain_number(operand: Operand, length: usize) -> Option<u8> {
    if (operand.0 as usize) < length { Some(operand.0 as u8) } else { None }
}

/// Whether a process may name an object.
#[inline(always)]
pub(crate) const fn is_allowed(processes: Processes, process: u8) -> Option<()> {
    if processes >> process & 1 == 1 { Some(()) } else { None }
}

/// Whether a timeout is at most [`LONGEST_WAIT`], or [`beryl_abi::call::FOREVER`], which is the one before 0.
#[inline(always)]
pub(crate) const fn is_short(timeout: u32) -> bool {
    timeout.wrapping_add(1) <= LONGEST_WAIT + 1
}

/// The low and the high word.
const fn words(value: u64) -> [u32; 3] {
    [value as u32, (value >> 32) as u32, 0]
}

/// A short message's answer.
#[inline(always)]
pub(crate) const fn short([first, second]: [u32; 2]) -> [u32; 3] {
    [SUCCESS, first, second]
}
