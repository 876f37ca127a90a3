//! Threads at an instant: they go on until they wait.

use super::scan::CHUNK;
use super::state::{Head, NOBODY, Wait};
use super::{Fault, Go, Image, Stage, Turn, Unknown};
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

impl<I: Image> Turn<'_, '_, I> {
    /// A place whose timeout has come: its thread goes on.
    pub(super) fn expire(&mut self, place: u8) -> Go {
        let Some(place) = self.used_from(place) else { return self.to(Stage::Settle) };
        let head = self.state.head(place);
        if head.wait == Wait::Due {
            self.state.set_head(place, Head { wait: Wait::Go, task: 0, ..head });
        }
        let next = head.address.saturating_add(1);
        self.stand_at(head.program, head.address);
        let target = match (head.wait, self.instruction()) {
            (Wait::Dispatch, Instruction::DispatchUntil { until, otherwise, .. }) => {
                Some((until, next.saturating_add(otherwise.into())))
            }
            (Wait::Idle, Instruction::Idle { until }) => Some((until, next)),
            _ => None,
        };
        // A thread that waits for a release has seen that there is none: only a new one counts.
        if let Some((until, address)) = target
            && self.holds(place, head, until)? == Holds::Yes
        {
            self.state.set_head(place, Head { wait: Wait::Go, task: 0, address, ..head });
        }
        self.to(Stage::Expire(place + 1))
    }

    /// One place goes on by an instruction; or, if all wait, time passes.
    pub(super) fn settle(&mut self) -> Go {
        let going = self.state.find(0, |_, head| head.wait == Wait::Go);
        match going {
            Some((place, head)) => self.go(place, head),
            None => self.to(Stage::Sharing(0)),
        }
    }

    /// Whether a timeout has come at a thread's place.
    pub(super) fn holds(&self, place: u8, head: Head, until: u8) -> Result<Holds, Fault> {
        Ok(match self.image.condition(head.program, until) {
            Some(Condition::Clock(duration)) => match self.duration(duration)? <= head.age {
                true => Holds::Yes,
                false => Holds::No,
            },
            Some(Condition::Released(task)) if self.state.is_certain(place, task.0) => Holds::Yes,
            Some(Condition::Released(task)) if self.state.left(place, task.0) > 0 => Holds::Perhaps,
            _ => Holds::No,
        })
    }

    /// One instruction of a thread at this instant.
    fn go(&mut self, place: u8, head: Head) -> Go {
        let Head { program, address, .. } = head;
        self.count(program, address)?;
        let next = address.saturating_add(1);
        match self.instruction() {
            Instruction::Call { driver } => {
                self.state.set_head(place, Head { address: next, ..head });
                return self.touches(driver.0, 1, Stage::Settle);
            }
            Instruction::Calls { first, count } => {
                self.state.set_head(place, Head { address: next, ..head });
                return self.touches(first.0, count, Stage::Settle);
            }
            Instruction::Jump { address } => self.move_to(place, head, address),
            Instruction::Branch { address: to } => {
                self.also(place, Head { address: to, ..head })?;
                self.move_to(place, head, next);
            }
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }
                if self.state.left(place, task.0) == 0 =>
            {
                self.move_to(place, head, next);
            }
            Instruction::Dispatch { task } => self.hold(place, head, task.0)?,
            Instruction::DispatchUntil { task, until, otherwise } => {
                self.go_until(place, head, task.0, (until, next.saturating_add(otherwise.into())))?;
            }
            Instruction::Idle { until } => match self.holds(place, head, until)? {
                Holds::Yes => self.move_to(place, head, next),
                Holds::No => self.wait(place, Head { wait: Wait::Idle, ..head }),
                Holds::Perhaps => {
                    self.also(place, Head { address: next, ..head })?;
                    self.note_complete(place, head, until);
                    self.wait(place, Head { wait: Wait::Idle, ..head });
                }
            },
            Instruction::Fork { address: to } => {
                // The other thread takes over the place and what is left there; this one can only end.
                let ending = self.also(place, Head { address: next, ..head })?;
                self.state.clear_left(ending);
                self.move_to(place, Head { age: 0, ..head }, to);
            }
            _ => self.wait(place, Head { wait: Wait::Ended, address: 0, age: 0, ..head }),
        }
        self.first(Stage::Merge { other: 0 }, Stage::Settle)
    }

    fn move_to(&mut self, place: u8, head: Head, address: u16) {
        self.state.set_head(place, Head { address, is_new: true, ..head });
    }

    pub(super) fn wait(&mut self, place: u8, head: Head) {
        self.state.set_head(place, Head { is_new: true, ..head });
    }

    /// A dispatch with a timeout: the timeout may have come, and the job may be done.
    fn go_until(&mut self, place: u8, head: Head, task: u8, (until, target): (u8, u16)) -> Result<(), Fault> {
        let next = head.address.saturating_add(1);
        match self.holds(place, head, until)? {
            Holds::No => self.hold(place, head, task),
            Holds::Yes => {
                if !self.state.is_certain(place, task) {
                    let done = self.also(place, Head { address: next, ..head })?;
                    self.state.set_left(done, task, 0);
                }
                self.move_to(place, head, target);
                Ok(())
            }
            Holds::Perhaps => {
                self.also(place, Head { address: target, ..head })?;
                self.note_complete(place, head, until);
                if self.state.left(place, task) == 0 {
                    self.move_to(place, head, next);
                    return Ok(());
                }
                self.hold(place, head, task)
            }
        }
    }

    /// The timeout hasn't come: if it is for a release, that task is complete.
    pub(super) fn note_complete(&mut self, place: u8, head: Head, until: u8) {
        if let Some(Condition::Released(task)) = self.image.condition(head.program, until) {
            self.state.set_left(place, task.0, 0);
            self.state.set_certain(place, task.0, false);
        }
    }

    /// Another place at which the thread may stand, with what is left at this one.
    pub(super) fn also(&mut self, place: u8, head: Head) -> Result<u8, Fault> {
        let Some(free) = self.state.free_place() else {
            return self.breach(head.program, head.address, Fault::Memory);
        };
        self.state.copy_place(place, free);
        self.state.set_head(free, Head { is_new: true, ..head });
        Ok(free)
    }

    /// The thread waits for a task, which it holds from now on.
    fn hold(&mut self, place: u8, head: Head, task: u8) -> Result<(), Fault> {
        self.wait(place, Head { wait: Wait::Dispatch, task, ..head });
        self.own(head, task)
    }

    /// Only one thread at a time may dispatch a task.
    pub(super) fn own(&mut self, head: Head, task: u8) -> Result<(), Fault> {
        let owner = self.state.owner(task);
        if owner != NOBODY && owner != head.thread {
            return self.breach(head.program, head.address, Fault::Unknown(Unknown::Shared));
        }
        self.state.set_owner(task, head.thread);
        Ok(())
    }

    /// At most one thread of each rank may hold a task: a place with a held task is compared with the first
    /// of its rank.
    pub(super) fn sharing(&mut self, place: u8) -> Go {
        let Some(place) = self.used_from(place) else { return self.begin_next() };
        let head = self.state.head(place);
        if head.wait == Wait::Dispatch {
            let rank = self.image.task(head.task).rank;
            let is_beside = |other: &Head| {
                other.wait == Wait::Dispatch
                    && other.thread != head.thread
                    && self.image.task(other.task).rank == rank
            };
            if self.state.find(0, |index, other| index < place && is_beside(other)).is_some() {
                return self.breach(head.program, head.address, Fault::Share);
            }
        }
        self.to(Stage::Sharing(place + 1))
    }

    /// Compares a new place with another. Of two at one point, the worse one stands for both, if one is
    /// worse; or, if there is hardly any room, a place as bad as both.
    pub(super) fn merge(&mut self, other: u8) -> Go {
        let Some((place, head)) = self.new_place() else { return self.on() };
        let is_like =
            |index: u8, next: &Head| index != place && next.wait != Wait::Free && next.is_like(&head);
        let like = self.state.find(other, is_like);
        match like {
            Some((other, _)) => self.to(Stage::Compare { other, task: 0, relation: MORE | LESS }),
            None => {
                self.state.set_head(place, Head { is_new: false, ..head });
                self.to(Stage::Merge { other: 0 })
            }
        }
    }

    fn new_place(&self) -> Option<(u8, Head)> {
        self.state.find(0, |_, head| head.is_new)
    }

    /// Whether one of the two has at least as much left of every task.
    pub(super) fn compare(&mut self, other: u8, task: u8, mut relation: u8) -> Go {
        let Some((place, _)) = self.new_place() else { return self.on() };
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            let (one, two) = (self.state.left(place, task), self.state.left(other, task));
            if one < two {
                relation &= !MORE;
            }
            if one > two {
                relation &= !LESS;
            }
        }
        if I::HAS_EVENT_TIMEOUTS {
            let (one, two) = (self.state.woken(place), self.state.woken(other));
            if one.join(two) != one {
                relation &= !MORE;
            }
            if one.join(two) != two {
                relation &= !LESS;
            }
        }
        let is_decided = relation == 0 || end >= self.check.shape.tasks;
        let next = match is_decided {
            false => Stage::Compare { other, task: end, relation },
            true if relation != 0 || self.is_tight() => Stage::Unite { other, task: 0 },
            true => Stage::Merge { other: other + 1 },
        };
        self.to(next)
    }

    /// The new place becomes one with another.
    pub(super) fn unite(&mut self, other: u8, task: u8) -> Go {
        let Some((place, _)) = self.new_place() else { return self.on() };
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            let left = self.state.left(place, task).max(self.state.left(other, task));
            self.state.set_left(other, task, left);
        }
        if end < self.check.shape.tasks {
            return self.to(Stage::Unite { other, task: end });
        }
        if I::HAS_EVENT_TIMEOUTS {
            self.state.set_woken(other, self.state.woken(place).join(self.state.woken(other)));
        }
        self.state.keep_certain(other, |state, word| state.certain_word(place, word));
        self.state.free(place);
        if let Some(walk) = &mut self.check.walk {
            walk.replace_first(place, other);
        }
        self.to(Stage::Merge { other: 0 })
    }

    fn is_tight(&self) -> bool {
        let second = self
            .state
            .free_place()
            .and_then(|first| self.state.find(first + 1, |_, head| head.wait == Wait::Free));
        second.is_none()
    }

    /// Begins to search for the next instant: one far away if nothing more is due.
    pub(super) fn begin_next(&mut self) -> Go {
        self.check.next = FAR;
        // bound: TRIGGERS
        for index in 0..self.state.trigger_count() {
            self.check.next = self.check.next.min(self.state.trigger(index).due);
        }
        self.to(Stage::Next { place: 0, number: 0 })
    }

    /// The next of all times that a thread's code may wait for, wherever it stands: in between, nothing
    /// depends on the clock.
    pub(super) fn next(&mut self, place: u8, number: u8) -> Go {
        let Some(used) = self.used_from(place) else {
            (self.check.base, self.check.rank) = (0, 0);
            return self.to(Stage::Lost(0));
        };
        let number = if used == place { number } else { 0 };
        let (place, head) = (used, self.state.head(used));
        self.stand_at(head.program, head.address);
        let mut number = Some(number).filter(|_| head.wait != Wait::Ended);
        // bound: 4
        for _ in 0..CHUNK / 2 {
            let condition = number.and_then(|number| self.image.condition(head.program, number));
            let Some(condition) = condition else {
                return self.to(Stage::Next { place: place + 1, number: 0 });
            };
            if let Condition::Clock(duration) = condition {
                let due = self.duration(duration)?.saturating_sub(head.age);
                if due > 0 {
                    self.check.next = self.check.next.min(due);
                }
            }
            number = number.and_then(|number| number.checked_add(1));
        }
        match number {
            Some(number) => self.to(Stage::Next { place, number }),
            None => self.to(Stage::Next { place: place + 1, number: 0 }),
        }
    }
}

const MORE: u8 = 1;
const LESS: u8 = 2;

/// An instant far away, in ticks.
const FAR: u32 = 1 << 30;
