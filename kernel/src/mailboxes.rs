//! Mailboxes: bounded queues of messages.
//!
//! A message of at most eight bytes travels in registers, a longer one from memory to memory. If
//! somebody waits on the other side, it goes there directly.

use beryl_abi::call::{FOREVER, Operand, SHORT_MESSAGE, SUCCESS};
use beryl_abi::{CallError, MailboxId, Note, Passed, ThreadId};

use crate::calls::{Outcome, is_allowed, is_short, plain_number, short};
use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::queues::Queue;
use crate::sizes::{Sizes, Table};
use crate::state::Wait;
use crate::system::Mailbox;

impl Mailbox {
    /// Whether messages travel in memory.
    #[inline(always)]
    fn is_long(&self) -> bool {
        u32::from(self.length) > SHORT_MESSAGE
    }

    /// The place of a message. Short ones take two words whatever their length is.
    #[inline(always)]
    fn place(&self, position: u8) -> u32 {
        let stride = u32::from(self.length).max(SHORT_MESSAGE);
        self.base.wrapping_add(stride * u32::from(position))
    }

    /// The position `count` behind `position`; neither is beyond the capacity.
    #[inline(always)]
    fn behind(&self, position: u8, count: u8) -> u8 {
        let behind = u16::from(position) + u16::from(count);
        let capacity = u16::from(self.capacity);
        (if behind >= capacity { behind - capacity } else { behind }) as u8
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Puts a message into a mailbox that has room, or gives it to who waits for it. Long ones come from the
    /// caller's stack.
    #[inline(always)]
    pub(crate) fn send_at_once(
        &mut self,
        operand: Operand,
        message: [u32; 2],
        timeout: u32,
    ) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let mailbox = MailboxId(plain_number(operand, S::Mailboxes::LENGTH)?);
        let row = self.machine.system().mailboxes.at(mailbox.index());
        is_allowed(row.senders, process)?;
        if !is_short(timeout) || row.is_long() && !self.is_on_stack(message[0], row.length.into()) {
            return None;
        }
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if let Some(receiver) = state.receivers.take(&self.state.threads) {
            self.succeed();
            match row.is_long() {
                true => {
                    let to = self.state.threads.at(receiver.index()).message[0];
                    self.hand_over_message(receiver, message, to, row.length, true);
                }
                false => self.machine.result(receiver, short(message)),
            }
            return Some(self.wake_at_once(receiver));
        }
        if state.count >= row.capacity {
            return None;
        }
        let place = row.place(row.behind(state.oldest, state.count));
        state.count += 1;
        self.put(place, message, row.length);
        self.succeed();
        Some(Switch::Stay)
    }

    /// Takes a message from a mailbox into which nobody waits to put one, or waits for one. Long ones go to
    /// the caller's stack.
    #[inline(always)]
    pub(crate) fn receive_at_once(&mut self, operand: Operand, to: u32, timeout: u32) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let mailbox = MailboxId(plain_number(operand, S::Mailboxes::LENGTH)?);
        let row = self.machine.system().mailboxes.at(mailbox.index());
        is_allowed(row.receivers, process)?;
        if !is_short(timeout) || row.is_long() && !self.is_on_stack(to, row.length.into()) {
            return None;
        }
        let running = self.state.running;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if state.count == 0 {
            if !state.receivers.is_empty() || timeout != FOREVER {
                return None;
            }
            let rank = self.own_rank()?;
            self.state.threads.at_mut(running.index()).message[0] = to;
            self.state.mailboxes.at_mut(mailbox.index()).receivers =
                Queue::of(&mut self.state.threads, running);
            return Some(self.sleep_at_once(Wait::Receive, operand, rank));
        }
        if !state.senders.is_empty() {
            return None;
        }
        let place = row.place(state.oldest);
        state.oldest = row.behind(state.oldest, 1);
        state.count -= 1;
        self.take_out(place, to, row);
        Some(Switch::Stay)
    }

    /// Sends a message, or waits for room.
    #[inline(never)]
    pub(crate) fn mailbox_send(&mut self, operand: Operand, message: [u32; 2], timeout: u32) -> Outcome {
        let (mailbox, row) = self.mailbox(operand, |row| row.senders)?;
        self.must_be_a_wait(operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(message[0], row.length.into())?;
        }
        let running = self.state.running;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if let Some(receiver) = state.receivers.take(&self.state.threads) {
            let to = self.state.threads.at(receiver.index()).message[0];
            self.hand_over_message(receiver, message, to, row.length, row.is_long());
            self.note(Note::message(running, Passed::Sent, mailbox.0));
            self.note(Note::message(receiver, Passed::Received, mailbox.0));
            self.succeed();
            return Ok(self.keep_promise(operand, Next::Wake(receiver)));
        }
        if state.count < row.capacity {
            let place = row.place(row.behind(state.oldest, state.count));
            state.count += 1;
            self.put(place, message, row.length);
            self.note(Note::message(running, Passed::Sent, mailbox.0));
            self.succeed();
            return Ok(self.keep_promise(operand, Next::Stay));
        }
        let next = self.sleep_unless_polling(Wait::Send, operand, timeout)?;
        self.state.threads.at_mut(running.index()).message = message;
        let queue = &mut self.state.mailboxes.at_mut(mailbox.index()).senders;
        match row.first_come {
            true => queue.append(&mut self.state.threads, running),
            false => queue.insert(self.machine.system(), &mut self.state.threads, running),
        }
        Ok(next)
    }

    /// Receives a message, or waits for one.
    #[inline(never)]
    pub(crate) fn mailbox_receive(&mut self, operand: Operand, to: u32, timeout: u32) -> Outcome {
        let (mailbox, row) = self.mailbox(operand, |row| row.receivers)?;
        self.must_be_a_wait(operand, timeout)?;
        if row.is_long() {
            self.must_be_callers(to, row.length.into())?;
        }
        let running = self.state.running;
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if state.count > 0 {
            let place = row.place(state.oldest);
            state.oldest = row.behind(state.oldest, 1);
            state.count -= 1;
            let senders = state.senders;
            self.note(Note::message(running, Passed::Received, mailbox.0));
            self.take_out(place, to, row);
            let next = match senders.is_empty() {
                true => Next::Stay,
                false => self.let_sender_in(mailbox, row),
            };
            return Ok(self.keep_promise(operand, next));
        }
        let next = self.sleep_unless_polling(Wait::Receive, operand, timeout)?;
        self.state.threads.at_mut(running.index()).message[0] = to;
        let queue = &mut self.state.mailboxes.at_mut(mailbox.index()).receivers;
        match row.first_come {
            true => queue.append(&mut self.state.threads, running),
            false => queue.insert(self.machine.system(), &mut self.state.threads, running),
        }
        Ok(next)
    }

    /// There is room again: the message of the sender that waits first is put in.
    #[inline(never)]
    fn let_sender_in(&mut self, mailbox: MailboxId, row: &Mailbox) -> Next {
        let state = self.state.mailboxes.at_mut(mailbox.index());
        if let Some(sender) = state.senders.take(&self.state.threads) {
            let place = row.place(row.behind(state.oldest, state.count));
            state.count += 1;
            let message = self.state.threads.at(sender.index()).message;
            self.put(place, message, row.length);
            self.note(Note::message(sender, Passed::Sent, mailbox.0));
            self.machine.status(sender, SUCCESS);
            return Next::Wake(sender);
        }
        Next::Stay
    }

    /// A mailbox, if the caller may use it so.
    #[inline(always)]
    fn mailbox(
        &self,
        operand: Operand,
        allowed: impl Fn(&Mailbox) -> u32,
    ) -> Result<(MailboxId, &'static Mailbox), CallError> {
        let mailbox = MailboxId(operand.number());
        if mailbox.index() >= S::Mailboxes::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().mailboxes.at(mailbox.index());
        self.must_be_allowed(allowed(row))?;
        Ok((mailbox, row))
    }

    /// Gives the message at a place to the caller.
    #[inline(always)]
    fn take_out(&mut self, place: u32, to: u32, row: &Mailbox) {
        if row.is_long() {
            self.machine.copy(place, to, row.length.into());
            return self.succeed();
        }
        let message = [self.machine.load(place), self.machine.load(place.wrapping_add(4))];
        self.answer(short(message));
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
    #[inline(never)]
    pub(crate) fn hand_over_message(
        &mut self,
        receiver: ThreadId,
        message: [u32; 2],
        to: u32,
        length: u8,
        is_long: bool,
    ) {
        if is_long {
            self.machine.copy(message[0], to, length.into());
            self.machine.result(receiver, [SUCCESS, 0, 0]);
        } else {
            self.machine.result(receiver, short(message));
        }
    }
}
