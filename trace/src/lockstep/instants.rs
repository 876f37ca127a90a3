//! Instants of two hosts: which ones are the same, and which may be moments of physical time.

use beryl_abi::{Duration, Instant};

use super::{Observed, distance};
use crate::event::Happening;

/// Whether the next event may name this event's moment: true after an interrupt or the end of a job, until
/// something else happens. `None` if the event changes nothing about that.
pub(super) fn is_moment(happening: &Happening) -> Option<bool> {
    match happening {
        Happening::Note(beryl_abi::DecodedNote::Interrupt { .. }) | Happening::Complete { .. } => Some(true),
        Happening::Release { .. }
        | Happening::Driver { .. }
        | Happening::State { .. }
        | Happening::Skip { .. }
        | Happening::Miss { .. }
        | Happening::Overrun { .. }
        | Happening::Note(beryl_abi::DecodedNote::React { .. } | beryl_abi::DecodedNote::Budget { .. }) => {
            None
        }
        _ => Some(false),
    }
}

/// The moments so far, as each host names them.
#[derive(Default)]
pub(super) struct Moments {
    /// Their differences: from the first host's to the second's, and back.
    apart: Vec<[Duration; 2]>,
    /// Whether an event now may name the present.
    is_present: bool,
}

impl Moments {
    /// Whether two events name the same instants: equal ones; moments that are the present on both hosts and
    /// within the limit; or instants counted from a moment, with that moment's difference.
    pub(super) fn are_same(&mut self, one: &Observed, other: &Observed, allowed: Duration) -> bool {
        let pairs = one.instants.iter().zip(&other.instants);
        let are_same = one.instants.len() == other.instants.len()
            && pairs.map(|((_, one), (_, other))| [*one, *other]).all(|pair| self.is_same(pair, allowed));
        self.is_present = one.is_moment.unwrap_or(self.is_present);
        are_same
    }

    fn is_same(&mut self, [one, other]: [Instant; 2], allowed: Duration) -> bool {
        let apart = [other.since(one), one.since(other)];
        let is_known = one == other || self.apart.contains(&apart);
        let is_moment = self.is_present && distance(one, other) <= allowed;
        if !is_known && is_moment {
            self.apart.push(apart);
        }
        is_known || is_moment
    }
}
