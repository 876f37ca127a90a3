//! The board's end of the link as two threads of one process.
//!
//! [`receive`] is the server of the console's receiver: urgent, since the device holds one byte. [`load`] is
//! the loader: as little urgent as there is, since a signature takes it two million instructions. Between
//! them is a mailbox of a few [`Piece`]s. An application names both as entries of threads, with its key:
//!
//! ```text
//! const KEY: PublicKey = PublicKey::included(include_str!("../../link.pub"));
//!
//! pub fn loader(slot: Slot, line: Receiver<Piece>, sent: Interrupt) -> ! {
//!     beryl_loader::load::<1024>(KEY, slot, line, sent)
//! }
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod piece;
mod server;
mod thread;

pub use beryl_link::PublicKey;
pub use piece::Piece;
pub use server::receive;
pub use thread::load;
