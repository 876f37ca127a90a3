//! What the kernel sees when a job takes too long: violations of time safety, misses, overruns.

use beryl_abi::CallNumber::{Complete, ExecutionTime};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::code::{RELEASES, RETURN, call, future, phase, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{records, run};

const INPUT: u32 = 0x100;
const PRIVATE: u32 = 0x110;
const VISIBLE: u32 = 0x200;

/// A task every 10 ticks with a deadline of `within`; driver 0 publishes, driver 1 reads. Thread 0
/// is the task, 1 a free thread below it, 2 idles.
fn every_10(within: u64) -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    let task = draft.task(0, 0, 0);
    draft.free(0, 1, 0);
    draft.worst(task, 5);
    let publish = draft.copy(task, PRIVATE, VISIBLE, 4);
    let read = draft.copy(task, VISIBLE, INPUT, 4);
    let code = [call(publish), phase(RELEASES), call(read), release(task, 1), future(0, 0), RETURN];
    draft.program(&[10, within], &code);
    draft.finish().0
}

#[test]
fn a_job_that_is_late_publishes_nothing_and_the_task_begins_anew() {
    let script =
        [At(1), Write(PRIVATE, 5), Call(Complete), At(11), Write(PRIVATE, 6), At(21), Call(Complete)];
    let story = run(&every_10(10), &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("10 ")).collect();
    assert_story(
        &later,
        &[
            // the first job's result becomes visible
            "10 copy 0x110 to 0x200, 4 bytes",
            "10 driver 0 at 10 = 5",
            "10 copy 0x200 to 0x100, 4 bytes",
            "10 driver 1 at 10 = 5",
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "10 switch 1 to 0",
            // the second isn't done at 20: its 6 is never published
            "20 violation 0 at 20",
            "20 restart 0",
            // the third job reads the value that stands
            "20 copy 0x200 to 0x100, 4 bytes",
            "20 driver 1 at 20 = 5",
            "20 release 0 at 20 by 30",
            "20 arm 30",
            // the task had the processor and gets it again, at its entry
            "20 switch 0 to 0",
            "21 complete 0",
            "21 switch 0 to 1",
        ],
    );
}

#[test]
fn a_deadline_shorter_than_the_period_is_missed_at_completion() {
    let script = [At(4), Call(Complete), At(14), Call(Complete), At(25), Call(Complete), At(30)];
    let story = records(&every_10(4), &script);
    let of_completions: Vec<_> = story
        .into_iter()
        .filter(|line| ["complete", "miss", "overrun", "violation"].iter().any(|word| line.contains(word)))
        .collect();
    assert_story(
        &of_completions,
        &[
            // exactly at the deadline is in time
            "4 complete 0",
            "14 complete 0",
            // one tick later isn't; the outputs are still in time for 30
            "25 complete 0",
            "25 miss 0 by 24",
        ],
    );
}

#[test]
fn a_job_that_uses_more_than_it_may_is_an_overrun() {
    let script = [At(5), Call(Complete), At(16), Call(ExecutionTime), Call(Complete), At(30)];
    let story = run(&every_10(10), &script);
    let of_interest: Vec<_> = story
        .into_iter()
        .filter(|line| ["complete", "overrun", "result"].iter().any(|word| line.contains(word)))
        .collect();
    assert_story(
        &of_interest,
        &[
            // five of five ticks: no overrun
            "5 complete 0",
            // six of five: the clock of the job began at its release
            "16 result of 0: 0x6 0x0",
            "16 complete 0",
            "16 overrun 0",
        ],
    );
}

#[test]
fn a_task_without_outputs_is_caught_at_its_release() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 0);
    draft.program(&[10], &[release(task, 0), future(0, 0), RETURN]);
    let story = records(&draft.finish().0, &[At(12), At(21), Call(Complete)]);
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            // the job of 0 is stopped, that of 10 begins anew: a switch to the same thread
            "10 violation 0 at 10",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "20 violation 0 at 20",
            "20 release 0 at 20 by 30",
            "20 switch 0 to 0",
            "21 complete 0",
            "21 switch 0 to 1",
        ],
    );
}

#[test]
fn completion_and_alarm_at_the_same_tick_are_taken_in_the_order_in_which_they_come() {
    use crate::host::Do::{Alarm, Late};
    let at_10 = |script: &[crate::host::Do]| -> Vec<String> {
        records(&every_10(10), script).into_iter().filter(|line| line.starts_with("10 ")).collect()
    };
    assert_story(
        &at_10(&[Late(10), Call(Complete), Alarm]),
        &[
            // the call was first: the job is in time, its result is published
            "10 complete 0",
            "10 overrun 0",
            "10 switch 0 to 1",
            "10 driver 0 at 10 = 0",
            "10 driver 1 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 switch 1 to 0",
        ],
    );
    assert_story(
        &at_10(&[Late(10), Alarm, Call(Complete)]),
        &[
            // the alarm was first: the job is late. The call that follows is that of a new job
            "10 violation 0 at 10",
            "10 driver 1 at 10 = 0",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 0",
            "10 complete 0",
            "10 switch 0 to 1",
        ],
    );
}
