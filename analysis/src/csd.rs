//! Combined static and dynamic scheduling: dynamic bands above one fixed band (Zuberi and Shin, *EMERALDS: a
//! small-memory real-time microkernel*, sections 5.3 to 5.8). CSD-x has x - 1 dynamic bands; with none it is
//! fixed priorities, with one that holds all tasks it is earliest deadline first.

use crate::demand::{Demand, Patience, Stream};
use crate::edf;
use crate::failure::{Failure, Fault};
use crate::fixed_priority::level::Level;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

mod counter_example;
pub mod placement;
pub mod printed;

pub use counter_example::counter_example;

/// Whether all tasks meet their deadlines under CSD-x. `tasks` are in the order of urgency; the first
/// `dynamic[0]` of them are in the most urgent dynamic band, and so on; the rest have fixed priorities in
/// list order. The kernel's cost for a job must be included in its execution time.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter on one
/// processor. In each dynamic band, the processor-demand criterion of [`edf::holds`] is applied to every
/// deadline in the busy period, with the work of the bands above in each window; in the fixed band, the busy
/// periods of [`fixed_priority::holds`](crate::fixed_priority::holds) are. Cost: that of these two, for each
/// band; at most [`Failure::STEP_LIMIT`] steps in all.
///
/// The paper's own test looks only at first deadlines and is unsafe: see [`printed`].
///
/// # Errors
/// [`Failure::Invalid`], also if the bands have more members than there are tasks;
/// [`Failure::TimesTooLarge`]; [`Failure::TooLong`].
pub fn holds(tasks: &[Sporadic], dynamic: &[usize]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let ends = ends(dynamic, tasks.len())?;
    Ok(Bands::of(tasks).late(&ends, &mut Patience::default())?.is_none())
}

/// Where each dynamic band ends.
pub(crate) fn ends(dynamic: &[usize], tasks: usize) -> Result<Vec<usize>, Failure> {
    let mut end = 0_usize;
    let mut ends = Vec::new();
    for (band, &size) in dynamic.iter().enumerate() {
        end = end.saturating_add(size);
        if end > tasks {
            return Err(Failure::Invalid { name: format!("band {band}"), fault: Fault::TooManyMembers });
        }
        ends.push(end);
    }
    Ok(ends)
}

/// Which task is late, or which window of which band has more work due than it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    Task(usize),
    Band(usize, Ticks),
    /// There is more work than time.
    All,
    /// The test gave up.
    Unknown,
}

/// The tasks, both as demands and as interference for less urgent ones.
pub(crate) struct Bands {
    demands: Vec<Demand>,
    streams: Vec<Stream>,
}

impl Bands {
    pub(crate) fn of(tasks: &[Sporadic]) -> Bands {
        Bands {
            demands: tasks.iter().map(Sporadic::demand).collect(),
            streams: tasks.iter().map(Sporadic::stream).collect(),
        }
    }

    pub(crate) fn streams(&self) -> &[Stream] {
        &self.streams
    }

    pub(crate) fn set_cost(&mut self, task: usize, cost: Ticks) {
        self.demands[task].stream.cost = cost;
        self.streams[task].cost = cost;
    }

    /// The first failure, from the most urgent band down.
    pub(crate) fn late(&self, ends: &[usize], patience: &mut Patience) -> Result<Option<Late>, Failure> {
        let mut start = 0;
        for (band, &end) in ends.iter().enumerate() {
            let (members, above) = (&self.demands[start..end], &self.streams[..start]);
            let late = match edf::verdict(members, above, &Blocking::NONE, patience)? {
                edf::Verdict::Holds => None,
                edf::Verdict::FailsIn(window) => Some(Late::Band(band, window)),
                edf::Verdict::Overload => Some(Late::All),
            };
            if late.is_some() {
                return Ok(late);
            }
            start = end;
        }
        for task in start..self.demands.len() {
            if self.is_late(task, patience)? {
                return Ok(Some(Late::Task(task)));
            }
        }
        Ok(None)
    }

    /// Whether an earlier failure also occurs here: a quick way to a no.
    pub(crate) fn is_still(&self, late: Late, ends: &[usize]) -> Result<bool, Failure> {
        let mut patience = Patience::of(Failure::JOB_LIMIT);
        match late {
            Late::Task(task) => {
                Ok(ends.last().is_none_or(|&end| task >= end) && self.is_late(task, &mut patience)?)
            }
            Late::Band(band, window) => {
                if band >= ends.len() {
                    return Ok(false);
                }
                let start = band.checked_sub(1).map_or(0, |before| ends[before]);
                let band = &self.demands[start..ends[band]];
                Ok(edf::done_in(band, &self.streams[..start], window, &mut patience)?.is_none())
            }
            Late::All | Late::Unknown => Ok(false),
        }
    }

    fn is_late(&self, task: usize, patience: &mut Patience) -> Result<bool, Failure> {
        let level = Level::preemptive(self.streams[task], &self.streams[..task]);
        level.is_late(self.demands[task].deadline, patience)
    }
}
