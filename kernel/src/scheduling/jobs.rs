//! Jobs: completion, deadlines, execution-time clocks. Releases are in `batches` and `periods`.

use beryl_abi::{CallError, Duration, Incident, Instant, ProgramId, Record, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::Activity;
use crate::machine::event_triggers::Occasion;
use crate::machine::schedule::ScheduleId;
use crate::rows::threads::{Thread, ThreadKind};
use crate::scheduling::thread::Phase;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Way;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a job of `task` is under way. Then touching its ports, or releasing it again, is a time-safety
    /// violation (programmable microkernel, section 2).
    #[inline(always)]
    pub(crate) fn is_at_work(&self, task: ThreadId) -> bool {
        let phase = self.state.threads.at(task.index()).phase();
        matches!(phase, Phase::Ready | Phase::Lent | Phase::Asleep) || self.is_spent(task)
    }

    /// Whether a job was ended because its budget was used up, and its program doesn't know yet.
    #[inline(always)]
    pub(crate) fn is_spent(&self, task: ThreadId) -> bool {
        S::BUDGETED && self.state.threads.at(task.index()).phase() == Phase::Spent
    }

    /// The running task ends its job. By the ordinary way no E code or trigger waits for that.
    #[inline(always)]
    pub(crate) fn complete<W: Way>(&mut self, way: W) -> Outcome {
        let row = self.caller();
        if row.kind != ThreadKind::Task {
            return Err(CallError::WrongCaller);
        }
        way.only_if(row.on_completion.is_none() && !self.is_watching())?;
        if self.is_raised(way) {
            return Ok(self.end_while_raised());
        }
        let now = self.machine.now();
        way.only_if(self.ends_quietly(|job| now.is_due(job.deadline), now.moment()))?;
        self.charge_until(now.moment());
        let task = self.state.running();
        self.trace_on(way, Record::Complete { task });
        if !now.is_due(self.state.threads.at(task.index()).deadline) {
            self.miss(task);
        }
        self.judge_spending(task);
        self.state.threads.at_mut(task.index()).end_job();
        let dispatcher = self.dispatcher_of(row);
        if let Some(program) = dispatcher
            && row.on_completion.is_none()
            && way.is_calm()
            && !self.state.has_reports_to_send()
            && let Some(next) = self.next_of_schedule(program, row, now)
        {
            return Ok(next);
        }
        // Triggers that are due already come at their own instants, which aren't before this one.
        let instant = now.min(self.state.e_machine.first().1.instant());
        let dispatched = self.dismiss(task, dispatcher);
        if !W::IS_ORDINARY
            && let Some(next) = self.follow_completion(row, dispatched, now, instant)
        {
            return Ok(next);
        }
        let Some((program, schedule)) = dispatched else { return Ok(Next::Leave) };
        // The program's next dispatch comes before everything else.
        self.state.e_machine.instant = instant;
        self.go_on_behind(program, schedule);
        Ok(Next::Again)
    }

    /// Starts the work that waits for the end of a job: E code first, then triggers.
    #[inline(never)]
    fn follow_completion(
        &mut self,
        row: &Thread,
        dispatched: Option<(ProgramId, ScheduleId)>,
        now: Instant,
        instant: Instant,
    ) -> Option<Next> {
        let is_noticed =
            self.is_watching() && self.notice(Occasion::Completed(self.state.running()), instant);
        if let Some((program, address)) = row.on_completion
            && self.runs_the_images(program)
        {
            if let Some((_, schedule)) = dispatched {
                self.go_on_first(schedule);
            }
            let e_machine = &mut self.state.e_machine;
            (e_machine.instant, e_machine.reference) = (now, now);
            e_machine.schedule = ScheduleId::NONE;
            e_machine.activity = Activity::Run { program, address };
            self.look_afterwards();
            return Some(Next::Again);
        }
        (is_noticed && dispatched.is_none()).then_some(Next::Again)
    }

    /// A job ended late, or wasn't done at the next release.
    #[cold]
    #[inline(never)]
    pub(crate) fn miss(&mut self, thread: ThreadId) {
        let job = self.state.threads.at_mut(thread.index());
        job.misses = job.misses.saturating_add(1);
        let deadline = job.deadline;
        self.trace(Record::Miss { task: thread, deadline });
        self.inform(thread, Incident::Miss);
    }

    /// A job has ended: if its clock shows more than its declared worst execution time, that is noted.
    #[inline(always)]
    pub(crate) fn judge_spending(&mut self, thread: ThreadId) {
        let used = self.state.threads.at(thread.index()).clock;
        if used > self.machine.system().threads.at(thread.index()).worst {
            self.overrun(thread, used);
        }
    }

    #[cold]
    #[inline(never)]
    fn overrun(&mut self, thread: ThreadId, used: Duration) {
        if !self.was_told_of(thread) {
            self.count_overrun(thread, used);
        }
    }

    /// A job has used more than it may: counts and tells it.
    #[inline(always)]
    pub(crate) fn count_overrun(&mut self, thread: ThreadId, used: Duration) {
        let job = self.state.threads.at_mut(thread.index());
        job.overruns = job.overruns.saturating_add(1);
        self.trace(Record::Overrun { task: thread });
        self.tell_of_spending(thread, used);
        self.inform(thread, Incident::Overrun);
    }

    /// A task that a program's threads dispatch, or that nobody dispatches, has no job any more: its place
    /// leaves its band. Returns the program and the thread that has dispatched it, if any.
    #[inline(always)]
    fn dismiss(&mut self, task: ThreadId, dispatcher: Option<ProgramId>) -> Option<(ProgramId, ScheduleId)> {
        let row = self.machine.system().threads.at(task.index());
        if let Some(program) = dispatcher {
            self.state.bands.remove_coded(&mut self.state.threads, task, row.rank.number());
            return Some((program, self.end_dispatch(program, task)?));
        }
        self.state.bands.remove(self.machine.system(), &mut self.state.threads, task);
        None
    }
}
