//! Exceptions: how a program reacts to violations of time safety and of time sharing (paper, sections 2
//! and 3).
//!
//! ```text
//!             violation (1)                 resume (2): the instruction is left out
//!   at work ----------------> in its handler ----------------------------------------> behind it
//!                               |     ^   |  retry (2): it is carried out, unchecked
//!                    change (3) |     +---+  terminate (4): what stands in the way is stopped
//!                               v
//!                            anew, elsewhere
//! ```
//! (1) `call_in_spite`, `release_in_spite`, `share`, (2) `leave_handler`, `postpone`, `tolerate`,
//! (3) `change`, (4) `terminate`.
//!
//! The default applies where a program has no handler, inside a handler, and at an instant at which the
//! program has changed its mode: the job in the way is stopped and reported, its outputs aren't published,
//! and the program goes on; a thread that dispatches a second task ends. A batch means the same as its
//! objects one by one: an exception concerns one object.

use beryl_abi::{DriverId, Incident, ProgramId, Record, ThreadId};
use beryl_syscode::{Exception, Instruction};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::{Activity, Ahead};
use crate::machine::program::Handling;
use crate::parts::Parts;
use crate::rows::drivers::DriverKind;
use crate::rows::programs::Program;
use crate::scheduling::stop::{Scope, Stopping};
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The task that is in the way of a driver: it is at work on ports that the driver touches.
    #[inline(always)]
    pub(crate) fn in_the_way(&self, driver: DriverId) -> Option<ThreadId> {
        let row = self.machine.system().drivers.at(driver.index());
        if row.task.is_some() && self.is_at_work(row.task) {
            return Some(row.task);
        }
        let [first, second] = row.others;
        if !first.is_some() { None } else { self.other_in_the_way(first, second) }
    }

    #[cold]
    #[inline(never)]
    fn other_in_the_way(&self, first: ThreadId, second: ThreadId) -> Option<ThreadId> {
        if self.is_at_work(first) {
            return Some(first);
        }
        if second.is_some() && self.is_at_work(second) { Some(second) } else { None }
    }

    /// A driver touches ports that `task` is at work on.
    #[cold]
    #[inline(never)]
    pub(crate) fn call_in_spite(
        &mut self,
        program: ProgramId,
        address: u16,
        driver: DriverId,
        task: ThreadId,
    ) -> Activity {
        if self.is_forced(program) {
            let then = self.behind(program, address);
            return self.begin_driver(program, driver, then);
        }
        self.report(task);
        if let Some(handler) = self.handler_for(program, address, Exception::Safety, task) {
            return Activity::Run { program, address: handler };
        }
        self.stop_job(task);
        let kind = self.machine.system().drivers.at(driver.index()).kind;
        // The stopped job's outputs aren't published; the next job gets its input.
        let address = if kind == DriverKind::Input { address } else { self.behind(program, address) };
        Activity::Run { program, address }
    }

    /// A task is released while it is at work.
    #[cold]
    #[inline(never)]
    pub(crate) fn release_in_spite(&mut self, program: ProgramId, address: u16, task: ThreadId) -> Ahead {
        if !self.is_forced(program) {
            self.report(task);
            if let Some(handler) = self.handler_for(program, address, Exception::Safety, task) {
                return Some(handler);
            }
        }
        self.stop_job(task);
        // The new job is still released, in a step of its own.
        Some(address)
    }

    /// A second task is dispatched while the program's thread holds `task`; returns none if the default
    /// applies.
    #[cold]
    #[inline(never)]
    pub(crate) fn share(&mut self, program: ProgramId, address: u16, task: ThreadId) -> Ahead {
        let instant = self.state.e_machine.instant;
        self.trace(Record::Skip { program, instant });
        self.handler_for(program, address, Exception::Share, task)
    }

    /// In a handler: stops the job in the way.
    pub(crate) fn terminate(&mut self, program: ProgramId) {
        let handling = self.state.e_machine.programs.at(program.index()).handling;
        if let Some(Handling { task, .. }) = handling
            && self.is_at_work(task)
        {
            self.stop_job(task);
        }
    }

    /// A handler ends: the object is left out, or carried out unchecked.
    pub(crate) fn leave_handler(&mut self, program: ProgramId, retries: bool) -> Ahead {
        let state = self.state.e_machine.programs.at_mut(program.index());
        let Some(Handling { address, position, task }) = state.handling.take() else {
            return self.break_off(Activity::Select);
        };
        self.state.e_machine.done = position;
        if !retries {
            // What was ended because its budget was used up can't go on, whatever its program says.
            if self.is_spent(task) {
                self.stop_job(task);
            }
            return Some(self.behind(program, address));
        }
        // Nothing runs before the instruction is carried out, so a job that is in its way now will be then.
        let is_forced = self.is_at_work(task);
        self.state.e_machine.programs.at_mut(program.index()).is_forced = is_forced;
        Some(address)
    }

    /// In a handler: whether a job of `task` is in the way.
    pub(crate) fn is_offender(&self, program: ProgramId, task: ThreadId) -> bool {
        let handling = self.state.e_machine.programs.at(program.index()).handling;
        handling.is_some_and(|handling| handling.task == task)
    }

    /// Whether a job of `task` was in the way since this was last asked.
    pub(crate) fn was_late(&mut self, task: ThreadId) -> bool {
        core::mem::take(&mut self.state.threads.at_mut(task.index()).was_late)
    }

    /// A handler ends: the object is left out; if it is a release, it is owed.
    pub(crate) fn postpone(&mut self, program: ProgramId, most: u8) -> Ahead {
        if let Some(Handling { address, task, .. }) =
            self.state.e_machine.programs.at(program.index()).handling
            && let Some(Instruction::Release { .. } | Instruction::Releases { .. }) =
                Instruction::decode(self.instruction_at(program, address))
        {
            let instant = self.state.e_machine.instant;
            let state = self.state.threads.at_mut(task.index());
            if state.owed == 0 {
                state.owed_since = instant.moment();
            }
            if state.owed < most {
                state.owed = state.owed.saturating_add(1);
            }
        }
        self.leave_handler(program, false)
    }

    /// A handler ends: the object is left out. Once `most` releases were left out for the job in the way,
    /// that job is stopped, as by default.
    pub(crate) fn tolerate(&mut self, program: ProgramId, most: u8) -> Ahead {
        let Some(Handling { address, position, task }) =
            self.state.e_machine.programs.at(program.index()).handling
        else {
            return self.leave_handler(program, false);
        };
        let instruction = Instruction::decode(self.instruction_at(program, address));
        let state = self.state.threads.at_mut(task.index());
        if state.tolerated < most {
            if let Some(Instruction::Release { .. } | Instruction::Releases { .. }) = instruction {
                state.tolerated = state.tolerated.saturating_add(1);
            }
            return self.leave_handler(program, false);
        }
        state.tolerated = 0;
        // Something that the handler called may have stopped its process.
        if self.is_at_work(task) {
            self.stop_job(task);
        }
        let is_output = match instruction {
            Some(Instruction::Call { driver } | Instruction::Calls { first: driver, .. }) => {
                let driver = usize::from(driver.0).saturating_add(position.into());
                self.machine.system().drivers.at(driver).kind != DriverKind::Input
            }
            _ => false,
        };
        if is_output {
            return self.leave_handler(program, false);
        }
        // Carries out the instruction again, once the job is gone: deferred work comes first.
        self.state.e_machine.programs.at_mut(program.index()).handling = None;
        self.state.e_machine.done = position;
        Some(address)
    }

    /// Whether a release is owed to `task`, whose job is complete. Then it comes now, and keeps its original
    /// deadline.
    pub(crate) fn makes_up(&mut self, task: ThreadId) -> bool {
        let period = self.machine.system().threads.at(task.index()).period;
        let state = self.state.threads.at_mut(task.index());
        if state.owed == 0 {
            return false;
        }
        state.owed = state.owed.saturating_sub(1);
        self.state.e_machine.reference = self.state.e_machine.instant.nearest(state.owed_since);
        state.owed_since = state.owed_since.after(period.ticks() as u32);
        true
    }

    /// The program drops what it has pending and goes on elsewhere. Only once an instant, or that might never
    /// end.
    pub(crate) fn change(&mut self, program: ProgramId, address: u16) -> Activity {
        let instant = self.state.e_machine.instant;
        let state = self.state.e_machine.programs.at_mut(program.index());
        if state.changed == instant {
            return Activity::Select;
        }
        state.changed = instant;
        self.begin_anew(program, address)
    }

    /// The handler of an exception, if the program has one that may begin now.
    fn handler_for(
        &mut self,
        program: ProgramId,
        address: u16,
        exception: Exception,
        task: ThreadId,
    ) -> Option<u16> {
        if !S::HAS_HANDLERS {
            return None;
        }
        let handler = self.handler_of(program, exception);
        let instant = self.state.e_machine.instant;
        let position = self.state.e_machine.done;
        let state = self.state.e_machine.programs.at_mut(program.index());
        if handler == Program::NO_HANDLER || state.handling.is_some() || state.changed == instant {
            return None;
        }
        state.handling = Some(Handling { address, position, task });
        self.state.e_machine.done = 0;
        Some(handler)
    }

    fn is_forced(&mut self, program: ProgramId) -> bool {
        core::mem::take(&mut self.state.e_machine.programs.at_mut(program.index()).is_forced)
    }

    /// Where a program goes on after an object of an instruction.
    fn behind(&mut self, program: ProgramId, address: u16) -> u16 {
        match Instruction::decode(self.instruction_at(program, address)) {
            Some(Instruction::Calls { count, .. } | Instruction::Releases { count, .. }) => {
                self.advance(count, address)
            }
            _ => address.saturating_add(1),
        }
    }

    /// A time-safety violation: the program needs what `task` is still working on.
    fn report(&mut self, task: ThreadId) {
        if S::HAS_HANDLERS {
            self.state.threads.at_mut(task.index()).was_late = true;
        }
        self.trace(Record::Violation { task, instant: self.state.e_machine.instant });
        self.inform(task, Incident::Violation);
    }

    /// Stops a job without publishing anything; it gives up its locks in steps of their own before the
    /// program goes on. The task takes part again from its next release.
    fn stop_job(&mut self, task: ThreadId) {
        self.state.stopping = Some(Stopping::of(Scope::Job(task)));
        self.state.has_deferred_work = true;
    }
}
