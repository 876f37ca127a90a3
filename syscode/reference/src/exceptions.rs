//! Exceptions: violations of time safety and of time sharing, and what is done about them.
//!
//! A program's handler decides; where there is none, inside of handlers, and at an instant at which the
//! program has changed its mode, the default applies. Of time safety: the jobs that are in the way are
//! stopped, drivers that read their outputs are left out, everything else is done. Of time sharing: the
//! thread that would dispatch a second task ends. Both are counted and reported by the trace.

use beryl_syscode::{Exception, Instruction};

use crate::interpreter::{Activation, Next, one_of};
use crate::machine::{Machine, Trap};
use crate::trace::Event;

impl Machine {
    /// An instruction meets tasks that are in its way.
    pub(crate) fn violation(
        &mut self,
        activation: &mut Activation,
        instruction: Instruction,
        offenders: Vec<usize>,
    ) -> Result<Next, Trap> {
        let exception = match instruction {
            Instruction::Dispatch { .. } | Instruction::DispatchUntil { .. } => Exception::Share,
            _ => Exception::Safety,
        };
        self.note(Event::Violation(exception, offenders.clone()));
        if exception == Exception::Safety {
            self.late.extend(&offenders);
        }
        let handler = self.handler(activation.program, exception);
        if let (Some(handler), None, false) =
            (handler, &activation.handling, self.has_changed(activation.program))
        {
            let done = std::mem::take(&mut activation.done);
            activation.handling = Some((activation.address, done, offenders));
            return Ok(Next::At(handler));
        }
        if exception == Exception::Share {
            return Ok(Next::End);
        }
        Ok(self.do_by_default(activation, instruction, &offenders))
    }

    /// The jobs in an instruction's way are stopped, and it is carried out if it doesn't need their outputs.
    fn do_by_default(
        &mut self,
        activation: &mut Activation,
        instruction: Instruction,
        offenders: &[usize],
    ) -> Next {
        offenders.iter().for_each(|task| self.stop(*task));
        match instruction {
            Instruction::Call { driver } => self.call_unless_output(driver.index(), offenders),
            // The jobs in the way are gone: the same instruction again, without anything in its way.
            _ => return Next::At(activation.address),
        }
        self.behind(activation)
    }

    /// Outputs of a stopped job aren't published; inputs of the next one are copied all the same.
    fn call_unless_output(&mut self, driver: usize, stopped: &[usize]) {
        let row = self.world.drivers.get(driver);
        let mut tasks = stopped.iter().filter_map(|task| self.world.tasks.get(*task));
        if !row.is_some_and(|row| tasks.any(|task| row.reads_outputs_of(task))) {
            self.call(driver);
        }
    }

    /// The instructions of handlers.
    pub(crate) fn handle(
        &mut self,
        activation: &mut Activation,
        instruction: Instruction,
    ) -> Result<Next, Trap> {
        let program = activation.program;
        if let Instruction::Change { address } = instruction {
            if self.has_changed(program) {
                return Ok(Next::End);
            }
            if let Some(row) = self.programs.get_mut(program) {
                row.changed = Some(self.now);
                row.position = 0;
            }
            self.triggers.retain(|binding| binding.program != program);
            self.threads.retain(|thread| thread.program != program);
            activation.handling = None;
            activation.done = 0;
            activation.reference = self.now;
            return Ok(Next::At(address.into()));
        }
        let trap = Trap::Meaningless { program, address: activation.address };
        let (violating, done, offenders) = activation.handling.clone().ok_or(trap)?;
        match instruction {
            Instruction::Terminate {} => {
                offenders.iter().for_each(|task| self.stop(*task));
                Ok(Next::At(activation.address + 1))
            }
            Instruction::Offender { task, address } => {
                let is_in_the_way = offenders.contains(&task.index());
                Ok(Next::At(if is_in_the_way { activation.address + 1 } else { address.into() }))
            }
            Instruction::Postpone { most } => {
                activation.handling = None;
                (activation.address, activation.done) = (violating, done);
                if self.is_release(activation) {
                    offenders.iter().for_each(|task| self.owe(*task, most));
                }
                Ok(self.behind(activation))
            }
            Instruction::Tolerate { most } => {
                activation.handling = None;
                (activation.address, activation.done) = (violating, done);
                if offenders.iter().any(|task| self.left_out(*task) >= most) {
                    let word = self.programs.get(program).and_then(|row| row.code.get(violating)).copied();
                    let instruction = word.and_then(Instruction::decode).ok_or(trap)?;
                    return Ok(self.do_by_default(activation, one_of(instruction, done), &offenders));
                }
                if self.is_release(activation) {
                    offenders.iter().for_each(|task| self.leave_out(*task));
                }
                Ok(self.behind(activation))
            }
            Instruction::Resume {} => {
                activation.handling = None;
                (activation.address, activation.done) = (violating, done);
                Ok(self.behind(activation))
            }
            _ => {
                activation.handling = None;
                activation.is_forced = true;
                activation.done = done;
                Ok(Next::At(violating))
            }
        }
    }

    /// Whether what is left out is a release.
    fn is_release(&self, activation: &Activation) -> bool {
        let word = self.programs.get(activation.program).and_then(|row| row.code.get(activation.address));
        let instruction = word.and_then(|word| Instruction::decode(*word));
        matches!(instruction, Some(Instruction::Release { .. } | Instruction::Releases { .. }))
    }

    /// How many releases were left out for a task's job.
    fn left_out(&self, task: usize) -> u8 {
        self.jobs.get(&task).map_or(0, |job| job.left_out)
    }

    /// One more release is left out for a task's job.
    fn leave_out(&mut self, task: usize) {
        if let Some(job) = self.jobs.get_mut(&task) {
            job.left_out = job.left_out.saturating_add(1);
        }
    }

    /// A release is owed to a task, unless so many are already.
    fn owe(&mut self, task: usize, most: u8) {
        let owed = self.owed.entry(task).or_default();
        *owed = owed.saturating_add(1).min(most.max(*owed));
    }

    /// Whether a program has changed its mode at this instant: once is enough, or an instant might never end.
    fn has_changed(&self, program: usize) -> bool {
        self.programs.get(program).is_some_and(|row| row.changed == Some(self.now))
    }

    /// Ends a job before it is done; its outputs stay as they were.
    pub(crate) fn stop(&mut self, task: usize) {
        if self.jobs.remove(&task).is_some() {
            self.end_dispatch(task);
            self.note(Event::Stop(task));
            if self.running == Some(task) {
                self.running = None;
            }
        }
    }
}
