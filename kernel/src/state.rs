//! Everything that changes while a system runs: plain data.

use beryl_abi::{Classes, Duration, Instant, Moment, ProcessId, SlotId, ThreadId};

use crate::machine::activity::Activity;
use crate::machine::agenda::EMachine;
use crate::objects::reading::Reading;
use crate::scheduling::bands::Bands;
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::processor::Processor;
use crate::scheduling::stop::Stopping;
use crate::scheduling::timers::Timers;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::tracing::buffer::Buffer;

/// The state of a system. `Clone`, `Eq` and `Hash`, so that hosts can explore it.
///
/// What almost every step asks for stands first, in this order in memory too: there a processor reaches it by the base address
/// alone, however large the tables are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct State<S: Sizes> {
    /// Of which classes anybody wants records: the host, the buffer, or a recording.
    pub(crate) tracing: Classes,
    /// Who has the processor.
    pub(crate) processor: Processor,
    /// The preempted threads whose urgency is raised, the highest level first.
    pub(crate) raised: ThreadId,
    /// Whether a decision is still to be made, in a step of its own.
    pub(crate) undecided: bool,
    /// Whether anything of the following is left to be done, a step at a time.
    pub(crate) has_deferred_work: bool,
    /// The last thread on the list of those whose wait is over, and that aren't in their bands yet.
    pub(crate) waking: ThreadId,
    /// The last thread on the list of those that are to take the semaphore that they were promised.
    pub(crate) promised: ThreadId,
    /// A place that leads to a thread that can't run.
    pub(crate) stuck: ThreadId,
    /// A thread that waits no longer than until an instant, for which no timer is set yet.
    pub(crate) timing: ThreadId,
    /// A thread that has waited long enough.
    pub(crate) late: ThreadId,
    /// The last of a ring of places that go back into their bands.
    pub(crate) returning: ThreadId,
    /// Since when the running thread has had the processor.
    pub(crate) since: Moment,
    /// What the alarm is set to.
    pub(crate) alarm: Moment,
    /// Until when no trigger is due, as of the end of the last instant: what changes triggers begins another.
    pub(crate) calm_until: Moment,
    /// What is being stopped.
    pub(crate) stopping: Option<Stopping>,
    /// The object that wakes its waiters one by one.
    pub(crate) broadcast: Broadcast,
    /// The long value that is being read for the running thread.
    pub(crate) reading: Reading,
    pub(crate) e_machine: EMachine<S>,
    pub(crate) bands: Bands<S>,
    pub(crate) processes: S::ProcessStates,
    /// The threads of S code.
    pub(crate) schedules: S::Schedules,
    pub(crate) semaphores: S::SemaphoreStates,
    pub(crate) conditions: S::ConditionStates,
    pub(crate) mailboxes: S::MailboxStates,
    pub(crate) endpoints: S::EndpointStates,
    pub(crate) event_groups: S::EventGroupStates,
    pub(crate) threads: S::ThreadStates,
    /// When threads are released or have waited long enough.
    pub(crate) timers: Timers<S>,
    /// Of which classes the host wants records.
    pub(crate) host: Classes,
    /// The slots.
    pub(crate) program_slots: S::ProgramSlotStates,
    /// The slot in whose room a period is recorded, or none.
    pub(crate) recorded: SlotId,
    /// Programs that didn't come with the image.
    pub(crate) rooms: S::Rooms,
    /// The checker's memory.
    pub(crate) check_memory: S::CheckMemory,
    /// What was told to the system itself.
    pub(crate) buffer: Buffer<S>,
}

impl<S: Sizes> State<S> {
    /// The most bytes that one step copies.
    pub const CHUNK: u32 = 64;

    /// The thread that has the processor.
    #[inline(always)]
    pub fn running(&self) -> ThreadId {
        self.processor.running()
    }

    /// The logical instant that is being carried out, or was last.
    pub fn instant(&self) -> Instant {
        self.e_machine.instant
    }

    /// What the E machine is doing.
    pub fn activity(&self) -> Activity {
        self.e_machine.activity
    }

    /// Processor time used by a thread: by its current job if it is a task. Up to the last switch.
    pub fn execution_time(&self, thread: ThreadId) -> Duration {
        self.threads.at(thread.index()).clock
    }

    /// How many jobs of a thread were done too late or weren't at its next release, and how many took longer than declared, since the start:
    /// at most 65,535 of each. They are counted whether or not anybody listens.
    pub fn judged(&self, thread: ThreadId) -> (u16, u16) {
        let state = self.threads.at(thread.index());
        (state.misses, state.overruns)
    }

    /// Whether a process was stopped.
    pub fn is_stopped(&self, process: ProcessId) -> bool {
        self.processes.at(process.index()).stopped
    }
}
