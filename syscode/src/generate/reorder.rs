//! Reordering: a schedule with fewer preemptions, made of one with more, while it runs.
//!
//! ```text
//!   Reordering: a candidate --> reordered: a program --> the check --> a recorded period, its preemptions
//!        ^                                                 | refused            |
//!        +-------------------------------------------------+--------------------+
//! ```
//!
//! At an instant that is *kept*, whoever was released before comes before whoever is released there, in the
//! order of before. So whoever is at work goes on, whatever jobs take, and nobody is preempted. Whether
//! everything is still done in time is for the check to say, and whether anything was won for a recording of
//! what ran: one instant's preemption may be spared and come at the next. First all instants are kept; if that is
//! refused, as many as can be, one after the other.

use super::Unwritten;
use super::recording::Recording;
use super::stretches::Stretches;
use super::tasks::Tasks;
use crate::container::Container;

/// The most instants of a period that may be kept.
const MOST: u32 = u32::BITS;

/// Instants of a recorded period at which whoever is at work goes on: one bit each, of the first 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept(u32);

impl Kept {
    /// None: the scheduler's own order.
    pub const NONE: Kept = Kept(0);
    /// All of them.
    pub const ALL: Kept = Kept(u32::MAX);

    /// Whether one is, by its number in the period.
    #[must_use]
    pub const fn has(self, number: u32) -> bool {
        number < MOST && self.0 >> number & 1 == 1
    }

    /// With this one; those beyond the first 32 are never kept.
    #[must_use]
    pub const fn with(self, number: u32) -> Kept {
        if number < MOST { Kept(self.0 | 1 << number) } else { self }
    }

    /// The first from a number on.
    fn first_from(self, number: u32) -> Option<u32> {
        (number..MOST).find(|number| self.has(*number))
    }
}

/// A search for the instants to keep.
#[derive(Clone, Copy, Debug)]
pub struct Reordering {
    best: Kept,
    fewest: u32,
    tried: Option<Kept>,
    /// The first instant that wasn't tried by itself; before that, all at once.
    next: Option<u32>,
}

impl Reordering {
    /// Of a schedule that runs, with so many preemptions in a period.
    #[must_use]
    pub const fn new(preemptions: u32) -> Reordering {
        Reordering { best: Kept::NONE, fewest: preemptions, tried: None, next: None }
    }

    /// The next set of instants to try. None if nothing is left to be won, or to be tried.
    ///
    /// # Errors
    /// Why no program can be made of the recording.
    pub fn candidate(
        &mut self,
        recording: &Recording<'_>,
        module: &Container<'_>,
    ) -> Result<Option<Kept>, Unwritten> {
        self.tried = None;
        if self.fewest > 0 {
            let choices = stretches(recording, module)?.each(self.best, |_, _| Ok(()))?;
            self.tried = match self.next {
                None => (choices != Kept::NONE).then_some(Kept::ALL),
                Some(next) => choices.first_from(next).map(|number| {
                    self.next = Some(number + 1);
                    self.best.with(number)
                }),
            };
            self.next = self.next.or(Some(0));
        }
        Ok(self.tried)
    }

    /// What the last candidate came to: the preemptions in a period of it, or nothing if the check refused it.
    /// Returns whether it is kept.
    pub fn came_to(&mut self, preemptions: Option<u32>) -> bool {
        let better = preemptions.filter(|preemptions| *preemptions <= self.fewest);
        let (Some(tried), Some(preemptions)) = (self.tried.take(), better) else { return false };
        if tried == Kept::ALL {
            // Nothing is left that could be kept.
            self.next = Some(MOST);
        }
        (self.best, self.fewest) = (tried, preemptions);
        true
    }

    /// The best set of all that were tried.
    #[must_use]
    pub const fn best(&self) -> Kept {
        self.best
    }

    /// The preemptions in a period of it.
    #[must_use]
    pub const fn preemptions(&self) -> u32 {
        self.fewest
    }
}

/// How often in a recorded period a task of a module went on after another one had the processor in between.
///
/// # Errors
/// Why the recording isn't one of a period.
pub fn preemptions(recording: &Recording<'_>, module: &Container<'_>) -> Result<u32, Unwritten> {
    stretches(recording, module).map(|stretches| stretches.preemptions())
}

/// What was recorded of a module.
pub(super) fn stretches<'m>(
    recording: &Recording<'m>,
    module: &Container<'_>,
) -> Result<Stretches<'m>, Unwritten> {
    let (notes, period) = recording.complete()?;
    Ok(Stretches { notes, period, tasks: Tasks::released(module) })
}
