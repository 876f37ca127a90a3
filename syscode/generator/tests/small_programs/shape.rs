//! Which programs there are: a shape has the instructions that each address may hold.

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Instruction};

/// What a job of each task may take: both fit into a period, and the first task's doesn't fit into three
/// ticks with the other's.
pub const TIMES: [[u64; 2]; 2] = [[1, 3], [1, 2]];
/// A tick, three, a period.
const DURATIONS: [Duration; 3] = [Duration::from_ticks(1), Duration::from_ticks(3), Duration::from_ticks(5)];
const PERIOD: u8 = 2;
/// The guard, the output of the first task.
pub const GUARD: DriverId = DriverId(0);
const OUTPUT: DriverId = DriverId(1);

const CONDITIONS: [Condition; 5] = [
    Condition::Clock(0),
    Condition::Clock(1),
    Condition::Clock(2),
    Condition::Released(ThreadId(0)),
    Condition::Released(ThreadId(1)),
];

/// Places in `CONDITIONS`.
const SOON: u8 = 0;
const LATE: u8 = 1;
const AT_PERIOD: u8 = 2;
const RELEASED: [u8; 2] = [3, 4];

const RETURN: Instruction = Instruction::Return {};

fn release(task: u8) -> Instruction {
    Instruction::Release { task: ThreadId(task), deadline: PERIOD }
}

fn call(driver: DriverId) -> Instruction {
    Instruction::Call { driver }
}

fn dispatch(task: u8) -> Instruction {
    Instruction::Dispatch { task: ThreadId(task) }
}

fn until(task: u8, until: u8, otherwise: u8) -> Instruction {
    Instruction::DispatchUntil { task: ThreadId(task), until, otherwise }
}

fn idle(until: u8) -> Instruction {
    Instruction::Idle { until }
}

fn fork(address: u16) -> Instruction {
    Instruction::Fork { address }
}

fn future(address: u16) -> Instruction {
    Instruction::Future { delay: PERIOD, address }
}

fn branch(address: u16) -> Instruction {
    Instruction::Branch { address }
}

/// Programs of one length.
pub struct Shape {
    /// How many threads they may have at one time.
    pub threads: u8,
    /// What each address may hold.
    pub choices: Vec<Vec<Instruction>>,
}

impl Shape {
    /// Any instructions, so many of them and a return.
    pub fn any(length: u16) -> Shape {
        let word = |address: u16| {
            let mut all = vec![release(0), release(1), call(GUARD), call(OUTPUT)];
            all.extend((0..=length).flat_map(|to| [future(to), fork(to)]));
            all.extend((address + 2..=length).map(branch));
            all.extend([dispatch(0), dispatch(1), until(0, SOON, 0), idle(SOON), idle(RELEASED[0]), RETURN]);
            all
        };
        let last = std::iter::once(vec![RETURN]);
        Shape { threads: 1, choices: (0..length).map(word).chain(last).collect() }
    }

    /// Two instructions of E code each period, and a thread with three of S code.
    pub fn thread() -> Shape {
        let words = || {
            let mut all = vec![dispatch(0), dispatch(1), until(0, SOON, 0), until(0, SOON, 1)];
            all.extend([until(0, LATE, 0), until(1, LATE, 1), until(1, RELEASED[0], 0)]);
            all.extend([idle(SOON), idle(AT_PERIOD), idle(RELEASED[0]), fork(5), RETURN]);
            all
        };
        let first = vec![release(0), call(OUTPUT), call(GUARD)];
        let second = vec![release(0), release(1), branch(3)];
        let head = [vec![fork(5)], first, second, vec![future(1)], vec![RETURN]];
        let thread = [words(), words(), words(), vec![RETURN]];
        Shape { threads: 1, choices: head.into_iter().chain(thread).collect() }
    }

    /// Two releases each period, and two threads that come round, with two instructions each before they do.
    pub fn two_threads() -> Shape {
        let words = || {
            let mut all = vec![dispatch(0), dispatch(1), until(0, SOON, 0), until(1, SOON, 0)];
            all.extend([until(0, LATE, 0), until(1, RELEASED[0], 0), idle(SOON), idle(AT_PERIOD)]);
            all
        };
        let e_code = [fork(6), fork(10), release(0), release(1), future(2), RETURN];
        let thread = |own| [words(), words(), vec![fork(own)], vec![RETURN]];
        let head = e_code.map(|instruction| vec![instruction]);
        Shape { threads: 2, choices: head.into_iter().chain(thread(6)).chain(thread(10)).collect() }
    }

    /// All programs of this shape of which every instruction is reached.
    pub fn programs(&self) -> impl Iterator<Item = Small> + '_ {
        let count: usize = self.choices.iter().map(Vec::len).product();
        (0..count).filter_map(|number| {
            let mut rest = number;
            let chosen = self.choices.iter().map(|choices| {
                let choice = choices[rest % choices.len()];
                rest /= choices.len();
                choice
            });
            let small = Small { code: chosen.collect(), threads: self.threads };
            small.is_reached().then_some(small)
        })
    }
}

/// A small program.
pub struct Small {
    pub code: Vec<Instruction>,
    threads: u8,
}

impl Small {
    /// Whether something leads to every instruction: a program with one that nothing leads to means the same
    /// as a shorter one.
    fn is_reached(&self) -> bool {
        let leads = |address: usize| match address.checked_sub(1).map(|before| self.code[before]) {
            None => true,
            Some(before) if before != RETURN => true,
            _ => self.code.iter().any(|instruction| target(*instruction) == Some(address)),
        };
        (0..self.code.len()).all(leads)
    }

    /// How many threads it may have at one time.
    pub fn threads(&self) -> u8 {
        self.threads
    }

    /// Whether its threads run a task.
    pub fn dispatches(&self, task: usize) -> bool {
        self.code.iter().any(|instruction| match instruction {
            Instruction::Dispatch { task: own } | Instruction::DispatchUntil { task: own, .. } => {
                own.index() == task
            }
            _ => false,
        })
    }

    /// Whether it asks the guard.
    pub fn asks(&self) -> bool {
        self.code.contains(&call(GUARD))
    }

    /// As the kernel gets it.
    pub fn row(&self) -> beryl_kernel::Program {
        let code: Vec<_> = self.code.iter().map(|instruction| instruction.encode()).collect();
        beryl_kernel::Program {
            code: code.leak(),
            durations: &DURATIONS,
            conditions: &CONDITIONS,
            schedules: self.threads,
            triggers: 1,
            rank: beryl_kernel::Rank::dynamic(0),
            ..beryl_kernel::Program::NONE
        }
    }

    /// As checkers and the reference machine get it.
    pub fn bytes(&self) -> Vec<u8> {
        let code: Vec<_> = self.code.iter().map(|instruction| instruction.encode()).collect();
        let content = Content {
            code: &code,
            durations: &DURATIONS,
            conditions: &CONDITIONS,
            tasks: &["t0", "t1"],
            drivers: &["guard", "output"],
            thread_places: self.threads,
            trigger_places: 1,
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    }
}

/// Where an instruction leads, beside the next one.
fn target(instruction: Instruction) -> Option<usize> {
    match instruction {
        Instruction::Future { address, .. }
        | Instruction::Fork { address }
        | Instruction::Branch { address } => Some(address.into()),
        _ => None,
    }
}

impl std::fmt::Display for Small {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.code
            .iter()
            .enumerate()
            .try_for_each(|(address, instruction)| writeln!(out, "{address}: {instruction:?}"))
    }
}
