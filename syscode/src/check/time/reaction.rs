//! E code at an instant: what it releases and touches.

use super::state::{NOBODY, Position, Wait};
use super::{Breach, Fault, Stage, Time, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

impl<const TASKS: usize, const PLACES: usize> Time<'_, TASKS, PLACES> {
    /// Looks for what the whole code says: which tasks threads dispatch.
    pub(super) fn scan(&mut self, address: usize) -> Result<Stage, Breach> {
        if usize::from(self.container.limits().tasks) > TASKS {
            return self.breach(0, Fault::Memory);
        }
        if let Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } =
            self.instruction(address)
            && let Some(place) = self.dispatched.get_mut(task.index())
        {
            *place = true;
        }
        if address < self.container.length() {
            return Ok(Stage::Scan(address + 1));
        }
        let clocks = (0..=u8::MAX).map_while(|number| self.container.condition(number));
        let durations = clocks.filter_map(|condition| match condition {
            Condition::Clock(duration) => Some(self.duration(duration)),
            _ => None,
        });
        self.longest = durations.max().unwrap_or_default();
        Ok(Stage::Completions(0))
    }

    /// One entry for a task's completion. When that is depends on execution times, so its drivers may touch that task only.
    pub(super) fn completion(&self, index: usize) -> Result<Stage, Breach> {
        let Some((task, address)) = self.container.completions().nth(index) else { return Ok(Stage::React) };
        let mut address = usize::from(address);
        // bound: the length of the code, since it goes forward
        loop {
            let drivers = match self.instruction(address) {
                Instruction::Call { driver } => driver.index()..driver.index() + 1,
                Instruction::Calls { first, count } => first.index()..first.index() + usize::from(count),
                Instruction::Jump { address: to } => {
                    address = to.into();
                    continue;
                }
                Instruction::Branch { .. } => return self.breach(address, Fault::Unknown(Unknown::Guard)),
                _ => return Ok(Stage::Completions(index + 1)),
            };
            // bound: 255 drivers, each with all tasks
            for driver in drivers {
                let mut others = (0..TASKS).filter(|other| *other != usize::from(task));
                if others.any(|other| self.image.is_touched(driver, other)) {
                    return self.breach(address, Fault::Unknown(Unknown::Moment));
                }
            }
            address += 1;
        }
    }

    /// The next trigger that is due; or the threads. Answers nothing when everything repeats.
    pub(super) fn react(&mut self) -> Result<Option<Stage>, Breach> {
        match self.state.take_trigger(self.now) {
            Some(address) => Ok(Some(Stage::Code(address.into()))),
            None if self.is_repeated() => Ok(None),
            None if self.proof.instants > self.patience => self.breach(0, Fault::Long),
            None => Ok(Some(Stage::Settle)),
        }
    }

    /// One instruction of E code.
    pub(super) fn code(&mut self, address: usize) -> Result<Stage, Breach> {
        let next = Ok(Stage::Code(address + 1));
        match self.instruction(address) {
            Instruction::Call { driver } => self.touch(address, driver.index(), 1).and(next),
            Instruction::Calls { first, count } => self.touch(address, first.index(), count).and(next),
            Instruction::Release { task, deadline } => {
                self.release(address, task.index(), deadline)?;
                next
            }
            Instruction::Releases { first, deadline, count } => {
                // bound: 255, the largest count
                for task in first.index()..first.index() + usize::from(count) {
                    self.release(address, task, deadline)?;
                }
                next
            }
            Instruction::Future { delay, address: to } => {
                let due = self.now.saturating_add(self.duration(delay));
                if self.state.add_trigger(due, to) { next } else { self.breach(address, Fault::Memory) }
            }
            // One program has no others to wait for.
            Instruction::Phase { .. } | Instruction::Period {} => next,
            Instruction::Jump { address } => Ok(Stage::Code(address.into())),
            Instruction::Branch { .. } => self.breach(address, Fault::Unknown(Unknown::Guard)),
            Instruction::When { .. } => self.breach(address, Fault::Unknown(Unknown::Event)),
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } => {
                let is_held = |position: &Position<TASKS>| {
                    matches!(position.wait, Wait::Dispatch(_))
                        || matches!(position.wait, Wait::Due(task) if task != NOBODY)
                };
                let is_released = self.state.most_left(task.index()) > 0;
                if is_released && self.state.positions.iter().any(is_held) {
                    return self.breach(address, Fault::Share);
                }
                self.begin_places(address)?;
                self.begin_thread(address, address)?;
                Ok(Stage::React)
            }
            Instruction::Idle { .. } => {
                self.begin_places(address)?;
                self.begin_thread(address, address)?;
                Ok(Stage::React)
            }
            Instruction::Fork { address: to } => {
                self.begin_places(address)?;
                self.begin_thread(address, to.into())?;
                next
            }
            // A program changes its mode once an instant.
            Instruction::Change { .. } if self.changed == Some(self.now) => Ok(Stage::React),
            Instruction::Change { address: to } => {
                self.changed = Some(self.now);
                self.state.triggers.fill(None);
                for position in &mut self.state.positions {
                    if !matches!(position.wait, Wait::Free) {
                        position.wait = Wait::Ended;
                    }
                }
                Ok(Stage::Code(to.into()))
            }
            _ => Ok(Stage::React),
        }
    }

    /// The instruction at an address. The check of structure has seen to it that there is one.
    pub(super) fn instruction(&self, address: usize) -> Instruction {
        self.container.instruction(address).and_then(Instruction::decode).unwrap_or(Instruction::Return {})
    }

    pub(super) fn duration(&self, number: u8) -> u64 {
        self.container.duration(number).map_or(0, |duration| duration.ticks())
    }

    /// Drivers are carried out: nobody whose ports they touch may be at work.
    pub(super) fn touch(&self, address: usize, first: usize, count: u8) -> Result<(), Breach> {
        // bound: 255 drivers, each with all tasks
        for driver in first..first + usize::from(count) {
            let touched = (0..TASKS).filter(|task| self.image.is_touched(driver, *task));
            if let Some(task) = touched.into_iter().find(|task| self.state.most_left(*task) > 0) {
                return self.breach(address, Fault::Safety(task));
            }
        }
        Ok(())
    }

    fn release(&mut self, address: usize, task: usize, deadline: u8) -> Result<(), Breach> {
        if self.state.most_left(task) > 0 {
            return self.breach(address, Fault::Safety(task));
        }
        let due = self.now.saturating_add(self.duration(deadline));
        let bound = self.image.bounds.get(task).copied().unwrap_or(u32::MAX);
        self.state.release(task, bound, self.now, due);
        Ok(())
    }

    /// There must be a place for the thread that a trigger begins.
    fn begin_places(&mut self, address: usize) -> Result<(), Breach> {
        if self.state.triggers.iter().flatten().any(|(due, _)| *due <= self.now) {
            // Whether it goes on before the other trigger's code has run depends on what is complete.
            return self.breach(address, Fault::Unknown(Unknown::Moment));
        }
        self.state.free_ended();
        match self.state.threads() < usize::from(self.container.thread_places()) {
            true => Ok(()),
            false => self.breach(address, Fault::Threads),
        }
    }

    /// Another thread goes on at an address, at this instant.
    fn begin_thread(&mut self, from: usize, address: usize) -> Result<(), Breach> {
        let Some(thread) = self.state.new_thread() else {
            return self.breach(from, Fault::Memory);
        };
        let address = u16::try_from(address).unwrap_or(u16::MAX);
        let position = Position {
            wait: Wait::Go,
            thread,
            address,
            reference: self.now,
            left: self.most(),
            certain: self.state.fresh,
        };
        if self.state.put(position) { Ok(()) } else { self.breach(from, Fault::Memory) }
    }

    /// The most that may be left of each task's job.
    fn most(&self) -> [u32; TASKS] {
        core::array::from_fn(|task| self.state.most_left(task))
    }
}
