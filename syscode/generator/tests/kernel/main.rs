//! Generated programs on the kernel and on the reference machine: the same tasks run at the same ticks.

use beryl_abi::{DriverId, ThreadId};
use beryl_assembler::{Program, assemble};
use beryl_generator::{Scheme, Task, TaskSet, generate, schedule};
use beryl_syscode::check::time::{self, Parts, Time};
use beryl_syscode::{Container, Instruction};

use common::sets::random_set;
use host::{LONGEST, by_deadline, carried_out, execution, on_kernel, on_model};

#[path = "../common/mod.rs"]
mod common;
mod host;
mod yartek;

#[test]
fn the_kernel_runs_what_the_reference_machine_runs() {
    const SLICE: u64 = 2;
    let schemes = [
        Scheme::PreemptiveEdf,
        Scheme::NonPreemptiveEdf,
        Scheme::TimeSliced(SLICE),
        Scheme::ThreadPerTask(SLICE),
    ];
    for scheme in schemes {
        let mut count = 0;
        for seed in 1..=500 {
            let set = random_set(seed);
            let Ok(program) = generate(&set, scheme) else { continue };
            let until = 3 * set.hyperperiod().expect("it can be counted");
            let (named, programs) = (set.tasks.len(), [program]);
            let expected = on_model(&programs, &set, seed, until);
            assert_eq!(on_kernel(&programs, named, &set, seed, until), expected, "seed {seed}, {scheme:?}");
            assert!(expected.iter().any(Option::is_some));
            count += 1;
        }
        assert!(count > 100, "{scheme:?}: only {count} systems");
    }
}

#[test]
fn tasks_that_no_program_names_run_where_the_schedule_idles() {
    let (mut count, mut shared) = (0, 0);
    for seed in 1..=500 {
        let set = random_set(seed);
        // Half of the utilisation for those below, who may need it all at the wrong time.
        let tasks = set.tasks.iter().map(|task| Task { bound: task.bound.div_ceil(3), ..task.clone() });
        let set = TaskSet::new("m", tasks.collect());
        let named = 1 + seed as usize % (set.tasks.len() - 1);
        let some = TaskSet::new("s", set.tasks[..named].to_vec());
        let Ok(e_code) = generate(&set, Scheme::Bands) else { continue };
        let Ok(schedule) = schedule(&some, Scheme::PreemptiveEdf) else { continue };
        let programs = [e_code, schedule];
        let until = 3 * set.hyperperiod().expect("it can be counted");
        let expected = on_model(&programs, &set, seed, until);
        if !fits(&set, &expected, seed) {
            continue;
        }
        assert_eq!(on_kernel(&programs, named, &set, seed, until), expected, "seed {seed}, {named} named");
        count += 1;
        shared += usize::from((named..set.tasks.len()).any(|task| expected.contains(&Some(task))));
    }
    assert!(count > 100 && shared > 100, "only {count} systems, {shared} with others below");
}

#[test]
fn a_task_that_is_given_up_stands_aside_while_the_thread_idles() {
    let set = TaskSet::new("m", vec![Task::new("held", 20, 6), Task::new("below", 20, 3)]);
    let e_code = generate(&set, Scheme::Bands).expect("two tasks");
    let text = "module s\ntask held, below\ntriggers 1\nthreads 1\nstart a0\n\n\
                a0:     fork     a2\n        return\n\
                a2:     dispatch held, clock(4), a3\n\
                a3:     idle     clock(10)\n        fork     a2\n        return\n";
    let programs = [e_code, assemble(text).expect("a program")];
    // With this seed, the jobs take all of their bounds.
    let (seed, until) = (118, 20);
    assert_eq!([execution(seed, 6, 0, 0), execution(seed, 3, 1, 0)], [6, 3]);
    let ran = on_kernel(&programs, 1, &set, seed, until);
    let runs = |task, ticks| std::iter::repeat_n(task, ticks);
    let first = runs(Some(0), 4).chain(runs(Some(1), 3)).chain(runs(None, 3));
    let expected: Vec<_> = first.chain(runs(Some(0), 2)).chain(runs(None, 8)).collect();
    assert_eq!(ran, expected);
    assert_eq!(on_model(&programs, &set, seed, until), expected);
}

#[test]
fn threads_that_wait_for_releases_go_on_at_each_of_them() {
    let set = TaskSet::new("m", vec![Task::new("one", 10, 3), Task::new("two", 20, 4)]);
    let e_code = generate(&set, Scheme::Bands).expect("two tasks");
    // Both wait at once, for different tasks that are released together every second time.
    let text = "module s\ntask one, two\ntriggers 1\nthreads 2\nstart a0\n\n\
                a0:     fork     a3\n        fork     a7\n        return\n\
                a3:     idle     release(one)\n        dispatch one\n        fork     a3\n        return\n\
                a7:     idle     release(two)\n        fork     a10\n        return\n\
                a10:    idle     clock(5)\n        dispatch two\n        fork     a7\n        return\n";
    let programs = [e_code, assemble(text).expect("a program")];
    let (seed, until) = (7, 60);
    let mut expected = vec![None; until as usize];
    for (task, row, offset) in [(0, &set.tasks[0], 0), (1, &set.tasks[1], 5)] {
        for number in 0..(until / row.period) as usize {
            let begin = number * row.period as usize + offset;
            let length = execution(seed, row.bound, task, number) as usize;
            expected[begin..begin + length].fill(Some(task));
        }
    }
    assert_eq!(on_kernel(&programs, 2, &set, seed, until), expected);
    assert_eq!(on_model(&programs, &set, seed, until), expected);
}

/// What a thread would have done when its time was up isn't done once its task is complete: neither where the
/// thread ends nor where it waits for the next task without an end.
#[test]
fn a_thread_whose_task_is_complete_has_no_timeout_any_more() {
    let tasks = [("one", 3), ("two", 12), ("three", 4)].map(|(name, bound)| Task::new(name, 30, bound));
    let (seed, until) = (5, 30);
    let lengths = [(0, 3), (1, 12)].map(|(task, bound)| execution(seed, bound, task, 0) as usize);
    assert!(lengths[0] + lengths[1] > 8, "two is at work when the time of one is up: {lengths:?}");
    let cases = [(2, "return", "dispatch two", None), (3, "dispatch two", "dispatch three", Some(1))];
    for (count, next, otherwise, follows) in cases {
        let set = TaskSet::new("m", tasks[..count].to_vec());
        let names = &["one, two", "one, two, three"][count - 2];
        let text = format!(
            "module s\ntask {names}\ntriggers 1\nthreads 1\nstart a0\n\n\
             a0:     fork     a2\n        return\n\
             a2:     dispatch one, clock(8), a5\n        {next}\n        return\n\
             a5:     {otherwise}\n        return\n"
        );
        let e_code = generate(&set, Scheme::Bands).expect("tasks");
        let programs = [e_code, assemble(&text).expect("a program")];
        let mut expected = vec![None; until as usize];
        expected[..lengths[0]].fill(Some(0));
        expected[lengths[0]..lengths[0] + lengths[1]].fill(follows);
        assert_eq!(on_kernel(&programs, count, &set, seed, until), expected, "{next}");
        assert_eq!(on_model(&programs, &set, seed, until), expected, "{next}");
    }
}

/// Whether the checker of time accepts a program.
fn is_accepted(program: &Program, set: &TaskSet, policy: time::Policy) -> bool {
    let bytes = program.to_bytes();
    let programs = [Container::read(&bytes).expect("a fresh container")];
    let task = |task: &Task| time::Task { bound: task.bound as u32, rank: 0 };
    let tasks: Vec<_> = set.tasks.iter().map(task).collect();
    let touches: Vec<u8> = (0..2 * tasks.len()).map(|driver| 1 << (driver % tasks.len())).collect();
    let policies = [policy];
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] };
    let check = Time::new(&image, 16, 500);
    check.run(&image, &mut vec![0; check.words(0)]).is_ok()
}

/// `on_kernel` fails where a driver meets a task at work, or a task is released before its last job is done.
#[test]
fn what_is_accepted_is_never_late_on_the_kernel() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=600 {
        let set = random_set(seed);
        let Ok(program) = generate(&set, Scheme::RateMonotonic) else { continue };
        if !is_accepted(&program, &set, time::Policy::None) {
            refused += 1;
            continue;
        }
        accepted += 1;
        let until = 3 * set.hyperperiod().expect("it can be counted");
        for times in 0..4 {
            let ran =
                on_kernel(std::slice::from_ref(&program), set.tasks.len(), &set, seed ^ times << 32, until);
            assert!(ran.iter().any(Option::is_some), "seed {seed}");
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}

/// The same in a dynamic band, with deadlines that aren't when ports are touched: then it matters which of
/// equal ones goes first.
#[test]
fn what_is_accepted_is_never_late_whatever_its_deadlines_are() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=3000 {
        let mut set = random_set(seed);
        let Ok(program) = generate(&set, Scheme::Bands) else { continue };
        let mut program = with_other_deadlines(program, seed);
        if seed % 2 == 0 {
            (set, program) = reversed(set, program);
        }
        if !is_accepted(&program, &set, time::Policy::EarliestDeadline) {
            refused += 1;
            continue;
        }
        accepted += 1;
        let until = 3 * set.hyperperiod().expect("it can be counted");
        for times in [LONGEST, seed, seed ^ 1 << 32] {
            let system = by_deadline(std::slice::from_ref(&program), set.tasks.len());
            carried_out(system, &set, times, until);
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

/// Each release has some duration of the program as its deadline.
fn with_other_deadlines(mut program: Program, seed: u64) -> Program {
    let durations = program.durations.len() as u64;
    for (number, word) in program.code.iter_mut().enumerate() {
        let deadline = (execution(seed, durations, 7, number) - 1) as u8;
        let changed = match Instruction::decode(*word) {
            Some(Instruction::Release { task, .. }) => Instruction::Release { task, deadline },
            Some(Instruction::Releases { first, count, .. }) => {
                Instruction::Releases { first, deadline, count }
            }
            _ => continue,
        };
        *word = changed.encode();
    }
    program
}

/// The same with the last task as the first.
fn reversed(mut set: TaskSet, mut program: Program) -> (TaskSet, Program) {
    let all = set.tasks.len() as u16;
    set.tasks.reverse();
    // The first of a row becomes the last: of tasks, of drivers for outputs, of drivers for inputs behind them.
    let row = |first: u16, count: u8| match first < all {
        true => all - first - u16::from(count),
        false => 3 * all - first - u16::from(count),
    };
    let task = |first: ThreadId, count| ThreadId(row(first.0.into(), count) as u8);
    for word in &mut program.code {
        let changed = match Instruction::decode(*word).expect("it was generated") {
            Instruction::Release { task: first, deadline } => {
                Instruction::Release { task: task(first, 1), deadline }
            }
            Instruction::Releases { first, deadline, count } => {
                Instruction::Releases { first: task(first, count), deadline, count }
            }
            Instruction::Call { driver } => Instruction::Call { driver: DriverId(row(driver.0, 1)) },
            Instruction::Calls { first, count } => {
                Instruction::Calls { first: DriverId(row(first.0, count)), count }
            }
            other => other,
        };
        *word = changed.encode();
    }
    (set, program)
}

/// Whether every job gets its time in its period: what happens to late ones is another test's.
fn fits(set: &TaskSet, ran: &[Option<usize>], seed: u64) -> bool {
    set.tasks.iter().enumerate().all(|(task, row)| {
        ran.chunks(row.period as usize).enumerate().all(|(number, job)| {
            let got = job.iter().filter(|running| **running == Some(task)).count() as u64;
            got == execution(seed, row.bound, task, number)
        })
    })
}
