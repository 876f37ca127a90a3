//! Crash records: what the kernel writes down of a thread that faulted.
//!
//! A record has [`WORDS`] words, which are written, and read, in this order. The head comes last, so that it can say
//! how much is there.
//!
//! | words | what they hold |
//! |---|---|
//! | 0 to 7 | the frame: registers that each exception keeps |
//! | 8 to 15 | other registers |
//! | 16 to 47 | the words of the thread's own stack from its stack pointer upwards, or from the stack's end if it ran over it |
//! | 48 | the [`Extent`]: who, what, and how much of the above is there |
//! | 49, 50 | when: the low and the high word of kernel time |
//! | 51, 52 | the address that was touched, and the instruction, as in [`Fault`] |
//! | 53 | how many notes the trace buffer had taken before |
//! | 54 | the stack pointer before the exception |
//! | 55 | the number of the fault since the start, from 1: where numbers are missing, there was no room for a record |
//!
//! Which registers these are is the processor's: `WRITTEN_DOWN` in the facts of its port.

use crate::words::{Word, Wrong};
use crate::{Fault, FaultKind, ThreadId};

/// The words of a record.
pub const WORDS: usize = 56;
/// The words that one step of the kernel writes down.
pub const PIECE: usize = 8;
/// The pieces: the frame, the other registers, the stack, the head.
pub const PIECES: u8 = (WORDS / PIECE) as u8;
/// The first piece of the stack. The frame comes before, and the other registers.
pub const STACK: u8 = 2;
/// The piece of the head.
pub const HEAD: u8 = PIECES - 1;
/// The most words of a stack.
pub const STACK_WORDS: usize = 4 * 8;
const _: () = assert!(STACK_WORDS == (HEAD - STACK) as usize * PIECE);
/// The parts in which a trace tells a record: two words each.
pub const PARTS: u8 = (WORDS / 2) as u8;

/// Where the words of a piece of the stack begin. A stack that was run over is told from its lowest address on.
#[must_use]
#[inline(always)]
pub const fn stack_place(piece: u8, pointer: u32, bottom: u32) -> u32 {
    const PIECE_BYTES: u32 = size_of::<[u32; PIECE]>() as u32;
    let deep = (piece.wrapping_sub(STACK) as u32).wrapping_mul(PIECE_BYTES);
    let from = if pointer > bottom { pointer } else { bottom };
    from.saturating_add(deep)
}

/// A part of a record: whose, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CrashPart {
    /// The thread that faulted.
    pub thread: ThreadId,
    /// The number of the part: it holds the words from twice as far.
    pub number: u8,
}

/// The thread is the low byte.
impl Word for CrashPart {
    #[inline(always)]
    fn word(self) -> u32 {
        self.thread.word() | u32::from(self.number) << 8
    }

    fn of(word: u32) -> Result<CrashPart, Wrong> {
        let number = u8::try_from(word >> 8).ok().filter(|number| *number < PARTS);
        Ok(CrashPart { thread: ThreadId(word as u8), number: number.ok_or(Wrong::Number(word))? })
    }
}

/// Who faulted, by what, and how much of a record is there. One word, a byte each: kind, thread, which registers, words of
/// the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// What was refused.
    pub kind: FaultKind,
    /// Who did it.
    pub thread: ThreadId,
    /// Whether the frame is there. It isn't where the thread had no stack for it.
    pub has_frame: bool,
    /// Whether the other registers are there.
    pub has_others: bool,
    /// How many words of the stack are there.
    pub stack: u8,
}

/// The bits of registers that are there.
const FRAME: u32 = 1 << 16;
const OTHERS: u32 = 1 << 17;

impl Extent {
    /// Of a fault of which nothing is written down yet.
    #[must_use]
    pub const fn begin(thread: ThreadId, fault: Fault) -> u32 {
        fault.kind as u32 | (thread.0 as u32) << 8
    }

    /// The same, where `words` words of a piece have been written down.
    #[must_use]
    #[inline(always)]
    pub const fn with(extent: u32, piece: u8, words: u8) -> u32 {
        match (piece, words) {
            (_, 0) => extent,
            (0, _) => extent | FRAME,
            (1, _) => extent | OTHERS,
            _ => extent.wrapping_add((words as u32) << 24),
        }
    }
}

impl Word for Extent {
    fn word(self) -> u32 {
        let frame = if self.has_frame { FRAME } else { 0 };
        let others = if self.has_others { OTHERS } else { 0 };
        self.kind as u32 | u32::from(self.thread.0) << 8 | frame | others | u32::from(self.stack) << 24
    }

    fn of(word: u32) -> Result<Extent, Wrong> {
        let [kind, thread, _, stack] = word.to_le_bytes();
        Ok(Extent {
            kind: FaultKind::decode(kind).ok_or(Wrong::Fault(kind.into()))?,
            thread: ThreadId(thread),
            has_frame: word & FRAME != 0,
            has_others: word & OTHERS != 0,
            stack: if usize::from(stack) <= STACK_WORDS { stack } else { return Err(Wrong::Number(word)) },
        })
    }
}
