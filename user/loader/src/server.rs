//! The server of the console's receiver.

use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::Sender;
use beryl_user::time::{Duration, now, sleep_until};
use beryl_user::{call, console};

use crate::piece::{Filling, Piece};

/// Fetches bytes as they come, and passes them on. While the mailbox is full it waits, and what comes meanwhile is
/// lost in the device: whoever sent it sends it again.
///
/// It takes a byte in `gap` at most, so that a line that never stops talking costs the others a part of the processor
/// that is known: what a byte costs, by `gap`. A byte must take longer than that on the line.
pub fn receive(mut received: Interrupt, mut line: Sender<Piece>, gap: Duration) -> ! {
    let mut filling = Filling::default();
    console::listen();
    while received.wait().is_ok() {
        let next = now().after(gap);
        let piece = console::receive().and_then(|byte| filling.add(byte));
        let is_sent = piece.is_none_or(|piece| line.send(&piece).is_ok());
        if !is_sent || sleep_until(next).is_err() {
            call::stop();
        }
    }
    call::stop()
}
