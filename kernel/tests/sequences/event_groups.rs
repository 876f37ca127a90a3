//! Event groups: bits that end the waits of several, each of whom sees the same.

use beryl_abi::call::SUCCESS;
use beryl_abi::{EventGroupId, FaultKind, Instant, ProcessId, ThreadId, Wanted};
use beryl_kernel::{Event, Switch, System};

use crate::assert_story;
use crate::host::Do::{At, Fault};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{
    await_group, await_group_then, clear_group, event, give, set_group, sleep_until, take,
};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{play, story};

const ANY: u32 = 0;
const ALL: u32 = Wanted::ALL;
const TAKE: u32 = Wanted::TAKE;

/// Free threads, 0 the most urgent, and an event group.
fn threads(priorities: &[u8]) -> (System<Small>, EventGroupId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(priorities);
    let group = draft.event_group();
    (draft.finish().0, group)
}

#[test]
fn who_waits_for_all_of_some_bits_gets_them_once_the_last_is_set() {
    let (system, group) = threads(&[9, 5]);
    let script = [
        await_group(group, 0b11, ALL | TAKE, Forever),
        set_group(group, 0b100),
        set_group(group, 0b1),
        // 0 waits on, and wakes with the second bit; it sees the third one, and takes its own two
        set_group(group, 0b10),
        clear_group(group, 0),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: EventGroupSet Success",
            "0 returns to 1: EventGroupSet Success",
            "0 switch 1 to 0",
            "0 returns to 0: EventGroupWait Success 7",
            "0 returns to 0: EventGroupClear Success 4",
        ],
    );
}

#[test]
fn bits_that_are_there_are_waited_for_by_nobody() {
    let (system, group) = threads(&[9]);
    let script = [
        set_group(group, 0b101),
        await_group(group, 0b11, ANY, Forever),
        await_group(group, 0b11, ALL, Poll),
        await_group(group, 0b100, TAKE, Forever),
        // one bit is left, which clearing answers before it is gone
        clear_group(group, u32::MAX),
        await_group(group, u32::MAX, ANY, Poll),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 1 to 0",
            "0 returns to 0: EventGroupSet Success",
            "0 returns to 0: EventGroupWait Success 5",
            "0 returns to 0: EventGroupWait WouldBlock",
            "0 returns to 0: EventGroupWait Success 5",
            "0 returns to 0: EventGroupClear Success 1",
            "0 returns to 0: EventGroupWait WouldBlock",
        ],
    );
}

#[test]
fn one_set_wakes_all_whose_bits_are_there_by_urgency_and_each_sees_the_same() {
    let (system, group) = threads(&[9, 7, 5, 1]);
    let script = [
        // they begin to wait in the order 3, 2, 1, 0
        sleep_until(3),
        sleep_until(2),
        sleep_until(1),
        await_group(group, 1, TAKE, Forever),
        At(1),
        await_group(group, 0b100, ANY, Forever),
        At(2),
        await_group(group, 0b11, ALL | TAKE, Forever),
        At(3),
        set_group(group, 0b1_0011),
        // 1 and 3 wake; both take the first bit, and both see it
        await_group(group, u32::MAX, ANY, Forever),
        sleep_until(9),
        clear_group(group, 0),
        sleep_until(9),
        sleep_until(9),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 switch 3 to 4",
            "1 switch 4 to 2",
            "1 returns to 2: SleepUntil Success",
            "1 switch 2 to 4",
            "2 switch 4 to 1",
            "2 returns to 1: SleepUntil Success",
            "2 switch 1 to 4",
            "3 switch 4 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 returns to 0: EventGroupSet Success",
            // what nobody took is left, so 0 needn't wait
            "3 returns to 0: EventGroupWait Success 16",
            "3 switch 0 to 1",
            "3 returns to 1: EventGroupWait Success 19",
            "3 returns to 1: EventGroupClear Success 16",
            "3 switch 1 to 3",
            "3 returns to 3: EventGroupWait Success 19",
            "3 switch 3 to 4",
        ],
    );
}

#[test]
fn equals_wake_in_the_order_in_which_they_came() {
    let (system, group) = threads(&[9, 9, 1]);
    let wait = await_group(group, 1, ANY, Forever);
    let script = [wait, wait, set_group(group, 1), sleep_until(5), sleep_until(5)];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 0",
            "0 returns to 0: EventGroupWait Success 1",
            "0 switch 0 to 1",
            "0 returns to 1: EventGroupWait Success 1",
            "0 switch 1 to 2",
            "0 returns to 2: EventGroupSet Success",
        ],
    );
}

#[test]
fn a_wait_that_is_too_long_takes_nothing() {
    let (system, group) = threads(&[9, 5]);
    let script =
        [await_group(group, 0b11, ALL | TAKE, AtMost(4)), set_group(group, 1), At(4), clear_group(group, 0)];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: EventGroupSet Success",
            "4 switch 1 to 0",
            "4 returns to 0: EventGroupWait TimedOut",
            "4 returns to 0: EventGroupClear Success 1",
        ],
    );
}

/// 0 waits too long, and then for another group: bits of the first one aren't its own any more, nor does it
/// stand before 1.
#[test]
fn who_has_waited_too_long_has_left_the_queue() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 1]);
    let [first, second] = [(); 2].map(|()| draft.event_group());
    let script = [
        await_group(first, 1, TAKE, AtMost(4)),
        await_group(first, 1, TAKE, Forever),
        At(4),
        await_group(second, 1, TAKE, Forever),
        set_group(first, 1),
        sleep_until(9),
        set_group(second, 1),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "4 switch 2 to 0",
            "4 returns to 0: EventGroupWait TimedOut",
            "4 switch 0 to 2",
            "4 switch 2 to 1",
            "4 returns to 1: EventGroupWait Success 1",
            "4 switch 1 to 2",
            "4 returns to 2: EventGroupSet Success",
            "4 switch 2 to 0",
            "4 returns to 0: EventGroupWait Success 1",
        ],
    );
}

/// The clock goes on, and the alarm goes off, between each two steps of a set that wakes two whose time is up by then.
#[test]
fn who_has_its_bits_has_not_waited_too_long() {
    let (system, group) = threads(&[9, 7, 1]);
    let wait = await_group(group, 1, TAKE, AtMost(4));
    let mut rig = play(&system, &[wait, wait]);
    assert_eq!(rig.state().running(), ThreadId(2));
    rig.host().clock = Instant::from_ticks(3);
    let mut answer = rig.kernel.handle(event(set_group(group, 1)));
    let mut steps = 0;
    while answer == Switch::Again {
        rig.host().clock = Instant::from_ticks(4);
        assert_eq!(rig.kernel.handle(Event::Alarm), Switch::Again);
        answer = rig.kernel.handle(Event::Continue);
        steps += 1;
        assert!(steps < 100, "it never ends");
    }
    let answers = [0, 1].map(|thread| rig.host().registers[&ThreadId(thread)]);
    assert_eq!(answers, [[SUCCESS, 1, 0]; 2], "both have the bit");
    assert_eq!(answer, Switch::To(ThreadId(0)));
}

#[test]
fn who_stops_waits_no_more_and_the_others_get_their_bits() {
    let (mut system, group) = threads(&[9, 7, 5, 1]);
    // a fault stops thread 0 and, since they are of one process, thread 1, which waits by then
    let processes = [1, 1, 2, 2].map(ProcessId);
    system.threads.iter_mut().zip(processes).for_each(|(thread, process)| thread.process = process);
    let wait = await_group(group, 1, TAKE, Forever);
    let script =
        [sleep_until(2), wait, wait, At(2), Fault(FaultKind::Data), set_group(group, 1), sleep_until(9)];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "2 switch 3 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 fault 0: access to memory that isn't its own",
            "2 switch 0 to 3",
            "2 switch 3 to 2",
            "2 returns to 2: EventGroupWait Success 1",
            "2 switch 2 to 3",
            "2 returns to 3: EventGroupSet Success",
        ],
    );
}

#[test]
fn a_wait_may_end_with_a_semaphore() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 5]);
    let (group, lock) = (draft.event_group(), draft.binary());
    let script = [
        await_group_then(group, 1, ANY, lock, Forever),
        await_group(group, 1, TAKE, Forever),
        take(lock),
        // 0 and 1 wake; 0 waits for the lock, so its owner goes on in its place
        set_group(group, 1),
        give(lock),
        give(lock),
        sleep_until(9),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "0 returns to 2: EventGroupSet Success",
            "0 switch 2 to 0",
            "0 returns to 0: EventGroupWait Success 1",
            "0 returns to 0: SemaphoreSignal Success",
            "0 switch 0 to 1",
            "0 returns to 1: EventGroupWait Success 1",
        ],
    );
}

/// How many steps a set takes: one that finds out, two for each thread that wakes, one that finds nobody
/// else, a decision.
#[test]
fn steps_of_a_set_grow_with_those_who_wake_only() {
    for wake in 0..=5_u32 {
        let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
        draft.all_free(&[9, 8, 7, 6, 5, 1]);
        let group = draft.event_group();
        let bits = |thread: u32| if thread < wake { 1 } else { 2 };
        let waits: Vec<_> = (0..5).map(|thread| await_group(group, bits(thread), TAKE, Forever)).collect();
        let mut rig = play(&draft.finish().0, &waits);
        let steps = rig.raise(event(set_group(group, 1)));
        assert_eq!(steps, 3 + 2 * wake as usize, "{wake} wake");
    }
}

/// Both are to come back with the same semaphore, so who wakes first owns it first.
#[test]
fn the_most_urgent_wakes_first_whoever_came_first() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 1]);
    let (group, lock) = (draft.event_group(), draft.binary());
    let wait = await_group_then(group, 1, ANY, lock, Forever);
    let script = [sleep_until(1), wait, At(1), wait, set_group(group, 1), give(lock), sleep_until(9)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: SleepUntil Success",
            "1 switch 0 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: EventGroupWait Success 1",
            "1 returns to 0: SemaphoreSignal Success",
            "1 switch 0 to 1",
            "1 returns to 1: EventGroupWait Success 1",
        ],
    );
}
