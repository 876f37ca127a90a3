//! The processor: which thread has it, whether in its own place, and whether that thread still has its registers.
//!
//! ```text
//!           2 give(next, Own), 3 keep(Own)
//!          ┌──────────────────────────────┐
//!          ▼                              │
//!   has it in its own place      has it in a place that is lent,
//!          │                     or by a decision above all places
//!          └──────────────────────────────▲
//!          2 give(next, Lent), 3 keep(Lent)
//!
//!   either ──4 displace──▶ its registers are given up: the next decision is a switch, even to itself
//! ```
//!
//! Only the functions here write it; [`Processor::begin`] is the first.

use beryl_abi::ThreadId;

use crate::ways::Way;

/// In whose place a thread gets the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Its own, the first of all bands.
    Own,
    /// One that is lent to it; that of a driver, which is none; or any, where ceilings were asked for.
    Lent,
}

/// Who has the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct Processor {
    running: ThreadId,
    /// The same in its own place, and nobody in another: one register is stored twice.
    in_own_place: ThreadId,
    displaced: bool,
}

impl Processor {
    /// Before the start.
    pub const BLANK: Processor =
        Processor { running: ThreadId(0), in_own_place: ThreadId(0), displaced: false };

    /// 1. The first to have it, which has no registers yet.
    pub fn begin(&mut self, idle: ThreadId) {
        *self = Processor { running: idle, in_own_place: ThreadId::NONE, displaced: true };
    }

    /// 2. `next` gets it. Answers who had it. By the ordinary way user code ran until now, so nobody was displaced.
    #[inline(always)]
    pub fn give<W: Way>(&mut self, _way: W, next: ThreadId, place: Place) -> ThreadId {
        let from = core::mem::replace(&mut self.running, next);
        if !W::IS_ORDINARY {
            self.displaced = false;
        }
        self.keep(place);
        from
    }

    /// 3. Whoever has it goes on, in this place from now on.
    #[inline(always)]
    pub fn keep(&mut self, place: Place) {
        self.in_own_place = match place {
            Place::Own => self.running,
            Place::Lent => ThreadId::NONE,
        };
    }

    /// 4. A thread's registers are given up.
    pub fn displace(&mut self, thread: ThreadId) {
        self.displaced |= thread == self.running;
    }

    /// The thread that has it.
    #[inline(always)]
    pub fn running(&self) -> ThreadId {
        self.running
    }

    /// Whether that one runs in its own place, so that no other is before it.
    #[inline(always)]
    pub fn is_in_own_place(&self) -> bool {
        self.in_own_place == self.running
    }

    /// Whether it was restarted or has stopped: it can't simply go on.
    #[inline(always)]
    pub fn is_displaced(&self) -> bool {
        self.displaced
    }
}
