//! Endpoints: synchronous calls to a server, which runs at its client's urgency.
//!
//! ```text
//!   server:  asleep --call (1)--> serves --reply, queue empty (2)--> asleep
//!                                 serves --reply, a client waits (3)--> serves the next
//!   client:  ready --call, server asleep (1)--> served --reply (2, 3)--> ready
//!            ready --call, server serves----> queued --reply (3)--> served
//!            served or queued --time limit ends (4)--> ready; if it was served, the server is free
//! ```
//! (1) `endpoint_call`, (2) and (3) `endpoint_reply`, (4) `time_out` and `lose_client`.
//!
//! Clients, served or queued, lend their places to the server, whose own place isn't in its band meanwhile. A
//! call is a switch without any queue: the client's place stays where it is, and the server runs in it.

use beryl_abi::call::{FOREVER, Operand, POLL};
use beryl_abi::{CallError, EndpointId, Note, Passed, ThreadId};

use crate::arguments::promised;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::gates::{Gated, OnEarly};
use crate::rows::limits::Asked;
use crate::rows::objects::Endpoint;
use crate::scheduling::thread::{Offer, Phase, Standing, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Calls a server and waits for its reply. By the ordinary way the server waits for a request, the
    /// request is short, and the server runs in the caller's own place, without a time limit. A caller that
    /// doesn't want to wait only reaches a server that is waiting for a request, and then waits without a
    /// time limit too.
    #[inline(always)]
    pub(crate) fn endpoint_call<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        message: [u32; 2],
        timeout: u32,
    ) -> Outcome {
        let (endpoint, row) = self.endpoint(way, operand)?;
        self.must_be_allowed(way, row.callers)?;
        let credit = self.must_have_credit(way, Asked::Endpoint(endpoint))?;
        way.only_if(timeout == FOREVER)?;
        self.must_be_a_wait(way, operand, timeout)?;
        self.must_take_turns()?;
        let (running, server) = (self.state.running(), row.server);
        if row.is_long() {
            way.rare()?;
            self.must_be_callers(way, message[0], row.request.into())?;
            self.must_be_callers(way, message[1], row.reply.into())?;
        }
        let gate = self.closed_gate(Gated::Endpoint(endpoint));
        if let Some(gate) = gate {
            self.must_be_kept(way, gate)?;
        }
        let state = self.state.threads.at(server.index());
        let receives = gate.is_none() && state.waits_for(Wait::Request, endpoint.0);
        way.only_if(
            receives && state.is_plain() && state.then == 0 && self.state.processor.is_in_own_place(),
        )?;
        if !receives {
            self.must_have_a_server(running, server)?;
            self.must_want_to_wait(way, timeout)?;
        }
        let to = state.offer.to();
        self.take_credit(credit);
        let client = self.state.threads.at_mut(running.index());
        client.lend(if receives { Wait::Reply } else { Wait::Call }, endpoint.0);
        client.then = promised(operand);
        if row.is_long() || !receives {
            client.offer = Offer::message(message);
        }
        self.note_on(way, Note::message(running, Passed::Asked, endpoint.0));
        self.trace_lend(way, running, server);
        if !W::IS_ORDINARY && timeout != FOREVER && timeout != POLL {
            self.wait_at_most(running, timeout);
        }
        self.close_if(OnEarly::Drop, Gated::Endpoint(endpoint));
        let state = self.state.endpoints.at_mut(endpoint.index());
        if !receives {
            state.queue.insert(&self.machine.system().threads, &mut self.state.threads, running);
            if gate.is_some() && self.state.threads.at(server.index()).waits_for(Wait::Request, endpoint.0) {
                let _ = self.wait_before(Gated::Endpoint(endpoint));
            }
            self.has_to_come(server, endpoint);
            return Ok(Next::Leave);
        }
        state.serve(running);
        self.close_if(OnEarly::Keep, Gated::Endpoint(endpoint));
        self.hand_over_message(way, server, message, to, row.request, row.is_long());
        self.wake_server(way, server);
        Ok(Next::Lend(server))
    }

    /// Waits for a request.
    #[inline(never)]
    pub(crate) fn endpoint_receive(&mut self, operand: Operand, to: u32, timeout: u32) -> Outcome {
        let way = Any::UNDER_WAY;
        let (endpoint, row) = self.endpoint(way, operand)?;
        self.must_serve(row)?;
        self.must_be_a_wait(way, operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(way, to, row.request.into())?;
        }
        if self.state.endpoints.at(endpoint.index()).serving {
            return Err(CallError::Deadlock);
        }
        let is_asked = !self.state.endpoints.at(endpoint.index()).queue.is_empty();
        let is_held_back = is_asked && self.held_back(Gated::Endpoint(endpoint)).is_some();
        if is_asked && !is_held_back {
            self.serve_next(endpoint, row, to);
            return Ok(self.keep_promise(way, operand, Next::Decide));
        }
        self.must_want_to_wait(way, timeout)?;
        if is_held_back {
            let _ = self.wait_before(Gated::Endpoint(endpoint));
        }
        self.has_answered(self.state.running());
        self.state.threads.at_mut(self.state.running().index()).offer = Offer::room(to);
        Ok(self.sleep(way, Wait::Request, operand, timeout))
    }

    /// Replies to the current request and waits for the next. `reply` is the reply, or its address and that
    /// of the next request. By the ordinary way it is short, and no other client waits.
    #[inline(always)]
    pub(crate) fn endpoint_reply<W: Way>(&mut self, way: W, operand: Operand, reply: [u32; 2]) -> Outcome {
        let (endpoint, row) = self.endpoint(way, operand)?;
        self.must_serve(row)?;
        self.must_be_a_wait(way, operand, FOREVER)?;
        if row.is_long() {
            way.rare()?;
            self.must_be_callers(way, reply[0], row.reply.into())?;
            self.must_be_callers(way, reply[1], row.request.into())?;
        }
        let running = self.state.running();
        let state = *self.state.endpoints.at(endpoint.index());
        let client = state.client;
        way.only_if(client.is_some() && state.queue.is_empty())?;
        if W::IS_ORDINARY {
            let is_guest = self.state.threads.at(running.index()).standing() == Standing::Guest;
            way.only_if(is_guest && self.state.threads.at(client.index()).then == 0)?;
        } else if !state.serving {
            return Err(CallError::NotServing);
        }
        self.has_answered(running);
        let state = self.state.endpoints.at_mut(endpoint.index());
        state.end();
        let nobody_waits = state.queue.is_empty();
        if client.is_some() {
            let to = self.state.threads.at(client.index()).offer.answer_to();
            self.note_on(way, Note::message(running, Passed::Replied, endpoint.0));
            self.hand_over_message(way, client, reply, to, row.reply, row.is_long());
            self.end_call(way, client);
        }
        let is_held_back = !nobody_waits && self.held_back(Gated::Endpoint(endpoint)).is_some();
        if !nobody_waits && !is_held_back {
            self.serve_next(endpoint, row, reply[1]);
            return Ok(self.keep_promise(way, operand, Next::Decide));
        }
        if is_held_back {
            let _ = self.wait_before(Gated::Endpoint(endpoint));
        }
        let server = self.state.threads.at_mut(running.index());
        if row.is_long() {
            server.offer = Offer::room(reply[1]);
        }
        let is_guest = W::IS_ORDINARY || server.standing() == Standing::Guest;
        if is_guest {
            server.stand(Standing::Out);
        }
        if is_held_back {
            return Ok(self.sleep(Any::UNDER_WAY, Wait::Request, operand, FOREVER));
        }
        Ok(match self.sleep(way, Wait::Request, operand, FOREVER) {
            Next::Sleep if is_guest => Next::Leave,
            next => next,
        })
    }

    /// The caller, which is the server, serves the first waiting client.
    #[inline(never)]
    fn serve_next(&mut self, endpoint: EndpointId, row: &Endpoint, to: u32) {
        let state = self.state.endpoints.at_mut(endpoint.index());
        let Some(client) = state.serve_next(&self.state.threads) else { return };
        let thread = self.state.threads.at_mut(client.index());
        thread.be_served();
        let message = thread.offer.as_message();
        let server = self.state.running();
        self.has_to_answer_from_now_on(server);
        self.become_guest(server);
        self.close_if(OnEarly::Keep, Gated::Endpoint(endpoint));
        self.hand_over_message(Any::UNDER_WAY, server, message, to, row.request, row.is_long());
    }

    /// The gate before an endpoint opens: if its server waits for a request, it gets the first one.
    pub(crate) fn let_request_through(&mut self, endpoint: EndpointId) {
        let row = self.machine.system().endpoints.at(endpoint.index());
        let server = row.server;
        if !self.state.threads.at(server.index()).waits_for(Wait::Request, endpoint.0) {
            return;
        }
        let state = self.state.endpoints.at_mut(endpoint.index());
        let Some(client) = state.serve_next(&self.state.threads) else { return };
        self.state.threads.at_mut(client.index()).be_served();
        let message = self.state.threads.at(client.index()).offer.as_message();
        let to = self.state.threads.at(server.index()).offer.to();
        self.close_gate(Gated::Endpoint(endpoint));
        self.hand_over_message(Any::UNDER_WAY, server, message, to, row.request, row.is_long());
        self.wake_server(Any::UNDER_WAY, server);
        self.state.undecided = true;
    }

    /// A server that runs in its own place runs in its client's from now on.
    fn become_guest(&mut self, server: ThreadId) {
        self.give_up_place(server);
        self.state.threads.at_mut(server.index()).stand(Standing::Guest);
    }

    /// A server that waited for a request gets one; it runs in its client's place.
    #[inline(always)]
    fn wake_server<W: Way>(&mut self, way: W, server: ThreadId) {
        self.want_from_now_on(server);
        self.has_to_answer(server);
        self.end_wait(server);
        let state = self.state.threads.at_mut(server.index());
        state.stand(Standing::Guest);
        let then = state.then;
        self.note_on(way, Note::wake(server));
        if W::IS_ORDINARY {
            return;
        }
        if then != 0 {
            self.keep_promise_later(server);
        }
        self.bring_back(server);
    }

    /// A client's call is over, and its reply is in its registers.
    #[inline(always)]
    fn end_call<W: Way>(&mut self, way: W, client: ThreadId) {
        let state = self.state.threads.at_mut(client.index());
        state.go_on();
        let then = state.then;
        self.note_on(way, Note::wake(client));
        if !W::IS_ORDINARY && then != 0 {
            self.keep_promise_later(client);
        }
    }

    /// The client that is being served has stopped or given up: the server goes on in its own place.
    pub(crate) fn lose_client(&mut self, endpoint: EndpointId) {
        self.state.endpoints.at_mut(endpoint.index()).client = ThreadId::NONE;
        let server = self.machine.system().endpoints.at(endpoint.index()).server;
        let state = self.state.threads.at_mut(server.index());
        if state.standing() != Standing::Guest {
            return;
        }
        state.stand(Standing::Parked);
        self.return_later(server);
    }

    /// Ends the call of one client of a server that has stopped. Returns whether there may be another client.
    pub(crate) fn fail_next_client(&mut self, endpoint: EndpointId, stopped: ThreadId) -> bool {
        if self.machine.system().endpoints.at(endpoint.index()).server != stopped {
            return false;
        }
        self.has_answered(stopped);
        let state = self.state.endpoints.at_mut(endpoint.index());
        let client = match state.end() {
            ThreadId::NONE => state.queue.take(&self.state.threads),
            client => Some(client),
        };
        let Some(client) = client else { return false };
        self.machine.status(client, CallError::PeerDied as u32);
        self.state.threads.at_mut(client.index()).then = 0;
        self.end_call(Any::UNDER_WAY, client);
        true
    }

    /// Refuses to call a server that has stopped, or that would wait for the caller.
    #[inline(never)]
    fn must_have_a_server(&self, client: ThreadId, server: ThreadId) -> Result<(), CallError> {
        if self.state.threads.at(server.index()).phase() == Phase::Stopped {
            return Err(CallError::PeerDied);
        }
        if self.closes_ring(client, server) { Err(CallError::Deadlock) } else { Ok(()) }
    }

    /// Refuses every caller but the server.
    #[inline(always)]
    fn must_serve(&mut self, row: &Endpoint) -> Result<(), CallError> {
        if row.server == self.state.running() {
            return Ok(());
        }
        self.lacks_right();
        Err(CallError::WrongCaller)
    }

    #[inline(always)]
    fn endpoint<W: Way>(
        &self,
        way: W,
        operand: Operand,
    ) -> Result<(EndpointId, &'static Endpoint), CallError> {
        let endpoint = EndpointId(Self::number(way, operand, S::Endpoints::LENGTH)?);
        Ok((endpoint, self.machine.system().endpoints.at(endpoint.index())))
    }
}
