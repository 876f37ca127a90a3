//! Successors: from a completed task straight to the next one that its program dispatches.
//!
//! Schedules are mostly a row of dispatches until the same time. When a task completes, its thread of S code
//! waits again at once, for another task and the same timeout, and nothing else is due: the result of the S
//! machine's steps is known without doing them. The same holds after the last of the row, when nothing runs
//! until that time.

use beryl_abi::{Instant, ProgramId, ThreadId};
use beryl_syscode::Instruction;

use crate::event::Machine;
use crate::kernel::{Kernel, Next};
use crate::machine::schedule::ScheduleState;
use crate::parts::Parts;
use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::Standing;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The running task, of which nothing had to be asked, is complete at `now`. If its program goes on with
    /// a dispatch of the same kind, of a task that is ready, that task runs. If the answer is none, nothing
    /// has changed.
    #[inline(always)]
    pub(crate) fn next_of_schedule(
        &mut self,
        program: ProgramId,
        row: &Thread,
        now: Instant,
    ) -> Option<Next> {
        // Until the alarm comes, nothing in the queues is due.
        if !S::SCHEDULED || S::HAS_EVENT_TRIGGERS || !now.moment().is_before(self.state.alarm) {
            return None;
        }
        let task = self.state.running();
        let schedule = self.state.e_machine.programs.at(program.index()).holder;
        let thread = self.state.schedules.at(schedule.index());
        if !schedule.is_some() || thread.task != task || thread.awaited.is_some() {
            return None;
        }
        let then = thread.then;
        let (before, word) =
            (self.instruction_at(program, then.wrapping_sub(1)), self.instruction_at(program, then));
        let (next, ahead) = match Instruction::decode(word)? {
            Instruction::Dispatch { task } => (task, 0),
            Instruction::DispatchUntil { task, otherwise, .. } => (task, otherwise),
            Instruction::Idle { until } => {
                let is_alike = wait_as_long(before, until) && matches!(row.place, Place::Coded { .. });
                if is_alike {
                    self.rest_behind(program, row, now);
                    return Some(Next::Leave);
                }
                return None;
            }
            _ => return None,
        };
        let state = self.state.threads.at(next.index());
        if !wait_alike(before, word) || !state.is_ready() || state.standing() != Standing::In {
            return None;
        }
        self.state.threads.at_mut(task.index()).stand(Standing::Out);
        let thread = self.state.schedules.at_mut(schedule.index());
        let then = then.saturating_add(1);
        (thread.task, thread.then) = (next, then);
        thread.otherwise = then.saturating_add(ahead.into());
        let e_machine = &mut self.state.e_machine;
        (e_machine.schedule, e_machine.instant, e_machine.reference) = (schedule, now, thread.reference);
        let rank = row.rank.number();
        self.state.bands.dispatch(rank, next, true);
        if self.state.bands.first() != next {
            return Some(Next::Decide);
        }
        Some(Next::Run(next))
    }

    /// As above, where the program lets no task run until the completed task's time is over: the thread waits
    /// without a task.
    #[inline(never)]
    fn rest_behind(&mut self, program: ProgramId, row: &Thread, now: Instant) {
        let task = self.state.running();
        let schedule = self.state.e_machine.programs.at(program.index()).holder;
        let ScheduleState { then, reference, .. } = *self.state.schedules.at(schedule.index());
        let due = self.state.e_machine.timeout_of(schedule);
        self.state.bands.remove_coded(&mut self.state.threads, task, row.rank.number());
        self.let_go(program, schedule);
        let e_machine = &mut self.state.e_machine;
        (e_machine.schedule, e_machine.instant, e_machine.reference) = (schedule, now, reference);
        self.begin_wait(schedule, ThreadId::NONE, [then.saturating_add(1); 2]);
        self.state.e_machine.set_timeout::<false>(schedule, due);
    }
}

/// Whether two dispatches are of one kind and until the same condition: only their tasks and next addresses
/// differ.
#[inline(always)]
const fn wait_alike(one: u32, other: u32) -> bool {
    const TASK_AND_WAY: u32 = 0xFF00_FF00;
    (one ^ other) & !TASK_AND_WAY == 0
}

/// Whether a dispatch lasts until the same condition as an `idle`.
#[inline(always)]
fn wait_as_long(before: u32, until: u8) -> bool {
    matches!(Instruction::decode(before), Some(Instruction::DispatchUntil { until: given, .. }) if given == until)
}

#[cfg(test)]
mod tests {
    use beryl_abi::ThreadId;

    use super::*;

    #[test]
    fn dispatches_wait_alike_whatever_their_tasks_and_ways_are() {
        let until = |task, until, otherwise| {
            Instruction::DispatchUntil { task: ThreadId(task), until, otherwise }.encode()
        };
        let plain = |task| Instruction::Dispatch { task: ThreadId(task) }.encode();
        assert!(wait_alike(until(1, 2, 3), until(255, 2, 0)) && wait_alike(plain(0), plain(255)));
        assert!(!wait_alike(until(1, 2, 3), until(1, 3, 3)) && !wait_alike(until(1, 0, 0), plain(1)));
    }
}
