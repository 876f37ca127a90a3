//! Weight: what a program takes at one instant, on the heaviest way through its code. The check of time
//! counts this as lost at each instant, so no instant may take more.
//!
//! ```text
//!   Clear --> Weigh --> the most that an instant takes
//!     memory     one pass forward: the most taken on
//!     empty      any way to each instruction
//! ```
//!
//! This works for programs with one trigger, whose instants are one activation each: inside an activation
//! jumps only go forward, and the code after a `phase` belongs to the same instant. `change` would begin
//! another activation there and then, so a program with a `change` is too heavy. Steps: an instruction, or a
//! driver of a run. Memory: one word for each instruction.
//!
//! An event (`when`) may come right after an instant on time, but two events never come without such an
//! instant in between (`demand`): so with events, twice the heaviest instant counts.
//!
//! The work of threads of S code at an instant comes on top. Each may cycle once (see `structure`), so every
//! instruction of threads counts twice for each place. If a single thread waits for one time after the other,
//! the heaviest block counts twice and the first once ([`blocks`]). The code after a `fork`, `idle` or
//! `dispatch` belongs to threads. A fork to earlier code that doesn't belong to threads makes a program too
//! heavy.
//!
//! The program must have passed the check of [structure](super::structure).

mod blocks;

use super::time::{Image, Parts};
use crate::container::Container;
use crate::instruction::Instruction;

use blocks::Blocks;

/// The costs of instructions, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Costs<'a> {
    /// Each driver of the image, including all the kernel's work for it.
    pub drivers: &'a [u32],
    /// Any other instruction; twice that for a phase, which is left and entered again. Releases are part of
    /// their jobs, and so is a thread's work when one is complete.
    pub instruction: u32,
    /// The most that an instant may take.
    pub most: u32,
    /// The part of it that threads may take: they may do as much again after each completion of a job.
    pub threads: u32,
}

impl Costs<'_> {
    /// The cost of an instruction; for a run of drivers, of the one at a position. `change` begins another
    /// activation there and then, so it takes more than any instant may.
    #[must_use]
    pub fn own(&self, instruction: Instruction, position: u8) -> u32 {
        match instruction {
            Instruction::Call { driver } => self.driver(driver.0),
            Instruction::Calls { first, .. } => self.driver(first.0.saturating_add(position.into())),
            Instruction::Release { .. } | Instruction::Releases { .. } => 0,
            Instruction::Phase { .. } => self.instruction.saturating_mul(2),
            Instruction::Change { .. } => u32::MAX,
            Instruction::When { .. } => self.instruction.saturating_mul(EVENT),
            _ => self.instruction,
        }
    }

    /// The most that an instant may take: a word of the memory has one bit less.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.most.min(THREAD - 1)
    }

    fn driver(&self, number: u16) -> u32 {
        self.drivers.get(usize::from(number)).copied().unwrap_or(u32::MAX)
    }
}

/// How far the check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    stage: Stage,
    /// The heaviest instant so far, without threads.
    most: u32,
    /// The most that threads do at an instant if they cycle once.
    threads: u32,
    blocks: Blocks,
    /// An instruction that waits for an event, if there is one.
    event: Option<u16>,
}

/// Steps of waiting for an event: the instruction, the interrupt, the trigger that it makes due, and the look
/// at that.
const EVENT: u32 = 4;

/// Stored with the heaviest way to an instruction: threads come there.
const THREAD: u32 = 1 << 31;
/// Stored likewise: nothing leads there, so nothing follows about where it would lead.
const UNREACHED: u32 = 1 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Clear(u16),
    /// At an instruction, with the number of drivers of its run that are weighed, and their weight.
    Weigh {
        address: u16,
        position: u8,
        run: u32,
    },
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighed {
    /// There is more to do.
    Again,
    /// No instant takes more than this.
    Most(u32),
    /// At this instruction, an instant may take more than allowed.
    TooHeavy(u16),
}

impl Weight {
    /// Before the first step.
    pub const BEGIN: Weight =
        Weight { stage: Stage::Clear(0), most: 0, threads: 0, blocks: Blocks::NONE, event: None };

    /// One step. Code without memory is too heavy. At the beginning `memory` is as the check of structure
    /// left it: zero for unreachable instructions. Code that was not checked has nonzero words everywhere.
    pub fn step(&mut self, container: &Container<'_>, costs: &Costs<'_>, memory: &mut [u32]) -> Weighed {
        self.step_for::<Parts<'_>>(container, costs, memory)
    }

    /// One step, for programs of one kind of image. If that is one without threads, programs with places for
    /// them must have been refused before.
    pub fn step_for<I: Image>(
        &mut self,
        container: &Container<'_>,
        costs: &Costs<'_>,
        memory: &mut [u32],
    ) -> Weighed {
        match self.stage {
            Stage::Clear(address) => {
                let is_inside = usize::from(address) < container.length();
                match memory.get_mut(usize::from(address)) {
                    Some(word) => *word = if *word == 0 { UNREACHED } else { 0 },
                    None if is_inside => return Weighed::TooHeavy(address),
                    None => {}
                }
                self.stage = match is_inside {
                    true => Stage::Clear(address.saturating_add(1)),
                    false => Stage::Weigh { address: 0, position: 0, run: 0 },
                };
                Weighed::Again
            }
            Stage::Weigh { address, position, run } => {
                let before = memory.get(usize::from(address)).copied();
                let (Some(instruction), Some(mark)) = (container.decoded(address.into()), before) else {
                    return self.weighed::<I>(container, costs);
                };
                let own = run.saturating_add(costs.own(instruction, position));
                match (instruction, position.saturating_add(1)) {
                    (Instruction::Calls { count, .. }, next) if next < count => {
                        self.stage = Stage::Weigh { address, position: next, run: own };
                    }
                    _ if mark & UNREACHED != 0 => {
                        self.stage = Stage::Weigh { address: address.saturating_add(1), position: 0, run: 0 };
                    }
                    _ => {
                        if !self.weigh::<I>(container, address, instruction, own, mark, memory)
                            || self.most > costs.limit()
                        {
                            return Weighed::TooHeavy(address);
                        }
                        self.stage = Stage::Weigh { address: address.saturating_add(1), position: 0, run: 0 };
                    }
                }
                Weighed::Again
            }
        }
    }

    /// Weighs an instruction with all of its run; returns whether that is possible.
    fn weigh<I: Image>(
        &mut self,
        container: &Container<'_>,
        address: u16,
        instruction: Instruction,
        own: u32,
        mark: u32,
        memory: &mut [u32],
    ) -> bool {
        // Without places, no instruction belongs to threads: otherwise unreachable code could claim so of
        // reachable code.
        let has_threads = I::HAS_THREADS && container.thread_places() > 0;
        let is_threads = has_threads && mark & THREAD != 0;
        if let Instruction::When { .. } = instruction {
            self.event = Some(address);
        }
        let weight = if is_threads { 0 } else { mark.saturating_add(own) };
        self.most = self.most.max(weight);
        if has_threads {
            if is_threads {
                let times = u32::from(container.thread_places()).saturating_mul(2);
                self.threads = self.threads.saturating_add(own.saturating_mul(times));
            }
            self.blocks.take(address, instruction, own, is_threads, container);
        }
        let is_known = !has_threads || leads_to_threads(address, instruction, memory);
        if self.most.saturating_add(self.threads) >= UNREACHED || !is_known {
            return false;
        }
        let next = address.saturating_add(1);
        let (follows, target) = match instruction {
            Instruction::Return {} => (false, next),
            Instruction::Jump { address } => (false, address),
            Instruction::Branch { address }
            | Instruction::Late { address, .. }
            | Instruction::Beat { address, .. }
            | Instruction::Owed { address, .. } => (true, address),
            Instruction::DispatchUntil { otherwise, .. } => (true, next.saturating_add(otherwise.into())),
            _ => (true, next),
        };
        let begins = has_threads && (is_threads || begins_thread(instruction));
        let mark = if begins { THREAD } else { weight };
        let mut raise = |to: u16| {
            if let Some(known) = memory.get_mut(usize::from(to)).filter(|known| **known & UNREACHED == 0) {
                *known = mark.max(*known);
            }
        };
        if follows {
            raise(next);
        }
        if !matches!(instruction, Instruction::Return {}) {
            raise(target);
        }
        true
    }

    /// The sum of all instructions. An event may come right after another instant, so if there are events,
    /// two instants together may take no more than one. Threads that take too much do so at the last
    /// instruction.
    fn weighed<I: Image>(&self, container: &Container<'_>, costs: &Costs<'_>) -> Weighed {
        let is_alone = I::HAS_THREADS && container.thread_places() == 1;
        let threads =
            self.blocks.most().filter(|_| is_alone).map_or(self.threads, |most| most.min(self.threads));
        let times = if self.event.is_some() { 2 } else { 1 };
        let most = self.most.saturating_mul(times).saturating_add(threads);
        match most > costs.limit() || threads > costs.threads {
            true => Weighed::TooHeavy(self.event.unwrap_or((container.length() as u16).saturating_sub(1))),
            false => Weighed::Most(most),
        }
    }

    /// Weighs a whole program; see [`Weight::step`] for the memory.
    ///
    /// # Errors
    /// The instruction at which an instant may take too much.
    pub fn run(
        mut self,
        container: &Container<'_>,
        costs: &Costs<'_>,
        memory: &mut [u32],
    ) -> Result<u32, u16> {
        // bound: two steps an instruction, and one a driver of a run
        loop {
            match self.step(container, costs, memory) {
                Weighed::Again => {}
                Weighed::Most(most) => return Ok(most),
                Weighed::TooHeavy(address) => return Err(address),
            }
        }
    }
}

/// Whether the code after an instruction belongs to a thread.
fn begins_thread(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Dispatch { .. } | Instruction::DispatchUntil { .. } | Instruction::Idle { .. }
    )
}

/// Marks the target of a fork as a thread's; returns whether that is possible: earlier code is weighed
/// already.
fn leads_to_threads(address: u16, instruction: Instruction, memory: &mut [u32]) -> bool {
    let Instruction::Fork { address: to } = instruction else { return true };
    match memory.get_mut(usize::from(to)) {
        Some(mark) if to > address => {
            *mark |= THREAD;
            true
        }
        Some(mark) => *mark & THREAD != 0,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use beryl_abi::{DriverId, Duration, ThreadId};

    use super::*;
    use crate::container::Content;

    /// Driver 0 takes 10, driver 1 takes 20, and so on; other instructions take 1.
    const COSTS: Costs<'static> =
        Costs { drivers: &[10, 20, 30, 40], instruction: 1, most: u32::MAX - 1, threads: u32::MAX };

    fn weighed(code: &[Instruction], most: u32) -> Result<u32, u16> {
        let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
        let durations = [Duration::from_ticks(1)];
        let mut bytes = Vec::new();
        Container::write(&Content { code: &code, durations: &durations, ..Content::default() }, &mut bytes);
        let container = Container::read(&bytes).expect("a fresh container");
        Weight::BEGIN.run(&container, &Costs { most, ..COSTS }, &mut [u32::MAX; 9])
    }

    const RETURN: Instruction = Instruction::Return {};
    const MOST: u32 = u32::MAX - 1;

    const fn call(driver: u16) -> Instruction {
        Instruction::Call { driver: DriverId(driver) }
    }

    const fn jump(address: u16) -> Instruction {
        Instruction::Jump { address }
    }

    #[test]
    fn an_instant_takes_what_its_instructions_take() {
        let release = Instruction::Release { task: ThreadId(0), deadline: 0 };
        assert_eq!(weighed(&[call(0), release, call(2), RETURN], MOST), Ok(41));
        assert_eq!(weighed(&[Instruction::Calls { first: DriverId(1), count: 3 }, RETURN], MOST), Ok(91));
        // after a phase it is the same instant
        assert_eq!(weighed(&[call(0), Instruction::Phase { phase: 1 }, call(0), RETURN], MOST), Ok(23));
        // after a return it isn't
        assert_eq!(weighed(&[call(0), RETURN, call(3), RETURN], MOST), Ok(41));
    }

    #[test]
    fn of_two_ways_the_heavier_one_counts() {
        let branch = Instruction::Branch { address: 3 };
        assert_eq!(weighed(&[branch, call(3), jump(4), call(0), call(1), RETURN], MOST), Ok(63));
        assert_eq!(weighed(&[branch, call(0), jump(4), call(3), call(1), RETURN], MOST), Ok(62));
        // a jump's target after a return belongs to the instant as well
        assert_eq!(weighed(&[call(3), jump(3), RETURN, call(3), RETURN], MOST), Ok(82));
    }

    /// Threads, in this many places.
    fn weighed_with(places: u8, code: &[Instruction]) -> Result<u32, u16> {
        weighed_within(u32::MAX, places, code)
    }

    /// As above, with a limit for threads.
    fn weighed_within(threads: u32, places: u8, code: &[Instruction]) -> Result<u32, u16> {
        let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
        let content = Content { code: &code, thread_places: places, ..Content::default() };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        let container = Container::read(&bytes).expect("a fresh container");
        Weight::BEGIN.run(&container, &Costs { most: MOST, threads, ..COSTS }, &mut [u32::MAX; 9])
    }

    #[test]
    fn what_threads_do_counts_twice_for_each_place_beside_the_rest() {
        let (fork, idle) = (|address| Instruction::Fork { address }, Instruction::Idle { until: 0 });
        let until = Instruction::DispatchUntil { task: ThreadId(0), until: 0, otherwise: 1 };
        let thread = [fork(3), call(1), RETURN, until, idle, fork(3), RETURN];
        // 22 for the instant itself; a dispatch, an idle, a fork and a return
        assert_eq!(weighed_with(1, &thread), Ok(22 + 2 * 4));
        assert_eq!(weighed_with(2, &thread), Ok(22 + 4 * 4));
        // what follows a wait in an instant's code is a thread from there on
        assert_eq!(weighed_with(1, &[call(0), idle, call(3), RETURN]), Ok(11 + 2 * 41));
        // threads have a bound of their own
        assert_eq!(weighed_within(8, 1, &thread), Ok(22 + 2 * 4));
        assert_eq!(weighed_within(7, 1, &thread), Err(6));
        // whether earlier code belongs to a thread too is no longer known
        assert_eq!(weighed_with(1, &[call(0), RETURN, fork(0), RETURN]), Err(2));
    }

    /// Unreachable code could turn an instant's code into a thread's, and so hide it: after the fork that
    /// begins it, and before.
    #[test]
    fn what_nothing_reaches_says_nothing_of_what_is_reached() {
        let dispatch = Instruction::Dispatch { task: ThreadId(0) };
        let fork = |address| Instruction::Fork { address };
        let future = Instruction::Future { delay: 0, address: 4 };
        let code = [call(3), RETURN, dispatch, jump(0), call(3), fork(0), future, RETURN];
        let reached = |address: usize| !matches!(address, 2 | 3);
        assert_eq!(weighed_where(reached, &code), Err(5), "no thread comes there before");
        let code = [call(3), fork(6), jump(4), dispatch, call(3), RETURN, call(3), dispatch, jump(7)];
        let own = 41 + 1 + 1 + 41 + 1;
        assert_eq!(weighed_where(|address| address != 3, &code), Ok(own + 2 * 41));
    }

    fn weighed_where(reached: impl Fn(usize) -> bool, code: &[Instruction]) -> Result<u32, u16> {
        let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
        let durations = [Duration::from_ticks(1)];
        let content = Content { code: &code, durations: &durations, thread_places: 1, ..Content::default() };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        let container = Container::read(&bytes).expect("a fresh container");
        let mut memory: Vec<_> = (0..code.len()).map(|address| u32::from(reached(address))).collect();
        Weight::BEGIN.run(&container, &COSTS, &mut memory)
    }

    /// The structure of unreachable code isn't checked. It could turn the code that it leads to into a
    /// thread's, while no thread exists to take it.
    #[test]
    fn where_there_are_no_places_for_threads_nothing_is_theirs() {
        let dispatch = Instruction::Dispatch { task: ThreadId(0) };
        assert_eq!(weighed_with(0, &[call(0), jump(4), dispatch, jump(4), call(3), RETURN]), Ok(10 + 1 + 41));
        assert_eq!(weighed_with(0, &[dispatch, jump(2), call(3), RETURN]), Ok(1 + 1 + 41));
        assert_eq!(weighed_with(0, &[dispatch, call(3), RETURN]), Ok(1 + 41));
    }

    #[test]
    fn a_thread_that_waits_for_one_time_after_the_other_takes_blocks_at_an_instant() {
        let weighed = |places, thread: &[Instruction]| {
            let code = [&[Instruction::Fork { address: 3 }, call(1), RETURN], thread].concat();
            let code: Vec<_> = code.iter().map(|instruction| instruction.encode()).collect();
            let durations = [5, 10, 20].map(Duration::from_ticks);
            let conditions = [0, 1, 2].map(crate::Condition::Clock);
            let content = Content {
                code: &code,
                thread_places: places,
                durations: &durations,
                conditions: &conditions,
                ..Content::default()
            };
            let mut bytes = Vec::new();
            Container::write(&content, &mut bytes);
            let container = Container::read(&bytes).expect("a fresh container");
            Weight::BEGIN.run(&container, &COSTS, &mut [u32::MAX; 20]).map(|all| all - 22)
        };
        let (fork, idle) = (Instruction::Fork { address: 3 }, |until| Instruction::Idle { until });
        let until = |until| Instruction::DispatchUntil { task: ThreadId(0), until, otherwise: 0 };
        let blocks = |clocks: [u8; 3]| {
            let [first, task, second] = clocks;
            [until(first), idle(first), until(task), until(task), until(task), idle(second), fork, RETURN]
        };
        // twice the four of the second block, and the two of the first
        assert_eq!(weighed(1, &blocks([0, 1, 1])), Ok(10));
        assert_eq!(weighed(1, &blocks([0, 0, 1])), Ok(10));
        // other threads cycle: eight instructions
        let whole = Ok(16);
        assert_eq!(weighed(1, &blocks([1, 1, 1])), whole, "the second wait may be over with the first");
        assert_eq!(weighed(1, &blocks([0, 2, 1])), whole, "a task may run beyond the end of its block");
        assert_eq!(weighed(2, &blocks([0, 1, 1])), Ok(32), "there may be another thread");
        let begins_at_once = [fork, until(0), idle(0), until(1), until(1), until(1), idle(1), RETURN];
        assert_eq!(weighed(1, &begins_at_once), whole);
        let two = [until(0), idle(0), until(1), until(1), idle(1), Instruction::Fork { address: 5 }, RETURN];
        assert_eq!(weighed(1, &two), Ok(14), "it may begin with another block");
        let beyond = [until(0), idle(0), idle(1), until(2), until(2), until(2), fork, RETURN];
        assert_eq!(weighed(1, &beyond), whole, "nothing ends the last block");
    }

    #[test]
    fn an_event_may_come_right_behind_another_instant() {
        // The event's own instant takes 12, the one that waits for it 5.
        let when = Instruction::When { condition: 0, address: 2 };
        let code = [when, RETURN, call(0), Instruction::Future { delay: 0, address: 0 }, RETURN];
        assert_eq!(weighed(&code, 24), Ok(24));
        assert_eq!(weighed(&code, 23), Err(0));
    }

    #[test]
    fn what_takes_more_is_refused_where_it_does() {
        let code = [call(0), call(1), RETURN];
        assert_eq!(weighed(&code, 31), Ok(31));
        assert_eq!(weighed(&code, 30), Err(2));
        assert_eq!(weighed(&code, 29), Err(1));
        assert_eq!(weighed(&[Instruction::Calls { first: DriverId(2), count: 3 }, RETURN], MOST), Err(0));
        assert_eq!(weighed(&[call(0), Instruction::Change { address: 0 }], MOST), Err(1));
        assert_eq!(weighed(&[RETURN; 10], MOST), Err(9), "there is no memory for it");
    }
}
