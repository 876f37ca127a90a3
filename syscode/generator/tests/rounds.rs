//! Certificates for programs that go round: the check reads of one block for all instants what it reads of a
//! block for each, in as many instants, and no step more than was said before.

use std::fmt::Write;

use beryl_assembler::{Program, assemble};
use beryl_generator::certificate;
use beryl_syscode::Container;
use beryl_syscode::check::demand::{Demand, Pace, WORDS, most_steps};
use beryl_syscode::check::time::{Image, Parts, Policy, Task};
use beryl_testing::{Draw, XorShiftStar};

fn names(periods: &[u64]) -> String {
    (0..periods.len()).map(|task| format!("task t{task}\ndriver in{task}, out{task}\n")).collect()
}

fn together(periods: &[u64]) -> u64 {
    (1..).find(|at| periods.iter().all(|period| at % period == 0)).expect("their product, or before")
}

/// A block for each instant.
fn each(periods: &[u64]) -> Program {
    let round = together(periods);
    let instants: Vec<_> = (0..round).filter(|at| periods.iter().any(|period| at % period == 0)).collect();
    let mut text = names(periods) + "jump first\n";
    for (index, at) in instants.iter().enumerate() {
        let due = || (0..periods.len()).filter(|task| at % periods[*task] == 0);
        let _ = writeln!(text, "b{index}:");
        due().for_each(|task| writeln!(text, "call out{task}").expect("text"));
        text += if index == 0 { "first:\n" } else { "" };
        due().for_each(|task| {
            writeln!(text, "call in{task}\nrelease t{task}, {}", periods[task]).expect("text");
        });
        let next = instants.get(index + 1).unwrap_or(&round);
        let _ = writeln!(text, "future {}, b{}\nreturn", next - at, (index + 1) % instants.len());
    }
    assemble(&text).expect("a program")
}

/// One block for all.
fn round(periods: &[u64]) -> Program {
    let mut text = names(periods) + "jump first\nblock:\n";
    for (task, period) in periods.iter().enumerate() {
        let _ = writeln!(text, "beat {period}, o{task}\ncall out{task}\no{task}:");
    }
    text += "first:\n";
    for (task, period) in periods.iter().enumerate() {
        let _ = writeln!(text, "beat {period}, i{task}\ncall in{task}\nrelease t{task}, {period}\ni{task}:");
    }
    let beats: String = periods.iter().map(|period| format!(", {period}")).collect();
    let _ = writeln!(text, "next round({}{beats}), block\nreturn", together(periods));
    assemble(&text).expect("a program")
}

/// Looks at a program beside nothing, with jobs of so many ticks each.
fn with<T>(program: &Program, bound: u32, look: impl FnOnce(&Parts<'_>) -> T) -> T {
    let bytes = program.to_bytes();
    let tasks = vec![Task { bound, rank: 0 }; program.tasks.len()];
    let touches: Vec<u8> = (0..2 * tasks.len()).map(|driver| 1 << (driver / 2)).collect();
    let programs = [Container::read(&bytes).expect("a container")];
    let policies = [Policy::EarliestDeadline];
    look(&Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] })
}

fn paces(image: &impl Image) -> Vec<Pace> {
    let mut paces = Vec::new();
    Demand::paces(image, &mut vec![0; WORDS * usize::from(image.tasks())], |_, pace| paces.push(pace))
        .expect("it can be read");
    paces
}

#[test]
fn a_round_is_read_as_its_instants_are_one_by_one() {
    let mut certified = 0;
    for seed in 1..300 {
        let mut random = XorShiftStar::new(seed);
        let periods: Vec<u64> =
            (0..1 + random.below(4)).map(|_| [2, 3, 4, 5, 6, 7, 8, 9, 12][random.below(9)]).collect();
        let [each, round] = [each(&periods), round(&periods)];
        let read = with(&round, 1, |image| paces(image));
        assert_eq!(read, with(&each, 1, |image| paces(image)), "seed {seed}: {periods:?}");
        for (pace, period) in read.iter().zip(&periods) {
            assert_eq!(pace.period.map(u64::from), Some(*period), "seed {seed}: {periods:?}");
        }
        let numbers = with(&each, 1, |image| certificate(image).ok());
        let Some(numbers) = numbers else { continue };
        certified += 1;
        with(&round, 1, |image| {
            let mut memory = vec![0; WORDS * usize::from(image.tasks())];
            let steps = Demand::BEGIN.run(image, numbers.as_slice(), &mut memory).expect("the same numbers");
            let most = most_steps(image, numbers.len().try_into().expect("few"));
            assert!(u64::from(steps) <= most, "seed {seed}: {steps} steps of {most}");
        });
    }
    assert!(certified > 50, "only {certified} have certificates");
}

/// What checking costs: a step an instruction at each instant of a few rounds, whatever lies between the instants.
#[test]
fn a_millisecond_beside_ten_seconds_is_read_in_as_many_steps_as_it_has_instants() {
    let program = round(&[1, 10_000]);
    let numbers = with(&program, 0, |image| certificate(image).expect("nothing takes any time"));
    let steps = with(&program, 0, |image| {
        let mut memory = vec![0; WORDS * usize::from(image.tasks())];
        Demand::BEGIN.run(image, numbers.as_slice(), &mut memory).expect("in time")
    });
    assert!((300_000..800_000).contains(&steps), "{steps}");
}
