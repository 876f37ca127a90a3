//! The longest latency: which stages already follow from a change at the sensor.

use crate::chain::Longest;
use crate::chain::longest::{Endless, Way, longest};
use crate::chain::state_graph::{Runs, Step};
use crate::failure::Failure;

/// A state of the modules, and which values follow from the change: a bit for each stage.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Known {
    state: usize,
    /// What the stage has published.
    published: u64,
    /// What its job has read.
    read: u64,
}

/// Over all runs. A change at an instant in between has to wait less than one just after the instant before.
pub(super) fn in_all(runs: &Runs) -> Result<Longest, Failure> {
    longest(&begin(0..runs.states()), Endless::Counts, |known, ways| onwards(runs, known, true, ways))
}

/// Among states that aren't left by switches.
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
    // The sensor, then the stages: what each stage, and the actuator behind the last, reads.
    let source = published << 1 | 1;
    let arrives = step.is_update && source & 1 << runs.stages != 0;
    let read = known.read & !step.releases | source & step.carries;
    let next = Known { state: step.to, published, read };
    Way { wait: step.wait, arrives, next: [(!arrives).then_some(next), None] }
}
