//! Constant rows of threads.

use beryl_abi::{BandId, Duration, ProcessId, ProgramId, Range};

use crate::rows::rank::Rank;

/// A thread's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// What it is for.
    pub kind: ThreadKind,
    /// The process that it belongs to.
    pub process: ProcessId,
    /// The band that it is a member of.
    pub band: BandId,
    /// Its place there.
    pub place: Place,
    /// Its position when the band list is laid out flat, when it begins. In a fixed band every priority that it may have has a
    /// position of its own, without gaps.
    pub rank: Rank,
    /// Its preemption level when it begins: 1 or more, and larger than that of all threads that it may preempt while
    /// they hold a ceiling lock that it uses too. In a fixed band it follows the priority, without gaps over those that the thread
    /// may have; in a dynamic one, shorter relative deadlines have higher levels (Baker's stack resource policy).
    pub level: u8,
    /// The highest ceiling of the locks that it uses: its word isn't believed beyond it.
    pub highest_ceiling: u8,
    /// How many releases that came while it was at work a periodic thread catches up with; the others
    /// are counted and skipped.
    pub catch_up: u8,
    /// From one release of a periodic thread to the next; at most 2^30 ticks.
    pub period: Duration,
    /// Its first release, counted from the start.
    pub offset: Duration,
    /// From a release to the deadline: of a periodic thread's job; of other threads in a dynamic band,
    /// from each time that they become ready after waiting for something else than a lock.
    pub deadline: Duration,
    /// The most processor time that one job may use; `FOREVER` where nothing is declared.
    pub worst: Duration,
    /// Its stack.
    pub stack: Range,
    /// Two words that the thread shares with the kernel: its raised urgency (0 where it isn't), which
    /// the thread writes, and the level that waits for it to be lowered, which the kernel writes.
    pub words: u32,
    /// What runs when a job completes, if its outputs are published then: a program and an address.
    pub on_completion: Option<(ProgramId, u16)>,
}

/// A thread's place in its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A slot of a dynamic band: of those that are due at one instant, the lower one comes first. Slots of a band are in the order of its
    /// threads.
    Dynamic {
        /// The thread's slot.
        slot: u8,
    },
    /// The same for a task that a program of the module's slot may take over: while the one that runs names it, the threads of
    /// that program run it and nothing else does. One of the first 32 slots of all bands; all offered places of a band are one
    /// program's, whose rank is the band's.
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
        /// The priority when it begins.
        priority: u8,
        /// The least urgent that it may have.
        least: u8,
        /// The most urgent that it may have.
        most: u8,
    },
}

/// What a thread is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadKind {
    /// Fills a table; never runs.
    None,
    /// Runs one job for each release by system code.
    Task,
    /// Runs from the start on.
    Free,
    /// Runs one job for each of its releases, which are a period apart.
    Periodic,
    /// Runs the native drivers of its process.
    Drivers,
    /// Runs when nothing else does.
    Idle,
}

// Rows of threads are looked at in each decision: they shall not grow.
const _: () = assert!(size_of::<Place>() == 4);

impl Place {
    /// The slot of a dynamic band; the last of all where it is none.
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
    /// Whether such threads stand in bands. Driver threads don't: they are above all of them.
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
}
