//! Reading a program once round: how often it releases tasks, and how soon it touches their ports.

use super::super::time::{Fault, Image, Unknown};
use super::{Breach, Go, Refusal, Stage, Turn};
use crate::instruction::Instruction;

/// Where a program is read. It goes round until it comes to an address again (R. P. Brent's method), and twice round from there: distances
/// reach over the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    program: u8,
    address: u16,
    /// Where it goes on, and when from now.
    next: Option<(u16, u32)>,
    /// The address of an earlier instant, how many instants ago that was, and how many until it's replaced.
    known: u16,
    age: u32,
    limit: u32,
    /// How often the address was come to.
    rounds: u8,
}

/// The field of the time since the last release, plus one; zero before the first.
const SINCE: usize = 0;
const PERIOD: usize = 1;
const DEADLINE: usize = 2;
/// The deadline of the last release.
const GIVEN: usize = 3;
/// The program that touches it, plus one.
const OWNER: usize = 4;

impl<I: Image> Turn<'_, '_, I> {
    /// The beginning of a program; the ranks behind the last.
    pub(super) fn begin(&self, program: u8) -> Stage {
        if program >= self.image.programs() {
            return Stage::Rank(0);
        }
        let address = self.image.start(program);
        Stage::Walk(Walk { program, address, next: None, known: address, age: 0, limit: 1, rounds: 0 })
    }

    pub(super) fn walk(&mut self, mut walk: Walk) -> Go {
        let Walk { program, address, .. } = walk;
        if self.image.thread_places(program) > 0 || self.image.completion(program, 0).is_some() {
            return self.unknown(program, address, Unknown::Moment);
        }
        walk.address = address.saturating_add(1);
        match self.image.instruction(program, address).unwrap_or(Instruction::Return {}) {
            Instruction::Call { driver } => {
                self.touch(program, address, driver.0..driver.0.saturating_add(1))?
            }
            Instruction::Calls { first, count } => {
                self.touch(program, address, first.0..first.0.saturating_add(count.into()))?;
            }
            Instruction::Release { task, deadline } => self.release(program, address, task.0, deadline)?,
            Instruction::Releases { first, deadline, count } => {
                // bound: 255, the largest count
                for task in first.0..first.0.saturating_add(count) {
                    self.release(program, address, task, deadline)?;
                }
            }
            Instruction::Future { delay, address: to } => {
                if walk.next.is_some() {
                    return self.unknown(program, address, Unknown::Moment);
                }
                walk.next = Some((to, self.duration(program, address, delay)?));
            }
            Instruction::Phase { .. } | Instruction::Period {} => {}
            Instruction::Jump { address } => walk.address = address,
            Instruction::Branch { .. } => return self.unknown(program, address, Unknown::Guard),
            Instruction::When { .. } => return self.unknown(program, address, Unknown::Event),
            Instruction::Return {} => return Ok(Some(self.next_instant(walk))),
            _ => return self.unknown(program, address, Unknown::Moment),
        }
        Ok(Some(Stage::Walk(walk)))
    }

    /// The next instant, or the next program.
    fn next_instant(&mut self, mut walk: Walk) -> Stage {
        let Some((address, delay)) = walk.next.take() else { return self.forget(walk) };
        // bound: CHECKED_TASKS
        for task in 0..self.image.tasks() {
            let since = self.paces.word(task, SINCE);
            self.paces.set(task, SINCE, if since == 0 { 0 } else { since.saturating_add(delay) });
        }
        walk.address = address;
        walk.age += 1;
        if address == walk.known {
            walk.rounds += 1;
        } else if walk.rounds == 0 && walk.age == walk.limit {
            (walk.known, walk.age, walk.limit) = (address, 0, walk.limit.saturating_mul(2));
        }
        // The first time it's known that it goes round; then once more from there, over the end.
        if walk.rounds < 2 { Stage::Walk(walk) } else { self.forget(walk) }
    }

    /// Programs don't know of each other's releases.
    fn forget(&mut self, walk: Walk) -> Stage {
        // bound: CHECKED_TASKS
        for task in 0..self.image.tasks() {
            self.paces.set(task, SINCE, 0);
        }
        self.begin(walk.program + 1)
    }

    /// So long ago was a task released whose ports are touched: its job has to be done by then.
    fn touch(&mut self, program: u8, address: u16, drivers: core::ops::Range<u16>) -> Result<(), Refusal> {
        // bound: 255, the largest count
        for driver in drivers {
            // bound: 8, the words with a bit for each task
            for word in 0..self.image.tasks().div_ceil(32) {
                let mut touched = self.image.touched(driver, word);
                // bound: 32, the bits of a word
                while touched != 0 {
                    self.must_be_done(program, address, word * 32 + touched.trailing_zeros() as u8)?;
                    touched &= touched - 1;
                }
            }
        }
        Ok(())
    }

    /// A job has to be done by now: its deadline, by which the earliest goes first, mustn't lie behind. How far apart two programs
    /// touch one task isn't known.
    fn must_be_done(&mut self, program: u8, address: u16, task: u8) -> Result<(), Refusal> {
        let owner = self.paces.word(task, OWNER);
        self.paces.set(task, OWNER, u32::from(program) + 1);
        if owner != 0 && owner != u32::from(program) + 1 {
            return self.unknown(program, address, Unknown::Shared);
        }
        match self.paces.word(task, SINCE).checked_sub(1) {
            Some(since) if since < self.paces.word(task, GIVEN) => {
                Err(Refusal::Code(Breach { program, address, at: 0, fault: Fault::Safety(task) }))
            }
            _ => Ok(()),
        }
    }

    fn release(&mut self, program: u8, address: u16, task: u8, deadline: u8) -> Result<(), Refusal> {
        if task >= self.image.tasks() {
            return self.unknown(program, address, Unknown::Shared);
        }
        self.must_be_done(program, address, task)?;
        let given = self.duration(program, address, deadline)?;
        if let Some(since) = self.paces.word(task, SINCE).checked_sub(1) {
            self.paces.set(task, PERIOD, self.paces.word(task, PERIOD).min(since));
        }
        self.paces.set(task, DEADLINE, self.paces.word(task, DEADLINE).min(given));
        self.paces.set(task, GIVEN, given);
        self.paces.set(task, SINCE, 1);
        Ok(())
    }

    fn duration(&self, program: u8, address: u16, number: u8) -> Result<u32, Refusal> {
        let ticks = self.image.duration(program, number).map_or(0, |duration| duration.ticks());
        match u32::try_from(ticks) {
            Ok(short) if short <= 1 << 30 => Ok(short),
            _ => self.unknown(program, address, Unknown::Span),
        }
    }
}
