//! Charged: what the proof charges for each kind of step, in instructions, and of which kind a step is that was seen.

use beryl_abi::{CallNumber, Duration};
use beryl_bench::observed::Begin;
use beryl_builder::Project;
use beryl_builder::proof::charges;
use beryl_kernel::{Charges, StepKind};
use serde::{Deserialize, Serialize};

/// The steps that are told apart on a board.
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
    /// A round of the kernel's loop: releases, drivers, instants, decisions, what is left of calls.
    Round,
    /// The start, and faults.
    Other,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] =
        [Kind::Alarm, Kind::Interrupt, Kind::Completion, Kind::Driver, Kind::Call, Kind::Round, Kind::Other];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Alarm => "alarm",
            Kind::Interrupt => "interrupt",
            Kind::Completion => "end of a job",
            Kind::Driver => "end of a native driver",
            Kind::Call => "any other call",
            Kind::Round => "round of the kernel's loop",
            Kind::Other => "start",
        }
    }

    /// Of which kind a step is that began so.
    pub fn of(begin: Begin, project: &Project) -> Kind {
        let alarms = project.description.board.board.value.kernel_lines;
        match begin {
            Begin::Interrupt(line) if alarms.iter().any(|alarm| u32::from(*alarm) == line) => Kind::Alarm,
            Begin::Interrupt(_) => Kind::Interrupt,
            Begin::Look => Kind::Round,
            Begin::Other => Kind::Other,
            Begin::Call(number) => match CallNumber::decode(number) {
                Some(CallNumber::Complete | CallNumber::WaitPeriod) => Kind::Completion,
                // Drawn threads that wait so are those whose jobs these waits end.
                Some(CallNumber::NotificationWait | CallNumber::SleepUntil) => Kind::Completion,
                Some(CallNumber::DriverDone) => Kind::Driver,
                _ => Kind::Call,
            },
        }
    }
}

/// The most instructions that the proof charges for a step of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Charged {
    charges: Charges,
}

impl Charged {
    /// Those of a system: the same table with which it is proved, at a speed at which no instruction is lost to ticks.
    pub fn of(project: &Project) -> Charged {
        let mut slow = project.clone();
        slow.description.board.speed = SPEED;
        Charged { charges: charges(&slow) }
    }

    /// For control: with some charges changed.
    #[cfg(test)]
    pub fn with(mut self, change: impl FnOnce(&mut Charges)) -> Charged {
        change(&mut self.charges);
        self
    }

    /// For a step of some kind.
    pub fn instructions(&self, kind: Kind) -> u64 {
        let one = |kind| instructions(self.charges.of(kind));
        match kind {
            Kind::Alarm => one(StepKind::Alarm),
            Kind::Interrupt | Kind::Driver => one(StepKind::Job),
            Kind::Completion => one(StepKind::Completion),
            Kind::Call | Kind::Other => one(StepKind::Call),
            Kind::Round => {
                let usual = [StepKind::Release, StepKind::Driver, StepKind::Instant, StepKind::Job];
                usual.into_iter().map(one).max().unwrap_or_default()
            }
        }
    }
}

/// An instruction takes 2^10 ns then, of 40 ns a tick: times are whole instructions but for their rounding to ticks.
const SPEED: u8 = 10;

fn instructions(time: Duration) -> u64 {
    const TICK: u64 = 40;
    (time.ticks().saturating_mul(TICK) + (1 << (SPEED - 1))) >> SPEED
}
