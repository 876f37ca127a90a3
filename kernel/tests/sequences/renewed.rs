//! What a process that begins anew had of objects, and what others had of it.

use beryl_abi::CallNumber::Stop;
use beryl_abi::{EndpointId, FaultKind, ThreadId};
use beryl_kernel::{SemaphoreKind, System};

use crate::assert_story;
use crate::host::Do::{At, Call, Fault, Interrupt};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{
    await_bits, await_group, await_interrupt, await_request, call as ask, give, notify, receive, reply, send,
    set_group, sleep_until, take, take_for,
};
use crate::host::draft::{Draft, Queue, Restarted};
use crate::host::objects::memory;
use crate::host::story;
use crate::restarts::{told, two};

/// Clients 0 and 1 of process 2, and their server 2 in process 1, the least urgent; 3 idles.
fn shop() -> (System<Restarted>, EndpointId) {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    draft.free(2, 0, 9);
    draft.free(2, 0, 7);
    let server = draft.free(1, 0, 1);
    draft.restart(1, 2, 100);
    let endpoint = draft.endpoint(server, 8, 8);
    (draft.finish().0, endpoint)
}

#[test]
fn clients_that_waited_learn_that_the_server_died_and_later_ones_are_served() {
    let (system, endpoint) = shop();
    let script = [
        sleep_until(2),
        ask(endpoint, [7, 0]),
        await_request(endpoint, 0, Forever),
        At(2),
        ask(endpoint, [9, 0]),
        // the server runs in the place of 0 and serves 1
        Fault(FaultKind::Panic),
        // each knows, and asks again; the server begins anew when it gets a place
        ask(endpoint, [9, 1]),
        await_request(endpoint, 0, Forever),
        reply(endpoint, [90, 0]),
        sleep_until(50),
        ask(endpoint, [7, 1]),
        reply(endpoint, [70, 0]),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: EndpointReceive Success 7 0",
            "2 switch 2 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 switch 0 to 2",
            "2 fault 2: panic",
            "2 renewal of 1: 1 0 1",
            "2 switch 2 to 0",
            "2 returns to 0: EndpointCall PeerDied",
            "2 switch 0 to 2",
            "2 returns to 2: EndpointReceive Success 9 1",
            "2 switch 2 to 0",
            "2 returns to 0: EndpointCall Success 90 0",
            "2 switch 0 to 1",
            "2 returns to 1: EndpointCall PeerDied",
            "2 switch 1 to 2",
            "2 returns to 2: EndpointReply Success 7 1",
            "2 switch 2 to 1",
            "2 returns to 1: EndpointCall Success 70 0",
        ],
    );
}

#[test]
fn the_next_owner_of_what_it_shares_is_told_and_what_is_its_own_is_free() {
    let mut draft = two(2, 100);
    let shared = draft.binary();
    let own = draft.word(1, memory(1).address + 16);
    let units = draft.semaphore(1 << 1, SemaphoreKind::Counting { initial: 1, most: 3 });
    let script = [
        take(shared),
        take(own),
        take_for(units, Poll),
        sleep_until(5),
        take(shared),
        At(5),
        Fault(FaultKind::Data),
        // nobody has it any more
        take_for(own, Poll),
        take_for(units, Poll),
        take_for(units, Poll),
        sleep_until(20),
        give(shared),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "5 switch 2 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 fault 0: access to memory that isn't its own",
            "5 renewal of 1: 1 0 1",
            "5 switch 0 to 0",
            "5 returns to 0: SemaphoreWait Success",
            "5 returns to 0: SemaphoreWait Success",
            "5 returns to 0: SemaphoreWait WouldBlock",
            "5 switch 0 to 1",
            "5 returns to 1: SemaphoreWait OwnerDied",
            "5 returns to 1: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn messages_and_events_of_others_stay_and_its_own_are_gone() {
    let mut draft = two(2, 100);
    let (shared, own) = (draft.mailbox(8, 2), draft.mailbox(8, 2));
    draft.only_for(own, 1);
    let (group, own_group) = (draft.event_group(), draft.event_group());
    draft.group_only_for(own_group, 1);
    let script = [
        send(shared, [1, 2], Forever),
        send(own, [3, 4], Forever),
        set_group(group, 1),
        set_group(own_group, 1),
        Fault(FaultKind::Data),
        receive(shared, 0, Poll),
        receive(own, 0, Poll),
        await_group(group, 1, 0, Poll),
        await_group(own_group, 1, 0, Poll),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: MailboxSend Success",
            "0 returns to 0: EventGroupSet Success",
            "0 returns to 0: EventGroupSet Success",
            "0 fault 0: access to memory that isn't its own",
            "0 renewal of 1: 1 0 1",
            "0 switch 0 to 0",
            "0 returns to 0: MailboxReceive Success 1 2",
            "0 returns to 0: MailboxReceive WouldBlock",
            "0 returns to 0: EventGroupWait Success 1",
            "0 returns to 0: EventGroupWait WouldBlock",
        ],
    );
}

#[test]
fn notifications_are_gone_and_lines_may_come_again() {
    let mut draft = two(2, 100);
    let notification = draft.notification(ThreadId(0), 2);
    let line = draft.interrupt(5, ThreadId(0), 1);
    let script = [
        await_interrupt(line, 1, Forever),
        At(3),
        // masked until it is acknowledged, which it won't be
        Interrupt(5),
        notify(notification, 2),
        Fault(FaultKind::Data),
        await_bits(3, Poll),
        await_interrupt(line, 1, Forever),
        At(6),
        Interrupt(5),
    ];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 unmask 5",
            "0 switch 2 to 0",
            "0 unmask 5",
            "0 switch 0 to 1",
            "3 mask 5",
            "3 result of 0: 0x1 0x0",
            "3 switch 1 to 0",
            "3 fault 0: access to memory that isn't its own",
            "3 restart 0",
            "3 renewal of 1: 1 0 1",
            "3 back: the memory of 1",
            "3 unmask 5",
            "3 switch 0 to 0",
            "3 status of 0: 0xfffffffc",
            "3 unmask 5",
            "3 switch 0 to 1",
            "6 mask 5",
            "6 result of 0: 0x1 0x0",
            "6 switch 1 to 0",
        ],
    );
}

#[test]
fn who_lent_it_a_place_has_it_back() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    draft.free(2, 0, 9);
    draft.free(1, 0, 1);
    draft.restart(1, 2, 100);
    let lock = draft.binary();
    let script = [
        sleep_until(5),
        take(lock),
        At(5),
        take(lock),
        // 1 has the place of 0
        Fault(FaultKind::Data),
        // 0 owns it; 1 begins anew and waits in its own place
        sleep_until(10),
        take_for(lock, AtMost(100)),
        At(10),
        give(lock),
        Call(Stop),
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
            "5 fault 1: access to memory that isn't its own",
            "5 renewal of 1: 1 0 1",
            "5 switch 1 to 0",
            "5 returns to 0: SemaphoreWait OwnerDied",
            "5 switch 0 to 1",
            "5 switch 1 to 2",
            "10 switch 2 to 0",
            "10 returns to 0: SleepUntil Success",
            "10 returns to 0: SemaphoreSignal Success",
            "10 switch 0 to 1",
            "10 returns to 1: SemaphoreWait Success",
        ],
    );
}
