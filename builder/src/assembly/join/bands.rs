//! The bands of a description with their places in the kernel's tables.

use crate::assembly::{Band, Frame, Policy};
use crate::description::{self, Description, Scheme};

/// The bands of the description, and below them one for the idle thread.
pub(super) fn bands(description: &Description, frame: &Frame, modules: usize) -> Vec<Band> {
    let trees = trees(description);
    let mut program = modules;
    let mut bands = Vec::new();
    for (row, (base, leaves)) in description.bands.iter().zip(trees) {
        let policy = match row.policy {
            description::Policy::Dynamic => {
                let small = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
                Policy::Dynamic { base: small(base), leaves: small(leaves) }
            }
            description::Policy::Fixed => Policy::Fixed,
            description::Policy::Code => {
                program += 1;
                let threads = if let Scheme::ThreadPerTask(_) = row.scheme {
                    members(description, bands.len())
                } else {
                    1
                };
                Policy::Code { program: program - 1, threads }
            }
        };
        let partition = frame.partitions.iter().position(|name| row.in_partition() == Some(name));
        bands.push(Band { name: row.name.value.clone(), policy, partition });
    }
    bands.push(Band { name: "idle".to_owned(), policy: Policy::Fixed, partition: None });
    bands
}

/// The first slot of each band and how many it has, none of those that aren't dynamic. Bands that are offered
/// have the first, since only so many can be.
fn trees(description: &Description) -> Vec<(usize, usize)> {
    let is_offered = |index: usize| {
        description.objects.slots.iter().any(|slot| description.band(slot.offers.as_ref()) == Some(index))
    };
    let is_dynamic = |index: &usize| description.bands[*index].policy == description::Policy::Dynamic;
    let (offered, others): (Vec<_>, Vec<_>) =
        (0..description.bands.len()).filter(is_dynamic).partition(|index| is_offered(*index));
    let mut trees = vec![(0, 0); description.bands.len()];
    let mut slot = 0_usize;
    for index in offered.into_iter().chain(others) {
        let leaves = members(description, index).max(2).next_power_of_two();
        let base = slot.next_multiple_of(leaves);
        slot = base + leaves;
        trees[index] = (base, leaves);
    }
    trees
}

/// How many tasks and threads stand in a band.
fn members(description: &Description, band: usize) -> usize {
    let tasks = description.tasks.iter().map(|task| task.band.value);
    let threads = description.threads.iter().map(|thread| thread.band.value);
    tasks.chain(threads).filter(|own| own.index() == band).count()
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
