//! A program that is being written in the caller's memory.

use beryl_abi::Duration;

use super::{Unwritten, clock};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// Memory in which a program is put together; its initial content doesn't matter.
pub struct Workshop<'m> {
    /// For instructions.
    pub code: &'m mut [u32],
    /// For durations; a program has at most 255.
    pub durations: &'m mut [Duration],
    /// For conditions; a program has at most 255.
    pub conditions: &'m mut [Condition],
}

/// A program in a workshop.
pub(super) struct Draft<'m> {
    workshop: Workshop<'m>,
    code: usize,
    durations: usize,
    conditions: usize,
}

/// The most durations or conditions that a container can count.
const MOST: usize = 255;

impl<'m> Draft<'m> {
    /// Without instructions.
    pub fn new(workshop: Workshop<'m>) -> Draft<'m> {
        Draft { workshop, code: 0, durations: 0, conditions: 0 }
    }

    /// Appends an instruction; returns its position.
    pub fn put(&mut self, instruction: Instruction) -> Result<usize, Unwritten> {
        *self.workshop.code.get_mut(self.code).ok_or(Unwritten::Pools)? = instruction.encode();
        self.code += 1;
        Ok(self.code - 1)
    }

    /// Replaces the instruction at a position.
    pub fn replace(&mut self, place: usize, instruction: Instruction) {
        if let Some(word) = self.workshop.code.get_mut(place) {
            *word = instruction.encode();
        }
    }

    /// The address of the next instruction.
    pub fn here(&self) -> Result<u16, Unwritten> {
        u16::try_from(self.code).map_err(|_| Unwritten::Pools)
    }

    /// Adds a duration.
    pub fn add_duration(&mut self, duration: Duration) -> Result<(), Unwritten> {
        let place = self.workshop.durations.get_mut(self.durations).filter(|_| self.durations < MOST);
        *place.ok_or(Unwritten::Pools)? = duration;
        self.durations += 1;
        Ok(())
    }

    /// Adds a condition.
    pub fn add_condition(&mut self, condition: Condition) -> Result<(), Unwritten> {
        let place = self.workshop.conditions.get_mut(self.conditions).filter(|_| self.conditions < MOST);
        *place.ok_or(Unwritten::Pools)? = condition;
        self.conditions += 1;
        Ok(())
    }

    /// The number of the condition that this many ticks have passed since a thread's beginning.
    pub fn clock(&mut self, ticks: u32) -> Result<u8, Unwritten> {
        let duration = Duration::from_ticks(ticks.into());
        let known = self.durations().iter().position(|known| *known == duration);
        if known.is_none() {
            self.add_duration(duration)?;
        }
        let condition = clock(number(known.unwrap_or(self.durations - 1))?);
        let known = self.conditions().iter().position(|known| *known == condition);
        if known.is_none() {
            self.add_condition(condition)?;
        }
        number(known.unwrap_or(self.conditions - 1))
    }

    /// The instructions so far.
    pub fn code(&self) -> &[u32] {
        self.workshop.code.get(..self.code).unwrap_or_default()
    }

    /// The durations so far.
    pub fn durations(&self) -> &[Duration] {
        self.workshop.durations.get(..self.durations).unwrap_or_default()
    }

    /// The conditions so far.
    pub fn conditions(&self) -> &[Condition] {
        self.workshop.conditions.get(..self.conditions).unwrap_or_default()
    }
}

fn number(place: usize) -> Result<u8, Unwritten> {
    u8::try_from(place).map_err(|_| Unwritten::Pools)
}

/// An instruction of code that is moved by this many instructions.
pub(super) fn elsewhere(instruction: Instruction, moved: u16) -> Instruction {
    let there = |address: u16| address.saturating_add(moved);
    match instruction {
        Instruction::Future { delay, address } => Instruction::Future { delay, address: there(address) },
        Instruction::When { condition, address } => Instruction::When { condition, address: there(address) },
        Instruction::Next { round, address } => Instruction::Next { round, address: there(address) },
        Instruction::Beat { beat, address } => Instruction::Beat { beat, address: there(address) },
        Instruction::Jump { address } => Instruction::Jump { address: there(address) },
        Instruction::Branch { address } => Instruction::Branch { address: there(address) },
        Instruction::Late { task, address } => Instruction::Late { task, address: there(address) },
        Instruction::Owed { task, address } => Instruction::Owed { task, address: there(address) },
        Instruction::Offender { task, address } => Instruction::Offender { task, address: there(address) },
        Instruction::Fork { address } => Instruction::Fork { address: there(address) },
        Instruction::Change { address } => Instruction::Change { address: there(address) },
        other => other,
    }
}
