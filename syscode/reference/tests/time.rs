//! What the checker of time promises, in the reference machine: no accepted program goes wrong, whatever jobs
//! take up to their bounds; and of the exact class, each refused program goes wrong.

mod random;
mod scheduled;
mod show;
mod timed;

use std::fmt::Write;

use beryl_assembler::Program;
use beryl_reference::{Driver, Event, Execution, Policy, Task, World, counterexample as counterexample_of};
use beryl_syscode::check::time::{Breach, Fault, Unknown};
use beryl_syscode::{Container, Instruction};
use beryl_testing::{Draw, XorShiftStar as Random};
use timed::{
    Periodic, UNIT, check, counterexample, e_code, hyperperiod, is_well_formed, random_tasks, touches, world,
};

/// Figure 2's tasks and drivers: da reads t1's output, ds writes t2's input, di copies from t2 to t1.
fn helicopter(policy: Policy) -> World {
    World {
        tasks: vec![Task { reads: vec![2], writes: vec![3] }, Task { reads: vec![0], writes: vec![1] }],
        drivers: vec![Driver::copy(3, 4), Driver::sensor(0, 0), Driver::copy(1, 2)],
        policy,
        ..World::of_times(&[])
    }
}

fn flight(threads: usize, s_code: &str) -> Program {
    // Figure 13's first block forks and goes on, which only the start may do.
    let begin = ["", "fork s0", "fork b2\nfork b1"][threads];
    show::program(&format!(
        "task t1, t2
        driver da, ds, di
        threads {threads}
            {begin}
        a0: call da
            call ds
            call di
            release t1, 20
            release t2, 10
            future 10, a1
            return
        a1: call ds
            release t2, 10
            future 10, a0
            return
        {s_code}"
    ))
}

/// The longest t1 that is accepted beside a t2, and what is said of one more.
#[track_caller]
fn largest(program: &Program, policy: Policy, t2: u32, expected: u32, at: u64, fault: Fault) {
    assert!(is_well_formed(program));
    let check = |t1: u32| check(program, &helicopter(policy), &[t1, t2]);
    assert!(check(expected).is_ok(), "{expected} is refused: {:?}", check(expected));
    let breach = check(expected + 1).expect_err("one more");
    assert_eq!((breach.at, breach.fault), (at, fault), "{breach}");
}

#[test]
fn the_figures_are_accepted_up_to_the_times_that_they_allow() {
    let synchronous = "s0: dispatch t2\n dispatch t1\n idle release(t2)\n dispatch t2\n idle release(t1)\n fork s0\n return";
    let preemptive = "s0: dispatch t2\n dispatch t1, release(t2), s1\n idle release(t2)
        s1: dispatch t2\n dispatch t1\n idle release(t1)\n fork s0\n return";
    let non_preemptive = "s0: dispatch t2\n dispatch t1, release(t2), s1\n idle release(t2)\n dispatch t2\n idle release(t1)\n fork s0\n return
        s1: dispatch t1\n dispatch t2\n idle release(t1)\n fork s0\n return";
    let sliced = "s0: dispatch t2, 5, s1\n s1: idle 5\n dispatch t1, 10, s2\n s2: idle 10\n fork s0\n return";
    let two = "b1: idle 5\n dispatch t1, 10, c1\n c1: idle 10\n fork b1\n return
        b2: dispatch t2, 5, c2\n c2: idle 10\n fork b2\n return";
    let late = Fault::Safety;
    // Everything up to 100 % of the processor.
    // Of equal deadlines that of the lower number goes first, so t2's second job comes last.
    largest(&flight(0, ""), Policy::EarliestDeadline, 4, 12, 20, late(1));
    largest(&flight(1, preemptive), Policy::None, 4, 12, 20, late(0));
    // t2's second job comes last here.
    largest(&flight(1, synchronous), Policy::None, 4, 12, 20, late(1));
    largest(&flight(1, non_preemptive), Policy::None, 4, 12, 20, late(1));
    // What the paper says of Figure 11: 10 ms for t1, 5 for t2.
    for program in [flight(1, sliced), flight(2, two)] {
        largest(&program, Policy::None, 5, 10, 20, late(0));
        let breach = check(&program, &helicopter(Policy::None), &[10, 6]).expect_err("t2 has 5");
        assert_eq!((breach.at, breach.fault), (10, late(1)));
    }
}

#[test]
fn figure_16_needs_a_second_place_when_a_thread_may_not_have_ended() {
    let text = |threads: usize| {
        show::program(&format!(
            "task t1, t2
        driver da, ds, di
        threads {threads}
        a0: call da
            call ds
            call di
            release t1, 20
            release t2, 10
            future 10, a1
            dispatch t2
            dispatch t1
            return
        a1: call ds
            release t2, 10
            future 10, a0
            dispatch t2
            return"
        ))
    };
    largest(&text(1), Policy::None, 4, 6, 10, Fault::Share);
    largest(&text(2), Policy::None, 4, 6, 10, Fault::Share);
}

/// At 20, the thread holds either task, and the first is done if it holds the second: then it idles for too long.
#[test]
fn what_is_certain_at_one_place_need_not_be_so_at_another() {
    let tasks = [(40, 19), (40, 10), (20, 2)].map(|(period, bound)| Periodic { period, bound });
    let text = format!(
        "threads 1\n{}
        s0: dispatch t2\n dispatch t0, release(t2), l\n dispatch t1, release(t2), l\n idle release(t2)\n jump m
        l: idle release(t0)
        m: dispatch t2\n dispatch t0\n dispatch t1\n idle 40\n fork s0\n return",
        e_code(&tasks, "fork s0")
    );
    let program = show::program(&text);
    assert!(is_well_formed(&program));
    let world = world(&tasks, Policy::None, Box::new(|_, _| 1));
    let breach = check(&program, &world, &tasks.map(|task| task.bound)).expect_err("t1 and t2 are late");
    assert_eq!((breach.at, breach.fault), (40, Fault::Safety(1)));
    let found = counterexample(&program, &tasks, Policy::None, 40, 6_000).expect("a run");
    assert_eq!(found.at, 40);
}

#[test]
fn what_cannot_be_decided_is_said() {
    let unknown = |text: &str, address: u16, unknown: Unknown| {
        let program = show::program(&format!("task t1, t2\ndriver da, ds, di\nport p\nthreads 2\n{text}"));
        assert!(is_well_formed(&program), "{text}");
        let breach = check(&program, &helicopter(Policy::None), &[2, 2]).expect_err("it can't be decided");
        assert_eq!((breach.address, breach.fault), (address, Fault::Unknown(unknown)), "{text}");
    };
    unknown("release t1, 5\ndispatch t1\nbranch a\na: return", 2, Unknown::Guard);
    unknown("when change(p), a\na: return", 0, Unknown::Event);
    unknown("idle change(p)\ncall da\nreturn", 1, Unknown::Moment);
    unknown("idle change(p)\nbranch a\na: return", 1, Unknown::Guard);
    unknown("release t1, 5\ndispatch t1\ncall da\nreturn", 2, Unknown::Moment);
    unknown(
        "release t1, 5\nfork a\nfork b\nreturn\na: dispatch t1, 1, b\nb: idle 4\ndispatch t1\nreturn",
        6,
        Unknown::Shared,
    );
}

#[test]
fn accepted_and_refused_programs_are_found_out_in_linear_steps() {
    let tasks = |count: u64| -> Vec<Periodic> {
        (0..count).map(|task| Periodic { period: 20 * (1 + task % 2), bound: 2 }).collect()
    };
    let steps = [2, 4, 8].map(|count| {
        let tasks = tasks(count);
        let program = show::program(&e_code(&tasks, ""));
        let world = world(&tasks, Policy::EarliestDeadline, Box::new(|_, _| 1));
        let bounds: Vec<_> = tasks.iter().map(|task| task.bound).collect();
        let proof = check(&program, &world, &bounds).expect("there is room");
        (proof.steps, program.code.len() as u32)
    });
    for (steps, length) in steps {
        assert!(steps <= 12 * length + 80, "{steps} steps for {length} instructions");
    }
}

/// S code for tasks: a loop over the hyperperiod with dispatches, timeouts, idling, in any order; one thread or two.
fn random_s_code(tasks: &[Periodic], random: &mut Random) -> String {
    let threads = 1 + random.below(2);
    let mut text = String::new();
    for thread in 0..threads {
        let own: Vec<_> = (0..tasks.len()).filter(|task| threads == 1 || task % 2 == thread).collect();
        let mut now = 0;
        let _ = writeln!(text, "s{thread}:");
        for block in 0..3 {
            for _ in 0..1 + random.below(3) {
                let task = *random.one_of(&own);
                let time = now + 1 + random.below(6) as u64;
                let _ = match random.below(4) {
                    0 | 1 => writeln!(text, "dispatch t{task}"),
                    2 => writeln!(text, "dispatch t{task}, {}, s{thread}b{block}", time * UNIT),
                    _ => writeln!(
                        text,
                        "dispatch t{task}, release(t{}), s{thread}b{block}",
                        *random.one_of(&own)
                    ),
                };
            }
            now += 1 + random.below(6) as u64;
            match random.below(3) {
                0 => {}
                1 => writeln!(text, "idle release(t{})", *random.one_of(&own)).expect("text"),
                _ => writeln!(text, "idle {}", now * UNIT).expect("text"),
            }
            let _ = writeln!(text, "s{thread}b{block}:");
            if random.below(2) == 0 {
                let _ = writeln!(text, "dispatch t{}", *random.one_of(&own));
            }
        }
        let _ = writeln!(text, "idle {}\nfork s{thread}\nreturn", hyperperiod(tasks));
    }
    let begin: String = (0..threads).map(|thread| format!("fork s{thread}\n")).collect();
    format!("threads {threads}\n{}{text}", e_code(tasks, &begin))
}

/// Whether a program is of the exact class: the threads dispatch all tasks, or none.
fn is_exact(program: &Program) -> bool {
    let is_dispatched = |task: usize| {
        program.code.iter().any(|word| match Instruction::decode(*word) {
            Some(Instruction::Dispatch { task: own } | Instruction::DispatchUntil { task: own, .. }) => {
                own.index() == task
            }
            _ => false,
        })
    };
    let dispatched = (0..program.tasks.len()).filter(|task| is_dispatched(*task)).count();
    dispatched == 0 || dispatched == program.tasks.len()
}

struct Tally {
    accepted: usize,
    refused: usize,
    undecided: usize,
    unexplained: Vec<u64>,
}

/// Checks random programs and compares the answers with runs.
fn compare(
    seeds: impl Iterator<Item = u64>,
    make: impl Fn(&mut Random) -> (Vec<Periodic>, Policy, String),
) -> Tally {
    let mut tally = Tally { accepted: 0, refused: 0, undecided: 0, unexplained: Vec::new() };
    for seed in seeds {
        let mut random = Random::new(seed);
        let (tasks, policy, text) = make(&mut random);
        let program = show::program(&text);
        if !is_well_formed(&program) {
            continue;
        }
        let bounds: Vec<_> = tasks.iter().map(|task| task.bound).collect();
        let world = world(&tasks, policy, Box::new(|_, _| 1));
        let answer = check(&program, &world, &bounds);
        let until = 3 * hyperperiod(&tasks) + 2;
        match answer {
            Ok(_) => {
                tally.accepted += 1;
                let found = counterexample(&program, &tasks, policy, until, 60);
                assert_eq!(found, None, "seed {seed}: {tasks:?} {policy:?}\n{text}");
            }
            Err(Breach { fault: Fault::Unknown(_) | Fault::Memory | Fault::Long, .. }) => {
                tally.undecided += 1
            }
            Err(breach) => {
                tally.refused += 1;
                // Nothing can go wrong before, so a run that goes wrong there is a shortest one.
                let is_explained = || {
                    let found = counterexample(&program, &tasks, policy, breach.at, 6_000);
                    found.is_some_and(|found| found.at == breach.at)
                };
                if is_exact(&program) && !is_explained() {
                    tally.unexplained.push(seed);
                    println!("seed {seed}: {tasks:?} {policy:?} {breach}\n{text}");
                }
            }
        }
    }
    println!(
        "{} accepted, {} refused, {} undecided, unexplained: {:?}",
        tally.accepted, tally.refused, tally.undecided, tally.unexplained
    );
    tally
}

#[test]
fn programs_under_a_policy_are_accepted_if_and_only_if_nothing_can_go_wrong() {
    let tally = compare(0..400, |random| {
        let tasks = random_tasks(random);
        let policy = *random.one_of(&[Policy::EarliestDeadline, Policy::FixedPriority]);
        let text = e_code(&tasks, "");
        (tasks, policy, text)
    });
    assert!(tally.accepted > 80 && tally.refused > 80 && tally.undecided == 0);
    assert!(tally.unexplained.is_empty(), "{:?}", tally.unexplained);
}

#[test]
fn programs_with_schedules_are_accepted_if_and_only_if_nothing_can_go_wrong() {
    // Seeds beyond 3000 once broke a checker that was wrong.
    let seeds = (0..3_000).chain([4_096, 8_438, 10_842, 16_406, 20_688]);
    let tally = compare(seeds, |random| {
        let tasks = random_tasks(random);
        let text = random_s_code(&tasks, random);
        (tasks, Policy::EarliestDeadline, text)
    });
    assert!(tally.accepted > 80 && tally.refused > 80, "too few");
    assert!(tally.unexplained.is_empty(), "{:?}", tally.unexplained);
}

/// Any programs, with completion entries, handlers, changes of mode: what is accepted is neither trapped nor
/// goes wrong.
#[test]
fn random_programs_and_mutations_that_are_accepted_never_go_wrong() {
    let (mut accepted, mut bound) = (0, 0);
    for seed in 0..30_000 {
        let mut random = Random::new(seed);
        let program = match seed % 2 {
            0 => random::program(&mut random),
            _ => scheduled::mutated(&mut random),
        };
        if !is_well_formed(&program) {
            continue;
        }
        let calm = |seed: u64| World {
            policy: Policy::EarliestDeadline,
            idle_is_held: false,
            ..random::world(seed)
        };
        bound = 1 + (bound + 1) % 6;
        if check(&program, &calm(seed), &[bound, bound]).is_err() {
            continue;
        }
        accepted += 1;
        for variant in 0..3 {
            let bound = u64::from(bound);
            let times = random::world(3 * seed + variant).execution;
            let execution: Execution = Box::new(move |task, job| times(task, job).min(bound));
            let world = World { execution, ..calm(3 * seed + variant) };
            let trace = show::run(std::slice::from_ref(&program), world, 80);
            let text = beryl_assembler::disassemble(&program);
            let trace = trace.unwrap_or_else(|trap| panic!("seed {seed}: {trap:?}\n{text}"));
            let wrong = trace.iter().find(|entry| matches!(entry.event, Event::Violation(..)));
            assert_eq!(wrong, None, "seed {seed}, bound {bound}\n{text}");
        }
    }
    assert!(accepted > 300, "only {accepted}");
}

/// Figure 7's code when t1 takes a millisecond too long: the run up to the violation.
#[test]
fn a_refused_program_comes_with_a_shortest_run_that_breaks_it() {
    let text = "s0: dispatch t2\n dispatch t1, release(t2), s1\n idle release(t2)
        s1: dispatch t2\n dispatch t1\n idle release(t1)\n fork s0\n return";
    let program = flight(1, text);
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).expect("a fresh container");
    let breach = check(&program, &helicopter(Policy::None), &[13, 4]).expect_err("21 of 20");
    let world = |execution: Execution| World { execution, ports: vec![0; 5], ..helicopter(Policy::None) };
    let found = counterexample_of(&[container], &world, &[13, 4], breach.at, 10).expect("a run");
    assert_eq!((found.at, found.trap), (breach.at, None));
    let text: String = found.trace.iter().map(|entry| format!("{entry}\n")).collect();
    let expected = "0 call d0
0 call d1
0 read s0
0 call d2
0 release t0
0 release t1
0 start t1
4 complete t1
4 p1 = 1
4 start t0
10 call d1
10 read s0
10 p0 = 1
10 release t1
10 preempt t0
10 start t1
14 complete t1
14 p1 = 2
14 resume t0
20 time safety: t0
";
    assert_eq!(text, expected);
}

#[test]
fn the_matrix_has_a_bit_for_each_driver_and_task_that_share_ports() {
    assert_eq!(touches(&helicopter(Policy::None)), [0b01, 0b10, 0b11]);
}
