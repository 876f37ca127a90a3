//! The proof: combines analysis and schedule.

use crate::demand::{self, Load};
use crate::edf;
use crate::failure::Failure;
use crate::fixed;
use crate::in_step;
use crate::model::{Policy, System, Task};
use crate::partitions;
use crate::schedule::{self, Outcome, TaskIndex};
use crate::servers::pools::{self, Outside};
use crate::ticks::Ticks;
use crate::utilisation::Utilisation;

/// All deadlines hold; with the margins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// By band, most urgent first.
    pub bands: Vec<BandProof>,
    /// The share of drivers and of the kernel's costs for instants.
    pub drivers: Utilisation,
    /// The share of everything; an upper bound if sequences of instants overlap without one containing the
    /// other.
    pub total: Utilisation,
    /// The least common multiple of all periods, if it fits into 64 bits.
    pub hyperperiod: Option<Ticks>,
    /// The longest time without an idle instant, if everything starts together.
    pub busy_period: Ticks,
}

/// One band of a [`Proof`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandProof {
    /// Its name.
    pub name: String,
    /// Its policy.
    pub policy: Policy,
    /// The method that decided.
    pub method: Method,
    /// The share of its jobs, including the kernel's costs for them.
    pub utilisation: Utilisation,
    /// By task.
    pub tasks: Vec<TaskProof>,
}

/// One task of a [`Proof`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProof {
    /// Its name.
    pub name: String,
    /// The bound on its response time, including kernel costs: by analysis, or if [`Method::Schedule`]
    /// decided, the longest in the schedule.
    pub response: Ticks,
    /// The part of it that is blocking by less urgent threads inside locks, at most.
    pub blocking: Ticks,
    /// The longest response time in the schedule, if that could be laid out until it repeats, in the order of
    /// equals that is worst for the task. No bound for the given offsets is lower.
    pub observed: Option<Ticks>,
    /// Its deadline, from its release.
    pub deadline: Ticks,
    /// The least time left before a job's deadline when it is done. If deadlines differ from mode to mode, it
    /// is that of the tightest one; the response is the longest of all.
    pub margin: Ticks,
}

/// The method by which a band was shown to meet its deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The processor-demand criterion; it holds for any offsets.
    ProcessorDemand,
    /// Response-time analysis; it holds for any offsets.
    ResponseTime,
    /// The worst-case schedule until it repeats, in all orders of equals; it holds only for the given
    /// offsets.
    Schedule,
    /// Response-time analysis with the given offsets, of equal or of different periods; it holds only for
    /// those offsets, and for any arrivals of tasks without known releases.
    Offsets,
}

/// Proves that every deadline holds, or says why not.
///
/// A deadline missed in the schedule is always a failure; so is a system that neither method can decide.
/// Nothing depends on which of several equals goes first. The schedule doesn't model locks, and treats
/// sporadic tasks as periodic: so it decides nothing if there is blocking, or if a release isn't known.
///
/// # Errors
/// See [`Failure`].
pub fn prove(system: &System) -> Result<Proof, Failure> {
    system.validate()?;
    if let Some(frame) = &system.frame {
        return partitions::prove(system, frame);
    }
    let observed = match schedule::lay_out(system)? {
        Outcome::Missed(miss) => return Err(Failure::NotSchedulable(miss)),
        Outcome::Repeats(responses) if system.has_known_releases() => Some(responses),
        Outcome::Repeats(_) => None,
        Outcome::TooLong => None,
    };
    let load = Load::of(system)?;
    let total = load.utilisation()?;
    if total.exceeds_one() {
        return Err(Failure::Overload { utilisation: total });
    }
    let band_proof =
        |index: usize| prove_band(system, &load, index, observed.as_ref().map(|all| all[index].as_slice()));
    let mut bands = (0..system.bands.len()).map(band_proof).collect::<Result<Vec<_>, Failure>>()?;
    add_members(&mut bands, pools::prove(&Outside::of(system, &load))?);
    Ok(Proof {
        bands,
        drivers: load.driver_utilisation()?,
        total,
        hyperperiod: system.hyperperiod().ok(),
        busy_period: demand::busy_period(&load.all(), Ticks::ZERO)?,
    })
}

/// Members of pools are told of in their bands.
pub(crate) fn add_members(bands: &mut [BandProof], members: Vec<(usize, TaskProof)>) {
    for (band, proof) in members {
        bands[band].tasks.push(proof);
    }
}

pub(crate) fn prove_band(
    system: &System,
    load: &Load,
    index: usize,
    observed: Option<&[Ticks]>,
) -> Result<BandProof, Failure> {
    let band = &system.bands[index];
    let analysis = analyse(load, index, band.policy)?;
    let in_step = match analysis.holds || band.policy == Policy::Dynamic {
        true => None,
        false => in_step::response_times(system, load, index)?,
    };
    let in_step = in_step.filter(|responses| {
        responses.iter().zip(&band.tasks).all(|(response, task)| *response <= task.limit())
    });
    let is_out_of_step = system.bands.iter().flat_map(|band| &band.tasks).any(|task| task.is_out_of_step);
    let (method, responses) = match (observed, &in_step) {
        // This holds for any arrivals of out-of-step tasks, which a schedule doesn't cover.
        (_, Some(responses)) if is_out_of_step => (Method::Offsets, responses.as_slice()),
        (Some(observed), _) if !analysis.holds && !load.blocking[index].is_by_locks() => {
            (Method::Schedule, observed)
        }
        (_, Some(responses)) => (Method::Offsets, responses.as_slice()),
        _ => (analysis.method, analysis.responses.as_slice()),
    };
    let longest = match method {
        Method::ProcessorDemand => longest_responses(load, index, responses)?,
        _ => responses.to_vec(),
    };
    let mut tasks = Vec::new();
    for (position, (task, &response)) in band.tasks.iter().zip(responses).enumerate() {
        let deadline = task.limit();
        if response > deadline {
            let place = TaskIndex { band: index, task: position };
            return Err(match method {
                Method::Schedule => late_behind_equals(system, place, response)?,
                _ => Failure::NotProved { task: task.name.clone(), deadline, response },
            });
        }
        let observed = observed.map(|responses| responses[position]);
        let blocking = load.blocking[index].by_locks[position];
        let margin = deadline.less(response);
        let response = longest[position];
        tasks.push(TaskProof { name: task.name.clone(), response, blocking, observed, deadline, margin });
    }
    let utilisation = load.band_utilisation(index)?;
    Ok(BandProof { name: band.name.clone(), policy: band.policy, method, utilisation, tasks })
}

/// The responses of a dynamic band's jobs with any of their deadlines, from the responses with the shortest.
fn longest_responses(load: &Load, index: usize, responses: &[Ticks]) -> Result<Vec<Ticks>, Failure> {
    let band = &load.bands[index];
    match band.iter().all(|task| task.latest == task.deadline) {
        true => Ok(responses.to_vec()),
        false => edf::late::longest_responses(band, &load.above(index), &load.blocking[index]),
    }
}

/// Why a task isn't proved although no schedule shows it late: with a schedule in another order of equals, if
/// the task is late in that one.
fn late_behind_equals(system: &System, place: TaskIndex, response: Ticks) -> Result<Failure, Failure> {
    if let Some(miss) = schedule::miss_behind_equals(system, place)? {
        return Ok(Failure::NotSchedulable(miss));
    }
    let tasks = &system.bands[place.band].tasks;
    let own = &tasks[place.task];
    let is_equal = |(index, other): &(usize, &Task)| *index != place.task && other.priority == own.priority;
    let equals = tasks.iter().enumerate().filter(is_equal).map(|(_, other)| other.name.clone());
    let (task, deadline, equals) = (own.name.clone(), own.limit(), equals.collect::<Vec<_>>());
    Ok(match equals.is_empty() || system.bands[place.band].policy == Policy::Dynamic {
        true => Failure::NotProved { task, deadline, response },
        false => Failure::LateBehindEquals { task, deadline, response, equals },
    })
}

/// The analysis of a band, for any offsets.
pub(crate) struct Analysis {
    pub(crate) holds: bool,
    method: Method,
    pub(crate) responses: Vec<Ticks>,
}

/// Analyses one band; the whole load must not exceed the processor.
pub(crate) fn analyse(load: &Load, index: usize, policy: Policy) -> Result<Analysis, Failure> {
    let above = load.above(index);
    let (band, blocking) = (&load.bands[index], &load.blocking[index]);
    let (method, responses) = match policy {
        Policy::Dynamic => (Method::ProcessorDemand, edf::late::responses(band, &above, blocking)?),
        Policy::Fixed => (Method::ResponseTime, fixed::response_times(band, &above, blocking)?),
    };
    let in_time = band.iter().zip(&responses).all(|(task, response)| *response <= task.limit);
    let holds = in_time && (policy == Policy::Fixed || edf::late::holds(band, &above, blocking)?);
    Ok(Analysis { holds, method, responses })
}
