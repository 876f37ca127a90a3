//! Flows: arrows from the run that woke a thread to that thread's next run.

use std::collections::BTreeMap;

use crate::event::Event;
use crate::jobs::History;
use crate::wakes::wakes;

/// The numbers of the arrows that begin or end at runs, by the runs' positions.
pub(super) fn flows(events: &[Event], history: &History) -> BTreeMap<usize, Vec<u64>> {
    let mut flows: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for (number, wake) in (1..).zip(wakes(events, history)) {
        flows.entry(wake.by).or_default().push(number);
        flows.entry(wake.woken).or_default().push(number);
    }
    flows
}
