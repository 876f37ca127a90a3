//! Endpoints: a call, the server's run, the reply; 8 bytes each way.

use bench_board::{made, used};
use beryl_user::endpoint::{Client, Server};

use crate::{failed, repeat};

/// Thread: asks a server of its own process.
#[inline(always)]
pub fn ask(mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    await_server(&mut store);
    repeat("endpoint/round-trip/same", || round_trip(&mut store))
}

/// Thread: asks a server of another process.
#[inline(always)]
pub fn ask_across(mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    await_server(&mut store);
    repeat("endpoint/round-trip/across", || round_trip(&mut store))
}

/// Thread: answers what it was asked.
#[inline(always)]
pub fn serve(mut store: Server<[i32; 2], [i32; 2]>) -> ! {
    store.serve(|request| request)
}

/// Asks once: the server, which is less urgent, begins to serve only then.
fn await_server(store: &mut Client<[i32; 2], [i32; 2]>) {
    if store.call(&[0, 0]).is_err() {
        failed();
    }
}

#[inline(always)]
fn round_trip(store: &mut Client<[i32; 2], [i32; 2]>) {
    match store.call(&[made(), made()]) {
        Ok([first, second]) => {
            used(first);
            used(second);
        }
        Err(_) => failed(),
    }
}
