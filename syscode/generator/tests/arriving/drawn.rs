//! Random programs: one that arrives, and one beside it that changes ports.

use beryl_abi::{DriverId, Duration, Line, ThreadId};
use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Instruction, PortId, Relation};
use beryl_testing::{Draw, XorShiftStar as Random};

use super::common::ports::{DRIVERS, LONG};

/// What triggers may wait for: two interrupts, two completions, and ports.
pub const CONDITIONS: [Condition; 9] = [
    Condition::Interrupt(Line(0)),
    Condition::Interrupt(Line(1)),
    Condition::Completed(ThreadId(0)),
    Condition::Completed(ThreadId(1)),
    Condition::Changed(PortId(0)),
    Condition::Compare(PortId(1), Relation::AtLeast, 3),
    Condition::Compare(PortId(0), Relation::Less, 5),
    Condition::Changed(PortId(LONG as u16)),
    Condition::Compare(PortId(LONG as u16), Relation::Less, 5),
];

/// E code with its durations and its certificate.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub code: Vec<u32>,
    pub durations: Vec<u64>,
    pub certificate: Vec<u32>,
}

impl Drawn {
    /// As a container, with other code in the same place.
    pub fn container(&self, code: &[u32]) -> Vec<u8> {
        let durations: Vec<_> = self.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let content = Content {
            module: "m",
            code,
            durations: &durations,
            conditions: &CONDITIONS,
            tasks: &["first", "second"],
            drivers: &["a", "b", "c", "d", "e", "f"],
            ports: &["p", "q", "both and more"],
            certificate: &self.certificate,
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    }

    /// Whether it waits for interrupts, completions, numbers in ports, changes of the port that is longer.
    pub fn waits(&self) -> [bool; 4] {
        let mut waits = [false; 4];
        for word in &self.code {
            if let Some(Instruction::When { condition, .. }) = Instruction::decode(*word) {
                match CONDITIONS.get(usize::from(condition)) {
                    Some(Condition::Interrupt(_)) => waits[0] = true,
                    Some(Condition::Completed(_)) => waits[1] = true,
                    Some(Condition::Changed(PortId(port))) if usize::from(*port) == LONG => waits[3] = true,
                    _ => waits[2] = true,
                }
            }
        }
        waits
    }
}

/// Blocks that follow each other round and round: each waits for a time, or, mostly behind one that did, for an event.
pub fn draw(random: &mut Random) -> Drawn {
    let blocks = 1 + random.below(4);
    let durations: Vec<u64> = (0..3).map(|_| 4 + random.below(12) as u64).collect();
    let mut drafts: Vec<Vec<Instruction>> = Vec::new();
    let mut is_event = false;
    for block in 0..blocks {
        let mut code = Vec::new();
        if block == 0 {
            code.push(Instruction::Period {});
        }
        if random.below(4) == 0 {
            code.push(Instruction::Phase { phase: 1 + random.below(3) as u8 });
        }
        for _ in 0..random.below(4) {
            code.push(match random.below(5) {
                0 | 1 => Instruction::Release {
                    task: ThreadId(random.below(2) as u8),
                    deadline: random.below(3) as u8,
                },
                2 => Instruction::Calls { first: DriverId(random.below(5) as u16), count: 2 },
                _ => Instruction::Call { driver: DriverId(random.below(DRIVERS.len()) as u16) },
            });
        }
        // Now and then also right behind another event.
        is_event = if is_event { random.below(8) == 0 } else { random.below(3) > 0 };
        let address = ((block + 1) % blocks) as u16;
        code.push(match is_event {
            true => Instruction::When { condition: random.below(CONDITIONS.len()) as u8, address },
            false => Instruction::Future { delay: random.below(3) as u8, address },
        });
        code.push(Instruction::Return {});
        drafts.push(code);
    }
    Drawn { code: placed(drafts), durations, certificate: Vec::new() }
}

/// A program that changes the ports that others look at, and touches no task.
pub fn around(random: &mut Random) -> Drawn {
    let blocks = 1 + random.below(3);
    let durations = (0..3).map(|_| 2 + random.below(9) as u64).collect();
    let block = |(block, random): (usize, &mut Random)| {
        let calls = (0..random.below(3)).map(|_| random.below(3) as u16).collect::<Vec<_>>();
        let calls = calls.into_iter().map(|driver| Instruction::Call { driver: DriverId(driver) });
        let address = ((block + 1) % blocks) as u16;
        let last = [Instruction::Future { delay: random.below(3) as u8, address }, Instruction::Return {}];
        calls.chain(last).collect()
    };
    let drafts = (0..blocks).map(|number| block((number, random))).collect();
    Drawn { code: placed(drafts), durations, certificate: Vec::new() }
}

/// Blocks one behind the other, with the addresses at which they begin.
fn placed(drafts: Vec<Vec<Instruction>>) -> Vec<u32> {
    let mut starts = vec![0_u16];
    for draft in &drafts {
        starts.push(starts.last().copied().unwrap_or(0) + draft.len() as u16);
    }
    let place = |instruction| match instruction {
        Instruction::Future { delay, address } => {
            Instruction::Future { delay, address: starts[usize::from(address)] }
        }
        Instruction::When { condition, address } => {
            Instruction::When { condition, address: starts[usize::from(address)] }
        }
        other => other,
    };
    drafts.into_iter().flatten().map(|instruction| place(instruction).encode()).collect()
}

/// Changes a word: its opcode, an operand, or all of it.
pub fn mutate(code: &mut [u32], random: &mut Random) {
    let place = random.below(code.len());
    let shift = 8 * random.below(4) as u32;
    let value = random.below(if shift == 0 { 0x26 } else { 9 }) as u32;
    code[place] = match random.below(4) {
        0 => code[random.below(code.len())],
        _ => code[place] & !(0xFF << shift) | value << shift,
    };
}
