//! A thread of the kernel for each line of interrupts (EURASIP 2008, section 4.7). Its part is that of a client's `Call`:
//!
//! ```text
//!          interrupt, line masked    handler ready     handler replies, line unmasked
//!   halted ----------------------> delivers ----> waits for the reply ----> halted
//!                                      ^                                |
//!                                      +------ another is pending ------+
//! ```
//! The paper doesn't say how urgent these threads are; here each is as urgent as its handler.

use beryl_abi::ThreadId;
use beryl_kernel::Table;

use crate::counted::Count;
use crate::ipc::From;
use crate::rules::{Rules, Yielding};
use crate::scheduler::{Hint, L4};
use crate::thread::Phase;
use crate::{IDLE, LINES};

/// The number of a line, from 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineId(pub u8);

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// Who handles it; nobody if it is free.
    handler: ThreadId,
    /// The kernel's thread.
    thread: ThreadId,
    /// Whether the controller keeps it from the processor.
    is_masked: bool,
    /// Whether it was raised meanwhile.
    is_pending: bool,
    /// Whether its thread has something to deliver.
    delivers: bool,
    /// How often it interrupted the processor.
    taken: u32,
}

impl Line {
    pub(crate) const FREE: Line = Line {
        handler: ThreadId::NONE,
        thread: ThreadId::NONE,
        is_masked: true,
        is_pending: false,
        delivers: false,
        taken: 0,
    };
}

impl<R: Rules, C: Count> L4<R, C> {
    /// A thread handles a line; `thread` is the kernel's thread for it.
    pub fn register(&mut self, line: LineId, thread: ThreadId, handler: ThreadId) {
        let rank = self.threads.at(handler.index()).rank;
        self.threads.at_mut(thread.index()).rank = rank;
        *self.lines.at_mut(line.0.into()) = Line { handler, thread, is_masked: false, ..Line::FREE };
    }

    /// How often a line interrupted the processor.
    pub fn taken(&self, line: LineId) -> u32 {
        self.lines.at(line.0.into()).taken
    }

    /// A device raises its line. While that is masked the controller keeps it.
    pub fn interrupt(&mut self, line: LineId) {
        self.begin_step();
        let state = self.lines.at_mut(line.0.into());
        state.is_pending = true;
        if !state.is_masked {
            self.take_interrupt(line);
            self.settle();
        }
    }

    /// `handle_interrupt()`: masks the line and tells the handler.
    fn take_interrupt(&mut self, line: LineId) {
        let state = self.lines.at_mut(line.0.into());
        (state.is_masked, state.is_pending, state.delivers) = (true, false, true);
        state.taken = state.taken.saturating_add(1);
        let (handler, thread) = (state.handler, state.thread);
        let running = self.running();
        let is_kernels = running == IDLE || self.line_of(running).is_some();
        if !self.threads.at(handler.index()).receives_from(thread) {
            return self.wait_for_handler(handler, thread);
        }
        if is_kernels || self.is_before(handler, running) {
            self.deliver(line);
            let hint = if is_kernels { Hint::Donated } else { Hint::CurrentOrNew };
            return self.schedule(hint, handler);
        }
        // It delivers when its turn comes.
        if thread != running {
            self.wake(thread);
            self.put_by(thread);
        }
    }

    /// The line's thread stands with the senders of its handler.
    fn wait_for_handler(&mut self, handler: ThreadId, thread: ThreadId) {
        self.lines
            .rows_mut()
            .iter_mut()
            .filter(|line| line.thread == thread)
            .for_each(|line| line.delivers = false);
        self.leave(thread, Phase::Sending(handler));
        let state = self.threads.at_mut(thread.index());
        (state.then, state.words) = (Some(From::Thread(handler)), 0);
        self.queue_at(handler, thread);
    }

    /// The line's thread isn't ready, whether it runs or not.
    fn leave(&mut self, thread: ThreadId, phase: Phase) {
        match thread == self.running() {
            true => self.block(phase),
            false => self.threads.at_mut(thread.index()).phase = phase,
        }
    }

    /// The handler gets its message, and the line's thread waits for the reply.
    fn deliver(&mut self, line: LineId) {
        let state = self.lines.at_mut(line.0.into());
        state.delivers = false;
        let (handler, thread) = (state.handler, state.thread);
        self.leave(thread, Phase::Receiving(From::Thread(handler)));
        self.hand_over(thread, handler);
        self.wake(handler);
    }

    fn line_of(&self, thread: ThreadId) -> Option<LineId> {
        (0..LINES as u8).map(LineId).find(|line| self.lines.at(line.0.into()).thread == thread)
    }

    /// Threads of lines run in the kernel, until another one has the processor.
    #[inline(always)]
    pub(crate) fn settle(&mut self) {
        // bound: two rounds for each line, since each that ran waits or is halted
        while let Some(line) = self.line_of(self.running()) {
            self.run_line(line);
        }
    }

    /// `irq_thread()`: what a line's thread does when it has the processor.
    #[inline(never)]
    fn run_line(&mut self, line: LineId) {
        let state = *self.lines.at(line.0.into());
        if state.delivers {
            if self.threads.at(state.handler.index()).receives_from(state.thread) {
                self.deliver(line);
                return self.schedule(Hint::Donated, state.handler);
            }
            self.wait_for_handler(state.handler, state.thread);
            return self.schedule(Hint::Highest, ThreadId::NONE);
        }
        self.lines.at_mut(line.0.into()).is_masked = false;
        if state.is_pending {
            self.take_interrupt(line);
            if self.running() != state.thread || self.threads.at(state.thread.index()).is_ready() {
                return;
            }
            return self.schedule(Hint::Highest, ThreadId::NONE);
        }
        self.block(Phase::Halted);
        match R::POLICY.yielding {
            Yielding::Scheduler => self.schedule(Hint::Highest, ThreadId::NONE),
            Yielding::Idle => self.run(IDLE, IDLE),
        }
    }
}
