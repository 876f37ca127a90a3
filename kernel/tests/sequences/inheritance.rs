//! Inheritance: who owns what others wait for runs in their places, through chains and over bands.

use beryl_abi::CallNumber::{Complete, Stop, Yield};
use beryl_abi::ThreadId;
use beryl_kernel::Event;

use crate::assert_story;
use crate::host::Do::{At, Call, Interrupt};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::{await_bits, give, notify, sleep_until, take, take_for};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, story};
use crate::semaphores::falling;

#[test]
fn a_holder_runs_in_the_place_of_who_waits_for_it_and_no_longer() {
    let mut draft = falling(3);
    let semaphore = draft.binary();
    let script = [
        sleep_until(5),
        sleep_until(7),
        take(semaphore),
        At(5),
        take(semaphore),
        At(7),
        give(semaphore),
        give(semaphore),
        sleep_until(90),
        sleep_until(90),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "5 switch 2 to 0",
            "5 returns to 0: SleepUntil Success",
            // the urgent one waits: the holder runs in its place
            "5 switch 0 to 2",
            // at 7 the one between them wakes, and doesn't run: no inversion
            // the semaphore is given to who waits for it
            "7 switch 2 to 0",
            "7 returns to 0: SemaphoreWait Success",
            "7 returns to 0: SemaphoreSignal Success",
            "7 switch 0 to 1",
            "7 returns to 1: SleepUntil Success",
            "7 switch 1 to 2",
            "7 returns to 2: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn inheritance_goes_through_a_chain_of_three() {
    let mut draft = falling(5);
    let [a, b, c] = [(); 3].map(|()| draft.binary());
    let script = [
        sleep_until(30),
        sleep_until(40),
        sleep_until(20),
        sleep_until(10),
        // 4 holds c
        take(c),
        At(10),
        // 3 holds b and waits for c
        take(b),
        take(c),
        At(20),
        // 2 holds a and waits for b
        take(a),
        take(b),
        At(30),
        // 0 waits for a: through 2 and 3, 4 runs for it
        take(a),
        // 1 wakes at 40 and doesn't run
        At(40),
        give(c),
        give(b),
        give(a),
        give(a),
        Call(Stop),
        Call(Stop),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 5 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 switch 3 to 4",
            "0 returns to 4: SemaphoreWait Success",
            "10 switch 4 to 3",
            "10 returns to 3: SleepUntil Success",
            "10 returns to 3: SemaphoreWait Success",
            "10 switch 3 to 4",
            "20 switch 4 to 2",
            "20 returns to 2: SleepUntil Success",
            "20 returns to 2: SemaphoreWait Success",
            "20 switch 2 to 4",
            "30 switch 4 to 0",
            "30 returns to 0: SleepUntil Success",
            "30 switch 0 to 4",
            // link by link the chain comes undone, and only those on it run
            "40 switch 4 to 3",
            "40 returns to 3: SemaphoreWait Success",
            "40 switch 3 to 2",
            "40 returns to 2: SemaphoreWait Success",
            "40 switch 2 to 0",
            "40 returns to 0: SemaphoreWait Success",
            "40 returns to 0: SemaphoreSignal Success",
            // everybody has its own urgency again
            "40 switch 0 to 1",
            "40 returns to 1: SleepUntil Success",
            "40 switch 1 to 2",
            "40 returns to 2: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn a_holder_in_a_fixed_band_carries_a_deadline() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(4), Queue::Fixed]);
    draft.within(0, 0, 10);
    draft.within(0, 0, 50);
    draft.free(0, 1, 3);
    let semaphore = draft.binary();
    // the first has a deadline of 15 when it waits; the second, of 56, doesn't come between
    let script =
        [sleep_until(5), sleep_until(6), take(semaphore), At(5), take(semaphore), At(6), give(semaphore)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "5 switch 2 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 2",
            "6 switch 2 to 0",
            "6 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn a_holder_that_sleeps_takes_nobody_along_and_is_urgent_when_it_wakes() {
    let mut draft = falling(3);
    let semaphore = draft.binary();
    draft.interrupt(10, beryl_abi::ThreadId(2), 1);
    let script = [
        sleep_until(5),
        sleep_until(6),
        take(semaphore),
        await_bits(1, Forever),
        At(5),
        // its holder sleeps: the place is worth nothing for now
        take(semaphore),
        At(6),
        // 1 runs; the interrupt wakes the holder, which is as urgent as 0
        At(8),
        Interrupt(10),
        give(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "0 switch 2 to 3",
            "5 switch 3 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 3",
            "6 switch 3 to 1",
            "6 returns to 1: SleepUntil Success",
            "8 switch 1 to 2",
            "8 returns to 2: NotificationWait Success 1",
            "8 switch 2 to 0",
            "8 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn what_leads_to_a_sleeper_finds_another_end_when_a_wait_on_the_way_times_out() {
    let mut draft = falling(4);
    let [first, second] = [(); 2].map(|()| draft.binary());
    let script = [
        sleep_until(3),
        sleep_until(5),
        sleep_until(2),
        // 3 holds `second` and sleeps
        take(second),
        sleep_until(100),
        At(2),
        // 2 holds `first` and waits for `second`, but not for long
        take(first),
        take_for(second, AtMost(8)),
        At(3),
        // 0 waits for `first`: for 3, who sleeps
        take(first),
        At(5),
        // 1 runs, until 2 goes on in 0's place
        At(10),
        give(first),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 returns to 3: SemaphoreWait Success",
            "0 switch 3 to 4",
            "2 switch 4 to 2",
            "2 returns to 2: SleepUntil Success",
            "2 returns to 2: SemaphoreWait Success",
            "2 switch 2 to 4",
            "3 switch 4 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 4",
            "5 switch 4 to 1",
            "5 returns to 1: SleepUntil Success",
            "10 switch 1 to 2",
            "10 returns to 2: SemaphoreWait TimedOut",
            "10 switch 2 to 0",
            "10 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn a_task_keeps_its_semaphore_from_job_to_job_and_runs_for_who_waits() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 1);
    draft.free(0, 0, 9);
    draft.free(0, 0, 5);
    draft.release_every(task, 10);
    let semaphore = draft.binary();
    let script = [
        sleep_until(3),
        sleep_until(10),
        take(semaphore),
        Call(Complete),
        At(3),
        // its owner has no job: it runs for 1 when it is released
        take(semaphore),
        At(10),
        give(semaphore),
        give(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 complete 0",
            "0 switch 0 to 3",
            "3 switch 3 to 1",
            "3 returns to 1: SleepUntil Success",
            "3 switch 1 to 3",
            "10 release 0 at 10 by 20",
            // before 2, whose sleep is over, too
            "10 switch 3 to 0",
            "10 returns to 0: Complete Success",
            "10 switch 0 to 1",
            "10 returns to 1: SemaphoreWait Success",
            "10 returns to 1: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn waits_that_would_close_a_ring_are_refused() {
    let mut draft = falling(3);
    let [a, b, c] = [(); 3].map(|()| draft.binary());
    let script = [
        sleep_until(2),
        sleep_until(1),
        take(c),
        At(1),
        take(b),
        take(c),
        At(2),
        take(a),
        take(b),
        // 2 owns c; it runs for 1 and 0, and asks for what 0 owns, for what 1 owns, for its own
        take(a),
        take(b),
        take(c),
        take_for(a, AtMost(5)),
        give(c),
    ];
    let story = story(&draft.finish().0, &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| *line != "2 switch 0 to 2").collect();
    assert_story(
        &later,
        &[
            "2 switch 0 to 2",
            "2 returns to 2: SemaphoreWait Deadlock",
            "2 returns to 2: SemaphoreWait Deadlock",
            "2 returns to 2: SemaphoreWait Deadlock",
            "2 returns to 2: SemaphoreWait Deadlock",
            // nothing has changed by that: the chain comes undone as it was made
            "2 switch 2 to 1",
            "2 returns to 1: SemaphoreWait Success",
        ],
    );
}

/// 1 runs in the place of 0, which comes before that of 2, as urgent as 1 itself.
#[test]
fn who_yields_in_a_place_that_is_lent_goes_on() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 5]);
    let lock = draft.binary();
    let script = [sleep_until(5), take(lock), At(5), take(lock), Call(Yield), give(lock)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "5 switch 1 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 1",
            "5 returns to 1: Yield Success",
            "5 switch 1 to 0",
            "5 returns to 0: SemaphoreWait Success",
        ],
    );
}

/// 2 runs in the place of 1. 0, which it wakes, waits again at once, and the first place after its own is the
/// one that is lent: 3, which is as urgent as 2 itself, doesn't get its turn there.
#[test]
fn who_falls_asleep_makes_way_for_who_runs_in_a_place_that_is_lent() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 5, 5]);
    let bits = draft.notification(ThreadId(0), 1);
    let lock = draft.binary();
    let script = [
        await_bits(1, Forever),
        sleep_until(5),
        take(lock),
        At(5),
        take(lock),
        notify(bits, 1),
        await_bits(1, Forever),
        Call(Yield),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "5 switch 2 to 1",
            "5 returns to 1: SleepUntil Success",
            "5 switch 1 to 2",
            "5 switch 2 to 0",
            "5 returns to 0: NotificationWait Success 1",
            "5 switch 0 to 2",
            "5 returns to 2: Notify Success",
            "5 returns to 2: Yield Success",
            "5 switch 2 to 1",
            "5 returns to 1: SemaphoreWait Success",
        ],
    );
}

/// Between each two steps an interrupt comes that nobody serves, and an alarm that is early.
#[test]
fn what_comes_in_between_does_not_end_a_decision() {
    let mut draft = falling(3);
    let bits = draft.notification(ThreadId(0), 1);
    let lock = draft.binary();
    let mut rig = Rig::new(&draft.finish().0);
    rig.disturbed = true;
    rig.raise(Event::Start);
    let script = [await_bits(1, Forever), sleep_until(5), take(lock), At(5), take(lock), notify(bits, 1)];
    script.into_iter().for_each(|step| rig.step(step));
    assert_eq!(rig.state().running(), ThreadId(0));
    rig.step(await_bits(1, Forever));
    assert_eq!(rig.state().running(), ThreadId(2));
}
