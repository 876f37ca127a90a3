//! Stopping threads after a fault, and taking back what they held.
//!
//! ```text
//!   Scope: the next thread --stop--> cleaning: the next object of its --none left--> the next thread, or the end
//! ```

use beryl_abi::{EndpointId, Fault, Incident, Note, ProcessId, Record, SemaphoreId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::Activity;
use crate::parts::Parts;
use crate::rows::processes::OnFault;
use crate::rows::threads::ThreadKind;
use crate::scheduling::stop::{STOP_LOOKS, Scope, Stopping};
use crate::scheduling::thread::Phase;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The running thread faulted: reports it and finds what has to stop. Stopping takes steps of its
    /// own.
    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&mut self, fault: Fault) {
        let thread = self.state.running();
        let process = self.machine.system().threads.at(thread.index()).process;
        self.trace(Record::Fault { thread, fault });
        if S::HAS_CRASHES {
            self.begin_crash(thread, fault);
        }
        self.inform(thread, Incident::Fault);
        self.give_up_driver(thread);
        // The idle thread has to be there when no other is, so its fault never stops a process.
        let alone = self.caller_kind() == ThreadKind::Idle;
        self.stop_what_faulted(thread, process, alone);
    }

    /// A thread did what it may not while it lent its place: its budget is used up.
    pub(crate) fn fault_of(&mut self, thread: ThreadId, fault: Fault) {
        let process = self.machine.system().threads.at(thread.index()).process;
        self.trace(Record::Fault { thread, fault });
        if S::HAS_CRASHES {
            self.begin_crash(thread, fault);
        }
        self.inform(thread, Incident::Fault);
        self.stop_what_faulted(thread, process, false);
    }

    #[inline(always)]
    fn stop_what_faulted(&mut self, thread: ThreadId, process: ProcessId, alone: bool) {
        let scope = match self.machine.system().processes.at(process.index()).on_fault {
            OnFault::StopProcess if !alone => {
                self.state.processes.at_mut(process.index()).stopped = true;
                Scope::Process { process, next: ThreadId(0) }
            }
            _ => Scope::Thread(thread),
        };
        self.begin_stopping(scope);
    }

    /// Begins to stop something, in steps of its own. Whatever is due by then comes before the decision.
    pub(crate) fn begin_stopping(&mut self, scope: Scope) {
        self.state.stopping = Some(Stopping::of(scope));
        self.state.has_deferred_work = true;
        if self.state.e_machine.activity == Activity::Idle {
            if S::BUDGETED {
                // The time of who stops may be somebody else's, whose place it ran in.
                self.charge_until_now();
            }
            self.state.e_machine.activity = Activity::Select;
        }
    }

    /// Stops the next thread, or takes back the next object of the last one.
    #[cold]
    #[inline(never)]
    pub(crate) fn stop_next(&mut self, stopping: Stopping) {
        self.state.stopping = match stopping.cleaning {
            Some((thread, object)) => Some(Stopping { cleaning: self.clean(thread, object), ..stopping }),
            None => self.stop_in(stopping.scope),
        };
    }

    fn stop_in(&mut self, scope: Scope) -> Option<Stopping> {
        match scope {
            Scope::Nobody => None,
            Scope::Thread(thread) => {
                let cleaning = self.stop_alone(thread);
                Some(Stopping { scope: Scope::Nobody, cleaning })
            }
            Scope::Job(task) => {
                self.withdraw(task);
                self.state.threads.at_mut(task.index()).end_job();
                Some(Stopping { scope: Scope::Nobody, cleaning: Some((task, 0)) })
            }
            Scope::Process { process, next } if next.index() >= S::Threads::LENGTH => {
                if S::RESTARTED {
                    self.begin_renewal(process);
                }
                None
            }
            Scope::Process { process, next } => Some(self.stop_next_of(process, next)),
        }
    }

    /// Stops the next thread of a process, if it is among the next rows.
    fn stop_next_of(&mut self, process: ProcessId, next: ThreadId) -> Stopping {
        let (mut next, mut cleaning) = (next, None);
        let end = next.index().saturating_add(STOP_LOOKS).min(S::Threads::LENGTH);
        // bound: 4, `STOP_LOOKS`
        while next.index() < end {
            let thread = next;
            next = ThreadId(thread.0.saturating_add(1));
            if self.machine.system().threads.at(thread.index()).is_stopped_with(process) {
                cleaning = self.stop_thread(thread);
                break;
            }
        }
        Stopping { scope: Scope::Process { process, next }, cleaning }
    }

    /// Stops a thread, but not its process. A driver thread serves all programs, so it begins anew and only
    /// the driver that it was running is lost. The idle thread begins anew too.
    fn stop_alone(&mut self, thread: ThreadId) -> Option<(ThreadId, u16)> {
        match self.machine.system().threads.at(thread.index()).kind {
            ThreadKind::Idle | ThreadKind::Drivers => {
                self.note(Note::stop(thread, true));
                self.restart(thread);
                None
            }
            ThreadKind::None | ThreadKind::Task | ThreadKind::Free | ThreadKind::Periodic => {
                self.stop_thread(thread)
            }
        }
    }

    /// A thread will never run again.
    #[inline(never)]
    fn stop_thread(&mut self, thread: ThreadId) -> Option<(ThreadId, u16)> {
        self.withdraw(thread);
        self.state.threads.at_mut(thread.index()).stop();
        self.note(Note::stop(thread, false));
        self.forget_registers(thread)
    }

    /// A thread that was stopped begins anew, if it ever does. Returns what it may hold.
    fn forget_registers(&mut self, thread: ThreadId) -> Option<(ThreadId, u16)> {
        self.restart(thread);
        if let Some(program) = self.dispatcher_of(self.machine.system().threads.at(thread.index())) {
            self.end_dispatch_later(program, thread);
        }
        S::SHARED.then_some((thread, 1))
    }

    /// A thread leaves the queue it waits in and gives up its place; what it holds stays its own until it is
    /// taken back.
    pub(crate) fn withdraw(&mut self, thread: ThreadId) {
        match self.state.threads.at(thread.index()).phase() {
            Phase::Lent if S::SHARED => self.end_lending(thread),
            Phase::Asleep => self.leave_queue(thread),
            _ => {}
        }
        self.take_from_stack(thread);
        self.give_up_place(thread);
        self.bring_back(thread);
        self.forget_debt(thread);
        let state = self.state.threads.at_mut(thread.index());
        state.wait_no_more();
        state.then = 0;
        self.forget_priority(thread);
    }

    /// Takes back the next object that a stopped thread holds, if it is among the next ones; returns what is left.
    fn clean(&mut self, thread: ThreadId, object: u16) -> Option<(ThreadId, u16)> {
        let Some(mut number) = usize::from(object).checked_sub(1) else {
            return self.forget_registers(thread);
        };
        if !S::SHARED {
            return None;
        }
        // bound: 4, `STOP_LOOKS`
        for _ in 0..STOP_LOOKS {
            let is_found = match number.checked_sub(S::Semaphores::LENGTH) {
                None => self.take_from_stopped(SemaphoreId(number as u8), thread),
                Some(number) if number >= S::Endpoints::LENGTH => return None,
                // It may have another client.
                Some(number) if self.fail_next_client(EndpointId(number as u8), thread) => break,
                Some(_) => false,
            };
            number += 1;
            if is_found {
                break;
            }
        }
        Some((thread, number as u16 + 1))
    }

    /// Whether the next step stops something or passes something on. Many find nothing: neither a thread of the process,
    /// nor anybody who waits for what one had.
    pub(crate) fn finds_something(&self, stopping: Stopping) -> bool {
        match (stopping.cleaning, stopping.scope) {
            (Some((thread, object)), _) => self.passes_on(thread, object),
            (None, Scope::Nobody) => false,
            (None, Scope::Thread(_) | Scope::Job(_)) => true,
            (None, Scope::Process { process, next }) => {
                let rows = next.index()..S::Threads::LENGTH;
                let is_over = rows.is_empty();
                let is_its = |index| self.machine.system().threads.at(index).is_stopped_with(process);
                is_over && S::RESTARTED || rows.take(STOP_LOOKS).any(is_its)
            }
        }
    }

    /// Whether the next look at what a stopped thread held finds somebody who waits for it.
    fn passes_on(&self, thread: ThreadId, object: u16) -> bool {
        let Some(first) = usize::from(object).checked_sub(1) else { return true };
        let objects = first..S::Semaphores::LENGTH + S::Endpoints::LENGTH;
        let system = self.machine.system();
        let is_waited_for = |number: usize| match number.checked_sub(S::Semaphores::LENGTH) {
            None => self.state.semaphores.at(number).is_waited_for_behind(thread),
            Some(number) => {
                system.endpoints.at(number).server == thread && self.state.endpoints.at(number).has_clients()
            }
        };
        S::SHARED && objects.take(STOP_LOOKS).any(is_waited_for)
    }
}
