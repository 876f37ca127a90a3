//! Candidates: all ways to cut a list of tasks into bands, with the kernel's cost in each band.

use crate::failure::Failure;
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;
use crate::utilisation::PARTS;

/// Finer than [`PARTS`], so that long periods also count.
const FINE_PARTS: u128 = PARTS * FINER;
const FINER: u128 = 1 << 24;

/// All placements of a number of tasks into a number of dynamic bands and a fixed one.
pub(super) struct Candidates {
    dynamic_bands: usize,
    /// The ends of each candidate's dynamic bands.
    ends: Vec<usize>,
    /// The cost of a job in each of a candidate's bands, the fixed one last.
    costs: Vec<Ticks>,
    /// Each candidate's share for the kernel, in [`FINE_PARTS`] of the processor.
    shares: Vec<u128>,
    /// The least costs of a job in dynamic bands and in the fixed band, for each number of tasks in dynamic
    /// bands.
    least: Vec<(Ticks, Ticks)>,
}

impl Candidates {
    pub(super) fn of(
        tasks: &[Sporadic],
        dynamic_bands: usize,
        costs: &impl Fn(&[usize], usize) -> Ticks,
    ) -> Result<Candidates, Failure> {
        let most = Ticks::new(u64::MAX);
        let mut all = Candidates {
            dynamic_bands,
            ends: Vec::new(),
            costs: Vec::new(),
            shares: Vec::new(),
            least: vec![(most, most); tasks.len() + 1],
        };
        let rates = rates(tasks);
        let mut ends = vec![0; dynamic_bands];
        loop {
            all.add(&ends, &rates, costs)?;
            // Step to the next candidate in the order of sizes: increment the last end that can grow, and
            // restart those after it from there.
            let Some(grows) = ends.iter().rposition(|&end| end < tasks.len()) else { return Ok(all) };
            let start = ends[grows] + 1;
            ends[grows..].fill(start);
        }
    }

    fn add(
        &mut self,
        ends: &[usize],
        rates: &[u128],
        costs: &impl Fn(&[usize], usize) -> Ticks,
    ) -> Result<(), Failure> {
        let tasks = rates.len() - 1;
        let starts = || std::iter::once(0).chain(ends.iter().copied());
        let all_ends = || ends.iter().copied().chain([tasks]);
        let sizes: Vec<usize> = starts().zip(all_ends()).map(|(start, end)| end - start).collect();
        let last_end = ends.last().copied().unwrap_or(0);
        let mut share = 0_u128;
        for (band, (start, end)) in starts().zip(all_ends()).enumerate() {
            let cost = costs(&sizes, band);
            let scaled = u128::from(cost.get()).checked_mul(rates[end] - rates[start]);
            share = scaled.and_then(|scaled| share.checked_add(scaled)).ok_or(Failure::TimesTooLarge)?;
            self.costs.push(cost);
            let least = &mut self.least[last_end];
            if band == self.dynamic_bands {
                least.1 = cost.min(least.1);
            } else if end > start {
                least.0 = cost.min(least.0);
            }
        }
        self.ends.extend(ends);
        self.shares.push(share);
        Ok(())
    }

    /// By share, then in the order of sizes.
    pub(super) fn cheapest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.shares.len()).collect();
        order.sort_by_key(|&candidate| self.shares[candidate]);
        order
    }

    /// The kernel's share in [`PARTS`], rounded down.
    pub(super) fn parts(&self, candidate: usize) -> u128 {
        self.shares[candidate] / FINER
    }

    pub(super) fn ends(&self, candidate: usize) -> &[usize] {
        &self.ends[candidate * self.dynamic_bands..][..self.dynamic_bands]
    }

    pub(super) fn costs(&self, candidate: usize) -> &[Ticks] {
        let bands = self.dynamic_bands + 1;
        &self.costs[candidate * bands..][..bands]
    }

    pub(super) fn least_costs(&self, end: usize) -> (Ticks, Ticks) {
        self.least[end]
    }
}

/// How often the first tasks of the list arrive together, for each number of tasks: [`FINE_PARTS`] of the
/// processor for each tick of a job's cost, rounded down.
fn rates(tasks: &[Sporadic]) -> Vec<u128> {
    let mut rate = 0_u128;
    let each = tasks.iter().map(|task| {
        rate += FINE_PARTS / u128::from(task.period.get().max(1));
        rate
    });
    std::iter::once(0).chain(each).collect()
}
