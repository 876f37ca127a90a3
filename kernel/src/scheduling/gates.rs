//! Gates: what comes to an object from outside is let through at least a separation apart.
//!
//! A gate stands before a line that a thread serves, or before an object. Whatever passes closes it for its
//! separation. What comes too early waits (a line stays masked, bits become one, messages and clients stand in
//! their queue) or is dropped, as the row says. So whoever is woken behind a gate is woken no more often than a
//! proof assumes, whatever devices and other processes do.
//!
//! ```text
//!   it comes: is the gate closed? (1) -- no --> it passes
//!                   | yes
//!                   +-- dropped and counted (2)
//!                   +-- waits: a timer is set, in a step of its own (3) ... the timer goes off (4) --> it passes
//! ```
//! (1) `pass_gate`, (2) `drop_early`, (3) `open_later`, `set_opening`, (4) `turn_of_gate`, which is a step like any
//! other timer's.
//!
//! Gates have the places behind the threads' in the timer queue. One that nobody waits for has a reminder
//! there, as a thread without a timer has.

use beryl_abi::{CallError, Instant, Line, Note, Passed, ThreadId};

use crate::doors::door;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::gates::{Gate, GateId, Gated, OnEarly};
use crate::scheduling::gate::{GateState, Opening};
use crate::scheduling::timers::HORIZON;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};
use crate::ways::{Any, Way};

impl<S: Sizes> State<S> {
    /// Whether a gate's timer has yet to be set.
    #[inline(always)]
    pub(crate) fn has_opening_to_set(&self) -> bool {
        self.opening.get(0).is_some_and(|opening| opening.0.is_some())
    }

    /// How often something was dropped at the gate with this number since the start: at most 65,535.
    pub fn dropped(&self, gate: usize) -> u16 {
        self.gates.get(gate).map_or(0, GateState::dropped)
    }
}

/// Whether a place in the timer queue is a gate's, and whose.
#[inline(always)]
fn gate_at<S: Sizes>(place: ThreadId) -> Option<GateId> {
    let is_last = !S::WATCHED_OVER && !S::PARTITIONED;
    let is_gate = |number: &usize| S::GATED && (is_last || *number < S::GATES);
    let number = place.index().checked_sub(S::Threads::LENGTH).filter(is_gate)?;
    Some(GateId(number as u8))
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a place in the timer queue isn't a thread's.
    #[inline(always)]
    pub(crate) fn is_gates(&self, place: ThreadId) -> bool {
        gate_at::<S>(place).is_some()
    }

    /// The gate before something, if there is one.
    #[inline(always)]
    fn gate_before(&self, object: Gated) -> Option<GateId> {
        if !S::GATED {
            return None;
        }
        self.machine.system().doors.get(door::<S>(object)).copied().filter(|gate| *gate != GateId::NONE)
    }

    #[inline(always)]
    fn gate(&self, gate: GateId) -> &'static Gate {
        self.machine.system().gates.get(gate.index()).unwrap_or(&Gate::NONE)
    }

    /// Whether a gate stands before something.
    #[inline(always)]
    pub(crate) fn has_gate(&self, object: Gated) -> bool {
        self.gate_before(object).is_some()
    }

    /// The gate before something, if it is closed now.
    #[inline(always)]
    pub(crate) fn closed_gate(&mut self, object: Gated) -> Option<GateId> {
        let gate = self.gate_before(object)?;
        let now = self.machine.moment();
        self.state.gates.get(gate.index())?.is_closed(now).then_some(gate)
    }

    /// The gate before something, if it is closed now and keeps back what comes early.
    #[inline(always)]
    pub(crate) fn held_back(&mut self, object: Gated) -> Option<GateId> {
        self.closed_gate(object).filter(|gate| self.gate(*gate).early == OnEarly::Keep)
    }

    /// Something passes the gate before an object, if there is one that treats early ones so: that closes it.
    #[inline(always)]
    pub(crate) fn close_if(&mut self, early: OnEarly, object: Gated) {
        if self.gate_before(object).is_some_and(|gate| self.gate(gate).early == early) {
            self.close_gate(object);
        }
    }

    /// Something passes the gate before an object, if there is one: that closes it.
    #[inline(always)]
    pub(crate) fn close_gate(&mut self, object: Gated) {
        if let Some(gate) = self.gate_before(object) {
            let (now, separation) = (self.machine.moment(), self.gate(gate).separation);
            if let Some(state) = self.state.gates.get_mut(gate.index()) {
                state.let_through(now, separation);
            }
        }
    }

    /// An interrupt has come: that closes the gate before its line, if a thread serves it.
    #[inline(always)]
    pub(crate) fn close_line(&mut self, line: Line, is_served: bool) {
        if S::GATED && is_served {
            self.close_gate(Gated::Line(line));
        }
    }

    /// Something comes to an object: it passes and closes the gate, or it has come too early to this one.
    #[inline(always)]
    pub(crate) fn pass_gate(&mut self, object: Gated) -> Result<(), GateId> {
        match self.closed_gate(object) {
            Some(gate) => Err(gate),
            None => {
                self.close_gate(object);
                Ok(())
            }
        }
    }

    /// Bits have come too early: they wait and become one with others, or are dropped.
    #[inline(never)]
    pub(crate) fn keep_bits<W: Way>(&mut self, way: W, gate: GateId, bits: u32) -> Outcome {
        self.must_be_kept(way, gate)?;
        if let Some(state) = self.state.gates.get_mut(gate.index()) {
            state.kept |= bits;
        }
        Ok(self.open_later(gate))
    }

    /// What has come too early is dropped: whoever sent it is told what one is told who doesn't want to wait.
    #[cold]
    fn drop_early(&mut self, gate: GateId) -> CallError {
        if let Some(state) = self.state.gates.get_mut(gate.index()) {
            state.drop_one();
        }
        let refused = match self.gate(gate).before {
            Gated::Mailbox(mailbox) => Some((Passed::SentEarly, mailbox.0)),
            Gated::Endpoint(endpoint) => Some((Passed::AskedEarly, endpoint.0)),
            Gated::Notification(notification) => Some((Passed::NotifiedEarly, notification.0)),
            Gated::EventGroup(group) => Some((Passed::SetEarly, group.0)),
            Gated::Line(_) | Gated::Nothing => None,
        };
        if let Some((passed, object)) = refused {
            self.note(Note::message(self.state.running(), passed, object));
        }
        self.inform_of_refusal(gate);
        CallError::WouldBlock
    }

    /// Refuses what has come too early to a gate that drops it.
    #[inline(always)]
    pub(crate) fn must_be_kept<W: Way>(&mut self, way: W, gate: GateId) -> Result<(), CallError> {
        match self.gate(gate).early {
            OnEarly::Drop => {
                way.only_if(!S::SUPERVISED)?;
                Err(self.drop_early(gate))
            }
            OnEarly::Keep => way.rare(),
        }
    }

    /// Bits that wait before a gate are taken back.
    pub(crate) fn take_back_bits(&mut self, object: Gated, bits: u32) {
        if let Some(gate) = self.gate_before(object)
            && let Some(state) = self.state.gates.get_mut(gate.index())
        {
            state.kept &= !bits;
        }
    }

    /// Something waits before the gate of an object.
    #[inline(always)]
    pub(crate) fn wait_before(&mut self, object: Gated) -> Next {
        self.gate_before(object).map_or(Next::Stay, |gate| self.open_later(gate))
    }

    /// Something waits before a closed gate. Its timer is set in a step of its own.
    #[inline(never)]
    pub(crate) fn open_later(&mut self, gate: GateId) -> Next {
        let state = self.state.gates.get_mut(gate.index());
        if !state.is_some_and(GateState::await_opening) {
            return Next::Stay;
        }
        if let Some(opening) = self.state.opening.get_mut(0) {
            *opening = Opening(Some(gate.0));
        }
        self.state.has_deferred_work = true;
        Next::Again
    }

    /// Sets the timer of the gate for whose opening something waits.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_opening(&mut self) {
        let opening = self.state.opening.get_mut(0).and_then(|opening| opening.0.take());
        let Some(gate) = opening.map(GateId) else { return };
        let now = self.machine.now();
        self.set_gates_timer(gate, now);
        self.arm_if_earlier(now);
    }

    fn set_gates_timer(&mut self, gate: GateId, now: Instant) {
        let opens = self.state.gates.get(gate.index()).and_then(GateState::awaited);
        let place = ThreadId((S::Threads::LENGTH as u8).saturating_add(gate.0));
        self.state.timers.set(place, opens.unwrap_or(now.moment().after(HORIZON)));
    }

    /// A gate's timer went off: it opens if something waits for that, and what waits passes.
    #[cold]
    #[inline(never)]
    pub(crate) fn turn_of_gate(&mut self, place: ThreadId, now: Instant) {
        let Some(gate) = gate_at::<S>(place) else { return };
        let row = self.gate(gate);
        if let Some(state) = self.state.gates.get_mut(gate.index()) {
            state.forget_past(now.moment());
            if state.awaited().is_some_and(|opens| !now.moment().is_before(opens)) {
                let bits = state.open();
                self.let_pass(row.before, bits);
            }
        }
        self.set_gates_timer(gate, now);
    }

    /// Whatever waits before a gate that opens passes.
    fn let_pass(&mut self, object: Gated, bits: u32) {
        match object {
            Gated::Line(line) => self.machine.unmask(line),
            Gated::Notification(notification) => {
                self.close_gate(object);
                let thread = self.machine.system().notifications.at(notification.index()).thread;
                if self.set_bits(Any::UNDER_WAY, thread, bits) {
                    self.wake_later(thread);
                }
            }
            Gated::EventGroup(group) if S::GROUPED => {
                self.close_gate(object);
                if let Next::Wake(thread) = self.set_in_group(Any::UNDER_WAY, group, bits) {
                    self.wake_later(thread);
                }
            }
            Gated::Mailbox(mailbox) => self.let_message_through(mailbox),
            Gated::Endpoint(endpoint) => self.let_request_through(endpoint),
            Gated::EventGroup(_) | Gated::Nothing => {}
        }
    }
}
