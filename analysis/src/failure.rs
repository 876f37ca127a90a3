//! Why a system isn't proved.

use std::fmt;

use crate::schedule::{Job, Schedule};
use crate::ticks::{Ticks, TimesTooLarge};
use crate::utilisation::Utilisation;

/// Why [`crate::prove`] gives no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A task or driver of the description is invalid.
    Invalid {
        /// Its name.
        name: String,
        /// What is wrong.
        fault: Fault,
    },
    /// The times don't fit into 64 bits.
    TimesTooLarge,
    /// A deadline is missed; this schedule shows it.
    NotSchedulable(Box<Miss>),
    /// More work than time, though no deadline is missed within [`Failure::JOB_LIMIT`] jobs.
    Overload {
        /// The share required, including drivers and kernel.
        utilisation: Utilisation,
    },
    /// More work than windows have time for.
    Crowded {
        /// What asks for too much.
        whose: Whose,
        /// The share required, including the kernel, drivers, and the background above.
        asked: Utilisation,
        /// What others leave of each frame.
        left: Utilisation,
    },
    /// The analysis is too coarse to prove this task, and the schedule is too long to lay out.
    NotProved {
        /// The task.
        task: String,
        /// Its deadline, from its release.
        deadline: Ticks,
        /// The bound on its response time.
        response: Ticks,
    },
    /// A task of a partition, or below some, isn't proved in its windows.
    LateInWindows {
        /// What it belongs to.
        whose: Whose,
        /// The task.
        task: String,
        /// Its deadline, from its release.
        deadline: Ticks,
        /// A bound on its response time.
        response: Ticks,
    },
    /// A job may be late if equally urgent jobs go first. No order of equals is guaranteed.
    LateBehindEquals {
        /// The task.
        task: String,
        /// Its deadline, from its release.
        deadline: Ticks,
        /// The bound on its response time, in the worst order.
        response: Ticks,
        /// The tasks of the same priority.
        equals: Vec<String>,
    },
    /// No answer after [`Failure::JOB_LIMIT`] jobs, or [`Failure::STEP_LIMIT`] windows checked for their
    /// demand.
    TooLong,
}

/// What has a part of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A partition has its windows.
    Partition(String),
    /// A band of no partition has what partitions above it leave.
    Band(String),
}

/// How a task or driver can be invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The period is zero.
    NoPeriod,
    /// The deadline is zero or beyond the period.
    DeadlineOutOfRange,
    /// The deadline is zero.
    NoDeadline,
    /// The deadline isn't the period.
    DeadlineNotPeriod,
    /// There is release jitter.
    Jitter,
    /// The release jitter reaches the deadline.
    JitterTooLong,
    /// The worst-case execution time is zero.
    NoWorst,
    /// The best-case execution time exceeds the worst.
    BestAboveWorst,
    /// A stretch without preemption is zero, longer than the execution time, or the last is longer than the
    /// longest.
    ChunkOutOfRange,
    /// The offset isn't less than the period, or that isn't the period of the transaction.
    OffsetOutOfRange,
    /// The band has more members than there are tasks.
    TooManyMembers,
    /// The budget is zero or beyond the period.
    BudgetOutOfRange,
    /// The budget isn't served by the end of its period, or is said to be served sooner than it can be.
    BudgetTooLate,
    /// The windows of a table are empty, overlap, aren't in order, or reach beyond its frame.
    TableOutOfRange,
    /// The tasks aren't in the order that the test requires.
    OutOfOrder,
    /// A chain names a module that doesn't exist, or has too many stages.
    NoSuchModule,
    /// A module starts in, or switches to, a mode that doesn't exist.
    NoSuchMode,
    /// A logical execution time is empty, outside its period, overlaps another one, or belongs to a stage
    /// that doesn't exist.
    WindowOutOfRange,
    /// The first stage of a chain, or one whose stage before is in another module, reads at once.
    AtOnceFromOutside,
}

/// The earliest missed deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The task's name.
    pub task: String,
    /// Its band's name.
    pub band: String,
    /// The late job, with its release and deadline instants.
    pub job: Job,
    /// The work left at the deadline, including kernel costs.
    pub unfinished: Ticks,
    /// The tasks that go before it in the counter-example though they are only as urgent. No order of equals
    /// is guaranteed.
    pub equals: Vec<String>,
    /// The counter-example. It begins when no work as urgent as the late job was left, and ends at the missed
    /// deadline; so all work in it is more urgent than the late job, or the job itself.
    pub schedule: Schedule,
}

impl Failure {
    /// The most jobs and driver calls to simulate before giving up.
    pub const JOB_LIMIT: u32 = 250_000;

    /// The most steps on the demand in windows for one answer before giving up. A window takes several steps,
    /// each of which advances by at least one job.
    pub const STEP_LIMIT: u32 = 4 * Failure::JOB_LIMIT;
}

impl From<TimesTooLarge> for Failure {
    fn from(_: TimesTooLarge) -> Failure {
        Failure::TimesTooLarge
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Invalid { name, fault } => write!(out, "{name}: {fault}"),
            Failure::TimesTooLarge => TimesTooLarge.fmt(out),
            Failure::NotSchedulable(miss) => miss.fmt(out),
            Failure::Overload { utilisation } => {
                write!(
                    out,
                    "the processor is asked for {utilisation}; lengthen periods or shorten execution times"
                )
            }
            Failure::Crowded { whose: Whose::Partition(name), asked, left } => write!(
                out,
                "partition {name} is asked for {asked} of the processor, kernel and background included, and its windows \
                 have {left}; give it longer windows, lengthen its periods, or shorten its execution times"
            ),
            Failure::Crowded { whose: Whose::Band(name), asked, left } => write!(
                out,
                "band {name} and what is above it in no partition are asked for {asked} of the processor, kernel included, \
                 and windows of partitions above leave {left}; shorten windows, lengthen periods, shorten execution times, \
                 or move the band above the partitions"
            ),
            Failure::NotProved { task, deadline, response } => write!(
                out,
                "task {task} may take {response} ticks, beyond its deadline of {deadline}; periods with a smaller \
                 common multiple would allow the schedule to be laid out"
            ),
            Failure::LateInWindows { whose, task, deadline, response } => {
                let (kind, name, proposal) = match whose {
                    Whose::Partition(name) => (
                        "partition",
                        name,
                        "give it longer windows, or divide them so that it waits less for the next one",
                    ),
                    Whose::Band(name) => (
                        "band",
                        name,
                        "shorten windows of the partitions above it, or divide them so that each is shorter",
                    ),
                };
                write!(
                    out,
                    "task {task} of {kind} {name} may take {response} ticks, beyond its deadline of {deadline}; {proposal}"
                )
            }
            Failure::LateBehindEquals { task, deadline, response, equals } => write!(
                out,
                "task {task} may take {response} ticks, beyond its deadline of {deadline}, if jobs of {} go first, which \
                 are as urgent, and no order of equals is promised; give it a higher priority than they have",
                equals.join(", ")
            ),
            Failure::TooLong => write!(
                out,
                "no answer after {} jobs, or {} windows; choose periods with a smaller common multiple, or leave more of the \
                 processor idle",
                Failure::JOB_LIMIT,
                Failure::STEP_LIMIT
            ),
        }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Miss { task, band, job, unfinished, .. } = self;
        let Job { release, deadline, .. } = job;
        write!(
            out,
            "task {task} of band {band}, released at {release}, misses its deadline at {deadline} with {unfinished} \
             ticks of work left; shorten execution times in the counter-example by as much, or lengthen periods"
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Fault::NoPeriod => "the period must be positive",
            Fault::DeadlineOutOfRange => {
                "the deadline must be positive and at most the period, unless late jobs are made up for"
            }
            Fault::NoDeadline => "the deadline must be positive",
            Fault::DeadlineNotPeriod => "this test takes only deadlines that are the periods",
            Fault::Jitter => "this test takes no release jitter",
            Fault::JitterTooLong => "the release jitter must be shorter than the deadline",
            Fault::NoWorst => "the worst-case execution time must be positive",
            Fault::BestAboveWorst => "the best-case execution time must be at most the worst",
            Fault::ChunkOutOfRange => {
                "the last chunk must be positive, at most the longest, and that at most the execution time"
            }
            Fault::OffsetOutOfRange => {
                "the offset must be less than the period, and the period that of all tasks of the transaction"
            }
            Fault::TooManyMembers => "the dynamic bands have more members than there are tasks",
            Fault::BudgetOutOfRange => "the budget must be positive and at most the period",
            Fault::BudgetTooLate => {
                "the budget must be served by the end of its period; what is more urgent leaves too little"
            }
            Fault::TableOutOfRange => {
                "the windows of the table must be positive, in order and apart, and lie within its frame"
            }
            Fault::NoSuchModule => {
                "each stage of the chain must be in one of the modules, and there may be 63 stages"
            }
            Fault::NoSuchMode => "the module must begin in, and switch to, modes that it has",
            Fault::WindowOutOfRange => {
                "logical execution times must lie in order within the period and belong to a stage"
            }
            Fault::AtOnceFromOutside => "a stage may read at once only what a stage of its module writes",
            Fault::OutOfOrder => {
                "the tasks must stand in the order that the test takes them in, the shortest first"
            }
        })
    }
}

impl std::error::Error for Failure {}
