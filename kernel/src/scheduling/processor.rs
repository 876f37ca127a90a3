//! The processor: which thread has it, whether it runs in its own place, and whether it still has its
//! registers.
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
//!   either ──4 displace──▶ registers given up: the next decision is a switch, even to itself
//! ```
//!
//! Only the functions here write it; [`Processor::begin`] is the first.

use beryl_abi::ThreadId;

use crate::scheduling::caller::Caller;
use crate::ways::Way;

/// In whose place a thread gets the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Its own, the first of all bands.
    Own,
    /// One that is lent to it, by this thread; or any, if ceilings were checked.
    Lent(ThreadId),
    /// The one in which the thread that hands it on has the processor.
    Handed,
}

/// The thread that has the processor. One word: each thread's row holds the word that is stored when the
/// thread gets the processor in its own place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(4))]
pub(crate) struct Processor {
    running: ThreadId,
    /// That thread if it runs in its own place; none otherwise.
    in_own_place: ThreadId,
    displaced: bool,
    /// The caller whose calls can be done at once while user code runs.
    caller: Caller,
}

impl Processor {
    /// What memory holds before the start.
    pub const BLANK: Processor = Processor {
        running: ThreadId(0),
        in_own_place: ThreadId(0),
        displaced: false,
        caller: Caller::BLANK,
    };

    /// No thread has it.
    pub const NOBODY: Processor = Processor::of(ThreadId::NONE, Caller::ASK);

    /// A thread has it in its own place, and makes calls as this caller.
    pub const fn of(thread: ThreadId, caller: Caller) -> Processor {
        Processor { running: thread, in_own_place: thread, displaced: false, caller }
    }

    /// 1. The first thread gets it, which has no registers yet.
    pub fn begin(&mut self, idle: ThreadId) {
        *self = Processor { displaced: true, ..Processor::of(idle, Caller::ASK) };
    }

    /// 2. A thread gets it (`own` is that thread's word); returns the thread that had it.
    ///
    /// By the ordinary way user code ran until now, so no thread was displaced, and user code goes on when
    /// the step returns. By the other way, which calls can be done at once is known only on return.
    #[inline(always)]
    pub fn give<W: Way>(&mut self, _way: W, own: Processor, place: Place) -> ThreadId {
        let from = self.running;
        *self = match W::IS_ORDINARY {
            true => own,
            false => Processor { caller: self.caller, ..own },
        };
        if place != Place::Own {
            self.keep(place);
        }
        from
    }

    /// 3. The thread that has it goes on, in this place from now on.
    #[inline(always)]
    pub fn keep(&mut self, place: Place) {
        self.in_own_place = match place {
            Place::Own => self.running,
            Place::Lent(_) | Place::Handed => ThreadId::NONE,
        };
    }

    /// 4. A thread's registers are given up.
    pub fn displace(&mut self, thread: ThreadId) {
        self.displaced |= thread == self.running;
    }

    /// No user code runs: everything has to be asked.
    #[inline(always)]
    pub fn ask(&mut self) {
        self.caller = Caller::ASK;
    }

    /// User code runs again, of the thread whose word this is.
    #[inline(always)]
    pub fn settle(&mut self, own: Processor, is_heard: bool) {
        self.caller = own.caller.heard(is_heard);
    }

    /// Somebody listens from now on, or nobody does.
    pub fn be_heard(&mut self, is_heard: bool) {
        self.caller = self.caller.heard(is_heard);
    }

    /// The caller whose calls can be done at once.
    #[inline(always)]
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// The thread that has it.
    #[inline(always)]
    pub fn running(&self) -> ThreadId {
        self.running
    }

    /// Whether that thread runs in its own place, so that no other is before it.
    #[inline(always)]
    pub fn is_in_own_place(&self) -> bool {
        self.in_own_place == self.running
    }

    /// Whether that thread was restarted or stopped: it can't simply go on.
    #[inline(always)]
    pub fn is_displaced(&self) -> bool {
        self.displaced
    }
}
