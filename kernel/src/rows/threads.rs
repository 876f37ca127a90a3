//! Constant rows of threads.

use beryl_abi::{BandId, Duration, ProcessId, ProgramId, Range};

use crate::rows::rank::Rank;

/// A thread's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Its kind.
    pub kind: ThreadKind,
    /// Its process.
    pub process: ProcessId,
    /// Its band.
    pub band: BandId,
    /// Its place there.
    pub place: Place,
    /// Its rank when it begins. In a fixed band each priority that it may have has a rank of its own, without
    /// gaps.
    pub rank: Rank,
    /// Its preemption level when it begins: at least 1, and higher than that of every thread that it may
    /// preempt while that thread holds a ceiling lock that both use. In a fixed band it follows the priority,
    /// without gaps over the priorities that the thread may have; in a dynamic one, shorter relative
    /// deadlines have higher levels (Baker's stack resource policy).
    pub level: u8,
    /// The highest ceiling of the locks that it uses. The kernel doesn't trust its word beyond that.
    pub highest_ceiling: u8,
    /// How many releases that came while it was at work a periodic thread catches up with; the others are
    /// counted and skipped.
    pub catch_up: u8,
    /// From one release of a periodic thread to the next; at most 2^30 ticks.
    pub period: Duration,
    /// Its first release, counted from the start.
    pub offset: Duration,
    /// From a release to the deadline: for a periodic thread, of its job; for other threads of a dynamic
    /// band, from each time that they become ready, except after waiting for a lock.
    pub deadline: Duration,
    /// The most processor time that one job may use; `FOREVER` if nothing is declared.
    pub worst: Duration,
    /// Its stack.
    pub stack: Range,
    /// Two words that the thread shares with the kernel. The thread writes the first: its raised urgency, 0
    /// if it isn't raised. The kernel writes the second: the level that waits for the thread to lower its
    /// own.
    pub words: u32,
    /// The program and address that run when a job completes, if its outputs are published then.
    pub on_completion: Option<(ProgramId, u16)>,
}

/// A thread's place in its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A slot of a dynamic band: between equal deadlines, the lower slot comes first. Slots of a band are in
    /// the order of its threads.
    Dynamic {
        /// The thread's slot.
        slot: u8,
    },
    /// A slot whose task a program of the module's slot may take over: while the running program names the
    /// task, only that program's threads run it. One of the first 32 slots of all bands. All offered places
    /// of a band belong to one program, whose rank is the band's.
    Offered {
        /// The thread's slot.
        slot: u8,
        /// The program.
        program: ProgramId,
    },
    /// In a band that a program schedules.
    Coded {
        /// The program.
        program: ProgramId,
    },
    /// A priority of a fixed band: 0 to 31, 31 is the most urgent.
    Fixed {
        /// Its priority when it begins.
        priority: u8,
        /// The lowest priority that it may have.
        least: u8,
        /// The highest priority that it may have.
        most: u8,
    },
}

/// A thread's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadKind {
    /// Fills a table; never runs.
    None,
    /// Runs one job for each release by system code.
    Task,
    /// Runs from the start.
    Free,
    /// Runs one job for each of its releases, which are a period apart.
    Periodic,
    /// Runs the native drivers of its process.
    Drivers,
    /// Runs when nothing else does.
    Idle,
}

// Each decision reads rows of threads: they must not grow.
const _: () = assert!(size_of::<Place>() == 4);

impl Place {
    /// The slot in a dynamic band; the highest number if there is none.
    #[cfg(test)]
    pub(crate) const fn slot(self) -> u8 {
        match self {
            Place::Dynamic { slot } | Place::Offered { slot, .. } => slot,
            Place::Coded { .. } | Place::Fixed { .. } => u8::MAX,
        }
    }

    /// A priority of a fixed band that never changes.
    #[must_use]
    pub const fn fixed(priority: u8) -> Place {
        Place::Fixed { priority, least: priority, most: priority }
    }
}

impl ThreadKind {
    /// Whether such threads stand in bands. Driver threads don't: they are above all bands.
    #[must_use]
    pub const fn is_scheduled(self) -> bool {
        matches!(self, ThreadKind::Task | ThreadKind::Free | ThreadKind::Periodic | ThreadKind::Idle)
    }
}

impl Thread {
    /// A row that names no thread.
    pub const NONE: Thread = Thread {
        kind: ThreadKind::None,
        process: ProcessId(0),
        band: BandId(0),
        place: Place::fixed(0),
        rank: Rank::fixed(31),
        level: 0,
        highest_ceiling: 0,
        catch_up: 0,
        period: Duration::FOREVER,
        offset: Duration::ZERO,
        deadline: Duration::FOREVER,
        worst: Duration::FOREVER,
        stack: Range::EMPTY,
        words: 0,
        on_completion: None,
    };

    /// Whether it stops when all of a process does. The idle thread has to be there when no other is.
    #[inline(always)]
    pub(crate) fn is_stopped_with(&self, process: ProcessId) -> bool {
        self.process == process && !matches!(self.kind, ThreadKind::None | ThreadKind::Idle)
    }
}
