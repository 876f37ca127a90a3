//! Polling, as it runs.

use super::background::Place;
use super::{Policy, Runner, Turn, World};
use crate::servers::Server;
use crate::ticks::Ticks;

/// A polling server, whose first period begins at instant 0.
#[derive(Clone, Copy, Debug)]
pub struct Polling {
    server: Server,
    place: Place,
    budget: Ticks,
    next: Ticks,
}

impl Polling {
    /// At a place.
    pub const fn new(server: Server, place: Place) -> Polling {
        Polling { server, place, budget: Ticks::ZERO, next: Ticks::ZERO }
    }
}

impl Policy for Polling {
    fn slept(&mut self, _world: &World) {
        self.budget = Ticks::ZERO;
    }

    fn instant(&mut self, world: &World) {
        while self.next <= world.now {
            self.budget = if world.waits() { self.server.budget } else { Ticks::ZERO };
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
