//! Reading a program once round: how often it releases tasks, and how soon it touches their ports.

use super::super::time::{Fault, Image, Unknown};
use super::{CHUNK, Go, Numbers, Refusal, Stage, Turn};
use crate::instruction::Instruction;

/// Where a program is read. It goes round until it comes to an address again (R. P. Brent's method), and twice round from there: distances
/// reach over the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    program: u8,
    address: u16,
    /// Where it goes on, and when from now.
    next: Option<(u16, u32)>,
    /// Whether that is an event's doing, and whether this instant is: then it may come at any time from the next tick on.
    waits: bool,
    is_event: bool,
    /// The address of an earlier instant, how many instants ago that was, and how many until it's replaced.
    known: u16,
    age: u32,
    limit: u32,
    /// How often the address was come to.
    rounds: u8,
    /// How many steps it may still take.
    left: u32,
}

/// A program whose instants have code of their own goes through it at most five times, if it has at most one more instant before it
/// goes round than it has there. Where many instants share code, or many come before, it may take longer: such a program isn't read to the end.
pub const LAPS: u32 = 8;

/// The field of the time since the last release, plus one; zero before the first.
const SINCE: usize = 0;
const PERIOD: usize = 1;
const DEADLINE: usize = 2;
/// The deadline of the last release.
const GIVEN: usize = 3;
/// The program that touches it, plus one.
const OWNER: usize = 4;

/// How many steps an instruction takes each time.
fn weight(instruction: Instruction, tasks: u8) -> u32 {
    match instruction {
        Instruction::Call { .. } | Instruction::Release { .. } => 2,
        Instruction::Calls { count, .. } | Instruction::Releases { count, .. } => 1 + u32::from(count.max(1)),
        Instruction::Return {} => 2 + u32::from(tasks / CHUNK),
        _ => 1,
    }
}

/// The length of a program, and how many steps its instructions take, each once.
pub(super) fn size(image: &impl Image, program: u8) -> (u64, u64) {
    let words = (0..=u16::MAX).map_while(|address| image.instruction(program, address));
    let end = [Instruction::Return {}];
    let sum = |(length, sum): (u64, u64), one| (length + 1, sum + u64::from(weight(one, image.tasks())));
    let (length, sum) = words.chain(end).fold((0, 0), sum);
    (length - 1, sum)
}

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    /// The beginning of a program; the ranks behind the last.
    pub(super) fn begin(&self, program: u8) -> Stage {
        match program < self.image.programs() {
            true => Stage::Scan { program, address: 0, weight: 0 },
            false => Stage::Rank { rank: 0, task: 0 },
        }
    }

    /// Counts how many steps the code takes, so that it's known when it takes too many.
    pub(super) fn scan(&mut self, program: u8, address: u16, so_far: u32) -> Go {
        let found = self.image.instruction(program, address);
        let so_far =
            so_far.saturating_add(weight(found.unwrap_or(Instruction::Return {}), self.image.tasks()));
        if let (Some(_), Some(address)) = (found, address.checked_add(1)) {
            return Ok(Some(Stage::Scan { program, address, weight: so_far }));
        }
        let address = self.image.start(program);
        let left = so_far.saturating_mul(LAPS);
        Ok(Some(Stage::Walk(Walk {
            program,
            address,
            next: None,
            waits: false,
            is_event: false,
            known: address,
            age: 0,
            limit: 1,
            rounds: 0,
            left,
        })))
    }

    /// Another step of a program.
    fn count(&self, walk: &mut Walk) -> Result<(), Refusal> {
        match walk.left.checked_sub(1) {
            Some(left) => {
                walk.left = left;
                Ok(())
            }
            None => self.breach(walk.program, walk.address, Fault::Long),
        }
    }

    pub(super) fn walk(&mut self, mut walk: Walk) -> Go {
        self.count(&mut walk)?;
        let Walk { program, address, .. } = walk;
        if self.image.thread_places(program) > 0 || self.image.completion(program, 0).is_some() {
            return self.unknown(program, address, Unknown::Moment);
        }
        let next = address.saturating_add(1);
        match self.image.instruction(program, address).unwrap_or(Instruction::Return {}) {
            Instruction::Call { driver } => {
                return Ok(Some(Stage::Touch { walk, driver: driver.0, end: driver.0.saturating_add(1) }));
            }
            Instruction::Calls { first, count } => {
                return Ok(Some(Stage::Touch {
                    walk,
                    driver: first.0,
                    end: first.0.saturating_add(count.into()),
                }));
            }
            Instruction::Release { task, deadline } => {
                return Ok(Some(Stage::Release {
                    walk,
                    task: task.0,
                    end: task.0.saturating_add(1),
                    deadline,
                }));
            }
            Instruction::Releases { first, deadline, count } => {
                let end = first.0.saturating_add(count);
                return Ok(Some(Stage::Release { walk, task: first.0, end, deadline }));
            }
            Instruction::Future { delay, address: to } => {
                if walk.next.is_some() {
                    return self.unknown(program, address, Unknown::Moment);
                }
                walk.next = Some((to, self.duration(program, address, delay)?));
                walk.address = next;
            }
            Instruction::Phase { .. } | Instruction::Period {} => walk.address = next,
            Instruction::Jump { address } => walk.address = address,
            Instruction::Branch { .. } | Instruction::Late { .. } => {
                return self.unknown(program, address, Unknown::Guard);
            }
            // A program that lets time pass before it waits again keeps events apart, whatever their source does.
            Instruction::When { .. } if walk.is_event => {
                return self.unknown(program, address, Unknown::Event);
            }
            Instruction::When { address: to, .. } => {
                if walk.next.is_some() {
                    return self.unknown(program, address, Unknown::Moment);
                }
                (walk.next, walk.waits, walk.address) = (Some((to, 1)), true, next);
            }
            Instruction::Return {} => {
                return Ok(Some(match walk.next.take() {
                    Some((address, delay)) => {
                        let walk = Walk { address, is_event: walk.waits, waits: false, ..walk };
                        Stage::Pass { walk, delay, task: 0 }
                    }
                    None => Stage::Forget { program, task: 0 },
                }));
            }
            _ => return self.unknown(program, address, Unknown::Moment),
        }
        Ok(Some(Stage::Walk(walk)))
    }

    /// Time passes up to the next instant.
    pub(super) fn pass(&mut self, mut walk: Walk, delay: u32, task: u8) -> Go {
        self.count(&mut walk)?;
        // bound: 8
        for ahead in 0..CHUNK {
            let task = task.saturating_add(ahead);
            if task >= self.image.tasks() {
                return Ok(Some(self.next_instant(walk)));
            }
            let since = self.paces.word(task, SINCE);
            self.paces.set(task, SINCE, if since == 0 { 0 } else { since.saturating_add(delay) });
        }
        Ok(Some(Stage::Pass { walk, delay, task: task.saturating_add(CHUNK) }))
    }

    /// The next instant has come.
    fn next_instant(&mut self, mut walk: Walk) -> Stage {
        walk.age = walk.age.saturating_add(1);
        if walk.address == walk.known {
            walk.rounds += 1;
        } else if walk.rounds == 0 && walk.age == walk.limit {
            (walk.known, walk.age, walk.limit) = (walk.address, 0, walk.limit.saturating_mul(2));
        }
        // The first time it's known that it goes round; then once more from there, over the end.
        match walk.rounds < 2 {
            true => Stage::Walk(walk),
            false => Stage::Forget { program: walk.program, task: 0 },
        }
    }

    /// Programs don't know of each other's releases.
    pub(super) fn forget(&mut self, program: u8, task: u8) -> Go {
        // bound: 8
        for ahead in 0..CHUNK {
            let task = task.saturating_add(ahead);
            if task >= self.image.tasks() {
                return Ok(Some(self.begin(program + 1)));
            }
            self.paces.set(task, SINCE, 0);
        }
        Ok(Some(Stage::Forget { program, task: task.saturating_add(CHUNK) }))
    }

    /// So long ago was a task released whose ports are touched: its job has to be done by then.
    pub(super) fn touch(&mut self, mut walk: Walk, driver: u16, end: u16) -> Go {
        let next = walk.address.saturating_add(1);
        self.count(&mut walk)?;
        if driver >= end {
            return Ok(Some(Stage::Walk(Walk { address: next, ..walk })));
        }
        // bound: 8, the words with a bit for each task
        for word in 0..self.image.tasks().div_ceil(32) {
            let mut touched = self.image.touched(driver, word);
            // bound: 32, the bits of a word
            while touched != 0 {
                let task = word.wrapping_mul(32).wrapping_add(touched.trailing_zeros() as u8);
                self.must_be_done(walk.program, walk.address, task)?;
                touched &= touched - 1;
            }
        }
        Ok(Some(match driver + 1 < end {
            true => Stage::Touch { walk, driver: driver + 1, end },
            false => Stage::Walk(Walk { address: next, ..walk }),
        }))
    }

    /// A task is released.
    pub(super) fn release(&mut self, mut walk: Walk, task: u8, end: u8, deadline: u8) -> Go {
        let next = walk.address.saturating_add(1);
        self.count(&mut walk)?;
        if task >= end {
            return Ok(Some(Stage::Walk(Walk { address: next, ..walk })));
        }
        let Walk { program, address, .. } = walk;
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
        Ok(Some(match task + 1 < end {
            true => Stage::Release { walk, task: task + 1, end, deadline },
            false => Stage::Walk(Walk { address: next, ..walk }),
        }))
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
                self.breach(program, address, Fault::Safety(task))
            }
            _ => Ok(()),
        }
    }

    fn duration(&self, program: u8, address: u16, number: u8) -> Result<u32, Refusal> {
        let ticks = self.image.duration(program, number).map_or(0, |duration| duration.ticks());
        match u32::try_from(ticks) {
            Ok(short) if short <= 1 << 30 => Ok(short),
            _ => self.unknown(program, address, Unknown::Span),
        }
    }
}
