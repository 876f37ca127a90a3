//! Mailboxes: bounded queues of messages.

use beryl_abi::ThreadId;
use beryl_abi::call::SHORT_MESSAGE;

use crate::objects::queue::Queue;
use crate::rows::objects::Mailbox;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// What changes of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MailboxState {
    /// Who waits for room.
    pub(crate) senders: Queue,
    /// Who waits for a message.
    pub(crate) receivers: Queue,
    /// The position of the oldest message.
    pub(crate) oldest: u8,
    /// How many messages there are.
    pub(crate) count: u8,
}

impl MailboxState {
    pub(crate) const EMPTY: MailboxState =
        MailboxState { senders: Queue::EMPTY, receivers: Queue::EMPTY, oldest: 0, count: 0 };
}

/// What comes of a message that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It goes to this thread, which has waited for it.
    To(ThreadId),
    /// It is kept at this address.
    Kept(u32),
    /// There is no room.
    Full,
}

impl MailboxState {
    /// A message is sent.
    #[inline(always)]
    pub(crate) fn send(&mut self, row: &Mailbox, threads: &impl Table<ThreadState>) -> Sent {
        if let Some(receiver) = self.receivers.take(threads) {
            return Sent::To(receiver);
        }
        if self.count >= row.capacity {
            return Sent::Full;
        }
        Sent::Kept(self.keep(row))
    }

    /// The oldest message is taken out: where it is; nothing if there is none.
    #[inline(always)]
    pub(crate) fn receive(&mut self, row: &Mailbox) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        let place = row.place(self.oldest);
        self.oldest = row.behind(self.oldest, 1);
        self.count -= 1;
        Some(place)
    }

    /// There is room: the sender that has waited first, if any has, and where its message goes.
    #[inline(always)]
    pub(crate) fn let_in(
        &mut self,
        row: &Mailbox,
        threads: &impl Table<ThreadState>,
    ) -> Option<(ThreadId, u32)> {
        let sender = self.senders.take(threads)?;
        Some((sender, self.keep(row)))
    }

    /// The address of one more message.
    #[inline(always)]
    fn keep(&mut self, row: &Mailbox) -> u32 {
        let place = row.place(row.behind(self.oldest, self.count));
        self.count += 1;
        place
    }
}

impl Blank for MailboxState {
    const BLANK: MailboxState =
        MailboxState { senders: Queue::BLANK, receivers: Queue::BLANK, ..MailboxState::EMPTY };
}

impl Mailbox {
    /// Whether messages travel in memory.
    #[inline(always)]
    pub fn is_long(&self) -> bool {
        u32::from(self.length) > SHORT_MESSAGE
    }

    /// The place of a message. Short ones take two words whatever their length is.
    #[inline(always)]
    pub fn place(&self, position: u8) -> u32 {
        let stride = u32::from(self.length).max(SHORT_MESSAGE);
        self.base.wrapping_add(stride * u32::from(position))
    }

    /// The position `count` behind `position`; neither is beyond the capacity.
    #[inline(always)]
    pub fn behind(&self, position: u8, count: u8) -> u8 {
        let behind = u16::from(position) + u16::from(count);
        let capacity = u16::from(self.capacity);
        (if behind >= capacity { behind - capacity } else { behind }) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::objects::Mailbox;

    const ROW: Mailbox = Mailbox { base: 0x100, length: 4, capacity: 2, ..Mailbox::NONE };

    #[test]
    fn messages_leave_in_the_order_in_which_they_came() {
        let threads = [ThreadState::DORMANT; 2];
        let mut mailbox = MailboxState::EMPTY;
        let send = |mailbox: &mut MailboxState| mailbox.send(&ROW, &threads);
        assert_eq!(mailbox.receive(&ROW), None);
        assert_eq!([(); 3].map(|()| send(&mut mailbox)), [Sent::Kept(0x100), Sent::Kept(0x108), Sent::Full]);
        assert_eq!(mailbox.receive(&ROW), Some(0x100));
        assert_eq!(send(&mut mailbox), Sent::Kept(0x100), "round the end");
        assert_eq!([(); 3].map(|()| mailbox.receive(&ROW)), [Some(0x108), Some(0x100), None]);
    }

    #[test]
    fn who_waits_comes_before_what_is_kept() {
        let mut threads = [ThreadState::DORMANT; 2];
        let mut mailbox = MailboxState::EMPTY;
        mailbox.receivers = Queue::of(&mut threads, ThreadId(1));
        assert_eq!(mailbox.send(&ROW, &threads), Sent::To(ThreadId(1)));
        assert!(mailbox.receivers.is_empty() && mailbox.count == 0);
        mailbox.senders = Queue::of(&mut threads, ThreadId(0));
        assert_eq!(mailbox.let_in(&ROW, &threads), Some((ThreadId(0), 0x100)));
        assert_eq!((mailbox.let_in(&ROW, &threads), mailbox.receive(&ROW)), (None, Some(0x100)));
    }
}
