//! Endpoints: synchronous calls of a server, which runs at its caller's urgency.
//!
//! ```text
//!   server:  asleep --call (1)--> serves --reply, nobody waits (2)--> asleep
//!                                 serves --reply, somebody waits (3)--> serves the next
//!   client:  ready --call, server asleep (1)--> served --reply (2, 3)--> ready
//!            ready --call, server serves----> queued --reply (3)--> served
//! ```
//! (1) `endpoint_call`, (2) and (3) `endpoint_reply`.
//!
//! Clients, served or queued, lend their places to the server; its own isn't in its band meanwhile. A
//! call is a switch without any queue: the client's place stays where it is, and the server runs in it.

use beryl_abi::call::{FOREVER, Operand, SHORT_MESSAGE};
use beryl_abi::{CallError, EndpointId, Note, Passed, ThreadId};

use crate::calls::{Outcome, is_allowed, plain_number, short};
use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::queues::Queue;
use crate::sizes::{Sizes, Table};
use crate::state::{EndpointState, Phase, Standing, Wait};
use crate::system::Endpoint;

impl Endpoint {
    /// Whether requests and replies travel in memory.
    #[inline(always)]
    fn is_long(&self) -> bool {
        u32::from(self.request.max(self.reply)) > SHORT_MESSAGE
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Asks a server that waits for a request, with a short message: it runs in the caller's own place.
    #[inline(always)]
    pub(crate) fn call_server_at_once(&mut self, operand: Operand, request: [u32; 2]) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let endpoint = EndpointId(plain_number(operand, S::Endpoints::LENGTH)?);
        let row = self.machine.system().endpoints.at(endpoint.index());
        is_allowed(row.callers, process)?;
        let (running, server) = (self.state.running, row.server);
        let state = self.state.threads.at_mut(server.index());
        let receives = state.wait == Wait::Request && state.object == endpoint.0;
        let is_plain = state.is_plain() && state.then == 0;
        if !receives || !is_plain || row.is_long() || self.state.place != running {
            return None;
        }
        (state.phase, state.wait, state.timed) = (Phase::Ready, Wait::Nothing, false);
        state.standing = Standing::Guest;
        *self.state.endpoints.at_mut(endpoint.index()) =
            EndpointState { queue: Queue::EMPTY, client: running, serving: true };
        let client = self.state.threads.at_mut(running.index());
        (client.phase, client.wait) = (Phase::Lent, Wait::Reply);
        (client.object, client.then) = (endpoint.0, 0);
        self.machine.result(server, short(request));
        Some(self.lend_place_at_once(running, server))
    }

    /// Answers a request with a short message and waits for the next, while nobody else asks.
    #[inline(always)]
    pub(crate) fn reply_at_once(&mut self, operand: Operand, reply: [u32; 2]) -> Option<Switch> {
        self.state.caller.process()?;
        let endpoint = EndpointId(plain_number(operand, S::Endpoints::LENGTH)?);
        let row = self.machine.system().endpoints.at(endpoint.index());
        let running = self.state.running;
        let state = self.state.endpoints.at_mut(endpoint.index());
        let client = state.client;
        if row.server != running || row.is_long() || !client.is_some() || !state.queue.is_empty() {
            return None;
        }
        let is_guest = self.state.threads.at(running.index()).standing == Standing::Guest;
        if !is_guest || self.state.threads.at(client.index()).then != 0 {
            return None;
        }
        *state = EndpointState::IDLE;
        let server = self.state.threads.at_mut(running.index());
        (server.phase, server.wait) = (Phase::Asleep, Wait::Request);
        (server.object, server.then, server.standing) = (endpoint.0, 0, Standing::Out);
        let caller = self.state.threads.at_mut(client.index());
        (caller.phase, caller.wait) = (Phase::Ready, Wait::Nothing);
        self.machine.result(client, short(reply));
        Some(self.decide_at_once(running))
    }

    /// Asks a server and waits for its reply.
    #[inline(never)]
    pub(crate) fn endpoint_call(&mut self, operand: Operand, message: [u32; 2]) -> Outcome {
        let (endpoint, row) = self.endpoint(operand)?;
        self.must_be_allowed(row.callers)?;
        self.must_be_a_wait(operand, FOREVER)?;
        if row.is_long() {
            self.must_be_callers(message[0], row.request.into())?;
            self.must_be_callers(message[1], row.reply.into())?;
        }
        let (running, server) = (self.state.running, row.server);
        let state = self.state.threads.at(server.index());
        let receives = state.wait == Wait::Request && state.object == endpoint.0;
        let to = state.message[0];
        if !receives {
            self.must_have_a_server(running, server)?;
        }
        let state = self.state.threads.at_mut(running.index());
        state.phase = Phase::Lent;
        state.object = endpoint.0;
        state.message = message;
        state.then = crate::waits::promised(operand);
        if receives {
            state.wait = Wait::Reply;
            self.note(Note::message(running, Passed::Asked, endpoint.0));
            self.trace_lend(running, server);
            self.state.endpoints.at_mut(endpoint.index()).client = running;
            self.state.endpoints.at_mut(endpoint.index()).serving = true;
            self.state.threads.at_mut(server.index()).standing = Standing::Guest;
            self.hand_over_message(server, message, to, row.request, row.is_long());
            self.wake_server(server);
            return Ok(Next::Lend(server));
        } else {
            state.wait = Wait::Call;
            self.note(Note::message(running, Passed::Asked, endpoint.0));
            self.trace_lend(running, server);
            let queue = &mut self.state.endpoints.at_mut(endpoint.index()).queue;
            queue.insert(self.machine.system(), &mut self.state.threads, running);
        }
        Ok(Next::Leave)
    }

    /// Waits for a request.
    #[inline(never)]
    pub(crate) fn endpoint_receive(&mut self, operand: Operand, to: u32, timeout: u32) -> Outcome {
        let (endpoint, row) = self.endpoint(operand)?;
        self.must_serve(row)?;
        self.must_be_a_wait(operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(to, row.request.into())?;
        }
        if self.state.endpoints.at(endpoint.index()).serving {
            return Err(CallError::Deadlock);
        }
        if !self.state.endpoints.at(endpoint.index()).queue.is_empty() {
            self.serve_next(endpoint, row, to);
            return Ok(self.keep_promise(operand, Next::Decide));
        }
        let next = self.sleep_unless_polling(Wait::Request, operand, timeout)?;
        self.state.threads.at_mut(self.state.running.index()).message[0] = to;
        Ok(next)
    }

    /// Answers the request that is being served, and waits for the next. `reply` is the reply, or
    /// where it is and where the next request goes.
    #[inline(never)]
    pub(crate) fn endpoint_reply(&mut self, operand: Operand, reply: [u32; 2]) -> Outcome {
        let (endpoint, row) = self.endpoint(operand)?;
        self.must_serve(row)?;
        self.must_be_a_wait(operand, FOREVER)?;
        if row.is_long() {
            self.must_be_callers(reply[0], row.reply.into())?;
            self.must_be_callers(reply[1], row.request.into())?;
        }
        let state = self.state.endpoints.at_mut(endpoint.index());
        if !core::mem::replace(&mut state.serving, false) {
            return Err(CallError::NotServing);
        }
        let client = core::mem::replace(&mut state.client, ThreadId::NONE);
        let nobody_waits = state.queue.is_empty();
        if client.is_some() {
            let to = self.state.threads.at(client.index()).message[1];
            self.note(Note::message(self.state.running, Passed::Replied, endpoint.0));
            self.hand_over_message(client, reply, to, row.reply, row.is_long());
            self.end_call(client);
        }
        if !nobody_waits {
            self.serve_next(endpoint, row, reply[1]);
            let next = Next::Decide;
            return Ok(self.keep_promise(operand, next));
        }
        let running = self.state.running;
        let server = self.state.threads.at_mut(running.index());
        server.message[0] = reply[1];
        if server.standing == Standing::Guest {
            server.standing = Standing::Out;
        }
        Ok(self.sleep(Wait::Request, operand, FOREVER))
    }

    /// The caller, which is the server, serves whoever waits first.
    #[inline(never)]
    fn serve_next(&mut self, endpoint: EndpointId, row: &Endpoint, to: u32) {
        let state = self.state.endpoints.at_mut(endpoint.index());
        let Some(client) = state.queue.take(&self.state.threads) else { return };
        *state = EndpointState { client, serving: true, ..*state };
        let thread = self.state.threads.at_mut(client.index());
        thread.wait = Wait::Reply;
        let message = thread.message;
        let server = self.state.running;
        self.become_guest(server);
        self.hand_over_message(server, message, to, row.request, row.is_long());
    }

    /// A server that runs in its own place runs in its client's from now on.
    fn become_guest(&mut self, server: ThreadId) {
        self.give_up_place(server);
        self.state.threads.at_mut(server.index()).standing = Standing::Guest;
    }

    /// A server that waited for a request has one; it runs in its client's place.
    #[inline(always)]
    fn wake_server(&mut self, server: ThreadId) {
        let state = self.state.threads.at_mut(server.index());
        (state.phase, state.wait, state.timed) = (Phase::Ready, Wait::Nothing, false);
        let then = state.then;
        self.note(Note::wake(server));
        if then != 0 {
            self.keep_promise_later(server);
        }
        self.bring_back(server);
    }

    /// A client's call is over, and its answer is in its registers.
    #[inline(always)]
    fn end_call(&mut self, client: ThreadId) {
        let state = self.state.threads.at_mut(client.index());
        state.phase = Phase::Ready;
        state.wait = Wait::Nothing;
        let then = state.then;
        self.note(Note::wake(client));
        if then != 0 {
            self.keep_promise_later(client);
        }
    }

    /// The client that is being served has stopped: the server goes on in its own place.
    pub(crate) fn lose_client(&mut self, endpoint: EndpointId) {
        self.state.endpoints.at_mut(endpoint.index()).client = ThreadId::NONE;
        let server = self.machine.system().endpoints.at(endpoint.index()).server;
        let state = self.state.threads.at_mut(server.index());
        if state.standing != Standing::Guest {
            return;
        }
        state.standing = Standing::Parked;
        self.return_later(server);
    }

    /// Ends the calls of one client of a thread that has stopped, if it was the server. Answers whether
    /// there may be another.
    pub(crate) fn fail_next_client(&mut self, endpoint: EndpointId, stopped: ThreadId) -> bool {
        if self.machine.system().endpoints.at(endpoint.index()).server != stopped {
            return false;
        }
        let state = self.state.endpoints.at_mut(endpoint.index());
        state.serving = false;
        let client = match core::mem::replace(&mut state.client, ThreadId::NONE) {
            ThreadId::NONE => state.queue.take(&self.state.threads),
            client => Some(client),
        };
        let Some(client) = client else { return false };
        self.machine.result(client, [CallError::PeerDied as u32, 0, 0]);
        self.state.threads.at_mut(client.index()).then = 0;
        self.end_call(client);
        true
    }

    /// Refuses to call a server that has stopped, or that would wait for the caller.
    #[inline(never)]
    fn must_have_a_server(&self, client: ThreadId, server: ThreadId) -> Result<(), CallError> {
        if self.state.threads.at(server.index()).phase == Phase::Stopped {
            return Err(CallError::PeerDied);
        }
        if self.closes_ring(client, server) { Err(CallError::Deadlock) } else { Ok(()) }
    }

    /// Refuses everybody but the server.
    #[inline(always)]
    fn must_serve(&self, row: &Endpoint) -> Result<(), CallError> {
        if row.server == self.state.running { Ok(()) } else { Err(CallError::WrongCaller) }
    }

    #[inline(always)]
    fn endpoint(&self, operand: Operand) -> Result<(EndpointId, &'static Endpoint), CallError> {
        let endpoint = EndpointId(operand.number());
        if endpoint.index() >= S::Endpoints::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        Ok((endpoint, self.machine.system().endpoints.at(endpoint.index())))
    }
}
