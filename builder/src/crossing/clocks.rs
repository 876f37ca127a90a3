//! Clocks of nodes: how far apart they may be, and so how much earlier each frame has to be over.
//!
//! All nodes but one set their clocks by the first frame that this one sends in a cycle: it is over at an instant that all
//! know, by the clock of its sender. A node reads its own clock then, a little wrongly, and takes the difference away while
//! its oscillator counts half a cycle. Until it hears the next such frame, its clock parts from the sender's by what both drift:
//!
//! ```text
//! one  = error + 2 drift / (1 - drift) x (lost + 1) cycles      a node and the one that it hears
//! apart = one, or twice as much where several nodes hear        any two nodes
//! ```
//!
//! The error is that of reading, a tick of each of the two, and four roundings to a nanosecond. While a correction is under
//! way, what is left of the old difference and what has come of the new drift are together less than `one`, since that was
//! the most of the one and is the most of the other.
//!
//! As in time-triggered buses (TTP, FlexRay); these take an average of several senders, so that no node is the one that may
//! not fail. OSPERT 2007, P4 has clock synchronisation in its communication layer, and doesn't say which.

use std::collections::BTreeSet;

use super::bus::Frame;
use crate::description::{Clocks, Description, Problem, code};
use crate::error::BuildError;
use crate::quantity::Nanoseconds;

/// Parts of one.
const MILLION: u64 = 1_000_000;
/// What rounding to nanoseconds takes, at most: twice at each of two clocks.
const ROUNDING: u64 = 4;
/// Times are told, and taken away from slots, in whole microseconds.
const MICROSECOND: u64 = 1000;

/// How the clocks of nodes are kept together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// How wrong each may be, in parts per million.
    pub drift: u32,
    /// The node by which all others set theirs.
    pub by: usize,
    /// Which frame of the cycle they set them by.
    pub frame: usize,
    /// So many of these may be lost one after another.
    pub lost: u64,
    /// By how much its arrival may be read wrongly.
    pub reading: Nanoseconds,
    /// How far a clock may be from the one that it is set by: that much is corrected at most.
    pub one: Nanoseconds,
    /// How far apart any two are at most.
    pub apart: Nanoseconds,
    /// How long a correction takes.
    pub spread: Nanoseconds,
}

impl Kept {
    /// By how many parts per million a clock goes faster than its oscillator at most, while it is corrected.
    #[must_use]
    pub fn most_change(&self) -> u64 {
        self.one.get().saturating_mul(MILLION).div_ceil(self.spread.get().max(1))
    }
}

/// How clocks are kept together; nothing if they don't drift.
pub(super) fn kept(
    description: &Description,
    frames: &[Frame],
    cycle: u64,
) -> Result<Option<Kept>, BuildError> {
    let Some(clocks) = description.bus.as_ref().and_then(|bus| bus.clocks.as_ref()) else { return Ok(None) };
    let name = |node: usize| description.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
    let senders: BTreeSet<usize> = frames.iter().map(|frame| frame.node).collect();
    let senders: Vec<&str> = senders.into_iter().map(name).collect();
    let Some(by) = &clocks.set_by else {
        return Err(unkept(description, clocks, &senders));
    };
    if !frames.iter().any(|frame| frame.node == by.value) {
        return Err(silent(description, (name(by.value), by.place), &senders));
    }
    let one = one(description, clocks, clocks.drift.value, cycle);
    let spread = cycle / 2;
    if one.saturating_mul(4) >= spread {
        return Err(too_far(description, clocks, [one, spread]));
    }
    Ok(Some(Kept {
        drift: clocks.drift.value,
        by: by.value,
        frame: 0,
        lost: clocks.lost,
        reading: clocks.reading,
        one: Nanoseconds::new(one),
        apart: Nanoseconds::new(apart(description, one)),
        spread: Nanoseconds::new(spread),
    }))
}

/// The largest drift, in parts per million, with which clocks are as near as `fits` wants it, if that is less than described.
pub(super) fn that_fit(description: &Description, cycle: u64, fits: impl Fn(u64) -> bool) -> Option<u32> {
    let clocks = description.bus.as_ref()?.clocks.as_ref()?;
    let is_fit = |drift: &u32| fits(apart(description, one(description, clocks, *drift, cycle)));
    (1..clocks.drift.value).rev().find(is_fit)
}

/// How far a clock parts from the one that it is set by.
fn one(description: &Description, clocks: &Clocks, drift: u32, cycle: u64) -> u64 {
    let ticks =
        description.nodes.iter().map(|node| node.board.unwrap_or(description.board.board.value).tick.get());
    let error = clocks.reading.get().saturating_add(ticks.max().unwrap_or(0).saturating_mul(2));
    let unheard = cycle.saturating_mul(clocks.lost.saturating_add(1));
    let drift = u64::from(drift);
    let parted = u128::from(unheard) * u128::from(drift * 2);
    let parted = parted.div_ceil(u128::from(MILLION.saturating_sub(drift).max(1)));
    error.saturating_add(ROUNDING).saturating_add(u64::try_from(parted).unwrap_or(u64::MAX))
}

/// How far any two clocks are apart, if each is so far from the one that it is set by.
fn apart(description: &Description, one: u64) -> u64 {
    let hear_several = description.nodes.len() > 2;
    let apart = if hear_several { one.saturating_mul(2) } else { one };
    apart.div_ceil(MICROSECOND).saturating_mul(MICROSECOND)
}

fn unkept(description: &Description, clocks: &Clocks, senders: &[&str]) -> BuildError {
    let drift = clocks.drift.value;
    BuildError::Description(description.alone(Problem {
        code: code::MISSING,
        place: clocks.drift.place,
        message: format!(
            "clocks that are wrong by up to {drift}ppm part by up to {} in each second, and nothing keeps these together: \
             values would be late, and frames meet each other",
            Nanoseconds::new(u64::from(drift) * 2 * MICROSECOND)
        ),
        label: "as wrong as this".to_owned(),
        help: format!(
            "add `clock = \"{}\"`, a node by whose frames all others set their clocks; or leave `drift` out if one clock \
             drives all nodes",
            senders.first().copied().unwrap_or_default()
        )
        .into(),
    }))
}

fn silent(
    description: &Description,
    (name, place): (&str, miette::SourceSpan),
    senders: &[&str],
) -> BuildError {
    BuildError::Description(description.alone(Problem {
        code: code::CONFLICT,
        place,
        message: format!("node `{name}` sends nothing, so nobody can set a clock by it"),
        label: "a node that only listens".to_owned(),
        help: format!("name one that sends: {}", senders.join(", ")).into(),
    }))
}

fn too_far(description: &Description, clocks: &Clocks, [one, spread]: [u64; 2]) -> BuildError {
    BuildError::Description(description.alone(Problem {
        code: code::RANGE,
        place: clocks.drift.place,
        message: format!(
            "clocks part by up to {} until they are set again, and half a cycle of the bus, {}, makes up for less than a quarter \
             of itself",
            Nanoseconds::new(one),
            Nanoseconds::new(spread)
        ),
        label: "too wrong for this bus".to_owned(),
        help: "take better clocks, a smaller error of reading, or allow fewer lost frames".into(),
    }))
}
