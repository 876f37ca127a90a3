//! Messages and values of objects that functions in C know by values: from where C has them, and to where it wants them.
//!
//! Each is copied once. A short one is loaded into registers and stored from them; a longer one is moved by the kernel, from and
//! to its place. On its way it has a room here only where the kernel can't have it as it is: at no multiple of four, in no whole words, with
//! numbers that have more than one representation, or where the kernel refuses the place, as one beside the code.
//!
//! # Safety
//!
//! As in [`super::object`]. An object has messages of the type with which it is used, and its caller may use it: the glue has asked
//! [`found`](super::object::found). As many bytes are at each address.
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

use core::mem::size_of;
use core::slice;

use beryl_abi::{CallError, EndpointId, MailboxId};

use super::object::Object;
use super::{how_long, status};
use crate::endpoint::{Client, Room, Server};
use crate::mailbox::{Receiver, Sender};
use crate::message::{self, Words};
use crate::platform;
use crate::port::Plain;
use crate::state::{Reader, SlowReader, Writer};

/// A value from its bytes.
#[inline(always)]
unsafe fn taken<T: Plain>(at: *const u8) -> T {
    let mut words = Words::<T>::new();
    // SAFETY: so many bytes are there (above), and all words are set then.
    unsafe {
        words.take(at);
        words.value()
    }
}

/// The status of a call, whose value is left at an address.
#[inline(always)]
unsafe fn left<T: Plain>(came: Result<T, CallError>, to: *mut u8) -> u32 {
    status(came.map(|value| {
        // SAFETY: there is room for it (above).
        unsafe { message::leave(value, to) };
    }))
}

/// Whether a type's values are whole words, which are what the kernel moves.
#[inline(always)]
const fn is_whole_words<T>() -> bool {
    size_of::<T>().is_multiple_of(4)
}

/// The address of a message that the kernel may fetch as it is.
#[inline(always)]
fn outgoing<T: Plain>(at: *const u8) -> Option<u32> {
    let needs_no_look = const { T::IS_ITS_BYTES && is_whole_words::<T>() };
    if needs_no_look { platform::lendable(at.cast_mut()) } else { None }
}

/// The address of a place to which the kernel may bring a message.
#[inline(always)]
fn incoming<T: Plain>(at: *mut u8) -> Option<u32> {
    if const { is_whole_words::<T>() } { platform::lendable(at) } else { None }
}

/// Turns bytes that the kernel has brought into a value.
#[inline(always)]
unsafe fn admit<T: Plain>(at: *mut u8) {
    if !T::IS_ITS_BYTES {
        // SAFETY: so many bytes are there (above), which nobody else looks at meanwhile.
        T::admit(unsafe { slice::from_raw_parts_mut(at, size_of::<T>()) });
    }
}

/// Does something with messages in their places, and otherwise with copies: a place that the kernel refuses has changed nothing.
#[inline(always)]
fn in_place<A>(
    places: Option<A>,
    there: impl FnOnce(A) -> Result<(), CallError>,
    here: impl FnOnce() -> Result<(), CallError>,
) -> Result<(), CallError> {
    match places.map(there) {
        None | Some(Err(CallError::BadAddress)) => here(),
        Some(came) => came,
    }
}

/// Lends a room to the kernel.
#[inline(always)]
fn lent<T: Plain, R>(words: &mut Words<T>, body: impl FnOnce(u32) -> R) -> R {
    platform::with_buffer(message::bytes(words.words()), 4 * Words::<T>::COUNT, body)
}

/// Sends a message.
#[inline(always)]
pub unsafe fn send<T: Plain>(mailbox: &Object, at: *const u8, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    let sender = unsafe { Sender::<T>::new(MailboxId(mailbox.number)) };
    status(how_long(wait).word().and_then(|wait| {
        if message::is_short::<T>() {
            // SAFETY: as above.
            return sender.put(&unsafe { taken(at) }, wait);
        }
        in_place(
            outgoing::<T>(at),
            |address| sender.put_words(address, None, wait),
            || {
                let mut words = Words::<T>::new();
                // SAFETY: as above.
                unsafe { words.take(at) };
                lent(&mut words, |address| sender.put_words(address, None, wait))
            },
        )
    }))
}

/// Receives a message.
#[inline(always)]
pub unsafe fn receive<T: Plain>(mailbox: &Object, to: *mut u8, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    let receiver = unsafe { Receiver::<T>::new(MailboxId(mailbox.number)) };
    let limit = how_long(wait).word();
    if message::is_short::<T>() {
        // SAFETY: as above.
        return unsafe { left(limit.and_then(|wait| receiver.take_for(wait)), to) };
    }
    status(limit.and_then(|wait| {
        in_place(
            incoming::<T>(to),
            |address| {
                receiver.take_to(address, wait)?;
                // SAFETY: the kernel has put a whole message there.
                unsafe { admit::<T>(to) };
                Ok(())
            },
            || {
                let mut words = Words::<T>::new();
                lent(&mut words, |address| receiver.take_to(address, wait))?;
                // SAFETY: the kernel has put a whole message there.
                unsafe { words.leave(to) };
                Ok(())
            },
        )
    }))
}

/// Calls a server.
#[inline(always)]
pub unsafe fn ask<Q: Plain, R: Plain>(
    endpoint: &Object,
    request: *const u8,
    reply: *mut u8,
    wait: u32,
) -> u32 {
    // SAFETY: as the caller says.
    let mut client = unsafe { Client::<Q, R>::new(EndpointId(endpoint.number)) };
    if message::is_short::<Q>() && message::is_short::<R>() {
        // SAFETY: as above.
        return unsafe { left(client.question(&taken(request), wait), reply) };
    }
    status(in_place(
        outgoing::<Q>(request).zip(incoming::<R>(reply)),
        |(from, to)| {
            client.ask(from, to, wait)?;
            // SAFETY: the kernel has put a whole reply there.
            unsafe { admit::<R>(reply) };
            Ok(())
        },
        || {
            let mut room = Room::<Q, R>::new();
            // SAFETY: as above; and the kernel puts a whole reply into the room.
            unsafe {
                room.request().take(request);
                client.exchange(&mut room, wait)?;
                room.reply().leave(reply);
            }
            Ok(())
        },
    ))
}

/// Waits for a request.
#[inline(always)]
pub unsafe fn first<Q: Plain, R: Plain>(endpoint: &Object, request: *mut u8, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    let server = unsafe { Server::<Q, R>::new(EndpointId(endpoint.number)) };
    if message::is_short::<Q>() && message::is_short::<R>() {
        // SAFETY: as above.
        return unsafe { left(server.first(wait), request) };
    }
    status(in_place(
        incoming::<Q>(request),
        |address| {
            server.wait(Some(address), wait)?;
            // SAFETY: the kernel has put a whole request there.
            unsafe { admit::<Q>(request) };
            Ok(())
        },
        || {
            let mut words = Words::<Q>::new();
            lent(&mut words, |address| server.wait(Some(address), wait))?;
            // SAFETY: the kernel has put a whole request there.
            unsafe { words.leave(request) };
            Ok(())
        },
    ))
}

/// Replies to a request, and waits for the next.
#[inline(always)]
pub unsafe fn next<Q: Plain, R: Plain>(endpoint: &Object, reply: *const u8, request: *mut u8) -> u32 {
    // SAFETY: as the caller says.
    let server = unsafe { Server::<Q, R>::new(EndpointId(endpoint.number)) };
    if message::is_short::<Q>() && message::is_short::<R>() {
        // SAFETY: as above.
        return unsafe { left(server.next(&taken(reply)), request) };
    }
    status(in_place(
        outgoing::<R>(reply).zip(incoming::<Q>(request)),
        |(from, to)| {
            server.answer(from, to)?;
            // SAFETY: the kernel has put a whole request there.
            unsafe { admit::<Q>(request) };
            Ok(())
        },
        || {
            let mut room = Room::<Q, R>::new();
            // SAFETY: as above; and the kernel puts a whole request into the room.
            unsafe {
                room.reply().take(reply);
                server.exchange(&mut room)?;
                room.request().leave(request);
            }
            Ok(())
        },
    ))
}

/// Writes a state message.
#[inline(always)]
pub unsafe fn write<T: Plain>(mut state: Writer<T>, value: *const u8) -> u32 {
    // SAFETY: as above.
    unsafe { state.write_from(value) };
    beryl_abi::call::SUCCESS
}

/// Reads a state message.
#[inline(always)]
pub unsafe fn read<T: Plain>(mut state: Reader<T>, to: *mut u8) -> u32 {
    // SAFETY: as above.
    unsafe { left(state.read().map_err(|_| CallError::WouldBlock), to) }
}

/// Reads a state message by a call.
#[inline(always)]
pub unsafe fn read_slow<T: Plain>(mut state: SlowReader<T>, to: *mut u8) -> u32 {
    // SAFETY: as above.
    unsafe { left(state.read(), to) }
}
