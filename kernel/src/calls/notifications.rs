//! Notifications: a word of bits for each thread, set by other threads and by interrupts.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, InterruptId, Line, Note, NotificationId, Passed, Record, ThreadId};

use crate::arguments::{is_short, promised};
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::gates::{GateId, Gated};
use crate::rows::lines::{ByLine, Served};
use crate::scheduling::thread::{Offer, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Sets bits of a thread's notification.
    #[inline(always)]
    pub(crate) fn notify<W: Way>(&mut self, way: W, operand: Operand, bits: u32) -> Outcome {
        let notification = NotificationId(Self::number(way, operand, S::Notifications::LENGTH)?);
        let row = self.machine.system().notifications.at(notification.index());
        self.must_be_allowed(way, row.senders)?;
        let bits = if bits == 0 { row.bits } else { bits & row.bits };
        if S::RINGS && row.thread == ThreadId::NONE {
            way.rare()?;
            return Ok(self.ring(notification, bits));
        }
        if let Err(gate) = self.pass_gate(Gated::Notification(notification)) {
            return self.keep_bits(way, gate, bits);
        }
        self.note_on(way, Note::message(self.state.running(), Passed::Notified, notification.0));
        Ok(if self.set_bits(way, row.thread, bits) { Next::Wake(row.thread) } else { Next::Stay })
    }

    /// Rings a doorbell at another core, whose kernel tells the thread that it rings for. No bits, no bell.
    #[inline(never)]
    fn ring(&mut self, notification: NotificationId, bell: u32) -> Next {
        if bell != 0 {
            self.machine.ring(bell);
        }
        self.note(Note::message(self.state.running(), Passed::Notified, notification.0));
        Next::Stay
    }

    /// Waits for bits of the caller's notification. The operand may name an interrupt of the caller's, which
    /// is unmasked once the caller sleeps: before that its device may not have been served, and a level that
    /// is still up would be seen twice.
    #[inline(always)]
    pub(crate) fn notification_wait<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        mask: u32,
        timeout: u32,
    ) -> Outcome {
        let line = match operand.number() {
            Operand::NO_OBJECT => None,
            number => Some(self.own_interrupt(number)?),
        };
        match W::IS_ORDINARY {
            true => way.only_if(promised(operand) == 0 || self.is_promise(way, operand))?,
            false => self.must_be_a_wait(way, operand, timeout)?,
        }
        let mask = if mask == 0 { u32::MAX } else { mask };
        let running = self.state.running();
        let state = self.state.threads.at_mut(running.index());
        let hits = state.bits & mask;
        if hits != 0 {
            way.only_if(promised(operand) == 0 && is_short(timeout))?;
            state.bits &= !hits;
            self.answer([hits, 0]);
            return Ok(self.keep_promise(way, operand, Next::Stay));
        }
        self.must_want_to_wait(way, timeout)?;
        let gate = line.and_then(|line| self.closed_gate(Gated::Line(line)));
        way.only_if(gate.is_none())?;
        self.state.threads.at_mut(running.index()).offer = Offer::mask(mask);
        if let Some(line) = line
            && self.let_come(way, line, gate) == Next::Again
        {
            return Ok(self.sleep(Any::UNDER_WAY, Wait::Notification, operand, timeout));
        }
        Ok(self.sleep(way, Wait::Notification, operand, timeout))
    }

    /// Unmasks an interrupt of the caller's.
    #[inline(never)]
    pub(crate) fn acknowledge(&mut self, operand: Operand) -> Outcome {
        let line = self.own_interrupt(operand.number())?;
        let gate = self.closed_gate(Gated::Line(line));
        Ok(self.let_come(Any::UNDER_WAY, line, gate))
    }

    /// An interrupt may come again, at once or when the closed gate before it opens.
    #[inline(always)]
    fn let_come<W: Way>(&mut self, way: W, line: Line, gate: Option<GateId>) -> Next {
        let next = match gate {
            Some(gate) => self.open_later(gate),
            None => {
                self.machine.unmask(line);
                Next::Stay
            }
        };
        self.note_on(way, Note::acknowledge(self.state.running(), line));
        next
    }

    /// An interrupt: its line is masked until its thread acknowledges it. A line that no thread serves stays
    /// masked, so that it can't come again.
    #[inline(always)]
    pub(crate) fn interrupt<W: Way>(&mut self, way: W, line: Line) -> Outcome {
        way.only_if(!self.is_watching())?;
        let served = self.who_serves(line);
        way.only_if(served.is_some())?;
        self.machine.mask(line);
        self.close_line(line, served.is_some());
        self.note_on(way, Note::interrupt(served.map_or(ThreadId::NONE, |by| by.thread), line));
        if let Some(by) = served {
            self.charge_for_interrupt(by.thread);
        }
        match served {
            Some(by) if self.set_bits(way, by.thread, by.bits()) => return Ok(Next::Wake(by.thread)),
            None if self.is_watching() && self.notice_interrupt(line) => {}
            None => self.trace(Record::Stray { line }),
            Some(_) => {}
        }
        let is_under_way = !W::IS_ORDINARY && self.is_under_way();
        Ok(if is_under_way { Next::Again } else { Next::Stay })
    }

    /// The thread that serves a line: none in a system without objects, where no interrupt wakes a thread.
    #[inline(always)]
    fn who_serves(&self, line: Line) -> Option<Served> {
        if S::SHARED { self.machine.system().lines.served(line) } else { None }
    }

    /// Sets bits of a thread; returns whether that is to wake it.
    #[inline(always)]
    pub(crate) fn set_bits<W: Way>(&mut self, way: W, thread: ThreadId, bits: u32) -> bool {
        let state = self.state.threads.at_mut(thread.index());
        state.bits |= bits;
        let hits = state.bits & state.offer.as_mask();
        if state.wait() != Wait::Notification || hits == 0 {
            return false;
        }
        state.bits &= !hits;
        self.deliver(way, thread, [hits, 0]);
        true
    }

    /// The line of an interrupt that the caller serves.
    #[inline(always)]
    fn own_interrupt(&self, number: u8) -> Result<Line, CallError> {
        let interrupt = InterruptId(number);
        if interrupt.index() >= S::Interrupts::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().interrupts.at(interrupt.index());
        if row.thread == self.state.running() { Ok(row.line) } else { Err(CallError::NoSuchObject) }
    }
}
