//! Early hand-over of semaphores: EMERALDS, section 6. The kernel takes the semaphore that a waking
//! thread wants next, so that nobody is switched to only to wait again.

use beryl_abi::{SemaphoreId, ThreadId};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Interrupt};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{
    await_bits, await_bits_then, give, notify, receive, send, sleep_until, sleep_until_then, take,
};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::story;

const LINE: u16 = 10;

/// Figure 3's threads, each in a process of its own: 0 is `T2`, which waits for the event (an
/// interrupt) and wants the semaphore; 1 is `Tx`, 2 is `T1`, which holds the semaphore; 3 idles.
fn figure_3() -> (System<Small>, SemaphoreId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let second = draft.free(0, 0, 3);
    draft.free(1, 0, 2);
    draft.free(2, 0, 1);
    draft.interrupt(LINE, second, 1);
    let semaphore = draft.binary();
    (draft.finish().0, semaphore)
}

#[test]
fn a_thread_that_says_nothing_is_switched_to_only_to_wait_again() {
    let (system, semaphore) = figure_3();
    let script = [
        await_bits(1, Forever),
        sleep_until(10),
        take(semaphore),
        At(12),
        Interrupt(LINE),
        take(semaphore),
        At(15),
        give(semaphore),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "10 switch 2 to 1",
            "10 returns to 1: SleepUntil Success",
            // the event: C1 of Figure 3
            "12 switch 1 to 0",
            "12 returns to 0: NotificationWait Success 1",
            // T2 can't have the semaphore: C2, to T1, which inherits
            "12 switch 0 to 2",
            // T1 releases it: C3
            "15 switch 2 to 0",
            "15 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn a_thread_that_says_what_it_wants_next_is_switched_to_once() {
    let (system, semaphore) = figure_3();
    let script = [
        await_bits_then(1, semaphore, Forever),
        sleep_until(10),
        take(semaphore),
        At(12),
        Interrupt(LINE),
        At(15),
        give(semaphore),
        give(semaphore),
        await_bits(1, Forever),
        sleep_until(30),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "10 switch 2 to 1",
            "10 returns to 1: SleepUntil Success",
            // the event: T1 runs at once, in T2's place, before Tx (Figure 5)
            "12 switch 1 to 2",
            // it releases: T2 comes back from its wait with the semaphore
            "15 switch 2 to 0",
            "15 returns to 0: NotificationWait Success 1",
            "15 returns to 0: SemaphoreSignal Success",
            // T1 is as urgent as it was before: Tx comes first
            "15 switch 0 to 1",
            "15 switch 1 to 2",
            "15 returns to 2: SemaphoreSignal Success",
        ],
    );
}

/// Figure 6: 0 is `T1`, the more urgent one, 1 is `T2`; both wait for an event of their own and then
/// want the semaphore. 2 idles.
#[test]
fn nobody_comes_in_between_the_event_and_the_taking() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let (first, second) = (draft.free(0, 0, 2), draft.free(0, 0, 1));
    draft.interrupt(LINE, second, 1);
    draft.interrupt(LINE + 1, first, 1);
    let semaphore = draft.binary();
    let mailbox = draft.mailbox(8, 1);
    let script = [
        await_bits_then(1, semaphore, Forever),
        await_bits_then(1, semaphore, Forever),
        At(5),
        Interrupt(LINE),
        At(7),
        Interrupt(LINE + 1),
        At(9),
        give(semaphore),
        receive(mailbox, 0, Forever),
        At(11),
        send(mailbox, [3, 4], Forever),
        give(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            // T2's event: it has the semaphore before it runs
            "5 switch 2 to 1",
            "5 returns to 1: NotificationWait Success 1",
            // T1's event: T2 stays, since it has what T1 wants; in the paper T1 would lock first
            "9 switch 1 to 0",
            "9 returns to 0: NotificationWait Success 1",
            // T1 waits with the semaphore in its hands
            "9 switch 0 to 1",
            "9 returns to 1: SemaphoreSignal Success",
            // and goes on when somebody answers; T2 never tried in vain
            "11 switch 1 to 0",
            "11 returns to 0: MailboxReceive Success 3 4",
            "11 returns to 0: SemaphoreSignal Success",
        ],
    );
}

/// Who sleeps until an instant comes back with what was promised, whether somebody owns it by then or not.
#[test]
fn a_sleep_ends_with_the_semaphore_that_was_promised() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5]);
    let lock = draft.binary();
    let script = [
        sleep_until_then(5, lock),
        At(5),
        give(lock),
        sleep_until_then(9, lock),
        take(lock),
        // 0 lends its place to the owner at once, and isn't switched to in vain
        At(9),
        give(lock),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 returns to 0: SemaphoreSignal Success",
            "5 switch 0 to 1",
            "5 returns to 1: SemaphoreWait Success",
            "9 switch 1 to 0",
            "9 returns to 0: SleepUntil Success",
            "9 returns to 0: SemaphoreSignal Success",
        ],
    );
}

/// The owner of what 0 was promised sleeps: nobody can run in the place of 0 when 2 wakes it.
#[test]
fn who_wakes_for_what_a_sleeper_owns_waits_for_the_sleeper() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 1]);
    let bits = draft.notification(ThreadId(0), 1);
    let lock = draft.binary();
    let script = [
        await_bits_then(1, lock, Forever),
        take(lock),
        sleep_until(5),
        notify(bits, 1),
        notify(bits, 0),
        At(5),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 switch 1 to 2",
            "0 returns to 2: Notify Success",
            "0 returns to 2: Notify Success",
            "5 switch 2 to 1",
            "5 returns to 1: SleepUntil Success",
            "5 switch 1 to 0",
            "5 returns to 0: NotificationWait Success 1",
        ],
    );
}
