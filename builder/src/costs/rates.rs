//! Rates: what steps of each kind take on the description's board.

use beryl_abi::Duration;

use super::kind::Kind;
use crate::assembly::Assembly;
use crate::description::Description;
use crate::quantity::Nanoseconds;

/// The instructions of a step of each kind, and how long the board takes for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    of_kinds: [u64; Kind::ALL.len()],
    /// The board takes two to this power nanoseconds an instruction.
    speed: u8,
    /// A tick of kernel time.
    tick: Nanoseconds,
}

impl Rates {
    pub(super) fn of(description: &Description, assembly: &Assembly) -> Rates {
        let board = description.board;
        let of_kinds = Kind::ALL.map(|kind| kind.charged(assembly, board.board.processor));
        Rates { of_kinds, speed: board.speed, tick: board.board.tick }
    }

    /// The instructions of a step of this kind.
    pub(super) fn instructions(&self, kind: Kind) -> u64 {
        let place = Kind::ALL.iter().position(|known| *known == kind);
        place.map_or(0, |place| self.of_kinds[place])
    }

    /// The time of so many steps of a kind, in ticks.
    pub(super) fn steps(&self, kind: Kind, count: u64) -> u64 {
        self.ticks(count.saturating_mul(self.instructions(kind)))
    }

    /// The time of so many instructions, in ticks.
    pub(super) fn ticks(&self, instructions: u64) -> u64 {
        self.time(instructions).rounded_up(self.tick).ticks()
    }

    /// A step of so many instructions that is one of many. Their sum is rounded up, so a single one is rounded
    /// down.
    pub(super) fn one_step(&self, instructions: u64) -> Duration {
        self.time(instructions).rounded_down(self.tick)
    }

    /// A time of the description, in ticks.
    pub(super) fn rounded_up(&self, time: Nanoseconds) -> Duration {
        time.rounded_up(self.tick)
    }

    /// The same, rounded down.
    pub(super) fn rounded_down(&self, time: Nanoseconds) -> Duration {
        time.rounded_down(self.tick)
    }

    fn time(&self, instructions: u64) -> Nanoseconds {
        Nanoseconds::new(instructions.saturating_mul(1 << self.speed))
    }
}

/// Steps of deferred work, and steps that wake a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Any that a job may cost.
    pub jobs: u64,
    /// That look on for a place.
    pub sorting: u64,
    /// That decide who runs.
    pub decisions: u64,
}

impl Steps {
    /// All of them together, in ticks.
    pub(super) fn ticks(self, rates: &Rates) -> u64 {
        let all = [(Kind::Job, self.jobs), (Kind::Sorting, self.sorting), (Kind::Decision, self.decisions)];
        let each = all.into_iter().map(|(kind, count)| rates.instructions(kind).saturating_mul(count));
        rates.ticks(each.fold(0, u64::saturating_add))
    }
}
