//! Endpoints: a call, the server's run, the reply; 8 bytes each way.

use bench_board::{made, used};
use beryl_user::endpoint::{Client, Server};
use beryl_user::time::{Duration, Wait};

use crate::failed;
use crate::objects::repeat;

/// In ticks: neither a reply nor all that are measured take so long. An alarm stays set where the wait for which it was set
/// is over, and a sample that it came into would be 270 instructions longer.
const LIMIT: Duration = Duration::from_ticks(250_000_000);

/// Thread: asks a server of its own process.
#[inline(always)]
pub fn ask(mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    await_server(&mut store);
    repeat("endpoint/round-trip/same", || round_trip(&mut store, Wait::Forever))
}

/// Thread: asks a server of another process.
#[inline(always)]
pub fn ask_across(mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    await_server(&mut store);
    repeat("endpoint/round-trip/across", || round_trip(&mut store, Wait::Forever))
}

/// Thread: the same with a limit that doesn't come. It is measured last, since alarms are set from then on.
#[inline(always)]
pub fn ask_in_time(mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    repeat("endpoint/round-trip/within", || round_trip(&mut store, Wait::AtMost(LIMIT)))
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
fn round_trip(store: &mut Client<[i32; 2], [i32; 2]>, wait: Wait) {
    match store.call_for(&[made(), made()], wait) {
        Ok([first, second]) => {
            used(first);
            used(second);
        }
        Err(_) => failed(),
    }
}
