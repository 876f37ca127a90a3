//! The link by which a running system gets another program.
//!
//! Two ends speak over a line of bytes that may lose, change, repeat or invent any of them. The
//! [`Sender`] has a program and a key; the [`Loader`] has the public half of the key and the slot of a timing module.
//! Both are state machines without a clock, a device or memory of their own accord: bytes and the time go in, bytes
//! come out. So the same code runs on a board, in the tools, and in tests that cut the line anywhere.
//!
//! From the line upwards: [`frame`] finds whole frames, [`message`] says what they mean, [`order`] is what is
//! signed, [`loader`] and [`sender`] are the two ends, and [`slot`] is what the loader asks of the kernel.
//! [`tracing`] is what a traced board says on the same line. Nothing allocates.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod bytes;
pub mod frame;
pub mod key;
pub mod loader;
pub mod message;
pub mod order;
pub mod refusal;
pub mod sender;
pub mod slot;
pub mod tracing;

pub use frame::{Frame, Frames, Outgoing};
pub use key::PublicKey;
pub use loader::{Loader, Numbers, Pace, SinceReset};
pub use message::{Answer, Phase, Request, Standing, Welcome};
pub use order::{Challenge, Command, Identity, Order, SignedOrder};
pub use refusal::{Reason, Refusal};
pub use sender::{Outcome, Patience, Sender};
pub use slot::{Progress, Slot};
