//! Semaphores: owners, order, timeouts, deaths; `inheritance` has who runs meanwhile.

use beryl_abi::CallNumber::{Stop, Yield};
use beryl_abi::FaultKind;

use crate::assert_story;
use crate::host::Do::{At, Call, Fault, Interrupt};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_bits_then, give, sleep_until, take, take_for, take_then};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::story;

/// Free threads of falling priority, in a process each: 0 is the most urgent one.
pub fn falling(count: u8) -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    (0..count).for_each(|number| {
        draft.free(number % 4, 0, 20 - number);
    });
    draft
}

#[test]
fn who_waits_is_served_by_urgency_and_equals_in_the_order_in_which_they_came() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    for priority in [1, 7, 7, 9] {
        draft.free(0, 0, priority);
    }
    let semaphore = draft.binary();
    let script = [
        sleep_until(9),
        sleep_until(5),
        sleep_until(5),
        take(semaphore),
        sleep_until(20),
        At(5),
        // both equals wait; 3, the most urgent one, comes last
        take(semaphore),
        take(semaphore),
        At(9),
        take(semaphore),
        At(20),
        give(semaphore),
        give(semaphore),
        sleep_until(90),
        give(semaphore),
        sleep_until(90),
        give(semaphore),
    ];
    let story = story(&draft.finish().0, &script);
    let granted: Vec<_> = story.into_iter().filter(|line| line.contains("SemaphoreWait")).collect();
    assert_story(
        &granted,
        &[
            "0 returns to 0: SemaphoreWait Success",
            "20 returns to 3: SemaphoreWait Success",
            "20 returns to 1: SemaphoreWait Success",
            "20 returns to 2: SemaphoreWait Success",
        ],
    );
}

#[test]
fn the_next_owner_after_a_stop_or_fault_is_told() {
    for end in [Call(Stop), Fault(FaultKind::Data)] {
        let mut draft = falling(2);
        let semaphore = draft.binary();
        let script =
            [sleep_until(5), take(semaphore), At(5), take(semaphore), end, give(semaphore), take(semaphore)];
        let story = story(&draft.finish().0, &script);
        let of_0: Vec<_> = story.into_iter().filter(|line| line.contains("to 0: ")).collect();
        assert_story(
            &of_0,
            &[
                "5 returns to 0: SleepUntil Success",
                "5 returns to 0: SemaphoreWait OwnerDied",
                "5 returns to 0: SemaphoreSignal Success",
                // once told is enough
                "5 returns to 0: SemaphoreWait Success",
            ],
        );
    }
}

#[test]
fn who_takes_it_after_its_owner_has_died_is_told_too() {
    let mut draft = falling(2);
    let semaphore = draft.binary();
    let script = [
        sleep_until(5),
        take(semaphore),
        Call(Stop),
        At(5),
        take_for(semaphore, Poll),
        give(semaphore),
        take(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 switch 1 to 2",
            "5 switch 2 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 returns to 0: SemaphoreWait OwnerDied",
            "5 returns to 0: SemaphoreSignal Success",
            "5 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn a_promise_may_come_from_a_dead_owner() {
    let mut draft = falling(2);
    let semaphore = draft.binary();
    draft.interrupt(10, beryl_abi::ThreadId(0), 4);
    let script =
        [await_bits_then(4, semaphore, Forever), take(semaphore), Interrupt(10), Call(Stop), give(semaphore)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            // the interrupt wakes 0, which waits for 1 now: nobody is switched to, until 1 stops
            "0 switch 1 to 0",
            "0 returns to 0: NotificationWait OwnerDied 4",
            "0 returns to 0: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn a_late_jobs_semaphores_pass_on_as_from_the_dead() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 1);
    draft.free(0, 0, 9);
    draft.release_every(task, 10);
    let semaphore = draft.binary();
    let script =
        [sleep_until(3), take(semaphore), At(3), take(semaphore), At(10), give(semaphore), sleep_until(90)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 2 to 1",
            "0 switch 1 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "3 switch 0 to 1",
            "3 returns to 1: SleepUntil Success",
            "3 switch 1 to 0",
            // what the job was doing is half done
            "10 violation 0 at 10",
            "10 release 0 at 10 by 20",
            "10 switch 0 to 1",
            "10 returns to 1: SemaphoreWait OwnerDied",
            "10 returns to 1: SemaphoreSignal Success",
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn a_wait_ends_at_its_time_and_its_place_is_taken_back() {
    let mut draft = falling(3);
    let semaphore = draft.binary();
    let script = [
        sleep_until(2),
        sleep_until(3),
        take(semaphore),
        At(2),
        take_for(semaphore, AtMost(4)),
        // 2 runs for 0 until 6, then not even for 1
        At(3),
        At(6),
        sleep_until(9),
        sleep_until(8),
        give(semaphore),
        At(8),
        take_for(semaphore, Poll),
        At(9),
        take_for(semaphore, Poll),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "2 switch 2 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 switch 0 to 2",
            "6 switch 2 to 0",
            "6 returns to 0: SemaphoreWait TimedOut",
            "6 switch 0 to 1",
            "6 returns to 1: SleepUntil Success",
            "6 switch 1 to 2",
            "6 returns to 2: SemaphoreSignal Success",
            "8 switch 2 to 1",
            "8 returns to 1: SleepUntil Success",
            "8 returns to 1: SemaphoreWait Success",
            "9 switch 1 to 0",
            "9 returns to 0: SleepUntil Success",
            "9 returns to 0: SemaphoreWait WouldBlock",
        ],
    );
}

#[test]
fn who_waits_for_a_unit_may_be_promised_a_semaphore() {
    let mut draft = falling(2);
    let (units, lock) = (draft.counting(1, 2), draft.binary());
    let script = [
        // 0 comes back with the unit and the lock, and nobody else gets the lock
        take_then(units, lock),
        take_for(lock, Poll),
        give(lock),
        // 0 waits for a unit; 1 has the lock when it gives one, so it goes on, in the place of 0
        take_then(units, lock),
        take(lock),
        give(units),
        give(lock),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait Deadlock",
            "0 returns to 0: SemaphoreSignal Success",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 returns to 1: SemaphoreSignal Success",
            "0 switch 1 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn counting_semaphores_have_units_and_no_owner() {
    let mut draft = falling(2);
    let units = draft.counting(1, 2);
    let script = [
        take(units),
        // the second unit isn't there: anybody may give it, and nobody inherits
        take(units),
        Call(Yield),
        give(units),
        give(units),
        give(units),
        give(units),
        take_for(units, Poll),
        take_for(units, Poll),
        take_for(units, Poll),
        take_for(units, AtMost(7)),
        At(7),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 returns to 1: Yield Success",
            "0 switch 1 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreSignal Success",
            "0 returns to 0: SemaphoreSignal Success",
            "0 returns to 0: SemaphoreSignal Overflow",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait WouldBlock",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreSignal Success",
            "7 switch 1 to 0",
            "7 returns to 0: SemaphoreWait TimedOut",
        ],
    );
}

/// A semaphore without a word: nobody but the kernel knows who owns it, before a wait and behind it.
#[test]
fn who_has_waited_too_long_leaves_it_to_its_owner() {
    let mut draft = falling(2);
    let semaphore = draft.binary();
    let script = [
        sleep_until(5),
        take(semaphore),
        At(5),
        take_for(semaphore, AtMost(3)),
        At(8),
        sleep_until(20),
        give(semaphore),
        give(semaphore),
        At(20),
        take(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "5 switch 1 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 1",
            "8 switch 1 to 0",
            "8 returns to 0: SemaphoreWait TimedOut",
            "8 switch 0 to 1",
            "8 returns to 1: SemaphoreSignal Success",
            "8 returns to 1: SemaphoreSignal NotOwner",
            "20 switch 1 to 0",
            "20 returns to 0: SleepUntil Success",
            "20 returns to 0: SemaphoreWait Success",
        ],
    );
}
