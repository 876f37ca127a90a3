//! The constant tables of a system, as the builder writes them.
//!
//! Rows that fill a table up to its length are `NONE`.

use beryl_abi::{BandId, Duration, ProcessId, ProgramId, Range, ThreadId};

mod objects;
mod programs;

pub use objects::{
    Condition, Endpoint, Interrupt, Mailbox, Notification, Semaphore, SemaphoreKind, StateMessage,
};
pub use programs::{Port, Program, ProgramSlot};

use crate::rank::Rank;
use crate::sizes::{Sizes, Table};

/// Everything about a system that never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct System<S: Sizes> {
    /// Tasks first, then other threads, driver threads, and last the idle thread.
    pub threads: S::Threads,
    /// The processes.
    pub processes: S::Processes,
    /// The band list, most urgent first. The last band holds the idle thread.
    pub bands: S::Bands,
    /// Which thread has which place in the trees of the dynamic bands.
    pub slots: S::Slots,
    /// The drivers.
    pub drivers: S::Drivers,
    /// The timing programs, in the order in which their modules stand in the text.
    pub programs: S::Programs,
    /// The semaphores.
    pub semaphores: S::Semaphores,
    /// The condition variables.
    pub conditions: S::Conditions,
    /// The mailboxes.
    pub mailboxes: S::Mailboxes,
    /// The endpoints.
    pub endpoints: S::Endpoints,
    /// The notifications.
    pub notifications: S::Notifications,
    /// The interrupts that threads serve.
    pub interrupts: S::Interrupts,
    /// The state messages that can be read by a call.
    pub state_messages: S::StateMessages,
    /// The places for other programs of modules.
    pub program_slots: S::ProgramSlots,
    /// The ports at which triggers may look.
    pub ports: S::Ports,
}

impl<S: Sizes> System<S> {
    /// Tables whose rows say that there is nothing: for hosts that fill in what they need.
    #[must_use]
    pub fn empty() -> System<S> {
        System {
            threads: Table::filled(Thread::NONE),
            processes: Table::filled(Process::NONE),
            bands: Table::filled(Band { policy: Policy::Fixed }),
            slots: Table::filled(ThreadId::NONE),
            drivers: Table::filled(Driver::NONE),
            programs: Table::filled(Program::NONE),
            semaphores: Table::filled(Semaphore::NONE),
            conditions: Table::filled(Condition::NONE),
            mailboxes: Table::filled(Mailbox::NONE),
            endpoints: Table::filled(Endpoint::NONE),
            notifications: Table::filled(Notification::NONE),
            interrupts: Table::filled(Interrupt::NONE),
            state_messages: Table::filled(StateMessage::NONE),
            program_slots: Table::filled(ProgramSlot::NONE),
            ports: Table::filled(Port::NONE),
        }
    }
}

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
    /// Its position when the band list is laid out flat.
    pub rank: Rank,
    /// Its preemption level: 1 or more, and larger than that of all threads that it may preempt while
    /// they hold a ceiling lock that it uses too. In a fixed band it follows the priority; in a dynamic
    /// one, shorter relative deadlines have higher levels (Baker's stack resource policy).
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
    /// A slot of a dynamic band's tree. The tree has `leaves` slots (a power of two, at least two) from
    /// `base` on (a multiple of `leaves`), as the band's policy says.
    Dynamic {
        /// The thread's slot; first, so that it lies where it does in an offered place.
        slot: u8,
        /// Its first slot.
        base: u8,
        /// Number of slots, at most 128.
        leaves: u8,
    },
    /// The same for a task that a program of the module's slot may take over: while the one that runs names it, the threads of
    /// that program run it and nothing else does. One of the first 32 slots of all bands; all offered places of a band are one
    /// program's, whose rank is the band's. Where the tree is, the band's policy says: a place stays a word.
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
        /// The priority.
        priority: u8,
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

/// A process's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// The thread that runs its native drivers, or none.
    pub driver_thread: ThreadId,
    /// What a fault of one of its threads stops.
    pub on_fault: OnFault,
    /// The memory that its threads may hand to the kernel, besides their own stacks.
    pub memory: [Range; Process::RANGES],
}

/// What a fault stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFault {
    /// The whole process: what shares memory with the faulty thread can't be trusted.
    StopProcess,
    /// The faulty thread only.
    StopThread,
}

/// One level of the scheduler's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// Its policy, and where its queue is.
    pub policy: Policy,
}

/// A band's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Earliest deadline first, preemptive. Its tree has `leaves` places (a power of two, at least
    /// two) from slot `base` (a multiple of `leaves`).
    Dynamic {
        /// Its first slot.
        base: u8,
        /// Number of slots.
        leaves: u8,
    },
    /// Highest priority first, first come first served inside a priority.
    Fixed,
}

/// A driver's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Driver {
    /// What it does.
    pub kind: DriverKind,
    /// The process whose ports it writes or whose code it runs.
    pub process: ProcessId,
    /// The task whose private ports it reads or writes, or none: the one bit of a driver's row in the paper's matrix of tasks
    /// and drivers that logical execution time needs.
    pub task: ThreadId,
    /// The other tasks of that row, if there are any. A driver that touches ports of more has to be several drivers.
    pub others: [ThreadId; 2],
    /// Where the value comes from.
    pub from: u32,
    /// Where it goes.
    pub to: u32,
    /// Its length in bytes; whole words are copied.
    pub length: u32,
    /// Whether it copies a word, in the one process of the one task that it has to do with: then it may be carried out as soon as that task
    /// is dormant. Filled in by [`Driver::noted`].
    pub is_own_word: bool,
}

/// What a driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DriverKind {
    /// Copies `from` to `to`; carried out by the kernel. If its task violates time safety it is left
    /// out: what the task was working on isn't published.
    Copy,
    /// The same for the inputs of a task's next job, which it gets in any case.
    Input,
    /// Runs a native function that fills `from` in its process; the kernel then copies it to `to`.
    Getter {
        /// Its number in the process.
        function: u8,
        /// A bit of its own, if more than one program reads the sensor: then it's read once an instant. Else zero.
        shared: u32,
        /// The processor time it may use.
        budget: Duration,
    },
    /// The kernel copies `from` to `to` in its process, then runs a native function on it.
    Setter {
        /// Its number in the process.
        function: u8,
        /// The processor time it may use.
        budget: Duration,
    },
    /// Runs a native function on `from`; its verdict decides the next branch.
    Guard {
        /// Its number in the process.
        function: u8,
        /// The processor time it may use.
        budget: Duration,
    },
}

// Rows of threads are looked at in each decision: they shall not grow.
const _: () = assert!(size_of::<Place>() == 4);

impl<S: Sizes> System<S> {
    /// The same tables with the ranks of all threads and the notes on drivers filled in: what the builder does, for hosts that
    /// make their tables themselves. Ranks beyond 31 are 31.
    #[must_use]
    pub fn ranked(mut self) -> System<S> {
        // Less is more urgent.
        let urgency = |row: &Thread| match row.place {
            Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => (row.band.0, 0),
            Place::Fixed { priority, .. } => (row.band.0, u8::MAX - priority),
        };
        for index in 0..S::Threads::LENGTH {
            let own = urgency(self.threads.at(index));
            let is_counted = |other: usize| {
                let row = self.threads.at(other);
                let first = (0..other).all(|earlier| {
                    let earlier = self.threads.at(earlier);
                    !earlier.kind.is_scheduled() || urgency(earlier) != urgency(row)
                });
                row.kind.is_scheduled() && first && urgency(row) < own
            };
            let rank = (0..S::Threads::LENGTH).filter(|other| is_counted(*other)).count();
            let number = if rank < 31 { rank as u8 } else { 31 };
            let row = self.threads.at_mut(index);
            row.rank = match row.place {
                Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => Rank::dynamic(number),
                Place::Fixed { .. } => Rank::fixed(number),
            };
        }
        for driver in self.drivers.rows_mut() {
            driver.is_own_word = driver.copies_own_word(self.threads.rows());
        }
        self
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
        place: Place::Fixed { priority: 0 },
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

impl Process {
    /// A row that names no process.
    pub const NONE: Process = Process {
        driver_thread: ThreadId::NONE,
        on_fault: OnFault::StopProcess,
        memory: [Range::EMPTY; Process::RANGES],
    };
    /// How many ranges of memory a process has at most.
    pub const RANGES: usize = 3;
}

impl DriverKind {
    /// Whether the kernel carries it out alone.
    #[must_use]
    pub const fn is_copy(self) -> bool {
        matches!(self, DriverKind::Copy | DriverKind::Input)
    }
}

impl Driver {
    /// A row that names no driver.
    pub const NONE: Driver = Driver {
        kind: DriverKind::Copy,
        process: ProcessId(0),
        task: ThreadId::NONE,
        others: [ThreadId::NONE; 2],
        from: 0,
        to: 0,
        length: 0,
        is_own_word: false,
    };

    /// The rows of a system with these threads, and with what can be said of each once and for all.
    #[must_use]
    pub const fn noted<const N: usize>(mut rows: [Driver; N], threads: &[Thread]) -> [Driver; N] {
        let mut index = 0;
        // bound: the length of the table
        while index < N {
            rows[index].is_own_word = rows[index].copies_own_word(threads);
            index += 1;
        }
        rows
    }

    const fn copies_own_word(&self, threads: &[Thread]) -> bool {
        let [one, other] = self.others;
        let is_alone = !one.is_some() && !other.is_some();
        let is_word = self.kind.is_copy() && 0 < self.length && self.length <= 4;
        if !is_word || !is_alone || self.task.index() >= threads.len() {
            return false;
        }
        let task = &threads[self.task.index()];
        matches!(task.kind, ThreadKind::Task) && task.process.0 == self.process.0
    }

    /// The processor time that its native function may use.
    #[must_use]
    pub const fn budget(&self) -> Duration {
        match self.kind {
            DriverKind::Copy | DriverKind::Input => Duration::ZERO,
            DriverKind::Getter { budget, .. }
            | DriverKind::Setter { budget, .. }
            | DriverKind::Guard { budget, .. } => budget,
        }
    }

    /// The memory that holds the value after the driver was carried out.
    #[must_use]
    pub const fn value(&self) -> Range {
        Range::new(self.to, self.length)
    }
}

/// The processes that may name an object: a bit each, the first process in the lowest bit.
pub type Processes = u32;
