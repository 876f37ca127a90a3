//! The link: programs come over the console, from whoever has the key.

use beryl_loader::{Piece, PublicKey};
use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::slot::Slot;
use beryl_user::time::{Duration, microseconds};

/// Whose programs are believed. The other half of this key lies beside it, for everybody to try; a board that
/// leaves the house gets one of its own.
const KEY: PublicKey = PublicKey::included(include_str!("../link.pub"));
/// Bytes of the longest program: those of the slot.
const ROOM: usize = 1024;

/// A byte in 150 us is what the flight can spare the processor for; the line has 260 us for one.
const GAP: Duration = microseconds(150);

/// Fetches what comes from the console.
pub fn receiver(heard: Interrupt, line: Sender<Piece>) -> ! {
    beryl_loader::receive(heard, line, GAP)
}

/// Takes programs, and hands those with a signature to the kernel.
pub fn loader(slot: Slot, line: Receiver<Piece>, sent: Interrupt) -> ! {
    beryl_loader::load::<ROOM>(KEY, slot, line, sent)
}
