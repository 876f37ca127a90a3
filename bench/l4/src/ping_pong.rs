//! Ping-pong (OSPERT 2007, section 4.2): a client calls a server that is more urgent, which answers and waits.

use beryl_abi::ThreadId;
use beryl_kernel::Rank;

use crate::NotReady;
use crate::counted::{Count, Counts};
use crate::ipc::Ipc;
use crate::rules::Rules;
use crate::scheduler::L4;
use crate::slices::Slice;

const SERVER: ThreadId = ThreadId(1);
const CLIENT: ThreadId = ThreadId(2);

/// The lengths of messages, in words.
pub const LENGTHS: [u8; 4] = [0, 4, 8, 16];
/// Round trips that are counted, of two messages each.
pub const TRIPS: u32 = 200;

/// The server waits, and the client runs.
///
/// # Errors
/// Never: somebody who only waits isn't refused.
pub fn ready<R: Rules, C: Count>() -> Result<L4<R, C>, NotReady> {
    let mut kernel = L4::new();
    kernel.start(SERVER, Rank::fixed(3), Slice::FOREVER);
    kernel.ipc(Ipc::wait())?;
    kernel.start(CLIENT, Rank::fixed(9), Slice::FOREVER);
    Ok(kernel)
}

/// What the client asks.
#[must_use]
pub const fn call(words: u8) -> Ipc {
    Ipc::call(SERVER).of(words)
}

/// What the server answers.
#[must_use]
pub const fn answer(words: u8) -> Ipc {
    Ipc::reply_wait(CLIENT).of(words)
}

/// What so many round trips do, without their start.
///
/// # Errors
/// Never: each waits for the other.
pub fn counts<R: Rules>(trips: u32) -> Result<Counts, NotReady> {
    let mut kernel = ready::<R, Counts>()?;
    kernel.counts = Counts::default();
    for _ in 0..trips {
        kernel.ipc(call(0))?;
        kernel.ipc(answer(0))?;
    }
    Ok(*kernel.counts())
}
