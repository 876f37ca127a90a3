//! Mailboxes: bounded queues of messages.
//!
//! A message of at most eight bytes travels in registers, a longer one from memory to memory. If a thread
//! waits on the other side, the message goes there directly.

use beryl_abi::call::{Operand, POLL, SHORT_MESSAGE};
use beryl_abi::{CallError, MailboxId, Note, Passed, ThreadId};

use crate::event::Machine;
use crate::exits::Exit;
use crate::kernel::{Kernel, Next, Outcome, Tried};
use crate::objects::mailbox::{MailboxState, Sent};
use crate::rows::gates::{Gated, OnEarly};
use crate::rows::limits::Asked;
use crate::rows::processes::Processes;
use crate::scheduling::thread::{Offer, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Sends a message, or waits for room.
    #[inline(always)]
    pub(crate) fn mailbox_send<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        message: [u32; 2],
        timeout: u32,
    ) -> Outcome {
        let mailbox = self.mailbox(way, operand, |mailbox| mailbox.may_send)?;
        let credit = self.must_have_credit(way, Asked::Mailbox(mailbox))?;
        self.must_be_a_wait(way, operand, timeout)?;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        let (length, is_long) = (state.stride, state.is_long());
        if is_long {
            self.must_be_callers(way, message[0], length.into())?;
        }
        let running = self.state.running();
        let gate = self.closed_gate(Gated::Mailbox(mailbox));
        if let Some(gate) = gate {
            self.must_be_kept(way, gate)?;
        }
        let state = self.state.mailboxes.at_mut(mailbox.index());
        match if gate.is_some() { state.put_by() } else { state.send(&self.state.threads) } {
            Sent::To(receiver) => {
                self.take_credit(credit);
                let to = self.state.threads.at(receiver.index()).offer.to();
                self.hand_over_message(way, receiver, message, to, length, is_long);
                self.close_gate(Gated::Mailbox(mailbox));
                self.note_on(way, Note::message(running, Passed::Sent, mailbox.0));
                self.note_on(way, Note::message(receiver, Passed::Received, mailbox.0));
                return Ok(self.keep_promise(way, operand, Next::Wake(receiver)));
            }
            Sent::Kept(place) => {
                self.take_credit(credit);
                self.put(place, message, length);
                self.close_if(OnEarly::Drop, Gated::Mailbox(mailbox));
                self.note_on(way, Note::message(running, Passed::Sent, mailbox.0));
                let is_awaited =
                    gate.is_some() && !self.state.mailboxes.at(mailbox.index()).receivers.is_empty();
                let next = if is_awaited { self.wait_before(Gated::Mailbox(mailbox)) } else { Next::Stay };
                return Ok(self.keep_promise(way, operand, next));
            }
            Sent::Full => {}
        }
        self.must_want_to_wait(way, timeout)?;
        way.rare()?;
        self.take_credit(credit);
        self.close_if(OnEarly::Drop, Gated::Mailbox(mailbox));
        self.state.threads.at_mut(running.index()).offer = Offer::message(message);
        let state = self.state.mailboxes.at_mut(mailbox.index());
        match state.first_come {
            true => state.senders.append(&mut self.state.threads, running),
            false => state.senders.insert(&self.machine.system().threads, &mut self.state.threads, running),
        }
        Ok(self.sleep(way, Wait::Send, operand, timeout))
    }

    /// Receives a message, or waits for one.
    #[inline(always)]
    pub(crate) fn mailbox_receive<W: Exit<S, M>>(
        &mut self,
        way: W,
        operand: Operand,
        to: u32,
        timeout: u32,
    ) -> W::Answer {
        match self.take_message(way, operand, to, timeout) {
            Ok(Some(next)) => self.come_to(way, Ok(next)),
            Ok(None) => self.wait_for_message(way, operand, to, timeout),
            Err(error) => self.come_to(way, Err(error)),
        }
    }

    /// Receives a message, if there is one.
    #[inline(always)]
    fn take_message<W: Way>(&mut self, way: W, operand: Operand, to: u32, timeout: u32) -> Tried {
        let mailbox = self.mailbox(way, operand, |mailbox| mailbox.may_receive)?;
        self.must_be_a_wait(way, operand, timeout)?;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        let (length, is_long) = (state.stride, state.is_long());
        if is_long {
            self.must_be_callers(way, to, length.into())?;
        }
        let running = self.state.running();
        let gate = self.held_back(Gated::Mailbox(mailbox));
        way.only_if(gate.is_none() && !self.is_watched_over(mailbox))?;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        way.only_if(state.senders.is_empty())?;
        if gate.is_none()
            && let Some(place) = state.receive()
        {
            self.close_if(OnEarly::Keep, Gated::Mailbox(mailbox));
            self.note_on(way, Note::message(running, Passed::Received, mailbox.0));
            self.take_out(mailbox, place, to, length, is_long);
            let next = if W::IS_ORDINARY { Next::Stay } else { self.let_sender_in(mailbox) };
            return Ok(Some(self.keep_promise(way, operand, next)));
        }
        if timeout == POLL {
            self.leave_mailbox(mailbox);
            return Err(CallError::WouldBlock);
        }
        Ok(None)
    }

    /// Waits for a message.
    #[inline(never)]
    fn wait_for_message<W: Exit<S, M>>(
        &mut self,
        way: W,
        operand: Operand,
        to: u32,
        timeout: u32,
    ) -> W::Answer {
        let outcome = self.sleep_for_message(way, operand, to, timeout);
        self.come_to(way, outcome)
    }

    #[inline(always)]
    fn sleep_for_message<W: Way>(&mut self, way: W, operand: Operand, to: u32, timeout: u32) -> Outcome {
        let (running, mailbox) = (self.state.running(), MailboxId(operand.number()));
        self.must_want_to_wait(way, timeout)?;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        way.only_if(state.receivers.is_empty())?;
        self.state.threads.at_mut(running.index()).offer = Offer::room(to);
        match state.first_come {
            true if !W::IS_ORDINARY => state.receivers.append(&mut self.state.threads, running),
            _ => state.receivers.join(way, &self.machine.system().threads, &mut self.state.threads, running),
        }
        self.let_watchdog_rest(mailbox);
        if self.has_gate(Gated::Mailbox(mailbox)) && self.state.mailboxes.at(mailbox.index()).count > 0 {
            // There is a message, and the gate was closed.
            let _ = self.wait_before(Gated::Mailbox(mailbox));
            return Ok(self.sleep(Any::UNDER_WAY, Wait::Receive, operand, timeout));
        }
        Ok(self.sleep(way, Wait::Receive, operand, timeout))
    }

    /// The gate before a mailbox opens: the thread that waits first gets the oldest message.
    pub(crate) fn let_message_through(&mut self, mailbox: MailboxId) {
        let state = self.state.mailboxes.at_mut(mailbox.index());
        let (length, is_long) = (state.stride, state.is_long());
        if state.count == 0 {
            return;
        }
        let Some(receiver) = state.receivers.take(&self.state.threads) else { return };
        let Some(place) = state.receive() else { return };
        let to = self.state.threads.at(receiver.index()).offer.to();
        let message = match is_long {
            true => [place, 0],
            false => {
                let message = [self.machine.load(place), self.machine.load(place.wrapping_add(4))];
                self.with_news(mailbox, message)
            }
        };
        self.hand_over_message(Any::UNDER_WAY, receiver, message, to, length, is_long);
        self.note(Note::message(receiver, Passed::Received, mailbox.0));
        self.close_gate(Gated::Mailbox(mailbox));
        self.wake_later(receiver);
        if let Next::Wake(sender) = self.let_sender_in(mailbox) {
            self.wake_later(sender);
        }
        let state = self.state.mailboxes.at(mailbox.index());
        if state.count > 0 && !state.receivers.is_empty() {
            let _ = self.wait_before(Gated::Mailbox(mailbox));
        }
    }

    /// There is room again: if senders wait, the first one's message is put in.
    #[inline(never)]
    fn let_sender_in(&mut self, mailbox: MailboxId) -> Next {
        let state = self.state.mailboxes.at_mut(mailbox.index());
        let length = state.stride;
        if let Some((sender, place)) = state.let_in(&self.state.threads) {
            let message = self.state.threads.at(sender.index()).offer.as_message();
            self.put(place, message, length);
            self.note(Note::message(sender, Passed::Sent, mailbox.0));
            return Next::Wake(sender);
        }
        Next::Stay
    }

    /// A mailbox, if the caller may use it in this way.
    #[inline(always)]
    fn mailbox<W: Way>(
        &self,
        way: W,
        operand: Operand,
        allowed: impl Fn(&MailboxState) -> Processes,
    ) -> Result<MailboxId, CallError> {
        let mailbox = MailboxId(Self::number(way, operand, S::Mailboxes::LENGTH)?);
        self.must_be_allowed(way, allowed(self.state.mailboxes.at(mailbox.index())))?;
        Ok(mailbox)
    }

    /// Gives the message at a place to the caller.
    #[inline(always)]
    fn take_out(&mut self, mailbox: MailboxId, place: u32, to: u32, length: u8, is_long: bool) {
        if is_long {
            return self.machine.copy(place, to, length.into());
        }
        let message = [self.machine.load(place), self.machine.load(place.wrapping_add(4))];
        let message = self.with_news(mailbox, message);
        self.answer(message);
    }

    /// Puts a message, in registers or at an address, into a place.
    #[inline(always)]
    fn put(&mut self, place: u32, message: [u32; 2], length: u8) {
        if u32::from(length) > SHORT_MESSAGE {
            return self.machine.copy(message[0], place, length.into());
        }
        self.machine.store(place, message[0]);
        self.machine.store(place.wrapping_add(4), message[1]);
    }

    /// Gives a message to a thread that waits for it: in its registers, or at `to` if it is long.
    #[inline(always)]
    pub(crate) fn hand_over_message<W: Way>(
        &mut self,
        way: W,
        receiver: ThreadId,
        message: [u32; 2],
        to: u32,
        length: u8,
        is_long: bool,
    ) {
        match is_long {
            true => self.machine.copy(message[0], to, length.into()),
            false => self.deliver(way, receiver, message),
        }
    }
}
