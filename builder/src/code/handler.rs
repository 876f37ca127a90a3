//! Where a program goes on when a job is in its way. What it does then is described for the job's task.
//!
//! ```text
//!   handler: offender one, two       a job that goes on
//!            resume                  or: postpone, tolerate
//!   two:     offender two, three     one that is stopped, with something in place of its outputs
//!            call function, initial, set
//!            terminate
//!            resume
//!   three:   offender three, rest    by default, of tasks without outputs: the instruction is an input or a release
//!            terminate
//!            retry
//!   rest:    terminate               by default: the instruction publishes outputs, which aren't there
//!            resume
//! ```
//!
//! A task with `catch_up` has a completion entry beside that:
//!
//! ```text
//!   done: owed one, end
//!         call inputs
//!         release one
//!   end:  return
//! ```
//!
//! Outputs are published no later than the next release. So if a task that has outputs is stopped, it is always the
//! publishing of them that finds its job at work. A job that goes on is found again by what follows its `resume`:
//! its inputs, then its release.

use beryl_abi::ThreadId;
use beryl_syscode::instruction::Instruction;

use super::draft::{Drafts, Label};
use crate::assembly::{Assembly, CatchUp, Reaction, Task};

impl Drafts {
    /// The handler of a module's program. Nothing if the default will do for all of its tasks.
    pub(super) fn handler(&mut self, assembly: &Assembly, module: usize) -> Option<Label> {
        let tasks: Vec<_> = assembly.released_by(module).collect();
        if !tasks.iter().any(|(_, task)| task.reaction.has_handler()) {
            return None;
        }
        let begin = self.label();
        self.place(begin);
        let meets_outputs = |task: &Task| task.publisher.is_some() && !assembly.publishes_at_completion;
        for (thread, task) in tasks {
            let meets_outputs = meets_outputs(task);
            if !task.reaction.has_handler() && meets_outputs {
                continue;
            }
            let next = self.label();
            self.offender(thread, next);
            self.react(&task.reaction, meets_outputs);
            self.place(next);
        }
        self.put(Instruction::Terminate {});
        self.put(Instruction::Resume {});
        Some(begin)
    }

    /// The handler of a program that can only meet the job of one task, and never when it publishes outputs. Nothing if
    /// the default will do.
    pub(super) fn handler_of_one(&mut self, reaction: &Reaction) -> Option<Label> {
        if !reaction.has_handler() {
            return None;
        }
        let begin = self.label();
        self.place(begin);
        self.react(reaction, false);
        Some(begin)
    }

    /// Where the completions of a task enter that makes up for releases.
    pub(super) fn make_up(&mut self, thread: usize, catch_up: &CatchUp) -> Label {
        let begin = self.label();
        self.place(begin);
        self.make_up_for(thread, Some(catch_up));
        begin
    }

    /// The end of a completion. Before that, it makes up for a release if one is owed.
    pub(super) fn make_up_for(&mut self, thread: usize, catch_up: Option<&CatchUp>) {
        let end = self.label();
        if let Some(catch_up) = catch_up {
            self.question(|task, address| Instruction::Owed { task, address }, thread, end);
            catch_up.inputs.iter().for_each(|driver| self.call(*driver));
            self.release(thread, catch_up.due);
        }
        self.place(end);
        self.put(Instruction::Return {});
    }

    /// What is done about a task's job.
    fn react(&mut self, reaction: &Reaction, meets_outputs: bool) {
        if reaction.goes_on {
            self.put(match (&reaction.catch_up, reaction.most) {
                (Some(catch_up), _) => Instruction::Postpone { most: catch_up.most },
                (None, Some(most)) => Instruction::Tolerate { most },
                (None, None) => Instruction::Resume {},
            });
            return;
        }
        reaction.drivers.iter().for_each(|driver| self.call(*driver));
        self.put(Instruction::Terminate {});
        self.put(if meets_outputs { Instruction::Resume {} } else { Instruction::Retry {} });
    }

    /// In a handler: goes on at the label if it isn't a job of this task that is in the way.
    fn offender(&mut self, thread: usize, otherwise: Label) {
        self.question(|task, address| Instruction::Offender { task, address }, thread, otherwise);
    }

    /// Asks whether a job of a task was late since this was last asked; answers where to go on if none was.
    pub(super) fn was_late(&mut self, thread: usize) -> Label {
        let no = self.label();
        self.question(|task, address| Instruction::Late { task, address }, thread, no);
        no
    }

    fn question(&mut self, make: fn(ThreadId, u16) -> Instruction, thread: usize, otherwise: Label) {
        self.ask(make, ThreadId(u8::try_from(thread).unwrap_or(u8::MAX)), otherwise);
    }
}
