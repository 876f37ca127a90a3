//! The sizes of a system's tables.

mod declared;

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
    /// The words of the longest port that is no number.
    type Words: Table<u32> + Blank;
    /// What such ports held when the waits for them began, if there are any: a row for each wait.
    type Kept: Optional<Self::Words> + Blank;
    /// Whether there are any.
    const HAS_LONG_PORTS: bool = false;
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
    /// Whether any notification is a doorbell at another core.
    const RINGS: bool = false;
    /// How many links there are between tasks that read values of the same instant.
    const LINKS: usize = 0;
    /// Whether there are any.
    const FED: bool = Self::LINKS > 0;
    /// The number of events in the largest journal of a process.
    const JOURNAL: u32 = 0;
}
