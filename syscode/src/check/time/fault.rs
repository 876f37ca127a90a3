//! The possible faults, and where and when they may happen.

use core::fmt;

/// A possible fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A driver touches ports of this task, or an instruction releases it, while it may be at work.
    Safety(u8),
    /// Two threads of one rank may hold tasks at one time.
    Share,
    /// Triggers begin more threads than there are places.
    Threads,
    /// The program is outside the class that this check can decide.
    Unknown(Unknown),
    /// The check was given too little memory.
    Memory,
    /// Nothing has repeated itself for the given number of instants, or one instant takes too many steps.
    Long,
}

/// What the check can't decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// A guard in a thread, at a moment that depends on execution times.
    Guard,
    /// A trigger on anything other than time: how often it comes isn't known.
    Event,
    /// A thread that begins another, or a driver in a thread, at a moment that depends on execution times.
    Moment,
    /// A task that two threads dispatch, or a task that isn't there.
    Shared,
    /// A time of more than 2^30 ticks.
    Span,
}

/// Where and when a program may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breach {
    /// The program.
    pub program: u8,
    /// The instruction.
    pub address: u16,
    /// The instant, in ticks from the start.
    pub at: u64,
    /// The fault that may happen there.
    pub fault: Fault,
}

impl Fault {
    /// The kinds, in the order of their numbers; for those about a task, the first task.
    const ALL: [Fault; 10] = [
        Fault::Safety(0),
        Fault::Share,
        Fault::Threads,
        Fault::Memory,
        Fault::Long,
        Fault::Unknown(Unknown::Guard),
        Fault::Unknown(Unknown::Event),
        Fault::Unknown(Unknown::Moment),
        Fault::Unknown(Unknown::Shared),
        Fault::Unknown(Unknown::Span),
    ];

    /// The kind's number.
    #[must_use]
    pub fn number(&self) -> u16 {
        let kind = if let Fault::Safety(_) = self { Fault::Safety(0) } else { *self };
        // bound: the ten kinds
        let position = Fault::ALL.iter().position(|other| *other == kind);
        position.and_then(|position| u16::try_from(position).ok()).unwrap_or(u16::MAX)
    }

    /// The kind with a number; the task isn't known any more.
    #[must_use]
    pub fn of(number: u16) -> Option<Fault> {
        Fault::ALL.get(usize::from(number)).copied()
    }

    /// In words, at most one line.
    #[must_use]
    pub const fn short(&self) -> &'static str {
        match self {
            Fault::Safety(_) => "a task may still be at work",
            Fault::Share => "two threads may hold tasks",
            Fault::Threads => "there may be more threads than places",
            Fault::Memory => "the checker has too little memory for this program",
            Fault::Long => "nothing has repeated itself yet",
            Fault::Unknown(Unknown::Guard) => "a guard is asked at a moment that depends on execution times",
            Fault::Unknown(Unknown::Event) => "how often the trigger comes isn't known",
            Fault::Unknown(Unknown::Moment) => "the moment depends on execution times",
            Fault::Unknown(Unknown::Shared) => "two threads dispatch this task, or it isn't there",
            Fault::Unknown(Unknown::Span) => "a time is longer than the checker counts",
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.program > 0 {
            write!(out, "program {}, ", self.program)?;
        }
        write!(out, "instruction {} at {}: ", self.address, self.at)?;
        match self.fault {
            Fault::Safety(task) => write!(out, "task {task} may still be at work"),
            other => out.write_str(other.short()),
        }
    }
}

impl core::error::Error for Breach {}
