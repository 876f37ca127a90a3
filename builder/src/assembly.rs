//! The assembly: timing program and system description joined, every name resolved to a row.
//!
//! Everything after this stage (system code, tables, generated sources, names in traces) is made
//! from the assembly alone. Threads stand in the order of the kernel's table: tasks, free threads,
//! driver threads, the idle thread.

mod activity;
mod alternatives;
mod budget;
mod cells;
pub mod clients;
mod driver;
mod frame;
mod gates;
mod join;
pub mod lenders;
mod levels;
pub mod limits;
mod linked;
pub mod objects;
mod offers;
mod other;
mod parts;
mod process;
mod programs;
pub(crate) mod ranks;
mod reaction;
mod sleep;
mod slots;
mod supervision;
mod uses;

pub use activity::{
    Activity, Alternative, Asynchronous, Entering, Guard, Input, Mode, Module, Port, Switch, Trigger, Window,
};
pub use budget::{Budget, Pool};
pub use cells::{Cell, CellId, Cells, Home};
pub use driver::{Driver, DriverKind};
pub use frame::{Frame, Stretch};
pub use join::{JoinError, assemble, assemble_all, assemble_linked};
pub use limits::Extents;
pub use linked::{Arrival, Arriving, Departure, Leaving, Links};
pub use objects::Objects;
pub use other::Other;
pub use process::{Function, Process, Shape};
pub use reaction::{CatchUp, Reaction};
pub use sleep::Sleep;
pub use supervision::{Report, Subject, Watchdog};

use std::collections::BTreeSet;
use std::sync::Arc;

use beryl_abi::Duration;
use beryl_timing::Record;

pub use crate::description::{OnOverrun, OnSpent, Use, Waits};
use crate::quantity::Bytes;
use crate::warning::Warning;

/// A whole system, ready to be placed, generated and analysed.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The system's name.
    pub name: String,
    /// In the order of the kernel's table.
    pub processes: Vec<Process>,
    /// What is in common to several threads that share a budget: a process, a group, or a band, each called as no other is.
    pub sharing: Vec<String>,
    /// In the order of the kernel's table.
    pub threads: Vec<Thread>,
    /// The band list, most urgent first; the last holds the idle thread.
    pub bands: Vec<Band>,
    /// In the order of the kernel's table.
    pub drivers: Vec<Driver>,
    /// One a module, in the order of the text.
    pub modules: Vec<Module>,
    /// Tasks that something else than time releases, each with a program of its own.
    pub asynchronous: Vec<Asynchronous>,
    /// The ports at which their triggers look.
    pub ports: Vec<Port>,
    /// Other programs of modules with slots: they aren't in the image, but all that they need is.
    pub alternatives: Vec<Alternative>,
    /// The records of the timing program.
    pub records: Vec<Arc<Record>>,
    /// The native functions that are in C.
    pub in_c: BTreeSet<String>,
    /// What leaves for other nodes.
    pub leaving: Vec<Leaving>,
    /// What comes from them.
    pub arriving: Vec<Arriving>,
    /// All port memory, and that of objects.
    pub cells: Cells,
    /// What threads and tasks share.
    pub objects: Objects,
    /// What supervisors are told of, by the numbers of the reports.
    pub reports: Vec<Report>,
    /// Who has to come back for that, and within which time.
    pub watchdogs: Vec<Watchdog>,
    /// How deep the processor may sleep, the lightest first.
    pub sleeps: Vec<Sleep>,
    /// In which windows bands may have the processor, if they belong to partitions.
    pub frame: Frame,
    /// Whether outputs become visible when a task completes, not at the end of its logical execution time. That is
    /// for experiments which show what logical execution times are good for.
    pub publishes_at_completion: bool,
    /// How many crash records the kernel keeps.
    pub crashes: u16,
    /// Whether it is counted what threads have no right to.
    pub counts_lacks: bool,
    /// Whether kernels of other cores call this one's on a line of its controller.
    pub is_called: bool,
    /// What is surely a mistake, but harmless.
    pub warnings: Vec<Warning>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name, unique in the system.
    pub name: String,
    /// Index of its process.
    pub process: usize,
    /// Index of its band.
    pub band: usize,
    /// Its place there: in a dynamic band the slot, in a fixed one the priority with which it begins.
    pub place: u8,
    /// The lowest and the highest priority that it may have while the system runs, if its priority may change.
    pub priorities: Option<[u8; 2]>,
    /// Size of its stack.
    pub stack: Bytes,
    /// What it is for.
    pub role: Role,
    /// The least time that a job takes.
    pub best: Duration,
    /// The most time that a job may take.
    pub worst: Duration,
    /// What is done about a job that has used it.
    pub on_overrun: OnOverrun,
    /// What it may use of the processor in every period, if that is described.
    pub budget: Option<Budget>,
    /// Who is told what happens to it.
    pub tells: Option<String>,
    /// What its function in C is given instead of handles: the variable of that name, by its address.
    pub argument: Option<String>,
    /// What it uses, in the order of its function's parameters.
    pub uses: Vec<Use>,
    /// How long it holds what it uses, where that is described.
    pub holds: Vec<(Use, Duration)>,
    /// Whether it is stopped if it keeps others out for longer than that, raised by a lock.
    pub is_policed: bool,
    /// Whether the kernel lets its jobs wait for something to happen.
    pub waits: Waits,
    /// The rank with which it begins, 0 to 31; 0 is the most urgent.
    pub rank: u8,
    /// The preemption level with which it begins, from 1; 0 for threads that take no locks.
    pub level: u8,
    /// The highest ceiling of the locks that it uses.
    pub highest_ceiling: u8,
}

impl Thread {
    /// Whether the kernel lets its jobs wait for nothing but their turns, or for nothing.
    #[must_use]
    pub fn is_prompt(&self) -> bool {
        self.waits >= Waits::Turns
    }

    /// Whether it has jobs that time releases, and isn't a task's.
    #[must_use]
    pub fn is_periodic(&self) -> bool {
        matches!(self.role, Role::Periodic(_))
    }

    /// Its native function, if it has one.
    #[must_use]
    pub fn function(&self) -> Option<&str> {
        match &self.role {
            Role::Task(task) => Some(&task.function),
            Role::Free { entry, .. } => Some(entry),
            Role::Periodic(row) => Some(&row.entry),
            Role::Drivers | Role::Idle => None,
        }
    }

    /// Its place when it is least urgent.
    #[must_use]
    pub fn least(&self) -> u8 {
        self.priorities.map_or(self.place, |[least, _]| least)
    }

    /// Its place when it is most urgent.
    #[must_use]
    pub fn most(&self) -> u8 {
        self.priorities.map_or(self.place, |[_, most]| most)
    }

    /// Whether its place may be in the background.
    #[must_use]
    pub fn is_ever_lowered(&self) -> bool {
        self.budget.is_some_and(|budget| budget.lowers())
    }

    /// What of its work the proof counts above the background: an enforced budget.
    #[must_use]
    pub fn enforced_budget(&self) -> Option<Budget> {
        self.budget.filter(Budget::is_enforced)
    }

    /// Whether time in its place beyond what the proof counts of its own work is seen, and ended.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.enforced_budget().is_some() || matches!(self.on_overrun, OnOverrun::EndsJob | OnOverrun::Faults)
    }

    /// Whether a budget is all that is known of what it takes.
    #[must_use]
    pub fn has_budget_alone(&self) -> bool {
        self.enforced_budget().is_some() && !self.has_jobs()
    }

    /// Whether it has jobs: there is a time by which what it has begun shall be done.
    #[must_use]
    pub fn has_jobs(&self) -> bool {
        match self.role {
            Role::Task(_) | Role::Periodic(_) => true,
            Role::Free { sporadic, .. } => sporadic.is_some(),
            Role::Drivers | Role::Idle => false,
        }
    }

    /// Whether its jobs pay from a budget that it shares: then they are proved beneath that.
    #[must_use]
    pub fn is_member(&self) -> bool {
        self.has_jobs() && self.enforced_budget().is_some_and(|budget| budget.pool.is_some())
    }

    /// Whether the budget that it shares stands with its place.
    #[must_use]
    pub fn is_purse(&self) -> bool {
        self.budget.and_then(|budget| budget.pool).is_some_and(|pool| pool.is_purse)
    }

    /// Its preemption level when it is least urgent.
    #[must_use]
    pub fn least_level(&self) -> u8 {
        if self.is_ever_lowered() {
            return beryl_kernel::Budget::BACKGROUND;
        }
        self.level.saturating_sub(self.place.saturating_sub(self.least()))
    }

    /// Its preemption level when it is most urgent.
    #[must_use]
    pub fn highest_level(&self) -> u8 {
        self.level.saturating_add(self.most().saturating_sub(self.place))
    }
}

/// What a thread is for.
#[derive(Clone, Debug)]
pub enum Role {
    /// Runs the jobs of a task.
    Task(Task),
    /// Runs from the start on.
    Free {
        /// Its function in the application.
        entry: String,
        /// In a dynamic band: from each time that it becomes ready.
        deadline: Option<Duration>,
        /// How often it becomes ready, and what it does then, if that is described.
        sporadic: Option<Sporadic>,
    },
    /// Runs a job for each of its releases.
    Periodic(Periodic),
    /// Runs the native drivers of its process.
    Drivers,
    /// Runs when nothing else does.
    Idle,
}

/// What is special to the thread of a task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Index of its module.
    pub module: usize,
    /// Index in its module.
    pub task: usize,
    /// Its function in the application.
    pub function: String,
    /// The function's arguments: the cell, and whether it may be changed.
    pub arguments: Vec<(CellId, bool)>,
    /// What is voted before its function is called.
    pub votes: Vec<Vote>,
    /// Its shortest logical execution time; of an asynchronous task its deadline.
    pub logical: Duration,
    /// From a release to the instant by which its job shall be done, if that is described.
    pub deadline: Option<Duration>,
    /// Its longest.
    pub longest: Duration,
    /// The least time from one release to the next.
    pub separation: Duration,
    /// Its outputs: what they are called, and where others see them.
    pub outputs: Vec<(String, CellId)>,
    /// The driver that publishes its outputs, if it has any.
    pub publisher: Option<usize>,
    /// The drivers that feed those who read its outputs at once.
    pub feeds: Vec<usize>,
    /// What is done about a job that isn't done at the end of its logical execution time.
    pub reaction: Reaction,
}

/// What most of several cells hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Where it is put.
    pub kept: CellId,
    /// Whether it is what replicas remember.
    pub is_remembered: bool,
    /// What came of the last vote.
    pub outcome: CellId,
    /// Those that vote.
    pub of: Vec<CellId>,
}

/// How often a thread without a period becomes ready, and how long it works then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sporadic {
    /// The least time from one wake-up to the next.
    pub separation: Duration,
    /// How much later a wake-up may come.
    pub jitter: Duration,
    /// The longest that it works.
    pub worst: Duration,
}

/// What is special to a periodic thread.
#[derive(Clone, Debug)]
pub struct Periodic {
    /// Its function in the application.
    pub entry: String,
    /// From one release to the next.
    pub period: Duration,
    /// The first release.
    pub offset: Duration,
    /// From a release to its job's deadline.
    pub deadline: Duration,
    /// It makes up for at most so many releases that came while it was at work.
    pub catch_up: u8,
}

/// A band.
#[derive(Clone, Debug)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Its policy.
    pub policy: Policy,
    /// The number of the partition to which it belongs, if it does to one.
    pub partition: Option<usize>,
}

/// A band's policy, with its place in the kernel's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    Dynamic {
        /// The first slot.
        base: u8,
        /// Number of slots.
        leaves: u8,
    },
    /// Highest priority first.
    Fixed,
    /// Whoever this program says: its index, behind those of the modules.
    Code {
        /// The program.
        program: usize,
        /// How many threads of system code it has.
        threads: usize,
    },
}

impl Task {
    /// From a release to the instant by which its job shall be done, where its logical execution time is so long.
    #[must_use]
    pub fn due(&self, length: Duration) -> Duration {
        self.deadline.map_or(length, |deadline| deadline.min(length))
    }
}

impl Thread {
    /// The longest that a job of it works, or that it works in a period of its budget.
    #[must_use]
    pub fn job(&self) -> Duration {
        match (&self.role, self.budget) {
            (Role::Free { sporadic: Some(times), .. }, _) => times.worst,
            (Role::Free { .. }, Some(budget)) => budget.amount,
            _ => self.worst,
        }
    }
}

impl Role {
    /// From becoming ready to the deadline, if it has one.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        match self {
            Role::Task(task) => Some(task.due(task.logical)),
            Role::Periodic(times) => Some(times.deadline),
            Role::Free { deadline, .. } => *deadline,
            Role::Drivers | Role::Idle => None,
        }
    }

    /// Whether it runs code that the description names: of a task or thread.
    #[must_use]
    pub fn is_applications(&self) -> bool {
        !matches!(self, Role::Drivers | Role::Idle)
    }
}

impl Assembly {
    /// The threads that are tasks, with what is special to them; their indices are those of the threads.
    pub fn tasks(&self) -> impl Iterator<Item = (&Thread, &Task)> {
        self.threads.iter().filter_map(|thread| match &thread.role {
            Role::Task(task) => Some((thread, task)),
            _ => None,
        })
    }

    /// How long a thread holds what it uses, if that is described, for this thread or for all users. A job holds
    /// nothing for longer than it works.
    #[must_use]
    pub fn hold(&self, thread: &Thread, used: Use) -> Option<Duration> {
        let own = thread.holds.iter().find(|(held, _)| *held == used).map(|(_, time)| *time);
        let objects = &self.objects;
        let of_all = match used {
            Use::Lock(index) => objects.locks.get(index)?.hold,
            Use::Semaphore(index) => objects.semaphores.get(index)?.hold,
            Use::Call(index) => objects.endpoints.get(index)?.hold,
            _ => None,
        };
        own.or_else(|| of_all.map(|time| time.min(thread.job())))
    }

    /// How long a thread may keep others out, raised by any lock that it uses, or as the owner of any semaphore; zero if
    /// nothing lets it.
    #[must_use]
    pub fn longest_inside(&self, thread: &Thread) -> Duration {
        let raises = |index: usize| self.objects.locks.get(index).is_some_and(|lock| lock.ceiling > 0);
        let is_owned = |index| self.objects.semaphores.get(index).is_some_and(objects::Semaphore::has_owner);
        let hold = |used: &Use| match used {
            Use::Lock(index) if raises(*index) => self.hold(thread, *used),
            Use::Semaphore(index) if is_owned(*index) => self.hold(thread, *used),
            _ => None,
        };
        thread.uses.iter().filter_map(hold).max().unwrap_or(Duration::ZERO)
    }

    /// How long a thread may work for a request, of the endpoint that it serves; zero if it serves none.
    #[must_use]
    pub fn longest_answer(&self, thread: &Thread) -> Duration {
        let hold = |used: &Use| match used {
            Use::Serve(index) => self.objects.endpoints.get(*index)?.hold,
            _ => None,
        };
        thread.uses.iter().filter_map(hold).max().unwrap_or(Duration::ZERO)
    }

    /// The gate before what a thread uses.
    #[must_use]
    pub fn gate(&self, used: Use) -> Option<&objects::Gate> {
        self.objects.gates.iter().find(|gate| gate.before == used)
    }

    /// How many inputs of tasks are fed.
    #[must_use]
    pub fn links(&self) -> usize {
        self.drivers.iter().filter(|driver| matches!(driver.kind, DriverKind::Fetch { .. })).count()
    }

    /// The threads of a process.
    pub fn threads_of(&self, process: usize) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(move |thread| thread.process == process)
    }
}
