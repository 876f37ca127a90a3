//! Sporadic, as it runs: chunks of the budget, each with a date.

use std::collections::VecDeque;

use super::background::Place;
use super::{Policy, Runner, Turn, World};
use crate::servers::Server;
use crate::ticks::Ticks;

/// A part of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunk {
    date: Ticks,
    amount: Ticks,
}

/// A sporadic server by the rule of `servers/sporadic.rs`.
#[derive(Clone, Debug)]
pub struct Sporadic {
    server: Server,
    place: Place,
    room: usize,
    usable: VecDeque<Chunk>,
    pending: VecDeque<Chunk>,
}

impl Sporadic {
    /// At a place, with room for so many pending replenishments; at least one.
    pub fn new(server: Server, place: Place, room: usize) -> Sporadic {
        let whole = Chunk { date: Ticks::ZERO, amount: server.budget };
        Sporadic {
            server,
            place,
            room: room.max(1),
            usable: VecDeque::from([whole]),
            pending: VecDeque::new(),
        }
    }

    /// All that there is, to be used now or later: always the budget.
    pub fn sum(&self) -> Ticks {
        self.usable.iter().chain(&self.pending).fold(Ticks::ZERO, |sum, chunk| sum.later(chunk.amount))
    }

    /// How many replenishments are pending.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    fn at_hand(&self) -> Ticks {
        self.usable.iter().fold(Ticks::ZERO, |sum, chunk| sum.later(chunk.amount))
    }

    fn use_up(&mut self, mut length: Ticks) {
        while length > Ticks::ZERO {
            let list = if self.usable.is_empty() { &mut self.pending } else { &mut self.usable };
            let Some(chunk) = list.front_mut() else { return };
            let used = chunk.amount.min(length);
            let date = chunk.date;
            chunk.amount = chunk.amount.less(used);
            length = length.less(used);
            if chunk.amount == Ticks::ZERO {
                list.pop_front();
            }
            self.give_back(Chunk { date: date.later(self.server.period), amount: used });
        }
    }

    fn give_back(&mut self, chunk: Chunk) {
        let is_full = self.pending.len() >= self.room;
        match self.pending.back_mut() {
            Some(last) if is_full || last.date == chunk.date => {
                last.date = last.date.max(chunk.date);
                last.amount = last.amount.later(chunk.amount);
            }
            _ => self.pending.push_back(chunk),
        }
    }
}

impl Policy for Sporadic {
    fn woke(&mut self, world: &World) {
        self.instant(world);
        let amount = self.at_hand();
        self.usable.clear();
        if amount > Ticks::ZERO {
            self.usable.push_back(Chunk { date: world.now, amount });
        }
    }

    fn instant(&mut self, world: &World) {
        while let Some(chunk) = self.pending.front().copied().filter(|chunk| chunk.date <= world.now) {
            self.pending.pop_front();
            self.usable.push_back(chunk);
        }
    }

    fn passed(&mut self, _world: &World, runner: Runner, length: Ticks) {
        if runner == Runner::Served {
            self.use_up(length);
        }
    }

    fn place(&self, _world: &World) -> Option<Turn> {
        self.place.of(!self.usable.is_empty())
    }

    fn until(&self, world: &World, runner: Runner) -> Option<Ticks> {
        let used_up = Some(world.now.later(self.at_hand())).filter(|_| runner == Runner::Served);
        self.pending.front().map(|chunk| chunk.date).into_iter().chain(used_up).min()
    }
}
