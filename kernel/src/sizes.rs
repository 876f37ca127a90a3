//! The sizes of a system's tables.

use core::fmt::Debug;
use core::hash::Hash;

use beryl_abi::Moment;

use crate::arriving::replacement::Replacement;
use crate::arriving::slot::ProgramSlotState;
use crate::machine::event_trigger::EventTriggerState;
use crate::machine::link::LinkState;
use crate::machine::program::ProgramState;
use crate::machine::schedule::ScheduleState;
use crate::machine::trigger::TriggerState;
use crate::objects::endpoint::EndpointState;
use crate::objects::event_group::EventGroupState;
use crate::objects::lacked::Lacked;
use crate::objects::limit::{Credit, LimitState};
use crate::objects::mailbox::MailboxState;
use crate::objects::queue::Queue;
use crate::objects::semaphore::SemaphoreState;
use crate::rows::bands::Band;
use crate::rows::budgets::Budget;
use crate::rows::depths::Depth;
use crate::rows::drivers::Driver;
use crate::rows::fed::Fed;
use crate::rows::followed::Followed;
use crate::rows::gates::{Gate, GateId};
use crate::rows::limits::{Limit, LimitId};
use crate::rows::lines::ByLine;
use crate::rows::objects::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Semaphore, StateMessage,
};
use crate::rows::pools::Pooled;
use crate::rows::processes::Process;
use crate::rows::programs::{Port, Program, ProgramSlot};
use crate::rows::replaceable::Replaceable;
use crate::rows::reports::{Telling, Watched};
use crate::rows::restarts::Restart;
use crate::rows::rules::Rule;
use crate::rows::threads::Thread;
use crate::rows::waits::Waits;
use crate::rows::watchdogs::{Watchdog, WatchdogId};
use crate::rows::windows::{Window, WindowId};
use crate::scheduling::allowance::Allowance;
use crate::scheduling::budget::{BudgetState, Payment};
use crate::scheduling::depth::DepthState;
use crate::scheduling::eligible::Eligible;
use crate::scheduling::gate::{GateState, Opening};
use crate::scheduling::process::ProcessState;
use crate::scheduling::renewal::{Renewal, Restarts};
use crate::scheduling::report::{ReportState, Unsent};
use crate::scheduling::section::Section;
use crate::scheduling::sporadic::Chunks;
use crate::scheduling::thread::ThreadState;
use crate::scheduling::tree::Key;
use crate::scheduling::watchdog::{Alert, WatchdogState};
use crate::table::{Blank, Optional, Table};
use crate::tracing::crash::{Crash, Crashes};
use crate::tracing::stored::Stored;

/// How many places a step looks at from either end of a dynamic band, on a board.
pub const MOST_LOOKS: usize = 8;

/// The sizes of one system: each table's type is an array of the right length. Write one with
/// [`sizes!`](crate::sizes).
pub trait Sizes: Clone + Copy + Eq + Hash + Debug + 'static {
    /// Rows of the thread table.
    type Threads: Table<Thread>;
    /// The state of each thread.
    type ThreadStates: Table<ThreadState> + Blank;
    /// Rows of the process table.
    type Processes: Table<Process>;
    /// The state of each process.
    type ProcessStates: Table<ProcessState> + Blank;
    /// The band list.
    type Bands: Table<Band>;
    /// Slots of the dynamic bands.
    type Slots: Table<beryl_abi::ThreadId>;
    /// The first place of each dynamic band.
    type Firsts: Table<beryl_abi::ThreadId> + Blank;
    /// How many places a step looks at from either end of a dynamic band when it searches for a thread's
    /// place, so that the step doesn't grow with the band.
    const LOOKS: usize = MOST_LOOKS;
    /// Rows of the driver table.
    type Drivers: Table<Driver>;
    /// Timing programs.
    type Programs: Table<Program>;
    /// The state of each timing program.
    type ProgramStates: Table<ProgramState> + Blank;
    /// The state of each thread of system code.
    type Schedules: Table<ScheduleState> + Blank;
    /// The triggers.
    type Triggers: Table<TriggerState> + Blank;
    /// Event triggers; one place, always free, if there are none.
    type EventTriggers: Table<EventTriggerState> + Blank;
    /// Ports at which triggers may look.
    type Ports: Table<Port>;
    /// Keys of the trigger queue.
    type TriggerKeys: Table<Key> + Blank;
    /// Nodes of the trigger queue.
    type TriggerNodes: Table<u8> + Blank;
    /// Keys of the timer queue: a power of two with room for all threads.
    type Moments: Table<Moment> + Blank;
    /// Nodes of the timer queue.
    type MomentNodes: Table<u8> + Blank;
    /// Rows of the semaphores.
    type Semaphores: Table<Semaphore>;
    /// The state of each semaphore.
    type SemaphoreStates: Table<SemaphoreState> + Blank;
    /// Rows of the condition variables.
    type Conditions: Table<Condition>;
    /// The queue of each condition variable.
    type ConditionStates: Table<Queue> + Blank;
    /// Rows of the mailboxes.
    type Mailboxes: Table<Mailbox>;
    /// The state of each mailbox.
    type MailboxStates: Table<MailboxState> + Blank;
    /// Rows of the endpoints.
    type Endpoints: Table<Endpoint>;
    /// The state of each endpoint.
    type EndpointStates: Table<EndpointState> + Blank;
    /// Rows of the event groups.
    type EventGroups: Table<EventGroup>;
    /// The state of each event group.
    type EventGroupStates: Table<EventGroupState> + Blank;
    /// Rows of the notifications.
    type Notifications: Table<Notification>;
    /// Rows of the interrupts.
    type Interrupts: Table<Interrupt>;
    /// Which line raises which of them.
    type Lines: ByLine;
    /// Rows of the state messages.
    type StateMessages: Table<StateMessage>;
    /// Rows of the program slots.
    type ProgramSlots: Table<ProgramSlot>;
    /// The state of each program slot.
    type ProgramSlotStates: Table<ProgramSlotState> + Blank;
    /// The bytes of all rooms; one if there are no slots.
    type Rooms: Table<u8> + Blank;
    /// The checker's memory, in words.
    type CheckMemory: Table<u32> + Blank;
    /// The trace buffer on a target: a power of two; one place if there is none.
    type Notes: Table<Stored> + Blank;
    /// The budget of each thread's place, if any place has one.
    type Budgets: Optional<Budget>;
    /// The state of each budget.
    type BudgetStates: Optional<BudgetState> + Blank;
    /// By which rule each budget comes back, if any isn't deferrable.
    type Rules: Optional<Rule>;
    /// The parts of each sporadic budget.
    type Chunks: Optional<Chunks> + Blank;
    /// Which places pay together, if any do.
    type Pools: Optional<Pooled>;
    /// Who pays from a budget.
    type Payments: Optional<Payment> + Blank;
    /// The gates, if there are any.
    type Gates: Optional<Gate>;
    /// The gate before each line and object.
    type Doors: Optional<GateId>;
    /// The state of each gate.
    type GateStates: Optional<GateState> + Blank;
    /// The gate whose timer has yet to be set.
    type Openings: Optional<Opening> + Blank;
    /// The limits of clients, if there are any.
    type Limits: Optional<Limit>;
    /// The limit of each client of each mailbox and endpoint.
    type Clients: Optional<LimitId>;
    /// The state of each limit.
    type LimitStates: Optional<LimitState> + Blank;
    /// The credits of all limits.
    type Credits: Optional<Credit> + Blank;
    /// What each thread asked for without a right to it, if that is counted.
    type Lacked: Optional<Lacked> + Blank;
    /// The depths of sleep, the lightest first, if there are several.
    type Depths: Optional<Depth>;
    /// How deep the processor sleeps.
    type DepthStates: Optional<DepthState> + Blank;
    /// How often each process begins anew after a fault, if any does.
    type Restarts: Optional<Restart>;
    /// When each process began anew.
    type RestartStates: Optional<Restarts> + Blank;
    /// The process that is being put back to the start.
    type Renewals: Optional<Renewal> + Blank;
    /// Where the code of each process is kept that takes the place of the image's, if there is any.
    type Replaceables: Optional<Replaceable>;
    /// Whose code each process runs.
    type Replacements: Optional<Replacement> + Blank;
    /// The crash records that are kept, if any are.
    type Crashes: Optional<Crash> + Blank;
    /// The one that is being written.
    type Writing: Optional<Crashes> + Blank;
    /// Which reports there are of each thread and gate, if any thread supervises others.
    type Watched: Optional<Watched>;
    /// Who gets each report.
    type Tellings: Optional<Telling>;
    /// The state of each report.
    type ReportStates: Optional<ReportState> + Blank;
    /// The reports that have yet to be sent.
    type Unsents: Optional<Unsent> + Blank;
    /// The watchdogs of supervisors, if there are any.
    type Watchdogs: Optional<Watchdog>;
    /// The watchdog of whom each mailbox tells something.
    type WatchdogOf: Optional<WatchdogId>;
    /// The state of each watchdog.
    type WatchdogStates: Optional<WatchdogState> + Blank;
    /// What has yet to be done about watchdogs.
    type Alerts: Optional<Alert> + Blank;
    /// The windows of the frame, if there are any.
    type Windows: Optional<Window>;
    /// The window that is open.
    type OpenWindows: Optional<WindowId> + Blank;
    /// The ranks that count in it.
    type Eligible: Eligible + Clone + Eq + Hash + Debug + Blank;
    /// What was told last of each state message that is followed.
    type FollowedStates: Optional<u32> + Blank;
    /// The section of each thread that keeps somebody out, where that is policed.
    type Sections: Optional<Section> + Blank;
    /// When each server has to have answered; absent where nobody polices any.
    type Answers: Optional<Allowance> + Blank;
    /// Which part each driver has in links between tasks, if there are any.
    type Feds: Optional<Fed>;
    /// What each link between tasks knows of its writer's last job, if there are any.
    type LinkStates: Optional<LinkState> + Blank;
    /// The number of the thread that reads the buffer.
    const READER: u8;
    /// The classes whose notes are kept from the start: see [`beryl_abi::Classes`].
    const TOLD: u16;
    /// All slots take only programs with a certificate: the checker for others is left out.
    const CERTIFIED_ONLY: bool = false;
    /// Whether programs of the image have handlers of exceptions.
    const HANDLERS: bool;
    /// Whether programs of the image have rounds: activities of different rates share the code of their
    /// instants.
    const ROUNDS: bool = false;
    /// Whether there is S code.
    const SCHEDULED: bool;
    /// Whether there are objects or ceiling locks that make threads wait for each other.
    const SHARED: bool;
    /// Whether any thread takes ceiling locks.
    const CEILINGS: bool;
    /// Whether there are periodic threads.
    const PERIODIC: bool;
    /// Whether any thread has a range of priorities.
    const RANGED: bool;
    /// Whether there are event groups.
    const GROUPED: bool = false;
    /// Whether any place has a budget.
    const BUDGETED: bool = false;
    /// Whether any budget comes back by another rule than the deferrable one.
    const RULED: bool = false;
    /// Whether any budget is one of constant bandwidth.
    const CONSTANT: bool = false;
    /// Whether any places pay together from one budget.
    const POOLED: bool = false;
    /// The length of the table of gates.
    const GATES: usize = 0;
    /// Whether there are gates.
    const GATED: bool = Self::GATES > 0;
    /// The length of the table of limits.
    const LIMITS: usize = 0;
    /// The length of the table of credits.
    const CREDITS: usize = 0;
    /// Whether there are limits of clients.
    const LIMITED: bool = Self::LIMITS > 0;
    /// The length of the table of what threads have no right to.
    const LACKING: usize = 0;
    /// Whether that is counted.
    const COUNTED: bool = Self::LACKING > 0;
    /// What each thread may wait for; empty if all do as they like.
    const WAITS: &'static [Waits] = &[];
    /// How many depths of sleep there are beside the lightest.
    const DEPTHS: usize = 0;
    /// Whether any process begins anew after a fault.
    const RESTARTED: bool = false;
    /// Whether any process can be replaced.
    const REPLACED: bool = false;
    /// How many crash records are kept.
    const CRASHES: usize = 0;
    /// Whether any thread supervises others.
    const SUPERVISED: bool = false;
    /// The length of the table of watchdogs.
    const WATCHDOGS: usize = 0;
    /// Whether any supervisor has a watchdog.
    const WATCHED_OVER: bool = Self::WATCHDOGS > 0;
    /// The number of windows in the frame.
    const WINDOWS: usize = 0;
    /// Whether any bands count only in windows.
    const PARTITIONED: bool = Self::WINDOWS > 0;
    /// The state messages that are followed.
    const FOLLOWED: &'static [Followed] = &[];
    /// How long each thread may keep others out while it is raised or owns a semaphore, in ticks; 0 if nobody polices
    /// that. Empty if nobody polices any.
    const HOLDS: &'static [u32] = &[];
    /// How long each server may work for a request, in ticks; 0 if nobody polices that. Empty if nobody polices any.
    const ANSWERS: &'static [u32] = &[];
    /// Whether values come from other kernels, or go to them.
    const LINKED: bool = false;
    /// How many links there are between tasks that read values of the same instant.
    const LINKS: usize = 0;
    /// Whether there are any.
    const FED: bool = Self::LINKS > 0;
    /// The number of events in the largest journal of a process.
    const JOURNAL: u32 = 0;
}

/// The type of a table that a kernel may lack.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    ($row:ty) => {
        $crate::row::Absent
    };
    ($row:ty, $number:expr) => {
        [$row; $number]
    };
}

/// Declares the sizes of a system. Sizes that are powers of two make the fastest tables. A table without
/// objects has one row that nobody may name.
///
/// `slots` and `triggers` are powers of two of at least two; `triggers` is at least `programs` (or
/// `trigger_places`, if some programs have more than one) plus `s_machine`. Without `s_machine` there is no S
/// code, nor the kernel's part that carries it out. `rooms` are the bytes of all rooms of slots.
/// `check_words` are the words that the checker needs: one for each instruction that fits in the largest
/// room, plus the words for the check of time; with `certified_only` there is no check for programs without a
/// certificate. `notes` is a power of two: the notes that the trace buffer holds for the thread with the
/// number `reader`; `told` are the classes that it keeps from the start.
///
/// `handlers` says whether programs of the image have handlers of exceptions, `rounds` whether they have
/// rounds, `shared` whether there are objects or ceiling locks, `ceilings` whether there are ceiling locks,
/// `periodic` whether there are periodic threads, `ranged` whether any thread has a range of priorities.
/// `looks` is how many places a step looks at, if it isn't [`MOST_LOOKS`]; `journal` is the number of events
/// in the largest journal of a process; `followed` are the state messages that are followed. Without `event_groups` there are none. `budgets`, if any place has
/// one, is the number of threads, and so are `rules`, if any comes back by another rule than the deferrable one (`constant` says whether any has constant bandwidth), and `pools`, if several places share one; `gates`, if there are any, is their number. `depths` is how many depths of
/// sleep there are beside the lightest; `restarts`, if any process begins anew after a fault, is the number of
/// processes; `limits`, if clients have any, is their number, and `credits` how many all of them have together;
/// `crashes` is how many crash records are kept; `reports`, if any thread supervises others, is the number of reports
/// that there may be, and `watchdogs`, if any of these has one, their number; `windows`, if bands are partitions, is the number of windows in the frame; `lacked`, if it is counted what threads have no right to, is the number of threads; `waits`, if any thread mayn't wait for all that it likes,
/// says of each what it may; `replaced`, if any process that begins anew can be replaced, is the number of processes; `lines`, if any that is used isn't below 32, is a power of two above all that are; `linked` says whether values come from other kernels or go to them; `links` is how many inputs of tasks are fed. The code for a part that is absent is left out.
#[macro_export]
macro_rules! sizes {
    ($(#[$doc:meta])* $visibility:vis struct $name:ident {
        threads: $threads:expr, processes: $processes:expr, bands: $bands:expr, slots: $slots:expr,
        drivers: $drivers:expr, programs: $programs:expr, triggers: $triggers:expr,
        semaphores: $semaphores:expr, conditions: $conditions:expr, mailboxes: $mailboxes:expr,
        endpoints: $endpoints:expr, notifications: $notifications:expr, interrupts: $interrupts:expr,
        state_messages: $state_messages:expr $(, event_groups: $event_groups:expr)? $(, schedules: $schedules:expr)?
        $(, program_slots: $program_slots:expr, rooms: $rooms:expr, check_words: $check_words:expr
            $(, certified_only: $certified_only:expr)?)?
        $(, trigger_places: $trigger_places:expr, event_triggers: $event_triggers:expr, ports: $ports:expr)?
        $(, notes: $notes:expr, reader: $reader:expr, told: $told:expr)?
        $(, handlers: $handlers:expr)?
        $(, rounds: $rounds:expr)?
        $(, shared: $shared:expr)?
        $(, ceilings: $ceilings:expr)?
        $(, periodic: $periodic:expr)?
        $(, ranged: $ranged:expr)?
        $(, looks: $looks:expr)?
        $(, journal: $journal:expr)?
        $(, followed: $followed:expr)?
        $(, holds: $holds:expr)? $(, answers: $answers:expr)?
        $(, budgets: $budgets:expr)?
        $(, rules: $rules:expr $(, constant: $constant:expr)?)?
        $(, pools: $pools:expr)?
        $(, gates: $gates:expr)?
        $(, depths: $depths:expr)?
        $(, restarts: $restarts:expr)?
        $(, limits: $limits:expr, credits: $credits:expr)?
        $(, crashes: $crashes:expr)?
        $(, reports: $reports:expr)?
        $(, lacked: $lacked:expr)?
        $(, watchdogs: $watchdogs:expr)?
        $(, windows: $windows:expr)?
        $(, waits: $waits:expr)?
        $(, replaced: $replaced:expr)?
        $(, lines: $lines:expr)?
        $(, linked: $linked:expr)?
        $(, links: $links:expr)? $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility struct $name;

        impl $crate::Sizes for $name {
            type Threads = [$crate::Thread; $threads];
            type ThreadStates = [$crate::row::ThreadState; $threads];
            type Processes = [$crate::Process; $processes];
            type ProcessStates = [$crate::row::ProcessState; $processes];
            type Bands = [$crate::Band; $bands];
            type Slots = [$crate::row::ThreadId; $slots];
            type Firsts = [$crate::row::ThreadId; $bands];
            type Drivers = [$crate::Driver; $drivers];
            type Programs = [$crate::Program; $programs];
            type ProgramStates = [$crate::row::ProgramState; $programs];
            type Schedules = [$crate::row::ScheduleState; 1 $(* 0 + $schedules)?];
            type Triggers = [$crate::row::TriggerState; $crate::places_for($programs, 0 $(+ $trigger_places)?)];
            type EventTriggers = [$crate::row::EventTriggerState; 1 $(+ $event_triggers)?];
            type Ports = [$crate::Port; 1 $(* 0 + $ports)?];
            type TriggerKeys = [$crate::row::Key; $triggers];
            type TriggerNodes = [u8; 2 * $triggers];
            type Moments = [$crate::row::Moment; $crate::leaves_for($threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)?)];
            type MomentNodes = [u8; 2 * $crate::leaves_for($threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)?)];
            type Semaphores = [$crate::Semaphore; $semaphores];
            type SemaphoreStates = [$crate::row::SemaphoreState; $semaphores];
            type Conditions = [$crate::Condition; $conditions];
            type ConditionStates = [$crate::row::Queue; $conditions];
            type Mailboxes = [$crate::Mailbox; $mailboxes];
            type MailboxStates = [$crate::row::MailboxState; $mailboxes];
            type Endpoints = [$crate::Endpoint; $endpoints];
            type EndpointStates = [$crate::row::EndpointState; $endpoints];
            type EventGroups = [$crate::EventGroup; 1 $(* 0 + $event_groups)?];
            type EventGroupStates = [$crate::row::EventGroupState; 1 $(* 0 + $event_groups)?];
            type Notifications = [$crate::Notification; $notifications];
            type Interrupts = [$crate::Interrupt; $interrupts];
            type Lines = $crate::Lines<{ $crate::LEAST_LINES $(* 0 + $lines)? }>;
            type StateMessages = [$crate::StateMessage; $state_messages];
            type ProgramSlots = [$crate::ProgramSlot; 1 $(* 0 + $program_slots)?];
            type ProgramSlotStates = [$crate::row::ProgramSlotState; 1 $(* 0 + $program_slots)?];
            type Rooms = [u8; 1 $(* 0 + $rooms)?];
            type CheckMemory = [u32; 1 $(* 0 + $check_words)?];
            type Notes = [$crate::row::Stored; 1 $(* 0 + $notes)?];
            type Budgets = $crate::optional!($crate::Budget $(, $budgets)?);
            type BudgetStates = $crate::optional!($crate::row::BudgetState $(, $budgets)?);
            type Rules = $crate::optional!($crate::Rule $(, $rules)?);
            type Chunks = $crate::optional!($crate::row::Chunks $(, $rules)?);
            type Pools = $crate::optional!($crate::Pooled $(, $pools)?);
            type Payments = $crate::optional!($crate::row::Payment $(, 1 + 0 * $budgets)?);
            type FollowedStates = $crate::optional!(u32 $(, { let all: &[$crate::Followed] = $followed; all.len() })?);
            type Sections = $crate::optional!($crate::row::Section $(, { let all: &[u32] = $holds; all.len() })?);
            type Answers = $crate::optional!($crate::row::Allowance $(, { let all: &[u32] = $answers; all.len() })?);
            type Feds = $crate::optional!($crate::Fed $(, 0 * $links + $drivers)?);
            type LinkStates = $crate::optional!($crate::row::LinkState $(, $links)?);
            type Gates = $crate::optional!($crate::Gate $(, $gates)?);
            type Doors = $crate::optional!(
                $crate::GateId $(, 0 * $gates + $crate::door::<$name>($crate::Gated::Nothing))?
            );
            type GateStates = $crate::optional!($crate::row::GateState $(, $gates)?);
            type Openings = $crate::optional!($crate::row::Opening $(, 1 + 0 * $gates)?);
            type Limits = $crate::optional!($crate::Limit $(, $limits)?);
            type Clients = $crate::optional!(
                $crate::LimitId
                    $(, 0 * $limits + $crate::client::<$name>($crate::Asked::Nothing, $crate::row::ProcessId(0)))?
            );
            type LimitStates = $crate::optional!($crate::row::LimitState $(, $limits)?);
            type Credits = $crate::optional!($crate::row::Credit $(, $credits)?);
            type Lacked = $crate::optional!($crate::row::Lacked $(, $lacked)?);
            type Depths = $crate::optional!($crate::Depth $(, $depths)?);
            type DepthStates = $crate::optional!($crate::row::DepthState $(, 1 + 0 * $depths)?);
            type Restarts = $crate::optional!($crate::Restart $(, $restarts)?);
            type RestartStates = $crate::optional!($crate::row::Restarts $(, $restarts)?);
            type Renewals = $crate::optional!($crate::row::Renewal $(, 1 + 0 * $restarts)?);
            type Replaceables = $crate::optional!($crate::Replaceable $(, $replaced)?);
            type Replacements = $crate::optional!($crate::row::Replacement $(, $replaced)?);
            type Crashes = $crate::optional!($crate::row::Crash $(, $crashes)?);
            type Writing = $crate::optional!($crate::row::Crashes $(, 1 + 0 * $crashes)?);
            type Watched = $crate::optional!($crate::Watched $(, 0 * $reports + $crate::subjects::<$name>())?);
            type Tellings = $crate::optional!($crate::Telling $(, $reports)?);
            type ReportStates = $crate::optional!($crate::row::ReportState $(, $reports)?);
            type Unsents = $crate::optional!($crate::row::Unsent $(, 1 + 0 * $reports)?);
            type Watchdogs = $crate::optional!($crate::Watchdog $(, $watchdogs)?);
            type WatchdogOf = $crate::optional!($crate::WatchdogId $(, 0 * $watchdogs + $mailboxes)?);
            type WatchdogStates = $crate::optional!($crate::row::WatchdogState $(, $watchdogs)?);
            type Alerts = $crate::optional!($crate::row::Alert $(, 1 + 0 * $watchdogs)?);
            type Windows = $crate::optional!($crate::Window $(, $windows)?);
            type OpenWindows = $crate::optional!($crate::WindowId $(, 1 + 0 * $windows)?);
            type Eligible = $crate::optional!(u32 $(, 1 + 0 * $windows)?);
            const READER: u8 = u8::MAX $(* 0 + $reader)?;
            const TOLD: u16 = 0 $(+ $told)?;
            const CERTIFIED_ONLY: bool = false $($(|| $certified_only)?)?;
            const HANDLERS: bool = false $(|| $handlers)?;
            const ROUNDS: bool = false $(|| $rounds)?;
            const SCHEDULED: bool = false $(|| $schedules > 0)?;
            const SHARED: bool = true $(&& $shared)?;
            const CEILINGS: bool = Self::SHARED $(&& $ceilings)?;
            const PERIODIC: bool = true $(&& $periodic)?;
            const RANGED: bool = true $(&& $ranged)?;
            const GROUPED: bool = false $(|| $event_groups > 0)?;
            const BUDGETED: bool = false $(|| $budgets > 0)?;
            const RULED: bool = false $(|| $rules > 0 && Self::BUDGETED)?;
            const CONSTANT: bool = false $($(|| $constant && Self::RULED)?)?;
            const POOLED: bool = false $(|| $pools > 0 && Self::BUDGETED)?;
            const GATES: usize = 0 $(+ $gates)?;
            const LIMITS: usize = 0 $(+ $limits)?;
            const CREDITS: usize = 0 $(+ $credits)?;
            const DEPTHS: usize = 0 $(+ $depths)?;
            const RESTARTED: bool = false $(|| $restarts > 0)?;
            const REPLACED: bool = false $(|| $replaced > 0 && Self::RESTARTED)?;
            const CRASHES: usize = 0 $(+ $crashes)?;
            const SUPERVISED: bool = false $(|| $reports > 0)?;
            const WATCHDOGS: usize = 0 $(+ $watchdogs)?;
            const WINDOWS: usize = 0 $(+ $windows)?;
            const LACKING: usize = 0 $(+ $lacked)?;
            const LINKED: bool = false $(|| $linked)?;
            const LINKS: usize = 0 $(+ $links)?;
            $(const WAITS: &'static [$crate::Waits] = $waits;)?
            $(const LOOKS: usize = $looks;)?
            const JOURNAL: u32 = 0 $(+ $journal)?;
            $(const FOLLOWED: &'static [$crate::Followed] = $followed;)?
            $(const HOLDS: &'static [u32] = $holds;)?
            $(const ANSWERS: &'static [u32] = $answers;)?
        }

        $(const _: () = assert!($crate::power_of_two_from_two($notes));)?

        const _: () = assert!($crate::power_of_two_from_two($slots) && $crate::power_of_two_from_two($triggers)
            && $crate::fit_together(
                $crate::places_for($programs, 0 $(+ $trigger_places)?), 0 $(+ $schedules)?, $triggers
            ) && $threads $(+ $gates)? $(+ $watchdogs)? $(+ 1 + 0 * $windows)? <= $crate::MOST_THREADS);
        // The limits of bit and number widths: one bit for each band, five bits of a key for the program, a
        // byte for a slot, one bit for each process, a byte for an object with one number to spare. The
        // deferred work of event groups is done where threads may wait for each other, and gates stand before objects.
        // The alarm is set to the end of a section, and to when a server has to answer, where it is set to that of a budget.
        const _: () = assert!(<$name as $crate::Sizes>::HOLDS.is_empty() || <$name as $crate::Sizes>::BUDGETED);
        const _: () = assert!(<$name as $crate::Sizes>::ANSWERS.is_empty() || <$name as $crate::Sizes>::BUDGETED);
        const _: () = assert!(!<$name as $crate::Sizes>::GROUPED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::GATED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::LIMITED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(<$name as $crate::Sizes>::LIMITS < 255 && <$name as $crate::Sizes>::CREDITS <= u16::MAX as usize);
        // A byte counts the crash records that are kept.
        const _: () = assert!(<$name as $crate::Sizes>::CRASHES <= 128);
        const _: () = assert!(!<$name as $crate::Sizes>::SUPERVISED || <$name as $crate::Sizes>::SHARED);
        const _: () = assert!(!<$name as $crate::Sizes>::WATCHED_OVER || <$name as $crate::Sizes>::SUPERVISED);
        // A byte names a link.
        const _: () = assert!(<$name as $crate::Sizes>::LINKS <= 256);
        // A byte names a window.
        const _: () = assert!(<$name as $crate::Sizes>::WINDOWS < 255);
        const _: () = assert!($bands <= 32 && $programs <= 32 && $slots <= 256 && $processes <= 32);
        const _: () = assert!($semaphores < 255 && $conditions < 255 && $mailboxes < 255 && $endpoints < 255
            && $notifications < 255 && $interrupts < 255 && $state_messages < 255 $(&& $event_groups < 255)?);
    };
}
