//! From one instant to the next: what threads hold, then what is left for the policy.

use core::cmp::Reverse;

use super::settle::Holds;
use super::state::{NOBODY, Position, Wait};
use super::{Breach, Fault, Policy, Stage, Time, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// The first place at which a thread may hold a task at the next instant, with its timeout.
struct First<const TASKS: usize> {
    timeout: Option<(u8, u16)>,
    position: Position<TASKS>,
}

impl<const TASKS: usize, const PLACES: usize> Time<'_, TASKS, PLACES> {
    /// Time passes up to the next instant at which a trigger or a timeout is due.
    pub(super) fn pass(&mut self) -> Result<Stage, Breach> {
        let next = self.next_instant();
        let mut busy = 0;
        for index in 0..PLACES {
            let Some(position) = self.state.positions.get(index).copied() else { break };
            if let Wait::Dispatch(_) = position.wait {
                if let Some(place) = self.state.positions.get_mut(index) {
                    *place = Position::FREE;
                }
                busy = busy.max(self.follow(position, next)?);
            }
        }
        for position in &mut self.state.positions {
            if let Wait::Held(task) = position.wait {
                position.wait = Wait::Dispatch(task);
            }
        }
        self.run_policy(next.saturating_sub(self.now).saturating_sub(busy));
        self.forget_fresh();
        self.now = next;
        self.state.free_ended();
        Ok(Stage::React)
    }

    /// The next instant; one far away if nothing is due any more.
    fn next_instant(&self) -> u64 {
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

    /// Follows a thread up to the next instant, wherever it may come until then. Answers how long it may hold the processor.
    fn follow(&mut self, mut position: Position<TASKS>, next: u64) -> Result<u64, Breach> {
        // The latest moment at which it may stand here.
        let mut latest = self.now;
        let mut first = None;
        // bound: the length of the code, since it goes forward
        loop {
            let address = usize::from(position.address);
            let then = position.address.saturating_add(1);
            match self.instruction(address) {
                Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }
                    if position.left_of(task.index()) == 0 =>
                {
                    position.address = then;
                }
                Instruction::Dispatch { task } => {
                    latest = self.run_job(&mut position, task.index(), None, latest, next, &mut first)?;
                }
                Instruction::DispatchUntil { task, until, otherwise } => {
                    let target = then.saturating_add(otherwise.into());
                    match self.holds(until, &position) {
                        Holds::No => {}
                        Holds::Yes => {
                            if latest == next {
                                let wait = Wait::Due(task.0);
                                self.keep(Position { wait, address: target, ..position })?;
                            }
                            position.address = target;
                            continue;
                        }
                        Holds::Perhaps => return self.breach(address, Fault::Unknown(Unknown::Moment)),
                    }
                    let timeout = Some((until, target));
                    latest = self.run_job(&mut position, task.index(), timeout, latest, next, &mut first)?;
                }
                Instruction::Idle { until } => {
                    let holds = self.holds(until, &position);
                    // A job that ends just at the next instant leaves its thread waiting until triggers have been carried out.
                    if holds == Holds::Yes && latest == next {
                        self.keep(Position { wait: Wait::Due(NOBODY), address: then, ..position })?;
                    }
                    if holds != Holds::Yes {
                        let mut idle = Position { wait: Wait::Idle, ..position };
                        self.note_complete(until, &mut idle);
                        self.keep(idle)?;
                    }
                    if holds == Holds::No {
                        return Ok(latest - self.now);
                    }
                    first = None;
                    position.address = then;
                }
                Instruction::Jump { address } => position.address = address,
                Instruction::Call { .. } | Instruction::Calls { .. } | Instruction::Fork { .. } => {
                    return self.breach(address, Fault::Unknown(Unknown::Moment));
                }
                Instruction::Branch { .. } => return self.breach(address, Fault::Unknown(Unknown::Guard)),
                _ => {
                    self.keep(Position { wait: Wait::Ended, ..position })?;
                    return Ok(latest - self.now);
                }
            }
        }
    }

    /// A thread holds a task. If it may still do so at the next instant, that is a place where it may stand; of places with the same
    /// timeout in a row, the first is the worst and stands for all. Then the job is done. Answers the latest moment of that.
    fn run_job(
        &mut self,
        position: &mut Position<TASKS>,
        task: usize,
        timeout: Option<(u8, u16)>,
        latest: u64,
        next: u64,
        first: &mut Option<First<TASKS>>,
    ) -> Result<u64, Breach> {
        let address = usize::from(position.address);
        self.own(address, task, position.thread)?;
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
        Ok(done.min(next))
    }

    /// A place at which the thread may stand at the next instant.
    fn keep(&mut self, position: Position<TASKS>) -> Result<(), Breach> {
        match self.state.put(position) {
            true => Ok(()),
            false => self.breach(position.address.into(), Fault::Memory),
        }
    }

    /// Tasks that no thread dispatches, in the time that is left to them at least.
    fn run_policy(&mut self, mut time: u64) {
        // bound: the number of tasks, each of which is done once
        while time > 0 {
            let Some(task) = self.chosen() else { return };
            let Some(left) = self.state.left.get_mut(task) else { return };
            let spent = time.min((*left).into());
            *left -= u32::try_from(spent).unwrap_or(*left);
            time -= spent;
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
