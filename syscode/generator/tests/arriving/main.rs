//! Random programs that wait for events and arrive by a slot, whole and mutated: whatever the kernel's
//! checkers accept, with the certificate that the generator finds, is never late, never trapped, and does
//! what the reference machine does.

#[path = "../common/mod.rs"]
mod common;
mod drawn;
mod on_kernel;
mod on_model;

use beryl_generator::certificate;
use beryl_syscode::Container;
use beryl_syscode::check::time::{Parts, Policy, Task};
use beryl_testing::{Draw, XorShiftStar as Random};

use drawn::{Drawn, draw, mutate};
use on_kernel::{Answer, on_kernel};
use on_model::on_model;

/// Tasks of the slot's module, in a fixed band, the first before the second, and how long their jobs take at most.
const BOUNDS: [u64; 2] = [2, 3];
/// The image's program ends its periods at multiples of this; the one that arrived takes over at the first.
const PERIOD: u64 = 10;

/// How long a task's job of that number takes.
fn execution(seed: u64, task: usize, number: usize) -> u64 {
    common::jobs::execution(seed, BOUNDS[task], task, number)
}

/// What the slot's module has: everything, in the order of the tasks.
fn times() -> [Task; 2] {
    BOUNDS.map(|bound| Task { bound: bound as u32, rank: 0 })
}

/// Drivers and the task that each touches, a byte a driver.
fn touches() -> Vec<u8> {
    common::ports::DRIVERS.iter().map(|(_, _, task, _)| task.map_or(0, |task| 1 << task)).collect()
}

/// The certificate that the generator finds for a program, or a wrong one.
fn certified(drawn: &Drawn, random: &mut Random) -> Drawn {
    let bytes = drawn.container(&drawn.code);
    let programs = [Container::read(&bytes).expect("a fresh container")];
    let (tasks, touches) = (times(), touches());
    let parts = Parts {
        programs: &programs,
        tasks: &tasks,
        touches: &touches,
        policies: &[Policy::FixedPriority],
        losses: &[],
    };
    let numbers = certificate(&parts).unwrap_or_else(|_| vec![1 + random.below(9) as u32; 2]);
    Drawn { certificate: numbers, ..drawn.clone() }
}

#[test]
fn what_is_accepted_is_never_late_and_does_what_the_reference_machine_does() {
    let (mut accepted, mut mutated, mut refused, mut told, mut events) = (0, 0, 0, 0, [0; 4]);
    for seed in 1..=16_000 {
        let mut random = Random::new(seed);
        let mut drawn = certified(&draw(&mut random), &mut random);
        let is_mutated = random.below(2) == 0;
        if is_mutated {
            mutate(&mut drawn.code, &mut random);
        }
        let around = drawn::around(&mut random);
        let mut interrupts: Vec<_> = (0..random.below(12))
            .map(|_| (PERIOD + 1 + random.below(70) as u64, random.below(2) as u16))
            .collect();
        interrupts.sort_unstable();
        interrupts.dedup_by_key(|(at, _)| *at);
        let (found, end) = match on_kernel(&drawn, &around, &interrupts, seed, 100) {
            Answer::Refused => {
                refused += 1;
                continue;
            }
            Answer::Ran(found, end) => (found, end),
        };
        let said = || format!("seed {seed}, mutated: {is_mutated}\n{drawn:?}\n{around:?}\n{interrupts:?}");
        assert!(!found.iter().any(|(_, words)| words.starts_with("violation")), "{found:?}\n{}", said());
        let expected = on_model(&drawn, &around, &interrupts, seed, end);
        let found: Vec<_> = found.into_iter().filter(|(at, _)| *at < end).collect();
        assert_eq!(found, expected, "{}", said());
        accepted += 1;
        mutated += usize::from(is_mutated);
        told += found.len();
        drawn.waits().iter().zip(&mut events).for_each(|(waits, count)| *count += usize::from(*waits));
    }
    assert!(
        accepted > 1000
            && mutated > 200
            && refused > 1000
            && told > 20_000
            && events.iter().all(|one| *one > 200),
        "{accepted} accepted, {mutated} of them mutated, {refused} refused; {told} told; on {events:?}"
    );
}
