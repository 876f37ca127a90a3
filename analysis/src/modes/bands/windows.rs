//! The windows that the test of a dynamic band looks at, and whom it blames.

use super::{Bands, not_proved};
use crate::demand::Demand;
use crate::failure::Failure;
use crate::model::Band;
use crate::modes::curve::Curve;
use crate::ticks::Ticks;

/// The most windows to check.
const MOST_WINDOWS: usize = 20_000;

impl Bands<'_> {
    /// All windows at which more work becomes due, and the logical execution times themselves.
    pub(super) fn windows(
        &self,
        index: usize,
        demands: &[Curve],
        deadlines: &[Vec<Ticks>],
        end: Ticks,
    ) -> Result<Vec<Ticks>, Failure> {
        let mut windows: Vec<Ticks> = demands.iter().flat_map(Curve::lengths).collect();
        windows.extend(deadlines.iter().flatten());
        let shortest =
            self.rest.bands[index].iter().map(Demand::lead).chain(deadlines.iter().flatten().copied()).min();
        let changes = self.blocking[index].changes().filter(|from| Some(*from) > shortest);
        windows.extend(changes);
        for demand in &self.rest.bands[index] {
            for number in 0..demand.jobs_due(end) {
                windows.push(demand.stream.period.times(number)?.plus(demand.lead())?);
            }
            if windows.len() > MOST_WINDOWS {
                return Err(Failure::TooLong);
            }
        }
        windows.sort();
        windows.dedup();
        windows.retain(|window| *window < end && *window > Ticks::ZERO);
        Ok(windows)
    }

    /// The task to blame for a failing window: one with the longest time that fits into it.
    pub(super) fn late(&self, band: &Band, deadlines: &[Vec<Ticks>], window: Ticks) -> Failure {
        let fits = |own: &Vec<Ticks>| own.iter().copied().filter(|own| *own <= window).max();
        let rows = band.tasks.iter().zip(deadlines).filter_map(|(task, own)| Some((task, fits(own)?)));
        match rows.max_by_key(|(_, deadline)| *deadline) {
            Some((task, deadline)) => not_proved(task, deadline),
            None => Failure::TooLong,
        }
    }
}
