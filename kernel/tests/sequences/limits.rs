//! Limits: what a client asks beyond what it may is refused before anything else is looked at, and counted for it.

use beryl_abi::CallNumber::Stop;
use beryl_abi::{EndpointId, MailboxId, ThreadId};
use beryl_kernel::{Asked, Gated as Before, OnEarly, System};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_request, call, call_for, receive, reply, send, sleep_until};
use crate::host::draft::{Draft, Limited, Queue};
use crate::host::{play, story};

/// Thread 0 of process 1 sends to a mailbox with room for two, at most twice in 20 ticks; thread 1 of process 2 has no
/// limit; 2 idles.
fn mailbox() -> (System<Limited>, MailboxId) {
    let mut draft = Draft::<Limited>::new(&[Queue::Fixed]);
    draft.free(1, 0, 9);
    draft.free(2, 0, 1);
    let mailbox = draft.mailbox(8, 2);
    draft.limit(Asked::Mailbox(mailbox), 1, 2, 20);
    (draft.finish().0, mailbox)
}

#[test]
fn who_has_sent_as_much_as_it_may_is_refused_until_a_stretch_is_over() {
    let (system, mailbox) = mailbox();
    let script = [
        send(mailbox, [1, 0], Forever),
        At(5),
        send(mailbox, [2, 0], Forever),
        // not even looked at: it isn't said that the mailbox is full, nor does it wait
        send(mailbox, [3, 0], Forever),
        receive(mailbox, 0, Poll),
        At(19),
        send(mailbox, [4, 0], Poll),
        // the first is back, the second isn't
        At(20),
        send(mailbox, [5, 0], Poll),
        send(mailbox, [6, 0], Poll),
        At(25),
        receive(mailbox, 0, Poll),
        send(mailbox, [7, 0], Poll),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: MailboxSend Success",
            "5 returns to 0: MailboxSend Success",
            "5 returns to 0: MailboxSend OverLimit",
            "5 returns to 0: MailboxReceive Success 1 0",
            "19 returns to 0: MailboxSend OverLimit",
            "20 returns to 0: MailboxSend Success",
            "20 returns to 0: MailboxSend OverLimit",
            "25 returns to 0: MailboxReceive Success 2 0",
            "25 returns to 0: MailboxSend Success",
        ],
    );
    assert_eq!(play(&system, &script).state().refused(0), 3);
}

#[test]
fn a_message_that_finds_no_room_takes_no_credit_and_one_that_waits_for_room_does() {
    let (system, mailbox) = mailbox();
    let script = [
        sleep_until(10),
        // thread 1 has no limit, and fills the box
        send(mailbox, [1, 0], Poll),
        send(mailbox, [2, 0], Poll),
        At(10),
        send(mailbox, [3, 0], Poll),
        send(mailbox, [4, 0], AtMost(3)),
        At(13),
        send(mailbox, [5, 0], AtMost(3)),
        At(16),
        receive(mailbox, 0, Poll),
        send(mailbox, [6, 0], Forever),
        At(30),
        send(mailbox, [7, 0], Forever),
    ];
    assert_story(
        &story(&system, &script)[2..],
        &[
            "0 returns to 1: MailboxSend Success",
            "0 returns to 1: MailboxSend Success",
            "10 switch 1 to 0",
            "10 returns to 0: SleepUntil Success",
            "10 returns to 0: MailboxSend WouldBlock",
            "10 switch 0 to 1",
            "13 switch 1 to 0",
            "13 returns to 0: MailboxSend TimedOut",
            "13 switch 0 to 1",
            "16 switch 1 to 0",
            "16 returns to 0: MailboxSend TimedOut",
            "16 returns to 0: MailboxReceive Success 1 0",
            "16 returns to 0: MailboxSend OverLimit",
            "30 returns to 0: MailboxSend Success",
        ],
    );
}

#[test]
fn all_threads_of_a_process_share_its_limit_and_no_other_process_does() {
    let mut draft = Draft::<Limited>::new(&[Queue::Fixed]);
    draft.free(1, 0, 9);
    draft.free(1, 0, 5);
    draft.free(2, 0, 1);
    let mailbox = draft.mailbox(8, 9);
    draft.limit(Asked::Mailbox(mailbox), 1, 1, 20);
    draft.limit(Asked::Mailbox(mailbox), 2, 2, 20);
    let system = draft.finish().0;
    let script = [
        send(mailbox, [1, 0], Poll),
        Call(Stop),
        send(mailbox, [2, 0], Poll),
        Call(Stop),
        send(mailbox, [3, 0], Poll),
        send(mailbox, [4, 0], Poll),
        send(mailbox, [5, 0], Poll),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: MailboxSend Success",
            "0 switch 0 to 1",
            "0 returns to 1: MailboxSend OverLimit",
            "0 switch 1 to 2",
            "0 returns to 2: MailboxSend Success",
            "0 returns to 2: MailboxSend Success",
            "0 returns to 2: MailboxSend OverLimit",
        ],
    );
    let end = play(&system, &script);
    assert_eq!([0, 1].map(|limit| end.state().refused(limit)), [1, 1]);
}

/// Thread 0 of process 1 serves; thread 1 of process 2 may ask once in 20 ticks; 2 of process 3 has no limit.
fn endpoint() -> (System<Limited>, EndpointId) {
    let mut draft = Draft::<Limited>::new(&[Queue::Fixed]);
    draft.free(1, 0, 9);
    draft.free(2, 0, 5);
    draft.free(3, 0, 1);
    let endpoint = draft.endpoint(ThreadId(0), 8, 4);
    draft.limit(Asked::Endpoint(endpoint), 2, 1, 20);
    (draft.finish().0, endpoint)
}

#[test]
fn a_client_that_asks_too_much_reaches_no_server() {
    let (system, endpoint) = endpoint();
    let script = [
        await_request(endpoint, 0, Forever),
        call(endpoint, [1, 0]),
        reply(endpoint, [11, 0]),
        call(endpoint, [2, 0]),
        call_for(endpoint, [3, 0], Poll),
        sleep_until(15),
        call(endpoint, [4, 0]),
        reply(endpoint, [14, 0]),
        At(15),
        call(endpoint, [5, 0]),
        sleep_until(20),
        At(20),
        call(endpoint, [6, 0]),
        reply(endpoint, [16, 0]),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 0",
            "0 returns to 0: EndpointReceive Success 1 0",
            "0 switch 0 to 1",
            "0 returns to 1: EndpointCall Success 11 0",
            "0 returns to 1: EndpointCall OverLimit",
            "0 returns to 1: EndpointCall OverLimit",
            "0 switch 1 to 2",
            "0 switch 2 to 0",
            "0 returns to 0: EndpointReply Success 4 0",
            "0 switch 0 to 2",
            "0 returns to 2: EndpointCall Success 14 0",
            "15 switch 2 to 1",
            "15 returns to 1: SleepUntil Success",
            "15 returns to 1: EndpointCall OverLimit",
            "15 switch 1 to 2",
            "20 switch 2 to 1",
            "20 returns to 1: SleepUntil Success",
            "20 switch 1 to 0",
            "20 returns to 0: EndpointReply Success 6 0",
            "20 switch 0 to 1",
            "20 returns to 1: EndpointCall Success 16 0",
        ],
    );
    assert_eq!(play(&system, &script).state().refused(0), 3);
}

#[test]
fn a_call_that_is_refused_for_another_reason_takes_no_credit() {
    let (system, endpoint) = endpoint();
    let script = [
        // nobody receives
        sleep_until(5),
        call_for(endpoint, [1, 0], Poll),
        call_for(endpoint, [2, 0], AtMost(u32::MAX - 1)),
        call_for(endpoint, [3, 0], Forever),
        At(5),
        await_request(endpoint, 0, Forever),
        Call(Stop),
        call(endpoint, [4, 0]),
    ];
    assert_story(
        &story(&system, &script)[2..],
        &[
            "0 returns to 1: EndpointCall WouldBlock",
            "0 returns to 1: EndpointCall TooLong",
            "0 switch 1 to 2",
            "5 switch 2 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 returns to 0: EndpointReceive Success 3 0",
            "5 switch 0 to 1",
            "5 returns to 1: EndpointCall PeerDied",
            // the server is dead, and that isn't looked at
            "5 returns to 1: EndpointCall OverLimit",
        ],
    );
}

#[test]
fn a_limit_is_looked_at_before_a_gate_and_a_gate_that_refuses_takes_no_credit() {
    let mut draft = Draft::<Limited>::new(&[Queue::Fixed]);
    draft.free(1, 0, 1);
    let mailbox = draft.mailbox(8, 9);
    draft.gate(Before::Mailbox(mailbox), 10, OnEarly::Drop);
    draft.limit(Asked::Mailbox(mailbox), 1, 2, 50);
    let system = draft.finish().0;
    let script = [
        send(mailbox, [1, 0], Poll),
        send(mailbox, [2, 0], Poll),
        At(10),
        send(mailbox, [3, 0], Poll),
        send(mailbox, [4, 0], Poll),
    ];
    assert_story(
        &story(&system, &script)[1..],
        &[
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxSend WouldBlock",
            "10 returns to 0: MailboxSend Success",
            "10 returns to 0: MailboxSend OverLimit",
        ],
    );
    let end = play(&system, &script);
    assert_eq!((end.state().dropped(0), end.state().refused(0)), (1, 1));
}

#[test]
fn a_credit_that_was_away_for_longer_than_words_of_time_is_here() {
    let (system, mailbox) = mailbox();
    let mut script = vec![send(mailbox, [1, 0], Poll), send(mailbox, [2, 0], Poll)];
    for round in 1..=9_u64 {
        script.push(At(round << 30));
        script.push(receive(mailbox, 0, Poll));
        script.push(send(mailbox, [3, 0], Poll));
    }
    assert_eq!(play(&system, &script).state().refused(0), 0);
}
