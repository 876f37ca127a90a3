//! Sensitivity of a whole system: of the proof that it has.

use super::{Factor, largest, largest_factor};
use crate::demand::{Demand, Load, Stream};
use crate::edf::{self, Verdict};
use crate::failure::Failure;
use crate::fixed_priority::level::Level;
use crate::model::{Policy, System};
use crate::schedule::{self, Outcome, TaskIndex};
use crate::ticks::Ticks;

/// How far the times of a system may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    /// How many times slower the processor may be: all execution times and all costs of the kernel are multiplied.
    pub slowdown: Factor,
    /// Which task misses first on a processor that is slower by a ten-thousandth more; `None` if nobody does: drivers and kernel
    /// alone are too much, or the proof only gives up.
    pub breaks_first: Option<TaskIndex>,
    /// By band and task: how long its jobs may be if nothing else changes, without the kernel's costs.
    pub longest: Vec<Vec<Ticks>>,
}

/// By how much the processor may be slower and each task longer.
///
/// What [`prove`](crate::prove) proves for any offsets is asked for any offsets again; what needs the given offsets is
/// asked for these, by laying out schedules, which takes longer. *Safe* as the proof is. Cost: 20 proofs, and for each task
/// as many as its deadline has bits, of the bands from its own downwards.
///
/// # Errors
/// Those of [`prove`](crate::prove), also if the system as it is can't be proved.
pub fn margins(system: &System) -> Result<Margins, Failure> {
    system.validate()?;
    let way = match late(system, Way::AnyOffsets)? {
        Late::Nobody => Way::AnyOffsets,
        _ => {
            crate::prove(system)?;
            Way::GivenOffsets
        }
    };
    let slowdown = largest_factor(|factor| Ok(late(&slower(system, factor)?, way)? == Late::Nobody))?;
    let slowdown = slowdown.unwrap_or(Factor::ONE);
    let breaks_first = match late(&slower(system, Factor::ten_thousandths(slowdown.get() + 1))?, way)? {
        Late::Task(task) => Some(task),
        // The proof gives up before a deadline is missed, or there is nothing to miss one.
        Late::Nobody | Late::All => None,
    };
    let longest = match way {
        Way::AnyOffsets => longest_for_any_offsets(system)?,
        Way::GivenOffsets => longest_for_given_offsets(system)?,
    };
    Ok(Margins { slowdown, breaks_first, longest })
}

/// Which question is asked again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    AnyOffsets,
    GivenOffsets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Late {
    Nobody,
    Task(TaskIndex),
    All,
}

fn late(system: &System, way: Way) -> Result<Late, Failure> {
    match way {
        Way::AnyOffsets => {
            let load = Load::of(system)?;
            if load.utilisation()?.exceeds_one() {
                return Ok(most_at_the_bottom(system));
            }
            Analysis::of(system, load).late(TaskIndex { band: 0, task: 0 })
        }
        Way::GivenOffsets => Ok(match schedule::lay_out(system)? {
            Outcome::Repeats(_) if Load::of(system)?.utilisation()?.exceeds_one() => Late::All,
            Outcome::Repeats(_) => Late::Nobody,
            Outcome::Missed(miss) => Late::Task(miss.job.task),
            Outcome::TooLong => Late::All,
        }),
    }
}

/// Where there is more work than time, the least urgent task never comes to an end.
fn most_at_the_bottom(system: &System) -> Late {
    let last = system.bands.iter().enumerate().rev().find(|(_, band)| !band.tasks.is_empty());
    last.map_or(Late::All, |(band, members)| {
        let task = match members.policy {
            Policy::Dynamic => members.tasks.len() - 1,
            Policy::Fixed => {
                let least = members.tasks.iter().enumerate().min_by_key(|(_, task)| task.priority);
                least.map_or(0, |(index, _)| index)
            }
        };
        Late::Task(TaskIndex { band, task })
    })
}

fn slower(system: &System, factor: Factor) -> Result<System, Failure> {
    let mut slower = system.clone();
    let tasks = slower.bands.iter_mut().flat_map(|band| &mut band.tasks).map(|task| &mut task.worst);
    let drivers = slower.interference.iter_mut().map(|driver| &mut driver.worst);
    let costs = &mut slower.costs;
    let kernel = [&mut costs.release, &mut costs.completion, &mut costs.switch, &mut costs.instant];
    let kernel = kernel.into_iter().chain([&mut costs.driver, &mut costs.alarm]);
    for time in tasks.chain(drivers).chain(kernel) {
        *time = factor.of(*time)?;
    }
    Ok(slower)
}

/// The bands of a system, one of whose tasks changes.
struct Analysis {
    load: Load,
    policies: Vec<Policy>,
}

impl Analysis {
    fn of(system: &System, load: Load) -> Analysis {
        Analysis { load, policies: system.bands.iter().map(|band| band.policy).collect() }
    }

    /// Who is late, if at all somebody in the band of the changed task or beneath.
    fn late(&self, changed: TaskIndex) -> Result<Late, Failure> {
        for (index, policy) in self.policies.iter().enumerate().skip(changed.band) {
            let above = self.load.above(index);
            let band = &self.load.bands[index];
            let task = match policy {
                Policy::Dynamic => late_in_dynamic(band, &above)?,
                Policy::Fixed => late_in_fixed(band, &above)?,
            };
            if let Some(task) = task {
                return Ok(Late::Task(TaskIndex { band: index, task }));
            }
        }
        Ok(Late::Nobody)
    }
}

/// The task whose deadline ends the window that fails.
fn late_in_dynamic(band: &[Demand], above: &[Stream]) -> Result<Option<usize>, Failure> {
    Ok(match edf::demand_verdict(band, above)? {
        Verdict::Holds => None,
        Verdict::Overload => Some(band.len().saturating_sub(1)),
        Verdict::FailsIn(window) => {
            let before = window.less(Ticks::new(1));
            band.iter().position(|task| task.jobs_due(window) > task.jobs_due(before))
        }
    })
}

fn late_in_fixed(band: &[Demand], above: &[Stream]) -> Result<Option<usize>, Failure> {
    for (index, task) in band.iter().enumerate() {
        let others = band.iter().enumerate().filter(|&(other, _)| other != index);
        let as_urgent =
            others.filter(|(_, other)| other.priority >= task.priority).map(|(_, other)| other.stream);
        let above: Vec<Stream> = above.iter().copied().chain(as_urgent).collect();
        if Level::preemptive(task.stream, &above).response_within(task.deadline)?.is_none() {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn longest_for_any_offsets(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut analysis = Analysis::of(system, Load::of(system)?);
    by_task(system, |index, worst| {
        let task = &system.bands[index.band].tasks[index.task];
        let with_costs = system.costs.job(task)?.less(task.worst).plus(worst)?;
        let cost = |analysis: &mut Analysis, cost| {
            std::mem::replace(&mut analysis.load.bands[index.band][index.task].stream.cost, cost)
        };
        let before = cost(&mut analysis, with_costs);
        let fits = !analysis.load.utilisation()?.exceeds_one();
        let holds = fits && analysis.late(index)? == Late::Nobody;
        cost(&mut analysis, before);
        Ok(holds)
    })
}

fn longest_for_given_offsets(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut changed = system.clone();
    by_task(system, |index, worst| {
        let task = &mut changed.bands[index.band].tasks[index.task];
        let before = std::mem::replace(&mut task.worst, worst);
        let holds = late(&changed, Way::GivenOffsets)? == Late::Nobody;
        changed.bands[index.band].tasks[index.task].worst = before;
        Ok(holds)
    })
}

/// For each task the longest execution time that holds; as it is, it does.
fn by_task(
    system: &System,
    mut holds: impl FnMut(TaskIndex, Ticks) -> Result<bool, Failure>,
) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut all = Vec::new();
    for (band, members) in system.bands.iter().enumerate() {
        let mut longest = Vec::new();
        for (task, of) in members.tasks.iter().enumerate() {
            let index = TaskIndex { band, task };
            // What surely doesn't hold ends the search; what holds already begins it.
            let (known, most) = (of.worst.get(), of.deadline.get().max(of.worst.get()));
            let found = largest(known + 1, most, |worst| holds(index, Ticks::new(worst)))?;
            longest.push(found.map_or(of.worst, Ticks::new));
        }
        all.push(longest);
    }
    Ok(all)
}
