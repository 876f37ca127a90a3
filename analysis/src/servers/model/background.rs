//! Background: work runs where no task wants to.

use super::{BACKGROUND, Policy, Runner, Turn, World};
use crate::ticks::Ticks;

/// No budget at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Background;

impl Policy for Background {
    fn passed(&mut self, _world: &World, _runner: Runner, _length: Ticks) {}

    fn place(&self, _world: &World) -> Option<Turn> {
        Some(BACKGROUND)
    }

    fn until(&self, _world: &World, _runner: Runner) -> Option<Ticks> {
        None
    }
}

/// The place of a server in a fixed band, and whether its work goes on in the background without a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How many tasks are above it.
    pub above: usize,
    /// Whether its work runs also where nobody else wants to, at no charge.
    pub background: bool,
}

impl Place {
    /// Above all tasks, and in the background without a budget.
    pub const TOP: Place = Place { above: 0, background: true };

    /// Where the work stands, with a budget or without.
    pub fn of(self, has_budget: bool) -> Option<Turn> {
        match has_budget {
            true => Some((1, u64::try_from(self.above).unwrap_or(u64::MAX), 0)),
            false => self.background.then_some(BACKGROUND),
        }
    }
}
