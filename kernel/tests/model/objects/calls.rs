//! System calls: what is refused in which order, and what the others come to.

use beryl_abi::call::{FOREVER, LONGEST_WAIT, Operand, POLL};
use beryl_abi::{CallError, CallNumber};
use beryl_kernel::{Sizes, StateMessage, Table, ThreadKind, Waits};

use super::addresses::is_long;
use super::budgets::Funds;
use super::event_groups::Want;
use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Phase};

impl<S: Sizes> Model<'_, S> {
    /// The running thread makes a system call. Answers what it returns, if it returns at once or later.
    pub fn call(&mut self, number: u32, arguments: [u32; 4]) {
        let me = self.running;
        self.threads[me].answer = None;
        self.charge();
        let is_in_debt = self.threads[me].account.funds == Funds::Holding;
        match self.known_call(me, number, arguments) {
            Ok(Some(answer)) => self.threads[me].answer = Some(answer),
            Ok(None) => {}
            Err(error) => {
                self.threads[me].answer = Some(Answer::status(error as u32));
                self.count_lack(me, error, number, arguments[0]);
            }
        }
        if is_in_debt {
            self.look_at_section(me);
        }
        self.decide();
    }

    /// What the running thread's call returned, once it runs again.
    pub fn returned(&mut self) -> Option<Answer> {
        self.threads[self.running].answer.take()
    }

    fn known_call(&mut self, me: Index, number: u32, [first, second, third, timeout]: [u32; 4]) -> Outcome {
        use CallNumber as C;
        let operand = Operand(first);
        let object = usize::from(operand.number());
        let then = operand.semaphore().map(|semaphore| semaphore.index());
        let words = [second, third];
        match C::decode(number).ok_or(CallError::UnknownCall)? {
            C::Null => Ok(Some(Answer::success())),
            C::Time | C::ExecutionTime => Ok(Some(Answer::success())),
            C::Yield => {
                self.check_lowered(me)?;
                if self.is_first_of_equals(me) {
                    self.enter_band(me);
                }
                Ok(Some(Answer::success()))
            }
            C::Complete => {
                self.check_kind(me, &[ThreadKind::Task])?;
                self.complete(me);
                Ok(None)
            }
            // These systems have no slots and no buffer for notes.
            C::SlotWrite | C::SlotCheck | C::SlotRollback | C::SlotRecord | C::SlotRead => {
                Err(CallError::NoSuchObject)
            }
            C::TraceRead | C::TraceClasses => Err(CallError::NoSuchObject),
            C::TraceEvent => Ok(Some(Answer::success())),
            C::DriverDone => Err(CallError::WrongCaller),
            C::Stop => {
                self.check_kind(me, &Self::WAITERS)?;
                if self.is_raised(me) {
                    self.stop_what_faults(me);
                } else {
                    self.stop(me);
                }
                Ok(None)
            }
            C::Preempt => {
                self.lowered();
                Ok(Some(Answer::success()))
            }
            C::WaitPeriod => {
                self.check_kind(me, &[ThreadKind::Periodic])?;
                self.check_wait(me, then, POLL)?;
                self.wait_period(me, then)
            }
            C::SleepUntil => {
                self.check_wait(me, then, POLL)?;
                if self.waits(me) != Waits::Freely && (u64::from(third) << 32 | u64::from(second)) > self.now
                {
                    return Err(CallError::WouldBlock);
                }
                self.sleep_until(me, u64::from(third) << 32 | u64::from(second), then)
            }
            C::SemaphoreWait => {
                self.check_kind(me, &Self::WAITERS)?;
                self.check_semaphore(me, object)?;
                // Who takes a binary semaphore can't be promised another one.
                let then = if self.is_binary(object) { None } else { then };
                let least = if self.is_binary(object) { Waits::Never } else { Waits::Turns };
                let patience = match self.check_wait(me, then, timeout)? {
                    _ if self.waits(me) >= least => Patience::Poll,
                    patience => patience,
                };
                self.semaphore_wait(me, object, patience, then)
            }
            C::SemaphoreSignal => {
                self.check_semaphore(me, object)?;
                self.semaphore_signal(me, object)
            }
            C::ConditionWait => {
                self.check_kind(me, &Self::WAITERS)?;
                self.check_condition(me, object)?;
                let patience = self.check_condition_wait(me, then, self.granted(me, timeout))?;
                self.condition_wait(me, object, then, patience)
            }
            C::ConditionSignal => {
                self.check_condition(me, object)?;
                self.condition_signal(object);
                Ok(Some(Answer::success()))
            }
            C::ConditionBroadcast => {
                self.check_condition(me, object)?;
                self.condition_broadcast(object);
                Ok(Some(Answer::success()))
            }
            C::MailboxSend => {
                let length = self.check_mailbox(me, object, |row| row.senders)?;
                let patience = self.check_wait(me, then, self.granted(me, timeout))?;
                self.check_message(me, second, length)?;
                self.send(me, object, words, patience, then)
            }
            C::MailboxReceive => {
                let length = self.check_mailbox(me, object, |row| row.receivers)?;
                let patience = self.check_wait(me, then, self.granted(me, timeout))?;
                self.check_message(me, second, length)?;
                self.receive(me, object, second, patience, then)
            }
            C::EndpointCall => {
                self.check_endpoint(me, object)?;
                let patience = self.check_wait(me, then, timeout)?;
                self.check_turn(me)?;
                self.check_exchange(me, object, [second, third], true)?;
                self.endpoint_call(me, object, words, patience, then)
            }
            C::EndpointReceive => {
                self.check_server(me, object)?;
                let patience = self.check_wait(me, then, timeout)?;
                self.check_request(me, object, second)?;
                self.endpoint_receive(me, object, second, patience, then)
            }
            C::EndpointReply => {
                self.check_server(me, object)?;
                self.check_kinds_and_promise(me, then)?;
                self.check_exchange(me, object, [second, third], false)?;
                self.endpoint_reply(me, object, words, then)
            }
            C::Notify => {
                let row = *self
                    .check(object, S::Notifications::LENGTH, |index| self.system.notifications.at(index))?;
                self.check_named(me, row.senders)?;
                let bits = if second == 0 { row.bits } else { second & row.bits };
                if self.threads[row.thread.index()].phase != Phase::Stopped {
                    self.set_bits(row.thread.index(), bits);
                }
                Ok(Some(Answer::success()))
            }
            C::NotificationWait => {
                let acknowledged = match operand.number() {
                    Operand::NO_OBJECT => None,
                    _ => Some(self.check_interrupt(me, object)?),
                };
                let patience = self.check_wait(me, then, self.granted(me, timeout))?;
                self.notification_wait(me, acknowledged, second, patience, then)
            }
            C::Acknowledge => {
                let line = self.check_interrupt(me, object)?;
                self.unmasked.insert(line);
                Ok(Some(Answer::success()))
            }
            C::EventGroupSet => {
                self.check_group(me, object, |row| row.sources)?;
                self.event_group_set(object, second);
                Ok(Some(Answer::success()))
            }
            C::EventGroupClear => {
                self.check_group(me, object, |row| row.sources)?;
                Ok(Some(self.event_group_clear(object, second)))
            }
            C::EventGroupWait => {
                self.check_group(me, object, |row| row.waiters)?;
                let patience = self.check_wait(me, then, self.granted(me, timeout))?;
                if second == 0 {
                    return Err(CallError::NoBits);
                }
                self.event_group_wait(me, object, Want::of(second, third), patience, then)
            }
            C::SetPriority => self.set_priority(me, object, second),
            C::StateMessageRead => {
                let row = *self
                    .check(object, S::StateMessages::LENGTH, |index| self.system.state_messages.at(index))?;
                self.check_named(me, row.readers)?;
                self.check_address(me, second, row.length)?;
                let words = self.read(self.newest(row), row.length);
                self.write(second, &words);
                Ok(Some(Answer::success()))
            }
        }
    }

    const WAITERS: [ThreadKind; 3] = [ThreadKind::Task, ThreadKind::Free, ThreadKind::Periodic];

    /// Where the newest value of a state message is.
    fn newest(&self, row: StateMessage) -> u32 {
        if row.index == 0 {
            return row.base;
        }
        row.base + (self.word(row.index) & (u32::from(row.depth) - 1)) * u32::from(row.length)
    }

    fn check_kind(&self, me: Index, kinds: &[ThreadKind]) -> Result<(), CallError> {
        kinds.contains(&self.row(me).kind).then_some(()).ok_or(CallError::WrongCaller)
    }

    fn check_named(&self, me: Index, processes: u32) -> Result<(), CallError> {
        self.may_name(me, processes).then_some(()).ok_or(CallError::NoSuchObject)
    }

    fn check<Row>(&self, object: Index, length: usize, row: impl Fn(Index) -> Row) -> Result<Row, CallError> {
        (object < length).then(|| row(object)).ok_or(CallError::NoSuchObject)
    }

    fn check_semaphore(&self, me: Index, object: Index) -> Result<(), CallError> {
        let row = self.check(object, S::Semaphores::LENGTH, |index| self.system.semaphores.at(index))?;
        self.check_named(me, row.processes)
    }

    fn check_condition(&self, me: Index, object: Index) -> Result<(), CallError> {
        let row = self.check(object, S::Conditions::LENGTH, |index| self.system.conditions.at(index))?;
        self.check_named(me, row.processes)
    }

    fn check_mailbox(
        &self,
        me: Index,
        object: Index,
        who: impl Fn(&beryl_kernel::Mailbox) -> u32,
    ) -> Result<u8, CallError> {
        let row = self.check(object, S::Mailboxes::LENGTH, |index| self.system.mailboxes.at(index))?;
        self.check_named(me, who(row))?;
        Ok(row.length)
    }

    fn check_group(
        &self,
        me: Index,
        object: Index,
        who: impl Fn(&beryl_kernel::EventGroup) -> u32,
    ) -> Result<(), CallError> {
        let row = self.check(object, S::EventGroups::LENGTH, |index| self.system.event_groups.at(index))?;
        self.check_named(me, who(row))
    }

    fn check_endpoint(&self, me: Index, object: Index) -> Result<(), CallError> {
        let row = self.check(object, S::Endpoints::LENGTH, |index| self.system.endpoints.at(index))?;
        self.check_named(me, row.callers)
    }

    fn check_server(&self, me: Index, object: Index) -> Result<(), CallError> {
        let row = self.check(object, S::Endpoints::LENGTH, |index| self.system.endpoints.at(index))?;
        (row.server.index() == me).then_some(()).ok_or(CallError::WrongCaller)
    }

    /// Answers the interrupt's line.
    fn check_interrupt(&self, me: Index, object: Index) -> Result<u16, CallError> {
        let row = self.check(object, S::Interrupts::LENGTH, |index| self.system.interrupts.at(index))?;
        (row.thread.index() == me).then_some(row.line.0).ok_or(CallError::NoSuchObject)
    }

    fn check_lowered(&self, me: Index) -> Result<(), CallError> {
        if self.is_raised(me) { Err(CallError::Raised) } else { Ok(()) }
    }

    fn check_kinds_and_promise(&self, me: Index, then: Option<Index>) -> Result<(), CallError> {
        self.check_kind(me, &Self::WAITERS)?;
        then.map_or(Ok(()), |semaphore| self.check_promise(me, semaphore))?;
        self.check_lowered(me)
    }

    /// The semaphore to come back with must be one that has owners, and another one than the caller.
    fn check_promise(&self, me: Index, semaphore: Index) -> Result<(), CallError> {
        self.check_semaphore(me, semaphore)?;
        if !self.is_binary(semaphore) {
            return Err(CallError::NoSuchObject);
        }
        if self.owner(semaphore) == Some(me) { Err(CallError::Deadlock) } else { self.check_turn(me) }
    }

    fn check_wait(&self, me: Index, then: Option<Index>, timeout: u32) -> Result<Patience, CallError> {
        self.check_kinds_and_promise(me, then)?;
        self.check_timeout(timeout)
    }

    /// Under a ceiling lock the word must be raised.
    fn check_condition_wait(
        &self,
        me: Index,
        lock: Option<Index>,
        timeout: u32,
    ) -> Result<Patience, CallError> {
        match lock {
            Some(lock) => {
                self.check_kind(me, &Self::WAITERS)?;
                self.check_lowered(me)?;
                match self.check_promise(me, lock) {
                    Err(CallError::Deadlock) => {}
                    other => other.and(Err(CallError::NotOwner))?,
                }
                self.check_timeout(timeout)
            }
            None => {
                self.check_kind(me, &Self::WAITERS)?;
                self.is_raised(me).then_some(()).ok_or(CallError::NotOwner)?;
                self.check_timeout(timeout)
            }
        }
    }

    fn waits(&self, me: Index) -> Waits {
        S::WAITS.get(me).copied().unwrap_or(Waits::Freely)
    }

    /// Who waits for turns only, or for nothing, else only asks.
    fn granted(&self, me: Index, timeout: u32) -> u32 {
        if self.waits(me) == Waits::Freely { timeout } else { POLL }
    }

    /// Who waits for nothing has no turns.
    fn check_turn(&self, me: Index) -> Result<(), CallError> {
        if self.waits(me) == Waits::Never { Err(CallError::WouldBlock) } else { Ok(()) }
    }

    fn check_timeout(&self, timeout: u32) -> Result<Patience, CallError> {
        match timeout {
            POLL => Ok(Patience::Poll),
            FOREVER => Ok(Patience::Forever),
            1..=LONGEST_WAIT => Ok(Patience::Until(self.now + u64::from(timeout))),
            _ => Err(CallError::TooLong),
        }
    }

    fn check_message(&self, me: Index, address: u32, length: u8) -> Result<(), CallError> {
        if is_long(length) { self.check_address(me, address, length) } else { Ok(()) }
    }

    fn check_request(&self, me: Index, endpoint: Index, address: u32) -> Result<(), CallError> {
        let row = self.system.endpoints.at(endpoint);
        if self.is_long_endpoint(endpoint) { self.check_address(me, address, row.request) } else { Ok(()) }
    }

    /// What is sent, and where the answer goes.
    fn check_exchange(&self, me: Index, endpoint: Index, at: [u32; 2], calls: bool) -> Result<(), CallError> {
        let row = self.system.endpoints.at(endpoint);
        if !self.is_long_endpoint(endpoint) {
            return Ok(());
        }
        let lengths = if calls { [row.request, row.reply] } else { [row.reply, row.request] };
        self.check_address(me, at[0], lengths[0])?;
        self.check_address(me, at[1], lengths[1])
    }
}
