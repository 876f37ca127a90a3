//! Deferrable, as it runs.

use super::background::Place;
use super::{Policy, Runner, Turn, World};
use crate::servers::Server;
use crate::ticks::Ticks;

/// A deferrable server, whose first period begins at instant 0.
#[derive(Clone, Copy, Debug)]
pub struct Deferrable {
    server: Server,
    place: Place,
    budget: Ticks,
    next: Ticks,
}

impl Deferrable {
    /// At a place.
    pub const fn new(server: Server, place: Place) -> Deferrable {
        Deferrable { server, place, budget: Ticks::ZERO, next: Ticks::ZERO }
    }
}

impl Policy for Deferrable {
    fn instant(&mut self, world: &World) {
        while self.next <= world.now {
            self.budget = self.server.budget;
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
