//! Everything that changes while a system runs: plain data.

use beryl_abi::{Classes, ConditionId, Duration, Instant, Moment, ProcessId, SlotId, ThreadId};

use crate::bands::Bands;
use crate::exceptions::Handling;
use crate::faults::Stopping;
use crate::programs::Room;
use crate::queues::Queue;
use crate::reactions::{Activity, Reactions};
use crate::schedules::ScheduleId;
use crate::sizes::{Blank, Sizes, Table};
use crate::timers::Timers;
use crate::trace_buffer::Buffer;

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
    pub(crate) running: ThreadId,
    /// Whose calls can be done at once while user code runs.
    pub(crate) caller: Caller,
    /// In whose place it runs, since the last decision by places.
    pub(crate) place: ThreadId,
    /// The running thread was restarted or has stopped: the next decision is a switch, even to itself.
    pub(crate) displaced: bool,
    /// The preempted threads whose urgency is raised, the highest level first.
    pub(crate) raised: ThreadId,
    /// Whether a decision is still to be made, in a step of its own.
    pub(crate) undecided: bool,
    /// Whether anything of the following is left to be done, a step at a time.
    pub(crate) chores: bool,
    /// The last thread on the list of those whose wait is over, and that aren't in their bands yet.
    pub(crate) waking: ThreadId,
    /// The last thread on the list of those that are to take the semaphore that they were promised.
    pub(crate) promised: ThreadId,
    /// A thread that has gone to sleep, whose place is still in its dynamic band.
    pub(crate) leaving: ThreadId,
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
    /// What is being stopped.
    pub(crate) stopping: Option<Stopping>,
    /// The condition whose threads are all being woken.
    pub(crate) broadcast: Option<ConditionId>,
    pub(crate) reactions: Reactions<S>,
    pub(crate) bands: Bands<S>,
    pub(crate) processes: S::ProcessStates,
    /// The threads of S code.
    pub(crate) schedules: S::Schedules,
    pub(crate) threads: S::ThreadStates,
    /// When threads are released or have waited long enough.
    pub(crate) timers: Timers<S>,
    pub(crate) semaphores: S::SemaphoreStates,
    pub(crate) conditions: S::ConditionStates,
    pub(crate) mailboxes: S::MailboxStates,
    pub(crate) endpoints: S::EndpointStates,
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

/// What changes of a thread.
///
/// ```text
///             release (1)                  stop, fault (4)
///   Dormant ------------> Ready <-+------------------------> Stopped, from everywhere
///      ^                 |  |  |  |
///      |   complete (2), |  |  |  | wake (9)
///      |   violation (3) |  |  |  |
///      +-----------------+  |  +--- waits (7) --> Asleep --+
///                           |                              | wakes without the semaphore
///                           |    for a lock (8)            | that it was promised (11)
///                           +------------------> Lent <----+
///                                grant (10): back to Ready
///
///   Driver threads: Dormant --first driver (5)--> Busy --done (6)--> Waiting --next driver (5)--> Busy
/// ```
/// (1) `jobs::release`, (2) `jobs::complete`, (3) `jobs::violation`, (4) `faults`,
/// (5) `drivers::start_native`, (6) `drivers::driver_done`, (7) `waits::sleep`, (8) `semaphores::lend`,
/// `endpoints::endpoint_call`, (9) `waits::wake`, (10) `semaphores::pass_on`, `endpoints::end_call`,
/// (11) `semaphores::take_promised`. Running is Ready and chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// The job's deadline.
    pub(crate) deadline: Instant,
    /// Processor time used: by the job of a task or periodic thread, by other threads since the start.
    pub(crate) clock: Duration,
    /// What a waiting thread has handed over: a short message; or where its message is and where the
    /// answer goes; or the bits that it waits for; or the level that it gave up to wait for a condition.
    pub(crate) message: [u32; 2],
    /// When a periodic thread is released next; of a task, when the first of the releases was due that are owed to it.
    pub(crate) release: Moment,
    /// When it has waited long enough, if it is `timed`.
    pub(crate) until: Moment,
    /// The bits of its notification that are set.
    pub(crate) bits: u32,
    /// Where it is in its life.
    pub(crate) phase: Phase,
    /// What it waits for.
    pub(crate) wait: Wait,
    /// The number of the object that it waits for, if `wait` is about one.
    pub(crate) object: u8,
    /// Whether its place is in its band.
    pub(crate) standing: Standing,
    /// One more than the semaphore that it shall own when its wait is over, or 0.
    pub(crate) then: u8,
    /// Whether its wait ends at `until`.
    pub(crate) timed: bool,
    /// Whose calls it makes, if nothing else has to be asked.
    pub(crate) caller: Caller,
    /// How many releases came while it was at work; of a task, how many are owed to it, and whether it was in the way since a
    /// program last asked.
    pub(crate) missed: u8,
    /// The next in the ring of its priority, or of parked places.
    pub(crate) next: ThreadId,
    /// The one before it in the ring of its priority.
    pub(crate) previous: ThreadId,
    /// The next in the queue in which it waits, on the stack of raised threads, or on a list of chores.
    pub(crate) behind: ThreadId,
    /// The last of the ring of places that are parked at it.
    pub(crate) parked: ThreadId,
}

impl ThreadState {
    pub(crate) const DORMANT: ThreadState = ThreadState {
        deadline: Instant::NEVER,
        clock: Duration::ZERO,
        message: [0; 2],
        release: Instant::START.moment(),
        until: Instant::START.moment(),
        bits: 0,
        phase: Phase::Dormant,
        wait: Wait::Nothing,
        object: 0,
        standing: Standing::Out,
        then: 0,
        timed: false,
        caller: Caller::ASK,
        missed: 0,
        next: ThreadId::NONE,
        previous: ThreadId::NONE,
        behind: ThreadId::NONE,
        parked: ThreadId::NONE,
    };
}

impl Blank for ThreadState {
    const BLANK: ThreadState = ThreadState {
        deadline: Instant::START,
        caller: Caller::BLANK,
        next: ThreadId(0),
        previous: ThreadId(0),
        behind: ThreadId(0),
        parked: ThreadId(0),
        ..ThreadState::DORMANT
    };
}

impl ThreadState {
    /// A job begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self, deadline: Instant) {
        (self.deadline, self.clock, self.phase) = (deadline, Duration::ZERO, Phase::Ready);
    }

    /// Whether waking it is nothing but putting its place into its band, and keeping a promise.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        !self.parked.is_some() && self.standing == Standing::Out
    }
}

/// Whose calls can be done at once: a process, or nobody's.
///
/// While user code runs, this names the running thread's process only if the thread may wait and takes no
/// ceiling lock, nobody has raised its urgency, and no run is recorded. It can say [`Caller::ASK`] at
/// any time. So the short ways of calls ask one byte, and have the process whose rights count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Caller(u8);

impl Caller {
    /// Everything has to be asked.
    pub const ASK: Caller = Caller(u8::MAX);

    /// What memory holds before the start.
    pub(crate) const BLANK: Caller = Caller(0);

    /// A thread's, if it is plain.
    pub(crate) const fn of(process: ProcessId, is_plain: bool) -> Caller {
        if is_plain && process.0 < 32 { Caller(process.0) } else { Caller::ASK }
    }

    /// The process; nothing if more has to be asked.
    #[inline(always)]
    pub fn process(self) -> Option<u8> {
        if self.0 < 32 { Some(self.0) } else { None }
    }
}

/// Where a thread is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// A task without a job; a driver thread that has never run.
    Dormant,
    /// Wants the processor, or has it.
    Ready,
    /// Waits for a lock: its place is lent to the lock's owner.
    Lent,
    /// Waits for something else.
    Asleep,
    /// A driver thread that has asked for a driver to run.
    Waiting,
    /// A driver thread that runs a driver.
    Busy,
    /// Will never run again.
    Stopped,
}

/// What a thread waits for; which one is [`ThreadState::object`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wait {
    /// Nothing.
    Nothing,
    /// Its next release.
    Period,
    /// An instant.
    Time,
    /// Bits of its notification.
    Notification,
    /// A semaphore. A place is lent for a binary one only.
    Semaphore,
    /// A condition.
    Condition,
    /// Room in a mailbox.
    Send,
    /// A message in a mailbox.
    Receive,
    /// A request at an endpoint.
    Request,
    /// An endpoint's server that serves somebody else; lends its place to it.
    Call,
    /// An endpoint's server that serves it; lends its place to it.
    Reply,
}

/// Whether a thread's own place is in its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    /// No.
    Out,
    /// Yes.
    In,
    /// No: it serves somebody, in whose place it runs.
    Guest,
    /// No: it is lent to a thread that can't run.
    Parked,
}

/// What changes of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SemaphoreState {
    /// Who waits.
    pub(crate) queue: Queue,
    /// Who owns a binary one, or nobody. If it has a user's word, that says so as long as nobody waits.
    pub(crate) owner: ThreadId,
    /// Whether its last owner stopped.
    pub(crate) died: bool,
    /// Units of a counting one.
    pub(crate) units: u16,
}

/// What changes of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MailboxState {
    /// Who waits for room.
    pub(crate) senders: Queue,
    /// Who waits for a message.
    pub(crate) receivers: Queue,
    /// The position of the oldest message.
    pub(crate) oldest: u8,
    /// How many messages there are.
    pub(crate) count: u8,
}

/// What changes of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndpointState {
    /// Who waits to be served.
    pub(crate) queue: Queue,
    /// Who is being served.
    pub(crate) client: ThreadId,
    /// Whether a request is being served, whose client may have stopped.
    pub(crate) serving: bool,
}

impl SemaphoreState {
    pub(crate) const FREE: SemaphoreState =
        SemaphoreState { queue: Queue::EMPTY, owner: ThreadId::NONE, died: false, units: 0 };
}

impl MailboxState {
    pub(crate) const EMPTY: MailboxState =
        MailboxState { senders: Queue::EMPTY, receivers: Queue::EMPTY, oldest: 0, count: 0 };
}

impl EndpointState {
    pub(crate) const IDLE: EndpointState =
        EndpointState { queue: Queue::EMPTY, client: ThreadId::NONE, serving: false };
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
    /// What the last guard said.
    pub(crate) verdict: bool,
    /// The next instruction isn't checked: its handler has said so.
    pub(crate) is_forced: bool,
    /// Its thread that has dispatched a task.
    pub(crate) holder: ScheduleId,
    /// Where its text lies.
    pub(crate) room: Room,
    /// The exception that its handler is busy with.
    pub(crate) handling: Option<Handling>,
    /// When it last changed its mode.
    pub(crate) changed: Instant,
}

impl ProgramState {
    /// Before the program's start.
    pub(crate) const BEFORE: ProgramState = ProgramState {
        verdict: false,
        is_forced: false,
        holder: ScheduleId::NONE,
        room: Room::Image,
        handling: None,
        changed: Instant::NEVER,
    };
}

impl<S: Sizes> State<S> {
    /// The most bytes that one step copies.
    pub const CHUNK: u32 = 64;

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
