//! Before the start: what the whole code says.

use super::{Breach, Fault, Go, Image, Stage, Turn, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// Words that are looked at in a step.
pub(super) const CHUNK: u16 = 8;
/// The longest time that is counted, in ticks.
const SPAN: u64 = 1 << 30;

impl<I: Image> Turn<'_, '_, I> {
    pub(super) fn clear(&mut self, word: u16) -> Go {
        let end = usize::from(word) + usize::from(CHUNK);
        // bound: 8
        for index in usize::from(word)..end {
            self.state.set_word(index, 0);
        }
        if end < self.check.shape.words() {
            return match u16::try_from(end) {
                Ok(word) => Ok(Some(Stage::Clear(word))),
                Err(_) => self.breach(0, 0, Fault::Memory),
            };
        }
        Ok(Some(Stage::Scan { program: 0, address: 0 }))
    }

    /// Which tasks threads dispatch.
    pub(super) fn scan(&mut self, program: u8, address: u16) -> Go {
        if program >= self.image.programs() {
            return Ok(Some(Stage::Longest { program: 0, number: 0 }));
        }
        let Some(instruction) = self.image.instruction(program, address) else {
            return Ok(Some(Stage::Scan { program: program + 1, address: 0 }));
        };
        if let Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } = instruction {
            if task.0 >= self.check.shape.tasks {
                return self.breach(program, address, Fault::Unknown(Unknown::Shared));
            }
            self.state.set_dispatched(task.0);
        }
        self.check.length += 1;
        Ok(Some(Stage::Scan { program, address: address.saturating_add(1) }))
    }

    pub(super) fn longest(&mut self, program: u8, number: u8) -> Go {
        if program >= self.image.programs() {
            return Ok(Some(Stage::Completion { program: 0, index: 0, address: u16::MAX, furthest: 0 }));
        }
        let condition = self.image.condition(program, number);
        if let Some(Condition::Clock(duration)) = condition {
            self.check.longest = self.check.longest.max(self.duration(program, 0, duration)?);
        }
        Ok(Some(match condition.and(number.checked_add(1)) {
            Some(number) => Stage::Longest { program, number },
            None => Stage::Longest { program: program + 1, number: 0 },
        }))
    }

    /// When a completion comes depends on execution times, so the drivers of its entry may touch that task only. All
    /// instructions up to the last end of a way count.
    pub(super) fn completion(&mut self, program: u8, index: u8, address: u16, furthest: u16) -> Go {
        if program >= self.image.programs() {
            return Ok(Some(Stage::Begin(0)));
        }
        let Some((own, entry)) = self.image.completion(program, index) else {
            return Ok(Some(Stage::Completion {
                program: program + 1,
                index: 0,
                address: u16::MAX,
                furthest: 0,
            }));
        };
        let address = if address == u16::MAX { entry } else { address };
        let drivers = match self.image.instruction(program, address) {
            Some(Instruction::Call { driver }) => driver.0..driver.0.saturating_add(1),
            Some(Instruction::Calls { first, count }) => first.0..first.0.saturating_add(count.into()),
            // What is owed comes only after a job was in the way.
            Some(
                Instruction::Jump { address: to }
                | Instruction::Branch { address: to }
                | Instruction::Owed { address: to, .. },
            ) => {
                let furthest = furthest.max(to);
                return Ok(Some(Stage::Completion { program, index, address: address + 1, furthest }));
            }
            _ if address < furthest => 0..0,
            _ => {
                let index = index.saturating_add(1);
                return Ok(Some(Stage::Completion { program, index, address: u16::MAX, furthest: 0 }));
            }
        };
        // bound: 255, the largest count
        for driver in drivers {
            // bound: 8, the words with a bit for each task
            for word in 0..8 {
                let others = if word == own / 32 { !(1 << (own % 32)) } else { u32::MAX };
                if self.image.touched(driver, word) & others != 0 {
                    return self.breach(program, address, Fault::Unknown(Unknown::Moment));
                }
            }
        }
        Ok(Some(Stage::Completion { program, index, address: address + 1, furthest }))
    }

    /// A duration in ticks.
    pub(super) fn duration(&self, program: u8, address: u16, number: u8) -> Result<u32, Breach> {
        let ticks = self.image.duration(program, number).map_or(0, |duration| duration.ticks());
        match u32::try_from(ticks) {
            Ok(short) if ticks <= SPAN => Ok(short),
            _ => self.breach(program, address, Fault::Unknown(Unknown::Span)),
        }
    }

    /// The instruction at an address. The check of structure has seen to it that there is one.
    pub(super) fn instruction(&self, program: u8, address: u16) -> Instruction {
        self.image.instruction(program, address).unwrap_or(Instruction::Return {})
    }
}
