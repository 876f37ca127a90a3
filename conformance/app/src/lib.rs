//! The code of the conformance suite's systems: each shows one mechanism, on every host of the kernel alike.
//!
//! A file is a system; its `beryl.toml` names these functions. Time is used with [`work`], which takes as long on a board as in
//! the simulator, so that all events come in one order on both.
#![no_std]
#![forbid(unsafe_code)]

mod bands;
mod ceiling;
mod endpoint;
mod faults;
mod inheritance;
mod late;
mod mailbox;
mod program;
mod timeouts;
mod work;

pub use bands::{four, half, one, third, three, two};
pub use ceiling::{holder, outsider, user};
pub use endpoint::{asker, eager, passer, server};
pub use faults::{caller, dying_owner, dying_server, heir, steady};
pub use inheritance::{consumer, low, middle, producer, top};
pub use late::{burdened, patient, strict};
pub use mailbox::{burst, impatient, reader, taker};
pub use program::{
    follow_impl, heavy_impl, is_seventh, lead_impl, read_count, read_in_vain, read_slowly, show, stumble_impl,
};
pub use timeouts::{notifier, sleeper, waiter, waits_for_any};
pub use work::{MICROSECOND, work};
