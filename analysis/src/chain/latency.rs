//! The longest latency: tracks which stages already follow from a change at the sensor.

use crate::chain::Longest;
use crate::chain::longest::{Endless, Way, longest};
use crate::chain::state_graph::{Runs, Step};
use crate::failure::Failure;

/// The modules' state, and the values that follow from the change: a bit per stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Known {
    state: usize,
    /// The published values.
    published: u64,
    /// The values that jobs have read, the last of each stage.
    read: u64,
}

/// Over all runs. A change between two instants waits less than one just after the first of them.
pub(super) fn in_all(runs: &Runs) -> Result<Longest, Failure> {
    longest(&begin(0..runs.states()), Endless::Counts, |known, ways| onwards(runs, known, true, ways))
}

/// Among states that no switch leaves.
pub(super) fn among(runs: &Runs, states: &[usize]) -> Result<Longest, Failure> {
    longest(&begin(states.iter().copied()), Endless::Counts, |known, ways| onwards(runs, known, false, ways))
}

fn begin(states: impl Iterator<Item = usize>) -> Vec<Known> {
    states.map(|state| Known { state, published: 0, read: 0 }).collect()
}

fn onwards(runs: &Runs, known: Known, switching: bool, ways: &mut Vec<Way<Known>>) {
    let steps = runs.steps(known.state).iter().filter(|step| switching || !step.switches);
    ways.extend(steps.map(|step| way(runs, known, step)));
}

fn way(runs: &Runs, known: Known, step: &Step) -> Way<Known> {
    let published = known.published & !step.publishes | known.read & step.publishes;
    // The sensor, then the stages: the source of each stage, and of the actuator after the last.
    let source = published << 1 | 1;
    let arrives = step.is_update && source & 1 << runs.stages != 0;
    let visible = known.read & !step.releases | source & step.carries & !step.at_once;
    let read = at_once(visible, step.at_once);
    let next = Known { state: step.to, published, read };
    Way { wait: step.wait, arrives, next: [(!arrives).then_some(next), None] }
}

/// What has been read, once some stages have followed the one before them, in their order.
fn at_once(mut read: u64, mut stages: u64) -> u64 {
    while stages != 0 {
        let first = stages & stages.wrapping_neg();
        read |= read << 1 & first;
        stages &= !first;
    }
    read
}
