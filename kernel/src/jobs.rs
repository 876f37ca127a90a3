//! Jobs: completion, deadlines, execution-time clock. Releases are in `runs` and `periods`.

use beryl_abi::{CallError, Classes, Instant, ProgramId, Record, ThreadId};

use crate::calls::Outcome;
use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::reactions::Activity;
use crate::schedules::ScheduleId;
use crate::sizes::{Sizes, Table};
use crate::state::Phase;
use crate::system::ThreadKind;
use crate::watches::Occasion;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a job of `task` is under way: touching its ports, or releasing it again, would be a
    /// time-safety violation (programmable microkernel, section 2).
    #[inline(always)]
    pub(crate) fn is_at_work(&self, task: ThreadId) -> bool {
        matches!(self.state.threads.at(task.index()).phase, Phase::Ready | Phase::Lent | Phase::Asleep)
    }

    /// The running task, of which nothing has to be asked, ends its job, and neither E code nor a trigger waits for that.
    #[inline(always)]
    pub(crate) fn complete_at_once(&mut self) -> Option<Switch> {
        self.state.caller.process()?;
        let row = self.caller();
        let is_watched = Self::HAS_WATCHES && self.state.reactions.watching > 0;
        if row.kind != ThreadKind::Task || row.on_completion.is_some() || is_watched {
            return None;
        }
        let task = self.state.running;
        let now = self.machine.now();
        self.charge_until(now);
        self.state.threads.at_mut(task.index()).phase = Phase::Dormant;
        let dispatcher = self.dispatcher_of(row);
        if let Some(program) = dispatcher
            && let Some(switch) = self.run_successor(program, row, now)
        {
            return Some(switch);
        }
        match self.dismiss(task, dispatcher) {
            Some((program, schedule)) => {
                let reactions = &mut self.state.reactions;
                reactions.instant = now.min(reactions.first().1.instant());
                self.go_on_behind(program, schedule);
                Some(self.go_on_at_length())
            }
            None => Some(self.decide_at_once(task)),
        }
    }

    /// The running task ends its job.
    pub(crate) fn complete(&mut self) -> Outcome {
        if self.caller_kind() != ThreadKind::Task {
            return Err(CallError::WrongCaller);
        }
        if self.is_raised() {
            return Ok(self.end_while_raised());
        }
        let now = self.charge_until_now();
        // Triggers that are due already come at their own instants, which aren't before this one.
        let instant = now.min(self.state.reactions.first().1.instant());
        let task = self.state.running;
        let dispatcher = self.dispatcher_of(self.machine.system().threads.at(task.index()));
        let dispatcher = self.dismiss(task, dispatcher);
        self.trace(Record::Complete { task });
        if self.state.tracing.has(Classes::JOBS) {
            self.judge(task, now);
        }
        let is_noticed = Self::HAS_WATCHES
            && self.state.reactions.watching > 0
            && self.notice(Occasion::Completed(task), instant);
        let row = self.machine.system().threads.at(task.index());
        if let Some((program, address)) = row.on_completion
            && self.runs_the_images(program)
        {
            if let Some((_, schedule)) = dispatcher {
                self.go_on_first(schedule);
            }
            let reactions = &mut self.state.reactions;
            (reactions.instant, reactions.reference) = (now, now);
            reactions.schedule = ScheduleId::NONE;
            // What it publishes may be what a trigger waits for.
            reactions.has_worked |= Self::HAS_WATCHES;
            reactions.activity = Activity::Run { program, address };
            return Ok(Next::Again);
        }
        if let Some((program, schedule)) = dispatcher {
            // What follows the task in its program comes before everything else.
            self.state.reactions.instant = instant;
            self.go_on_behind(program, schedule);
            return Ok(Next::Again);
        }
        if is_noticed {
            return Ok(Next::Again);
        }
        Ok(Next::Leave)
    }

    /// Tells whether a job that has just ended has kept what was promised for it.
    #[cold]
    #[inline(never)]
    fn judge(&mut self, task: ThreadId, now: Instant) {
        let job = self.state.threads.at(task.index());
        let (deadline, clock) = (job.deadline, job.clock);
        if !now.is_due(deadline) {
            self.trace(Record::Miss { task, deadline });
        }
        if clock > self.machine.system().threads.at(task.index()).worst {
            self.trace(Record::Overrun { task });
        }
    }

    /// A ready task, which a program's threads dispatch or nobody, has no job any more. Answers the program, and the thread that has
    /// dispatched it, if one has.
    #[inline(always)]
    fn dismiss(&mut self, task: ThreadId, dispatcher: Option<ProgramId>) -> Option<(ProgramId, ScheduleId)> {
        self.state.threads.at_mut(task.index()).phase = Phase::Dormant;
        let row = self.machine.system().threads.at(task.index());
        if let Some(program) = dispatcher {
            self.state.bands.remove_coded(&mut self.state.threads, task, row.rank.number());
            return Some((program, self.end_dispatch(program, task)?));
        }
        self.state.bands.remove(self.machine.system(), &mut self.state.threads, task);
        None
    }
}
