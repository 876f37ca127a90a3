//! A run of the reference machine.

use beryl_abi::{Duration, Line};
use beryl_reference::{Action, Change, Driver, Event, Machine, Policy, Task, World};
use beryl_syscode::Container;
use beryl_syscode::container::Content;

use super::common::ports::Told;
use super::drawn::{CONDITIONS, DRIVERS, Drawn};
use super::{PLACES, execution};

pub fn on_model(drawn: &[Drawn; 2], interrupts: &[(u64, u16)], seed: u64, until: u64) -> Told {
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
    let tasks = [0, 1];
    let bytes = tasks.map(|own: u8| {
        let drawn = &drawn[usize::from(own)];
        let completions: Vec<_> = drawn.makes_up.iter().map(|address| (own, *address)).collect();
        let code: Vec<_> = drawn.code.iter().map(|instruction| instruction.encode()).collect();
        let durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let content = Content {
            code: &code,
            durations: &durations,
            conditions: &CONDITIONS,
            handlers: &drawn.handlers,
            completions: &completions,
            trigger_places: PLACES,
            thread_places: u8::from(own == 0),
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    });
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    let trace = Machine::new(&containers, world).run(until).expect("no trap");
    let told = trace.into_iter().filter_map(|entry| {
        let words = match entry.event {
            Event::Driver(driver) => vec![format!("driver {driver}")],
            Event::Release(task) => vec![format!("release {task}")],
            Event::Violation(_, tasks) => tasks.iter().map(|task| format!("violation {task}")).collect(),
            _ => return None,
        };
        Some(words.into_iter().map(move |words| (entry.at, words)))
    });
    told.flatten().collect()
}
