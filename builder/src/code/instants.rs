//! What is due when in a period of a mode.

use std::collections::BTreeMap;

use beryl_abi::Duration;

use crate::assembly::{Activity, Mode, Window};

/// What is due at one instant, each list as indices in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// Activities whose task's logical execution time ends.
    pub(super) ends: Vec<usize>,
    /// Activities that update an actuator.
    pub(super) updates: Vec<usize>,
    /// Switches that are tested.
    pub(super) switches: Vec<usize>,
    /// Activities that release a task, with its logical execution time.
    pub(super) releases: Vec<(usize, Duration)>,
}

/// The instants of a period at which something is due, as distances from its start; always its start.
pub(super) type Instants = BTreeMap<Duration, Due>;

/// How many things are due in a period.
pub(super) fn count(mode: &Mode) -> u64 {
    let times = |every: Duration| mode.period.ticks() / every.ticks().max(1);
    let activities = mode.activities.iter().map(|activity| match activity {
        Activity::Release { slots, .. } if !slots.is_empty() => {
            u64::try_from(slots.len()).unwrap_or(u64::MAX)
        }
        other => times(other.every()),
    });
    let switches = mode.switches.iter().map(|switch| times(switch.every));
    activities.chain(switches).fold(0, u64::saturating_add)
}

pub(super) fn instants(mode: &Mode) -> Instants {
    let mut instants = Instants::from([(Duration::ZERO, Due::default())]);
    for (index, activity) in mode.activities.iter().enumerate() {
        for window in activity.windows(mode.period) {
            let Window { start, end } = window;
            match activity {
                Activity::Actuate { .. } => at(&mut instants, start).updates.push(index),
                Activity::Release { .. } => {
                    at(&mut instants, start).releases.push((index, window.length()));
                    // What ends with the period ends where the next one starts.
                    let end = if end == mode.period { Duration::ZERO } else { end };
                    at(&mut instants, end).ends.push(index);
                }
            }
        }
    }
    for (index, switch) in mode.switches.iter().enumerate() {
        let every = switch.every.ticks().max(1);
        for number in 0..mode.period.ticks() / every {
            at(&mut instants, Duration::from_ticks(number * every)).switches.push(index);
        }
    }
    instants
}

fn at(instants: &mut Instants, instant: Duration) -> &mut Due {
    instants.entry(instant).or_default()
}
