//! Each scheme against a scheduler that counts ticks, on the reference machine, and against the checkers.

use std::cell::RefCell;

use beryl_assembler::Program;
use beryl_generator::{GenerateError, Scheme, Task, TaskSet, generate, keeps_deadlines};
use beryl_reference::{Entry, Event, Policy};
use beryl_syscode::Container;
use beryl_syscode::check::time::{self, Breach, Parts, Proof, Time};
use beryl_syscode::check::{Rights, Structure};
use beryl_testing::{Draw, XorShiftStar as Random};

use common::periodic::{self, who_runs};
use common::sets::{random_set, random_set_with_deadlines};

mod common;

const SLICE: u64 = 2;
const SCHEMES: [Scheme; 6] = [
    Scheme::Bands,
    Scheme::PreemptiveEdf,
    Scheme::NonPreemptiveEdf,
    Scheme::RateMonotonic,
    Scheme::TimeSliced(SLICE),
    Scheme::ThreadPerTask(SLICE),
];

/// Who runs at each tick of a hyperperiod if jobs take their bounds; nothing if a deadline is missed.
fn count_ticks(set: &TaskSet, scheme: Scheme) -> Option<Vec<Option<usize>>> {
    let hyperperiod = set.hyperperiod().expect("it can be counted");
    // What is left of each task's job, when it is due and when it was released.
    let mut jobs: Vec<(u64, u64, u64)> = vec![(0, 0, 0); set.tasks.len()];
    let mut ran = Vec::new();
    let mut held: Option<usize> = None;
    for now in 0..=hyperperiod {
        for (job, task) in jobs.iter_mut().zip(&set.tasks) {
            if now % task.period == 0 {
                if job.0 > 0 {
                    return None;
                }
                *job = (task.bound, now + task.deadline, now);
            }
            if job.0 > 0 && now >= job.1 {
                return None;
            }
        }
        let ready = |task: &usize| jobs[*task].0 > 0;
        let tasks = || (0..jobs.len()).filter(ready);
        let earliest = || tasks().min_by_key(|task| (jobs[*task].1, std::cmp::Reverse(jobs[*task].2), *task));
        let next = match scheme {
            Scheme::RateMonotonic => tasks().next(),
            Scheme::NonPreemptiveEdf => held.filter(ready).or_else(earliest),
            Scheme::TimeSliced(slice) | Scheme::ThreadPerTask(slice) if now % slice != 0 => {
                held.filter(ready)
            }
            _ => earliest(),
        };
        held = next;
        if let Some(task) = next {
            jobs[task].0 -= 1;
            held = next.filter(|task| jobs[*task].0 > 0);
        }
        ran.push(next);
    }
    ran.pop();
    Some(ran)
}

/// The trace of a program up to an instant, if jobs take what `execution` says of bound, task and number.
fn trace(
    program: &Program,
    set: &TaskSet,
    execution: impl Fn(u64, usize, usize) -> u64 + 'static,
    until: u64,
) -> Vec<Entry> {
    let world = periodic::world(set, Policy::EarliestDeadline, execution);
    periodic::run(&[program.to_bytes()], world, until)
}

fn is_violated(trace: &[Entry]) -> bool {
    trace.iter().any(|entry| matches!(entry.event, Event::Violation(..)))
}

/// What the checkers say.
fn is_accepted(program: &Program, set: &TaskSet) -> bool {
    check(program, set).is_ok()
}

fn check(program: &Program, set: &TaskSet) -> Result<Proof, Breach> {
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).expect("a fresh container");
    let mut marks = vec![0; program.code.len()];
    Structure::new(container, Rights::ALL, &mut marks).run().expect("it is well-formed");
    let bounds: Vec<_> = set.tasks.iter().map(|task| task.bound as u32).collect();
    let width = bounds.len().div_ceil(8);
    let touches: Vec<u8> = (0..2 * bounds.len())
        .flat_map(|driver| (0..width).map(move |byte| (driver, byte)))
        .map(|(driver, byte)| {
            let task = driver % bounds.len();
            if task / 8 == byte { 1 << (task % 8) } else { 0 }
        })
        .collect();
    let tasks: Vec<_> = bounds.iter().map(|bound| time::Task { bound: *bound, rank: 0 }).collect();
    let policies = [time::Policy::EarliestDeadline];
    let programs = [container];
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] };
    let check = Time::new(&image, 16, 1_000);
    let mut memory = vec![0xA5A5_A5A5; check.words(0)];
    check.run(&image, &mut memory)
}

#[test]
fn every_scheme_runs_as_its_scheduler_does() {
    let mut made = [0; SCHEMES.len()];
    let mut missed = [0; SCHEMES.len()];
    for seed in 0..250 {
        let set = random_set(seed);
        let hyperperiod = set.hyperperiod().expect("it can be counted");
        for (index, scheme) in SCHEMES.into_iter().enumerate() {
            let place = || format!("seed {seed}, {scheme:?}, {set:?}");
            let expected = count_ticks(&set, scheme);
            let program = match generate(&set, scheme) {
                Ok(program) => program,
                Err(GenerateError::Missed { .. }) => {
                    missed[index] += 1;
                    assert_eq!(expected, None, "{}", place());
                    continue;
                }
                Err(other) => panic!("{}: {other}", place()),
            };
            made[index] += 1;
            assert_eq!(is_accepted(&program, &set), expected.is_some(), "{}", place());
            let trace = trace(&program, &set, |bound, _, _| bound, 2 * hyperperiod);
            let Some(expected) = expected else {
                assert!(is_violated(&trace), "{}", place());
                continue;
            };
            assert!(!is_violated(&trace), "{}", place());
            let twice = [expected.clone(), expected].concat();
            assert_eq!(who_runs(&trace, 2 * hyperperiod), twice, "{}", place());
        }
    }
    // Bands and rates are written whether or not they fit.
    assert!(made.iter().all(|made| *made > 40), "{made:?}");
    assert!([1, 2, 4, 5].iter().all(|scheme| missed[*scheme] > 20), "{missed:?}");
}

/// Where a job must be done before its period ends, there is a schedule just when the scheduler keeps that, and it
/// runs as that one does.
#[test]
fn schedules_keep_deadlines_before_periods_end() {
    let (mut made, mut missed) = ([0; SCHEMES.len()], [0; SCHEMES.len()]);
    for seed in 0..400 {
        let set = random_set_with_deadlines(seed);
        let hyperperiod = set.hyperperiod().expect("it can be counted");
        for (index, scheme) in SCHEMES.into_iter().enumerate() {
            let place = || format!("seed {seed}, {scheme:?}, {set:?}");
            let expected = count_ticks(&set, scheme);
            let program = match scheme {
                // Bands and rates are written whether or not they fit.
                Scheme::Bands => expected.is_some().then(|| generate(&set, scheme)),
                Scheme::RateMonotonic => keeps_deadlines(&set).is_ok().then(|| generate(&set, scheme)),
                _ => Some(generate(&set, scheme)),
            };
            let Some(program) = program.filter(|made| !matches!(made, Err(GenerateError::Missed { .. })))
            else {
                assert_eq!(expected, None, "{}", place());
                missed[index] += 1;
                continue;
            };
            made[index] += 1;
            let program = program.expect("there is one");
            let expected = expected.unwrap_or_else(|| panic!("{}: it is late", place()));
            assert!(is_accepted(&program, &set), "{}", place());
            let longest = trace(&program, &set, |bound, _, _| bound, 2 * hyperperiod);
            let twice = [expected.clone(), expected].concat();
            assert_eq!(who_runs(&longest, 2 * hyperperiod), twice, "{}", place());
            let random = RefCell::new(Random::new(seed ^ 0xBEEF));
            let shorter = move |bound, _, _| random.borrow_mut().within(1, bound);
            let shorter = trace(&program, &set, shorter, 2 * hyperperiod);
            assert_eq!([longest, shorter].map(|trace| late(&trace, &set)), [0, 0], "{}", place());
        }
    }
    assert!(made.iter().all(|made| *made > 60), "{made:?}");
    assert!(missed.iter().all(|missed| *missed > 60), "{missed:?}");
}

/// How many jobs are complete behind their deadlines.
fn late(trace: &[Entry], set: &TaskSet) -> usize {
    let is_late = |entry: &&Entry| match entry.event {
        Event::Complete(task) => {
            let task = &set.tasks[task];
            (entry.at - 1) % task.period + 1 > task.deadline
        }
        _ => false,
    };
    trace.iter().filter(is_late).count()
}

#[test]
fn shorter_jobs_break_nothing() {
    for seed in 0..150 {
        let set = random_set(seed);
        for scheme in SCHEMES {
            let Ok(program) = generate(&set, scheme) else { continue };
            if !is_accepted(&program, &set) {
                continue;
            }
            let random = RefCell::new(Random::new(seed ^ 0xBEEF));
            let execution = move |bound, _, _| random.borrow_mut().within(1, bound);
            let trace = trace(&program, &set, execution, 300);
            assert!(!is_violated(&trace), "seed {seed}, {scheme:?}, {set:?}");
        }
    }
}

/// The paper's section 6: four groups at 16.66, 33.33, 50 and 100 Hz; a tick is a microsecond.
fn paper(tasks: u64, bound: u64) -> TaskSet {
    let task =
        |index: u64| Task::new(&format!("t{index}"), 1_000 * [60, 30, 20, 10][(index % 4) as usize], bound);
    TaskSet::new("paper", (0..tasks).map(task).collect())
}

#[test]
fn the_papers_hundred_tasks_fit_into_two_and_a_half_kilobytes() {
    let set = paper(100, 100);
    let words = SCHEMES[..4].iter().map(|scheme| {
        let program = generate(&set, *scheme).expect("half of the processor");
        assert!(is_accepted(&program, &set), "{scheme:?}");
        program.code.len()
    });
    // The paper has 318 words of E code alone, 636 with either EDF schedule, 912 with the rate-monotonic one.
    let words: Vec<_> = words.collect();
    assert_eq!(words, [55, 364, 364, 664]);
    assert!(words[1] * 4 <= 2_500);
}

#[test]
fn checking_a_schedule_is_linear_in_its_code() {
    for scheme in &SCHEMES[..4] {
        for (tasks, bound) in [(4, 2_000), (20, 400), (100, 100)] {
            let set = paper(tasks, bound);
            let program = generate(&set, *scheme).expect("there is room");
            let proof = check(&program, &set).expect("it is safe");
            let (steps, length) = (proof.steps as usize, program.code.len());
            // A row of tasks is one instruction, and a step for each task; a policy looks at all tasks for
            // each job, 8 a step.
            let jobs = tasks as usize * 3;
            assert!(
                steps <= 12 * length + (6 + tasks as usize / 4) * jobs + 500,
                "{scheme:?}: {steps} steps for {length} instructions, {jobs} jobs"
            );
        }
    }
}

/// What the scheme itself doesn't look at: the check of its program by carrying it out says the same.
#[test]
fn deadlines_are_kept_by_rate_if_and_only_if_the_program_is_accepted() {
    let mut kept = 0;
    for seed in 0..400 {
        let set = random_set(seed);
        let program = generate(&set, Scheme::RateMonotonic).expect("it needs no bounds");
        let accepted = is_accepted(&program, &set);
        assert_eq!(keeps_deadlines(&set).is_ok(), accepted, "seed {seed}: {set:?}");
        kept += usize::from(accepted);
    }
    assert!((100..300).contains(&kept), "{kept} of 400");
    // By deadline these two fit.
    let set = TaskSet::new("m", vec![Task::new("short", 10, 5), Task::new("long", 15, 7)]);
    assert!(generate(&set, Scheme::PreemptiveEdf).is_ok());
    assert_eq!(keeps_deadlines(&set), Err(GenerateError::Missed { task: "long".into(), deadline: 15 }));
}

#[test]
fn what_cannot_be_generated_is_said() {
    let set = |tasks: &[(u64, u64)]| {
        let task =
            |(index, (period, bound)): (usize, &(u64, u64))| Task::new(&format!("t{index}"), *period, *bound);
        TaskSet::new("m", tasks.iter().enumerate().map(task).collect())
    };
    let wrong = |tasks: &[(u64, u64)], scheme: Scheme| generate(&set(tasks), scheme).expect_err("it can't");
    assert_eq!(wrong(&[], Scheme::Bands), GenerateError::Empty);
    assert_eq!(wrong(&[(5, 0)], Scheme::Bands), GenerateError::Zero { task: "t0".into() });
    assert_eq!(wrong(&[(0, 5)], Scheme::Bands), GenerateError::Zero { task: "t0".into() });
    let primes: Vec<_> = [u64::MAX, u64::MAX - 1, 7].map(|period| (period, 1)).to_vec();
    assert_eq!(wrong(&primes, Scheme::Bands), GenerateError::Hyperperiod);
    assert_eq!(wrong(&[(257, 1), (251, 1)], Scheme::PreemptiveEdf), GenerateError::Long { most: 250 });
    assert_eq!(wrong(&[(1_000, 1)], Scheme::ThreadPerTask(1)), GenerateError::Long { most: 250 });
    assert_eq!(wrong(&[(9, 1)], Scheme::TimeSliced(2)), GenerateError::Slice { slice: 2, period: 9 });
    assert_eq!(
        wrong(&[(10, 6), (20, 9)], Scheme::PreemptiveEdf),
        GenerateError::Missed { task: "t1".into(), deadline: 20 }
    );
    assert_eq!(
        wrong(&[(10, 4), (40, 15)], Scheme::NonPreemptiveEdf),
        GenerateError::Missed { task: "t0".into(), deadline: 20 }
    );
    let many = vec![(100, 1); 70];
    assert_eq!(wrong(&many, Scheme::ThreadPerTask(1)), GenerateError::Many { what: "threads", most: 63 });
}
