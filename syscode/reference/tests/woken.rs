//! What the checker of time promises of programs whose threads wait for events: no accepted program goes wrong,
//! whenever events come; and small ones are refused only if they do, with one tick more.

mod show;
mod timed;

use std::fmt::Write;

use beryl_abi::Line;
use beryl_assembler::Program;
use beryl_reference::{Change, Event, Execution, Policy, World};
use beryl_syscode::check::time::{Fault, Unknown};
use beryl_testing::{Draw, XorShiftStar as Random};
use timed::{Periodic, check, e_code, hyperperiod, is_well_formed, random_tasks, world};

/// S code that waits for events: in each block between two instants tasks run no longer than until an event, or to
/// their ends, or the thread idles until one; sometimes beside a thread that does nothing but that. The last task may be
/// the policy's or the other thread's.
fn random_waits(tasks: &[Periodic], random: &mut Random) -> String {
    let own = tasks.len() - random.below(2);
    let event = |random: &mut Random| {
        let events = ["interrupt(0)", "interrupt(1)", "complete(t0)", "complete(t1)", "change(p)", "p >= 1"];
        *random.one_of::<&str>(&events)
    };
    let mut text = String::from("s0:\n");
    let end = hyperperiod(tasks);
    let instants = (1..=end).filter(|instant| tasks.iter().any(|task| instant % task.period == 0));
    for (block, instant) in instants.enumerate() {
        for wait in 0..random.below(4) {
            let task = random.below(own);
            let _ = match random.below(8) {
                0 => writeln!(text, "idle {}", event(random)),
                number => {
                    let label = format!("w{block}_{wait}");
                    let _ = writeln!(text, "dispatch t{task}, {}, {label}", event(random));
                    if number < 3 {
                        let _ = writeln!(text, "dispatch t{}", random.below(own));
                    }
                    writeln!(text, "{label}:")
                }
            };
        }
        let first = random.below(own);
        for task in (0..own).map(|task| (task + first) % own) {
            if random.below(16) > 0 {
                let _ = writeln!(text, "dispatch t{task}");
            }
        }
        if random.below(4) == 0 {
            let _ = writeln!(text, "idle {}\ndispatch t{}", event(random), random.below(own));
        }
        let _ = writeln!(text, "idle {instant}");
    }
    text += "fork s0\nreturn\n";
    let mut begin = String::from("fork s0\n");
    if random.below(4) == 0 {
        begin += "fork s1\n";
        let dispatch =
            if random.below(2) == 0 { format!("dispatch t{}\n", tasks.len() - 1) } else { String::new() };
        let _ = writeln!(text, "s1: idle {}\n{dispatch}idle {end}\nfork s1\nreturn", event(random));
    }
    format!("port p\nthreads 2\n{}{text}", e_code(tasks, &begin))
}

/// Whether a run goes wrong, whenever an interrupt comes, if jobs take their bounds or hardly anything.
fn goes_wrong(program: &Program, world: &dyn Fn(Execution) -> World, bounds: &[u32], until: u64) -> bool {
    let runs = (0..until).flat_map(|at| (0..1_u32 << bounds.len()).map(move |short| (at, short)));
    let mut runs = runs.map(|(at, short)| {
        let bounds = bounds.to_vec();
        let time = move |task: usize| if short >> task & 1 == 1 { 1 } else { u64::from(bounds[task]) };
        let changes = if at > 0 { vec![(at, Change::Interrupt(Line(0)))] } else { Vec::new() };
        let world = World { changes, ..world(Box::new(move |task, _| time(task))) };
        let trace = show::run(std::slice::from_ref(program), world, until).expect("no trap");
        trace.iter().any(|entry| matches!(entry.event, Event::Violation(..)))
    });
    runs.any(|is_wrong| is_wrong)
}

/// Accepted with these bounds; with one tick more of the last task's, refused and rightly so.
#[track_caller]
fn limit(text: &str, policy: Policy, ranks: &[u8], bounds: &[u32], until: u64, expected: (u64, Fault)) {
    let tasks: Vec<_> = bounds.iter().map(|bound| Periodic { period: 200, bound: *bound }).collect();
    let program = show::program(&format!("{}{text}", timed::names(&tasks)));
    assert!(is_well_formed(&program));
    let world = |execution: Execution| World { ranks: ranks.to_vec(), ..world(&tasks, policy, execution) };
    let check = |bounds: &[u32]| check(&program, &world(Box::new(|_, _| 1)), bounds);
    assert_eq!(check(bounds).map(drop), Ok(()));
    assert!(!goes_wrong(&program, &world, bounds, until), "accepted, and goes wrong");
    let mut more = bounds.to_vec();
    *more.last_mut().expect("tasks") += 1;
    let breach = check(&more).expect_err("one more");
    assert_eq!((breach.at, breach.fault), expected, "{breach}");
    assert!(goes_wrong(&program, &world, &more, until), "refused, and never goes wrong");
}

#[test]
fn a_dispatch_that_an_event_ends_may_have_done_anything_of_its_job() {
    // But for a tick t0 may be done when the interrupt comes, and then t2 goes before t1, which is due at 200.
    let text = "threads 1
            fork s0
            jump first
        e1: call out1
            jump half
        e0: call out0
            call out1
            call out2
        first: release t0, 400
            release t1, 200
            release t2, 400
            future 200, e1
            return
        half: release t1, 200
            future 200, e0
            return
        s0: dispatch t0, interrupt(0), a
            dispatch t1
            dispatch t2
            jump m
        a:  dispatch t2
            dispatch t1
            dispatch t0
        m:  idle 200
            dispatch t1
            dispatch t0
            dispatch t2
            idle 400
            fork s0
            return";
    limit(text, Policy::None, &[0, 0, 0], &[60, 40, 101], 900, (200, Fault::Safety(1)));
}

#[test]
fn what_a_dispatch_has_done_before_an_event_is_not_done_twice() {
    let text = "threads 1
            fork s0
            jump first
        e0: call out0
            call out1
        first: release t0, 200
            release t1, 200
            future 200, e0
            return
        s0: dispatch t0, interrupt(0), a
        a:  dispatch t1
            dispatch t0, interrupt(0), b
        b:  dispatch t0
            idle 200
            fork s0
            return";
    limit(text, Policy::None, &[0, 0], &[80, 120], 500, (200, Fault::Safety(0)));
}

#[test]
fn what_an_event_begins_takes_its_time_from_others() {
    let text = |before: &str| {
        format!(
            "threads 1
            release t0, 9000
            fork s0
            jump first
        e0: call out1
        first: release t1, 200
            future 200, e0
            return
        s0: idle interrupt(0)
            {before}dispatch t0
            return"
        )
    };
    // In ranks of their own, and in one.
    for ranks in [[0, 1], [0, 0]] {
        limit(&text(""), Policy::FixedPriority, &ranks, &[50, 150], 500, (200, Fault::Safety(1)));
    }
    // Nothing of a rank above waits for it, whether or not it comes to its task at once.
    for before in ["", "jump m\n        m:  "] {
        let expected = (200, Fault::Safety(1));
        limit(&text(before), Policy::FixedPriority, &[1, 0], &[50, 200], 500, expected);
    }
}

#[test]
fn an_event_may_come_right_before_an_instant() {
    // t1 begins just before 100 if t0 is done by then, and all of it comes before t2.
    for before in ["", "dispatch t0"] {
        let again = if before.is_empty() { "t0" } else { "t3" };
        let text = format!(
            "threads 1
            release t0, 9000
            release t3, 9000
            release t1, 9000
            future 100, e1
            fork s0
            return
        e1: release t2, 100
            future 100, e2
            return
        e2: call out2
            return
        s0: {before}
            idle interrupt(0)
            dispatch {again}, 100, a
            dispatch t1
        a:  return"
        );
        // The last one is t2.
        let text = text.replace("t2", "tx").replace("t3", "t2").replace("tx", "t3").replace("out2", "out3");
        limit(&text, Policy::FixedPriority, &[0, 0, 0, 1], &[2, 80, 2, 20], 300, (200, Fault::Safety(3)));
    }
}

#[test]
fn two_threads_of_one_rank_never_wait_for_an_event_and_hold_a_task() {
    let text = "threads 2
            release t1, 9000
            fork s0
            fork s1
            jump first
        e0: call out0
        first: release t0, 200
            future 200, e0
            return
        s0: dispatch t0
            idle 200
            fork s0
            return
        s1: idle interrupt(0)
            dispatch t1
            return";
    let tasks = [Periodic { period: 200, bound: 50 }; 2];
    let program = show::program(&format!("{}{text}", timed::names(&tasks)));
    let world =
        |ranks: [u8; 2]| World { ranks: ranks.to_vec(), ..world(&tasks, Policy::None, Box::new(|_, _| 50)) };
    let check = |ranks| check(&program, &world(ranks), &[50, 50]).map(drop);
    let breach = check([0, 0]).expect_err("both may hold one");
    assert_eq!((breach.at, breach.fault), (0, Fault::Share));
    assert!(goes_wrong(&program, &|_| world([0, 0]), &[50, 50], 400));
    assert_eq!(check([0, 1]), Ok(()));
    assert!(!goes_wrong(&program, &|_| world([0, 1]), &[50, 50], 400));
}

#[test]
fn programs_with_timeouts_on_events_that_are_accepted_never_go_wrong() {
    let (mut accepted, mut refused, mut woken) = (0, 0, 0);
    for seed in 0..6_000 {
        let mut random = Random::new(seed);
        let mut tasks = random_tasks(&mut random);
        // Events leave less to be sure of.
        let share = 1 + random.below(4) as u32;
        tasks.iter_mut().for_each(|task| task.bound = (task.bound / share).max(2));
        let policy = *random.one_of(&[Policy::EarliestDeadline, Policy::FixedPriority]);
        let text = random_waits(&tasks, &mut random);
        let program = show::program(&text);
        if !is_well_formed(&program) {
            continue;
        }
        let bounds: Vec<_> = tasks.iter().map(|task| task.bound).collect();
        let mut ranks = vec![0; tasks.len()];
        ranks[tasks.len() - 1] = random.below(2) as u8;
        let calm = |execution: Execution| World { ranks: ranks.clone(), ..world(&tasks, policy, execution) };
        if check(&program, &calm(Box::new(|_, _| 1)), &bounds).is_err() {
            refused += 1;
            continue;
        }
        accepted += 1;
        let until = 3 * hyperperiod(&tasks) + 2;
        for variant in 0..40 {
            let mut random = Random::new(seed << 8 | variant);
            let mut changes: Vec<_> = (0..random.below(24))
                .map(|_| {
                    let at = 1 + random.below(until as usize) as u64;
                    let change = match random.below(3) {
                        2 => Change::Port(0, random.below(3) as i32),
                        line => Change::Interrupt(Line(line as u16)),
                    };
                    (at, change)
                })
                .collect();
            changes.sort_by_key(|(at, _)| *at);
            let bounds = bounds.clone();
            let execution: Execution = Box::new(move |task, job| {
                let number = (variant + 1) * 7919 + (task * 31 + job * 17) as u64;
                let random = Random::new(number).below(3 * bounds[task] as usize) as u64;
                if variant == 0 { bounds[task].into() } else { (1 + random).min(bounds[task].into()) }
            });
            let world = World { changes, ..calm(execution) };
            let trace = show::run(std::slice::from_ref(&program), world, until);
            let trace = trace.unwrap_or_else(|trap| panic!("seed {seed}: {trap:?}\n{text}"));
            let wrong = trace.iter().find(|entry| matches!(entry.event, Event::Violation(..)));
            assert_eq!(wrong, None, "seed {seed}, {variant}: {tasks:?} {policy:?} {ranks:?}\n{text}");
            woken += trace.iter().filter(|entry| matches!(entry.event, Event::Preempt(_))).count();
        }
    }
    println!("{accepted} accepted, {refused} refused, {woken} preempted");
    assert!(
        accepted > 300 && refused > 300 && woken > 1000,
        "{accepted} accepted, {refused} refused, {woken}"
    );
}

#[test]
fn a_thread_that_an_event_wakes_may_not_go_on_to_a_rank_that_goes_before() {
    let text = "threads 1
            release t0, 9000
            release t1, 9000
            fork s0
            return
        s0: idle interrupt(0)
            dispatch t0
            dispatch t1
            return";
    let tasks = [Periodic { period: 200, bound: 50 }; 2];
    let program = show::program(&format!("{}{text}", timed::names(&tasks)));
    let check = |ranks: [u8; 2]| {
        let world = World { ranks: ranks.to_vec(), ..world(&tasks, Policy::None, Box::new(|_, _| 1)) };
        check(&program, &world, &[50, 50]).map(drop)
    };
    let breach = check([1, 0]).expect_err("what the rank above has done is known");
    assert_eq!((breach.address, breach.fault), (6, Fault::Unknown(Unknown::Moment)));
    assert_eq!((check([0, 1]), check([0, 0])), (Ok(()), Ok(())));
}
