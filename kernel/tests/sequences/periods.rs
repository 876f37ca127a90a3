//! Periodic threads and sleeps: exact releases, misses, catching up.

use beryl_abi::ThreadId;

use crate::assert_story;
use crate::host::Do::{Alarm, At, Interrupt, Late};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, await_period, await_period_then, give, sleep_until, take};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{story, ticks};

/// Thread 0 every 10 ticks from 3 on, to be done in 8; 1 idles.
fn every_10(catch_up: u8) -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let thread = draft.periodic(0, 0, 0, 10);
    let row = draft.row(thread);
    (row.offset, row.deadline, row.catch_up) = (ticks(3), ticks(8), catch_up);
    draft
}

#[test]
fn releases_are_exactly_a_period_apart() {
    let script = [
        At(3),
        At(5),
        await_period(),
        Late(14),
        Alarm,
        At(16),
        await_period(),
        At(23),
        await_period(),
        At(33),
    ];
    assert_story(
        &story(&every_10(0).finish().0, &script),
        &[
            "0 switch 1 to 1",
            // it doesn't run before its offset
            "3 release 0 at 3 by 11",
            "3 switch 1 to 0",
            "5 complete 0",
            "5 switch 0 to 1",
            // the alarm is late; release and deadline aren't, and nothing drifts
            "14 release 0 at 13 by 21",
            "14 switch 1 to 0",
            "14 returns to 0: WaitPeriod Success 0",
            "16 complete 0",
            "16 switch 0 to 1",
            "23 release 0 at 23 by 31",
            "23 switch 1 to 0",
            "23 returns to 0: WaitPeriod Success 0",
            "23 complete 0",
            "23 switch 0 to 1",
            "33 release 0 at 33 by 41",
            "33 switch 1 to 0",
            "33 returns to 0: WaitPeriod Success 0",
        ],
    );
}

#[test]
fn what_was_missed_is_counted_and_skipped() {
    let script = [At(3), At(26), await_period(), At(33), await_period(), At(43)];
    assert_story(
        &story(&every_10(0).finish().0, &script),
        &[
            "0 switch 1 to 1",
            "3 release 0 at 3 by 11",
            "3 switch 1 to 0",
            // two releases come while it is at work
            "13 miss 0 by 11",
            "23 miss 0 by 11",
            "26 complete 0",
            "26 switch 0 to 1",
            "33 release 0 at 33 by 41",
            "33 switch 1 to 0",
            "33 returns to 0: WaitPeriod Success 2",
            "33 complete 0",
            "33 switch 0 to 1",
            "43 release 0 at 43 by 51",
            "43 switch 1 to 0",
            "43 returns to 0: WaitPeriod Success 0",
        ],
    );
}

#[test]
fn as_many_as_it_may_are_caught_up_with() {
    let script = [At(3), At(36), await_period(), At(37), await_period(), At(38), await_period(), At(43)];
    assert_story(
        &story(&every_10(2).finish().0, &script),
        &[
            "0 switch 1 to 1",
            "3 release 0 at 3 by 11",
            "3 switch 1 to 0",
            "13 miss 0 by 11",
            "23 miss 0 by 11",
            "33 miss 0 by 11",
            // three were missed: that of 13 is skipped, those of 23 and 33 come at once
            "36 complete 0",
            "36 release 0 at 23 by 31",
            "36 returns to 0: WaitPeriod Success 3",
            // late, too; that was told at 33, when it should have been at work
            "37 complete 0",
            "37 release 0 at 33 by 41",
            "37 returns to 0: WaitPeriod Success 1",
            "38 complete 0",
            "38 switch 0 to 1",
            "43 release 0 at 43 by 51",
            "43 switch 1 to 0",
            "43 returns to 0: WaitPeriod Success 0",
        ],
    );
}

#[test]
fn a_job_of_later_deadline_that_is_caught_up_with_lets_others_run() {
    let mut draft = every_10(1);
    let other = draft.periodic(0, 0, 0, 100);
    let row = draft.row(other);
    (row.offset, row.deadline) = (ticks(4), ticks(12));
    // thread 0's job of 3 is due at 11, that of 13 at 21; the other one's at 16
    let script = [At(3), At(13), At(14), await_period(), await_period()];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 2",
            "3 release 0 at 3 by 11",
            "3 switch 2 to 0",
            "4 release 1 at 4 by 16",
            "13 miss 0 by 11",
            "14 complete 0",
            "14 release 0 at 13 by 21",
            "14 switch 0 to 1",
            "14 complete 1",
            "14 switch 1 to 0",
            "14 returns to 0: WaitPeriod Success 1",
        ],
    );
}

#[test]
fn a_job_may_begin_with_a_semaphore() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.periodic(0, 0, 9, 10);
    draft.free(0, 0, 1);
    let semaphore = draft.binary();
    let script =
        [await_period_then(semaphore), take(semaphore), At(10), At(12), give(semaphore), give(semaphore)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 2 to 0",
            "0 complete 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            // released, but it wants what 1 owns, which goes on in its place
            "10 release 0 at 10 by 20",
            "12 switch 1 to 0",
            "12 returns to 0: WaitPeriod Success 0",
            "12 returns to 0: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn a_release_in_the_middle_of_a_wait_is_a_miss() {
    let mut draft = every_10(0);
    draft.interrupt(10, ThreadId(0), 1);
    let script = [At(3), await_bits(1, Forever), At(15), Interrupt(10), await_period(), At(23)];
    let story = story(&draft.finish().0, &script);
    assert_story(
        &story[3..],
        &[
            "3 switch 0 to 1",
            "13 miss 0 by 11",
            "15 switch 1 to 0",
            "15 returns to 0: NotificationWait Success 1",
            "15 complete 0",
            "15 switch 0 to 1",
            "23 release 0 at 23 by 31",
            "23 switch 1 to 0",
            "23 returns to 0: WaitPeriod Success 1",
        ],
    );
}

#[test]
fn sleeps_end_at_their_instant_and_those_in_the_past_at_once() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let far = (1 << 30) + 50;
    let script = [
        sleep_until(7),
        At(7),
        sleep_until(7),
        sleep_until(0),
        sleep_until(u64::MAX),
        At(far),
        // its low half alone is in the past
        sleep_until(1 << 32),
        At(2 * far),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 1 to 0",
            "0 switch 0 to 1",
            "7 switch 1 to 0",
            "7 returns to 0: SleepUntil Success",
            "7 returns to 0: SleepUntil Success",
            "7 returns to 0: SleepUntil Success",
            "7 switch 0 to 1",
            // no timer reaches further than 2^30 ticks
            "1073741831 switch 1 to 0",
            "1073741831 returns to 0: SleepUntil Success",
            "1073741874 switch 0 to 1",
            "2147483698 switch 1 to 0",
            "2147483698 returns to 0: SleepUntil Success",
        ],
    );
}
