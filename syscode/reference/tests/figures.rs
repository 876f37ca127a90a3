//! Every figure of the programmable-microkernel paper that has code, with the trace that the paper draws for it.
//!
//! Execution times are chosen so that each trace shows what its figure is for; a tick is a millisecond. What
//! is wrong in the paper is said beside the figure.

mod show;

use beryl_reference::{Driver, Policy, Task, World};
use show::{happens, program, run, running, show};

/// Figure 2: the navigation task t2 reads GPS every 10 ms, the control task t1 every 20.
fn helicopter(t1: u64, t2: u64) -> World {
    let [nav_in, nav_out, control_in, control_out, actuator] = [0, 1, 2, 3, 4];
    World {
        tasks: vec![
            Task { reads: vec![control_in], writes: vec![control_out] },
            Task { reads: vec![nav_in], writes: vec![nav_out] },
        ],
        drivers: vec![
            Driver::copy(control_out, actuator),
            Driver::sensor(0, nav_in),
            Driver::copy(nav_out, control_in),
        ],
        ports: vec![0; 5],
        sensor: Box::new(|_, reading| 10 * (1 + i32::try_from(reading).expect("few"))),
        ..World::of_times(&[t1, t2])
    }
}

/// The names of Figure 2, one thread, and the E code of Figure 3. The paper's text calls the two blocks a1 and a2,
/// its figure a0 and a1; a0 is right.
fn with_figure_3(threads: usize, s_code: &str) -> String {
    let begin = if threads == 0 { "" } else { "fork s0" };
    format!(
        "module flight
        tick 1ms
        task t1, t2
        driver da, ds, di
        port p2in, p2, p1in, p1, pa
        threads {threads}
            {begin}
        a0: call da
            call ds
            call di
            release t1, 20ms
            release t2, 10ms
            future 10ms, a1
            return
        a1: call ds
            release t2, 10ms
            future 10ms, a0
            return
        {s_code}"
    )
}

const SYNCHRONOUS: &str = "s0: dispatch t2
            dispatch t1
            idle release(t2)
            dispatch t2
            idle release(t1)
            fork s0
            return";

const PREEMPTIVE: &str = "s0: dispatch t2
            dispatch t1, release(t2), s1
            idle release(t2)
        s1: dispatch t2
            dispatch t1
            idle release(t1)
            fork s0
            return";

const NON_PREEMPTIVE: &str = "s0: dispatch t2
            dispatch t1, release(t2), s1
            idle release(t2)
            dispatch t2
            idle release(t1)
            fork s0
            return
        s1: dispatch t1
            dispatch t2
            idle release(t1)
            fork s0
            return";

/// What happens at the start, in each figure with the E code of Figure 3.
const START: &str = " 0: call da, call ds, read 0, p2in = 10, call di, release t1, release t2, start t2\n";

/// t2 before t1, and t1 interrupted by t2 at 10: Figure 4.
const FIGURE_4: &str = " 4: complete t2, p2 = 11, start t1
10: call ds, read 0, p2in = 20, release t2, preempt t1, start t2
14: complete t2, p2 = 21, resume t1
17: complete t1, p1 = 1
20: call da, pa = 1, call ds, read 0, p2in = 30, call di, p1in = 21, release t1, release t2, start t2
24: complete t2, p2 = 31, start t1
30: call ds, read 0, p2in = 40, release t2, preempt t1, start t2
34: complete t2, p2 = 41, resume t1
37: complete t1, p1 = 22
";

#[test]
fn figure_3_under_an_earliest_deadline_scheduler_runs_as_figure_4_draws() {
    happens(&with_figure_3(0, ""), helicopter(9, 4), 40, &format!("{START}{FIGURE_4}"));
}

#[test]
fn figure_5_synchronous_code_runs_as_figure_6_draws() {
    let figure_6 = " 4: complete t2, p2 = 11, start t1
 9: complete t1, p1 = 1
10: call ds, read 0, p2in = 20, release t2, start t2
14: complete t2, p2 = 21
20: call da, pa = 1, call ds, read 0, p2in = 30, call di, p1in = 21, release t1, release t2, start t2
24: complete t2, p2 = 31, start t1
29: complete t1, p1 = 22
30: call ds, read 0, p2in = 40, release t2, start t2
34: complete t2, p2 = 41
";
    happens(&with_figure_3(1, SYNCHRONOUS), helicopter(5, 4), 40, &format!("{START}{figure_6}"));
}

#[test]
fn figure_7_preemptive_code_runs_as_figure_4_draws() {
    happens(&with_figure_3(1, PREEMPTIVE), helicopter(9, 4), 40, &format!("{START}{FIGURE_4}"));
}

#[test]
fn figure_7_dispatches_a_complete_task_without_effect() {
    let expected = " 4: complete t2, p2 = 11, start t1
 9: complete t1, p1 = 1
10: call ds, read 0, p2in = 20, release t2, start t2
14: complete t2, p2 = 21
";
    happens(&with_figure_3(1, PREEMPTIVE), helicopter(5, 4), 20, &format!("{START}{expected}"));
}

#[test]
fn figure_8_non_preemptive_code_runs_as_figure_9_draws() {
    let figure_9 = " 4: complete t2, p2 = 11, start t1
10: call ds, read 0, p2in = 20, release t2
13: complete t1, p1 = 1, start t2
17: complete t2, p2 = 21
20: call da, pa = 1, call ds, read 0, p2in = 30, call di, p1in = 21, release t1, release t2, start t2
24: complete t2, p2 = 31, start t1
30: call ds, read 0, p2in = 40, release t2
33: complete t1, p1 = 22, start t2
37: complete t2, p2 = 41
";
    happens(&with_figure_3(1, NON_PREEMPTIVE), helicopter(9, 4), 40, &format!("{START}{figure_9}"));
}

const TIME_SLICED: &str = "s0: dispatch t2, 5ms, s1
        s1: idle 5ms
            dispatch t1, 10ms, s2
        s2: idle 10ms
            fork s0
            return";

const TWO_THREADS: &str = "s0: fork b2
        b1: idle 5ms
            dispatch t1, 10ms, c1
        c1: idle 10ms
            fork b1
            return
        b2: dispatch t2, 5ms, c2
        c2: idle 10ms
            fork b2
            return";

/// Slices of 5 ms, t2 first; t1 takes two of them: Figure 12.
const FIGURE_12: &str = " 4: complete t2, p2 = 11
 5: start t1
10: call ds, read 0, p2in = 20, release t2, preempt t1, start t2
14: complete t2, p2 = 21
15: resume t1
19: complete t1, p1 = 1
20: call da, pa = 1, call ds, read 0, p2in = 30, call di, p1in = 21, release t1, release t2, start t2
24: complete t2, p2 = 31
25: start t1
30: call ds, read 0, p2in = 40, release t2, preempt t1, start t2
34: complete t2, p2 = 41
35: resume t1
39: complete t1, p1 = 22
";

#[test]
fn figure_11_time_sliced_code_runs_as_figure_12_draws() {
    happens(&with_figure_3(1, TIME_SLICED), helicopter(9, 4), 40, &format!("{START}{FIGURE_12}"));
}

#[test]
fn figure_13_with_two_threads_runs_as_figure_12_draws() {
    happens(&with_figure_3(2, TWO_THREADS), helicopter(9, 4), 40, &format!("{START}{FIGURE_12}"));
}

/// The paper lets the machine choose any of the expired threads. At 5 ms, with the idle one first, t2's
/// thread would still hold its task: a violation of time sharing in code that the paper calls time-sharing.
///
/// A task that takes more than its slice is interrupted at the end of it: no slice is anybody else's. At 10
/// its job stands in the way of the next, which by default stops it.
#[test]
fn figure_13_gives_up_a_slice_before_the_next_thread_takes_its_own() {
    let expected = " 0: start t2\n 5: preempt t2, start t1\n10: preempt t1, start t2\n";
    for s_code in [TIME_SLICED, TWO_THREADS] {
        let program = program(&with_figure_3(2, s_code));
        let world = World { tasks: vec![Task::default(); 2], ..helicopter(9, 20) };
        let e_code = [program.clone()];
        let trace = run(&e_code, world, 11).expect("no trap");
        assert_eq!(show(&program, &running(&trace)), expected);
    }
}

/// Two hosts with synchronised clocks: the tasks that send and receive share the slot from 15 to 20. The
/// paper releases them nowhere; here the E code does so at the start of the period, with the period as
/// deadline.
#[test]
fn figure_14_on_two_hosts_runs_as_figure_15_draws() {
    let host = |task: &str, exchange: &str, period: &str, again: &str| {
        format!(
            "tick 1ms
            task {task}, {exchange}
            threads 1
                fork s0
            a0: release {exchange}, 20ms
                {again}
                release {task}, {period}
                future {period}, a0
                return
            a1: release {task}, {period}
                future {period}, a0
                return
            s0: dispatch {task}, 5ms, s1
            s1: idle 10ms
                dispatch {task}, 15ms, s2
            s2: idle 15ms
                dispatch {exchange}, 20ms, s3
            s3: idle 20ms
                fork s0
                return"
        )
    };
    let figure_15 = [
        (
            // t1 takes 8 ms of the slots from 0 to 5 and 10 to 15
            host("t1", "r21", "20ms", ""),
            8,
            " 0: release r21, release t1, start t1
 5: preempt t1
10: resume t1
13: complete t1
15: start r21
18: complete r21
20: release r21, release t1, start t1
25: preempt t1
",
        ),
        (
            // t2 runs once in each slot
            host("t2", "s21", "10ms", "release t2, 10ms\n future 10ms, a1\n return"),
            4,
            " 0: release s21, release t2, start t2
 4: complete t2
10: release t2, start t2
14: complete t2
15: start s21
18: complete s21
20: release s21, release t2, start t2
24: complete t2
",
        ),
    ];
    for (text, time, expected) in figure_15 {
        happens(&text, World { policy: Policy::None, ..World::of_times(&[time, 3]) }, 30, expected);
    }
}

/// Figure 16 needs neither `idle` nor `fork`: each trigger begins a thread, which the next one finds ended.
#[test]
fn figure_16_system_code_runs_as_figure_6_draws() {
    let text = "tick 1ms
        task t1, t2
        driver da, ds, di
        port p2in, p2, p1in, p1, pa
        threads 1
        a0: call da
            call ds
            call di
            release t1, 20ms
            release t2, 10ms
            future 10ms, a1
            dispatch t2
            dispatch t1
            return
        a1: call ds
            release t2, 10ms
            future 10ms, a0
            dispatch t2
            return";
    let figure_6 = " 4: complete t2, p2 = 11, start t1
 9: complete t1, p1 = 1
10: call ds, read 0, p2in = 20, release t2, start t2
14: complete t2, p2 = 21
20: call da, pa = 1, call ds, read 0, p2in = 30, call di, p1in = 21, release t1, release t2, start t2
24: complete t2, p2 = 31, start t1
29: complete t1, p1 = 22
";
    happens(text, helicopter(5, 4), 30, &format!("{START}{figure_6}"));
}
