//! Members of pools, among modules that switch modes.

use super::{Bands, Urgency};
use crate::failure::Failure;
use crate::servers::pools::{Asked, Outside};
use crate::ticks::{TimesTooLarge, sum};

impl Bands<'_> {
    /// Asks about the members of pools.
    pub(super) fn members<T>(&self, ask: impl FnOnce(&Outside) -> Result<T, Failure>) -> Result<T, Failure> {
        let modules = |asked, window| {
            let urgency = match asked {
                Asked::AsUrgent(band, priority) => Urgency::AsUrgent(band, priority, usize::MAX),
                Asked::Charged => Urgency::Switches,
            };
            let curves = self.requests(urgency, window)?;
            Ok(sum(curves.iter().map(|curve| Ok::<_, TimesTooLarge>(curve.requested(window))))?)
        };
        let modal: Vec<_> = self.jobs.iter().map(|job| (job.task, job.length())).collect();
        ask(&Outside {
            system: self.system,
            load: &self.rest,
            kernels: &self.rest,
            bands: None,
            positions: Some(&self.positions),
            modules: &modules,
            modal: &modal,
        })
    }
}
