//! Certificates: what is found is accepted, what is accepted never goes wrong, and of tasks that are released
//! together, one is found for all that can't go wrong.

use std::fmt::Write;

use beryl_assembler::{Program, assemble};
use beryl_generator::{Uncertified, certificate};
use beryl_reference::{Driver, Event, Machine, Policy as ModelPolicy, Task as ModelTask, World};
use beryl_syscode::Container;
use beryl_syscode::check::demand::{Demand, Outcome, Refusal, WORDS, most_steps};
use beryl_syscode::check::time::{Breach, Fault, Image, Loss, Parts, Policy, Task, Time, Unknown};
use beryl_testing::{High, multiple};

/// Modules of one or two tasks each; periods of different modules have little in common.
#[derive(Debug)]
struct Case {
    /// Of each task: module, period, bound, rank.
    tasks: Vec<(usize, u32, u32, u8)>,
    policies: Vec<Policy>,
    losses: Vec<Loss>,
}

impl Case {
    fn random(random: &mut High, has_losses: bool) -> Case {
        let modules = 1 + random.below(3) as usize;
        let mut tasks = Vec::new();
        for module in 0..modules {
            let period = [5, 6, 7, 8, 9, 11, 12][random.below(7) as usize];
            for factor in 1..=1 + random.below(2) {
                let bound = 1 + random.below(period * factor / 2);
                tasks.push((module, period * factor, bound, random.below(2) as u8));
            }
        }
        let policy =
            |random: &mut High| [Policy::EarliestDeadline, Policy::FixedPriority][random.below(2) as usize];
        let first = policy(random);
        let policies = vec![first, first];
        let loss = Loss { period: 9 + random.below(4), worst: 1, is_in_step: false };
        Case { tasks, policies, losses: if has_losses { vec![loss] } else { Vec::new() } }
    }

    /// The programs, one a module.
    fn programs(&self) -> Vec<Program> {
        let modules = 1 + self.tasks.iter().map(|task| task.0).max().unwrap_or(0);
        (0..modules).map(|module| assemble(&self.text(module)).expect("a program")).collect()
    }

    fn text(&self, module: usize) -> String {
        let mut text: String =
            (0..self.tasks.len()).map(|task| format!("task t{task}\ndriver in{task}, out{task}\n")).collect();
        let own: Vec<_> = self.tasks.iter().enumerate().filter(|(_, task)| task.0 == module).collect();
        let period = own[0].1.1;
        let blocks = own.iter().map(|(_, task)| task.1 / period).max().unwrap_or(1);
        for block in 0..blocks {
            let _ = writeln!(text, "b{block}:");
            let due = || own.iter().filter(|(_, task)| (block * period).is_multiple_of(task.1));
            due().for_each(|(task, _)| writeln!(text, "call out{task}").expect("text"));
            for (task, row) in due() {
                let _ = writeln!(text, "call in{task}\nrelease t{task}, {}", row.1);
            }
            let _ = writeln!(text, "future {period}, b{}\nreturn", (block + 1) % blocks);
        }
        text
    }

    fn with<T>(&self, look: impl FnOnce(&Parts<'_>) -> T) -> T {
        self.with_programs(&self.programs(), look)
    }

    fn with_programs<T>(&self, programs: &[Program], look: impl FnOnce(&Parts<'_>) -> T) -> T {
        let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
        let programs: Vec<_> =
            bytes.iter().map(|bytes| Container::read(bytes).expect("a container")).collect();
        let tasks: Vec<_> = self.tasks.iter().map(|task| Task { bound: task.2, rank: task.3 }).collect();
        let count = tasks.len();
        let touches: Vec<u8> = (0..2 * count).map(|driver| 1 << (driver / 2)).collect();
        let (policies, losses) = (&self.policies, &self.losses);
        look(&Parts { programs: &programs, tasks: &tasks, touches: &touches, policies, losses })
    }

    fn hyperperiod(&self) -> u64 {
        self.tasks.iter().fold(1, |all, task| multiple(all, task.1.into()))
    }

    /// Whether the reference machine goes wrong, with all jobs at their bounds.
    fn goes_wrong(&self) -> bool {
        let count = self.tasks.len();
        let bounds: Vec<_> = self.tasks.iter().map(|task| u64::from(task.2)).collect();
        let world = World {
            tasks: (0..count)
                .map(|task| ModelTask { reads: vec![2 * task], writes: vec![2 * task + 1] })
                .collect(),
            drivers: (0..count)
                .flat_map(|task| {
                    [Driver::copy(3 * count, 2 * task), Driver::copy(2 * task + 1, 2 * count + task)]
                })
                .collect(),
            ports: vec![0; 3 * count + 1],
            policy: match self.policies[0] {
                Policy::FixedPriority => ModelPolicy::FixedPriority,
                _ => ModelPolicy::EarliestDeadline,
            },
            ranks: self.tasks.iter().map(|task| task.3).collect(),
            ..World::of_times(&bounds)
        };
        let bytes: Vec<_> = self.programs().iter().map(Program::to_bytes).collect();
        let programs: Vec<_> =
            bytes.iter().map(|bytes| Container::read(bytes).expect("a container")).collect();
        let trace = Machine::new(&programs, world).run(self.hyperperiod() + 1).expect("no trap");
        trace.iter().any(|entry| matches!(entry.event, Event::Violation(..)))
    }
}

fn is_accepted(image: &Parts<'_>, numbers: &[u32]) -> bool {
    let mut memory = vec![0xA5A5_A5A5; WORDS * usize::from(image.tasks())];
    let most = most_steps(image, u16::try_from(numbers.len()).expect("a certificate"));
    let (mut demand, mut steps) = (Demand::BEGIN, 1);
    loop {
        match demand.step(image, numbers, &mut memory) {
            Outcome::Again => steps += 1,
            answer => {
                assert!(steps <= most, "{steps} of {most}: {numbers:?}");
                return answer == Outcome::Accepted;
            }
        }
    }
}

#[test]
fn there_is_a_certificate_if_and_only_if_nothing_can_go_wrong() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..600 {
        let case = Case::random(&mut High::new(seed), false);
        match case.with(|image| certificate(image).map(|numbers| (is_accepted(image, &numbers), numbers))) {
            Ok((is_accepted, numbers)) => {
                assert!(is_accepted, "seed {seed}: {numbers:?} {case:?}");
                assert!(!case.goes_wrong(), "seed {seed}: {numbers:?} {case:?}");
                found += 1;
            }
            Err(Uncertified::Overload { .. } | Uncertified::Late { .. }) => {
                assert!(case.goes_wrong(), "seed {seed}: {case:?}");
                none += 1;
            }
            Err(other) => panic!("seed {seed}: {other} {case:?}"),
        }
    }
    assert!(found > 100 && none > 100, "{found} found, {none} not");
}

/// Whatever the numbers are: what is accepted doesn't go wrong.
#[test]
fn no_certificate_makes_a_late_job_acceptable() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..1_500 {
        let mut random = High::new(seed);
        let case = Case::random(&mut random, false);
        let mut numbers = case.with(|image| certificate(image)).unwrap_or_default();
        for _ in 0..1 + random.below(3) {
            let place = random.below(numbers.len() as u32 + 1) as usize;
            match random.below(4) {
                0 => numbers.insert(place, random.below(60)),
                1 if place < numbers.len() => drop(numbers.remove(place)),
                2 => numbers.extend((0..8).map(|_| random.below(60))),
                _ => numbers.get_mut(place).into_iter().for_each(|number| *number = random.below(60)),
            }
        }
        if case.with(|image| is_accepted(image, &numbers)) {
            assert!(!case.goes_wrong(), "seed {seed}: {numbers:?} {case:?}");
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

/// All short certificates for two tasks with deadlines before the ends of their periods, and for one with
/// much lost beside it.
#[test]
fn no_numbers_help_where_a_job_may_be_late() {
    let text = |deadline: u32| {
        format!(
            "task t0, t1\ndriver in0, out0, in1, out1\na: release t0, {deadline}\nrelease t1, {deadline}\n\
             future {deadline}, b\nreturn\nb: call out0\ncall out1\nfuture 10, a\nreturn"
        )
    };
    let accepted = |deadline: u32, losses: &[Loss]| {
        let bytes = assemble(&text(deadline)).expect("a program").to_bytes();
        let programs = [Container::read(&bytes).expect("a container")];
        let (tasks, policies) = ([Task { bound: 3, rank: 0 }; 2], [Policy::EarliestDeadline]);
        let image =
            Parts { programs: &programs, tasks: &tasks, touches: &[1, 1, 2, 2], policies: &policies, losses };
        let all = (0..16_u32.pow(3)).map(|code| [code & 15, code >> 4 & 15, code >> 8]);
        let count = all.filter(|numbers| is_accepted(&image, numbers)).count();
        assert_eq!(count > 0, certificate(&image).is_ok());
        count
    };
    assert_eq!([accepted(4, &[]), accepted(5, &[])], [0, 0]);
    assert!(accepted(6, &[]) > 0);
    let loss = |worst| [Loss { period: 20, worst, is_in_step: true }];
    assert_eq!([accepted(6, &loss(1)), accepted(9, &loss(2))], [0, 0]);
    assert!(accepted(8, &loss(1)) > 0);
}

/// With what is lost to others, a certificate promises no more than carrying the programs out does.
#[test]
fn certificates_count_what_is_lost() {
    let mut found = 0;
    for seed in 0..300 {
        let case = Case::random(&mut High::new(seed), true);
        let is_certain =
            case.with(|image| certificate(image).is_ok_and(|numbers| is_accepted(image, &numbers)));
        let lossless =
            Case { tasks: case.tasks.clone(), policies: case.policies.clone(), losses: Vec::new() };
        let was_certain = lossless.with(|image| certificate(image).is_ok());
        assert!(was_certain || !is_certain, "seed {seed}: {case:?}");
        // One more job above all that takes as much, whenever it comes.
        let mut beside = lossless;
        beside.tasks.iter_mut().for_each(|task| task.3 += 1);
        let module = 1 + beside.tasks.iter().map(|task| task.0).max().unwrap_or(0);
        beside.tasks.push((module, case.losses[0].period, case.losses[0].worst, 0));
        beside.policies.push(case.policies[0]);
        if is_certain {
            assert!(!beside.goes_wrong(), "seed {seed}: {case:?}");
            found += 1;
        }
    }
    assert!(found > 30, "only {found}");
}

#[test]
fn checking_a_certificate_does_not_grow_with_the_hyperperiod() {
    let task = |module: usize, period: u32| (module, period, period / 10, 0);
    let periods = [[100, 110, 120, 130, 140], [97, 101, 103, 107, 109]];
    let steps = periods.map(|periods| {
        let tasks = periods.iter().enumerate().map(|(module, period)| task(module, *period)).collect();
        let case = Case { tasks, policies: vec![Policy::EarliestDeadline], losses: Vec::new() };
        case.with(|image| {
            let numbers = certificate(image).expect("half of the processor");
            let mut memory = vec![0; WORDS * usize::from(image.tasks())];
            let (mut demand, mut steps) = (Demand::BEGIN, 1);
            while demand.step(image, numbers.as_slice(), &mut memory) == Outcome::Again {
                steps += 1;
            }
            let time = Time::new(image, 0, 2_000);
            let carried_out = time.run(image, &mut vec![0; time.words(0)]);
            (steps, carried_out.map(|proof| proof.steps).map_err(|breach| breach.fault))
        })
    });
    assert!(steps.iter().all(|(steps, _)| *steps < 140), "{steps:?}");
    // The first hyperperiod has some thousand instants, the second ten thousand millions.
    assert!(steps.iter().all(|(_, other)| *other == Err(Fault::Long)), "{steps:?}");
}

/// Programs with some of their words changed, as no check of structure has seen them, and any numbers:
/// `is_accepted` counts the steps.
#[test]
fn no_program_takes_more_steps_than_was_said() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..3_000 {
        let mut random = High::new(seed);
        let case = Case::random(&mut random, true);
        let mut numbers = case.with(|image| certificate(image)).unwrap_or_default();
        numbers.extend((0..random.below(4)).map(|_| random.below(60)));
        let mut programs = case.programs();
        for program in &mut programs {
            for _ in 0..random.below(4) {
                let place = random.below(program.code.len() as u32) as usize;
                match random.below(3) {
                    0 => drop(program.code.remove(place)),
                    1 => program.code[place] ^= 1 << random.below(32),
                    _ => program.code[place] = program.code[random.below(program.code.len() as u32) as usize],
                }
                if program.code.is_empty() {
                    break;
                }
            }
        }
        match case.with_programs(&programs, |image| is_accepted(image, &numbers)) {
            true => accepted += 1,
            false => refused += 1,
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

/// Many instants that share a long tail, or come before it goes round, would be read again and again.
#[test]
fn a_program_that_is_read_again_and_again_is_given_up() {
    let mut text = "task t0\ndriver in0, out0\n".to_owned();
    for block in 0..40 {
        let next = if block == 39 { 0 } else { block + 1 };
        let _ = writeln!(text, "b{block}: future 5, b{next}\njump tail");
    }
    text += &format!("tail: {}return", "call in0\n".repeat(40));
    let bytes = assemble(&text).expect("a program").to_bytes();
    let programs = [Container::read(&bytes).expect("a container")];
    let (tasks, policies) = ([Task { bound: 1, rank: 0 }], [Policy::EarliestDeadline]);
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &[1, 1], policies: &policies, losses: &[] };
    let mut memory = [0; WORDS];
    let answer = Demand::BEGIN.run(&image, [].as_slice(), &mut memory);
    let Err(Refusal::Code(Breach { fault, .. })) = answer else { panic!("{answer:?}") };
    assert_eq!(fault, Fault::Long);
    assert!(!is_accepted(&image, &[]));
}

#[test]
fn what_is_outside_of_the_class_is_said() {
    let code = |texts: &[&str]| {
        let head = "task t0, t1\ndriver in0, out0, in1, out1\nport p\n";
        let bytes: Vec<_> = texts
            .iter()
            .map(|text| {
                assemble(&format!("{head}{text}")).unwrap_or_else(|wrong| panic!("{wrong:?}")).to_bytes()
            })
            .collect();
        let programs: Vec<_> =
            bytes.iter().map(|bytes| Container::read(bytes).expect("a container")).collect();
        let tasks = [Task { bound: 1, rank: 0 }; 2];
        let policies = [Policy::EarliestDeadline];
        let image = Parts {
            programs: &programs,
            tasks: &tasks,
            touches: &[1, 1, 2, 2],
            policies: &policies,
            losses: &[],
        };
        let mut memory = [0; 2 * WORDS];
        match Demand::BEGIN.run(&image, [100; 20].as_slice(), &mut memory) {
            Err(Refusal::Code(Breach { program, address, fault, .. })) => Some((program, address, fault)),
            _ => None,
        }
    };
    let unknown = |unknown| Fault::Unknown(unknown);
    assert_eq!(
        code(&["a: call in0\nbranch b\nb: future 5, a\nreturn"]),
        Some((0, 1, unknown(Unknown::Guard)))
    );
    // An event may come again at once; one that is looked at only later keeps a distance.
    assert_eq!(code(&["a: when change(p), a\nreturn"]), Some((0, 0, unknown(Unknown::Event))));
    assert_eq!(code(&["a: when change(p), b\nreturn\nb: future 5, a\nreturn"]), None);
    assert_eq!(code(&["threads 1\ndispatch t0\nreturn"]), Some((0, 0, unknown(Unknown::Moment))));
    let two = "triggers 2\nfuture 5, a\nfuture 6, a\na: return";
    assert_eq!(code(&[two]), Some((0, 1, unknown(Unknown::Moment))));
    // Deadlines behind the next release, and behind the next copy of an output.
    let late = "a: call out0\nrelease t0, 9\nfuture 5, a\nreturn";
    assert_eq!(code(&[late]), Some((0, 0, Fault::Safety(0))));
    let early = "a: release t0, 9\nfuture 5, b\nreturn\nb: call out0\nfuture 5, a\nreturn";
    assert_eq!(code(&[early]), Some((0, 3, Fault::Safety(0))));
    // Another program reads a task's outputs: before or behind the one that releases it.
    let own = "a: release t0, 5\nfuture 5, a\nreturn";
    let other = "a: call out0\nfuture 5, a\nreturn";
    assert_eq!(code(&[own, other]), Some((1, 0, unknown(Unknown::Shared))));
    assert_eq!(code(&[other, own]), Some((1, 0, unknown(Unknown::Shared))));
}
