//! A walk once round a program: how often it releases tasks, and how soon it touches their ports.

use beryl_abi::Duration;

use super::super::time::{Breach, Fault, Image, Unknown};
use super::{CHUNK, Go, Numbers, Stage, Stop, Sum, Turn, What};
use crate::instruction::Instruction;
use crate::round::{Round, is_beat};

/// A walk through a program. It goes on until it reaches an address again (R. P. Brent's method), and twice
/// round from there: distances reach over the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Walk {
    program: u8,
    address: u16,
    /// Where it goes on, and when from now.
    next: Option<(u16, u32)>,
    /// Whether an event leads there, and whether one led to this instant: then that may come at any time from
    /// the next tick on.
    waits: bool,
    is_event: bool,
    /// The round's position; also at the earlier instant.
    position: u32,
    known_position: u32,
    /// How many instants its rounds have, or one.
    instants: u32,
    /// The address of an earlier instant, how many instants ago that was, and how many until it is replaced.
    known: u16,
    age: u32,
    limit: u32,
    /// How often the walk has reached that address.
    rounds: u8,
    /// How many steps it may still take; at first, how many its instructions take once each.
    left: u32,
}

impl Walk {
    /// At a program's start.
    pub const fn at(program: u8, address: u16, left: u32) -> Walk {
        Walk {
            program,
            address,
            next: None,
            waits: false,
            is_event: false,
            position: 0,
            known_position: 0,
            instants: 1,
            known: address,
            age: 0,
            limit: 1,
            rounds: 0,
            left,
        }
    }

    /// A breach at its current instruction.
    pub fn breach(&self, fault: Fault) -> Breach {
        Breach { program: self.program, address: self.address, at: 0, fault }
    }
}

/// A program whose instants have code of their own goes through that at most five times, if it has at most
/// one more instant before its cycle than in it. A program with rounds goes through its code as often at each
/// instant of its rounds. If many instants share code in another way, or many come before the cycle, it may
/// take longer: such a program isn't read to the end.
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

/// How many instants an instruction stands for: as many as its round has.
fn instants(image: &impl Image, program: u8, instruction: Instruction) -> u32 {
    let Instruction::Next { round, .. } = instruction else { return 0 };
    let round = image.condition(program, round);
    let round = round.and_then(|round| Round::of(round, |number| image.duration(program, number)));
    round.map_or(0, |round| round.most_instants())
}

/// The length of a program, and how many steps its instructions take, once each at each of its instants.
pub(super) fn size(image: &impl Image, program: u8) -> (u64, u64) {
    let words = (0..=u16::MAX).map_while(|address| image.instruction(program, address));
    let instants = words.clone().map(|word| u64::from(instants(image, program, word))).sum::<u64>().max(1);
    let end = [Instruction::Return {}];
    let sum = |(length, sum): (u64, u64), one| (length + 1, sum + u64::from(weight(one, image.tasks())));
    let (length, sum) = words.chain(end).fold((0, 0), sum);
    (length - 1, sum * instants)
}

impl<I: Image, N: Numbers + ?Sized> Turn<'_, '_, I, N> {
    /// Begins a program; after the last one, the ranks.
    pub(super) fn begin(&mut self, program: u8) -> Go {
        self.check.walk = Walk::at(program, 0, 0);
        if program < self.image.programs() {
            return self.to(Stage::Scan);
        }
        self.check.sum = Sum::of(What::Busy, 0, 0);
        self.to(Stage::Rank(0))
    }

    /// Counts how many steps the code takes, so that too many are noticed.
    pub(super) fn scan(&mut self) -> Go {
        let walk = &mut self.check.walk;
        let found = self.image.instruction(walk.program, walk.address);
        walk.left =
            walk.left.saturating_add(weight(found.unwrap_or(Instruction::Return {}), self.image.tasks()));
        if let Some(found) = found {
            let more = instants(self.image, walk.program, found);
            walk.instants = walk.instants.saturating_add(more);
        }
        if let (Some(_), Some(next)) = (found, walk.address.checked_add(1)) {
            walk.address = next;
            return Ok(());
        }
        let start = self.image.start(walk.program);
        let most = walk.left.saturating_mul(LAPS).saturating_mul(walk.instants);
        *walk = Walk::at(walk.program, start, most);
        self.to(Stage::Walk)
    }

    /// Counts another step of a program.
    fn count(&mut self) -> Go {
        let walk = &mut self.check.walk;
        match walk.left.checked_sub(1) {
            Some(left) => {
                walk.left = left;
                Ok(())
            }
            None => self.breach(Fault::Long),
        }
    }

    /// Goes on to another instruction of this instant.
    fn walk_to(&mut self, address: u16) -> Go {
        self.check.walk.address = address;
        self.to(Stage::Walk)
    }

    /// Goes on to the next instruction.
    fn walk_on(&mut self) -> Go {
        self.walk_to(self.check.walk.address.saturating_add(1))
    }

    /// Where the program goes on, and when from now; an event may come at any time from the next tick on.
    fn walk_later(&mut self, address: u16, delay: u32, waits: bool) -> Go {
        (self.check.walk.next, self.check.walk.waits) = (Some((address, delay)), waits);
        self.walk_on()
    }

    pub(super) fn walk(&mut self) -> Go {
        self.count()?;
        let Walk { program, address, next, is_event, waits, .. } = self.check.walk;
        if self.image.thread_places(program) > 0 || self.image.completion(program, 0).is_some() {
            return self.unknown(Unknown::Moment);
        }
        let unknown = match self.image.instruction(program, address).unwrap_or(Instruction::Return {}) {
            Instruction::Call { driver } => return self.touches(driver.0, 1),
            Instruction::Calls { first, count } => return self.touches(first.0, count),
            Instruction::Release { task, deadline } => return self.releases(task.0, 1, deadline),
            Instruction::Releases { first, deadline, count } => {
                return self.releases(first.0, count, deadline);
            }
            Instruction::Future { delay, address: to } if next.is_none() => {
                let delay = self.duration(delay)?;
                return self.walk_later(to, delay, waits);
            }
            Instruction::Next { round, address: to } if next.is_none() => {
                let next = self.round(round)?.next(self.check.walk.position);
                self.check.walk.position = next.position;
                return self.walk_later(to, next.ahead, waits);
            }
            Instruction::Beat { beat, address: to } => {
                let beat = Duration::from_ticks(self.duration(beat)?.into());
                return if is_beat(self.check.walk.position, beat) {
                    self.walk_on()
                } else {
                    self.walk_to(to)
                };
            }
            Instruction::Round {} => {
                self.check.walk.position = 0;
                return self.walk_on();
            }
            Instruction::Phase { .. } | Instruction::Period {} => return self.walk_on(),
            Instruction::Jump { address } => return self.walk_to(address),
            // A program that lets time pass before it waits again keeps events apart, whatever their source
            // does.
            Instruction::When { .. } if is_event => Unknown::Event,
            Instruction::When { address: to, .. } if next.is_none() => return self.walk_later(to, 1, true),
            Instruction::Return {} => {
                let Some((address, _)) = next else { return self.to(Stage::Forget(0)) };
                let walk = &mut self.check.walk;
                (walk.address, walk.is_event, walk.waits) = (address, waits, false);
                return self.to(Stage::Pass(0));
            }
            Instruction::Branch { .. } | Instruction::Late { .. } => Unknown::Guard,
            _ => Unknown::Moment,
        };
        self.unknown(unknown)
    }

    fn touches(&mut self, first: u16, count: u8) -> Go {
        self.to(Stage::Touch { driver: first, end: first.saturating_add(count.into()) })
    }

    fn releases(&mut self, first: u8, count: u8, deadline: u8) -> Go {
        self.to(Stage::Release { task: first, end: first.saturating_add(count), deadline })
    }

    /// Time passes up to the next instant; or the program ends, and its releases are forgotten.
    pub(super) fn pass(&mut self, first: u8, is_end: bool) -> Go {
        let Walk { next, program, .. } = self.check.walk;
        let delay = next.map_or(0, |(_, delay)| delay);
        if !is_end {
            self.count()?;
        }
        // bound: 8
        for ahead in 0..CHUNK {
            let task = first.saturating_add(ahead);
            if task >= self.image.tasks() {
                return if is_end { self.begin(program + 1) } else { self.next_instant() };
            }
            let since = self.paces.word(task, SINCE);
            let is_known = since > 0 && !is_end;
            self.paces.set(task, SINCE, if is_known { since.saturating_add(delay) } else { 0 });
        }
        let task = first.saturating_add(CHUNK);
        self.to(if is_end { Stage::Forget(task) } else { Stage::Pass(task) })
    }

    /// The next instant has come.
    fn next_instant(&mut self) -> Go {
        let walk = &mut self.check.walk;
        walk.next = None;
        walk.age = walk.age.saturating_add(1);
        if (walk.address, walk.position) == (walk.known, walk.known_position) {
            walk.rounds += 1;
        } else if walk.rounds == 0 && walk.age == walk.limit {
            (walk.known, walk.known_position) = (walk.address, walk.position);
            (walk.age, walk.limit) = (0, walk.limit.saturating_mul(2));
        }
        // It is now known to cycle; then once more from there, over the end.
        let goes_on = walk.rounds < 2;
        self.to(if goes_on { Stage::Walk } else { Stage::Forget(0) })
    }

    /// A driver touches the ports of tasks that were released this long ago: their jobs have to be done by
    /// then.
    pub(super) fn touch(&mut self, driver: u16, end: u16) -> Go {
        self.count()?;
        if driver >= end {
            return self.walk_on();
        }
        // bound: 8, the words with a bit for each task
        for word in 0..self.image.tasks().div_ceil(32) {
            let mut touched = self.image.touched(driver, word);
            // bound: 32, the bits of a word
            while touched != 0 {
                let task = word.wrapping_mul(32).wrapping_add(touched.trailing_zeros() as u8);
                self.must_be_done(task)?;
                touched &= touched - 1;
            }
        }
        match driver + 1 < end {
            true => self.to(Stage::Touch { driver: driver + 1, end }),
            false => self.walk_on(),
        }
    }

    /// A task is released.
    pub(super) fn release(&mut self, task: u8, end: u8, deadline: u8) -> Go {
        self.count()?;
        if task >= end {
            return self.walk_on();
        }
        if task >= self.image.tasks() {
            return self.unknown(Unknown::Shared);
        }
        self.must_be_done(task)?;
        let given = self.duration(deadline)?;
        if let Some(since) = self.paces.word(task, SINCE).checked_sub(1) {
            self.paces.lower(task, PERIOD, since);
        }
        self.paces.lower(task, DEADLINE, given);
        self.paces.set(task, GIVEN, given);
        self.paces.set(task, SINCE, 1);
        match task + 1 < end {
            true => self.to(Stage::Release { task: task + 1, end, deadline }),
            false => self.walk_on(),
        }
    }

    /// A job has to be done by now, so its deadline, which decides what goes first, mustn't be later. The
    /// distance between two programs that touch one task isn't known.
    fn must_be_done(&mut self, task: u8) -> Go {
        let (owner, own) = (self.paces.word(task, OWNER), u32::from(self.check.walk.program) + 1);
        self.paces.set(task, OWNER, own);
        if owner != 0 && owner != own {
            return self.unknown(Unknown::Shared);
        }
        match self.paces.word(task, SINCE).checked_sub(1) {
            Some(since) if since < self.paces.word(task, GIVEN) => self.breach(Fault::Safety(task)),
            _ => Ok(()),
        }
    }

    fn round(&self, number: u8) -> Result<Round, Stop> {
        let condition = self.image.condition(self.check.walk.program, number);
        let ticks = |number| self.duration(number).ok().map(|ticks| Duration::from_ticks(ticks.into()));
        match condition.and_then(|condition| Round::of(condition, ticks)) {
            Some(round) => Ok(round),
            None => self.unknown(Unknown::Span),
        }
    }

    fn duration(&self, number: u8) -> Result<u32, Stop> {
        let ticks =
            self.image.duration(self.check.walk.program, number).map_or(0, |duration| duration.ticks());
        match u32::try_from(ticks) {
            Ok(short) if short <= 1 << 30 => Ok(short),
            _ => self.unknown(Unknown::Span),
        }
    }
}
