//! Offsets that keep periodic threads of one period apart, for `beryl plan`.
//!
//! Threads with one period that are released together all wait for the first. In a fixed band the analysis knows what offsets
//! between them save; so those of each period are spread evenly over it, the most urgent first, and where that makes the
//! response times shorter in all, against the deadlines, it is proposed.

use beryl_analysis::{Failure, Policy, System, Ticks, responses_with_offsets};

use crate::Project;
use crate::assembly::Role;

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
}

/// Offsets for the threads in the fixed bands of a system, if there are such that make response times shorter: a row for
/// each thread whose period is shared.
///
/// # Errors
/// Those of the analysis.
pub fn offsets(project: &Project, system: &System) -> Result<Vec<Shift>, Failure> {
    let mut before = system.clone();
    let movable = movable(project, system);
    let tasks = before.bands.iter_mut().flat_map(|band| &mut band.tasks);
    tasks.filter(|task| movable.contains(&task.name)).for_each(|task| task.offset = Ticks::new(0));
    let (mut best, mut least) = (before.clone(), weight(&before)?);
    let groups = groups(project, system);
    for group in &groups {
        let spread = spread(&best, group);
        let found = weight(&spread)?;
        if found < least {
            (best, least) = (spread, found);
        }
    }
    let (old, new) = (responses(&before)?, responses(&best)?);
    let mut shifts = Vec::new();
    for (row, (before, after)) in rows(&best).zip(old.into_iter().zip(new)) {
        if groups.iter().flatten().any(|name| *name == row.0) && (after < before || row.1 > Ticks::new(0)) {
            shifts.push(Shift { name: row.0.to_owned(), offset: row.1, before, after });
        }
    }
    Ok(shifts)
}

/// The threads whose offsets may be chosen: tasks follow their timing program.
fn movable(project: &Project, system: &System) -> Vec<String> {
    let threads = &project.assembly.threads;
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

/// Those of each period that several share, the most urgent first.
fn groups(project: &Project, system: &System) -> Vec<Vec<String>> {
    let movable = movable(project, system);
    let mut tasks: Vec<_> = system.bands.iter().flat_map(|band| &band.tasks).collect();
    tasks.retain(|task| movable.contains(&task.name));
    let mut periods: Vec<Ticks> = tasks.iter().map(|task| task.period).collect();
    periods.sort();
    periods.dedup();
    let of = |period: Ticks| {
        let members = tasks.iter().filter(|task| task.period == period);
        members.map(|task| task.name.clone()).collect::<Vec<_>>()
    };
    periods.into_iter().map(of).filter(|group| group.len() > 1).collect()
}

/// The members of a group at equal distances.
fn spread(system: &System, group: &[String]) -> System {
    let mut system = system.clone();
    let count = u64::try_from(group.len()).unwrap_or(u64::MAX).max(1);
    let places: Vec<u64> = (0..count).collect();
    for band in &mut system.bands {
        for task in &mut band.tasks {
            let place = group.iter().position(|name| *name == task.name);
            if let Some(place) = place.and_then(|place| places.get(place)) {
                task.offset = Ticks::new((task.period.get() / count).saturating_mul(*place));
            }
        }
    }
    system
}

/// Names and offsets, by band.
fn rows(system: &System) -> impl Iterator<Item = (&str, Ticks)> {
    system.bands.iter().flat_map(|band| &band.tasks).map(|task| (task.name.as_str(), task.offset))
}

/// The bounds on all response times with the offsets of the system, by band.
fn responses(system: &System) -> Result<Vec<Ticks>, Failure> {
    Ok(responses_with_offsets(system)?.into_iter().flatten().collect())
}

/// How long all responses are against the deadlines, in millionths.
fn weight(system: &System) -> Result<u128, Failure> {
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    let share = |(response, deadline): (Ticks, Ticks)| {
        u128::from(response.get()).saturating_mul(1_000_000) / u128::from(deadline.get().max(1))
    };
    let rows = responses(system)?.into_iter().zip(tasks.map(|task| task.deadline));
    Ok(rows.map(share).fold(0, u128::saturating_add))
}
