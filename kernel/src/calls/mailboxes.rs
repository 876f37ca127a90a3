//! Mailboxes: bounded queues of messages.
//!
//! A message of at most eight bytes travels in registers, a longer one from memory to memory. If
//! somebody waits on the other side, it goes there directly.

use beryl_abi::call::{Operand, SHORT_MESSAGE};
use beryl_abi::{CallError, MailboxId, Note, Passed, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::objects::mailbox::Sent;
use crate::rows::objects::Mailbox;
use crate::scheduling::thread::{Offer, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Way;

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
        let (mailbox, row) = self.mailbox(way, operand, |row| row.senders)?;
        self.must_be_a_wait(way, operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(way, message[0], row.length.into())?;
        }
        let running = self.state.running();
        match self.state.mailboxes.at_mut(mailbox.index()).send(row, &self.state.threads) {
            Sent::To(receiver) => {
                let to = self.state.threads.at(receiver.index()).offer.to();
                self.hand_over_message(receiver, message, to, row.length, row.is_long());
                self.note_on(way, Note::message(running, Passed::Sent, mailbox.0));
                self.note_on(way, Note::message(receiver, Passed::Received, mailbox.0));
                return Ok(self.keep_promise(way, operand, Next::Wake(receiver)));
            }
            Sent::Kept(place) => {
                self.put(place, message, row.length);
                self.note_on(way, Note::message(running, Passed::Sent, mailbox.0));
                return Ok(self.keep_promise(way, operand, Next::Stay));
            }
            Sent::Full => {}
        }
        self.must_want_to_wait(way, timeout)?;
        way.rare()?;
        self.state.threads.at_mut(running.index()).offer = Offer::message(message);
        let queue = &mut self.state.mailboxes.at_mut(mailbox.index()).senders;
        match row.first_come {
            true => queue.append(&mut self.state.threads, running),
            false => queue.insert(&self.machine.system().threads, &mut self.state.threads, running),
        }
        Ok(self.sleep(way, Wait::Send, operand, timeout))
    }

    /// Receives a message, or waits for one.
    #[inline(always)]
    pub(crate) fn mailbox_receive<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        to: u32,
        timeout: u32,
    ) -> Outcome {
        let (mailbox, row) = self.mailbox(way, operand, |row| row.receivers)?;
        self.must_be_a_wait(way, operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(way, to, row.length.into())?;
        }
        let running = self.state.running();
        let state = self.state.mailboxes.at_mut(mailbox.index());
        way.only_if(state.senders.is_empty() && state.receivers.is_empty())?;
        if let Some(place) = state.receive(row) {
            self.note_on(way, Note::message(running, Passed::Received, mailbox.0));
            self.take_out(place, to, row);
            let next = if W::IS_ORDINARY { Next::Stay } else { self.let_sender_in(mailbox, row) };
            return Ok(self.keep_promise(way, operand, next));
        }
        self.must_want_to_wait(way, timeout)?;
        self.state.threads.at_mut(running.index()).offer = Offer::room(to);
        let queue = &mut self.state.mailboxes.at_mut(mailbox.index()).receivers;
        match row.first_come {
            true if !W::IS_ORDINARY => queue.append(&mut self.state.threads, running),
            _ => queue.join(way, &self.machine.system().threads, &mut self.state.threads, running),
        }
        Ok(self.sleep(way, Wait::Receive, operand, timeout))
    }

    /// There is room again: the message of the sender that waits first, if any does, is put in.
    #[inline(never)]
    fn let_sender_in(&mut self, mailbox: MailboxId, row: &Mailbox) -> Next {
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if let Some((sender, place)) = state.let_in(row, &self.state.threads) {
            let message = self.state.threads.at(sender.index()).offer.as_message();
            self.put(place, message, row.length);
            self.note(Note::message(sender, Passed::Sent, mailbox.0));
            return Next::Wake(sender);
        }
        Next::Stay
    }

    /// A mailbox, if the caller may use it so.
    #[inline(always)]
    fn mailbox<W: Way>(
        &self,
        way: W,
        operand: Operand,
        allowed: impl Fn(&Mailbox) -> u32,
    ) -> Result<(MailboxId, &'static Mailbox), CallError> {
        let mailbox = MailboxId(Self::number(way, operand, S::Mailboxes::LENGTH)?);
        let row = self.machine.system().mailboxes.at(mailbox.index());
        self.must_be_allowed(way, allowed(row))?;
        Ok((mailbox, row))
    }

    /// Gives the message at a place to the caller.
    #[inline(always)]
    fn take_out(&mut self, place: u32, to: u32, row: &Mailbox) {
        if row.is_long() {
            return self.machine.copy(place, to, row.length.into());
        }
        let message = [self.machine.load(place), self.machine.load(place.wrapping_add(4))];
        self.answer(message);
    }

    /// Puts a message, in registers or at an address, to a place.
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
    pub(crate) fn hand_over_message(
        &mut self,
        receiver: ThreadId,
        message: [u32; 2],
        to: u32,
        length: u8,
        is_long: bool,
    ) {
        match is_long {
            true => self.machine.copy(message[0], to, length.into()),
            false => self.machine.result(receiver, message),
        }
    }
}
