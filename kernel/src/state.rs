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
/// The fields that almost every step reads stand first, in memory in this order too: a processor reaches them
/// from the base address alone, however large the tables are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct State<S: Sizes> {
    /// The classes of records that anybody wants: the host, the buffer, or a recording.
    pub(crate) tracing: Classes,
    /// The running thread and how it runs.
    pub(crate) processor: Processor,
    /// The preempted threads whose urgency is raised, the highest level first.
    pub(crate) raised: ThreadId,
    /// Whether a decision is still due, in a step of its own.
    pub(crate) undecided: bool,
    /// Whether any of the following is left to do, a step at a time.
    pub(crate) has_deferred_work: bool,
    /// The last thread on the list of threads whose wait is over but that aren't in their bands yet.
    pub(crate) waking: ThreadId,
    /// The last thread on the list of threads that have yet to take the semaphore promised to them.
    pub(crate) promised: ThreadId,
    /// A place that leads to a thread that can't run.
    pub(crate) stuck: ThreadId,
    /// A thread whose wait has a time limit for which no timer is set yet.
    pub(crate) timing: ThreadId,
    /// A thread that has waited long enough.
    pub(crate) late: ThreadId,
    /// The last of a ring of places that return to their bands.
    pub(crate) returning: ThreadId,
    /// Since when the running thread has had the processor.
    pub(crate) since: Moment,
    /// What the alarm is set to.
    pub(crate) alarm: Moment,
    /// Until when no trigger is due, as of the end of the last instant. Anything that changes triggers begins
    /// another instant.
    pub(crate) calm_until: Moment,
    /// Who pays for the time that passes, in systems with budgets.
    pub(crate) payment: S::Payments,
    /// What is being stopped.
    pub(crate) stopping: Option<Stopping>,
    /// The object that is waking its waiters one by one.
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
    /// When threads are released or their time limits end.
    pub(crate) timers: Timers<S>,
    /// The classes of records that the host wants.
    pub(crate) host: Classes,
    /// The slots.
    pub(crate) program_slots: S::ProgramSlotStates,
    /// The slot whose room records a period, or none.
    pub(crate) recorded: SlotId,
    /// The rooms for programs that didn't come with the image.
    pub(crate) rooms: S::Rooms,
    /// The checker's memory.
    pub(crate) check_memory: S::CheckMemory,
    /// The trace buffer that the system itself reads.
    pub(crate) buffer: Buffer<S>,
    /// What is left of each place's budget.
    pub(crate) budgets: S::BudgetStates,
    /// What is put down of sporadic ones.
    pub(crate) chunks: S::Chunks,
    /// The gates, in systems with gates, and which of them waits for a timer.
    pub(crate) gates: S::GateStates,
    pub(crate) opening: S::Openings,
    /// The limits of clients, in systems with limits, and when each of their credits is back.
    pub(crate) limits: S::LimitStates,
    pub(crate) credits: S::Credits,
    /// What each thread asked for without a right to it, where that is counted.
    pub(crate) lacked: S::Lacked,
    /// How deep the processor sleeps, in systems with several depths.
    pub(crate) depth: S::DepthStates,
    /// What supervisors are told, and what of it has yet to be sent.
    pub(crate) reports: S::ReportStates,
    pub(crate) unsent: S::Unsents,
    /// The watchdogs of supervisors, and what has yet to be done about them.
    pub(crate) watchdogs: S::WatchdogStates,
    pub(crate) alert: S::Alerts,
    /// Of each state message that is followed, what was told last: the count of its writes, or a value of one word.
    pub(crate) followed: S::FollowedStates,
    /// The section of each thread that keeps somebody out, where that is policed.
    pub(crate) sections: S::Sections,
    /// When servers have to have answered.
    pub(crate) answers: S::Answers,
    /// The window that is open, in systems with partitions.
    pub(crate) window: S::OpenWindows,
    /// When each process began anew after a fault.
    pub(crate) restarts: S::RestartStates,
    /// The process that is being put back to the start.
    pub(crate) renewal: S::Renewals,
    /// Whose code each process runs, in systems in which any can be replaced.
    pub(crate) replacements: S::Replacements,
    /// What was written down of threads that faulted.
    pub(crate) crashes: S::Crashes,
    /// The crash record that is being written.
    pub(crate) writing: S::Writing,
    /// Of each link between tasks what is known of its writer's last job.
    pub(crate) links: S::LinkStates,
}

impl<S: Sizes> State<S> {
    /// The most bytes that one step copies.
    pub const CHUNK: u32 = 64;

    /// The thread that has the processor.
    #[inline(always)]
    pub fn running(&self) -> ThreadId {
        self.processor.running()
    }

    /// The logical instant that is being carried out, or the last one.
    pub fn instant(&self) -> Instant {
        self.e_machine.instant
    }

    /// What the E machine is doing.
    pub fn activity(&self) -> Activity {
        self.e_machine.activity
    }

    /// The processor time used by a thread (by its current job if it is a task), up to the last switch.
    pub fn execution_time(&self, thread: ThreadId) -> Duration {
        self.threads.at(thread.index()).clock
    }

    /// How many jobs of a thread ended late or weren't done at its next release, and how many took longer
    /// than declared, since the start: at most 65,535 of each. They are counted whether or not anybody
    /// listens.
    pub fn judged(&self, thread: ThreadId) -> (u16, u16) {
        let state = self.threads.at(thread.index());
        (state.misses, state.overruns)
    }

    /// Whether a process was stopped.
    pub fn is_stopped(&self, process: ProcessId) -> bool {
        self.processes.at(process.index()).stopped
    }
}
