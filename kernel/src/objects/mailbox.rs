//! Mailboxes: bounded queues of messages.

use beryl_abi::ThreadId;
use beryl_abi::call::SHORT_MESSAGE;

use crate::objects::queue::Queue;
use crate::rows::objects::Mailbox;
use crate::rows::processes::Processes;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// Everything that a call reads or changes of a mailbox, in one row, so that it is found at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct MailboxState {
    /// The processes that may send.
    pub(crate) may_send: Processes,
    /// The processes that may receive.
    pub(crate) may_receive: Processes,
    /// The address of the oldest message.
    oldest: u32,
    /// The address of the next one.
    next: u32,
    /// The addresses at which its memory begins and ends.
    base: u32,
    end: u32,
    /// Bytes for each message, in whole words: at least two.
    pub(crate) stride: u8,
    /// How many messages fit.
    capacity: u8,
    /// How many messages there are.
    pub(crate) count: u8,
    /// Whether waiters are served first come, first served.
    pub(crate) first_come: bool,
    /// The threads that wait for room.
    pub(crate) senders: Queue,
    /// The threads that wait for a message.
    pub(crate) receivers: Queue,
}

// A power of two, so that a shift finds a row.
const _: () = assert!(size_of::<MailboxState>() == 32);

impl MailboxState {
    /// A mailbox's initial state.
    pub(crate) const fn of(row: &Mailbox) -> MailboxState {
        let stride = if row.length as u32 > SHORT_MESSAGE { row.length } else { SHORT_MESSAGE as u8 };
        MailboxState {
            may_send: row.senders,
            may_receive: row.receivers,
            oldest: row.base,
            next: row.base,
            base: row.base,
            end: row.base.wrapping_add(stride as u32 * row.capacity as u32),
            stride,
            capacity: row.capacity,
            count: 0,
            first_come: row.first_come,
            senders: Queue::EMPTY,
            receivers: Queue::EMPTY,
        }
    }

    /// Whether it carries the kernel's own messages: nobody else may send.
    #[inline(always)]
    pub(crate) fn is_kernels(&self) -> bool {
        self.may_send == 0
    }

    /// Whether messages travel in memory.
    #[inline(always)]
    pub(crate) fn is_long(&self) -> bool {
        u32::from(self.stride) > SHORT_MESSAGE
    }
}

/// The result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It goes to this waiting thread.
    To(ThreadId),
    /// It is kept at this address.
    Kept(u32),
    /// There is no room.
    Full,
}

impl MailboxState {
    /// Sends a message.
    #[inline(always)]
    pub(crate) fn send(&mut self, threads: &impl Table<ThreadState>) -> Sent {
        if let Some(receiver) = self.receivers.take(threads) {
            return Sent::To(receiver);
        }
        self.put_by()
    }

    /// Keeps a message, whoever waits for one.
    #[inline(always)]
    pub(crate) fn put_by(&mut self) -> Sent {
        if self.count >= self.capacity {
            return Sent::Full;
        }
        Sent::Kept(self.keep())
    }

    /// Takes out the oldest message: returns its address, or none.
    #[inline(always)]
    pub(crate) fn receive(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        let place = self.oldest;
        self.oldest = self.behind(place);
        Some(place)
    }

    /// There is room: the sender that waits first, if any, and the address for its message.
    #[inline(always)]
    pub(crate) fn let_in(&mut self, threads: &impl Table<ThreadState>) -> Option<(ThreadId, u32)> {
        let sender = self.senders.take(threads)?;
        Some((sender, self.keep()))
    }

    /// The address of one more message.
    #[inline(always)]
    fn keep(&mut self) -> u32 {
        self.count += 1;
        let place = self.next;
        self.next = self.behind(place);
        place
    }

    /// The next place, around the ring.
    #[inline(always)]
    fn behind(&self, place: u32) -> u32 {
        let behind = place.wrapping_add(self.stride.into());
        if behind == self.end { self.base } else { behind }
    }
}

impl Blank for MailboxState {
    const BLANK: MailboxState = MailboxState {
        may_send: 0,
        may_receive: 0,
        oldest: 0,
        next: 0,
        base: 0,
        end: 0,
        stride: 0,
        capacity: 0,
        count: 0,
        first_come: false,
        senders: Queue::BLANK,
        receivers: Queue::BLANK,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Mailbox = Mailbox { base: 0x100, length: 4, capacity: 2, ..Mailbox::NONE };

    #[test]
    fn messages_leave_in_the_order_in_which_they_came() {
        let threads = [ThreadState::DORMANT; 2];
        let mut mailbox = MailboxState::of(&ROW);
        let send = |mailbox: &mut MailboxState| mailbox.send(&threads);
        assert_eq!(mailbox.receive(), None);
        assert_eq!([(); 3].map(|()| send(&mut mailbox)), [Sent::Kept(0x100), Sent::Kept(0x108), Sent::Full]);
        assert_eq!(mailbox.receive(), Some(0x100));
        assert_eq!(send(&mut mailbox), Sent::Kept(0x100), "round the end");
        assert_eq!([(); 3].map(|()| mailbox.receive()), [Some(0x108), Some(0x100), None]);
    }

    #[test]
    fn who_waits_comes_before_what_is_kept() {
        let mut threads = [ThreadState::DORMANT; 2];
        let mut mailbox = MailboxState::of(&ROW);
        mailbox.receivers = Queue::of(&mut threads, ThreadId(1));
        assert_eq!(mailbox.send(&threads), Sent::To(ThreadId(1)));
        assert!(mailbox.receivers.is_empty() && mailbox.count == 0);
        mailbox.senders = Queue::of(&mut threads, ThreadId(0));
        assert_eq!(mailbox.let_in(&threads), Some((ThreadId(0), 0x100)));
        assert_eq!((mailbox.let_in(&threads), mailbox.receive()), (None, Some(0x100)));
    }
}
