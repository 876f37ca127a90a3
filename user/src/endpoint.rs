//! Endpoints: a request to a server, and its reply.
//!
//! The server runs at the client's urgency while it serves it, and waiting clients are served in order of
//! urgency. A request costs one system call of the client and one of the server. Requests and replies of up
//! to 8 bytes travel in registers; if either is longer, up to 64, both are copied. Every not-a-number is sent
//! as the same one.

mod client;
mod server;

use core::mem::{ManuallyDrop, MaybeUninit, size_of};

pub use beryl_abi::EndpointId;

pub use client::Client;
pub use server::{Request, Server};

use crate::message::{self, Words};
use crate::port::Plain;

/// Whether requests and replies travel in registers.
const fn is_short<Q, R>() -> bool {
    message::is_short::<Q>() && message::is_short::<R>()
}

/// Room for a request or a reply; only one of them is in use at a time.
#[repr(C)]
pub(crate) union Room<Q, R> {
    request: ManuallyDrop<Words<Q>>,
    reply: ManuallyDrop<Words<R>>,
    empty: (),
}

impl<Q: Plain, R: Plain> Room<Q, R> {
    #[inline(always)]
    pub(crate) const fn new() -> Room<Q, R> {
        Room { empty: () }
    }

    #[inline(always)]
    pub(crate) fn request(&mut self) -> &mut Words<Q> {
        // SAFETY: this room is valid whatever it holds.
        unsafe { &mut self.request }
    }

    #[inline(always)]
    pub(crate) fn reply(&mut self) -> &mut Words<R> {
        // SAFETY: this room is valid whatever it holds.
        unsafe { &mut self.reply }
    }

    #[inline(always)]
    fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: all bytes of this room, which needn't be initialised.
        unsafe { core::slice::from_raw_parts_mut((&raw mut *self).cast(), size_of::<Room<Q, R>>()) }
    }
}
