//! The search for the bands that bear most.
//!
//! Candidates are those of combined static and dynamic scheduling (EMERALDS, section 5): the shortest deadlines go
//! into one or two dynamic bands, the others into a fixed band, by deadline. Each candidate is made as it would
//! stand in the files, and the judge decides.

use beryl_analysis::sensitivity::Factor;

use super::{Order, Placement};
use crate::parsed::Parsed;
use crate::project::Project;
use crate::proof::judge;

/// With up to so many tasks and threads, all candidates are looked at.
const ALL_UP_TO: usize = 20;

/// After so many candidates the search tells how far it is.
const TELLS_EVERY: usize = 50;

/// Bands that hold.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How many stand in each dynamic band.
    pub dynamic: Vec<usize>,
    /// The bands.
    pub placement: Placement,
    /// The system with them.
    pub project: Project,
    /// How many times as long everything might take.
    pub slowdown: Factor,
}

/// How candidates of a kind were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// There is only one.
    Only,
    /// The best of all of so many.
    BestOf(usize),
    /// The best that was found by moving one border at a time through all its places, of so many.
    BorderByBorder(usize),
}

/// The best of a kind of candidates.
#[derive(Clone, Debug)]
pub struct Found {
    /// The kind.
    pub what: &'static str,
    /// How it was looked for.
    pub how: How,
    /// The best, if any holds.
    pub best: Option<Candidate>,
}

/// The best candidate of each kind. `tell` is told now and then how many were looked at.
pub fn search(parsed: &Parsed, project: &Project, tell: &mut dyn FnMut(usize)) -> Vec<Found> {
    let order = Order::of(project);
    let count = order.len();
    let mut search = Search { parsed, project, order, is_large: count > ALL_UP_TO, seen: 0, tell };
    let only = |search: &mut Search<'_>, what, sizes: &[usize]| {
        let best = search.judged(sizes);
        Found { what, how: How::Only, best }
    };
    let fixed = only(&mut search, "a fixed band, by deadline", &[]);
    if count == 0 {
        return vec![fixed];
    }
    let dynamic = only(&mut search, "a dynamic band", &[count]);
    let one = search.one_dynamic(count);
    let two = search.two_dynamic(count, one.best.as_ref());
    vec![fixed, dynamic, one, two]
}

struct Search<'a> {
    parsed: &'a Parsed,
    project: &'a Project,
    order: Order,
    is_large: bool,
    seen: usize,
    tell: &'a mut dyn FnMut(usize),
}

impl Search<'_> {
    fn one_dynamic(&mut self, count: usize) -> Found {
        let sizes: Vec<_> = (1..count).map(|first| vec![first]).collect();
        let how = How::BestOf(sizes.len());
        Found { what: "a dynamic band above a fixed one", how, best: self.best(sizes, None) }
    }

    /// The fixed one may be empty.
    fn two_dynamic(&mut self, count: usize, one: Option<&Candidate>) -> Found {
        let what = "two dynamic bands above a fixed one";
        if self.is_large {
            let before = self.seen;
            let start = one.map_or(count / 2, |one| one.dynamic.iter().sum());
            // From where one dynamic band is best, and from where there is no fixed priority at all.
            let best = self.border_by_border(count, start, None);
            let best = self.border_by_border(count, count, best);
            return Found { what, how: How::BorderByBorder(self.seen - before), best };
        }
        let ends = (2..=count).flat_map(|end| (1..end).map(move |first| vec![first, end - first]));
        let sizes: Vec<_> = ends.collect();
        Found { what, how: How::BestOf(sizes.len()), best: self.best(sizes, None) }
    }

    /// Moves the first border while the second stays where it starts, then the second while the first stays where it
    /// is by then, and so on, until nothing gets better.
    fn border_by_border(
        &mut self,
        count: usize,
        start: usize,
        known: Option<Candidate>,
    ) -> Option<Candidate> {
        let (mut end, mut best) = (start, known);
        loop {
            let found = slowdown(best.as_ref());
            best = self.best((1..end).map(|first| vec![first, end - first]), best);
            let first = best.as_ref().and_then(|best| best.dynamic.first().copied()).unwrap_or(end / 2);
            let first = first.max(1);
            best = self.best((first + 1..=count).map(|end| vec![first, end - first]), best);
            end = best.as_ref().map_or(end, |best| best.dynamic.iter().sum());
            if slowdown(best.as_ref()) == found {
                return best;
            }
        }
    }

    /// The first of those that bear most, if they bear more than the best that is known.
    fn best(
        &mut self,
        sizes: impl IntoIterator<Item = Vec<usize>>,
        known: Option<Candidate>,
    ) -> Option<Candidate> {
        sizes.into_iter().fold(known, |best, sizes| self.better(&sizes, best.as_ref()).or(best))
    }

    /// These bands, if they bear more than the best so far. If they don't, one question is enough to tell.
    fn better(&mut self, sizes: &[usize], best: Option<&Candidate>) -> Option<Candidate> {
        self.seen += 1;
        if self.is_large && self.seen.is_multiple_of(TELLS_EVERY) {
            (self.tell)(self.seen);
        }
        let least = best.map_or(Some(Factor::ONE), |best| best.slowdown.next())?;
        let candidate = self.made(sizes)?;
        let may_be = match (self.is_large, best) {
            (true, _) => judge::is_slow_enough_at_once(&candidate.1, least),
            (false, Some(_)) => judge::is_slow_enough(&candidate.1, least),
            (false, None) => true,
        };
        if !may_be {
            return None;
        }
        judged(sizes, candidate).filter(|own| best.is_none_or(|best| own.slowdown > best.slowdown))
    }

    fn judged(&mut self, sizes: &[usize]) -> Option<Candidate> {
        let candidate = self.made(sizes)?;
        judged(sizes, candidate)
    }

    /// The system as it would be; nothing if the kernel has no room for such bands.
    fn made(&self, sizes: &[usize]) -> Option<(Placement, Project)> {
        let placement = self.order.placement(sizes);
        let parsed = self.parsed.placed(&self.project.assembly, &placement);
        Some((placement, parsed.joined().ok()?))
    }
}

fn judged(sizes: &[usize], (placement, project): (Placement, Project)) -> Option<Candidate> {
    let slowdown = judge::slowdown(&project)?;
    Some(Candidate { dynamic: sizes.to_vec(), placement, project, slowdown })
}

fn slowdown(candidate: Option<&Candidate>) -> Option<Factor> {
    candidate.map(|candidate| candidate.slowdown)
}
