//! Mailboxes: full, empty, in order, in time, and long messages from memory to memory.

use beryl_abi::CallNumber::Stop;
use beryl_abi::MailboxId;
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{give, receive, receive_then, send, sleep_until, take};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::objects::{memory, stack};
use crate::host::{play, story};

/// Threads 0 (the most urgent), 1, 2, and a mailbox for two short messages.
fn short() -> (System<Small>, MailboxId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 1]);
    let mailbox = draft.mailbox(8, 2);
    (draft.finish().0, mailbox)
}

#[test]
fn messages_come_out_in_the_order_in_which_they_went_in() {
    let (system, mailbox) = short();
    let poll = receive(mailbox, 0, Poll);
    let put = |number| send(mailbox, [number, 10 * number], Poll);
    // around the ring
    let script = [poll, put(1), put(2), put(3), poll, put(4), poll, poll, poll];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: MailboxReceive WouldBlock",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxSend WouldBlock",
            "0 returns to 0: MailboxReceive Success 1 10",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxReceive Success 2 20",
            "0 returns to 0: MailboxReceive Success 4 40",
            "0 returns to 0: MailboxReceive WouldBlock",
        ],
    );
}

#[test]
fn a_message_goes_directly_to_the_most_urgent_receiver() {
    let (system, mailbox) = short();
    let wait = receive(mailbox, 0, Forever);
    let script = [
        sleep_until(1),
        wait,
        At(1),
        wait,
        send(mailbox, [7, 8], Forever),
        wait,
        send(mailbox, [9, 0], Poll),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: SleepUntil Success",
            "1 switch 0 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: MailboxReceive Success 7 8",
            "1 switch 0 to 2",
            "1 returns to 2: MailboxSend Success",
            "1 switch 2 to 0",
            "1 returns to 0: MailboxReceive Success 9 0",
        ],
    );
}

#[test]
fn first_come_is_first_served_where_it_is_said() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 1]);
    let mailbox = draft.mailbox_in_order(8, 2);
    let wait = receive(mailbox, 0, Forever);
    let script =
        [sleep_until(1), wait, At(1), wait, send(mailbox, [7, 8], Forever), send(mailbox, [5, 6], Forever)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 returns to 0: SleepUntil Success",
            "1 switch 0 to 2",
            // 1 came first
            "1 switch 2 to 1",
            "1 returns to 1: MailboxReceive Success 7 8",
            "1 switch 1 to 0",
            "1 returns to 0: MailboxReceive Success 5 6",
        ],
    );
}

#[test]
fn a_sender_that_waits_for_room_is_let_in_by_a_receiver_and_keeps_its_turn() {
    let (system, mailbox) = short();
    let put = |number| send(mailbox, [number, 0], Forever);
    let take = receive(mailbox, 0, Poll);
    let script = [sleep_until(2), put(1), put(2), put(3), At(2), take, take, take, take, sleep_until(9)];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: MailboxSend Success",
            "0 returns to 1: MailboxSend Success",
            "0 switch 1 to 2",
            "2 switch 2 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 returns to 0: MailboxReceive Success 1 0",
            "2 returns to 0: MailboxReceive Success 2 0",
            "2 returns to 0: MailboxReceive Success 3 0",
            "2 returns to 0: MailboxReceive WouldBlock",
            "2 switch 0 to 1",
            "2 returns to 1: MailboxSend Success",
        ],
    );
}

#[test]
fn waits_on_both_sides_end_in_time() {
    let (system, mailbox) = short();
    let put = |number| send(mailbox, [number, 0], AtMost(4));
    let script = [
        receive(mailbox, 0, AtMost(3)),
        At(3),
        put(1),
        put(2),
        put(3),
        At(7),
        receive(mailbox, 0, Poll),
        receive(mailbox, 0, Poll),
        // what timed out isn't sent
        receive(mailbox, 0, Poll),
    ];
    let story = story(&system, &script);
    let of_0: Vec<_> = story.into_iter().filter(|line| line.contains("to 0: ")).collect();
    assert_story(
        &of_0,
        &[
            "3 returns to 0: MailboxReceive TimedOut",
            "3 returns to 0: MailboxSend Success",
            "3 returns to 0: MailboxSend Success",
            "7 returns to 0: MailboxSend TimedOut",
            "7 returns to 0: MailboxReceive Success 1 0",
            "7 returns to 0: MailboxReceive Success 2 0",
            "7 returns to 0: MailboxReceive WouldBlock",
        ],
    );
}

#[test]
fn a_message_may_come_with_a_semaphore() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5]);
    let (mailbox, semaphore) = (draft.mailbox(4, 1), draft.binary());
    let script = [
        receive_then(mailbox, semaphore, Forever),
        take(semaphore),
        send(mailbox, [5, 0], Forever),
        give(semaphore),
        give(semaphore),
        // there is a message already: the call returns with both, too
        send(mailbox, [6, 0], Forever),
        receive_then(mailbox, semaphore, Poll),
        give(semaphore),
        // nothing comes: nothing is taken
        receive_then(mailbox, semaphore, Poll),
        give(semaphore),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 returns to 1: MailboxSend Success",
            "0 switch 1 to 0",
            "0 returns to 0: MailboxReceive Success 5 0",
            "0 returns to 0: SemaphoreSignal Success",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxReceive Success 6 0",
            "0 returns to 0: SemaphoreSignal Success",
            "0 returns to 0: MailboxReceive WouldBlock",
            "0 returns to 0: SemaphoreSignal NotOwner",
        ],
    );
}

#[test]
fn long_messages_go_from_memory_to_memory() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let [first, second] = [draft.free(0, 0, 9), draft.free(1, 0, 5)];
    let mailbox = draft.mailbox(12, 1);
    let (from, to) = (memory(1).address, stack(first).address);
    let message = |at: u32, value: u32| [0, 1, 2].map(|word| Write(at + 4 * word, value + word));
    let put = |at| send(mailbox, [at, 0], Forever);
    let system = draft.finish().0;
    // to a receiver that waits
    let direct = [[receive(mailbox, to, Forever)].as_slice(), &message(from, 70), &[put(from)]].concat();
    let mut rig = play(&system, &direct);
    assert_eq!([0, 4, 8, 12].map(|offset| rig.host().word(to + offset)), [70, 71, 72, 0]);
    // through the mailbox, and from a sender that waits with its message in its own memory
    let mut steps = vec![sleep_until(5)];
    steps.extend(message(from, 80));
    steps.push(put(from));
    steps.extend(message(from, 90));
    steps.extend([put(from), At(5), receive(mailbox, to, Poll)]);
    steps.into_iter().for_each(|step| rig.step(step));
    assert_eq!([0, 4, 8].map(|offset| rig.host().word(to + offset)), [80, 81, 82]);
    rig.step(receive(mailbox, to + 16, Poll));
    assert_eq!([16, 20, 24].map(|offset| rig.host().word(to + offset)), [90, 91, 92]);
    assert_eq!(rig.state().running(), first);
    rig.step(Call(Stop));
    assert_eq!(rig.state().running(), second);
}
