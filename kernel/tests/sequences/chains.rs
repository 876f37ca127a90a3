//! Chains: whom a place leads to through several locks, as many as there are.

use crate::assert_story;
use crate::host::Do::At;
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_request, call, give, reply, sleep_until, take};
use crate::host::draft::{Draft, Queue, Swapping};
use crate::host::story;
use crate::semaphores::falling;

/// 1 and 3 wait for c, 1 the more urgent by itself; but the most urgent place, that of 0, leads to c through 2 and 3.
#[test]
fn a_lock_goes_to_whom_the_most_urgent_place_leads_however_long_the_chain() {
    let mut draft = falling(5);
    let [a, b, c] = [(); 3].map(|()| draft.binary());
    let script = [
        sleep_until(30),
        sleep_until(25),
        sleep_until(20),
        sleep_until(10),
        take(c),
        At(10),
        take(b),
        take(c),
        At(20),
        take(a),
        take(b),
        At(25),
        take(c),
        At(30),
        take(a),
        give(c),
    ];
    let story = story(&draft.finish().0, &script);
    assert_story(
        &story[story.len() - 5..],
        &[
            "30 switch 4 to 0",
            "30 returns to 0: SleepUntil Success",
            "30 switch 0 to 4",
            "30 switch 4 to 3",
            "30 returns to 3: SemaphoreWait Success",
        ],
    );
}

/// One semaphore and one endpoint, and a chain through both: 0 waits for what 2 owns, 2 for the server 3.
#[test]
fn a_chain_may_go_through_all_locks_that_there_are() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7, 5]);
    let server = draft.free(0, 0, 1);
    let endpoint = draft.endpoint(server, 8, 8);
    let lock = draft.binary();
    let script = [
        sleep_until(30),
        sleep_until(40),
        sleep_until(20),
        await_request(endpoint, 0, Forever),
        At(20),
        take(lock),
        call(endpoint, [1, 0]),
        At(30),
        take(lock),
        // 1 wakes, and doesn't run
        At(40),
        reply(endpoint, [2, 0]),
        give(lock),
    ];
    let story = story(&draft.finish().0, &script);
    assert_story(
        &story[story.len() - 7..],
        &[
            "30 switch 3 to 0",
            "30 returns to 0: SleepUntil Success",
            "30 switch 0 to 3",
            "40 switch 3 to 2",
            "40 returns to 2: EndpointCall Success 2 0",
            "40 switch 2 to 0",
            "40 returns to 0: SemaphoreWait Success",
        ],
    );
}

/// The same two: 1 and the server 2 wait for what 3 owns, and 0, the most urgent, for the server.
#[test]
fn a_lock_goes_to_the_server_of_the_most_urgent_client() {
    let mut draft = Draft::<Swapping>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 7]);
    let server = draft.free(0, 0, 3);
    draft.free(0, 0, 1);
    let endpoint = draft.endpoint(server, 8, 8);
    let lock = draft.binary();
    let script = [
        sleep_until(30),
        sleep_until(20),
        await_request(endpoint, 0, Forever),
        take(lock),
        At(20),
        take(lock),
        At(30),
        call(endpoint, [1, 0]),
        take(lock),
        give(lock),
    ];
    let story = story(&draft.finish().0, &script);
    assert_story(
        &story[story.len() - 6..],
        &[
            "30 returns to 0: SleepUntil Success",
            "30 switch 0 to 2",
            "30 returns to 2: EndpointReceive Success 1 0",
            "30 switch 2 to 3",
            "30 switch 3 to 2",
            "30 returns to 2: SemaphoreWait Success",
        ],
    );
}
