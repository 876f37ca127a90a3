//! Random programs, words and texts; deterministic.

use beryl_abi::{Duration, Line, ThreadId};
use beryl_assembler::Program;
use beryl_syscode::instruction::TABLE;
use beryl_syscode::{Condition, Exception, PortId, Relation};
use beryl_testing::{Draw, XorShiftStar as Random};

const NAMES: [&str; 14] = [
    "t1",
    "navigate",
    "gps to navigate",
    "control.command",
    "a\"b\\",
    "",
    "höhe",
    "zeile\nzwei",
    "7",
    "call",
    "a3",
    ";",
    "\u{1F6EB}",
    "t1",
];

fn names(random: &mut Random) -> Vec<String> {
    (0..random.below(6)).map(|_| (*random.one_of(&NAMES)).to_owned()).collect()
}

fn condition(random: &mut Random) -> Condition {
    let number = random.below(8) as u8;
    let port = PortId(random.below(7) as u16);
    let (relation, _) = *random.one_of(&Relation::ALL);
    match random.below(7) {
        0 => Condition::Clock(number),
        1 => Condition::Released(ThreadId(number)),
        2 => Condition::Completed(ThreadId(number)),
        3 => Condition::Changed(port),
        4 => Condition::Compare(port, relation, random.next() as i32),
        5 => Condition::Round { length: number, beats: [0; 4].map(|_| random.below(8) as u8) },
        _ => Condition::Interrupt(Line(random.next() as u16)),
    }
}

/// Any words: mostly instructions with small operands, sometimes anything.
fn word(random: &mut Random, length: usize) -> u32 {
    if random.below(8) == 0 {
        return random.next() as u32;
    }
    let row = &TABLE[random.below(TABLE.len())];
    let operands = row.operands.iter().map(|(_, place)| place.put(random.below(length + 2) as u16));
    operands.fold(u32::from(row.opcode), |word, bits| word | bits)
}

/// A program, rarely one that makes sense.
pub fn program(random: &mut Random) -> Program {
    let length = 1 + random.below(30);
    let durations: Vec<_> =
        (0..random.below(5)).map(|_| Duration::from_ticks(1 + random.next() % 5)).collect();
    let address = |random: &mut Random| random.below(length + 3) as u16;
    Program {
        module: (*random.one_of(&NAMES)).to_owned(),
        start: address(random),
        durations,
        conditions: (0..random.below(6)).map(|_| condition(random)).collect(),
        code: (0..length).map(|_| word(random, length)).collect(),
        completions: (0..random.below(3)).map(|_| (random.below(7) as u8, address(random))).collect(),
        handlers: (0..random.below(3)).map(|_| (random.one_of(&Exception::ALL).0, address(random))).collect(),
        tasks: names(random),
        drivers: names(random),
        ports: names(random),
        trigger_places: 1 + random.below(4) as u8,
        thread_places: random.below(4) as u8,
        certificate: (0..random.below(2) * random.below(9)).map(|_| random.next() as u32).collect(),
    }
}
