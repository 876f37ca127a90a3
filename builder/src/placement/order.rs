//! The order of what may be placed, and what stays where it is.

use std::collections::{BTreeMap, BTreeSet};

use super::levels::groups;
use super::{Member, PlacedBand, Placement, band};
use crate::assembly::{Assembly, Thread};
use crate::description::{Band, Policy};
use crate::project::Project;
use crate::proof::{judge, system};

/// Bits of the kernel's word of ranks: of dynamic bands, of priorities that somebody has, and of idling.
const RANKS: usize = 32;

/// The order of urgency, whatever the bands are.
#[derive(Clone, Debug)]
pub struct Order {
    /// Tasks and threads with jobs, the shortest deadline first, and their deadlines.
    jobs: Vec<(String, u64)>,
    /// Asynchronous tasks, below all others, in their order: nothing may wait for them.
    last: Vec<String>,
    /// The bands of all others, above and below these.
    above: Vec<PlacedBand>,
    below: Vec<PlacedBand>,
    place: crate::description::Description,
}

impl Order {
    /// The order of a project: by deadline, then by period, then by place in the kernel's table.
    ///
    /// Threads whose jobs aren't known stay in their bands. Of these bands, those that are above all jobs stay above,
    /// and all others go below. Tasks that are offered to arriving programs also stay in their bands, and so do
    /// threads whose priority may change, and those with a budget of their own.
    #[must_use]
    pub fn of(project: &Project) -> Order {
        let assembly = &project.assembly;
        // Of a task that only another program releases, the times are those in that one.
        let systems: Vec<_> = judge::all(project).map(|project| system(&project)).collect();
        let tasks = systems.into_iter().rev().flat_map(|system| system.bands).flat_map(|band| band.tasks);
        let times: BTreeMap<_, _> =
            tasks.map(|task| (task.name, (task.deadline.get(), task.period.get()))).collect();
        let is_offered = |thread: &Thread| assembly.offers().any(|(_, band)| band == thread.band);
        let placed = |thread: &&Thread| {
            let is_fixed = thread.priorities.is_some() || thread.budget.is_some();
            times.contains_key(&thread.name) && !is_offered(thread) && !is_fixed
        };
        let is_last = |thread: &Thread| {
            let names = assembly.asynchronous.iter().filter_map(|row| assembly.threads.get(row.task));
            names.into_iter().any(|row| row.name == thread.name)
        };
        let (mut last, mut jobs): (Vec<_>, Vec<_>) =
            assembly.threads.iter().filter(placed).partition(|thread| is_last(thread));
        last.sort_by_key(|thread| (thread.band, u8::MAX - thread.place));
        jobs.sort_by_key(|thread| times.get(&thread.name));
        let deadline = |thread: &Thread| times.get(&thread.name).map_or(0, |(deadline, _)| *deadline);
        let first = assembly.threads.iter().filter(placed).map(|thread| thread.band).min();
        let kept = kept(project, |thread| !placed(&thread));
        let (above, below) = kept.into_iter().partition(|(band, _)| first.is_none_or(|first| *band < first));
        let bands = |rows: Vec<(usize, PlacedBand)>| rows.into_iter().map(|(_, row)| row).collect();
        Order {
            jobs: jobs.iter().map(|thread| (thread.name.clone(), deadline(thread))).collect(),
            last: last.iter().map(|thread| thread.name.clone()).collect(),
            above: bands(above),
            below: bands(below),
            place: project.description.as_ref().clone(),
        }
    }

    /// How many tasks and threads may stand in a dynamic band.
    #[must_use]
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is nothing to place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.last.is_empty()
    }

    /// Bands with as many members in each dynamic one as `dynamic` says, and the others in a fixed one below.
    #[must_use]
    pub fn placement(&self, dynamic: &[usize]) -> Placement {
        let mut jobs = self.jobs.iter();
        let mut bands = self.above.clone();
        for (number, size) in (1..).zip(dynamic).filter(|(_, size)| **size > 0) {
            let name = if dynamic.len() > 1 { format!("dynamic_{number}") } else { "dynamic".to_owned() };
            let members = jobs.by_ref().take(*size);
            let members = members
                .map(|(name, _)| Member { name: name.clone(), priority: None, priorities: None })
                .collect();
            bands.push(PlacedBand { band: self.band(name, Policy::Dynamic), members });
        }
        let fixed = self.fixed(jobs.as_slice(), dynamic.iter().filter(|size| **size > 0).count());
        if !fixed.is_empty() {
            bands.push(PlacedBand { band: self.band("fixed".to_owned(), Policy::Fixed), members: fixed });
        }
        bands.extend(self.below.iter().cloned());
        Placement { bands }
    }

    /// The members of the fixed band, the lowest priority zero. Neighbours share one where there aren't enough.
    fn fixed(&self, jobs: &[(String, u64)], dynamic: usize) -> Vec<Member> {
        let kept = self.above.iter().chain(&self.below).map(ranks).sum::<usize>();
        let left = RANKS.saturating_sub(1 + dynamic + kept + self.last.len());
        let deadlines: Vec<u64> = jobs.iter().map(|(_, deadline)| *deadline).collect();
        let groups = groups(&deadlines, left);
        let levels = groups.iter().enumerate().flat_map(|(level, size)| std::iter::repeat_n(level, *size));
        let levels = levels.chain((0..self.last.len()).map(|row| groups.len() + row));
        let highest = (groups.len() + self.last.len()).saturating_sub(1);
        let names = jobs.iter().map(|(name, _)| name).chain(&self.last);
        let member = |(name, level): (&String, usize)| Member {
            name: name.clone(),
            priority: u8::try_from(highest.saturating_sub(level)).ok(),
            priorities: None,
        };
        names.zip(levels).map(member).collect()
    }

    /// A new band, with a name that no other band has.
    fn band(&self, name: String, policy: Policy) -> Band {
        let is_taken =
            |name: &String| self.above.iter().chain(&self.below).any(|row| row.band.name.value == *name);
        let mut name = name;
        while is_taken(&name) {
            name.push_str("_jobs");
        }
        band(name, policy, &self.place)
    }
}

/// How many ranks a band has.
fn ranks(row: &PlacedBand) -> usize {
    match row.band.policy {
        Policy::Fixed => {
            let all = |member: &Member| -> Vec<u8> {
                let own = member.priority.map(|own| [own, own]);
                member.priorities.or(own).into_iter().flat_map(|[least, most]| least..=most).collect()
            };
            row.members.iter().flat_map(all).collect::<BTreeSet<_>>().len()
        }
        Policy::Dynamic | Policy::Code => 1,
    }
}

/// Bands with those of their members that stay, by their numbers.
fn kept(project: &Project, stays: impl Fn(&Thread) -> bool) -> Vec<(usize, PlacedBand)> {
    let Assembly { threads, .. } = &*project.assembly;
    let bands = project.description.bands.iter().enumerate();
    let rows = bands.map(|(index, band)| {
        let members = threads.iter().filter(|thread| thread.band == index && thread.role.is_applications());
        let priority = |thread: &Thread| (band.policy == Policy::Fixed).then_some(thread.place);
        let members = members.filter(|thread| stays(thread));
        let member = |thread: &Thread| Member {
            name: thread.name.clone(),
            priority: priority(thread),
            priorities: thread.priorities,
        };
        let members = members.map(member).collect();
        (index, PlacedBand { band: band.clone(), members })
    });
    rows.filter(|(_, row)| !row.members.is_empty()).collect()
}
