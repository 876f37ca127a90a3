//! Terms: what a proof counts for the kernel, one by one; each lowered on purpose, to see that a campaign would notice.

use beryl_analysis::{System, Ticks};
use beryl_builder::Project;
use beryl_builder::proof::{charges, system};

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
    /// The longest step that may be under way at an instant, where it is longer than others.
    UnderWay,
    /// The alarm.
    Alarm,
    /// A driver's own term.
    Driver,
    /// The steps of a driver, and its native time.
    Drivers,
    /// The steps of a periodic release in a dynamic band.
    Jobs,
    /// The steps of a wake-up.
    WakeUps,
    /// The steps behind a job in a dynamic band.
    AfterJobs,
    /// The steps inside of a section.
    Sections,
}

impl Term {
    /// All of them.
    pub const ALL: [Term; 12] = [
        Term::Release,
        Term::Completion,
        Term::Switch,
        Term::Instant,
        Term::UnderWay,
        Term::Alarm,
        Term::Driver,
        Term::Drivers,
        Term::Jobs,
        Term::WakeUps,
        Term::AfterJobs,
        Term::Sections,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Term::Release => "release of a job",
            Term::Completion => "end of a job",
            Term::Switch => "switch between threads",
            Term::Instant => "instant",
            Term::UnderWay => "longest step that may be under way",
            Term::Alarm => "alarm",
            Term::Driver => "driver, beside its steps",
            Term::Drivers => "steps and native time of drivers",
            Term::Jobs => "steps of a periodic release in a dynamic band",
            Term::WakeUps => "steps of a wake-up",
            Term::AfterJobs => "steps behind a job in a dynamic band",
            Term::Sections => "steps inside of a section",
        }
    }

    /// A project's question to the analysis without this term; nothing if the project hasn't any of it.
    pub fn without(self, project: &Project) -> Option<System> {
        let whole = system(project);
        let mut lowered = whole.clone();
        let costs = &mut lowered.costs;
        let usual = Ticks::new(charges(project).instant.ticks());
        match self {
            Term::Release => costs.release = Ticks::ZERO,
            Term::Completion => costs.completion = Ticks::ZERO,
            Term::Switch => costs.switch = Ticks::ZERO,
            Term::Instant => costs.instant = costs.instant.less(usual),
            Term::UnderWay => costs.instant = costs.instant.min(usual),
            Term::Alarm => costs.alarm = Ticks::ZERO,
            Term::Driver => costs.driver = Ticks::ZERO,
            Term::Drivers => drop_rows(&mut lowered, |name| is_driver(project, name)),
            Term::Jobs => drop_rows(&mut lowered, |name| name.starts_with("jobs of ")),
            Term::WakeUps => drop_rows(&mut lowered, |name| name.starts_with("wake-ups of ")),
            Term::AfterJobs => {
                let tasks = lowered.bands.iter_mut().flat_map(|band| &mut band.tasks);
                tasks.for_each(|task| task.overhead = Ticks::ZERO);
            }
            Term::Sections => {
                let step = Ticks::new(charges(project).job.ticks());
                let users = lowered.locks.iter_mut().flat_map(|lock| &mut lock.users);
                users.for_each(|user| user.hold = user.hold.less(step));
            }
        }
        (lowered != whole).then_some(lowered)
    }
}

fn is_driver(project: &Project, name: &str) -> bool {
    project.assembly.drivers.iter().any(|driver| driver.name == name)
}

/// Lets what runs above all bands take no time, where it has such a name.
fn drop_rows(system: &mut System, is_one: impl Fn(&str) -> bool) {
    let rows = system.interference.iter_mut().filter(|row| is_one(&row.name));
    rows.for_each(|row| row.worst = Ticks::ZERO);
}
