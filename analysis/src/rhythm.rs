//! Rhythms: when something comes in a period that repeats.

use crate::ticks::Ticks;

/// When something comes in each period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// At all multiples of this: positive, a divisor of the period.
    Every(Ticks),
    /// At these instants, in order: more than 0, at most the period.
    At(Vec<Ticks>),
}

impl Rhythm {
    /// Its instants behind the start of a period, up to its end; `None` if there are more than `most`.
    pub(crate) fn instants(&self, period: Ticks, most: usize) -> Option<Vec<Ticks>> {
        match self {
            Rhythm::Every(every) => {
                let count = period.whole(*every);
                usize::try_from(count).ok().filter(|count| *count <= most)?;
                // At most the period, so it fits.
                Some((1..=count).map(|number| Ticks::new(number * every.get())).collect())
            }
            Rhythm::At(instants) => (instants.len() <= most).then(|| instants.clone()),
        }
    }

    /// Whether it has no instant where none can be.
    pub(crate) fn fits(&self, period: Ticks) -> bool {
        match self {
            Rhythm::Every(every) => *every > Ticks::ZERO,
            Rhythm::At(instants) => instants.iter().all(|at| *at > Ticks::ZERO && *at <= period),
        }
    }
}
