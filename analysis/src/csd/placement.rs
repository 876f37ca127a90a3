//! Placement: which tasks go into which band, so that all deadlines are met and the kernel costs least.
//!
//! The kernel's cost for a job depends on the sizes of the bands, so placement is a trade-off: few long bands
//! schedule better, many short ones are cheaper (EMERALDS, section 5.6.3). Tasks keep their list order, as in
//! the paper; every way to cut that list into bands is considered, empty bands included.

use super::{Bands, Late, printed};
use crate::demand::Patience;
use crate::failure::Failure;
use crate::sensitivity::{Factor, largest_factor};
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;
use crate::utilisation::{PARTS, parts};

mod candidates;

use candidates::Candidates;

/// The test that decides whether a placement meets its deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// [`csd::holds`](super::holds).
    Sound,
    /// [`csd::printed::holds`](super::printed::holds), which is unsafe; for reproducing the paper's figures.
    Printed,
}

/// The sizes of the dynamic bands, most urgent first, for which the kernel takes the least share of the
/// processor, among all placements that meet their deadlines; the first of several in the order of sizes.
/// `None` if there is none. `costs(sizes, band)` is the kernel's cost for each job in a band, added to the
/// job's execution time; `sizes` has all bands, the fixed one last.
///
/// The answer is the same as from trying every placement; its class is that of the test, for placements in
/// list order. The cheapest placements are tried first. Three shortcuts limit the rest: shares above one end
/// the search; a row of placements with the same tasks in dynamic bands fails at once if a single dynamic
/// band with the row's least costs fails, since earliest deadline first is optimal; and recent failures are
/// checked first. A placement whose test gives up counts as a miss; after `k` of these the next test has only
/// a `k`-th of the patience, so that many equally cheap placements, near a full processor, take little longer
/// than a few.
///
/// Cost: `n^(x-1)` shares, sorted; usually one level or window for each placement tried.
///
/// # Errors
/// [`Failure::Invalid`] and [`Failure::TimesTooLarge`]; those of the printed test.
pub fn cheapest(
    tasks: &[Sporadic],
    dynamic_bands: usize,
    costs: &impl Fn(&[usize], usize) -> Ticks,
    test: Test,
) -> Result<Option<Vec<usize>>, Failure> {
    Search::new(tasks, dynamic_bands, costs, test)?.first(Factor::ONE)
}

/// The largest factor, up to a hundred, by which all execution times can be multiplied so that some placement
/// meets all deadlines. The kernel's costs aren't multiplied. `None` if there is no such factor. Arguments,
/// class and errors are those of [`cheapest`], which is called twenty times.
///
/// # Errors
/// As [`cheapest`].
pub fn breakdown(
    tasks: &[Sporadic],
    dynamic_bands: usize,
    costs: &impl Fn(&[usize], usize) -> Ticks,
    test: Test,
) -> Result<Option<Factor>, Failure> {
    let mut search = Search::new(tasks, dynamic_bands, costs, test)?;
    largest_factor(|factor| Ok(search.first(factor)?.is_some()))
}

/// How many failures to remember.
const MEMORY: usize = 6;

/// The fewest steps that each test is given: enough if utilisation isn't near one.
const LEAST_STEPS: u32 = Failure::JOB_LIMIT / 100;

struct Search<'a> {
    tasks: &'a [Sporadic],
    /// The execution times, scaled by the current factor.
    work: Vec<Ticks>,
    test: Test,
    bands: Bands,
    candidates: Candidates,
    /// The candidates, ordered by cost.
    order: Vec<usize>,
    /// Recent failures, the latest first.
    findings: Vec<Late>,
    /// Whether a row may hold, for each row checked so far.
    rows: Vec<Option<bool>>,
    /// How many tests gave up at this factor.
    given_up: u32,
}

impl<'a> Search<'a> {
    fn new(
        tasks: &'a [Sporadic],
        dynamic_bands: usize,
        costs: &impl Fn(&[usize], usize) -> Ticks,
        test: Test,
    ) -> Result<Search<'a>, Failure> {
        match test {
            Test::Sound => sporadic::validate(tasks, Deadlines::Arbitrary)?,
            Test::Printed => {
                sporadic::validate(tasks, Deadlines::Implicit)?;
                sporadic::in_order_of_periods(tasks)?;
            }
        }
        let candidates = Candidates::of(tasks, dynamic_bands, costs)?;
        let order = candidates.cheapest_first();
        let work = tasks.iter().map(|task| task.worst).collect();
        let bands = Bands::of(tasks);
        let (findings, rows) = (Vec::new(), Vec::new());
        Ok(Search { tasks, work, test, bands, candidates, order, findings, rows, given_up: 0 })
    }

    fn first(&mut self, factor: Factor) -> Result<Option<Vec<usize>>, Failure> {
        self.rows = vec![None; self.tasks.len() + 1];
        self.given_up = 0;
        self.work = self.tasks.iter().map(|task| factor.of(task.worst)).collect::<Result<_, _>>()?;
        let asked = self.work.iter().zip(self.tasks).map(|(work, task)| parts(*work, task.period));
        // Rounded up by less than one part per task.
        let least = asked.fold(0_u128, |sum, parts| sum.saturating_add(parts.saturating_sub(1)));
        for position in 0..self.order.len() {
            let candidate = self.order[position];
            if least.saturating_add(self.candidates.parts(candidate)) > PARTS {
                return Ok(None);
            }
            let ends = self.candidates.ends(candidate).to_vec();
            if self.row_may_hold(&ends)? && self.holds(candidate, &ends)? {
                let starts = std::iter::once(0).chain(ends.iter().copied());
                return Ok(Some(ends.iter().zip(starts).map(|(end, start)| end - start).collect()));
            }
        }
        Ok(None)
    }

    /// Whether a single dynamic band could hold these tasks, at the least cost of any placement with as many.
    fn row_may_hold(&mut self, ends: &[usize]) -> Result<bool, Failure> {
        let Some(&end) = ends.last().filter(|_| ends.len() > 1) else { return Ok(true) };
        if let Some(known) = self.rows[end] {
            return Ok(known);
        }
        let (dynamic, fixed) = self.candidates.least_costs(end);
        self.charge(|task| if task < end { dynamic } else { fixed })?;
        let may_hold =
            self.remembered(&[end])?.is_none() && matches!(self.tested(&[end])?, None | Some(Late::Unknown));
        self.rows[end] = Some(may_hold);
        Ok(may_hold)
    }

    fn holds(&mut self, candidate: usize, ends: &[usize]) -> Result<bool, Failure> {
        let costs = self.candidates.costs(candidate).to_vec();
        let band = |task: usize| ends.iter().filter(|&&end| end <= task).count();
        self.charge(|task| costs[band(task)])?;
        let late = match self.remembered(ends)? {
            Some(finding) => Some(self.findings.remove(finding)),
            None => self.tested(ends)?,
        };
        let Some(late) = late else { return Ok(true) };
        self.findings.insert(0, late);
        self.findings.truncate(MEMORY);
        Ok(false)
    }

    fn charge(&mut self, cost: impl Fn(usize) -> Ticks) -> Result<(), Failure> {
        for (index, work) in self.work.iter().enumerate() {
            self.bands.set_cost(index, work.plus(cost(index))?);
        }
        Ok(())
    }

    /// A remembered failure that also occurs here.
    fn remembered(&self, ends: &[usize]) -> Result<Option<usize>, Failure> {
        for (position, &late) in self.findings.iter().enumerate() {
            let still = match (self.test, late) {
                (Test::Sound, late) => gives_up(self.bands.is_still(late, ends))?,
                (Test::Printed, Late::Task(task)) => {
                    ends.first().is_none_or(|&end| task >= end)
                        && printed::is_late(self.bands.streams(), ends, task)?
                }
                (Test::Printed, _) => false,
            };
            if still {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// If one test gives up, others will too: very many placements may cost about the same, and what makes
    /// them hard is how little of the processor they all leave. So each one that gives up makes the next give
    /// up sooner.
    fn tested(&mut self, ends: &[usize]) -> Result<Option<Late>, Failure> {
        let steps = (Failure::JOB_LIMIT / (self.given_up + 1)).max(LEAST_STEPS);
        match self.test {
            Test::Sound => match self.bands.late(ends, &mut Patience::of(steps)) {
                Err(Failure::TooLong) => {
                    self.given_up += 1;
                    Ok(Some(Late::Unknown))
                }
                verdict => verdict,
            },
            Test::Printed => printed::late(self.bands.streams(), ends),
        }
    }
}

fn gives_up(verdict: Result<bool, Failure>) -> Result<bool, Failure> {
    match verdict {
        Err(Failure::TooLong) => Ok(false),
        verdict => verdict,
    }
}
