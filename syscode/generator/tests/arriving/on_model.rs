//! A run of the reference machine, on which the program that arrived begins where it took over.

use beryl_abi::{Duration, Line};
use beryl_reference::{Action, Change, Driver, Event, Machine, Policy, Task, World};
use beryl_syscode::container::Content;
use beryl_syscode::{Container, Instruction};

use super::common::ports::Told;
use super::drawn::{CONDITIONS, DRIVERS, Drawn};
use super::{PERIOD, execution};

/// The same program behind an instant that waits for the take-over.
fn later(drawn: &Drawn) -> Vec<u8> {
    let mut durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    durations.push(Duration::from_ticks(PERIOD));
    let delay = durations.len() as u8 - 1;
    let waits = [Instruction::Future { delay, address: 2 }, Instruction::Return {}];
    let moved = drawn.code.iter().map(|word| match Instruction::decode(*word) {
        Some(Instruction::Future { delay, address }) => {
            Instruction::Future { delay, address: address + 2 }.encode()
        }
        Some(Instruction::When { condition, address }) => {
            Instruction::When { condition, address: address + 2 }.encode()
        }
        Some(Instruction::Jump { address }) => Instruction::Jump { address: address + 2 }.encode(),
        _ => *word,
    });
    let code: Vec<_> = waits.iter().map(|instruction| instruction.encode()).chain(moved).collect();
    written(&code, &durations)
}

fn written(code: &[u32], durations: &[Duration]) -> Vec<u8> {
    let content = Content { code, durations, conditions: &CONDITIONS, ..Content::default() };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

pub fn on_model(drawn: &Drawn, around: &Drawn, interrupts: &[(u64, u16)], seed: u64, until: u64) -> Told {
    let drivers = DRIVERS.map(|(from, to, ..)| Driver {
        action: if from.is_some() { Action::Copy } else { Action::Sensor(0) },
        reads: from.into_iter().collect(),
        writes: vec![to],
    });
    let world = World {
        tasks: vec![Task { reads: vec![2], writes: vec![3] }, Task { reads: vec![4], writes: vec![5] }],
        drivers: drivers.to_vec(),
        ports: vec![0; 8],
        policy: Policy::FixedPriority,
        changes: interrupts.iter().map(|(at, line)| (*at, Change::Interrupt(Line(*line)))).collect(),
        execution: Box::new(move |task, number| execution(seed, task, number)),
        ..World::of_times(&[])
    };
    let durations: Vec<_> = around.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    let bytes = [later(drawn), written(&around.code, &durations)];
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    let trace = Machine::new(&containers, world).run(until).expect("no trap");
    let told = trace.into_iter().filter_map(|entry| {
        let words = match entry.event {
            Event::Driver(driver) => format!("driver {driver}"),
            Event::Release(task) => format!("release {task}"),
            Event::Violation(_, tasks) => format!("violation {tasks:?}"),
            _ => return None,
        };
        Some((entry.at, words))
    });
    told.collect()
}
