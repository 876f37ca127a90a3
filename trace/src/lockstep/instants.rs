//! Instants of two hosts: which are the same, and which may be moments of physical time.

use beryl_abi::{Duration, Instant};

use super::{Observed, distance};
use crate::event::Happening;

/// Whether what follows an event may name the moment of that event: behind an interrupt or the end of a job, until something else
/// happens. Nothing if it makes no difference to what was before.
pub(super) fn is_moment(happening: &Happening) -> Option<bool> {
    match happening {
        Happening::Note(beryl_abi::DecodedNote::Interrupt { .. }) | Happening::Complete { .. } => Some(true),
        Happening::Release { .. }
        | Happening::Driver { .. }
        | Happening::Skip { .. }
        | Happening::Miss { .. }
        | Happening::Overrun { .. }
        | Happening::Note(beryl_abi::DecodedNote::React { .. } | beryl_abi::DecodedNote::Budget { .. }) => {
            None
        }
        _ => Some(false),
    }
}

/// The moments so far, as the two hosts name them.
#[derive(Default)]
pub(super) struct Moments {
    /// How far apart they were: from the first host's to the second's, and back.
    apart: Vec<[Duration; 2]>,
    /// Whether an event now may name the present.
    is_present: bool,
}

impl Moments {
    /// Whether two events name the same instants: equal ones; moments, which are the present on both hosts and no further apart than
    /// is allowed; or what is counted from a moment, and so is as far apart as that was.
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
