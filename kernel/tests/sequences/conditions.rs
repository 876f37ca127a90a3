//! Condition variables with a semaphore as their lock; `ceilings` has those with a ceiling lock.

use beryl_abi::CallNumber::Stop;
use beryl_abi::{ConditionId, SemaphoreId, ThreadId};
use beryl_kernel::{Event, System};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_condition, broadcast, give, signal, sleep_until, take};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, story};

/// Three free threads, 0 the most urgent, a condition and its lock.
fn three() -> (System<Small>, ConditionId, SemaphoreId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 1]);
    let (condition, lock) = (draft.condition(), draft.binary());
    (draft.finish().0, condition, lock)
}

#[test]
fn a_waiter_gives_up_the_lock_and_comes_back_with_it() {
    let (system, condition, lock) = three();
    let script = [
        take(lock),
        await_condition(condition, lock, Forever),
        take(lock),
        signal(condition),
        // 0 is woken and waits for the lock, which 1 owns: 1 goes on in its place
        give(lock),
        give(lock),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 returns to 1: ConditionSignal Success",
            // one switch for the whole
            "0 switch 1 to 0",
            "0 returns to 0: ConditionWait Success",
            "0 returns to 0: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn a_signal_wakes_the_most_urgent_and_a_broadcast_everybody() {
    let (system, condition, lock) = three();
    let wait = await_condition(condition, lock, Forever);
    let script = [
        // 1 and 0 wait, in this order
        sleep_until(1),
        take(lock),
        wait,
        At(1),
        take(lock),
        wait,
        signal(condition),
        // 0 was woken, although 1 came first
        give(lock),
        take(lock),
        wait,
        broadcast(condition),
        give(lock),
        sleep_until(50),
        give(lock),
        sleep_until(50),
        // nobody waits: a signal is lost
        signal(condition),
        broadcast(condition),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: SleepUntil Success",
            "1 returns to 0: SemaphoreWait Success",
            "1 switch 0 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: ConditionWait Success",
            "1 returns to 0: SemaphoreSignal Success",
            "1 returns to 0: SemaphoreWait Success",
            "1 switch 0 to 2",
            "1 returns to 2: ConditionSignal Success",
            // both are woken, the most urgent one first; the other waits for the lock
            "1 switch 2 to 0",
            "1 returns to 0: ConditionWait Success",
            "1 returns to 0: SemaphoreSignal Success",
            "1 switch 0 to 1",
            "1 returns to 1: ConditionWait Success",
            "1 returns to 1: SemaphoreSignal Success",
            "1 switch 1 to 2",
            "1 returns to 2: ConditionBroadcast Success",
            "1 returns to 2: ConditionSignal Success",
            "1 returns to 2: ConditionBroadcast Success",
        ],
    );
}

#[test]
fn a_wait_that_times_out_comes_back_with_the_lock_when_it_can() {
    let (system, condition, lock) = three();
    let script = [
        take(lock),
        await_condition(condition, lock, AtMost(4)),
        take(lock),
        // the time is up while 1 owns the lock: it goes on in 0's place
        At(4),
        give(lock),
        give(lock),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "4 switch 1 to 0",
            "4 returns to 0: ConditionWait TimedOut",
            "4 returns to 0: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn the_lock_given_up_goes_to_who_waits_for_it() {
    let (system, condition, lock) = three();
    let script = [
        sleep_until(3),
        sleep_until(2),
        take(lock),
        At(2),
        take(lock),
        At(3),
        sleep_until(9),
        // 2 waits for the condition: 1 has the lock
        await_condition(condition, lock, Forever),
        signal(condition),
        Call(Stop),
        // from the dead: 2 owns it, and is told
        give(lock),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "2 switch 2 to 1",
            "2 returns to 1: SleepUntil Success",
            "2 switch 1 to 2",
            "3 switch 2 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 switch 2 to 1",
            "3 returns to 1: SemaphoreWait Success",
            "3 returns to 1: ConditionSignal Success",
            "3 switch 1 to 2",
            "3 returns to 2: ConditionWait OwnerDied",
            "3 returns to 2: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn who_does_not_hold_the_lock_may_not_wait_and_polling_is_no_wait() {
    let (system, condition, lock) = three();
    let script = [
        await_condition(condition, lock, Forever),
        take(lock),
        await_condition(condition, lock, Poll),
        give(lock),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: ConditionWait NotOwner",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: ConditionWait WouldBlock",
            // it still owns the lock
            "0 returns to 0: SemaphoreSignal Success",
        ],
    );
}

/// Between each two steps an interrupt comes that nobody serves, and an alarm that is early.
#[test]
fn what_comes_in_between_does_not_end_a_broadcast() {
    let (system, condition, lock) = three();
    let mut rig = Rig::new(&system);
    rig.disturbed = true;
    rig.raise(Event::Start);
    for step in [take(lock), await_condition(condition, lock, Forever)].repeat(2) {
        rig.step(step);
    }
    rig.step(broadcast(condition));
    assert_eq!(rig.state().running(), ThreadId(0));
    rig.step(give(lock));
    rig.step(sleep_until(9));
    assert_eq!(rig.state().running(), ThreadId(1));
}
