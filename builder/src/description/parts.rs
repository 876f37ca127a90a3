//! The parts of a system description.

use super::value::{Value, Wrong, choice};
use super::{Floating, Hold, Log, OnHold, Placed, Policy, Scheme, Use, Waits};
use crate::board::{Board, Device};
use crate::quantity::{Bytes, Nanoseconds};
use beryl_abi::{BandId, ProcessId};
use beryl_kernel::Rule;
use miette::SourceSpan;
use toml::de::DeValue;

/// The system itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Its name.
    pub name: Placed<String>,
    /// The files of the timing program, relative to the description; none if there are only threads.
    pub timing: Vec<Placed<String>>,
    /// The crate of the native functions, relative to the description; none if all of them are in C.
    pub application: Option<Placed<String>>,
    /// The crate of the simulation's environment, relative to the description.
    pub environment: Option<Placed<String>>,
    /// When outputs become visible.
    pub outputs: Outputs,
    /// How many crash records the kernel keeps.
    pub crashes: u16,
    /// What becomes of calls for which a thread has no right.
    pub refusals: Refusals,
    /// Which log statements are compiled.
    pub log: Log,
}

/// What becomes of calls for which a thread has no right. They are refused anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refusals {
    /// The caller gets its error, and that is all.
    #[default]
    Returned,
    /// They are counted for the thread, and told.
    Counted,
}

impl Value for Refusals {
    const EXAMPLE: &'static str = "\"counted\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("returned", Refusals::Returned), ("counted", Refusals::Counted)])
    }
}

/// When a task's outputs become visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outputs {
    /// At the end of the logical execution time.
    #[default]
    Let,
    /// When the job completes: for experiments, since values then depend on execution times.
    Completion,
    /// To tasks that read them at once what the job comes to that was released last, and to all others at the end of the
    /// logical execution time.
    Synchronous,
}

impl Value for Outputs {
    const EXAMPLE: &'static str = "\"let\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let words = [
            ("let", Outputs::Let),
            ("completion", Outputs::Completion),
            ("synchronous", Outputs::Synchronous),
        ];
        choice(value, &words)
    }
}

/// The board and how much of it may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardUse {
    /// The board.
    pub board: Placed<&'static Board>,
    /// The most flash that the image may take.
    pub flash: Placed<Bytes>,
    /// The most RAM that the system may take.
    pub ram: Placed<Bytes>,
    /// Under emulation one instruction takes two to this power of nanoseconds: 0 to 10.
    pub speed: u8,
}

impl BoardUse {
    /// Nanoseconds a tick of the board.
    #[must_use]
    pub fn nanoseconds(&self) -> u32 {
        u32::try_from(self.board.tick.get()).unwrap_or(u32::MAX)
    }
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name.
    pub name: Placed<String>,
    /// The most that its static variables may take, without ports and stacks.
    pub memory: Placed<Bytes>,
    /// Devices that it uses.
    pub devices: Vec<Placed<Device>>,
    /// Where a line with devices belongs, if it has none yet: it takes the place of what is there.
    pub device_line: Option<SourceSpan>,
    /// What a fault of one of its threads stops.
    pub on_fault: OnFault,
    /// How often it begins anew, if it does.
    pub restarts: Option<Restarts>,
    /// The bytes of each of two rooms for code that takes the place of its own, if it can be replaced.
    pub replaceable: Option<Placed<Bytes>>,
    /// What its threads may use together of the processor in every period, if that is described.
    pub budget: Option<Budget>,
    /// Who is told what happens to those of its threads that say nothing themselves.
    pub tells: Option<Placed<String>>,
    /// The stack of the thread that runs its native drivers.
    pub driver_stack: Option<Placed<Bytes>>,
    /// How many events have room in its journal, if it has one.
    pub journal: Option<u32>,
    /// The lock that its threads take where libraries ask for a critical section.
    pub critical_section: Option<Placed<String>>,
    /// The node on which it is, if there are any.
    pub node: Option<Placed<usize>>,
    /// What computes its numbers with a floating point, if that is said.
    pub floating: Option<Placed<Floating>>,
}

impl Process {
    /// Whether it is on this node.
    #[must_use]
    pub fn is_on(&self, node: usize) -> bool {
        self.node.is_some_and(|own| own.value == node)
    }

    /// Whether the processor computes its numbers with a floating point.
    #[must_use]
    pub fn is_floating(&self) -> bool {
        self.floating.is_some_and(|floating| floating.value == Floating::Hardware)
    }
}

/// How often a process begins anew after a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// The most times in any stretch of the length `within`.
    pub most: u8,
    /// The length of the stretch.
    pub within: Placed<Nanoseconds>,
}

/// What a fault stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFault {
    /// The whole process.
    #[default]
    StopProcess,
    /// The faulty thread only.
    StopThread,
    /// The whole process, which then begins anew.
    Restart,
}

impl Value for OnFault {
    const EXAMPLE: &'static str = "\"stop-process\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let words = [
            ("stop-process", OnFault::StopProcess),
            ("stop-thread", OnFault::StopThread),
            ("restart", OnFault::Restart),
        ];
        choice(value, &words)
    }
}

/// A level of the scheduler's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// Its name.
    pub name: Placed<String>,
    /// Who goes first in it.
    pub policy: Policy,
    /// How the order is found if that is said by a program.
    pub scheme: Scheme,
    /// The partition to which it belongs, if it does to one.
    pub partition: Option<Placed<String>>,
    /// What its threads may use together of the processor in every period, if that is described.
    pub budget: Option<Budget>,
}

/// Threads that share a budget, of whatever process and band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: Placed<String>,
    /// What they may use together of the processor in every period.
    pub budget: Budget,
}

/// When which partition may have the processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitions {
    /// How long the frame is that repeats.
    pub frame: Placed<Nanoseconds>,
    /// Its windows, in the order of the text.
    pub windows: Vec<Window>,
}

/// A window of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Whose it is.
    pub partition: Placed<String>,
    /// Where it begins.
    pub from: Placed<Nanoseconds>,
    /// Where it ends.
    pub until: Placed<Nanoseconds>,
}

/// A depth of sleep beside the lightest, which has no wake-up and no section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleep {
    /// Its name.
    pub name: Placed<String>,
    /// The longest that it takes to wake from it.
    pub wake: Placed<Nanoseconds>,
    /// The shortest time for which it is worth it; nothing: whenever there is time enough to wake.
    pub least: Option<Placed<Nanoseconds>>,
}

/// A task of the timing program, as far as the platform is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The module, where the name alone isn't clear.
    pub module: Option<String>,
    /// The task's name, placed at the whole key.
    pub name: Placed<String>,
    /// Its process.
    pub process: Placed<ProcessId>,
    /// Its function, if it is that of a replica and not the one that the timing program names.
    pub function: Option<Placed<String>>,
    /// Its band.
    pub band: Placed<BandId>,
    /// The shortest that a job takes.
    pub best: Nanoseconds,
    /// The longest that a job takes; positive.
    pub worst: Placed<Nanoseconds>,
    /// From a release to the instant by which its job shall be done, if that is before the end of its logical
    /// execution time; positive.
    pub deadline: Option<Placed<Nanoseconds>>,
    /// Its stack.
    pub stack: Placed<Bytes>,
    /// In a fixed band: 0 to 31, larger is more urgent.
    pub priority: Option<u8>,
    /// What is done about a job that isn't done at the end of its logical execution time.
    pub on_miss: OnMiss,
    /// What is done about a job that has used its `worst`.
    pub on_overrun: Option<Placed<OnOverrun>>,
    /// Who is told what happens to it.
    pub tells: Option<Placed<String>>,
    /// What it uses, in the order of its function's parameters behind the ports.
    pub uses: Vec<Placed<Use>>,
    /// How long it holds what it uses.
    pub holds: Vec<Hold>,
    /// What is done about it if it stays raised for longer, if anything is.
    pub on_hold: Option<Placed<OnHold>>,
    /// What its jobs may wait for.
    pub waits: Waits,
    /// The outputs of tasks that it reads with a delay, where values are synchronous: as others see them.
    pub delayed: Vec<Placed<String>>,
}

/// What is done about a job that isn't done at the end of its logical execution time. It is reported in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnMiss {
    /// What becomes of the job.
    pub fate: Fate,
    /// Whether its outputs get their initial values.
    pub outputs: Option<Placed<()>>,
    /// The actuator that gets its initial value.
    pub set: Option<Placed<String>>,
    /// The native function that is carried out.
    pub call: Option<CallOnMiss>,
    /// The mode to which its module switches.
    pub mode: Option<Placed<String>>,
    /// How many releases that come while its job goes on are made up for.
    pub catch_up: Option<Placed<u8>>,
    /// How many releases may be left out for one job that goes on, before it is stopped.
    pub most: Option<Placed<u8>>,
}

/// A native function that is given a value as it is visible when a job is late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOnMiss {
    /// The function.
    pub function: Placed<String>,
    /// The task and its output.
    pub with: Placed<(String, String)>,
}

/// What is done about a job that has used its `worst` and isn't done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnOverrun {
    /// Nothing: it is counted and reported when the job is done.
    #[default]
    Counts,
    /// It is counted and reported at once, and the job goes on.
    Tells,
    /// It ends.
    EndsJob,
    /// As for a fault of its thread.
    Faults,
}

/// What a thread without jobs may use of the processor in every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How much; positive, at most the period.
    pub amount: Placed<Nanoseconds>,
    /// How often it comes back; positive.
    pub every: Placed<Nanoseconds>,
    /// What is done when it is used up.
    pub on_spent: OnSpent,
    /// By which rule it comes back.
    pub rule: Rule,
}

/// What is done when a budget that comes back every period is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnSpent {
    /// Its thread goes on in the background, below all others, until it is back.
    #[default]
    Lowers,
    /// Its thread waits until it is back.
    Waits,
    /// It is counted and reported, and its thread goes on.
    Tells,
    /// As for a fault of its thread.
    Faults,
    /// It is whole again, with a later deadline: constant bandwidth.
    PutsOff,
}

impl OnSpent {
    /// Whether its place is lowered.
    #[must_use]
    pub fn lowers(self) -> bool {
        matches!(self, OnSpent::Lowers | OnSpent::Waits)
    }
}

/// What becomes of a job that isn't done at the end of its logical execution time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// It is stopped; the next one is released.
    #[default]
    Stops,
    /// It goes on; what would be released meanwhile isn't.
    GoesOn,
}

/// A native driver: a getter, a setter or a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// The native function.
    pub name: Placed<String>,
    /// The process in which it runs.
    pub process: Placed<ProcessId>,
    /// The shortest that it takes.
    pub best: Nanoseconds,
    /// The longest that it takes; positive. Also its budget.
    pub worst: Placed<Nanoseconds>,
}

/// A plain thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its name.
    pub name: Placed<String>,
    /// Its process.
    pub process: Placed<ProcessId>,
    /// Its band.
    pub band: Placed<BandId>,
    /// In a fixed band: 0 to 31, larger is more urgent.
    pub priority: Option<u8>,
    /// The least and the most urgent that it may have while the system runs, if that may change.
    pub priorities: Option<[u8; 2]>,
    /// The function of the application in which it starts.
    pub entry: Placed<String>,
    /// Its stack.
    pub stack: Placed<Bytes>,
    /// When it runs.
    pub timing: Timing,
    /// What it may use of the processor in every period, if that is described.
    pub budget: Option<Budget>,
    /// The group to which it belongs, if it does to one: its position.
    pub group: Option<Placed<usize>>,
    /// Who is told what happens to it.
    pub tells: Option<Placed<String>>,
    /// How long it may stay away while it is told something, if that is watched.
    pub watchdog: Option<Placed<Nanoseconds>>,
    /// What its function in C is given: a variable there.
    pub argument: Option<Placed<String>>,
    /// What it uses, in the order of its function's parameters.
    pub uses: Vec<Placed<Use>>,
    /// How long it holds what it uses.
    pub holds: Vec<Hold>,
    /// What is done about it if it stays raised for longer, if anything is.
    pub on_hold: Option<Placed<OnHold>>,
    /// What its jobs may wait for.
    pub waits: Waits,
}

/// When a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// From the start on.
    Free {
        /// In a dynamic band: from each time that it becomes ready.
        deadline: Option<Placed<Nanoseconds>>,
        /// How often it becomes ready, and what it does then, if that is described.
        sporadic: Option<Sporadic>,
    },
    /// One job for each of its releases.
    Periodic(Periodic),
}

/// How often a thread without period becomes ready, and for how long it works then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sporadic {
    /// The least time from one time to the next; positive.
    pub separation: Placed<Nanoseconds>,
    /// How much later than that one may be.
    pub jitter: Placed<Nanoseconds>,
    /// The longest that it works; positive.
    pub worst: Placed<Nanoseconds>,
}

/// The times of a periodic thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// From one release to the next; positive.
    pub period: Placed<Nanoseconds>,
    /// The first release.
    pub offset: Placed<Nanoseconds>,
    /// From a release to its job's deadline; positive.
    pub deadline: Placed<Nanoseconds>,
    /// The shortest that a job takes.
    pub best: Nanoseconds,
    /// The longest that a job takes; positive.
    pub worst: Placed<Nanoseconds>,
    /// How many releases that came while it was at work it makes up for.
    pub catch_up: u8,
    /// What is done about a job that has used its `worst`.
    pub on_overrun: Option<Placed<OnOverrun>>,
}

/// Kernel costs for the analysis, where they shall not be the board's. The names are those of the analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// Releasing one job.
    pub release: Option<Nanoseconds>,
    /// Taking note of one job's completion.
    pub completion: Option<Nanoseconds>,
    /// One switch between threads.
    pub switch: Option<Nanoseconds>,
    /// Entering system code, with its phases and the last look.
    pub instant: Option<Nanoseconds>,
    /// Calling one driver, with the switches to its thread and back.
    pub driver: Option<Nanoseconds>,
    /// Taking the alarm and arming the next.
    pub alarm: Option<Nanoseconds>,
}

impl Task {
    /// Whether this is about task `task` of module `module`.
    #[must_use]
    pub fn is_about(&self, module: &str, task: &str) -> bool {
        self.name.as_str() == task && self.module.as_deref().is_none_or(|own| own == module)
    }
}

impl Band {
    /// The partition to which it belongs, if it does to one.
    #[must_use]
    pub fn in_partition(&self) -> Option<&str> {
        self.partition.as_ref().map(|name| name.value.as_str())
    }
}
