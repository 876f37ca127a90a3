//! From one instant to the next: what threads hold, then what is left for the policy.

use core::cmp::Reverse;

use super::settle::Holds;
use super::state::{NOBODY, Position, Wait};
use super::{Breach, Fault, Policy, Stage, Time, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// The first place at which a thread may hold a task at the next instant, with its timeout.
#[derive(Clone, Copy, Debug)]
struct First<const TASKS: usize> {
    timeout: Option<(u8, u16)>,
    position: Position<TASKS>,
}

/// Where the way to the next instant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passing {
    /// The next instant.
    pub next: u64,
    /// The position that is to be followed next.
    pub index: usize,
    /// How long threads may hold the processor.
    pub busy: u64,
}

/// A thread that is followed to the next instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<const TASKS: usize> {
    position: Position<TASKS>,
    /// The latest moment at which it may stand here.
    latest: u64,
    first: Option<First<TASKS>>,
}

impl<const TASKS: usize, const PLACES: usize> Time<'_, TASKS, PLACES> {
    /// Time passes up to the next instant at which a trigger or a timeout is due: one instruction of one thread, or one task
    /// of the policy, or the end.
    pub(super) fn pass(&mut self, passing: Passing) -> Result<Stage, Breach> {
        if let Some(walk) = self.walk.take() {
            return self.follow(walk, passing);
        }
        let positions = self.state.positions.iter_mut().enumerate().skip(passing.index);
        let mut holders = positions.filter(|(_, position)| matches!(position.wait, Wait::Dispatch(_)));
        match holders.next() {
            Some((index, position)) => {
                let walk = Walk { position: *position, latest: self.now, first: None };
                *position = Position::FREE;
                self.walk = Some(walk);
                Ok(Stage::Pass(Passing { index: index + 1, ..passing }))
            }
            None => Ok(self.leave(Passing { index: PLACES, ..passing })),
        }
    }

    /// What threads leave goes to the policy, a task a step; then the next instant has come.
    fn leave(&mut self, passing: Passing) -> Stage {
        let time = passing.next.saturating_sub(self.now).saturating_sub(passing.busy);
        if let (Some(task), true) = (self.chosen(), time > 0)
            && let Some(left) = self.state.left.get_mut(task)
        {
            let spent = time.min((*left).into());
            *left -= u32::try_from(spent).unwrap_or(*left);
            return Stage::Pass(Passing { busy: passing.busy + spent, ..passing });
        }
        for position in &mut self.state.positions {
            if let Wait::Held(task) = position.wait {
                position.wait = Wait::Dispatch(task);
            }
        }
        self.forget_fresh();
        self.now = passing.next;
        self.at_once = 0;
        self.state.free_ended();
        Stage::React
    }

    /// The next instant; one far away if nothing is due any more.
    pub(super) fn next_instant(&self) -> u64 {
        let triggers = self.state.triggers.iter().flatten().map(|(due, _)| *due);
        let timeouts = self.state.positions.iter().filter_map(|position| self.next_timeout(position));
        triggers.chain(timeouts).min().unwrap_or(self.now.saturating_add(1 << 40))
    }

    /// The next of all times that the code of a thread may wait for, wherever it stands: in between, nothing depends on the clock.
    fn next_timeout(&self, position: &Position<TASKS>) -> Option<u64> {
        if matches!(position.wait, Wait::Free | Wait::Ended) {
            return None;
        }
        let clocks = (0..=u8::MAX).map_while(|number| self.container.condition(number));
        let dues = clocks.filter_map(|condition| match condition {
            Condition::Clock(duration) => Some(position.reference.saturating_add(self.duration(duration))),
            _ => None,
        });
        dues.filter(|due| *due > self.now).min()
    }

    /// Follows a thread by an instruction, wherever it may come until the next instant.
    fn follow(&mut self, mut walk: Walk<TASKS>, mut passing: Passing) -> Result<Stage, Breach> {
        let position = &mut walk.position;
        let address = usize::from(position.address);
        let then = position.address.saturating_add(1);
        let mut has_ended = false;
        match self.instruction(address) {
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }
                if position.left_of(task.index()) == 0 =>
            {
                position.address = then;
            }
            Instruction::Dispatch { task } => self.run_job(&mut walk, task.index(), None, passing.next)?,
            Instruction::DispatchUntil { task, until, otherwise } => {
                let target = then.saturating_add(otherwise.into());
                match self.holds(until, position) {
                    Holds::No => {
                        self.run_job(&mut walk, task.index(), Some((until, target)), passing.next)?
                    }
                    Holds::Yes => {
                        position.address = target;
                        self.keep_due(&walk, task.0, passing.next)?;
                    }
                    Holds::Perhaps => return self.breach(address, Fault::Unknown(Unknown::Moment)),
                }
            }
            Instruction::Idle { until } => has_ended = self.follow_idle(&mut walk, until, passing.next)?,
            Instruction::Jump { address } => position.address = address,
            Instruction::Call { .. } | Instruction::Calls { .. } | Instruction::Fork { .. } => {
                return self.breach(address, Fault::Unknown(Unknown::Moment));
            }
            Instruction::Branch { .. } => return self.breach(address, Fault::Unknown(Unknown::Guard)),
            _ => {
                self.keep(Position { wait: Wait::Ended, ..*position })?;
                has_ended = true;
            }
        }
        match has_ended {
            true => passing.busy = passing.busy.max(walk.latest - self.now),
            false => self.walk = Some(walk),
        }
        Ok(Stage::Pass(passing))
    }

    /// A thread idles, or goes on at once, or both. Answers whether it idles for certain.
    fn follow_idle(&mut self, walk: &mut Walk<TASKS>, until: u8, next: u64) -> Result<bool, Breach> {
        let holds = self.holds(until, &walk.position);
        if holds != Holds::Yes {
            let mut idle = Position { wait: Wait::Idle, ..walk.position };
            self.note_complete(until, &mut idle);
            self.keep(idle)?;
        }
        walk.position.address = walk.position.address.saturating_add(1);
        walk.first = None;
        if holds == Holds::Yes {
            self.keep_due(walk, NOBODY, next)?;
        }
        Ok(holds == Holds::No)
    }

    /// A job that ends just at the next instant leaves its thread waiting until triggers have been carried out.
    fn keep_due(&mut self, walk: &Walk<TASKS>, task: u8, next: u64) -> Result<(), Breach> {
        match walk.latest == next {
            true => self.keep(Position { wait: Wait::Due(task), ..walk.position }),
            false => Ok(()),
        }
    }

    /// A thread holds a task. If it may still do so at the next instant, that is a place where it may stand; of places with the same
    /// timeout in a row, the first is the worst and stands for all. Then the job is done.
    fn run_job(
        &mut self,
        walk: &mut Walk<TASKS>,
        task: usize,
        timeout: Option<(u8, u16)>,
        next: u64,
    ) -> Result<(), Breach> {
        let Walk { position, latest, first } = walk;
        self.own(position.address.into(), task, position.thread)?;
        self.state.run(task, position.thread);
        let done = latest.saturating_add(position.left_of(task).into());
        if done > next {
            let mut held = *position;
            held.wait = Wait::Held(u8::try_from(task).unwrap_or(u8::MAX));
            held.set_left(task, u32::try_from(done - next).unwrap_or(u32::MAX));
            held.set_certain(task, true);
            match first {
                Some(First { timeout: other, position: worse }) if *other == timeout => {
                    // What is certain there must be so here, too.
                    let (wait, address, left) = (worse.wait, worse.address, worse.left);
                    self.keep(Position { wait, address, left, ..held })?;
                }
                _ => {
                    *first = Some(First { timeout, position: held });
                    self.keep(held)?;
                }
            }
        }
        position.set_certain(task, false);
        position.set_left(task, 0);
        position.address = position.address.saturating_add(1);
        *latest = done.min(next);
        Ok(())
    }

    /// A place at which the thread may stand at the next instant.
    fn keep(&mut self, position: Position<TASKS>) -> Result<(), Breach> {
        match self.state.put(position) {
            true => Ok(()),
            false => self.breach(position.address.into(), Fault::Memory),
        }
    }

    /// Tasks of the policy may have run, and be complete.
    fn forget_fresh(&mut self) {
        for task in 0..TASKS {
            if !self.dispatched.get(task).copied().unwrap_or_default() {
                self.state.run(task, NOBODY);
                self.state.positions.iter_mut().for_each(|position| position.set_certain(task, false));
            }
        }
    }

    /// The task that the policy chooses.
    fn chosen(&self) -> Option<usize> {
        let state = &self.state;
        let is_free = |task: &usize| {
            let is_dispatched = self.dispatched.get(*task).copied().unwrap_or_default();
            !is_dispatched && state.left.get(*task).is_some_and(|left| *left > 0)
        };
        let mut tasks = (0..TASKS).filter(is_free);
        match self.image.policy {
            Policy::None => None,
            Policy::FixedPriority => tasks.next(),
            Policy::EarliestDeadline => tasks
                .min_by_key(|task| (state.due.get(*task).copied(), Reverse(state.since.get(*task).copied()))),
        }
    }
}
