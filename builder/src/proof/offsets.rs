//! Offsets that keep periodic threads apart, for `beryl plan`.
//!
//! Threads that are released together get in each other's way. In a fixed band the analysis knows what offsets
//! between them save, whatever their periods are. So offsets are chosen for one thread after the other, the least
//! urgent first. Of eight places in its period, a thread gets the one for which the worst response of all threads,
//! relative to its deadline, is the shortest; if several are equal, the one for which the sum of all responses is.
//! This is repeated until nothing gets better.
//!
//! The result need not be the best: to try all combinations would take a proof for each of them.

use beryl_analysis::{Failure, Policy, System, Ticks, responses_with_offsets};

use crate::assembly::Role;
use crate::project::Project;

/// What is proposed for a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The thread.
    pub name: String,
    /// Its offset, in ticks.
    pub offset: Ticks,
    /// The bound on its response time, whatever the offsets are.
    pub before: Ticks,
    /// With those that are proposed.
    pub after: Ticks,
    /// How much shorter the sum of all responses is than if this thread alone had no offset.
    pub saves: Ticks,
}

/// How many places in a period are tried.
const PLACES: u64 = 8;
/// The most rounds.
const ROUNDS: u32 = 3;

/// The most threads. Each place of each thread needs all response times anew.
pub const MOST_THREADS: usize = 20;

/// Offsets for the threads in a system's fixed bands, if some make response times shorter: a row for each thread
/// that gets one, or that responds sooner because of them. Nothing if there are more than [`MOST_THREADS`].
///
/// # Errors
/// Those of the analysis.
pub fn offsets(project: &Project, system: &System) -> Result<Vec<Shift>, Failure> {
    let movable = movable(project, system);
    if movable.len() > MOST_THREADS {
        return Ok(Vec::new());
    }
    let mut before = system.clone();
    movable.iter().for_each(|name| place(&mut before, name, Ticks::new(0)));
    let best = search(&before, &movable)?;
    let (old, new) = (responses(&before)?, responses(&best)?);
    let mut shifts = Vec::new();
    for (row, (before, after)) in rows(&best).zip(old.into_iter().zip(new)) {
        let (name, offset) = (row.0.to_owned(), row.1);
        if movable.contains(&name) && (after < before || offset > Ticks::new(0)) {
            let saves = saves(&best, &name)?;
            shifts.push(Shift { name, offset, before, after, saves });
        }
    }
    Ok(shifts)
}

/// The best offsets that are found one by one.
fn search(before: &System, movable: &[String]) -> Result<System, Failure> {
    let (mut best, mut least) = (before.clone(), weight(before)?);
    for _ in 0..ROUNDS {
        let found = least;
        for name in movable.iter().rev() {
            for offset in places(before, name) {
                let mut moved = best.clone();
                place(&mut moved, name, offset);
                let weight = weight(&moved)?;
                if weight < least {
                    (best, least) = (moved, weight);
                }
            }
        }
        if least == found {
            break;
        }
    }
    Ok(best)
}

/// The places in the period of a task.
fn places(system: &System, name: &str) -> Vec<Ticks> {
    let task = system.bands.iter().flat_map(|band| &band.tasks).find(|task| task.name == name);
    let period = task.map_or(0, |task| task.period.get());
    (0..PLACES).map(|place| Ticks::new((period / PLACES).saturating_mul(place))).collect()
}

fn place(system: &mut System, name: &str, offset: Ticks) {
    let tasks = system.bands.iter_mut().flat_map(|band| &mut band.tasks);
    tasks.filter(|task| task.name == name).for_each(|task| task.offset = offset);
}

/// How much longer all responses would be without the offset of one thread.
fn saves(best: &System, name: &str) -> Result<Ticks, Failure> {
    let mut without = best.clone();
    place(&mut without, name, Ticks::new(0));
    let sum = |times: Vec<Ticks>| times.into_iter().map(Ticks::get).fold(0, u64::saturating_add);
    Ok(Ticks::new(sum(responses(&without)?).saturating_sub(sum(responses(best)?))))
}

/// The threads whose offsets may be chosen. Tasks follow their timing program, so they aren't among them. There are
/// none where priorities may change: what offsets save is known for one order only.
#[must_use]
pub fn movable(project: &Project, system: &System) -> Vec<String> {
    let threads = &project.assembly.threads;
    if threads.iter().any(|thread| thread.priorities.is_some()) {
        return Vec::new();
    }
    let is_periodic = |name: &str| {
        threads.iter().any(|thread| thread.name == name && matches!(thread.role, Role::Periodic(_)))
    };
    let fixed = system.bands.iter().filter(|band| band.policy == Policy::Fixed);
    fixed
        .flat_map(|band| &band.tasks)
        .map(|task| task.name.clone())
        .filter(|name| is_periodic(name))
        .collect()
}

/// Names and offsets, by band.
fn rows(system: &System) -> impl Iterator<Item = (&str, Ticks)> {
    system.bands.iter().flat_map(|band| &band.tasks).map(|task| (task.name.as_str(), task.offset))
}

/// The bounds on all response times with the offsets of the system, by band.
fn responses(system: &System) -> Result<Vec<Ticks>, Failure> {
    Ok(responses_with_offsets(system)?.into_iter().flatten().collect())
}

/// Responses as millionths of the deadlines: the worst one, then their sum.
fn weight(system: &System) -> Result<(u128, u128), Failure> {
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    let share = |(response, deadline): (Ticks, Ticks)| {
        u128::from(response.get()).saturating_mul(1_000_000) / u128::from(deadline.get().max(1))
    };
    let rows = responses(system)?.into_iter().zip(tasks.map(|task| task.deadline));
    Ok(rows.map(share).fold((0, 0), |(worst, all), share| (share.max(worst), share.saturating_add(all))))
}
