//! Supply: the least that work has of the processor in windows of each length, in which some always waits.

use super::Server;
use crate::failure::Failure;
use crate::ticks::{Ticks, TimesTooLarge};
use crate::utilisation::Utilisation;

/// A supply bound function and its inverse. It rises from zero, by at most a tick a tick.
pub trait Supply {
    /// The least that is had in any window of this length.
    ///
    /// # Errors
    /// [`TimesTooLarge`].
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge>;

    /// The longest until that much has been had: the shortest window of which it is the least.
    ///
    /// # Errors
    /// [`TimesTooLarge`].
    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge>;

    /// Its share of the processor in the long run.
    fn share(&self) -> Utilisation;

    /// After what time it repeats: a window that is longer by that has as much more as its share of it, once it
    /// has anything. `None` where that doesn't fit.
    fn cycle(&self) -> Option<Ticks>;
}

/// All of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole;

/// A budget at the end of each period, after a first wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulses {
    wait: Ticks,
    budget: Ticks,
    period: Ticks,
}

/// A share of the processor from some delay on, in whole ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    delay: Ticks,
    share: Utilisation,
}

impl Pulses {
    /// Nothing for `wait`, and from then on the budget at the beginning of each period.
    pub(super) const fn new(wait: Ticks, budget: Ticks, period: Ticks) -> Pulses {
        Pulses { wait, budget, period }
    }

    /// A partition that has its budget in each of its periods, at places that aren't known: the periodic
    /// resource of Shin and Lee, *Periodic resource model for compositional real-time guarantees* (RTSS 2003),
    /// with the supply of their equation for it. *Exact*: one run has the least in windows of all lengths.
    ///
    /// # Errors
    /// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
    pub fn of_resource(resource: &Server) -> Result<Pulses, Failure> {
        resource.pulses(resource.period.less(resource.budget), resource.period)
    }

    /// How long nothing is had at most.
    pub const fn wait(&self) -> Ticks {
        self.wait
    }

    /// The line beneath it (Shin and Lee's linear supply). *Safe*, and never more.
    pub fn linear(&self) -> Linear {
        Linear::new(self.wait, Utilisation::new(self.budget, self.period))
    }
}

impl Linear {
    /// A share from some delay on.
    pub const fn new(delay: Ticks, share: Utilisation) -> Linear {
        Linear { delay, share }
    }
}

impl Supply for Whole {
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        Ok(window)
    }

    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge> {
        Ok(work)
    }

    fn share(&self) -> Utilisation {
        Utilisation::ONE
    }

    fn cycle(&self) -> Option<Ticks> {
        Some(Ticks::new(1))
    }
}

impl Supply for Pulses {
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        let after = window.less(self.wait);
        let periods = after.whole(self.period);
        let begun = after.less(self.period.times(periods)?);
        self.budget.times(periods)?.plus(begun.min(self.budget))
    }

    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge> {
        if work == Ticks::ZERO {
            return Ok(Ticks::ZERO);
        }
        let before = work.covered_by(self.budget).saturating_sub(1);
        let last = work.less(self.budget.times(before)?);
        self.wait.plus(self.period.times(before)?)?.plus(last)
    }

    fn share(&self) -> Utilisation {
        Utilisation::new(self.budget, self.period)
    }

    fn cycle(&self) -> Option<Ticks> {
        Some(self.period)
    }
}

impl Supply for Linear {
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        self.share.rest().rest_of(window.less(self.delay))
    }

    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge> {
        match work {
            Ticks::ZERO => Ok(Ticks::ZERO),
            _ => self.share.rest().time_for_rest(work)?.plus(self.delay),
        }
    }

    fn share(&self) -> Utilisation {
        self.share
    }

    fn cycle(&self) -> Option<Ticks> {
        self.share.unit()
    }
}
