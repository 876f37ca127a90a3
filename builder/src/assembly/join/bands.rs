//! The bands of a description with their places in the kernel's tables.

use crate::assembly::{Band, Policy};
use crate::description::{self, Description, Scheme};

/// The bands of the description, and below them one for the idle thread.
pub(super) fn bands(description: &Description, modules: usize) -> Vec<Band> {
    let mut slot = 0_usize;
    let mut program = modules;
    let mut bands = Vec::new();
    for (index, row) in description.bands.iter().enumerate() {
        let tasks = description.tasks.iter().map(|task| task.band.value);
        let threads = description.threads.iter().map(|thread| thread.band.value);
        let members = tasks.chain(threads).filter(|band| band.index() == index).count();
        let policy = match row.policy {
            description::Policy::Dynamic => {
                let leaves = members.max(2).next_power_of_two();
                let base = slot.next_multiple_of(leaves);
                slot = base + leaves;
                let small = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
                Policy::Dynamic { base: small(base), leaves: small(leaves) }
            }
            description::Policy::Fixed => Policy::Fixed,
            description::Policy::Code => {
                program += 1;
                let threads = if let Scheme::ThreadPerTask(_) = row.scheme { members } else { 1 };
                Policy::Code { program: program - 1, threads }
            }
        };
        bands.push(Band { name: row.name.value.clone(), policy });
    }
    bands.push(Band { name: "idle".to_owned(), policy: Policy::Fixed });
    bands
}

/// Free slots of the dynamic bands.
pub(super) struct Slots(Vec<u8>);

impl Slots {
    pub(super) fn new(bands: &[Band]) -> Slots {
        Slots(
            bands
                .iter()
                .map(|band| if let Policy::Dynamic { base, .. } = band.policy { base } else { 0 })
                .collect(),
        )
    }

    pub(super) fn next(&mut self, band: usize) -> u8 {
        let slot = self.0[band];
        self.0[band] = slot.saturating_add(1);
        slot
    }
}
