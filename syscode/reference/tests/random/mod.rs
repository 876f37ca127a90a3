//! Random programs and worlds; deterministic.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::cell::RefCell;

use beryl_abi::{Duration, Line, ThreadId};
use beryl_assembler::Program;
use beryl_reference::{Change, Driver, Policy, Task, World};
use beryl_syscode::instruction::TABLE;
use beryl_syscode::operand::Operand;
use beryl_syscode::{Condition, Exception, PortId, Relation};
use beryl_testing::{Draw, XorShiftStar as Random};

pub const TASKS: usize = 2;
pub const DRIVERS: usize = 3;

const CONDITIONS: [Condition; 10] = [
    Condition::Clock(0),
    Condition::Clock(1),
    Condition::Released(ThreadId(0)),
    Condition::Released(ThreadId(1)),
    Condition::Completed(ThreadId(0)),
    Condition::Changed(PortId(0)),
    Condition::Compare(PortId(1), Relation::AtLeast, 1),
    Condition::Interrupt(Line(0)),
    Condition::Interrupt(Line(1)),
    Condition::Round { length: 1, beats: [0, 1, 0, 1] },
];

/// A word whose operands are small; most of them mean something.
pub fn word(random: &mut Random, length: usize) -> u32 {
    let row = &TABLE[random.below(TABLE.len())];
    let operands = row.operands.iter().map(|(operand, place)| {
        let bound = match operand {
            Operand::Driver => DRIVERS,
            Operand::Task => TASKS,
            Operand::Duration => 2,
            Operand::Condition => CONDITIONS.len(),
            Operand::Address => length,
            Operand::Ahead | Operand::Count => 3,
            Operand::Phase => 4,
        };
        place.put(random.below(bound) as u16)
    });
    operands.fold(u32::from(row.opcode), |word, bits| word | bits)
}

/// A program of so many words that may mean something.
pub fn program(random: &mut Random) -> Program {
    let length = 2 + random.below(9);
    let mut code: Vec<u32> = (0..length).map(|_| word(random, length)).collect();
    code.push(7);
    let address = |random: &mut Random| random.below(length) as u16;
    let mut program = Program { code, trigger_places: 1 + random.below(3) as u8, ..surroundings() };
    program.thread_places = random.below(4) as u8;
    if random.below(4) == 0 {
        program.handlers.push((random.one_of(&Exception::ALL).0, address(random)));
    }
    if random.below(6) == 0 {
        program.completions.push((random.below(TASKS) as u8, address(random)));
    }
    program
}

/// A program without code, with all that random words name.
pub fn surroundings() -> Program {
    let names = |count: usize, name: &str| (0..count).map(|number| format!("{name}{number}")).collect();
    Program {
        durations: [2, 5].map(Duration::from_ticks).to_vec(),
        conditions: CONDITIONS.to_vec(),
        tasks: names(TASKS, "t"),
        drivers: names(DRIVERS, "d"),
        ports: names(2, "p"),
        trigger_places: 1,
        ..Program::default()
    }
}

/// A world in which the drivers touch the tasks, and things happen.
pub fn world(seed: u64) -> World {
    let mut random = Random::new(seed);
    let change = |random: &mut Random| match random.below(2) {
        0 => Change::Port(random.below(2), random.below(3) as i32),
        _ => Change::Interrupt(Line(random.below(2) as u16)),
    };
    let mut changes: Vec<_> =
        (0..random.below(12)).map(|_| (1 + random.below(40) as u64, change(&mut random))).collect();
    changes.sort_by_key(|(instant, _)| *instant);
    let times = RefCell::new(Random::new(seed ^ 0xABCD));
    World {
        tasks: vec![Task { reads: vec![0], writes: vec![1] }, Task { reads: vec![1], writes: vec![2] }],
        drivers: vec![Driver::copy(1, 0), Driver::guard(2), Driver::copy(2, 1)],
        ports: vec![0; 3],
        policy: *random.one_of(&[
            Policy::None,
            Policy::EarliestDeadline,
            Policy::EarliestDeadlineToCompletion,
            Policy::FixedPriority,
        ]),
        idle_is_held: random.below(2) == 0,
        changes,
        execution: Box::new(move |_, _| 1 + times.borrow_mut().next() % 6),
        ..World::of_times(&[])
    }
}
