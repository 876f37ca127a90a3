//! Power: how deep the processor sleeps while nobody has anything to do.

use beryl_abi::CallNumber::Yield;
use beryl_kernel::{Depth, Sizes};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Interrupt};
use crate::host::asks::{Wait, await_interrupt, await_period, sleep_until};
use crate::host::draft::{Draft, Queue, Sleeping, SleepingBudgeted};
use crate::host::run;

/// Thread 0 has a job every 100 ticks; the others idle. The alarm that ends depth 1 comes 5 ticks before the next
/// instant, that of depth 2 comes 20 ticks before it.
fn every_hundred<S: Sizes>() -> Draft<S> {
    let mut draft = Draft::<S>::new(&[Queue::Fixed]);
    draft.periodic(0, 0, 5, 100);
    draft.depth(1, Depth { wake: 4, early: 5, least: 10 });
    draft.depth(2, Depth { wake: 18, early: 20, least: 50 });
    draft
}

/// What happens from `after` on.
fn told<S: Sizes>(draft: Draft<S>, script: &[Do], after: u64) -> Vec<String> {
    let story = run(&draft.finish().0, script);
    let is_later = |line: &String| line.split(' ').next().and_then(|word| word.parse().ok()) >= Some(after);
    story.into_iter().filter(is_later).collect()
}

#[test]
fn it_is_as_deep_as_the_next_instant_allows_and_over_before_that() {
    let script = [await_period(), At(30), Call(Yield), At(85), Call(Yield), At(97), Call(Yield), At(100)];
    assert_story(
        &told(every_hundred::<Sleeping>(), &script, 30),
        &[
            "30 depth 2",
            "30 arm 80",
            "30 sleep of 1: 2 0 70",
            // it wakes, and the next instant is as it was
            "80 depth 0",
            "80 arm 100",
            "85 depth 1",
            "85 arm 95",
            "85 sleep of 1: 1 0 15",
            "95 depth 0",
            "95 arm 100",
            // too short for any depth
            "97 sleep of 1: 0 0 3",
            "100 release 0 at 100 by 200",
            "100 arm 200",
            "100 switch 1 to 0",
        ],
    );
}

/// An interrupt comes between the call of the idle thread and its wait; its server sleeps until 40, when the
/// processor would still have been waking.
fn interrupted<S: Sizes>() -> Vec<String> {
    let mut draft = every_hundred::<S>();
    let server = draft.free(0, 0, 9);
    let interrupt = draft.interrupt(7, server, 1);
    let waits = await_interrupt(interrupt, 1, Wait::Forever);
    told(
        draft,
        &[waits, await_period(), At(10), Call(Yield), At(20), Interrupt(7), sleep_until(40), At(90)],
        10,
    )
}

#[test]
fn whatever_brings_the_next_instant_nearer_makes_it_light() {
    assert_story(
        &interrupted::<Sleeping>(),
        &[
            "10 depth 2",
            "10 arm 80",
            "10 sleep of 2: 2 0 90",
            "20 mask 7",
            "20 result of 1: 0x1 0x0",
            "20 switch 2 to 1",
            "20 depth 0",
            "20 arm 40",
            "20 switch 1 to 2",
            "40 arm 100",
            "40 switch 2 to 1",
        ],
    );
}

#[test]
fn who_pays_takes_the_early_alarm_back() {
    assert_story(
        &interrupted::<SleepingBudgeted>(),
        &[
            "10 depth 2",
            "10 arm 80",
            "10 sleep of 2: 2 0 90",
            "20 mask 7",
            "20 result of 1: 0x1 0x0",
            "20 arm 100",
            "20 depth 0",
            "20 switch 2 to 1",
            "20 arm 40",
            "20 switch 1 to 2",
            "40 arm 100",
            "40 switch 2 to 1",
        ],
    );
}
