//! Random E code with several triggers a program, on time, interrupts, completions and ports, with handlers
//! and threads of S code, on the kernel and on the reference machine: the same drivers are carried out and
//! the same tasks released, at the same ticks and in the same order.

#[path = "../common/mod.rs"]
mod common;
mod drawn;
mod on_kernel;
mod on_model;

use beryl_abi::{DriverId, ThreadId};
use beryl_syscode::Instruction;
use beryl_testing::{Draw, XorShiftStar as Random};

use common::ports::Told;
use drawn::{CLOCK, Drawn, EVENTS, draw};
use on_kernel::on_kernel;
use on_model::on_model;

/// Tasks, in a fixed band, the first before the second.
const TASKS: usize = 2;
/// How many triggers a program has at most at one time.
const PLACES: u8 = 4;
/// How many threads the first program has at most at one time.
const THREADS: u8 = 2;

/// How long a task's job of that number takes.
fn execution(seed: u64, task: usize, number: usize) -> u64 {
    common::jobs::execution(seed, 7, task, number)
}

#[test]
fn what_programs_wait_for_comes_to_the_same() {
    let (mut events, mut violations, mut ends) = (0, 0, 0);
    for seed in 1..=6000 {
        let mut random = Random::new(seed);
        let drawn = [0, 1].map(|own| draw(&mut random, ThreadId(own), own == 0, seed % 4 == 0));
        let mut interrupts: Vec<_> =
            (0..random.below(12)).map(|_| (1 + random.below(60) as u64, random.below(2) as u16)).collect();
        interrupts.sort_unstable();
        interrupts.dedup_by_key(|(at, _)| *at);
        let until = 80;
        let (found, end) = on_kernel(&drawn, &interrupts, seed, until);
        let expected = on_model(&drawn, &interrupts, seed, end);
        let found: Vec<_> = found.into_iter().filter(|(at, _)| *at < end).collect();
        let codes = drawn.each_ref().map(|drawn| (&drawn.code, &drawn.handlers, &drawn.durations));
        if let Some(place) =
            (0..found.len().max(expected.len())).find(|place| found.get(*place) != expected.get(*place))
        {
            panic!(
                "seed {seed}, entry {place}: kernel {:?}, model {:?}\nbefore {:?}\n{codes:?}\n{interrupts:?}",
                found.get(place),
                expected.get(place),
                &found[place.saturating_sub(6)..place.min(found.len())]
            );
        }
        events += found.len();
        violations += found.iter().filter(|(_, words)| words.starts_with("violation")).count();
        ends += usize::from(end == until);
    }
    assert!(events > 50_000 && violations > 1000 && ends > 1000, "{events} events, {violations}, {ends}");
}

/// A thread that would dispatch a task beside another one goes on where its time is over already. An event is never
/// over: what holds already is looked at from the next instant on, and until then both threads would have a task.
#[test]
fn a_wait_for_an_event_is_not_over_when_it_begins() {
    let told = |until: u8| {
        let code = vec![
            Instruction::Fork { address: 4 },
            Instruction::Fork { address: 6 },
            Instruction::Release { task: ThreadId(0), deadline: 0 },
            Instruction::Return {},
            Instruction::Dispatch { task: ThreadId(0) },
            Instruction::Return {},
            Instruction::Idle { until: CLOCK },
            Instruction::DispatchUntil { task: ThreadId(0), until, otherwise: 0 },
            Instruction::Call { driver: DriverId(1) },
            Instruction::Return {},
        ];
        let nothing = || Drawn { code: vec![Instruction::Return {}], ..Drawn::default() };
        let drawn = [Drawn { code, durations: vec![20, 2], dispatches: true, ..Drawn::default() }, nothing()];
        let is_longer = |seed: &u64| execution(*seed, 0, 0) > 3;
        let seed = (0..).find(is_longer).expect("a job that takes more than both");
        let (found, end) = on_kernel(&drawn, &[], seed, 20);
        assert_eq!(found, on_model(&drawn, &[], seed, end), "until {until}");
        found
    };
    let words = |told: Told| told.into_iter().map(|(at, words)| format!("{at} {words}")).collect::<Vec<_>>();
    assert_eq!(words(told(CLOCK)), ["0 release 0", "2 driver 1"]);
    for event in EVENTS {
        assert_eq!(words(told(event)), ["0 release 0", "2 share"], "event {event}");
    }
}
