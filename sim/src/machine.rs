//! The kernel's door to the simulated world.

use beryl_abi::{Instant, Line, Record, ThreadId};
use beryl_kernel::Machine;

use crate::context::Context;
use crate::fiber::{Answer, Arena};
use crate::trace::Trace;

/// Virtual time, the alarm, the system's memory, the threads' contexts, and the trace.
pub(crate) struct VirtualMachine {
    pub(crate) now: Instant,
    pub(crate) alarm: Instant,
    pub(crate) memory: Arena,
    /// By thread; nothing for the idle thread.
    pub(crate) contexts: Vec<Option<Context>>,
    pub(crate) trace: Trace,
}

impl VirtualMachine {
    /// A thread's context, if it has code.
    pub(crate) fn context(&mut self, thread: ThreadId) -> Option<&mut Context> {
        self.contexts.get_mut(thread.index())?.as_mut()
    }
}

impl Machine for VirtualMachine {
    fn now(&mut self) -> Instant {
        self.now
    }

    fn arm(&mut self, instant: Instant) {
        self.alarm = instant;
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) {
        self.memory.copy(from, to, length);
    }

    fn result(&mut self, thread: ThreadId, values: [u32; 2]) {
        if let Some(context) = self.context(thread) {
            context.answer(Answer::Values(values));
        }
    }

    fn restart(&mut self, thread: ThreadId) {
        if let Some(context) = self.context(thread) {
            context.restart();
        }
    }

    /// Environments raise no interrupts, so there is nothing to mask.
    fn mask(&mut self, _line: Line) {}

    fn unmask(&mut self, _line: Line) {}

    fn trace(&mut self, record: Record) {
        let VirtualMachine { now, memory, trace, .. } = self;
        trace.append(record, *now, |address| memory.word(address));
    }
}
