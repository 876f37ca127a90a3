//! The schedulers that are compared, and at which utilisation a workload breaks down under each.

use anyhow::{Result, anyhow};
use beryl_analysis::csd::{self, placement};
use beryl_analysis::sensitivity::{Factor, largest};
use beryl_analysis::{Failure, Sporadic};
use serde::{Deserialize, Serialize};

use crate::costs::Costs;

pub use beryl_analysis::csd::placement::Test;

/// A scheduler of the paper's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheduler {
    /// One dynamic band above a fixed one.
    Csd2,
    /// Two dynamic bands above it.
    Csd3,
    /// Three dynamic bands above it.
    Csd4,
    /// One dynamic band alone.
    Edf,
    /// One fixed band alone.
    Rm,
}

impl Scheduler {
    /// In the order of the tables.
    pub const ALL: [Scheduler; 5] =
        [Scheduler::Csd4, Scheduler::Csd3, Scheduler::Csd2, Scheduler::Edf, Scheduler::Rm];

    /// As the paper calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Scheduler::Csd2 => "CSD-2",
            Scheduler::Csd3 => "CSD-3",
            Scheduler::Csd4 => "CSD-4",
            Scheduler::Edf => "EDF",
            Scheduler::Rm => "RM",
        }
    }

    /// The utilisation, without the scheduler's costs, at which a workload that asks for the whole processor
    /// breaks down when its execution times are made shorter; in ten-thousandths. Under CSD each factor may
    /// have another placement.
    ///
    /// # Errors
    /// Those of the tests.
    pub fn breakdown(self, workload: &[Sporadic], costs: &Costs, test: Test) -> Result<u64> {
        let by_sizes = |sizes: &[usize], band: usize| costs.of(sizes, band);
        let placed = |dynamic_bands| placement::breakdown(workload, dynamic_bands, &by_sizes, test);
        let factor = match self {
            Scheduler::Csd2 => placed(1),
            Scheduler::Csd3 => placed(2),
            Scheduler::Csd4 => placed(3),
            Scheduler::Rm => placed(0),
            Scheduler::Edf => edf(workload, costs),
        };
        // What fails at every factor has no room for any work.
        Ok(factor.map_err(|failure| anyhow!("{failure}"))?.map_or(0, Factor::get))
    }
}

fn edf(workload: &[Sporadic], costs: &Costs) -> Result<Option<Factor>, Failure> {
    let cost = costs.of_edf(workload.len());
    let holds = |count| {
        let factor = Factor::ten_thousandths(count);
        let charged = |task: &Sporadic| Ok(Sporadic { worst: factor.of(task.worst)?.plus(cost)?, ..*task });
        let charged = workload.iter().map(charged).collect::<Result<Vec<_>, Failure>>()?;
        csd::holds(&charged, &[workload.len()])
    };
    Ok(largest(1, Factor::ONE.get(), holds)?.map(Factor::ten_thousandths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{Blocks, Parse};
    use crate::workload::{Periods, Work, workload};

    /// Costs only take away, and a scheduler that may use more queues loses no more than their parsing.
    #[test]
    fn more_queues_break_down_later() -> Result<()> {
        for (number, tasks) in [(0, 10), (1, 20), (2, 20)] {
            let workload = workload(tasks, number, 1, Periods::Whole, Work::UpToPeriod);
            let costs = Costs::Paper(Parse::Never, Blocks::AsReasoned);
            let breakdown = |scheduler: Scheduler| scheduler.breakdown(&workload, &costs, Test::Sound);
            let [four, three, two, edf, rm] = Scheduler::ALL.map(breakdown);
            let [four, three, two, edf, rm] = [four?, three?, two?, edf?, rm?];
            assert!(
                10_000 > four && four >= three && three >= two && two >= edf.max(rm),
                "{four} {three} {two} {edf} {rm}"
            );
            assert!(edf > 9_000 && rm > 5_000, "{edf} {rm}");
        }
        Ok(())
    }
}
