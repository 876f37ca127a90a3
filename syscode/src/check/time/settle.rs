//! Threads at an instant: they go on until they wait.

use super::pass::Passing;
use super::state::{NOBODY, Position, Wait};
use super::{Breach, Fault, Stage, Time, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Yes,
    No,
    /// It depends on execution times.
    Perhaps,
}

impl<const TASKS: usize, const PLACES: usize> Time<'_, TASKS, PLACES> {
    /// One position goes on by an instruction; or, when all wait, time passes.
    pub(super) fn settle(&mut self) -> Result<Stage, Breach> {
        self.expire();
        self.state.free_ended();
        let Some(index) = self.state.positions.iter().position(|position| position.wait == Wait::Go) else {
            self.check_sharing()?;
            let next = self.next_instant();
            return Ok(Stage::Pass(Passing { next, index: 0, busy: 0 }));
        };
        let Some(place) = self.state.positions.get_mut(index) else { return Ok(Stage::Settle) };
        let mut position = *place;
        // It keeps its place while it goes on: what is left of its jobs counts.
        place.wait = Wait::Going;
        self.go(&mut position)?;
        if let Some(place) = self.state.positions.get_mut(index) {
            *place = Position::FREE;
        }
        match self.state.put(position) {
            true => Ok(Stage::Settle),
            false => self.breach(position.address.into(), Fault::Memory),
        }
    }

    /// Timeouts that have come: those threads go on.
    fn expire(&mut self) {
        for index in 0..PLACES {
            let Some(mut position) = self.state.positions.get(index).copied() else { return };
            if let (Wait::Due(_), Some(place)) = (position.wait, self.state.positions.get_mut(index)) {
                place.wait = Wait::Go;
                continue;
            }
            let address = usize::from(position.address);
            let target = match (position.wait, self.instruction(address)) {
                (Wait::Dispatch(_), Instruction::DispatchUntil { until, otherwise, .. }) => {
                    Some((until, address + 1 + usize::from(otherwise)))
                }
                (Wait::Idle, Instruction::Idle { until }) => Some((until, address + 1)),
                _ => None,
            };
            let Some((until, target)) = target else { continue };
            // Who waits for a release has seen that there is none: only a new one counts.
            if self.holds(until, &position) == Holds::Yes {
                position.wait = Wait::Go;
                position.address = u16::try_from(target).unwrap_or(u16::MAX);
                if let Some(place) = self.state.positions.get_mut(index) {
                    *place = position;
                }
            }
        }
    }

    /// Whether a timeout has come, where a thread stands.
    pub(super) fn holds(&self, until: u8, position: &Position<TASKS>) -> Holds {
        match self.container.condition(until) {
            Some(Condition::Clock(duration)) => {
                let due = position.reference.saturating_add(self.duration(duration));
                if due <= self.now { Holds::Yes } else { Holds::No }
            }
            Some(Condition::Released(task)) => match task.index() {
                task if position.is_certain(task) => Holds::Yes,
                task if position.left_of(task) == 0 => Holds::No,
                _ => Holds::Perhaps,
            },
            _ => Holds::No,
        }
    }

    /// One instruction of a thread at this instant.
    fn go(&mut self, position: &mut Position<TASKS>) -> Result<(), Breach> {
        let address = usize::from(position.address);
        let next = position.address.saturating_add(1);
        match self.instruction(address) {
            Instruction::Call { driver } => {
                self.touch(address, driver.index(), 1)?;
                position.address = next;
            }
            Instruction::Calls { first, count } => {
                self.touch(address, first.index(), count)?;
                position.address = next;
            }
            Instruction::Jump { address } => position.address = address,
            Instruction::Branch { .. } => return self.breach(address, Fault::Unknown(Unknown::Guard)),
            Instruction::Dispatch { task } if position.left_of(task.index()) == 0 => position.address = next,
            Instruction::DispatchUntil { task, .. } if position.left_of(task.index()) == 0 => {
                position.address = next;
            }
            Instruction::Dispatch { task } => self.hold(position, task.index())?,
            Instruction::DispatchUntil { task, until, otherwise } => {
                self.go_until(position, task.index(), until, otherwise)?;
            }
            Instruction::Idle { until } => match self.holds(until, position) {
                Holds::Yes => position.address = next,
                Holds::No => position.wait = Wait::Idle,
                Holds::Perhaps => {
                    self.also(Position { address: next, ..*position }, address)?;
                    self.note_complete(until, position);
                    position.wait = Wait::Idle;
                }
            },
            Instruction::Fork { address: to } => {
                // The other takes over what is left; this one can only end.
                self.also(Position { address: to, reference: self.now, ..*position }, address)?;
                position.left = [0; TASKS];
                position.address = next;
            }
            _ => position.wait = Wait::Ended,
        }
        Ok(())
    }

    /// A dispatch with a timeout: the timeout may have come, and the job may be done.
    fn go_until(
        &mut self,
        position: &mut Position<TASKS>,
        task: usize,
        until: u8,
        otherwise: u8,
    ) -> Result<(), Breach> {
        let address = usize::from(position.address);
        let next = position.address.saturating_add(1);
        let target = next.saturating_add(otherwise.into());
        let holds = self.holds(until, position);
        if holds == Holds::No {
            return self.hold(position, task);
        }
        if !position.is_certain(task) && holds == Holds::Yes {
            let mut done = Position { address: next, ..*position };
            done.set_left(task, 0);
            self.also(done, address)?;
        }
        if holds == Holds::Perhaps {
            self.also(Position { address: target, ..*position }, address)?;
            self.note_complete(until, position);
            if position.left_of(task) == 0 {
                position.address = next;
                return Ok(());
            }
            return self.hold(position, task);
        }
        position.address = target;
        Ok(())
    }

    /// The timeout hasn't come: if it is for a release, that task is complete.
    pub(super) fn note_complete(&self, until: u8, position: &mut Position<TASKS>) {
        if let Some(Condition::Released(task)) = self.container.condition(until) {
            position.set_left(task.index(), 0);
            position.set_certain(task.index(), false);
        }
    }

    /// Another place at which the thread may stand.
    fn also(&mut self, position: Position<TASKS>, from: usize) -> Result<(), Breach> {
        if self.state.put(position) { Ok(()) } else { self.breach(from, Fault::Memory) }
    }

    /// The thread waits for a task that it holds from now on.
    fn hold(&mut self, position: &mut Position<TASKS>, task: usize) -> Result<(), Breach> {
        let address = usize::from(position.address);
        position.wait = Wait::Dispatch(u8::try_from(task).unwrap_or(u8::MAX));
        self.own(address, task, position.thread)
    }

    /// A task is dispatched by one thread at a time.
    pub(super) fn own(&mut self, address: usize, task: usize, thread: u8) -> Result<(), Breach> {
        match self.state.owners.get_mut(task) {
            Some(owner) if *owner == NOBODY || *owner == thread => {
                *owner = thread;
                Ok(())
            }
            _ => self.breach(address, Fault::Unknown(Unknown::Shared)),
        }
    }

    /// At most one thread may hold a task.
    fn check_sharing(&self) -> Result<(), Breach> {
        let mut holders =
            self.state.positions.iter().filter(|position| matches!(position.wait, Wait::Dispatch(_)));
        let Some(first) = holders.next() else { return Ok(()) };
        match holders.find(|other| other.thread != first.thread) {
            Some(other) => self.breach(other.address.into(), Fault::Share),
            None => Ok(()),
        }
    }
}
