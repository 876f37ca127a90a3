//! Notifications: a word of bits a thread, set by others and by interrupts.

use beryl_abi::call::{FOREVER, Operand, POLL, SUCCESS};
use beryl_abi::{CallError, InterruptId, Line, Note, NotificationId, Passed, Record, ThreadId};

use crate::calls::{Outcome, is_allowed, plain_number};
use crate::event::{Event, Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::sizes::{Sizes, Table};
use crate::state::Wait;
use crate::system::Interrupt;
use crate::waits::promised;
use crate::watches::Occasion;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Sets bits of a thread's notification that is there.
    #[inline(always)]
    pub(crate) fn notify_at_once(&mut self, operand: Operand, bits: u32) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let number = plain_number(operand, S::Notifications::LENGTH)?;
        let row = self.machine.system().notifications.at(number.into());
        is_allowed(row.senders, process)?;
        let bits = if bits == 0 { row.bits } else { bits & row.bits };
        self.succeed();
        match self.set_bits_at_once(row.thread, bits) {
            true => Some(self.wake_at_once(row.thread)),
            false => Some(Switch::Stay),
        }
    }

    /// Waits for bits of the caller's notification, which aren't set yet.
    #[inline(always)]
    pub(crate) fn wait_for_bits_at_once(
        &mut self,
        operand: Operand,
        mask: u32,
        timeout: u32,
    ) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let rank = self.own_rank()?;
        if mask == 0 || timeout != FOREVER {
            return None;
        }
        if promised(operand) != 0 && !self.is_promise(operand, process) {
            return None;
        }
        let line = match operand.number() {
            Operand::NO_OBJECT => None,
            number => Some(self.own_interrupt(number).ok()?),
        };
        let running = self.state.running;
        let state = self.state.threads.at_mut(running.index());
        if state.bits & mask != 0 {
            return None;
        }
        state.message[0] = mask;
        if let Some(line) = line {
            self.machine.unmask(line);
        }
        Some(self.sleep_at_once(Wait::Notification, operand, rank))
    }

    /// Sets bits of a thread's notification.
    #[inline(never)]
    pub(crate) fn notify(&mut self, operand: Operand, bits: u32) -> Outcome {
        let notification = NotificationId(operand.number());
        if notification.index() >= S::Notifications::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().notifications.at(notification.index());
        let (thread, all) = (row.thread, row.bits);
        self.must_be_allowed(row.senders)?;
        let bits = if bits == 0 { all } else { bits & all };
        self.succeed();
        self.note(Note::message(self.state.running, Passed::Notified, notification.0));
        Ok(match self.set_bits(thread, bits) {
            true => Next::Wake(thread),
            false => Next::Stay,
        })
    }

    /// Waits for bits of the caller's notification. The operand may name an interrupt of the caller's, which
    /// may come again once the caller sleeps: until then its device may not have been served, and a level that
    /// is still up would be seen twice.
    #[inline(never)]
    pub(crate) fn notification_wait(&mut self, operand: Operand, mask: u32, timeout: u32) -> Outcome {
        let line = match operand.number() {
            Operand::NO_OBJECT => None,
            number => Some(self.own_interrupt(number)?),
        };
        self.must_be_a_wait(operand, timeout)?;
        let mask = if mask == 0 { u32::MAX } else { mask };
        let running = self.state.running;
        let state = self.state.threads.at_mut(running.index());
        let hits = state.bits & mask;
        if hits != 0 {
            state.bits &= !hits;
            self.answer([SUCCESS, hits, 0]);
            return Ok(self.keep_promise(operand, Next::Stay));
        }
        if timeout == POLL {
            return Err(CallError::WouldBlock);
        }
        state.message[0] = mask;
        if let Some(line) = line {
            self.let_come(line);
        }
        Ok(self.sleep(Wait::Notification, operand, timeout))
    }

    /// Lets an interrupt of the caller's come again.
    #[inline(never)]
    pub(crate) fn acknowledge(&mut self, operand: Operand) -> Outcome {
        let line = self.own_interrupt(operand.number())?;
        self.let_come(line);
        self.succeed();
        Ok(Next::Stay)
    }

    #[inline(always)]
    fn let_come(&mut self, line: Line) {
        self.machine.unmask(line);
        self.note(Note::acknowledge(self.state.running, line));
    }

    /// An interrupt that comes while user code runs of whose caller nothing has to be asked.
    #[inline(always)]
    pub fn interrupt_at_once(&mut self, line: Line) -> Switch {
        if Self::HAS_WATCHES && self.state.reactions.watching > 0 {
            return self.handle_at_length(Event::Interrupt(line));
        }
        self.machine.mask(line);
        match self.interrupt_of(line) {
            Some(row) if self.set_bits_at_once(row.thread, row.bits) => self.wake_at_once(row.thread),
            _ => Switch::Stay,
        }
    }

    /// An interrupt: its line is masked until its thread acknowledges it. A line that nobody serves
    /// stays masked, so that it can't come again.
    #[inline(never)]
    pub(crate) fn interrupt(&mut self, line: Line) -> Switch {
        self.machine.mask(line);
        let row = self.interrupt_of(line);
        self.note(Note::interrupt(row.map_or(ThreadId::NONE, |row| row.thread), line));
        match row {
            Some(row) if self.set_bits(row.thread, row.bits) => self.wake_later(row.thread),
            Some(_) => {}
            None if Self::HAS_WATCHES && self.is_awaited(line) => {}
            None => self.trace(Record::Stray { line }),
        }
        if self.is_under_way() { Switch::Again } else { Switch::Stay }
    }

    /// Whether triggers wait for an interrupt; they are due now.
    #[inline(never)]
    fn is_awaited(&mut self, line: Line) -> bool {
        let now = self.charge_until_now();
        self.notice(Occasion::Interrupt(line), now)
    }

    #[inline(never)]
    fn set_bits(&mut self, thread: ThreadId, bits: u32) -> bool {
        self.set_bits_at_once(thread, bits)
    }

    /// Sets bits of a thread; answers whether it is to be woken by that.
    #[inline(always)]
    fn set_bits_at_once(&mut self, thread: ThreadId, bits: u32) -> bool {
        let state = self.state.threads.at_mut(thread.index());
        state.bits |= bits;
        let hits = state.bits & state.message[0];
        if state.wait != Wait::Notification || hits == 0 {
            return false;
        }
        state.bits &= !hits;
        self.machine.result(thread, [SUCCESS, hits, 0]);
        true
    }

    #[inline(always)]
    fn interrupt_of(&self, line: Line) -> Option<&'static Interrupt> {
        // bound: INTERRUPTS
        for index in 0..S::Interrupts::LENGTH {
            let row = self.machine.system().interrupts.at(index);
            if row.line == line && row.thread.is_some() {
                return Some(row);
            }
        }
        None
    }

    /// The line of an interrupt that the caller serves.
    #[inline(always)]
    fn own_interrupt(&self, number: u8) -> Result<Line, CallError> {
        let interrupt = InterruptId(number);
        if interrupt.index() >= S::Interrupts::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().interrupts.at(interrupt.index());
        if row.thread == self.state.running { Ok(row.line) } else { Err(CallError::NoSuchObject) }
    }
}
