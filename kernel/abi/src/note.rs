//! Notes: records of one fixed size, and the classes that switch records on and off.
//!
//! A note is the form in which the kernel stores records on a target: a header (kind in bits 0 to 7, subject
//! in bits 8 to 23, the number of its class in bits 24 to 27) and two words. Everything that happens to
//! threads and objects is told by notes ([`DecodedNote`](crate::DecodedNote)). A [`Record`](crate::Record) of
//! another kind is shortened to a note for the buffer on a target.

use crate::kinds::Kind;
use crate::words::{Word, Wrong};

/// A set of classes of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Classes(pub u16);

macro_rules! classes {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $word:literal;)+) => {
        impl Classes {
            $($(#[doc = $text])+ pub const $name: Classes = Classes(1 << $number);)+

            /// All classes with their names, in the order of their numbers.
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
    /// State messages that are followed: what was written there.
    STATES = 13, "states";
}

impl Classes {
    /// No class.
    pub const NONE: Classes = Classes(0);
    /// The classes that tell who ran when, and how jobs ended.
    pub const BASIC: Classes = Classes(0b1_1111);
    /// All but the kernel's entries, which outnumber all others together.
    pub const RUN: Classes = Classes(Classes::ALL.0 & !Classes::KERNEL.0);

    /// Whether one of `classes` is among them.
    #[must_use]
    #[inline(always)]
    pub const fn has(self, classes: Classes) -> bool {
        self.0 & classes.0 != 0
    }

    /// Whether the set isn't empty.
    #[must_use]
    #[inline(always)]
    pub const fn is_any(self) -> bool {
        self.0 != 0
    }

    /// The union of both sets.
    #[must_use]
    #[inline(always)]
    pub const fn with(self, others: Classes) -> Classes {
        Classes(self.0 | others.0)
    }

    /// The number of the class in a set of one.
    const fn number(self) -> u32 {
        self.0.trailing_zeros()
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

/// What happens to a message.
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
    /// A message came too early to a mailbox's gate, and was refused.
    SentEarly = 8,
    /// A request came too early to an endpoint's gate, and was refused.
    AskedEarly = 9,
    /// Bits came too early to a notification's gate, and were refused.
    NotifiedEarly = 10,
    /// Bits came too early to an event group's gate, and were refused.
    SetEarly = 11,
    /// A message was more than its sender may send to a mailbox in a while, and was refused.
    SentBeyond = 12,
    /// A request was more than its client may ask of an endpoint in a while, and was refused.
    AskedBeyond = 13,
}

macro_rules! numbered {
    ($name:ident: $($variant:ident)+) => {
        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant,)+];

            /// The one with this number, if any.
            #[must_use]
            pub const fn decode(number: u8) -> Option<$name> {
                $(if number == $name::$variant as u8 {
                    return Some($name::$variant);
                })+
                None
            }
        }

        impl Word for $name {
            #[inline(always)]
            fn word(self) -> u32 {
                self as u32
            }

            fn of(word: u32) -> Result<$name, Wrong> {
                u8::try_from(word).ok().and_then($name::decode).ok_or(Wrong::Number(word))
            }
        }
    };
}

numbered!(Awaited: Period Time Notification Semaphore Condition Send Receive Request Call Reply EventGroup);
numbered!(Passed: Sent Received Asked Replied Notified Set Cleared SentEarly AskedEarly NotifiedEarly SetEarly SentBeyond AskedBeyond);

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
    pub const fn of(kind: Kind, subject: u16, words: [u32; 2]) -> Note {
        Note { header: kind as u32 | (subject as u32) << 8 | kind.class().number() << 24, words }
    }

    /// Its kind.
    #[must_use]
    #[inline(always)]
    pub const fn kind(&self) -> u32 {
        self.header & 0xFF
    }

    /// Its subject.
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
