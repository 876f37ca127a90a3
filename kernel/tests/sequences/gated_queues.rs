//! Gates before mailboxes and endpoints: messages and clients that come too early stand in their queue, or are refused.

use beryl_abi::CallNumber::Stop;
use beryl_abi::{EndpointId, MailboxId, ThreadId};
use beryl_kernel::Gated as Before;
use beryl_kernel::OnEarly::{self, Drop, Keep};
use beryl_kernel::System;

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_request, call, call_for, receive, reply, send, sleep_until};
use crate::host::draft::{Draft, Gated, Queue};
use crate::host::{play, story};

/// Thread 0 receives from a mailbox with room for two behind a gate of 20 ticks; thread 1 sends; 2 idles.
fn mailbox(early: OnEarly) -> (System<Gated>, MailboxId) {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    draft.free(0, 0, 1);
    let mailbox = draft.mailbox(8, 2);
    draft.gate(Before::Mailbox(mailbox), 20, early);
    (draft.finish().0, mailbox)
}

#[test]
fn messages_stay_in_their_box_until_the_gate_opens() {
    let (system, mailbox) = mailbox(Keep);
    let script = [
        receive(mailbox, 0, Forever),
        At(5),
        send(mailbox, [1, 0], Forever),
        receive(mailbox, 0, Forever),
        At(6),
        send(mailbox, [2, 0], Forever),
        send(mailbox, [3, 0], Forever),
        send(mailbox, [4, 0], Poll),
        At(25),
        receive(mailbox, 0, Poll),
        receive(mailbox, 0, AtMost(9)),
        At(34),
        receive(mailbox, 0, Forever),
        At(45),
        // nothing has come for a separation
        sleep_until(80),
        send(mailbox, [5, 0], Forever),
        At(80),
        receive(mailbox, 0, Poll),
        receive(mailbox, 0, Poll),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: MailboxReceive Success 1 0",
            "5 switch 0 to 1",
            "5 returns to 1: MailboxSend Success",
            "6 returns to 1: MailboxSend Success",
            "6 returns to 1: MailboxSend Success",
            "6 returns to 1: MailboxSend WouldBlock",
            "25 switch 1 to 0",
            "25 returns to 0: MailboxReceive Success 2 0",
            // the next one is there, and isn't let through
            "25 returns to 0: MailboxReceive WouldBlock",
            "25 switch 0 to 1",
            "34 switch 1 to 0",
            "34 returns to 0: MailboxReceive TimedOut",
            "34 switch 0 to 1",
            "45 switch 1 to 0",
            "45 returns to 0: MailboxReceive Success 3 0",
            "45 switch 0 to 1",
            "45 returns to 1: MailboxSend Success",
            "80 switch 1 to 0",
            "80 returns to 0: SleepUntil Success",
            "80 returns to 0: MailboxReceive Success 5 0",
            "80 returns to 0: MailboxReceive WouldBlock",
        ],
    );
}

#[test]
fn a_sender_that_waits_for_room_gets_it_when_the_gate_opens() {
    let (system, mailbox) = mailbox(Keep);
    let script = [
        receive(mailbox, 0, Forever),
        send(mailbox, [1, 0], Forever),
        receive(mailbox, 0, Forever),
        send(mailbox, [2, 0], Forever),
        send(mailbox, [3, 0], Forever),
        send(mailbox, [4, 0], Forever),
        At(20),
        receive(mailbox, 0, Forever),
        At(40),
        receive(mailbox, 0, Forever),
        At(60),
    ];
    assert_story(
        &story(&system, &script)[6..],
        &[
            "0 returns to 1: MailboxSend Success",
            "0 returns to 1: MailboxSend Success",
            "0 switch 1 to 2",
            "20 switch 2 to 0",
            "20 returns to 0: MailboxReceive Success 2 0",
            "20 switch 0 to 1",
            "20 returns to 1: MailboxSend Success",
            "40 switch 1 to 0",
            "40 returns to 0: MailboxReceive Success 3 0",
            "40 switch 0 to 1",
            "60 switch 1 to 0",
            "60 returns to 0: MailboxReceive Success 4 0",
        ],
    );
}

#[test]
fn early_messages_are_refused_and_counted_where_that_is_declared() {
    let (system, mailbox) = mailbox(Drop);
    let script = [
        sleep_until(30),
        send(mailbox, [1, 0], Forever),
        send(mailbox, [2, 0], Forever),
        At(19),
        send(mailbox, [3, 0], Forever),
        At(20),
        send(mailbox, [4, 0], Forever),
        At(30),
        // what was let in is there
        receive(mailbox, 0, Poll),
        receive(mailbox, 0, Poll),
        receive(mailbox, 0, Forever),
        At(41),
        send(mailbox, [5, 0], Forever),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: MailboxSend Success",
            "0 returns to 1: MailboxSend WouldBlock",
            "19 returns to 1: MailboxSend WouldBlock",
            "20 returns to 1: MailboxSend Success",
            "30 switch 1 to 0",
            "30 returns to 0: SleepUntil Success",
            "30 returns to 0: MailboxReceive Success 1 0",
            "30 returns to 0: MailboxReceive Success 4 0",
            "30 switch 0 to 1",
            "41 switch 1 to 0",
            "41 returns to 0: MailboxReceive Success 5 0",
        ],
    );
    assert_eq!(play(&system, &script).state().dropped(0), 2);
}

/// Thread 0 calls thread 1, and so does thread 2, less urgent; 3 is less urgent still; 4 idles.
fn endpoint(early: OnEarly) -> (System<Gated>, EndpointId) {
    let mut draft = Draft::<Gated>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let server = draft.free(1, 0, 8);
    draft.free(0, 0, 7);
    draft.free(0, 0, 1);
    let endpoint = draft.endpoint(server, 8, 8);
    draft.gate(Before::Endpoint(endpoint), 20, early);
    (draft.finish().0, endpoint)
}

#[test]
fn clients_wait_until_the_gate_opens() {
    let (system, endpoint) = endpoint(Keep);
    let script = [
        sleep_until(3),
        await_request(endpoint, 0, Forever),
        // thread 2: nothing has come before
        call(endpoint, [1, 0]),
        At(3),
        // thread 0, while the server serves
        call(endpoint, [2, 0]),
        At(5),
        // the server answers, and the next client comes too early
        reply(endpoint, [10, 0]),
        At(6),
        // thread 2 again
        call(endpoint, [3, 0]),
        At(20),
        // the most urgent client first
        reply(endpoint, [20, 0]),
        sleep_until(30),
        At(30),
        call_for(endpoint, [4, 0], AtMost(5)),
        At(35),
        sleep_until(100),
        At(40),
        reply(endpoint, [30, 0]),
        sleep_until(100),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 1",
            "0 returns to 1: EndpointReceive Success 1 0",
            "3 switch 1 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 1",
            "5 switch 1 to 2",
            "5 returns to 2: EndpointCall Success 10 0",
            "6 switch 2 to 3",
            "20 switch 3 to 1",
            "20 returns to 1: EndpointReply Success 2 0",
            "20 switch 1 to 0",
            "20 returns to 0: EndpointCall Success 20 0",
            "20 switch 0 to 3",
            "30 switch 3 to 0",
            "30 returns to 0: SleepUntil Success",
            "30 switch 0 to 3",
            "35 switch 3 to 0",
            "35 returns to 0: EndpointCall TimedOut",
            "35 switch 0 to 3",
            "40 switch 3 to 1",
            "40 returns to 1: EndpointReply Success 3 0",
            "40 switch 1 to 2",
            "40 returns to 2: EndpointCall Success 30 0",
            "40 switch 2 to 3",
        ],
    );
}

#[test]
fn a_server_that_asks_finds_nobody_until_the_gate_opens() {
    let (system, endpoint) = endpoint(Keep);
    let script = [
        sleep_until(100),
        await_request(endpoint, 0, Forever),
        call(endpoint, [1, 0]),
        reply(endpoint, [10, 0]),
        // thread 2 calls again; its place waits with the server
        At(4),
        call(endpoint, [2, 0]),
        // a server whose client has stopped waiting: it asks
        At(20),
        reply(endpoint, [20, 0]),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 1",
            "0 returns to 1: EndpointReceive Success 1 0",
            "0 switch 1 to 2",
            "0 returns to 2: EndpointCall Success 10 0",
            "4 switch 2 to 3",
            "20 switch 3 to 1",
            "20 returns to 1: EndpointReply Success 2 0",
            "20 switch 1 to 2",
            "20 returns to 2: EndpointCall Success 20 0",
        ],
    );
}

#[test]
fn early_calls_are_refused_and_counted_where_that_is_declared() {
    let (system, endpoint) = endpoint(Drop);
    let script = [
        sleep_until(100),
        await_request(endpoint, 0, Forever),
        call(endpoint, [1, 0]),
        reply(endpoint, [10, 0]),
        call(endpoint, [2, 0]),
        At(20),
        call(endpoint, [3, 0]),
    ];
    assert_story(
        &story(&system, &script)[6..],
        &[
            "0 returns to 2: EndpointCall Success 10 0",
            "0 returns to 2: EndpointCall WouldBlock",
            "20 switch 2 to 1",
            "20 returns to 1: EndpointReply Success 3 0",
        ],
    );
    assert_eq!(play(&system, &script).state().dropped(0), 1);
}

#[test]
fn clients_before_a_gate_learn_that_their_server_has_stopped() {
    let (system, endpoint) = endpoint(Keep);
    let script = [
        sleep_until(100),
        await_request(endpoint, 0, Forever),
        call(endpoint, [1, 0]),
        reply(endpoint, [10, 0]),
        call_for(endpoint, [2, 0], AtMost(10)),
        At(10),
        sleep_until(50),
        // thread 3: the server isn't there for it before 20
        call(endpoint, [3, 0]),
        At(20),
        Call(Stop),
        At(60),
    ];
    let rig = play(&system, &script);
    assert_eq!(rig.state().running(), ThreadId(2));
}
