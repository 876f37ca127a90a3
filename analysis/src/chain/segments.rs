//! Cuts the chain where it goes from one module to another, and analyses each part alone, whatever the others
//! do.
//!
//! A part's input becomes visible at some instant; to the part this is like a change at a sensor, and it
//! arrives at the part's end within the part's latency. That input may be as old as the sum of the latencies
//! of all earlier parts, since latency is also the age of a value when it is replaced.

use crate::chain::state_graph::{End, Runs};
use crate::chain::{Chain, Class, Found, Jobs, Longest, Mode, Module, Times, together};
use crate::failure::Failure;

/// Sums the times of the parts.
pub(super) fn times(chain: &Chain) -> Result<Found, Failure> {
    let mut parts = Vec::new();
    for (part, end) in cut(chain) {
        parts.push(together(&Runs::of(&part, end)?)?);
    }
    let switching = sum(parts.iter().map(|part| Some(part.switching)))?.unwrap_or(NEVER);
    let staying = sum(parts.iter().map(|part| part.staying))?;
    Ok(Found { switching, staying, combinations: Vec::new(), class: Class::Safe })
}

const NEVER: Times = Times { latency: Longest::Never, age: Longest::Never };

/// `None` if any part has none.
fn sum(parts: impl Iterator<Item = Option<Times>>) -> Result<Option<Times>, Failure> {
    let mut all: Option<Times> = None;
    for part in parts {
        let Some(part) = part else { return Ok(None) };
        let Some(before) = all else {
            all = Some(part);
            continue;
        };
        let latency = plus(before.latency, part.latency)?;
        all = Some(Times { latency, age: plus(before.latency, part.age)? });
    }
    Ok(all)
}

fn plus(one: Longest, other: Longest) -> Result<Longest, Failure> {
    Ok(match (one, other) {
        (Longest::Within(one), Longest::Within(other)) => Longest::Within(one.plus(other)?),
        (Longest::Never, _) | (_, Longest::Never) => Longest::Never,
        _ => Longest::Unbounded,
    })
}

/// The parts, each with its one module and its kind of end.
fn cut(chain: &Chain) -> Vec<(Chain, End)> {
    let mut parts = Vec::new();
    let mut first = 0;
    for end in 1..=chain.places.len() {
        let is_end = end == chain.places.len();
        if is_end || chain.places[end] != chain.places[first] {
            let how = if is_end { End::Update } else { End::Publication };
            parts.push((part(chain, first, end, how), how));
            first = end;
        }
    }
    parts
}

/// The part with some of the stages; the last part ends with the actuator, the others with a publication.
fn part(chain: &Chain, first: usize, end: usize, how: End) -> Chain {
    let module = &chain.modules[chain.places[first]];
    let stages = if how == End::Update { end - 1 } else { end };
    let modes = module.modes.iter().map(|mode| Mode {
        jobs: mode.jobs.iter().filter_map(|jobs| moved(jobs, first, stages)).collect(),
        updates: mode.updates.clone().filter(|_| how == End::Update),
        enters: mode.enters && how == End::Update,
        ..mode.clone()
    });
    let module = Module { modes: modes.collect(), start: module.start };
    let stages = stages - first;
    Chain { places: vec![0; stages + 1], modules: vec![module] }
}

fn moved(jobs: &Jobs, first: usize, end: usize) -> Option<Jobs> {
    let is_in = (first..end).contains(&jobs.stage);
    is_in.then(|| Jobs { stage: jobs.stage - first, ..jobs.clone() })
}
