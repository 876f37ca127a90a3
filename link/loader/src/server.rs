//! The server of the console's receiver.

use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::Sender;
use beryl_user::{call, console};

use crate::piece::{Filling, Piece};

/// Fetches bytes as they come, and passes them on. While the mailbox is full it waits, and what comes meanwhile is
/// lost in the device: whoever sent it sends it again.
pub fn receive(mut received: Interrupt, mut line: Sender<Piece>) -> ! {
    let mut filling = Filling::default();
    console::listen();
    while received.wait().is_ok() {
        while let Some(byte) = console::receive() {
            let is_sent = filling.add(byte).is_none_or(|piece| line.send(&piece).is_ok());
            if !is_sent {
                call::stop();
            }
        }
    }
    call::stop()
}
