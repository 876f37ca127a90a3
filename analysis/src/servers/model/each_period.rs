//! Polling and deferrable, as they run: a budget at the beginning of each period.

use super::background::Place;
use super::{Policy, Runner, Turn, World};
use crate::servers::Server;
use crate::ticks::Ticks;

/// A server with a budget at the beginning of each period, of which the first begins at instant 0.
#[derive(Clone, Copy, Debug)]
pub struct EachPeriod {
    server: Server,
    place: Place,
    /// Whether the budget waits for work; otherwise it is gone where none waits.
    keeps: bool,
    budget: Ticks,
    next: Ticks,
}

impl EachPeriod {
    /// A polling server at a place.
    pub const fn polling(server: Server, place: Place) -> EachPeriod {
        EachPeriod { server, place, keeps: false, budget: Ticks::ZERO, next: Ticks::ZERO }
    }

    /// A deferrable server at a place.
    pub const fn deferrable(server: Server, place: Place) -> EachPeriod {
        EachPeriod { keeps: true, ..EachPeriod::polling(server, place) }
    }
}

impl Policy for EachPeriod {
    fn slept(&mut self, _world: &World) {
        if !self.keeps {
            self.budget = Ticks::ZERO;
        }
    }

    fn instant(&mut self, world: &World) {
        while self.next <= world.now {
            self.budget = if self.keeps || world.waits() { self.server.budget } else { Ticks::ZERO };
            self.next = self.next.later(self.server.period);
        }
    }

    fn passed(&mut self, _world: &World, runner: Runner, length: Ticks) {
        if runner == Runner::Served {
            self.budget = self.budget.less(length);
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        self.place.of(self.budget > Ticks::ZERO)
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        let used_up = Some(world.now.later(self.budget)).filter(|_| runner == Runner::Served);
        [Some(self.next), used_up].into_iter().flatten().min()
    }
}
