//! The client's side of an endpoint.

use core::marker::PhantomData;

use beryl_abi::EndpointId;
use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

use super::{Room, is_short};
use crate::message::{self, Words};
use crate::port::Plain;
use crate::time::Wait;
use crate::{call, platform};

/// Calls an endpoint's server: requests of type `Q`, replies of type `R`.
#[repr(C)]
pub struct Client<Q, R> {
    id: EndpointId,
    /// A handle is its thread's own.
    _messages: PhantomData<*mut (Q, R)>,
}

impl<Q: Plain, R: Plain> Client<Q, R> {
    /// The endpoint with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: its requests and replies are of these types, and the calling thread may call
    /// it.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: EndpointId) -> Client<Q, R> {
        Client { id, _messages: PhantomData }
    }

    /// Calls the server and waits for its reply, without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::PeerDied`] if the server has stopped, perhaps while it served this request;
    /// [`CallError::Deadlock`] if it waits, perhaps through others, for the caller; [`CallError::Raised`]
    /// inside a ceiling lock; [`CallError::OverLimit`] if the client's process has asked as much as its limit lets it.
    #[inline(always)]
    pub fn call(&mut self, request: &Q) -> Result<R, CallError> {
        self.question(request, FOREVER)
    }

    /// Calls the server and waits for its reply for as long as `wait` allows: for its turn, and until the
    /// server has replied. If the client gives up after the server has begun to work on the request, the
    /// server goes on at its own urgency, and its reply is dropped. [`Wait::Poll`] calls the server only if
    /// it is waiting for a request, and then waits for the reply without a time limit.
    ///
    /// # Errors
    ///
    /// As [`Client::call`], and those of [`Wait`].
    #[inline(always)]
    pub fn call_for(&mut self, request: &Q, wait: Wait) -> Result<R, CallError> {
        self.question(request, wait.word()?)
    }

    #[inline(always)]
    pub(crate) fn question(&mut self, request: &Q, timeout: u32) -> Result<R, CallError> {
        if is_short::<Q, R>() {
            let [first, second] = message::registers(request);
            let values = self.ask(first, second, timeout)?;
            return Ok(message::from_registers(values));
        }
        let mut room = Room::<Q, R>::new();
        room.request().fill(request);
        self.exchange(&mut room, timeout)?;
        // SAFETY: the kernel has put a whole reply there.
        Ok(unsafe { room.reply().value() })
    }

    /// Asks what is in a room, and leaves the reply there.
    #[inline(always)]
    pub(crate) fn exchange(&self, room: &mut Room<Q, R>, timeout: u32) -> Result<(), CallError> {
        platform::with_buffer(room.bytes(), 4 * Words::<Q>::COUNT, |address| {
            self.ask(address, address, timeout).map(drop)
        })
    }

    /// Asks with a short request, or with the addresses of a request and a reply.
    #[inline(always)]
    pub(crate) fn ask(&self, first: u32, second: u32, timeout: u32) -> Result<[u32; 2], CallError> {
        let operand = Operand::object(self.id.0).0;
        let arguments = [Some(operand), Some(first), Some(second), Some(timeout)];
        call::attempt(CallNumber::EndpointCall, arguments).map(|answer| answer.values)
    }
}
