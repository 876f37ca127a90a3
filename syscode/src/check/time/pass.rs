//! From one instant to the next: the losses, then for each rank the tasks that threads hold and the rest for
//! the policy.

use super::scan::CHUNK;
use super::settle::Holds;
use super::state::{Head, NOBODY, State, Wait};
use super::{Fault, Go, Image, Policy, Stage, Turn, Unknown};
use crate::instruction::Instruction;

/// A thread that is being followed to the next instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    pub(super) place: u8,
    /// The latest moment at which it may be here, in ticks from now, if nothing has woken it late.
    pub(super) latest: u32,
    /// Whether an event may have woken it at any time up to the next instant.
    pub(super) is_late: bool,
    /// The task whose dispatch an event has ended, and how much of it may have been done by then.
    pub(super) cut: u8,
    pub(super) done: u32,
    pub(super) first: Option<First>,
}

/// The first place at which the thread may hold a task at the next instant, and the timeout and target of
/// that dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct First {
    timeout: Option<(u8, u16)>,
    place: u8,
}

impl Walk {
    /// A place was merged with another.
    pub fn replace_first(&mut self, place: u8, other: u8) {
        if let Some(first) = &mut self.first
            && first.place == place
        {
            first.place = other;
        }
    }
}

impl<I: Image> Turn<'_, '_, I> {
    /// The losses up to the next instant, a row each step: they go first.
    pub(super) fn lost(&mut self, row: u8) -> Go {
        let next = self.check.next;
        let Some(loss) = self.image.loss(row) else {
            self.check.base = self.check.base.min(next);
            self.check.busy = self.check.base;
            self.check.holder = NOBODY;
            return self.to(if I::HAS_EVENT_TIMEOUTS { Stage::Wake(0) } else { Stage::Rank });
        };
        let now = self.state.now();
        let lost = u32::try_from(loss.between(now, now.saturating_add(next.into()))).unwrap_or(u32::MAX);
        self.check.base = self.check.base.saturating_add(lost);
        self.to(row.checked_add(1).map_or(Stage::Rank, Stage::Lost))
    }

    /// The next thread that holds a task of the rank; or the policy's next task; or the next rank.
    pub(super) fn rank(&mut self) -> Go {
        let rank = self.check.rank;
        let is_held = |head: &Head| head.wait == Wait::Dispatch && self.rank_of(head.task) == rank;
        let holder = if I::HAS_THREADS { self.state.find(0, |_, head| is_held(head)) } else { None };
        if let Some((place, head)) = holder {
            self.state.set_head(place, Head { wait: Wait::Walk, task: 0, ..head });
            self.check.walk = Some(Walk::at(place, self.check.base));
            return self.to(Stage::Walk);
        }
        if I::HAS_EVENT_TIMEOUTS
            && let Some((place, head)) = self.next_woken()
        {
            return self.walk_woken(place, head);
        }
        self.to(Stage::Policy { task: 0, best: NOBODY })
    }

    /// The rank in which a task has its turn.
    pub(super) fn rank_of(&self, task: u8) -> u8 {
        self.image.task(task).rank.min(self.image.ranks().saturating_sub(1))
    }

    /// The task that the policy of the rank chooses, searched a few tasks each step; it gets the rest of the
    /// time.
    pub(super) fn policy(&mut self, task: u8, mut best: u8) -> Go {
        let last = self.image.ranks().saturating_sub(1);
        let (rank, policy) = (self.check.rank, self.image.policy(self.check.rank));
        let time = self.check.next.saturating_sub(self.check.busy);
        let all = if time == 0 || policy == Policy::None { 0 } else { self.check.shape.tasks };
        let end = task.saturating_add(CHUNK as u8).min(all);
        // bound: 8
        for task in task.min(end)..end {
            let is_left = self.state.job_left(task) > 0 && !self.state.is_dispatched(task);
            let is_own = is_left && self.image.task(task).rank.min(last) == rank;
            if is_own && (best == NOBODY || policy == Policy::EarliestDeadline && self.is_earlier(task, best))
            {
                best = task;
            }
        }
        if end < all {
            return self.to(Stage::Policy { task: end, best });
        }
        if best != NOBODY {
            let left = self.state.job_left(best);
            let spent = time.min(left);
            self.state.set_job_left(best, left - spent);
            self.check.busy = self.check.busy.saturating_add(spent);
            return self.to(Stage::Policy { task: 0, best: NOBODY });
        }
        self.check.base = self.check.busy;
        self.check.holder = NOBODY;
        self.check.rank = rank.saturating_add(1);
        self.to(if rank >= last { Stage::Arrive(0) } else { Stage::Rank })
    }

    /// Between equal deadlines, the lower number is more urgent and goes first, as places in a band do in the
    /// kernel.
    fn is_earlier(&self, task: u8, other: u8) -> bool {
        self.state.due(task) < self.state.due(other)
    }

    /// Follows a thread by one instruction, wherever it may come until the next instant.
    pub(super) fn walk(&mut self) -> Go {
        let Some(mut walk) = self.check.walk else { return self.to(Stage::Rank) };
        let head = self.state.head(walk.place);
        let Head { program, address, .. } = head;
        self.count(program, address)?;
        let then = Head { address: address.saturating_add(1), ..head };
        match self.instruction() {
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }
                if self.state.left(walk.place, task.0) == 0 =>
            {
                self.state.set_head(walk.place, then);
            }
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }
                if I::HAS_EVENT_TIMEOUTS && walk.is_woken() && self.rank_of(task.0) != self.check.rank =>
            {
                return self.walk_later(&walk, head, task.0);
            }
            Instruction::Dispatch { task } => self.run_job(&mut walk, head, task.0, None)?,
            Instruction::DispatchUntil { task, until, otherwise } => {
                let target = then.address.saturating_add(otherwise.into());
                match self.holds(walk.place, head, until)? {
                    Holds::No if self.is_for_event(head, until) => {
                        self.cut_off(&walk, Head { address: target, ..head }, task.0)?;
                        self.run_job(&mut walk, head, task.0, Some((until, target)))?;
                    }
                    Holds::No => self.run_job(&mut walk, head, task.0, Some((until, target)))?,
                    Holds::Yes => {
                        self.state.set_head(walk.place, Head { address: target, ..head });
                        self.keep_due(&walk, task.0)?;
                    }
                    Holds::Perhaps => return Err(Fault::Unknown(Unknown::Moment)),
                }
            }
            Instruction::Idle { until } => {
                if self.walk_idle(&mut walk, head, until)? {
                    return self.end_walk(&walk);
                }
            }
            Instruction::Jump { address } => self.state.set_head(walk.place, Head { address, ..head }),
            Instruction::Call { .. } | Instruction::Calls { .. } | Instruction::Fork { .. } => {
                return Err(Fault::Unknown(Unknown::Moment));
            }
            Instruction::Branch { .. } => return Err(Fault::Unknown(Unknown::Guard)),
            _ => {
                self.wait(walk.place, Head { wait: Wait::Ended, task: 0, address: 0, age: 0, ..head });
                return self.end_walk(&walk);
            }
        }
        self.check.walk = Some(walk);
        self.first(Stage::Merge { other: 0 }, Stage::Walk)
    }

    /// The thread has come as far as it may.
    fn end_walk(&mut self, walk: &Walk) -> Go {
        self.check.busy = self.check.busy.max(self.end_of(walk));
        self.check.walk = None;
        self.first(Stage::Merge { other: 0 }, Stage::Rank)
    }

    /// A thread idles, or goes on at once, or either. Returns whether it idles for certain.
    fn walk_idle(&mut self, walk: &mut Walk, head: Head, until: u8) -> Result<bool, Fault> {
        let holds = self.holds(walk.place, head, until)?;
        let idle = Head { wait: Wait::Idle, task: 0, ..head };
        if self.is_for_event(head, until) {
            self.also(walk.place, idle)?;
            self.state.set_head(walk.place, Head { address: head.address.saturating_add(1), ..head });
            (walk.first, walk.is_late) = (None, true);
            return Ok(false);
        }
        if holds == Holds::No {
            self.note_complete(walk.place, head, until);
            self.wait(walk.place, idle);
            return Ok(true);
        }
        if holds == Holds::Perhaps {
            let place = self.also(walk.place, idle)?;
            self.note_complete(place, head, until);
        }
        self.state.set_head(walk.place, Head { address: head.address.saturating_add(1), ..head });
        walk.first = None;
        if holds == Holds::Yes {
            self.keep_due(walk, NOBODY)?;
        }
        Ok(false)
    }

    /// A job that ends just at the next instant leaves its thread waiting until triggers have been carried
    /// out.
    fn keep_due(&mut self, walk: &Walk, task: u8) -> Result<(), Fault> {
        if self.latest_of(walk) == self.check.next {
            let head = self.state.head(walk.place);
            self.also(walk.place, Head { wait: Wait::Due, task, ..head })?;
        }
        Ok(())
    }

    /// A thread holds a task. If it may still do so at the next instant, it may stand at that place. Among
    /// successive places with the same timeout, the first is the worst and stands for all. Then the job is
    /// done.
    fn run_job(
        &mut self,
        walk: &mut Walk,
        head: Head,
        task: u8,
        timeout: Option<(u8, u16)>,
    ) -> Result<(), Fault> {
        self.own(head, task)?;
        self.hold_alone(head)?;
        self.state.run(task, head.thread);
        let next = self.check.next;
        // What was done of it before is no longer left.
        if I::HAS_EVENT_TIMEOUTS && walk.cut == task {
            walk.done = 0;
        }
        let left = self.state.left(walk.place, task);
        let done = self.latest_of(walk).saturating_add(left);
        if done > next {
            match walk.first.filter(|first| first.timeout == timeout) {
                // Only what is certain here too stays certain there.
                Some(first) => self.intersect_certain(first.place, walk.place, task),
                None => {
                    let place = self.also(walk.place, Head { wait: Wait::Held, task, ..head })?;
                    self.state.set_left(place, task, done - next);
                    self.state.set_certain(place, task, true);
                    walk.first = Some(First { timeout, place });
                }
            }
        }
        self.state.set_certain(walk.place, task, false);
        self.state.set_left(walk.place, task, 0);
        self.state.set_head(walk.place, Head { address: head.address.saturating_add(1), ..head });
        walk.latest = walk.latest.saturating_add(left).min(next);
        Ok(())
    }

    /// Only what is certain at both places stays so; `held` is the task held at the other.
    fn intersect_certain(&mut self, place: u8, other: u8, held: u8) {
        self.state.keep_certain(place, |state, word| {
            let is_here = usize::from(held / 32) == word;
            state.certain_word(other, word) | u32::from(is_here) << (held % 32)
        });
    }

    /// The next instant has come: for a place.
    pub(super) fn arrive(&mut self, place: u8) -> Go {
        let Some(place) = self.used_from(place) else { return self.to(Stage::ArriveJobs(0)) };
        let head = self.state.head(place);
        let wait = if head.wait == Wait::Held { Wait::Dispatch } else { head.wait };
        let age = head.age.saturating_add(self.check.next).min(self.check.longest);
        let age = if wait == Wait::Ended { 0 } else { age };
        self.state.set_head(place, Head { wait, age, ..head });
        // Tasks of policies may have run, and be complete.
        self.state.keep_certain(place, State::dispatched_word);
        self.to(Stage::Arrive(place + 1))
    }

    /// The next instant has come: for tasks, whose times count from now, a few each step.
    pub(super) fn arrive_jobs(&mut self, task: u8) -> Go {
        let passed = i32::try_from(self.check.next).unwrap_or(i32::MAX);
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            if !self.state.is_dispatched(task) {
                self.state.set_fresh(task, false);
                let due = self.state.due(task).saturating_sub(passed);
                self.state.set_due(task, if self.state.job_left(task) > 0 { due } else { 0 });
            }
        }
        self.to(if end < self.check.shape.tasks { Stage::ArriveJobs(end) } else { Stage::ArriveTriggers })
    }

    /// The next instant has come: for triggers.
    pub(super) fn arrive_triggers(&mut self) -> Go {
        // bound: TRIGGERS
        for index in 0..self.state.trigger_count() {
            let mut trigger = self.state.trigger(index);
            trigger.due = trigger.due.saturating_sub(self.check.next);
            self.state.set_trigger(index, trigger);
        }
        let now = self.state.now().saturating_add(self.check.next.into());
        self.state.set_now(now);
        self.state.forget_changes();
        self.check.at_once = 0;
        self.first(Stage::Free { place: 0, task: 0 }, Stage::React)
    }
}
