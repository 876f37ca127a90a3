//! The events due at each instant of a mode's period, as far as they matter to a chain.

use std::collections::BTreeMap;

use crate::chain::Mode;
use crate::rhythm::Rhythm;
use crate::ticks::Ticks;

/// The events due at one instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Due {
    /// The stages that publish, a bit each.
    pub publishes: u64,
    /// Whether the actuator is updated with the chain's value.
    pub is_update: bool,
    /// The indices of the switches that are tested.
    pub switches: Vec<usize>,
    /// The stages that are released, a bit each.
    pub releases: u64,
    /// Those of them that read the chain's value.
    pub carries: u64,
    /// Those of them that read it at once.
    pub at_once: u64,
}

/// The instants of a period in order, as distances from its start: 0 first, the period last. Releases at the
/// start of the next period count as due at 0.
pub(crate) type Instants = Vec<(Ticks, Due)>;

/// The instants of a mode; `None` if there are more than `most`.
pub(crate) fn instants(mode: &Mode, most: usize) -> Option<Instants> {
    let mut instants =
        BTreeMap::<Ticks, Due>::from([(Ticks::ZERO, Due::default()), (mode.period, Due::default())]);
    for jobs in &mode.jobs {
        let stage = 1_u64 << jobs.stage;
        for (start, end) in &jobs.windows {
            let due = instants.entry(*start).or_default();
            due.releases |= stage;
            due.carries |= if jobs.carries { stage } else { 0 };
            due.at_once |= if jobs.carries && jobs.at_once { stage } else { 0 };
            instants.entry(*end).or_default().publishes |= stage;
        }
    }
    for (index, switch) in mode.switches.iter().enumerate() {
        for at in with_start(&switch.tested, mode.period, most)? {
            instants.entry(at).or_default().switches.push(index);
        }
    }
    // An update with another value doesn't affect the chain.
    if let Some(updates) = mode.updates.as_ref().filter(|updates| updates.carries) {
        for at in with_start(&updates.come, mode.period, most)? {
            instants.entry(at).or_default().is_update = true;
        }
    }
    (instants.len() <= most).then(|| instants.into_iter().collect())
}

/// The instants of a rhythm, among them the start of the period if it has the end.
fn with_start(rhythm: &Rhythm, period: Ticks, most: usize) -> Option<Vec<Ticks>> {
    let mut instants = rhythm.instants(period, most)?;
    if instants.last() == Some(&period) {
        instants.insert(0, Ticks::ZERO);
    }
    Some(instants)
}
