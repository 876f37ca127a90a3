//! Why something was refused, with two numbers that say more.

use core::fmt;

use crate::bytes::Reader;

macro_rules! reasons {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal,)+) => {
        /// Why a board refused what it was sent. What was refused has changed nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Reason { $($(#[doc = $text])+ $name = $number,)+ }

        impl Reason {
            /// All reasons, in the order of their numbers.
            pub const ALL: &[Reason] = &[$(Reason::$name,)+];
        }
    };
}

reasons! {
    /// Something came that is no whole frame.
    Damaged = 1,
    /// A frame that means nothing to this version of the link.
    Unknown = 2,
    /// An order that isn't one: another version, or parts that contradict each other.
    Malformed = 3,
    /// The order is for another image.
    Image = 4,
    /// The order is from before the board's last reset.
    Challenge = 5,
    /// The order is for another slot (details: this one).
    Slot = 6,
    /// The program doesn't fit (details: bytes that do).
    TooLong = 7,
    /// The order's number isn't larger than the last (details: low and high word of the last).
    Replay = 8,
    /// The order's instant has passed (details: low and high word of kernel time in ticks).
    Late = 9,
    /// A program is being handed over or checked, or waits for its instant of taking over.
    Busy = 10,
    /// The signature isn't that of the key that the board knows.
    Signature = 11,
    /// A piece of a program without an order.
    NoOrder = 12,
    /// A piece that lies outside of the program (details: the program's length).
    Outside = 13,
    /// All pieces came, and they aren't the program that was signed.
    Digest = 14,
    /// The kernel refused the call (details: the status).
    Kernel = 15,
    /// The kernel's checker refused the program (details: its rule, and the instruction).
    Check = 16,
}

/// A reason, with two numbers that say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// What [`Reason`] says of details; else zeros.
    pub details: [u32; 2],
}

impl Refusal {
    /// A reason that says everything.
    #[must_use]
    pub const fn plain(reason: Reason) -> Refusal {
        Refusal { reason, details: [0; 2] }
    }

    /// A reason with a number.
    #[must_use]
    pub const fn with(reason: Reason, number: u64) -> Refusal {
        Refusal { reason, details: [number as u32, (number >> 32) as u32] }
    }

    /// Both details as one number.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.details[0] as u64 | (self.details[1] as u64) << 32
    }

    pub(crate) fn encode(&self) -> [u8; 9] {
        let [a, b, c, d] = self.details[0].to_le_bytes();
        let [e, f, g, h] = self.details[1].to_le_bytes();
        [self.reason as u8, a, b, c, d, e, f, g, h]
    }

    pub(crate) fn decode(reader: &mut Reader<'_>) -> Option<Refusal> {
        let number = reader.byte()?;
        let reason = *Reason::ALL.iter().find(|reason| **reason as u8 == number)?;
        Some(Refusal { reason, details: [reader.word()?, reader.word()?] })
    }
}

/// In words, for people.
impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.details;
        match self.reason {
            Reason::Damaged => write!(out, "what came was no whole frame"),
            Reason::Unknown => write!(out, "it doesn't know this kind of frame"),
            Reason::Malformed => write!(out, "this is no order that it understands"),
            Reason::Image => write!(out, "the order is for another image"),
            Reason::Challenge => write!(out, "the order is from before the last reset"),
            Reason::Slot => write!(out, "the order is for another slot; this is slot {first}"),
            Reason::TooLong => write!(out, "the program is too long; there is room for {first} bytes"),
            Reason::Replay => {
                write!(out, "the order's number isn't larger than the last, which was {}", self.number())
            }
            Reason::Late => write!(out, "the order came too late; it is tick {} already", self.number()),
            Reason::Busy => write!(out, "another program is on its way into the slot"),
            Reason::Signature => write!(out, "the order isn't signed with the key that it knows"),
            Reason::NoOrder => write!(out, "a piece of a program came without an order"),
            Reason::Outside => {
                write!(out, "a piece lies outside of the program, which has {first} bytes")
            }
            Reason::Digest => write!(out, "the program that came isn't the one that was signed"),
            Reason::Kernel => write!(out, "the kernel refused the call with status {first:#x}"),
            Reason::Check => {
                write!(out, "the kernel's checker refused the program: rule {first}, instruction {second}")
            }
        }
    }
}
