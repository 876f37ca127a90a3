//! Stopping what went wrong.

use beryl_abi::{Fault, ProcessId, Record, ThreadId};

use crate::event::Machine;
use crate::handle::{Next, Step};
use crate::sizes::{Sizes, Table};
use crate::state::Phase;
use crate::system::{OnFault, ThreadKind};

impl<S: Sizes, M: Machine> Step<'_, S, M> {
    /// The running thread did what it may not do: reports it and begins to stop what has to stop.
    #[cold]
    #[inline(never)]
    pub fn fault(&mut self, fault: Fault) -> Next {
        let thread = self.state.running;
        let process = self.system.threads.at(thread.index()).process;
        self.trace(Record::Fault { thread, fault });
        self.give_up_driver(thread);
        match self.system.processes.at(process.index()).on_fault {
            // Somebody has to be there when nobody else is.
            _ if self.caller_kind() == ThreadKind::Idle => self.restart(thread),
            OnFault::StopProcess => {
                self.state.processes.at_mut(process.index()).stopped = true;
                self.state.stopping = Some((process, ThreadId(0)));
            }
            // A driver thread serves all programs: it begins anew, so that only this driver is lost.
            OnFault::StopThread if self.caller_kind() == ThreadKind::Drivers => {
                self.state.threads.at_mut(thread.index()).phase = Phase::Dormant;
                self.restart(thread);
            }
            OnFault::StopThread => self.stop_thread(thread),
        }
        self.settle()
    }

    /// Stops the next thread of a process that is being stopped: one a step.
    pub fn stop_next(&mut self, process: ProcessId, thread: ThreadId) -> Next {
        let row = self.system.threads.at(thread.index());
        if row.process == process && !matches!(row.kind, ThreadKind::None | ThreadKind::Idle) {
            self.stop_thread(thread);
        }
        let next = ThreadId(thread.0.saturating_add(1));
        let done = next.index() >= S::Threads::LENGTH;
        self.state.stopping = if done { None } else { Some((process, next)) };
        self.settle()
    }

    /// A thread will never run again.
    #[inline(never)]
    pub fn stop_thread(&mut self, thread: ThreadId) {
        let phase = &mut self.state.threads.at_mut(thread.index()).phase;
        if core::mem::replace(phase, Phase::Stopped) == Phase::Ready {
            self.state.bands.remove(self.system, &mut self.state.threads, thread);
        }
        self.restart(thread);
    }

    /// Goes on if more is to be done, decides if not.
    fn settle(&mut self) -> Next {
        match self.resume() {
            Next::Stay => Next::Decide(self.machine.moment()),
            other => other,
        }
    }
}
