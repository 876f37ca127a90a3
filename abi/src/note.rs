//! Notes: records of one fixed size, and the classes by which records are switched on and off.
//!
//! A note is what the kernel stores on a target: a header (kind in bits 0 to 7, subject in bits 8 to 23, the number
//! of its class in bits 24 to 27) and two words. All that happens to threads and objects is told by notes; a
//! [`Record`](crate::Record) of the other kinds is cut down to one where it has to fit into the buffer on a target.

use crate::{DriverId, Line, ProgramId, SemaphoreId, ThreadId};

/// A set of classes of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Classes(pub u16);

macro_rules! classes {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $word:literal;)+) => {
        impl Classes {
            $($(#[doc = $text])+ pub const $name: Classes = Classes(1 << $number);)+

            /// All classes with what they are called, in the order of their numbers.
            pub const NAMED: &[(&str, Classes)] = &[$(($word, Classes::$name),)+];

            /// All of them.
            pub const ALL: Classes = Classes($(1 << $number)|+);
        }
    };
}

classes! {
    /// Jobs: released, completed, missed, overrun, violated, skipped.
    JOBS = 0, "jobs";
    /// Who has the processor.
    SWITCHES = 1, "switches";
    /// Drivers of timing programs, with what they move.
    DRIVERS = 2, "drivers";
    /// Programs that take over from others.
    SWAPS = 3, "swaps";
    /// Faults, interrupts that nobody asked for, and how much was lost.
    FAULTS = 4, "faults";
    /// Threads that go to wait, wake and stop.
    WAITS = 5, "waits";
    /// Locks: waited for (with inheritance), held, given back.
    LOCKS = 6, "locks";
    /// Messages, requests, replies and notifications.
    MESSAGES = 7, "messages";
    /// Interrupts that come, and that their threads are done with.
    INTERRUPTS = 8, "interrupts";
    /// Where the programs go on at an instant: which mode they are in.
    MODES = 9, "modes";
    /// The kernel itself: when it is entered and left.
    KERNEL = 10, "kernel";
    /// What applications tell.
    EVENTS = 11, "events";
    /// Budgets that are used up: those of native drivers, and what jobs may take.
    BUDGETS = 12, "budgets";
}

impl Classes {
    /// No class.
    pub const NONE: Classes = Classes(0);
    /// What says who ran when, and what became of jobs.
    pub const BASIC: Classes = Classes(0b1_1111);
    /// All but the kernel's entries, of which there are more than of all others together.
    pub const RUN: Classes = Classes(Classes::ALL.0 & !Classes::KERNEL.0);

    /// Whether one of `classes` is among them.
    #[must_use]
    #[inline(always)]
    pub const fn has(self, classes: Classes) -> bool {
        self.0 & classes.0 != 0
    }

    /// Whether there is any.
    #[must_use]
    #[inline(always)]
    pub const fn is_any(self) -> bool {
        self.0 != 0
    }

    /// These and the others.
    #[must_use]
    #[inline(always)]
    pub const fn with(self, others: Classes) -> Classes {
        Classes(self.0 | others.0)
    }

    /// The only class of a set with one.
    const fn number(self) -> u32 {
        self.0.trailing_zeros()
    }
}

pub use crate::kinds::{class_of, kind};

/// The class of a kind that there is.
#[inline(always)]
pub(crate) const fn class_of_kind(kind: u32) -> Classes {
    match class_of(kind) {
        Some(class) => class,
        None => Classes::NONE,
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Awaited {
    /// Its next release.
    Period = 1,
    /// An instant.
    Time = 2,
    /// Bits of its notification.
    Notification = 3,
    /// A semaphore.
    Semaphore = 4,
    /// A condition.
    Condition = 5,
    /// Room in a mailbox.
    Send = 6,
    /// A message in a mailbox.
    Receive = 7,
    /// A request at an endpoint.
    Request = 8,
    /// An endpoint's server that serves somebody else.
    Call = 9,
    /// An endpoint's server that serves it.
    Reply = 10,
    /// Bits of an event group.
    EventGroup = 11,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Passed {
    /// Sent to a mailbox.
    Sent = 1,
    /// Received from a mailbox.
    Received = 2,
    /// A request at an endpoint.
    Asked = 3,
    /// A reply from an endpoint.
    Replied = 4,
    /// Bits of a notification were set.
    Notified = 5,
    /// Bits of an event group were set.
    Set = 6,
    /// Bits of an event group were cleared.
    Cleared = 7,
}

macro_rules! numbered {
    ($name:ident: $($variant:ident)+) => {
        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant,)+];

            /// The one with this number, or nothing.
            #[must_use]
            pub const fn decode(number: u8) -> Option<$name> {
                $(if number == $name::$variant as u8 {
                    return Some($name::$variant);
                })+
                None
            }
        }
    };
}

numbered!(Awaited: Period Time Notification Semaphore Condition Send Receive Request Call Reply EventGroup);
numbered!(Passed: Sent Received Asked Replied Notified Set Cleared);

/// A record of one fixed size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Note {
    /// Kind, subject and the number of the class.
    pub header: u32,
    /// The kind's own words.
    pub words: [u32; 2],
}

impl Note {
    /// A note of a kind.
    #[must_use]
    #[inline(always)]
    pub const fn of(kind: u32, subject: u16, words: [u32; 2]) -> Note {
        Note { header: kind | (subject as u32) << 8 | class_of_kind(kind).number() << 24, words }
    }

    /// A thread goes to wait.
    #[must_use]
    #[inline(always)]
    pub const fn block(thread: ThreadId, awaited: u8, object: u8) -> Note {
        let what = awaited as u32 | (object as u32) << 8;
        Note::of(kind::BLOCK, thread.0 as u16, [what, 0])
    }

    /// What a thread waited for has happened, or it has waited long enough.
    #[must_use]
    #[inline(always)]
    pub const fn wake(thread: ThreadId) -> Note {
        Note::of(kind::WAKE, thread.0 as u16, [0, 0])
    }

    /// A thread waits for what `owner` has, and lends its place to it.
    #[must_use]
    #[inline(always)]
    pub const fn lend(thread: ThreadId, awaited: u8, object: u8, owner: ThreadId) -> Note {
        let what = awaited as u32 | (object as u32) << 8;
        Note::of(kind::LEND, thread.0 as u16, [what, owner.0 as u32])
    }

    /// A thread owns a binary semaphore from now on.
    #[must_use]
    #[inline(always)]
    pub const fn hold(thread: ThreadId, lock: SemaphoreId) -> Note {
        Note::of(kind::HOLD, thread.0 as u16, [lock.0 as u32, 0])
    }

    /// A thread has given a binary semaphore back, or has lost it.
    #[must_use]
    #[inline(always)]
    pub const fn free(thread: ThreadId, lock: SemaphoreId) -> Note {
        Note::of(kind::FREE, thread.0 as u16, [lock.0 as u32, 0])
    }

    /// A thread passes a message.
    #[must_use]
    #[inline(always)]
    pub const fn message(thread: ThreadId, passed: Passed, object: u8) -> Note {
        let what = passed as u32 | (object as u32) << 8;
        Note::of(kind::MESSAGE, thread.0 as u16, [what, 0])
    }

    /// An interrupt came, which this thread serves.
    #[must_use]
    #[inline(always)]
    pub const fn interrupt(thread: ThreadId, line: Line) -> Note {
        Note::of(kind::INTERRUPT, thread.0 as u16, [line.0 as u32, 0])
    }

    /// A thread lets its interrupt come again.
    #[must_use]
    #[inline(always)]
    pub const fn acknowledge(thread: ThreadId, line: Line) -> Note {
        Note::of(kind::ACKNOWLEDGE, thread.0 as u16, [line.0 as u32, 0])
    }

    /// An application tells something: what, and a value.
    #[must_use]
    #[inline(always)]
    pub const fn event(thread: ThreadId, event: u16, value: u32) -> Note {
        Note::of(kind::EVENT, thread.0 as u16, [event as u32, value])
    }

    /// A program goes on at an address, at an instant whose low word is `moment`.
    #[must_use]
    #[inline(always)]
    pub const fn react(program: ProgramId, address: u16, moment: u32) -> Note {
        Note::of(kind::REACT, program.0 as u16, [address as u32, moment])
    }

    /// The kernel is entered while a thread runs: 0 by an interrupt or the alarm, 1 by a fault, else two more than
    /// the number of a system call.
    #[must_use]
    #[inline(always)]
    pub const fn enter(running: ThreadId, why: u32) -> Note {
        Note::of(kind::ENTER, running.0 as u16, [why, 0])
    }

    /// The kernel is left; the thread runs.
    #[must_use]
    #[inline(always)]
    pub const fn leave(running: ThreadId) -> Note {
        Note::of(kind::LEAVE, running.0 as u16, [0, 0])
    }

    /// So many notes had no room before this.
    #[must_use]
    #[inline(always)]
    pub const fn lost(count: u32) -> Note {
        Note::of(kind::LOST, 0, [count, 0])
    }

    /// A thread never runs again, or begins anew.
    #[must_use]
    #[inline(always)]
    pub const fn stop(thread: ThreadId, begins_anew: bool) -> Note {
        Note::of(kind::STOP, thread.0 as u16, [begins_anew as u32, 0])
    }

    /// A thread has used up a budget: that of a native driver which it runs, or that of its job. `used` is in ticks.
    #[must_use]
    #[inline(always)]
    pub const fn budget(thread: ThreadId, driver: Option<DriverId>, used: u32) -> Note {
        let what = match driver {
            Some(driver) => driver.0 as u32 + 1,
            None => 0,
        };
        Note::of(kind::BUDGET, thread.0 as u16, [what, used])
    }

    /// Its kind.
    #[must_use]
    #[inline(always)]
    pub const fn kind(&self) -> u32 {
        self.header & 0xFF
    }

    /// What it is about.
    #[must_use]
    #[inline(always)]
    pub const fn subject(&self) -> u16 {
        (self.header >> 8) as u16
    }

    /// Its class.
    #[must_use]
    #[inline(always)]
    pub const fn class(&self) -> Classes {
        Classes(1 << (self.header >> 24 & 15))
    }
}
