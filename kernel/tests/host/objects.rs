//! Rows of kernel objects for a draft, one line each.

use beryl_abi::{
    ConditionId, Duration, EndpointId, EventGroupId, InterruptId, Line, MailboxId, NotificationId, Range,
    SemaphoreId, StateMessageId, ThreadId,
};
use beryl_kernel::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Processes, Semaphore, SemaphoreKind,
    Sizes, StateMessage, Table, Thread, ThreadKind,
};

use super::draft::Draft;

/// All processes.
pub const EVERYBODY: Processes = Processes::MAX;

/// Where the messages of all mailboxes are.
pub const STORAGE: u32 = 0x10_0000;
/// What follows them.
pub const STORAGE_END: u32 = 0x20_0000;

/// Where the messages of a mailbox are.
pub const fn storage(mailbox: u8) -> u32 {
    STORAGE + 0x1000 * mailbox as u32
}

/// How many rows of each table are taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    semaphores: u8,
    conditions: u8,
    mailboxes: u8,
    endpoints: u8,
    event_groups: u8,
    notifications: u8,
    interrupts: u8,
    state_messages: u8,
}

fn put<Row>(table: &mut impl Table<Row>, taken: &mut u8, row: Row) -> u8 {
    let length = table_length(table);
    assert!(usize::from(*taken) < length, "too many rows");
    *table.at_mut(usize::from(*taken)) = row;
    *taken += 1;
    *taken - 1
}

const fn table_length<Row, T: Table<Row>>(_: &T) -> usize {
    T::LENGTH
}

impl<S: Sizes> Draft<S> {
    /// A binary semaphore of all processes.
    pub fn binary(&mut self) -> SemaphoreId {
        self.semaphore(EVERYBODY, SemaphoreKind::Binary { word: 0 })
    }

    /// A binary semaphore with a user's word, for one process.
    pub fn word(&mut self, process: u8, word: u32) -> SemaphoreId {
        self.semaphore(1 << process, SemaphoreKind::Binary { word })
    }

    /// A counting semaphore of all processes.
    pub fn counting(&mut self, initial: u16, most: u16) -> SemaphoreId {
        self.semaphore(EVERYBODY, SemaphoreKind::Counting { initial, most })
    }

    /// Any semaphore.
    pub fn semaphore(&mut self, processes: Processes, kind: SemaphoreKind) -> SemaphoreId {
        let row = Semaphore { processes, kind };
        SemaphoreId(put(&mut self.system.semaphores, &mut self.counts.semaphores, row))
    }

    /// A condition of all processes.
    pub fn condition(&mut self) -> ConditionId {
        let row = Condition { processes: EVERYBODY };
        ConditionId(put(&mut self.system.conditions, &mut self.counts.conditions, row))
    }

    /// A mailbox of all processes, by urgency.
    pub fn mailbox(&mut self, length: u8, capacity: u8) -> MailboxId {
        let base = storage(self.counts.mailboxes);
        let (senders, receivers) = (EVERYBODY, EVERYBODY);
        let row = Mailbox { senders, receivers, base, length, capacity, first_come: false };
        MailboxId(put(&mut self.system.mailboxes, &mut self.counts.mailboxes, row))
    }

    /// The same, first come first served.
    pub fn mailbox_in_order(&mut self, length: u8, capacity: u8) -> MailboxId {
        let mailbox = self.mailbox(length, capacity);
        self.system.mailboxes.at_mut(mailbox.index()).first_come = true;
        mailbox
    }

    /// Only one process may name this mailbox.
    pub fn only_for(&mut self, mailbox: MailboxId, process: u8) {
        let row = self.system.mailboxes.at_mut(mailbox.index());
        (row.senders, row.receivers) = (1 << process, 1 << process);
    }

    /// Only one process may name this event group.
    pub fn group_only_for(&mut self, group: EventGroupId, process: u8) {
        let row = self.system.event_groups.at_mut(group.index());
        (row.sources, row.waiters) = (1 << process, 1 << process);
    }

    /// An endpoint of all processes.
    pub fn endpoint(&mut self, server: ThreadId, request: u8, reply: u8) -> EndpointId {
        let row = Endpoint { callers: EVERYBODY, server, request, reply };
        EndpointId(put(&mut self.system.endpoints, &mut self.counts.endpoints, row))
    }

    /// An event group of all processes.
    pub fn event_group(&mut self) -> EventGroupId {
        let row = EventGroup { sources: EVERYBODY, waiters: EVERYBODY };
        EventGroupId(put(&mut self.system.event_groups, &mut self.counts.event_groups, row))
    }

    /// A notification that everybody may set.
    pub fn notification(&mut self, thread: ThreadId, bits: u32) -> NotificationId {
        let row = Notification { senders: EVERYBODY, thread, bits };
        NotificationId(put(&mut self.system.notifications, &mut self.counts.notifications, row))
    }

    /// An interrupt that a thread serves.
    pub fn interrupt(&mut self, line: u16, thread: ThreadId, bits: u32) -> InterruptId {
        let row = Interrupt { line: Line(line), thread, bits };
        InterruptId(put(&mut self.system.interrupts, &mut self.counts.interrupts, row))
    }

    /// A state message that everybody may read.
    pub fn state_message(&mut self, index: u32, base: u32, length: u16, depth: u8) -> StateMessageId {
        let row = StateMessage { readers: EVERYBODY, index, base, length, depth };
        StateMessageId(put(&mut self.system.state_messages, &mut self.counts.state_messages, row))
    }

    /// A periodic thread whose deadline is its period.
    pub fn periodic(&mut self, process: u8, band: u8, priority: u8, period: u64) -> ThreadId {
        let thread = self.thread(ThreadKind::Periodic, process, band, priority);
        let row = self.row(thread);
        (row.period, row.deadline) = (Duration::from_ticks(period), Duration::from_ticks(period));
        thread
    }

    /// A free thread of a dynamic band.
    pub fn within(&mut self, process: u8, band: u8, deadline: u64) -> ThreadId {
        let thread = self.free(process, band, 0);
        self.row(thread).deadline = Duration::from_ticks(deadline);
        thread
    }

    /// Free threads of process 0 in the first band.
    pub fn all_free(&mut self, priorities: &[u8]) {
        for priority in priorities {
            self.free(0, 0, *priority);
        }
    }

    /// A thread's row, to be changed.
    pub fn row(&mut self, thread: ThreadId) -> &mut Thread {
        self.system.threads.at_mut(thread.index())
    }
}

/// A thread's stack; its last two words are shared with the kernel.
pub const fn stack(thread: ThreadId) -> Range {
    Range::new(STORAGE_END + 0x100 * thread.0 as u32, 0x100)
}

/// A process's memory.
pub const fn memory(process: u8) -> Range {
    Range::new(0x30_0000 + 0x1000 * process as u32, 0x1000)
}
