//! Writing instructions, with pools and addresses.

use beryl_abi::{Duration, ThreadId};
use beryl_assembler::Program;
use beryl_syscode::{Condition, Instruction};

use crate::error::GenerateError;
use crate::tasks::TaskSet;

/// A program that is being written.
pub(crate) struct Emitter {
    program: Program,
}

/// Where an address is filled in later.
#[derive(Clone, Copy)]
pub(crate) struct Hole(usize);

impl Emitter {
    /// A program with the names of a set: tasks, then the drivers of their outputs, then those of their inputs.
    pub fn new(set: &TaskSet) -> Result<Emitter, GenerateError> {
        if set.tasks.len() > 255 {
            return Err(GenerateError::Many { what: "tasks", most: 255 });
        }
        let names =
            |prefix: &str| set.tasks.iter().map(|task| format!("{prefix}{}", task.name)).collect::<Vec<_>>();
        let program = Program {
            module: set.module.clone(),
            tasks: names(""),
            drivers: [names("out "), names("in ")].concat(),
            trigger_places: 1,
            ..Program::default()
        };
        Ok(Emitter { program })
    }

    /// Forks of so many threads, whose addresses come later.
    pub fn forks(&mut self, threads: usize) -> Result<Vec<Hole>, GenerateError> {
        let places = u8::try_from(threads).ok().filter(|threads| *threads <= 63);
        self.program.thread_places = places.ok_or(GenerateError::Many { what: "threads", most: 63 })?;
        Ok((0..threads).map(|_| self.put(Instruction::Fork { address: 0 })).collect())
    }

    /// Writes an instruction.
    pub fn put(&mut self, instruction: Instruction) -> Hole {
        self.program.code.push(instruction.encode());
        Hole(self.program.code.len() - 1)
    }

    /// The address of the next instruction.
    pub fn here(&self) -> u16 {
        u16::try_from(self.program.code.len()).unwrap_or(u16::MAX)
    }

    /// Fills in an address.
    pub fn fill(&mut self, hole: Hole, to: u16) {
        let Some(word) = self.program.code.get_mut(hole.0) else { return };
        *word = match Instruction::decode(*word) {
            Some(Instruction::Fork { .. }) => Instruction::Fork { address: to }.encode(),
            Some(Instruction::Jump { .. }) => Instruction::Jump { address: to }.encode(),
            Some(Instruction::Future { delay, .. }) => Instruction::Future { delay, address: to }.encode(),
            _ => *word,
        };
    }

    /// A duration's number.
    pub fn duration(&mut self, ticks: u64) -> Result<u8, GenerateError> {
        let number = self.program.duration(Duration::from_ticks(ticks));
        number.ok_or(GenerateError::Many { what: "different times", most: 255 })
    }

    /// The number of the condition that so long has passed since a thread's reference time.
    pub fn clock(&mut self, ticks: u64) -> Result<u8, GenerateError> {
        let duration = self.duration(ticks)?;
        let number = self.program.condition(Condition::Clock(duration));
        number.ok_or(GenerateError::Many { what: "different times", most: 255 })
    }

    /// Dispatches tasks one after the other, up to an instant, and idles until then.
    pub fn block(&mut self, tasks: &[usize], until: u64) -> Result<(), GenerateError> {
        let clock = self.clock(until)?;
        let tasks: Vec<_> = tasks.iter().map(|task| task_id(*task)).collect();
        let block = beryl_syscode::generate::block(&tasks, clock);
        let block = block.ok_or(GenerateError::Many { what: "tasks at one instant", most: 255 })?;
        for instruction in block {
            self.put(instruction);
        }
        Ok(())
    }

    /// Begins again at the next hyperperiod. The code before ends at it.
    pub fn again(&mut self, begin: u16) {
        self.put(Instruction::Fork { address: begin });
        self.put(Instruction::Return {});
    }

    /// The program.
    pub fn finish(self) -> Result<Program, GenerateError> {
        match self.program.code.len() {
            0..=65535 => Ok(self.program),
            _ => Err(GenerateError::Many { what: "instructions", most: 65535 }),
        }
    }
}

/// A task's identity; there are at most 255.
pub(crate) fn task_id(task: usize) -> ThreadId {
    ThreadId(u8::try_from(task).unwrap_or(u8::MAX))
}
