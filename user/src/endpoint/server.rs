//! The server's side of an endpoint.

use core::marker::PhantomData;

use beryl_abi::EndpointId;
use beryl_abi::call::{CallError, CallNumber, FOREVER, Operand};

use super::{Room, is_short};
use crate::message::{self, Words};
use crate::port::Plain;
use crate::time::Wait;
use crate::{call, platform};

/// Serves an endpoint: requests of type `Q`, replies of type `R`.
#[repr(C)]
pub struct Server<Q, R> {
    id: EndpointId,
    /// A handle is its thread's own.
    _messages: PhantomData<*mut (Q, R)>,
}

/// A request that is being served. The server runs at its client's urgency until it replies, and can't
/// receive another before that.
#[must_use = "the client waits for a reply"]
pub struct Request<'a, Q, R> {
    server: &'a mut Server<Q, R>,
    value: Q,
}

impl<Q: Plain, R: Plain> Server<Q, R> {
    /// The endpoint with this number.
    ///
    /// # Safety
    ///
    /// For the builder's glue: its requests and replies are of these types, and the calling thread is its
    /// server.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(id: EndpointId) -> Server<Q, R> {
        Server { id, _messages: PhantomData }
    }

    /// Replies to every request with the result of `body`, for ever. Where that is impossible (inside a
    /// ceiling lock, or while a request is already being served), the thread stops.
    #[inline(always)]
    pub fn serve(&mut self, mut body: impl FnMut(Q) -> R) -> ! {
        let mut request = self.first(FOREVER);
        while let Ok(value) = request {
            request = self.next(&body(value));
        }
        call::stop()
    }

    /// Waits for a request, without a time limit.
    ///
    /// # Errors
    ///
    /// [`CallError::Deadlock`] while a request is being served; [`CallError::Raised`] inside a ceiling lock.
    #[inline(always)]
    pub fn receive(&mut self) -> Result<Request<'_, Q, R>, CallError> {
        let value = self.first(FOREVER)?;
        Ok(Request { server: self, value })
    }

    /// Waits for a request for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Server::receive`], and those of [`Wait`].
    #[inline(always)]
    pub fn receive_for(&mut self, wait: Wait) -> Result<Request<'_, Q, R>, CallError> {
        let value = self.first(wait.word()?)?;
        Ok(Request { server: self, value })
    }

    /// Waits for a request.
    #[inline(always)]
    pub(crate) fn first(&self, timeout: u32) -> Result<Q, CallError> {
        if is_short::<Q, R>() {
            return Ok(message::from_registers(self.wait(None, timeout)?));
        }
        let mut words = Words::<Q>::new();
        let bytes = message::bytes(words.words());
        platform::with_buffer(bytes, 0, |address| self.wait(Some(address), timeout))?;
        // SAFETY: the kernel has put a whole request there.
        Ok(unsafe { words.value() })
    }

    /// Waits for a request, in registers or at an address.
    #[inline(always)]
    pub(crate) fn wait(&self, place: Option<u32>, timeout: u32) -> Result<[u32; 2], CallError> {
        let arguments = [Some(Operand::object(self.id.0).0), place, None, Some(timeout)];
        call::attempt(CallNumber::EndpointReceive, arguments).map(|answer| answer.values)
    }

    /// Replies to a request and waits for the next.
    #[inline(always)]
    pub(crate) fn next(&self, reply: &R) -> Result<Q, CallError> {
        if is_short::<Q, R>() {
            let [first, second] = message::registers(reply);
            return Ok(message::from_registers(self.answer(first, second)?));
        }
        let mut room = Room::<Q, R>::new();
        room.reply().fill(reply);
        self.exchange(&mut room)?;
        // SAFETY: the kernel has put a whole request there.
        Ok(unsafe { room.request().value() })
    }

    /// Replies with what is in a room, and leaves the next request there: the reply leaves before that comes.
    #[inline(always)]
    pub(crate) fn exchange(&self, room: &mut Room<Q, R>) -> Result<(), CallError> {
        platform::with_buffer(room.bytes(), 4 * Words::<R>::COUNT, |address| {
            self.answer(address, address).map(drop)
        })
    }

    /// Replies with a short reply, or with the addresses of a reply and of the next request.
    #[inline(always)]
    pub(crate) fn answer(&self, first: u32, second: u32) -> Result<[u32; 2], CallError> {
        let arguments = [Some(Operand::object(self.id.0).0), Some(first), Some(second), None];
        call::attempt(CallNumber::EndpointReply, arguments).map(|answer| answer.values)
    }
}

impl<'a, Q: Plain, R: Plain> Request<'a, Q, R> {
    /// The client's request.
    #[must_use]
    #[inline(always)]
    pub const fn value(&self) -> &Q {
        &self.value
    }

    /// Replies to it, and waits for the next one. If the client has stopped meanwhile, the reply is dropped
    /// without a report.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock. Then the client gets no reply.
    #[inline(always)]
    pub fn reply(self, reply: &R) -> Result<Request<'a, Q, R>, CallError> {
        let value = self.server.next(reply)?;
        Ok(Request { server: self.server, value })
    }
}
