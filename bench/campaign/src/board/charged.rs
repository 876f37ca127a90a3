//! Charges: the proof's charge for each kind of step, in instructions, and the tally that an observed step
//! belongs to.

use beryl_abi::Duration;
use beryl_bench::kinds;
use beryl_bench::observed::{Begin, Seen};
use beryl_builder::Project;
use beryl_builder::proof;
use beryl_kernel::{Charges, StepKind};
use serde::{Deserialize, Serialize};

/// The steps that a board can tell apart: kinds that begin with an event, and rounds of the kernel's loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// The alarm went off.
    Alarm,
    /// A device's interrupt.
    Interrupt,
    /// A job's end.
    Completion,
    /// A native driver's end.
    Driver,
    /// Any other call.
    Call,
    /// A round that releases a job, or finds a timer.
    Release,
    /// A round that continues the search for a place.
    Sorting,
    /// A round that traces a driver.
    Telling,
    /// A round that decides which thread runs.
    Decision,
    /// A round of deferred work, or one that takes a pending interrupt.
    Deferred,
    /// Any other round.
    EMachine,
    /// The start, and faults.
    Other,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Kind::Alarm,
        Kind::Interrupt,
        Kind::Completion,
        Kind::Driver,
        Kind::Call,
        Kind::Release,
        Kind::Sorting,
        Kind::Telling,
        Kind::Decision,
        Kind::Deferred,
        Kind::EMachine,
        Kind::Other,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Alarm => "alarm",
            Kind::Interrupt => "interrupt",
            Kind::Completion => "end of a job",
            Kind::Driver => "end of a native driver",
            Kind::Call => "any other call",
            Kind::Release => "round that releases a job or finds a timer",
            Kind::Sorting => "round that sorts a place in",
            Kind::Telling => "round that tells of a driver",
            Kind::Decision => "round that decides who runs",
            Kind::Deferred => "round for what is left over or pending",
            Kind::EMachine => "any other round",
            Kind::Other => "start",
        }
    }

    /// The tally of a step.
    pub fn of(seen: &Seen, project: &Project) -> Kind {
        let is_round = seen.begin == Begin::Look;
        match kinds::of(seen, project) {
            proof::Kind::Alarm => Kind::Alarm,
            proof::Kind::Completion => Kind::Completion,
            // No run on the board stops anybody.
            proof::Kind::Call | proof::Kind::Stop | proof::Kind::Search => Kind::Call,
            proof::Kind::Release => Kind::Release,
            proof::Kind::Sorting => Kind::Sorting,
            proof::Kind::Driver => Kind::Telling,
            proof::Kind::Decision => Kind::Decision,
            proof::Kind::EMachine if is_round => Kind::EMachine,
            proof::Kind::EMachine => Kind::Driver,
            proof::Kind::Job if is_round => Kind::Deferred,
            proof::Kind::Job if seen.begin == Begin::Other => Kind::Other,
            proof::Kind::Job => Kind::Interrupt,
        }
    }
}

/// The most instructions that the proof charges for a step of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Charged {
    charges: Charges,
    /// A tick, in nanoseconds.
    tick: u64,
}

impl Charged {
    /// The charges of a system: the table of its proof, at a speed that loses no instruction to rounding to
    /// ticks.
    pub fn of(project: &Project) -> Charged {
        Charged { charges: project.at_speed(SPEED).costs.charges, tick: project.tick().into() }
    }

    /// For controls: with some charges changed.
    #[cfg(test)]
    pub fn with(mut self, change: impl FnOnce(&mut Charges)) -> Charged {
        change(&mut self.charges);
        self
    }

    /// For a step in this tally.
    pub fn instructions(&self, kind: Kind) -> u64 {
        let kind = match kind {
            Kind::Alarm => proof::Kind::Alarm,
            Kind::Completion => proof::Kind::Completion,
            Kind::Call => proof::Kind::Call,
            Kind::Release => proof::Kind::Release,
            Kind::Sorting => proof::Kind::Sorting,
            Kind::Telling => proof::Kind::Driver,
            Kind::Decision => proof::Kind::Decision,
            Kind::EMachine | Kind::Driver => proof::Kind::EMachine,
            Kind::Interrupt | Kind::Deferred | Kind::Other => proof::Kind::Job,
        };
        self.of_kind(kind)
    }

    /// For a step of a kind. If the board can't tell two kinds apart that are charged separately, the smaller
    /// charge counts.
    pub fn of_kind(&self, kind: proof::Kind) -> u64 {
        let one = |kind| self.whole(self.charges.of(kind));
        match kind {
            proof::Kind::Alarm => one(StepKind::Alarm),
            proof::Kind::Release => one(StepKind::Release),
            proof::Kind::Sorting => one(StepKind::Sorting),
            proof::Kind::Completion => one(StepKind::Completion),
            proof::Kind::Driver => one(StepKind::Driver),
            proof::Kind::EMachine => one(StepKind::EMachine).min(one(StepKind::Instant)),
            proof::Kind::Decision => one(StepKind::Decision).min(one(StepKind::Look)),
            proof::Kind::Job => one(StepKind::Job),
            proof::Kind::Stop => one(StepKind::Stop),
            proof::Kind::Search => one(StepKind::Search),
            proof::Kind::Call => one(StepKind::Call),
        }
    }

    fn whole(&self, time: Duration) -> u64 {
        (time.ticks().saturating_mul(self.tick) + (1 << (SPEED - 1))) >> SPEED
    }
}

/// At this speed an instruction takes 2^10 ns: times are whole instructions except for rounding to ticks.
const SPEED: u8 = 10;
