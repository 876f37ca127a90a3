//! Endpoints: a server runs in its client's place, and either side may die.

use beryl_abi::CallNumber::{Stop, Yield};
use beryl_abi::{EndpointId, FaultKind, Line, ThreadId};
use beryl_kernel::{Event, Switch, System};

use crate::assert_story;
use crate::host::Do::{At, Call, Fault, Interrupt, Write};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_bits, await_request, call, event, give, notify, reply, sleep_until, take};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::objects::memory;
use crate::host::{Rig, play, story};

/// Clients 0 (the most urgent), 1 and 2 of process 0, and 3, their server, of process 1, the least
/// urgent of all.
fn shop() -> (System<Small>, EndpointId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 5]);
    let server = draft.free(1, 0, 1);
    draft.stop_only_the_thread(0);
    let endpoint = draft.endpoint(server, 8, 8);
    (draft.finish().0, endpoint)
}

#[test]
fn a_server_runs_at_its_callers_urgency() {
    let (system, endpoint) = shop();
    let script = [
        sleep_until(3),
        sleep_until(5),
        sleep_until(9),
        await_request(endpoint, 0, Forever),
        At(3),
        call(endpoint, [4, 5]),
        // 1 wakes, and the server goes on: it is 0 that waits
        At(5),
        reply(endpoint, [6, 7]),
        sleep_until(20),
        // the server waits: nobody is served, and 1 runs
        Call(Yield),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 switch 3 to 4",
            "3 switch 4 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 3",
            "3 returns to 3: EndpointReceive Success 4 5",
            "5 switch 3 to 0",
            "5 returns to 0: EndpointCall Success 6 7",
            "5 switch 0 to 1",
            "5 returns to 1: SleepUntil Success",
            "5 returns to 1: Yield Success",
        ],
    );
}

#[test]
fn callers_are_served_by_urgency_and_one_reply_brings_the_next() {
    let (system, endpoint) = shop();
    let script = [
        sleep_until(3),
        sleep_until(2),
        call(endpoint, [3, 0]),
        // nobody has been served yet; the server runs for 2
        await_request(endpoint, 0, Forever),
        At(2),
        call(endpoint, [2, 0]),
        At(3),
        call(endpoint, [1, 0]),
        reply(endpoint, [30, 0]),
        // 0 goes first, although 1 came first
        reply(endpoint, [10, 0]),
        sleep_until(50),
        reply(endpoint, [20, 0]),
        sleep_until(50),
    ];
    assert_story(
        &story(&system, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 returns to 3: EndpointReceive Success 3 0",
            "2 switch 3 to 1",
            "2 returns to 1: SleepUntil Success",
            "2 switch 1 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 3",
            // the next request comes with the reply: no switch
            "3 returns to 3: EndpointReply Success 1 0",
            "3 switch 3 to 0",
            "3 returns to 0: EndpointCall Success 10 0",
            "3 switch 0 to 3",
            "3 returns to 3: EndpointReply Success 2 0",
            "3 switch 3 to 1",
            "3 returns to 1: EndpointCall Success 20 0",
            "3 switch 1 to 2",
            "3 returns to 2: EndpointCall Success 30 0",
        ],
    );
}

#[test]
fn a_server_that_waits_for_a_lock_passes_the_urgency_on() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 3, 1]);
    let endpoint = draft.endpoint(ThreadId(2), 4, 4);
    let lock = draft.binary();
    let script = [
        sleep_until(3),
        sleep_until(5),
        await_request(endpoint, 0, Forever),
        take(lock),
        At(3),
        call(endpoint, [1, 0]),
        // the server wants what 3 holds: 3 runs for 0, and 1 waits
        take(lock),
        At(5),
        give(lock),
        give(lock),
        reply(endpoint, [2, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 returns to 3: SemaphoreWait Success",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "3 switch 2 to 3",
            "5 switch 3 to 2",
            "5 returns to 2: SemaphoreWait Success",
            "5 returns to 2: SemaphoreSignal Success",
            "5 switch 2 to 0",
            "5 returns to 0: EndpointCall Success 2 0",
        ],
    );
}

#[test]
fn a_server_that_sleeps_while_it_serves_is_urgent_when_it_wakes() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 3]);
    let endpoint = draft.endpoint(ThreadId(2), 4, 4);
    draft.interrupt(10, ThreadId(2), 1);
    let script = [
        sleep_until(3),
        sleep_until(5),
        await_request(endpoint, 0, Forever),
        At(3),
        call(endpoint, [1, 0]),
        await_bits(1, Forever),
        At(5),
        // 1 runs until the server's device answers
        Interrupt(10),
        reply(endpoint, [2, 0]),
    ];
    let story = story(&draft.finish().0, &script);
    assert_story(
        &story[6..],
        &[
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "3 switch 2 to 3",
            "5 switch 3 to 1",
            "5 returns to 1: SleepUntil Success",
            "5 switch 1 to 2",
            "5 returns to 2: NotificationWait Success 1",
            "5 switch 2 to 0",
            "5 returns to 0: EndpointCall Success 2 0",
        ],
    );
}

#[test]
fn clients_of_a_dead_server_learn_it_and_so_do_later_ones() {
    for end in [Call(Stop), Fault(FaultKind::Data)] {
        let (system, endpoint) = shop();
        let script = [
            sleep_until(4),
            sleep_until(3),
            call(endpoint, [3, 0]),
            await_request(endpoint, 0, Forever),
            At(3),
            call(endpoint, [2, 0]),
            // one client is served, another one waits
            end,
            sleep_until(9),
            sleep_until(9),
            At(4),
            call(endpoint, [1, 0]),
        ];
        let story = story(&system, &script);
        let of_clients: Vec<_> = story.into_iter().filter(|line| line.contains("EndpointCall")).collect();
        assert_story(
            &of_clients,
            &[
                "3 returns to 1: EndpointCall PeerDied",
                "3 returns to 2: EndpointCall PeerDied",
                "4 returns to 0: EndpointCall PeerDied",
            ],
        );
    }
}

#[test]
fn a_reply_to_a_dead_client_is_dropped_and_the_server_works_on_in_its_own_place() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    // 0 serves; 1 and 2 are of one process, and 2 will take 1 along
    let server = draft.free(1, 0, 3);
    draft.free(2, 0, 5);
    draft.free(2, 0, 4);
    draft.free(0, 0, 1);
    let endpoint = draft.endpoint(server, 4, 4);
    let script = [
        sleep_until(1),
        sleep_until(2),
        await_request(endpoint, 0, Forever),
        At(1),
        call(endpoint, [1, 0]),
        // the server sleeps: 2 runs and faults; 1 is gone, too
        sleep_until(5),
        At(2),
        Fault(FaultKind::Data),
        At(5),
        reply(endpoint, [9, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 0",
            "0 switch 0 to 3",
            "1 switch 3 to 1",
            "1 returns to 1: SleepUntil Success",
            "1 switch 1 to 0",
            "1 returns to 0: EndpointReceive Success 1 0",
            "1 switch 0 to 3",
            "2 switch 3 to 2",
            "2 returns to 2: SleepUntil Success",
            "2 fault 2: access to memory that isn't its own",
            "2 switch 2 to 3",
            "5 switch 3 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 3",
        ],
    );
}

#[test]
fn receive_and_reply_have_their_order() {
    let (system, endpoint) = shop();
    let script = [
        sleep_until(1),
        sleep_until(90),
        sleep_until(90),
        reply(endpoint, [0, 0]),
        await_request(endpoint, 0, Poll),
        await_request(endpoint, 0, AtMost(1)),
        At(1),
        call(endpoint, [1, 0]),
        await_request(endpoint, 0, Poll),
        call(endpoint, [2, 0]),
    ];
    let story = story(&system, &script);
    let of_endpoint: Vec<_> = story.into_iter().filter(|line| line.contains("Endpoint")).collect();
    assert_story(
        &of_endpoint,
        &[
            "0 returns to 3: EndpointReply NotServing",
            "0 returns to 3: EndpointReceive WouldBlock",
            // the server's time is up at 1, when 0 wakes and calls: it may poll then
            "1 returns to 3: EndpointReceive TimedOut",
            "1 returns to 3: EndpointReceive Success 1 0",
            // who calls itself waits forever
            "1 returns to 3: EndpointCall Deadlock",
        ],
    );
}

#[test]
fn long_requests_and_replies_go_from_memory_to_memory() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let server = draft.free(1, 0, 1);
    let endpoint = draft.endpoint(server, 12, 4);
    let [client_at, server_at] = [memory(0).address, memory(1).address];
    let script = [
        sleep_until(1),
        await_request(endpoint, server_at, Forever),
        At(1),
        Write(client_at + 8, 33),
        call(endpoint, [client_at, client_at + 0x40]),
        Write(server_at + 0x20, 44),
        reply(endpoint, [server_at + 0x20, server_at]),
    ];
    let mut rig = play(&draft.finish().0, &script);
    assert_eq!(rig.host().word(server_at + 8), 33);
    assert_eq!(rig.host().word(client_at + 0x40), 44);
    assert_eq!(rig.state().running(), ThreadId(0));
}

/// The server 0 is more urgent than its client 1. It sleeps while it serves, and 3 wakes it: it is as urgent
/// as 1 still, so that 2, which is between them, comes first.
#[test]
fn a_server_that_is_notified_while_it_serves_wakes_in_its_clients_place() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 7, 1]);
    let bits = draft.notification(ThreadId(0), 1);
    let endpoint = draft.endpoint(ThreadId(0), 8, 8);
    let script = [
        await_request(endpoint, 0, Forever),
        sleep_until(10),
        call(endpoint, [1, 0]),
        await_bits(1, Forever),
        notify(bits, 1),
        At(10),
        sleep_until(20),
        reply(endpoint, [2, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 2",
            "0 switch 2 to 1",
            "0 switch 1 to 0",
            "0 returns to 0: EndpointReceive Success 1 0",
            "0 switch 0 to 3",
            "0 switch 3 to 0",
            "0 returns to 0: NotificationWait Success 1",
            "10 switch 0 to 2",
            "10 returns to 2: SleepUntil Success",
            "10 switch 2 to 0",
            "10 switch 0 to 1",
            "10 returns to 1: EndpointCall Success 2 0",
        ],
    );
}

/// The same, but 2, which an interrupt wakes while the server is on its way to sleep, runs before anybody
/// asks where the place of the client leads. So no place is parked at the server when 2 wakes it; it isn't
/// more urgent than 2 for that.
#[test]
fn a_server_at_which_no_place_is_parked_wakes_in_its_clients_place_too() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5, 7]);
    let bits = draft.notification(ThreadId(0), 1);
    draft.interrupt(10, ThreadId(2), 2);
    let endpoint = draft.endpoint(ThreadId(0), 8, 8);
    let script = [await_request(endpoint, 0, Forever), await_bits(2, Forever), call(endpoint, [1, 0])];
    let mut rig = play(&draft.finish().0, &script);
    assert_eq!(rig.state().running(), ThreadId(0));
    let mut heard = rig.clone();
    heard.kernel.state.set_tracing(false);
    for rig in [&mut rig, &mut heard] {
        assert_eq!(rig.kernel.handle(event(await_bits(1, Forever))), Switch::Again);
        assert_eq!(rig.kernel.handle(Event::Interrupt(Line(10))), Switch::Again);
        assert_eq!(to_the_end(rig), Switch::To(ThreadId(2)));
        let answer = rig.kernel.handle(event(notify(bits, 1)));
        let answer = if answer == Switch::Again { to_the_end(rig) } else { answer };
        assert_eq!((answer, rig.state().running()), (Switch::Stay, ThreadId(2)));
    }
}

/// The steps that are left, as long as nothing comes in between.
fn to_the_end(rig: &mut Rig<Small>) -> Switch {
    // bound: more steps than any of these has
    (0..100)
        .map(|_| rig.kernel.handle(Event::Continue))
        .find(|answer| *answer != Switch::Again)
        .expect("an end")
}
