//! Threads that mayn't wait: calls that would wait for something to happen fail; those for a turn only where it mayn't
//! wait for turns either.

use beryl_abi::CallNumber::Yield;
use beryl_abi::ThreadId;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::*;
use crate::host::draft::{Draft, Prompt, Queue};
use crate::host::{story, user::level};

const ME: ThreadId = ThreadId(1);

/// Threads 0, 1 and 2, the first the most urgent. 0 may wait, 1 for its turns, 2 for nothing.
fn three() -> Draft<Prompt> {
    let mut draft = Draft::<Prompt>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 1]);
    draft
}

#[test]
fn who_waits_for_turns_only_is_told_so_by_each_other_call() {
    let mut draft = three();
    let lock = draft.binary();
    let (condition, units) = (draft.condition(), draft.counting(1, 1));
    let (mailbox, group) = (draft.mailbox(8, 1), draft.event_group());
    let interrupt = draft.interrupt(10, ME, 1);
    let system = draft.finish().0;
    let script = [
        // 0 is out of the way: it may wait.
        sleep_until(1000),
        take(units),
        take(units),
        send(mailbox, [1, 2], Forever),
        send(mailbox, [3, 4], AtMost(5)),
        receive(mailbox, 0, Forever),
        receive(mailbox, 0, Forever),
        await_group(group, 1, 0, Forever),
        await_bits(0, Forever),
        await_interrupt(interrupt, 1, AtMost(7)),
        sleep_until(1),
        sleep_until(0),
        take(lock),
        await_condition(condition, lock, Forever),
        give(lock),
        Call(Yield),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 returns to 1: SemaphoreWait WouldBlock",
            "0 returns to 1: MailboxSend Success",
            "0 returns to 1: MailboxSend WouldBlock",
            "0 returns to 1: MailboxReceive Success 1 2",
            "0 returns to 1: MailboxReceive WouldBlock",
            "0 returns to 1: EventGroupWait WouldBlock",
            "0 returns to 1: NotificationWait WouldBlock",
            "0 returns to 1: NotificationWait WouldBlock",
            "0 returns to 1: SleepUntil WouldBlock",
            "0 returns to 1: SleepUntil Success",
            "0 returns to 1: SemaphoreWait Success",
            "0 returns to 1: ConditionWait WouldBlock",
            // It still owns the lock.
            "0 returns to 1: SemaphoreSignal Success",
            "0 returns to 1: Yield Success",
        ],
    );
}

#[test]
fn who_waits_for_turns_only_waits_for_those() {
    let mut draft = three();
    let lock = draft.binary();
    draft.row(ME).highest_ceiling = 9;
    let condition = draft.condition();
    let system = draft.finish().0;
    let script = [
        take(lock),
        // 0 keeps the lock while it sleeps. 1 waits until it gets it.
        sleep_until(10),
        take(lock),
        At(10),
        give(lock),
        sleep_until(1000),
        give(lock),
        // Under a ceiling, too, nothing is given up for a wait.
        Write(level(ME), 9),
        await_lowered(condition, Forever),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "10 switch 2 to 0",
            "10 returns to 0: SleepUntil Success",
            "10 returns to 0: SemaphoreSignal Success",
            "10 switch 0 to 1",
            "10 returns to 1: SemaphoreWait Success",
            "10 returns to 1: SemaphoreSignal Success",
            "10 returns to 1: ConditionWait WouldBlock",
        ],
    );
}

#[test]
fn who_never_waits_has_no_turns() {
    let mut draft = three();
    let (lock, other) = (draft.binary(), draft.binary());
    let mailbox = draft.mailbox(8, 1);
    let server = draft.endpoint(ThreadId(0), 8, 8);
    let system = draft.finish().0;
    let script = [
        take(lock),
        // 0 sleeps with the lock, and 1 takes itself out of the way.
        sleep_until(10),
        take(lock),
        // Nobody has the other one, which needs no wait; the first has an owner.
        take(other),
        take(lock),
        give(other),
        send(mailbox, [1, 2], Forever),
        // Nor is a lock promised to it, whether it is free or not.
        receive_then(mailbox, other, Forever),
        receive_then(mailbox, lock, Forever),
        receive(mailbox, 0, Forever),
        call(server, [3, 4]),
        Call(Yield),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "0 returns to 2: SemaphoreWait WouldBlock",
            "0 returns to 2: SemaphoreSignal Success",
            "0 returns to 2: MailboxSend Success",
            "0 returns to 2: MailboxReceive WouldBlock",
            "0 returns to 2: MailboxReceive WouldBlock",
            "0 returns to 2: MailboxReceive Success 1 2",
            "0 returns to 2: EndpointCall WouldBlock",
            "0 returns to 2: Yield Success",
        ],
    );
}
