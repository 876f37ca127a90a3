//! Who may be offered to the programs of a slot: the tasks of its module, and nobody beside them in their band.

use super::Join;
use crate::assembly::Policy;

/// Slots of bands that can be offered: a bit each of a word.
const MOST_OFFERED: usize = 32;

impl Join<'_> {
    /// What the description alone can't tell of the bands that are offered.
    pub(super) fn check_offers(&mut self) {
        let rows = self.description.objects.slots.iter();
        for (index, row) in rows.enumerate() {
            let Some(band) = self.description.band(row.offers.as_ref()) else { continue };
            let module = self.assembly.module_of(index);
            let Some(module) = module else { continue };
            if let Some(other) = self.assembly.others_in(band, Some(module)).next() {
                self.found.offers_others(self.description, row, &other.name);
            }
            if !self.assembly.tasks().any(|(thread, task)| thread.band == band && task.module == module) {
                self.found.offers_nothing(self.description, row);
            }
            if let Policy::Dynamic { base, leaves } = self.assembly.bands[band].policy
                && usize::from(base) + usize::from(leaves) > MOST_OFFERED
            {
                self.found.offers_too_many(self.description, row, MOST_OFFERED);
            }
        }
    }
}
