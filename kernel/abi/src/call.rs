//! System calls: their numbers, arguments and results.
//!
//! On Armv7-M a call is `svc 0` with the number in r0 and arguments in r1, r2, r3 and r12. A call that simply
//! succeeds leaves r0 alone, so a status below [`OWNER_DIED`] is a success. [`OWNER_DIED`] is one too; all
//! others are a [`CallError`]. The results of a call are in r1 and r2; a call without results leaves them
//! unchanged.
//!
//! Calls that may wait take a time limit in r12: [`POLL`], [`FOREVER`], or ticks up to [`LONGEST_WAIT`]. They
//! also take the semaphore to own on return: see [`Operand`].

use crate::SemaphoreId;

/// The call succeeded: for people and for C. The kernel leaves the call's number in its place.
pub const SUCCESS: u32 = 0;
/// The call succeeded, and the semaphore that the caller now owns was taken from an owner that had stopped:
/// the data that it protects may be half changed.
pub const OWNER_DIED: u32 = 256;

/// Instead of a timeout: don't wait at all.
pub const POLL: u32 = 0;
/// Instead of a timeout: wait without a limit.
pub const FOREVER: u32 = u32::MAX;
/// The longest timeout in ticks (43 s at 25 MHz): the kernel compares low words of instants.
pub const LONGEST_WAIT: u32 = 1 << 30;

/// The most bytes of a message that travel in registers.
pub const SHORT_MESSAGE: u32 = 8;
/// The most bytes of a message: one step of the kernel copies them.
pub const LONGEST_MESSAGE: u32 = 64;

macro_rules! numbers {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $needs:ident, $way:tt, $registers:tt, $answers:literal;)+) => {
        /// The system calls.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum CallNumber { $($(#[doc = $text])+ $name = $number,)+ }

        impl CallNumber {
            /// All calls, in the order of their numbers.
            pub const ALL: &[CallNumber] = &[$(CallNumber::$name,)+];

            /// The call with this number, if any.
            #[must_use]
            #[inline(always)]
            pub const fn decode(number: u32) -> Option<CallNumber> {
                Some(match number {
                    $($number => CallNumber::$name,)+
                    _ => return None,
                })
            }

            /// What a system must have for it.
            #[must_use]
            #[inline(always)]
            pub const fn needs(self) -> Needs {
                match self {
                    $(CallNumber::$name => Needs::$needs,)+
                }
            }

            /// Whether it has an entry into the kernel of its own, since it can often be done at once.
            #[must_use]
            #[inline(always)]
            pub const fn has_own_way(self) -> bool {
                match self {
                    $(CallNumber::$name => own_way!($way),)+
                }
            }

            /// The contents of r1, r2, r3 and r12; empty for a register that isn't used.
            #[must_use]
            pub const fn registers(self) -> [&'static str; 4] {
                match self {
                    $(CallNumber::$name => $registers,)+
                }
            }

            /// Its results, apart from the status.
            #[must_use]
            pub const fn answers(self) -> &'static str {
                match self {
                    $(CallNumber::$name => $answers,)+
                }
            }
        }
    };
}

macro_rules! own_way {
    (_) => {
        false
    };
    ($function:ident) => {
        true
    };
}

crate::each_call!(numbers);

/// What a system must have for a call. If it hasn't, its kernel is compiled without the call and refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it is always there.
    Nothing,
    /// Objects that threads share.
    Objects,
    /// Threads with a range of priorities.
    Ranges,
    /// Event groups.
    EventGroups,
    /// Program slots.
    Slots,
    /// Program slots whose programs may take over tasks of a band.
    Takeovers,
}

/// The bits of an event group that a call waits for, in two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The bits.
    pub bits: u32,
    /// [`Wanted::ALL`], [`Wanted::TAKE`], both or neither. Other bits mean nothing.
    pub how: u32,
}

impl Wanted {
    /// All of the bits have to be set; otherwise one is enough.
    pub const ALL: u32 = 1;
    /// The bits are cleared when the wait is over.
    pub const TAKE: u32 = 2;

    /// The same bits, cleared when the wait is over.
    #[must_use]
    #[inline(always)]
    pub const fn taking(self) -> Wanted {
        Wanted { bits: self.bits, how: self.how | Wanted::TAKE }
    }

    /// Whether a wait is over while these bits are set.
    #[must_use]
    #[inline(always)]
    pub const fn is_met_by(self, bits: u32) -> bool {
        let there = bits & self.bits;
        there != 0 && (self.how & Wanted::ALL == 0 || there == self.bits)
    }

    /// The bits that are cleared when the wait is over.
    #[must_use]
    #[inline(always)]
    pub const fn taken(self) -> u32 {
        if self.how & Wanted::TAKE == 0 { 0 } else { self.bits }
    }
}

/// The most bytes of one part of a program: one step of the kernel copies them.
pub const LONGEST_PART: u32 = 32;

/// The state of the program in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// Nothing was written.
    Nothing,
    /// There is more to check.
    More,
    /// It was accepted, and takes over when the running program ends a period.
    Accepted,
    /// It has taken over.
    Running,
    /// It was refused, and nothing has changed.
    Refused {
        /// Why: see `beryl_syscode::refused`.
        reason: u16,
        /// The instruction at fault, or 0.
        address: u16,
    },
}

impl Progress {
    /// The two result values of the call.
    #[must_use]
    pub const fn encode(self) -> [u32; 2] {
        match self {
            Progress::Nothing => [0, 0],
            Progress::More => [1, 0],
            Progress::Accepted => [2, 0],
            Progress::Running => [3, 0],
            Progress::Refused { reason, address } => [4 | (reason as u32) << 8, address as u32],
        }
    }

    /// The state from two result values; unknown numbers are a refusal without a reason.
    #[must_use]
    pub const fn decode([kind, address]: [u32; 2]) -> Progress {
        match kind & 0xFF {
            0 => Progress::Nothing,
            1 => Progress::More,
            2 => Progress::Accepted,
            3 => Progress::Running,
            _ => Progress::Refused { reason: (kind >> 8) as u16, address: address as u16 },
        }
    }
}

/// The subject of a call that may wait, in one word: an object in bits 0 to 7, and in bits 8 to 15 one more
/// than the semaphore that the caller is to own when the call returns, or 0.
///
/// The semaphore is the early hand-over of EMERALDS, section 6.2: when the kernel wakes the caller, it knows
/// what the caller would wait for next. Here the kernel also takes the semaphore, so the promise can't be
/// broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Operand(pub u32);

impl Operand {
    /// Instead of an object: none.
    pub const NO_OBJECT: u8 = u8::MAX;

    /// An object, without a semaphore.
    #[must_use]
    #[inline(always)]
    pub const fn object(object: u8) -> Operand {
        Operand(object as u32)
    }

    /// An object, and the semaphore to own on return.
    #[must_use]
    #[inline(always)]
    pub const fn then(object: u8, semaphore: SemaphoreId) -> Operand {
        Operand(object as u32 | (semaphore.0 as u32 + 1) << 8)
    }

    /// The object's number. Unused bits are ignored.
    #[must_use]
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0 as u8
    }

    /// The semaphore to own on return.
    #[must_use]
    #[inline(always)]
    pub const fn semaphore(self) -> Option<SemaphoreId> {
        match (self.0 >> 8) as u8 {
            0 => None,
            next => Some(SemaphoreId(next - 1)),
        }
    }
}

macro_rules! errors {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal,)+) => {
        /// Why a system call was refused, or failed. A refusal is the caller's mistake, and nothing has
        /// changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum CallError { $($(#[doc = $text])+ $name = $number,)+ }

        impl CallError {
            /// All errors.
            pub const ALL: &[CallError] = &[$(CallError::$name,)+];

            /// The error with this status, if any.
            #[must_use]
            pub const fn decode(status: u32) -> Option<CallError> {
                Some(match status {
                    $($number => CallError::$name,)+
                    _ => return None,
                })
            }
        }
    };
}

errors! {
    /// There is no call with this number.
    UnknownCall = 0xFFFF_FFFF,
    /// The call is not for threads of this kind: only tasks complete, only driver threads end drivers,
    /// only an endpoint's server receives from it.
    WrongCaller = 0xFFFF_FFFE,
    /// There is no object with this number, or the caller's process may not name it.
    NoSuchObject = 0xFFFF_FFFD,
    /// The call would have to wait, and the caller doesn't want to.
    WouldBlock = 0xFFFF_FFFC,
    /// The time limit has passed.
    TimedOut = 0xFFFF_FFFB,
    /// Memory that the caller may not touch, or not at a multiple of four.
    BadAddress = 0xFFFF_FFFA,
    /// The caller's urgency is raised by a ceiling lock: it must be lowered before the caller waits or
    /// yields.
    Raised = 0xFFFF_FFF9,
    /// Only the owner of a binary semaphore may give it back; only the holder of the lock may wait for a
    /// condition.
    NotOwner = 0xFFFF_FFF8,
    /// The caller owns the semaphore already, or it would wait for itself through others.
    Deadlock = 0xFFFF_FFF7,
    /// A counting semaphore has its most units already.
    Overflow = 0xFFFF_FFF6,
    /// A timeout longer than [`LONGEST_WAIT`].
    TooLong = 0xFFFF_FFF5,
    /// The other side of an endpoint has stopped.
    PeerDied = 0xFFFF_FFF4,
    /// There is no request to reply to.
    NotServing = 0xFFFF_FFF3,
    /// A part of a program that doesn't follow the one before it, is empty, or has no room.
    OutOfPlace = 0xFFFF_FFF2,
    /// A wait for no bits at all, which would never end.
    NoBits = 0xFFFF_FFF1,
    /// A priority that the thread may not have.
    OutOfRange = 0xFFFF_FFF0,
    /// The caller's process has sent or asked as much as its limit lets it in a while.
    OverLimit = 0xFFFF_FFEF,
}
