//! Endpoints: the server runs at its clients' urgency, and death is told to the other side.

use beryl_abi::{EndpointId, ThreadId};
use beryl_kernel::Endpoint;
use beryl_user::endpoint::{Client, Server};

use crate::scenario::{ALL, Scenario, elsewhere, end, free, note, sleep_until, spend};

/// Requests of one word, replies of nine: one by registers, one through memory.
type Reply = [i32; 9];

fn client() -> Client<i32, Reply> {
    // SAFETY: the first endpoint has these types.
    unsafe { Client::new(EndpointId(0)) }
}

fn server() -> Server<i32, Reply> {
    // SAFETY: as in `client`; only the first thread calls it.
    unsafe { Server::new(EndpointId(0)) }
}

fn scenario(entry: extern "C" fn() -> !) -> Scenario {
    let row = Endpoint { callers: ALL, server: ThreadId(0), request: 4, reply: 36 };
    Scenario::new().thread(free(1), entry).with(|system| system.endpoints[0] = row)
}

extern "C" fn doubling() -> ! {
    server().serve(|request| {
        note(&format!("serves {request}"));
        spend(20);
        std::array::from_fn(|_| request * 2)
    })
}

fn ask(number: i32) -> ! {
    note(&format!("asks {number}"));
    let reply = client().call(&number);
    end(&format!("{number} gets {:?}", reply.map(|reply| reply[8])))
}

extern "C" fn low() -> ! {
    ask(1)
}

extern "C" fn high() -> ! {
    sleep_until(8);
    ask(2)
}

extern "C" fn medium() -> ! {
    sleep_until(5);
    note("medium");
    spend(10);
    end("medium ends")
}

#[test]
fn the_server_runs_at_the_urgency_of_its_clients() {
    let scenario = scenario(doubling)
        .thread(elsewhere(free(2)), low)
        .thread(elsewhere(free(3)), medium)
        .thread(elsewhere(free(4)), high);
    let expected = [
        "0 asks 1",
        "0 serves 1",
        "5 medium",
        "8 asks 2",
        "23 serves 2", // the first request, then the second, at the urgency of the second client
        "43 2 gets Ok(4)",
        "50 medium ends",
        "50 1 gets Ok(2)",
    ];
    assert_eq!(scenario.notes(200), expected);
}

extern "C" fn dying() -> ! {
    server().serve(|request| {
        spend(6);
        if request == 1 { end("server stops") } else { [0; 9] }
    })
}

extern "C" fn late() -> ! {
    sleep_until(10);
    ask(3)
}

#[test]
fn a_dead_server_is_told_to_who_asks_and_to_who_asks_later() {
    let scenario = scenario(dying).thread(free(2), low).thread(free(4), late);
    let expected =
        ["0 asks 1", "6 server stops", "6 1 gets Err(PeerDied)", "10 asks 3", "10 3 gets Err(PeerDied)"];
    assert_eq!(scenario.notes(100), expected);
}
