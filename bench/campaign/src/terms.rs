//! Terms: the proof's costs for the kernel, one by one; each is lowered on purpose, to see that a campaign
//! would notice.

use beryl_analysis::{System, Task, Ticks};
use beryl_builder::Project;
use beryl_builder::proof::system;
use beryl_kernel::Charges;

use crate::further::DOZING;

/// A call's deferred work, in ticks: two steps, and the decision.
pub fn left_over(charges: &Charges) -> u64 {
    charges.job.ticks().saturating_mul(2).saturating_add(charges.decision.ticks())
}

/// A term of the proof's kernel costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// The release of a job.
    Release,
    /// The end of a job.
    Completion,
    /// A switch between threads.
    Switch,
    /// An instant.
    Instant,
    /// The kernel's work under way for a less urgent thread.
    UnderWay,
    /// The timers of less urgent threads.
    Timers,
    /// The alarm.
    Alarm,
    /// A driver's own term.
    Driver,
    /// The steps of a driver, and its native time.
    Drivers,
    /// The steps of more than one program at an instant.
    Programs,
    /// The steps of a wake-up.
    WakeUps,
    /// The steps after a job.
    AfterJobs,
    /// The steps by which budgets come back.
    Replenishments,
    /// That what wasn't used of a budget is kept to the end of its period.
    Kept,
    /// The call at the end of a section, with its deferred steps.
    Sections,
}

impl Term {
    /// All terms.
    pub const ALL: [Term; 15] = [
        Term::Release,
        Term::Completion,
        Term::Switch,
        Term::Instant,
        Term::UnderWay,
        Term::Timers,
        Term::Alarm,
        Term::Driver,
        Term::Drivers,
        Term::Programs,
        Term::WakeUps,
        Term::AfterJobs,
        Term::Replenishments,
        Term::Kept,
        Term::Sections,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Term::Release => "release of a job",
            Term::Completion => "end of a job",
            Term::Switch => "switch between threads",
            Term::Instant => "instant",
            Term::UnderWay => "what may be under way for somebody less urgent",
            Term::Timers => "timers of those who are less urgent",
            Term::Alarm => "alarm",
            Term::Driver => "driver, beside its steps",
            Term::Drivers => "steps and native time of drivers",
            Term::Programs => "steps of more than one program at an instant",
            Term::WakeUps => "steps of a wake-up",
            Term::AfterJobs => "steps behind a job",
            Term::Replenishments => "steps by which a budget comes back",
            Term::Kept => "what is kept of a budget to the end of its period",
            Term::Sections => "call at the end of a section, with what it leaves over",
        }
    }

    /// Whether only few runs need it: those in which an instant falls into a section, or interrupts come
    /// together.
    pub fn depends_on_phases(self) -> bool {
        matches!(self, Term::Sections | Term::WakeUps | Term::Timers)
    }

    /// A project's input to the analysis without this term; `None` if the project doesn't have the term.
    pub fn without(self, project: &Project) -> Option<System> {
        let mut whole = system(project);
        // If no thread below sets a timer, the allowance for timers would hide the omission.
        if !project.assembly.threads.iter().any(|thread| thread.name.starts_with(DOZING)) {
            whole.costs.timers = Ticks::ZERO;
        }
        let mut lowered = whole.clone();
        let costs = &mut lowered.costs;
        match self {
            Term::Release => costs.release = Ticks::ZERO,
            Term::Completion => costs.completion = Ticks::ZERO,
            Term::Switch => costs.switch = Ticks::ZERO,
            Term::Instant => costs.instant = Ticks::ZERO,
            Term::UnderWay => costs.under_way = Ticks::ZERO,
            Term::Timers => costs.timers = Ticks::ZERO,
            Term::Alarm => costs.alarm = Ticks::ZERO,
            Term::Driver => costs.driver = Ticks::ZERO,
            Term::Drivers => drop_rows(&mut lowered, |name| is_driver(project, name)),
            Term::Programs => drop_rows(&mut lowered, |name| name.starts_with("program of ")),
            Term::WakeUps => drop_rows(&mut lowered, |name| name.starts_with("wake-ups of ")),
            Term::AfterJobs => {
                let tasks = lowered.bands.iter_mut().flat_map(|band| &mut band.tasks);
                tasks.for_each(|task| task.overhead = Ticks::ZERO);
            }
            Term::Replenishments => drop_rows(&mut lowered, |name| name.starts_with("budget of ")),
            Term::Kept => {
                let has_budget = |task: &Task| {
                    let threads = &project.assembly.threads;
                    threads.iter().any(|thread| thread.name == task.name && thread.budget.is_some())
                };
                let tasks = lowered.bands.iter_mut().flat_map(|band| &mut band.tasks);
                tasks.filter(|task| has_budget(task)).for_each(|task| task.jitter = Ticks::ZERO);
            }
            Term::Sections => {
                let charges = project.costs.charges;
                let end = Ticks::new(charges.call.ticks().saturating_add(left_over(&charges)));
                let users = lowered.locks.iter_mut().flat_map(|lock| &mut lock.users);
                users.for_each(|user| user.hold = user.hold.less(end));
            }
        }
        (lowered != whole).then_some(lowered)
    }
}

fn is_driver(project: &Project, name: &str) -> bool {
    project.assembly.drivers.iter().any(|driver| driver.name == name)
}

/// Makes work above all bands take no time, if its name matches.
fn drop_rows(system: &mut System, is_one: impl Fn(&str) -> bool) {
    let rows = system.interference.iter_mut().filter(|row| is_one(&row.name));
    rows.for_each(|row| row.worst = Ticks::ZERO);
}
