//! The table of kinds of records: the number and the class of each, once.
//!
//! The words of a record are those of its variant ([`Record`](crate::Record)) or of its maker ([`Note`](crate::Note)); how they are read is in the crate that decodes them. The
//! reference page's tables are held to this one by `abi/tests/record.rs`.

use crate::note::Classes;

macro_rules! kinds {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $class:ident;)+) => {
        /// Kind numbers of the binary form.
        pub mod kind {
            $($(#[doc = $text])+ pub const $name: u32 = $number;)+
        }

        /// The class of records of a kind; nothing if there is no such kind.
        #[must_use]
        #[inline(always)]
        pub const fn class_of(kind: u32) -> Option<Classes> {
            Some(match kind {
                $($number => Classes::$class,)+
                _ => return None,
            })
        }
    };
}

kinds! {
    /// [`Record::Release`](crate::Record::Release).
    RELEASE = 1, JOBS;
    /// [`Record::Switch`](crate::Record::Switch).
    SWITCH = 2, SWITCHES;
    /// [`Record::Complete`](crate::Record::Complete).
    COMPLETE = 3, JOBS;
    /// [`Record::Miss`](crate::Record::Miss).
    MISS = 4, JOBS;
    /// [`Record::Driver`](crate::Record::Driver).
    DRIVER = 5, DRIVERS;
    /// [`Record::Skip`](crate::Record::Skip).
    SKIP = 6, JOBS;
    /// [`Record::Violation`](crate::Record::Violation).
    VIOLATION = 7, JOBS;
    /// [`Record::Fault`](crate::Record::Fault).
    FAULT = 8, FAULTS;
    /// [`Record::Overrun`](crate::Record::Overrun).
    OVERRUN = 9, JOBS;
    /// [`Record::Stray`](crate::Record::Stray).
    STRAY = 10, FAULTS;
    /// [`Record::Swap`](crate::Record::Swap).
    SWAP = 11, SWAPS;
    /// [`Note::block`](crate::Note::block).
    BLOCK = 12, WAITS;
    /// [`Note::wake`](crate::Note::wake).
    WAKE = 13, WAITS;
    /// [`Note::lend`](crate::Note::lend).
    LEND = 14, LOCKS;
    /// [`Note::hold`](crate::Note::hold).
    HOLD = 15, LOCKS;
    /// [`Note::free`](crate::Note::free).
    FREE = 16, LOCKS;
    /// [`Note::message`](crate::Note::message).
    MESSAGE = 17, MESSAGES;
    /// [`Note::interrupt`](crate::Note::interrupt).
    INTERRUPT = 18, INTERRUPTS;
    /// [`Note::acknowledge`](crate::Note::acknowledge).
    ACKNOWLEDGE = 19, INTERRUPTS;
    /// [`Note::event`](crate::Note::event).
    EVENT = 20, EVENTS;
    /// [`Note::react`](crate::Note::react).
    REACT = 21, MODES;
    /// [`Note::enter`](crate::Note::enter).
    ENTER = 22, KERNEL;
    /// [`Note::leave`](crate::Note::leave).
    LEAVE = 23, KERNEL;
    /// [`Note::lost`](crate::Note::lost).
    LOST = 24, FAULTS;
    /// [`Note::stop`](crate::Note::stop).
    STOP = 25, WAITS;
    /// More of a driver's value, in the buffer on a target only.
    VALUE = 26, DRIVERS;
    /// [`Note::budget`](crate::Note::budget).
    BUDGET = 27, BUDGETS;
}
