//! Jobs: release, completion, deadlines, execution-time clock.

use beryl_abi::{CallError, Duration, Instant, ProgramId, Record, ThreadId};

use crate::calls::Outcome;
use crate::event::Machine;
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

    /// Releases a job of `task`, which isn't at work, at the current logical instant, to be done
    /// `within` from it. A task that was stopped is left out.
    pub(crate) fn release(&mut self, program: ProgramId, task: ThreadId, within: Duration) {
        let instant = self.state.reactions.instant;
        let job = self.state.threads.at_mut(task.index());
        if job.phase != Phase::Dormant {
            return self.trace(Record::Skip { program, instant });
        }
        let deadline = instant.after(within);
        job.deadline = deadline;
        job.clock = Duration::ZERO;
        job.phase = Phase::Ready;
        self.state.bands.insert(self.machine.system(), &mut self.state.threads, task);
        self.bring_back(task);
        self.tell_of_release(task);
        self.trace(Record::Release { task, instant, deadline });
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
        let dispatcher = self.dismiss(task);
        self.trace(Record::Complete { task });
        if self.state.tracing {
            self.judge(task, now);
        }
        let is_noticed = Self::HAS_WATCHES
            && self.state.reactions.watching > 0
            && self.notice(Occasion::Completed(task), instant);
        let row = self.machine.system().threads.at(task.index());
        if let Some((program, address)) = row.on_completion {
            dispatcher.into_iter().for_each(|schedule| self.go_on_first(schedule));
            let reactions = &mut self.state.reactions;
            (reactions.instant, reactions.reference) = (now, now);
            reactions.schedule = ScheduleId::NONE;
            reactions.activity = Activity::Run { program, address };
            return Ok(Next::Again);
        }
        if let Some(schedule) = dispatcher {
            // What follows the task in its program comes before everything else.
            self.state.reactions.instant = instant;
            self.state.reactions.activity = Activity::Resume { schedule, due: instant };
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

    /// A ready task has no job any more. Answers the thread of S code that has dispatched it, if one has.
    #[inline(never)]
    fn dismiss(&mut self, task: ThreadId) -> Option<ScheduleId> {
        self.state.threads.at_mut(task.index()).phase = Phase::Dormant;
        let row = self.machine.system().threads.at(task.index());
        if let Some(program) = self.dispatcher_of(row) {
            self.state.bands.remove_coded(&mut self.state.threads, task, row.rank.number());
            return self.end_dispatch(program, task);
        }
        self.state.bands.remove(self.machine.system(), &mut self.state.threads, task);
        None
    }
}
