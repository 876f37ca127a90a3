//! Sensitivity of a whole system: the reach of its proof.

use super::{Factor, largest, largest_factor};
use crate::demand::{Demand, Load, Stream};
use crate::edf::{self, Verdict};
use crate::failure::Failure;
use crate::fixed_priority::level::Level;
use crate::locks::Blocking;
use crate::model::{Band, Policy, System, Task};
use crate::partitions::{Frame, views};
use crate::schedule::{self, Outcome, TaskIndex};
use crate::servers::pools::{self, Outside};
use crate::ticks::Ticks;

/// How much slower the processor may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// By what factor the processor may be slower: all execution times and all costs of the kernel are
    /// multiplied.
    pub slowdown: Factor,
    /// The task that misses first if the processor is slower by another ten-thousandth; `None` if none does:
    /// drivers and kernel alone are too much, or the proof merely gives up.
    pub breaks_first: Option<TaskIndex>,
}

/// By how much the processor may be slower, and which task misses first beyond that.
///
/// If [`prove`](crate::prove) proves a system for any offsets, this asks for any offsets again. If the given
/// offsets are needed, it asks for these, by laying out schedules, which takes longer. *Safe* as the proof
/// is. Cost: 20 proofs.
///
/// # Errors
/// Those of [`prove`](crate::prove), also if the system can't be proved as it is.
pub fn speed(system: &System) -> Result<Speed, Failure> {
    let way = way(system)?;
    let slowdown = largest_factor(|factor| Ok(late(&slower(system, factor)?, way)? == Late::Nobody))?;
    let slowdown = slowdown.unwrap_or(Factor::ONE);
    let breaks_first = match late(&slower(system, Factor::ten_thousandths(slowdown.get() + 1))?, way)? {
        Late::Task(task) => Some(task),
        Late::Nobody | Late::All => None,
    };
    Ok(Speed { slowdown, breaks_first })
}

/// Whether the processor may be slower by this factor, by the test of [`speed`], which finds the largest such
/// factor. *Safe* as the proof is.
///
/// # Errors
/// [`Failure::TimesTooLarge`].
pub fn bears(system: &System, factor: Factor) -> Result<bool, Failure> {
    match way(system) {
        Ok(way) => Ok(late(&slower(system, factor)?, way)? == Late::Nobody),
        Err(Failure::TimesTooLarge) => Err(Failure::TimesTooLarge),
        Err(_) => Ok(false),
    }
}

/// The same for any offsets: faster to say no, when only a schedule might say yes.
///
/// # Errors
/// As [`bears`].
pub fn bears_at_any_offsets(system: &System, factor: Factor) -> Result<bool, Failure> {
    Ok(system.validate().is_ok() && late(&slower(system, factor)?, Way::AnyOffsets)? == Late::Nobody)
}

/// By band and task: how long its jobs may be if nothing else changes, without the kernel's costs; at most
/// the deadline.
///
/// Offsets and class are those of [`speed`]. Cost: for each task a check of each band and of each task in a
/// fixed band; if a check refuses, one for each bit of the deadline. If only schedules decide, as many
/// schedules for each task.
///
/// # Errors
/// As [`speed`].
pub fn longest(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    match way(system)? {
        Way::AnyOffsets if system.frame.is_some() => longest_in_views(system),
        Way::AnyOffsets => longest_for_any_offsets(system),
        Way::GivenOffsets => longest_for_given_offsets(system),
    }
}

/// The same where bands have windows, by that test itself.
fn longest_in_views(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut longest = Vec::new();
    for (band, row) in system.bands.iter().enumerate() {
        let of_task = |(task, own): (usize, &Task)| {
            let most = largest(own.worst.get(), own.deadline.get(), |worst| {
                let mut changed = system.clone();
                changed.bands[band].tasks[task].worst = Ticks::new(worst);
                Ok::<_, Failure>(late(&changed, Way::AnyOffsets)? == Late::Nobody)
            })?;
            Ok(most.map_or(own.worst, Ticks::new))
        };
        longest.push(row.tasks.iter().enumerate().map(of_task).collect::<Result<Vec<_>, Failure>>()?);
    }
    Ok(longest)
}

/// The test by which the unchanged system holds.
fn way(system: &System) -> Result<Way, Failure> {
    system.validate()?;
    if late(system, Way::AnyOffsets)? == Late::Nobody {
        return Ok(Way::AnyOffsets);
    }
    crate::prove(system)?;
    Ok(Way::GivenOffsets)
}

/// The test to repeat.
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
            if let Some(frame) = &system.frame {
                return given_up_is(Late::All, late_in_views(system, frame));
            }
            let load = Load::of(system)?;
            if load.is_too_much()? {
                return Ok(most_at_the_bottom(system));
            }
            let analysis = Analysis::of(system, load);
            given_up_is(Late::All, analysis.late(None))
        }
        Way::GivenOffsets => with_given_offsets(system),
    }
}

/// Which task is late in its view.
fn late_in_views(system: &System, frame: &Frame) -> Result<Late, Failure> {
    for view in views(system, frame)? {
        if view.overload()?.is_some() {
            return Ok(Late::All);
        }
        for load in view.loads()? {
            let late = Analysis::of(&view.system, load).late(Some(&view.bands))?;
            if late != Late::Nobody {
                return Ok(late);
            }
        }
        if !view.members(pools::hold)? {
            return Ok(Late::All);
        }
    }
    Ok(Late::Nobody)
}

/// A test that takes too many jobs to decide counts as a no.
fn given_up_is<T>(answer: T, found: Result<T, Failure>) -> Result<T, Failure> {
    match found {
        Err(Failure::TooLong) => Ok(answer),
        found => found,
    }
}

/// By the schedule alone if each job takes its longest, which is faster than a proof. It doesn't model locks,
/// and treats sporadic tasks as periodic; and it may be too long.
fn with_given_offsets(system: &System) -> Result<Late, Failure> {
    if !system.locks.is_empty() || !system.has_known_releases() {
        return by_proof(system);
    }
    Ok(match schedule::lay_out(system)? {
        Outcome::Repeats(_) if Load::of(system)?.is_too_much()? => Late::All,
        Outcome::Repeats(responses) => beyond_limit(system, &responses).map_or(Late::Nobody, Late::Task),
        Outcome::Missed(miss) => Late::Task(miss.job.task),
        Outcome::TooLong => by_proof(system)?,
    })
}

/// The first task with a response beyond its limit. In a schedule without a miss, that is a task whose
/// backlog would make it skip a release.
fn beyond_limit(system: &System, responses: &[Vec<Ticks>]) -> Option<TaskIndex> {
    let is_beyond = |(response, task): (&Ticks, &Task)| *response > task.limit();
    let in_band =
        |(responses, band): (&Vec<Ticks>, &Band)| responses.iter().zip(&band.tasks).position(is_beyond);
    let mut bands = responses.iter().zip(&system.bands).map(in_band).enumerate();
    bands.find_map(|(band, task)| Some(TaskIndex { band, task: task? }))
}

fn by_proof(system: &System) -> Result<Late, Failure> {
    match crate::prove(system) {
        Ok(_) => Ok(Late::Nobody),
        Err(Failure::NotSchedulable(miss)) => Ok(Late::Task(miss.job.task)),
        Err(Failure::TimesTooLarge) => Err(Failure::TimesTooLarge),
        Err(_) => Ok(Late::All),
    }
}

/// With more work than time, the least urgent task never completes.
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

pub(crate) fn slower(system: &System, factor: Factor) -> Result<System, Failure> {
    let mut slower = system.clone();
    let tasks = slower.bands.iter_mut().flat_map(|band| &mut band.tasks);
    let tasks = tasks.flat_map(|task| [&mut task.worst, &mut task.overhead]);
    let drivers = slower.interference.iter_mut().map(|driver| &mut driver.worst);
    let costs = &mut slower.costs;
    let kernel = [&mut costs.release, &mut costs.completion, &mut costs.switch, &mut costs.instant];
    let kernel = kernel.into_iter().chain([
        &mut costs.driver,
        &mut costs.alarm,
        &mut costs.under_way,
        &mut costs.timers,
    ]);
    let holds = slower.locks.iter_mut().flat_map(|lock| &mut lock.users).map(|user| &mut user.hold);
    // What there is of a budget stays; its members work for longer, and the task that stands for it.
    let members = slower.pools.iter_mut().flat_map(|pool| {
        let tasks = pool.members.iter_mut().map(|member| &mut member.task);
        tasks.flat_map(|task| [&mut task.worst, &mut task.overhead]).chain([&mut pool.owed])
    });
    // Windows stay where they are.
    for time in tasks.chain(drivers).chain(kernel).chain(holds).chain(members) {
        *time = factor.of(*time)?;
    }
    Ok(slower)
}

/// The bands of a system.
struct Analysis<'a> {
    system: &'a System,
    load: Load,
    policies: Vec<Policy>,
}

/// A condition for the whole to hold.
#[derive(Clone, Copy)]
enum Check {
    Whole,
    Pools,
    Dynamic(usize),
    Fixed(TaskIndex),
}

impl Analysis<'_> {
    fn of(system: &System, load: Load) -> Analysis<'_> {
        Analysis { system, load, policies: system.bands.iter().map(|band| band.policy).collect() }
    }

    /// Which task is late, of some bands or of all with members of pools.
    fn late(&self, of: Option<&[usize]>) -> Result<Late, Failure> {
        let all = self.policies.iter().enumerate();
        for (index, policy) in all.filter(|(index, _)| of.is_none_or(|of| of.contains(index))) {
            let above = self.load.above(index);
            let (band, blocking) = (&self.load.bands[index], &self.load.blocking[index]);
            let task = match policy {
                Policy::Dynamic => late_in_dynamic(band, &above, blocking)?,
                Policy::Fixed => {
                    let tasks =
                        (0..band.len()).map(|task| Ok((task, is_late(band, task, &above, blocking)?)));
                    let tasks = tasks.collect::<Result<Vec<_>, Failure>>()?;
                    tasks.into_iter().find_map(|(task, late)| late.then_some(task))
                }
            };
            if let Some(task) = task {
                return Ok(Late::Task(TaskIndex { band: index, task }));
            }
        }
        // Members of pools in some bands are asked about with what others have for themselves.
        Ok(if of.is_some() || self.do_pools_hold()? { Late::Nobody } else { Late::All })
    }

    fn do_pools_hold(&self) -> Result<bool, Failure> {
        pools::hold(&Outside::of(self.system, &self.load))
    }

    fn checks(&self) -> Vec<Check> {
        let of_band = |(band, policy): (usize, &Policy)| match policy {
            Policy::Dynamic => vec![Check::Dynamic(band)],
            Policy::Fixed => {
                let tasks = 0..self.load.bands[band].len();
                tasks.map(|task| Check::Fixed(TaskIndex { band, task })).collect()
            }
        };
        let bands = self.policies.iter().enumerate().flat_map(of_band);
        let pools = (!self.system.pools.is_empty()).then_some(Check::Pools);
        std::iter::once(Check::Whole).chain(bands).chain(pools).collect()
    }

    /// Whether a check passes; also true if the changed task doesn't affect it.
    fn passes(&self, check: Check, changed: TaskIndex) -> Result<bool, Failure> {
        match check {
            Check::Whole => Ok(!self.load.is_too_much()?),
            Check::Pools => self.do_pools_hold(),
            Check::Dynamic(band) if band < changed.band => Ok(true),
            Check::Dynamic(band) => {
                edf::late::holds(&self.load.bands[band], &self.load.above(band), &self.load.blocking[band])
            }
            Check::Fixed(task) if task.band < changed.band => Ok(true),
            Check::Fixed(task) => {
                let band = &self.load.bands[task.band];
                let is_above =
                    task.band == changed.band && band[task.task].priority > band[changed.task].priority;
                let blocking = &self.load.blocking[task.band];
                Ok(is_above || !is_late(band, task.task, &self.load.above(task.band), blocking)?)
            }
        }
    }
}

/// The task whose deadline ends the failing window, or that is late because of a late release.
fn late_in_dynamic(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<Option<usize>, Failure> {
    Ok(match edf::demand_verdict(band, above, blocking)? {
        Verdict::Holds => edf::late::first_late(band, above, blocking)?,
        Verdict::Overload => Some(band.len().saturating_sub(1)),
        Verdict::FailsIn(window) => last_due(band, window),
    })
}

/// The task whose deadline is the last in a window; the first of several. A failing window need not end with
/// a deadline if it is the first one with more blocking.
fn last_due(band: &[Demand], window: Ticks) -> Option<usize> {
    let since = |task: &Demand| window.less(task.lead()).get() % task.stream.period.get().max(1);
    let due = band.iter().enumerate().filter(|(_, task)| task.lead() <= window);
    due.min_by_key(|(_, task)| since(task)).map(|(index, _)| index).or(band.len().checked_sub(1))
}

fn is_late(band: &[Demand], index: usize, above: &[Stream], blocking: &Blocking) -> Result<bool, Failure> {
    let task = &band[index];
    let others = band.iter().enumerate().filter(|&(other, _)| other != index);
    let as_urgent =
        others.filter(|(_, other)| other.priority >= task.priority).map(|(_, other)| other.stream);
    let above: Vec<Stream> = above.iter().copied().chain(as_urgent).collect();
    let level = Level { blocking: blocking.of_task(index), ..Level::preemptive(task.stream, &above) };
    Ok(level.response_within(task.limit)?.is_none())
}

/// Each check is asked with the limit that the earlier checks have left; if it refuses, its own limit is
/// searched. The strictest check for one task goes first for the next, so few searches are needed.
fn longest_for_any_offsets(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut analysis = Analysis::of(system, Load::of(system)?);
    let mut checks = analysis.checks();
    by_task(system, |index, known, most| {
        let task = &system.bands[index.band].tasks[index.task];
        let costs = system.costs.job(task)?.less(task.worst);
        let before = analysis.load.bands[index.band][index.task].stream.cost;
        let mut longest = most;
        for position in 0..checks.len() {
            let check = checks[position];
            let mut passes = |worst: u64| {
                analysis.load.bands[index.band][index.task].stream.cost = costs.plus(Ticks::new(worst))?;
                analysis.passes(check, index)
            };
            let mut passes = |worst| given_up_is(false, passes(worst));
            if !passes(longest)? {
                longest = largest(known, longest - 1, passes)?.unwrap_or(known);
                checks[..=position].rotate_right(1);
            }
        }
        analysis.load.bands[index.band][index.task].stream.cost = before;
        Ok(longest)
    })
}

fn longest_for_given_offsets(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut changed = system.clone();
    by_task(system, |index, known, most| {
        let longest = largest(known, most, |worst| {
            changed.bands[index.band].tasks[index.task].worst = Ticks::new(worst);
            Ok::<_, Failure>(late(&changed, Way::GivenOffsets)? == Late::Nobody)
        });
        changed.bands[index.band].tasks[index.task].worst = system.bands[index.band].tasks[index.task].worst;
        Ok(longest?.unwrap_or(known))
    })
}

/// The longest execution time of each task, between the one known to hold and the deadline.
fn by_task(
    system: &System,
    mut longest: impl FnMut(TaskIndex, u64, u64) -> Result<u64, Failure>,
) -> Result<Vec<Vec<Ticks>>, Failure> {
    let mut all = Vec::new();
    for (band, members) in system.bands.iter().enumerate() {
        let of = |(task, of): (usize, &Task)| {
            longest(TaskIndex { band, task }, of.worst.get(), of.deadline.get().max(of.worst.get()))
                .map(Ticks::new)
        };
        all.push(members.tasks.iter().enumerate().map(of).collect::<Result<_, _>>()?);
    }
    Ok(all)
}
