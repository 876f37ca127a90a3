//! Constant bandwidth, as it runs, hard.

use super::{Policy, Runner, Turn, World};
use crate::servers::Server;
use crate::ticks::Ticks;

/// A constant bandwidth server in a dynamic band, which goes before its equals.
#[derive(Clone, Copy, Debug)]
pub struct Bandwidth {
    server: Server,
    budget: Ticks,
    deadline: Ticks,
}

impl Bandwidth {
    /// Without a budget until work comes.
    pub const fn new(server: Server) -> Bandwidth {
        Bandwidth { server, budget: Ticks::ZERO, deadline: Ticks::ZERO }
    }

    fn fits(&self, now: Ticks) -> bool {
        let wide = |one: Ticks, other: Ticks| u128::from(one.get()) * u128::from(other.get());
        wide(self.budget, self.server.period) < wide(self.deadline.less(now), self.server.budget)
    }
}

impl Policy for Bandwidth {
    fn woke(&mut self, world: &World) {
        if !self.fits(world.now) {
            self.budget = self.server.budget;
            self.deadline = world.now.later(self.server.period);
        }
    }

    fn instant(&mut self, world: &World) {
        if world.waits() && self.budget == Ticks::ZERO && self.deadline <= world.now {
            self.budget = self.server.budget;
            self.deadline = self.deadline.later(self.server.period);
        }
    }

    fn passed(&mut self, _world: &World, runner: Runner, length: Ticks) {
        if runner == Runner::Served {
            self.budget = self.budget.less(length);
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        (self.budget > Ticks::ZERO).then_some((1, self.deadline.get(), 0))
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        match self.budget > Ticks::ZERO {
            true => Some(world.now.later(self.budget)).filter(|_| runner == Runner::Served),
            false => Some(self.deadline),
        }
    }
}
