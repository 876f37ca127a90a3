//! Everything that changes while a system runs: plain data.

use core::mem::MaybeUninit;

use beryl_abi::{Duration, Instant, Moment, ProcessId, ThreadId};

use crate::bands::Bands;
use crate::faults::Stopping;
use crate::reactions::{Activity, Reactions};
pub use crate::rings::Levels;
use crate::sizes::{Blank, Sizes, Table};
use crate::system::{System, ThreadKind};

/// The state of a system. `Clone`, `Eq` and `Hash`, so that hosts can explore it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<S: Sizes> {
    /// Whether records are made. Hosts may change it at any time.
    pub tracing: bool,
    /// Who has the processor.
    pub(crate) running: ThreadId,
    /// The running thread was restarted or has stopped: the next decision is a switch, even to itself.
    pub(crate) displaced: bool,
    /// Since when the running thread has had the processor.
    pub(crate) since: Moment,
    pub(crate) threads: S::ThreadStates,
    pub(crate) processes: S::ProcessStates,
    pub(crate) bands: Bands<S>,
    pub(crate) reactions: Reactions<S>,
    /// What is being stopped.
    pub(crate) stopping: Option<Stopping>,
}

/// What changes of a thread.
///
/// ```text
///             release (1)                    stop, fault (4)
///   Dormant ---------------> Ready --------------------------> Stopped
///      ^                       |                                  ^
///      +-----------------------+                                  |
///        complete (2), violation (3)          Dormant, Waiting ---+ (4)
///
///   Driver threads: Dormant --first driver (5)--> Busy --done (6)--> Waiting --next driver (5)--> Busy
/// ```
/// (1) `jobs::release`, (2) `jobs::complete`, (3) `jobs::violation`, (4) `faults::stop_thread`,
/// (5) `drivers::start_native`, (6) `drivers::driver_done`. Running is Ready and chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// The job's deadline.
    pub(crate) deadline: Instant,
    /// Processor time used: by the job of a task, by other threads since the start.
    pub(crate) clock: Duration,
    /// Where it is in its life.
    pub(crate) phase: Phase,
    /// The next in the ring of its priority.
    pub(crate) next: ThreadId,
    /// The one before it there.
    pub(crate) previous: ThreadId,
}

impl ThreadState {
    pub(crate) const DORMANT: ThreadState = ThreadState {
        deadline: Instant::NEVER,
        clock: Duration::ZERO,
        phase: Phase::Dormant,
        next: ThreadId::NONE,
        previous: ThreadId::NONE,
    };
}

/// Where a thread is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// A task without a job; a driver thread that has never run.
    Dormant,
    /// Wants the processor, or has it.
    Ready,
    /// A driver thread that has asked for a driver to run.
    Waiting,
    /// A driver thread that runs a driver.
    Busy,
    /// Will never run again.
    Stopped,
}

/// What changes of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessState {
    /// One of its threads went wrong and all of them were stopped.
    pub(crate) stopped: bool,
}

/// What changes of a timing program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramState {
    /// Where it goes on when its trigger is due.
    pub(crate) address: u16,
    /// What the last guard said.
    pub(crate) verdict: bool,
}

impl<S: Sizes> State<S> {
    /// The most bytes that one step copies.
    pub const CHUNK: u32 = 32;

    const BLANK: State<S> = State {
        tracing: false,
        running: ThreadId(0),
        displaced: true,
        since: Instant::START.moment(),
        threads: S::ThreadStates::BLANK,
        processes: S::ProcessStates::BLANK,
        bands: Bands::BLANK,
        reactions: Reactions::BLANK,
        stopping: None,
    };

    /// The state in which a system starts: tasks dormant, free threads and the idle thread ready,
    /// every program about to begin.
    #[must_use]
    pub fn new(system: &System<S>) -> State<S> {
        let mut state = State::BLANK;
        state.begin(system);
        state
    }

    /// Makes the same state in its place, for hosts that have no stack for a copy.
    pub fn new_in<'a>(place: &'a mut MaybeUninit<State<S>>, system: &System<S>) -> &'a mut State<S> {
        let state = place.write(State::BLANK);
        state.begin(system);
        state
    }

    fn begin(&mut self, system: &System<S>) {
        self.bands.begin(system);
        self.reactions.begin(system);
        for index in 0..S::Threads::LENGTH {
            let thread = ThreadId(index as u8);
            let row = system.threads.at(index);
            if matches!(row.kind, ThreadKind::Free | ThreadKind::Idle) {
                self.threads.at_mut(index).phase = Phase::Ready;
                self.bands.insert(system, &mut self.threads, thread);
            }
            if row.kind == ThreadKind::Idle {
                self.running = thread;
            }
        }
    }

    /// The thread that has the processor.
    pub fn running(&self) -> ThreadId {
        self.running
    }

    /// The logical instant that is being carried out, or was last.
    pub fn instant(&self) -> Instant {
        self.reactions.instant
    }

    /// What the E machine is doing.
    pub fn activity(&self) -> Activity {
        self.reactions.activity
    }

    /// Processor time used by a thread: by its current job if it is a task. Up to the last switch.
    pub fn execution_time(&self, thread: ThreadId) -> Duration {
        self.threads.at(thread.index()).clock
    }

    /// Whether a process was stopped.
    pub fn is_stopped(&self, process: ProcessId) -> bool {
        self.processes.at(process.index()).stopped
    }
}
