//! The longest age: follows the copies of a sample until the last update that uses one.

use crate::chain::Longest;
use crate::chain::longest::{Endless, Way, longest};
use crate::chain::state_graph::{Runs, Step};
use crate::failure::Failure;
use crate::ticks::Ticks;

/// The copies of a sample, after an instant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Copied {
    state: usize,
    stage: usize,
    /// Whether the stage has published its copy; otherwise its job is at work.
    is_published: bool,
    /// Whether the stage hasn't been activated since.
    is_last: bool,
}

/// Over all runs.
pub(super) fn in_all(runs: &Runs) -> Result<Longest, Failure> {
    of(runs, runs.all_steps(), true)
}

/// Among states that no switch leaves.
pub(super) fn among(runs: &Runs, states: &[usize]) -> Result<Longest, Failure> {
    let steps = states.iter().flat_map(|state| runs.steps(*state)).filter(|step| !step.switches);
    of(runs, steps, false)
}

/// The age of samples taken in some steps.
fn of<'a>(
    runs: &Runs,
    mut steps: impl Iterator<Item = &'a Step> + Clone,
    switching: bool,
) -> Result<Longest, Failure> {
    // If no stage passes the value on and nothing is updated, no copy arrives.
    let (carries, updates) = steps
        .clone()
        .fold((0, false), |(carries, updates), step| (carries | step.carries, updates || step.is_update));
    if !updates || carries.count_ones() < u32::try_from(runs.stages).unwrap_or(u32::MAX) {
        return Ok(Longest::Never);
    }
    if runs.stages == 0 {
        // The update reads the sensor directly.
        let fresh = Longest::Within(Ticks::ZERO);
        return Ok(if steps.any(|step| step.is_update) { fresh } else { Longest::Never });
    }
    let samples = steps.filter(|step| step.carries & 1 != 0);
    let starts: Vec<_> = samples.flat_map(|step| copies(step, 0)).collect();
    longest(&starts, Endless::Ignored, |copied, ways| {
        let steps = runs.steps(copied.state).iter().filter(|step| switching || !step.switches);
        steps.for_each(|step| follow(runs, copied, step, ways));
    })
}

/// The copies that an instant makes if a stage's job reads one: its own, and those of the stages that read at once.
fn copies(step: &Step, stage: usize) -> impl Iterator<Item = Copied> + use<> {
    let (state, at_once) = (step.to, step.at_once);
    let reads = move |stage: &usize| at_once & 1 << stage != 0;
    let copied = move |stage| Copied { state, stage, is_published: false, is_last: true };
    std::iter::once(stage).chain((stage + 1..).take_while(reads)).map(copied)
}

fn follow(runs: &Runs, copied: Copied, step: &Step, ways: &mut Vec<Way<Copied>>) {
    let Copied { stage, .. } = copied;
    let publishes = step.publishes & 1 << stage != 0;
    let wait = step.wait;
    if copied.is_published && publishes {
        // Overwritten before anything reads it.
        return ways.push(Way { wait, arrives: false, next: [None; 2] });
    }
    let is_published = copied.is_published || publishes;
    let is_last = copied.is_last && step.releases & 1 << stage == 0;
    let here = Copied { state: step.to, stage, is_published, is_last };
    let behind = stage + 1;
    let arrives = step.is_update && is_published && behind == runs.stages;
    ways.push(Way { wait, arrives, next: [Some(here), None] });
    let is_there = if step.at_once & 1 << behind == 0 { is_published } else { is_last };
    if is_there && behind < runs.stages && step.carries & 1 << behind != 0 {
        ways.extend(copies(step, behind).map(|copy| Way { wait, arrives: false, next: [Some(copy), None] }));
    }
}
