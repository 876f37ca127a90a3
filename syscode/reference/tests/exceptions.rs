//! Exceptions: what happens by default, and what handlers can do.

mod show;

use beryl_reference::{Driver, Task, World};
use show::happens;

/// A task that reads port 0 and writes port 1, drivers for its input, its output, and another port; each job
/// but the first takes 2.
fn world() -> World {
    World {
        tasks: vec![Task { reads: vec![0], writes: vec![1] }, Task::default()],
        drivers: vec![Driver::copy(3, 0), Driver::copy(1, 2), Driver::copy(4, 2)],
        ports: vec![0, 0, 0, 7, -1],
        execution: Box::new(|task, job| if task == 0 && job == 0 { 12 } else { 2 }),
        ..World::of_times(&[])
    }
}

/// Outputs, inputs and a release every 10; the first job is late.
fn late(head: &str, tail: &str) -> String {
    format!(
        "task t, u
        driver input, output, fallback
        port in, out, actuator, three, four
        {head}
            jump a1
        a0: call output
        a1: call input
            release t, 10
            future 10, a0
            return
        {tail}"
    )
}

const FIRST: &str = " 0: call input, in = 7, release t, start t\n";

#[test]
fn by_default_a_late_job_is_stopped_and_its_output_left_out() {
    let expected = "10: safety [t], stop t, call input, release t, start t
12: complete t, out = 8
20: call output, actuator = 8, call input, release t, start t
";
    happens(&late("", ""), world(), 21, &format!("{FIRST}{expected}"));
}

/// The output is skipped, then the input, then the release: the late job goes on, and its output comes a period later.
#[test]
fn a_handler_can_skip() {
    let expected = "10: safety [t], safety [t], safety [t]
12: complete t, out = 8
20: call output, actuator = 8, call input, release t, start t
";
    happens(&late("handle safety, h", "h: resume"), world(), 21, &format!("{FIRST}{expected}"));
}

#[test]
fn a_handler_can_terminate_and_run_another_driver() {
    let expected = "10: safety [t], stop t, call fallback, actuator = -1, call input, release t, start t
12: complete t, out = 8
20: call output, actuator = 8, call input, release t, start t
";
    let handler = "h: terminate
            call fallback
            resume";
    happens(&late("handle safety, h", handler), world(), 21, &format!("{FIRST}{expected}"));
}

#[test]
fn a_handler_can_carry_out_the_instruction_after_all() {
    let expected = "10: safety [t], stop t, call output, call input, release t, start t\n";
    happens(&late("handle safety, h", "h: terminate\nretry"), world(), 11, &format!("{FIRST}{expected}"));
}

#[test]
fn a_handler_can_change_the_mode() {
    let expected = "10: safety [t], stop t, call fallback, actuator = -1, release u, start u
12: complete u
15: call fallback, release u, start u
17: complete u
";
    let handler = "h: terminate
            change m
        m: call fallback
            release u, 5
            future 5, m
            return";
    happens(&late("handle safety, h", handler), world(), 20, &format!("{FIRST}{expected}"));
}

/// Two threads dispatch at the same time.
fn sharing(head: &str, tail: &str) -> String {
    format!(
        "task t, u
        threads 2
        {head}
            release t, 10
            release u, 10
            fork s0
            fork s1
            return
        s0: dispatch t
            return
        s1: idle 1
            dispatch u
            return
        {tail}"
    )
}

#[test]
fn by_default_a_second_dispatch_ends_its_thread() {
    let expected = " 0: release t, release u, start t
 1: share [t]
 4: complete t
";
    happens(&sharing("", ""), World::of_times(&[4, 2]), 10, expected);
}

#[test]
fn a_handler_can_end_the_job_that_holds_the_processor() {
    let expected = " 0: release t, release u, start t
 1: share [t], stop t, start u
 3: complete u
";
    happens(&sharing("handle share, h", "h: terminate\nretry"), World::of_times(&[4, 2]), 10, expected);
}

/// Dropping threads leaves the jobs: the new mode dispatches them, or nobody does.
#[test]
fn a_handler_can_change_the_schedule() {
    let expected = " 0: release t, release u, start t
 1: share [t], preempt t, start u
 3: complete u, resume t
 6: complete t
";
    let handler = "h: change m
        m: dispatch u
            dispatch t
            return";
    happens(&sharing("handle share, h", handler), World::of_times(&[4, 2]), 10, expected);
}

#[test]
fn dispatching_a_task_that_is_not_released_is_in_nobodys_way() {
    let text = sharing("", "").replace("release u, 10", "");
    happens(&text, World::of_times(&[4, 2]), 10, " 0: release t, start t\n 4: complete t\n");
}

#[test]
fn dispatching_with_an_expired_timeout_is_in_nobodys_way() {
    let text = sharing("", "").replace("dispatch u", "dispatch u, 1, s2\n s2:");
    let expected = " 0: release t, release u, start t\n 4: complete t\n";
    happens(&text, World::of_times(&[4, 2]), 10, expected);
}

/// Its output and input are left out; its release isn't lost.
#[test]
fn a_handler_can_postpone_a_release() {
    let expected = "10: safety [t], safety [t], safety [t]
12: complete t, out = 8, call input, release t, start t
14: complete t
20: call output, actuator = 8, call input, release t, start t
";
    let tail = "h: postpone 1
        c: owed t, e
            call input
            release t, 10
        e: return";
    happens(
        &late("handle safety, h\n        complete t, c", tail),
        world(),
        21,
        &format!("{FIRST}{expected}"),
    );
}

#[test]
fn a_handler_asks_who_is_in_the_way_and_later_code_who_was_late() {
    // The handler does something for u only; t is stopped, and is late once.
    let expected = "10: safety [t], stop t, call fallback, actuator = -1, call input, release t, start t
12: complete t, out = 8
20: call output, actuator = 8, call input, release t, start t
";
    let text = late(
        "handle safety, h",
        "h: offender u, other
            call fallback
        other: terminate
            resume",
    );
    let text =
        text.replace("a1: call input", "late t, a1\n            call fallback\n        a1: call input");
    happens(&text, world(), 21, &format!("{FIRST}{expected}"));
}
