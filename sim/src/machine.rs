//! The kernel's door to the simulated world.

use beryl_abi::{Duration, Instant, Line, Moment, ProcessId, Range, Record, ThreadId};
use beryl_kernel::{Machine, Optional, Piece, Sizes, State, System, Table};

use crate::context::Context;
use crate::fiber::Arena;
use crate::lines::Lines;
use crate::trace::Trace;

/// The constant tables, virtual time, the alarm, interrupt lines, the system's memory, the threads' contexts,
/// and the trace.
pub(crate) struct VirtualMachine<S: Sizes> {
    pub(crate) system: &'static System<S>,
    pub(crate) now: Instant,
    /// The rest of a step's time, if the step has read the clock as it entered: it passes when the step ends.
    pub(crate) under_way: Duration,
    pub(crate) alarm: Instant,
    /// How long it takes to wake from the sleep that the processor may be in.
    pub(crate) wake: Duration,
    /// Whether the idle thread has asked how deep the processor may sleep, since something last happened.
    pub(crate) is_asleep: bool,
    pub(crate) lines: Lines,
    /// The doorbells of other cores that were rung and haven't been looked at.
    pub(crate) rung: u32,
    pub(crate) memory: Arena,
    /// The same memory as it was at the start.
    pub(crate) memory_at_start: Arena,
    /// By thread; none for the idle thread.
    pub(crate) contexts: Vec<Option<Context>>,
    pub(crate) trace: Trace,
}

impl<S: Sizes> VirtualMachine<S> {
    /// Lets the rest of a step's time pass.
    pub(crate) fn end_step(&mut self) {
        self.now = self.now.after(std::mem::take(&mut self.under_way));
    }

    /// Changes a bit of the byte at an address.
    pub(crate) fn flip(&mut self, address: u32, bit: u8) {
        let word = address & !3;
        let place = (address & 3) * 8 + u32::from(bit);
        self.memory.set_word(word, self.memory.word(word) ^ 1_u32.checked_shl(place).unwrap_or(0));
    }

    /// A thread's context, if it has code.
    pub(crate) fn context(&mut self, thread: ThreadId) -> Option<&mut Context> {
        self.contexts.get_mut(thread.index())?.as_mut()
    }
}

impl<S: Sizes> Machine<S> for VirtualMachine<S> {
    fn system(&self) -> &'static System<S> {
        self.system
    }

    fn now(&mut self) -> Instant {
        let shown = self.now;
        self.end_step();
        shown
    }

    fn arm(&mut self, moment: Moment) {
        self.alarm = self.now.nearest(moment);
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) {
        self.memory.copy(from, to, length);
    }

    fn result(&mut self, thread: ThreadId, values: [u32; 2]) {
        if let Some(context) = self.context(thread) {
            context.answer_values(values);
        }
    }

    fn status(&mut self, thread: ThreadId, status: u32) {
        if let Some(context) = self.context(thread) {
            context.answer_status(status);
        }
    }

    fn load(&mut self, address: u32) -> u32 {
        self.memory.word(address)
    }

    fn store(&mut self, address: u32, word: u32) {
        self.memory.set_word(address, word);
    }

    fn restart(&mut self, thread: ThreadId) {
        if let Some(context) = self.context(thread) {
            context.restart();
        }
    }

    fn sleep(&mut self, depth: u8) {
        let row = usize::from(depth).checked_sub(1).and_then(|row| self.system.depths.get(row));
        self.wake = Duration::from_ticks(row.map_or(0, |row| row.wake.into()));
    }

    fn put_back(&mut self, process: ProcessId, Piece { stretch, done }: Piece) -> Option<Piece> {
        let row = self.system.processes.at(process.index());
        let ([memory, ..], journal) = (row.memory, row.journal);
        let end = done.saturating_add(State::<S>::CHUNK).min(memory.length);
        for word in (done..end).step_by(4).map(|offset| memory.address.saturating_add(offset)) {
            if !journal.range().contains(Range::new(word, 4)) {
                self.memory.set_word(word, self.memory_at_start.word(word));
            }
        }
        (end < memory.length).then_some(Piece { stretch, done: end })
    }

    fn ring(&mut self, bell: u32) {
        self.rung |= bell;
    }

    fn mask(&mut self, line: Line) {
        self.lines.mask(line);
    }

    fn unmask(&mut self, line: Line) {
        self.lines.unmask(line);
    }

    fn trace(&mut self, record: Record) {
        let VirtualMachine { now, memory, trace, .. } = self;
        trace.append(record, *now, |address| memory.word(address));
    }

    fn trace_late(&mut self, record: Record, moment: Moment) {
        let VirtualMachine { now, memory, trace, .. } = self;
        trace.append(record, now.last(moment), |address| memory.word(address));
    }
}
