//! Stopping what went wrong.

use beryl_abi::{Fault, ProcessId, Record, ThreadId};

use crate::event::Machine;
use crate::handle::Step;
use crate::sizes::{Sizes, Table};
use crate::state::Phase;
use crate::system::{OnFault, ThreadKind};

/// What is being stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stopping {
    /// One thread.
    Thread(ThreadId),
    /// All threads of a process, one a step; `next` is the first that hasn't been looked at.
    Process {
        /// The process.
        process: ProcessId,
        /// The next thread.
        next: ThreadId,
    },
}

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// The running thread did what it may not do: reports it, and sees what has to stop. Stopping
    /// takes steps of its own.
    #[cold]
    #[inline(never)]
    pub fn fault(&mut self, fault: Fault) {
        let thread = self.state.running;
        let process = self.system.threads.at(thread.index()).process;
        self.trace(Record::Fault { thread, fault });
        self.give_up_driver(thread);
        // Somebody has to be there when nobody else is, so idling never costs a process.
        let alone = self.caller_kind() == ThreadKind::Idle;
        self.state.stopping = match self.system.processes.at(process.index()).on_fault {
            OnFault::StopProcess if !alone => {
                self.state.processes.at_mut(process.index()).stopped = true;
                Some(Stopping::Process { process, next: ThreadId(0) })
            }
            _ => Some(Stopping::Thread(thread)),
        };
    }

    /// Stops the next thread.
    #[cold]
    #[inline(never)]
    pub fn stop_next(&mut self, stopping: Stopping) {
        self.state.stopping = match stopping {
            Stopping::Thread(thread) => {
                self.stop_alone(thread);
                None
            }
            Stopping::Process { process, next } => {
                let row = self.system.threads.at(next.index());
                if row.process == process && !matches!(row.kind, ThreadKind::None | ThreadKind::Idle) {
                    self.stop_thread(next);
                }
                let next = ThreadId(next.0.saturating_add(1));
                (next.index() < S::Threads::LENGTH).then_some(Stopping::Process { process, next })
            }
        };
    }

    /// Stops a thread, but not its process. A driver thread serves all programs: it begins anew, so
    /// that only the driver is lost that it was running. So does the idle thread.
    fn stop_alone(&mut self, thread: ThreadId) {
        match self.system.threads.at(thread.index()).kind {
            ThreadKind::Idle | ThreadKind::Drivers => self.restart(thread),
            ThreadKind::None | ThreadKind::Task | ThreadKind::Free => self.stop_thread(thread),
        }
    }

    /// A thread will never run again.
    #[inline(never)]
    fn stop_thread(&mut self, thread: ThreadId) {
        let phase = &mut self.state.threads.at_mut(thread.index()).phase;
        if core::mem::replace(phase, Phase::Stopped) == Phase::Ready {
            self.state.bands.remove(self.system, &mut self.state.threads, thread);
        }
        self.restart(thread);
    }
}
