//! Clients of endpoints that don't wait any longer: queued, served, or not at all.

use beryl_abi::CallNumber::{WaitPeriod, Yield};
use beryl_abi::{EndpointId, FaultKind, SemaphoreId};

use crate::assert_story;
use crate::host::Do::{Alarm, At, Call, Fault, Late};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{await_request, call, call_for, call_then, give, reply, sleep_until, take, take_for};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::story;

/// Two clients, 0 and 1, the first the more urgent; their server 2, the least urgent; a lock of all of them.
fn shop() -> (Draft<Small>, EndpointId, SemaphoreId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7]);
    let server = draft.free(1, 0, 1);
    draft.stop_only_the_thread(0);
    let endpoint = draft.endpoint(server, 8, 8);
    let lock = draft.binary();
    (draft, endpoint, lock)
}

#[test]
fn a_server_whose_client_gives_up_goes_on_in_its_own_place_and_replies_to_nobody() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        sleep_until(6),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        // the server runs in the place of 0: 1 has to wait
        At(6),
        At(7),
        sleep_until(20),
        // 1 comes first now
        Call(Yield),
        sleep_until(9),
        reply(endpoint, [5, 5]),
        At(9),
        call(endpoint, [2, 0]),
        reply(endpoint, [6, 6]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "7 switch 2 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 switch 0 to 1",
            "7 returns to 1: SleepUntil Success",
            "7 returns to 1: Yield Success",
            "7 switch 1 to 2",
            "7 switch 2 to 3",
            "9 switch 3 to 1",
            "9 returns to 1: SleepUntil Success",
            "9 switch 1 to 2",
            "9 returns to 2: EndpointReply Success 2 0",
            "9 switch 2 to 1",
            "9 returns to 1: EndpointCall Success 6 6",
        ],
    );
}

#[test]
fn who_gives_up_in_the_queue_is_never_served() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        call(endpoint, [2, 0]),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        At(7),
        sleep_until(20),
        reply(endpoint, [5, 5]),
        Call(Yield),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: EndpointReceive Success 2 0",
            "3 switch 2 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "7 switch 2 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 switch 0 to 2",
            "7 switch 2 to 1",
            "7 returns to 1: EndpointCall Success 5 5",
            "7 returns to 1: Yield Success",
        ],
    );
}

#[test]
fn a_place_that_is_parked_at_a_sleeping_server_comes_back() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        sleep_until(4),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        sleep_until(15),
        At(4),
        call_for(endpoint, [2, 0], AtMost(6)),
        At(7),
        Call(Yield),
        sleep_until(30),
        At(10),
        Call(Yield),
        sleep_until(30),
        At(15),
        reply(endpoint, [5, 5]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "3 switch 2 to 3",
            "4 switch 3 to 1",
            "4 returns to 1: SleepUntil Success",
            "4 switch 1 to 3",
            "7 switch 3 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 returns to 0: Yield Success",
            "7 switch 0 to 3",
            "10 switch 3 to 1",
            "10 returns to 1: EndpointCall TimedOut",
            "10 returns to 1: Yield Success",
            "10 switch 1 to 3",
            "15 switch 3 to 2",
            "15 returns to 2: SleepUntil Success",
            "15 switch 2 to 3",
        ],
    );
}

#[test]
fn what_was_promised_to_who_gives_up_is_given_up() {
    let (draft, endpoint, lock) = shop();
    let script = [
        sleep_until(3),
        sleep_until(9),
        await_request(endpoint, 0, Forever),
        At(3),
        call_then(endpoint, [1, 0], lock, AtMost(4)),
        At(7),
        // 0 doesn't own it
        give(lock),
        sleep_until(20),
        take(lock),
        reply(endpoint, [0, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "7 switch 2 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 returns to 0: SemaphoreSignal NotOwner",
            "7 switch 0 to 2",
            "7 returns to 2: SemaphoreWait Success",
            "7 switch 2 to 3",
        ],
    );
}

#[test]
fn who_polls_asks_only_a_server_that_waits() {
    let (draft, endpoint, _) = shop();
    let script = [
        call_for(endpoint, [1, 0], Poll),
        sleep_until(3),
        sleep_until(9),
        await_request(endpoint, 0, Forever),
        At(3),
        // it waits for the reply as long as that takes
        call_for(endpoint, [2, 0], Poll),
        At(9),
        sleep_until(12),
        At(12),
        At(2000),
        reply(endpoint, [3, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: EndpointCall WouldBlock",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 2 0",
            "9 switch 2 to 1",
            "9 returns to 1: SleepUntil Success",
            "12 switch 1 to 2",
            "12 returns to 2: SleepUntil Success",
            "2000 switch 2 to 0",
            "2000 returns to 0: EndpointCall Success 3 0",
        ],
    );
}

#[test]
fn a_wait_that_was_answered_in_time_ends_no_later_one() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        sleep_until(90),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        reply(endpoint, [2, 0]),
        call(endpoint, [3, 0]),
        At(40),
        reply(endpoint, [4, 0]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "3 switch 2 to 0",
            "3 returns to 0: EndpointCall Success 2 0",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReply Success 3 0",
            "40 switch 2 to 0",
            "40 returns to 0: EndpointCall Success 4 0",
        ],
    );
}

#[test]
fn a_server_that_stops_after_its_client_gave_up_leaves_it_alone() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        sleep_until(90),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        At(7),
        sleep_until(20),
        Fault(FaultKind::Data),
        At(20),
        call_for(endpoint, [1, 0], AtMost(4)),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "3 switch 3 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReceive Success 1 0",
            "7 switch 2 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 switch 0 to 2",
            "7 fault 2: access to memory that isn't its own",
            "7 switch 2 to 3",
            "20 switch 3 to 0",
            "20 returns to 0: SleepUntil Success",
            "20 returns to 0: EndpointCall PeerDied",
        ],
    );
}

/// 0 is left with a timer that was set to 5, and is released at 12; 1 has waited long enough at 10. The alarm
/// comes late.
#[test]
fn a_timer_that_is_left_over_wakes_nobody_before_its_turn() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.periodic(0, 0, 5, 12);
    draft.all_free(&[5, 1]);
    let [early, never] = [(); 2].map(|()| draft.counting(0, 1));
    let script = [
        take_for(never, AtMost(10)),
        take_for(early, AtMost(5)),
        At(2),
        give(early),
        Call(WaitPeriod),
        Late(20),
        Alarm,
        Call(Yield),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 12",
            "0 switch 3 to 1",
            "0 switch 1 to 0",
            "0 switch 0 to 2",
            "2 switch 2 to 0",
            "2 returns to 0: SemaphoreWait Success",
            "2 complete 0",
            "2 switch 0 to 2",
            "2 returns to 2: SemaphoreSignal Success",
            "20 release 0 at 12 by 24",
            "20 switch 2 to 1",
            "20 returns to 1: SemaphoreWait TimedOut",
            "20 switch 1 to 0",
            "20 returns to 0: WaitPeriod Success 0",
        ],
    );
}

/// 0 waits in the queue while 1 is served, is served itself, and gives up then.
#[test]
fn who_was_queued_may_still_give_up_when_it_is_served() {
    let (draft, endpoint, _) = shop();
    let script = [
        sleep_until(3),
        call(endpoint, [2, 0]),
        await_request(endpoint, 0, Forever),
        At(3),
        call_for(endpoint, [1, 0], AtMost(4)),
        reply(endpoint, [5, 5]),
        At(7),
        sleep_until(20),
        sleep_until(20),
        reply(endpoint, [6, 6]),
        At(20),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: EndpointReceive Success 2 0",
            "3 switch 2 to 0",
            "3 returns to 0: SleepUntil Success",
            "3 switch 0 to 2",
            "3 returns to 2: EndpointReply Success 1 0",
            "7 switch 2 to 0",
            "7 returns to 0: EndpointCall TimedOut",
            "7 switch 0 to 1",
            "7 returns to 1: EndpointCall Success 5 5",
            "7 switch 1 to 2",
            "7 switch 2 to 3",
            "20 switch 3 to 0",
            "20 returns to 0: SleepUntil Success",
        ],
    );
}
