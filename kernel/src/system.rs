//! The constant tables of a system, as the builder writes them.
//!
//! Rows that fill a table up to its length are `NONE`.

use beryl_abi::{BandId, Duration, ProcessId, ProgramId, Range, ThreadId};

use crate::sizes::Sizes;

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
    /// Its place there: a slot of the tree in a dynamic band, a priority (0 to 31, 31 is the most
    /// urgent) in a fixed one.
    pub place: u8,
    /// The most processor time that one job may use; `FOREVER` where nothing is declared.
    pub worst: Duration,
    /// What runs when a job completes, if its outputs are published then: a program and an address.
    pub on_completion: Option<(ProgramId, u16)>,
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
    /// Highest priority first, first come first served inside a priority. `queue` is its row in
    /// the table of levels.
    Fixed {
        /// Its row.
        queue: u8,
    },
}

/// A driver's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Driver {
    /// What it does.
    pub kind: DriverKind,
    /// The process whose ports it writes or whose code it runs.
    pub process: ProcessId,
    /// The task whose private ports it reads or writes, or none: the one bit of the paper's task
    /// by driver matrix that logical execution time needs.
    pub task: ThreadId,
    /// Where the value comes from.
    pub from: u32,
    /// Where it goes.
    pub to: u32,
    /// Its length in bytes; whole words are copied.
    pub length: u32,
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

/// A timing program: the system code of a module and what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Its instructions.
    pub code: &'static [u32],
    /// The durations that its instructions name, in ticks.
    pub durations: &'static [Duration],
    /// Where it starts.
    pub start: u16,
}

impl Thread {
    /// A row that names no thread.
    pub const NONE: Thread = Thread {
        kind: ThreadKind::None,
        process: ProcessId(0),
        band: BandId(0),
        place: 0,
        worst: Duration::FOREVER,
        on_completion: None,
    };
}

impl Process {
    /// A row that names no process.
    pub const NONE: Process = Process { driver_thread: ThreadId::NONE, on_fault: OnFault::StopProcess };
}

impl Driver {
    /// A row that names no driver.
    pub const NONE: Driver = Driver {
        kind: DriverKind::Copy,
        process: ProcessId(0),
        task: ThreadId::NONE,
        from: 0,
        to: 0,
        length: 0,
    };

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

impl Program {
    /// A row that names no program.
    pub const NONE: Program = Program { code: &[], durations: &[], start: 0 };
}
