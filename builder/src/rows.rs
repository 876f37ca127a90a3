//! The rows of the kernel's tables as the kernel has them: values, from which sources and whatever else needs
//! them are made.
//!
//! What a row refers to is left out (the text of programs, the terms of slots): whoever fills tables has a
//! place of his own for it.

mod budgets;
mod depths;
mod gates;
mod limits;
mod objects;
mod pools;
mod programs;
mod replaceable;
mod reports;
mod restarts;
mod shared;
mod threads;
mod watchdogs;
mod windows;

pub use objects::Objects;

use beryl_abi::ThreadId;
use beryl_kernel::{
    Band, Budget, Depth, Driver, Fed, Gate, Limit, Pooled, Process, Program, ProgramSlot, Replaceable,
    Restart, Rule, Telling, Thread, Watchdog, Watched, Window,
};

use crate::project::Project;

/// A row, with the name of what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<R> {
    /// The name.
    pub name: String,
    /// The row.
    pub row: R,
}

/// All rows of a system, table by table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The threads.
    pub threads: Vec<Row<Thread>>,
    /// The budget of each thread; none at all if no thread has one.
    pub budgets: Vec<Row<Budget>>,
    /// By which rule each budget comes back; none at all if all are deferrable.
    pub rules: Vec<Row<Rule>>,
    /// Which threads pay together; none at all if none do.
    pub pools: Vec<Row<Pooled>>,
    /// The gates.
    pub gates: Vec<Row<Gate>>,
    /// The limits of clients.
    pub limits: Vec<Row<Limit>>,
    /// The depths of sleep beside the lightest.
    pub depths: Vec<Row<Depth>>,
    /// The processes.
    pub processes: Vec<Row<Process>>,
    /// How often each process begins anew; none at all if none does.
    pub restarts: Vec<Row<Restart>>,
    /// Where the rooms of each process are; none at all if none can be replaced.
    pub replaceable: Vec<Row<Replaceable>>,
    /// Which reports there are of each thread and gate; none at all if there are no supervisors.
    pub watched: Vec<Row<Watched>>,
    /// Who gets each report.
    pub tellings: Vec<Row<Telling>>,
    /// The watchdogs of supervisors.
    pub watchdogs: Vec<Row<Watchdog>>,
    /// The windows of the frame.
    pub windows: Vec<Row<Window>>,
    /// The bands.
    pub bands: Vec<Row<Band>>,
    /// Which thread has which slot of the dynamic bands, as far as one has.
    pub slots: Vec<ThreadId>,
    /// The drivers, before it is noted who else looks at their values.
    pub drivers: Vec<Row<Driver>>,
    /// Which part each driver has in links between tasks; none at all if there are no such links.
    pub fed: Vec<Row<Fed>>,
    /// The programs, without their text.
    pub programs: Vec<Row<Program>>,
    /// The slots of modules, without their terms.
    pub program_slots: Vec<Row<ProgramSlot>>,
    /// What threads share, and what wakes them.
    pub objects: Objects,
}

impl Rows {
    /// The rows of a project's system.
    #[must_use]
    pub fn of(project: &Project) -> Rows {
        let (threads, budgets) = (threads::threads(project), budgets::budgets(project));
        Rows {
            windows: windows::windows(project, &threads, &budgets),
            threads,
            budgets,
            rules: budgets::rules(project),
            pools: pools::pools(&project.assembly),
            gates: gates::gates(project),
            limits: limits::limits(project),
            depths: depths::depths(project),
            processes: threads::processes(project),
            restarts: restarts::restarts(project),
            replaceable: replaceable::replaceable(project),
            watched: reports::watched(project),
            tellings: reports::tellings(project),
            watchdogs: watchdogs::watchdogs(project),
            bands: threads::bands(project),
            slots: threads::slots(project),
            drivers: programs::drivers(project),
            fed: programs::fed(project),
            programs: programs::programs(project),
            program_slots: programs::slots(project),
            objects: Objects::of(project),
        }
    }
}

impl<R> Row<R> {
    fn new(name: &str, row: R) -> Row<R> {
        Row { name: name.to_owned(), row }
    }
}

/// A number as narrow as the kernel has it. No assembly has more of anything than can be numbered so: larger
/// ones are refused.
fn narrow<N: TryFrom<usize>>(number: usize, most: N) -> N {
    N::try_from(number).unwrap_or(most)
}

/// A thread by its number.
fn thread(number: usize) -> ThreadId {
    ThreadId(narrow(number, ThreadId::NONE.0))
}
