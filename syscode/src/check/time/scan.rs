//! Before the start: facts about the whole code.

use super::{Fault, Go, Image, Stage, Turn, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// Words in one step.
pub(super) const CHUNK: u16 = 8;
/// The longest time that is counted, in ticks.
const SPAN: u64 = 1 << 30;
/// Before the first instruction of an entry.
const UNREAD: u16 = u16::MAX;

impl<I: Image> Turn<'_, '_, I> {
    pub(super) fn clear(&mut self, word: u16) -> Go {
        let end = word + CHUNK;
        // bound: 8
        for index in word..end {
            self.state.set_word(index.into(), 0);
        }
        match usize::from(end) < self.check.shape.words() {
            true => self.to(Stage::Clear(end)),
            false => self.to(Stage::Scan),
        }
    }

    /// Finds the tasks that threads dispatch.
    pub(super) fn scan(&mut self) -> Go {
        let (program, address) = (self.check.program, self.check.address);
        if program >= self.image.programs() {
            self.stand_at(0, 0);
            return self.to(Stage::Longest(0));
        }
        let Some(instruction) = self.image.instruction(program, address) else {
            self.stand_at(program + 1, 0);
            return Ok(());
        };
        if let Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } = instruction {
            if task.0 >= self.check.shape.tasks {
                return Err(Fault::Unknown(Unknown::Shared));
            }
            self.state.set_dispatched(task.0);
        }
        self.check.length += 1;
        self.check.address = address.saturating_add(1);
        Ok(())
    }

    pub(super) fn longest(&mut self, number: u8) -> Go {
        let program = self.check.program;
        if program >= self.image.programs() {
            self.stand_at(0, UNREAD);
            return self.to(Stage::Completion { index: 0, furthest: 0 });
        }
        let condition = self.image.condition(program, number);
        if let Some(Condition::Clock(duration)) = condition {
            self.check.longest = self.check.longest.max(self.duration(duration)?);
        }
        let next = condition.and(number.checked_add(1)).unwrap_or(0);
        if next == 0 {
            self.check.program += 1;
        }
        self.to(Stage::Longest(next))
    }

    /// The time of a completion depends on execution times, so the drivers of its entry may touch ports of
    /// that task only. The entry consists of all instructions up to the last end of a way.
    pub(super) fn completion(&mut self, index: u8, furthest: u16) -> Go {
        let program = self.check.program;
        if program >= self.image.programs() {
            return self.to(Stage::Begin(0));
        }
        let Some((own, entry)) = self.image.completion(program, index) else {
            self.stand_at(program + 1, UNREAD);
            return self.to(Stage::Completion { index: 0, furthest: 0 });
        };
        let address = if self.check.address == UNREAD { entry } else { self.check.address };
        self.check.address = address;
        let (mut drivers, mut furthest) = (0..0, furthest);
        match self.image.instruction(program, address) {
            Some(Instruction::Call { driver }) => drivers = driver.0..driver.0.saturating_add(1),
            Some(Instruction::Calls { first, count }) => {
                drivers = first.0..first.0.saturating_add(count.into());
            }
            // An owed release comes only after a job was in the way.
            Some(
                Instruction::Jump { address: to }
                | Instruction::Branch { address: to }
                | Instruction::Owed { address: to, .. },
            ) => furthest = furthest.max(to),
            _ if address < furthest => {}
            _ => {
                self.check.address = UNREAD;
                return self.to(Stage::Completion { index: index.saturating_add(1), furthest: 0 });
            }
        }
        // bound: 255, the largest count
        for driver in drivers {
            // bound: 8, the words with a bit for each task
            for word in 0..8 {
                let others = if word == own / 32 { !(1 << (own % 32)) } else { u32::MAX };
                if self.image.touched(driver, word) & others != 0 {
                    return Err(Fault::Unknown(Unknown::Moment));
                }
            }
        }
        self.check.address = address + 1;
        self.to(Stage::Completion { index, furthest })
    }

    /// A duration in ticks.
    pub(super) fn duration(&self, number: u8) -> Result<u32, Fault> {
        let ticks = self.image.duration(self.check.program, number).map_or(0, |duration| duration.ticks());
        match u32::try_from(ticks) {
            Ok(short) if ticks <= SPAN => Ok(short),
            _ => Err(Fault::Unknown(Unknown::Span)),
        }
    }

    /// The current instruction. The check of structure has made sure that there is one.
    pub(super) fn instruction(&self) -> Instruction {
        let found = self.image.instruction(self.check.program, self.check.address);
        found.unwrap_or(Instruction::Return {})
    }
}
