//! Names of the kernel's objects: positions in the tables that the builder writes.

use crate::words::{Word, Wrong};

macro_rules! identity {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub $number);

        impl $name {
            /// The position in the object's table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Word for $name {
            #[inline(always)]
            fn word(self) -> u32 {
                self.0.into()
            }

            fn of(word: u32) -> Result<$name, Wrong> {
                Word::of(word).map($name)
            }
        }
    };
}

identity!(
    /// A thread. Tasks come first in the thread table, so a task is named by its thread.
    ThreadId(u8)
);
identity!(
    /// A process.
    ProcessId(u8)
);
identity!(
    /// A band; 0 is the most urgent.
    BandId(u8)
);
identity!(
    /// A running timing program: one for each module.
    ProgramId(u8)
);
identity!(
    /// A program slot: a place for other programs of a module.
    SlotId(u8)
);
identity!(
    /// A driver in the E machine's sense.
    DriverId(u16)
);
identity!(
    /// An interrupt line, as the board numbers it.
    Line(u16)
);
identity!(
    /// A semaphore.
    SemaphoreId(u8)
);
identity!(
    /// A condition variable.
    ConditionId(u8)
);
identity!(
    /// A mailbox.
    MailboxId(u8)
);
identity!(
    /// An endpoint of synchronous calls.
    EndpointId(u8)
);
identity!(
    /// A notification: a thread's word of bits, and the right to set them.
    NotificationId(u8)
);
identity!(
    /// An event group: bits for which threads wait.
    EventGroupId(u8)
);
identity!(
    /// An interrupt that a thread serves.
    InterruptId(u8)
);
identity!(
    /// A state message that can be read by a call.
    StateMessageId(u8)
);

impl SlotId {
    /// No slot.
    pub const NONE: SlotId = SlotId(u8::MAX);
    /// From this number on slots are those of processes that can be replaced, not of modules.
    const PROCESSES: u8 = 128;

    /// The slot of a process that can be replaced.
    #[must_use]
    pub const fn of_process(process: ProcessId) -> SlotId {
        SlotId(SlotId::PROCESSES | process.0)
    }

    /// The process whose slot this is; none if it is a module's.
    #[must_use]
    pub const fn process(self) -> Option<ProcessId> {
        match self.0.checked_sub(SlotId::PROCESSES) {
            Some(process) => Some(ProcessId(process)),
            None => None,
        }
    }
}

impl ThreadId {
    /// No thread: the value that fills unused places in tables.
    pub const NONE: ThreadId = ThreadId(u8::MAX);

    /// Whether this names a thread at all.
    #[must_use]
    pub const fn is_some(self) -> bool {
        self.0 != u8::MAX
    }
}
