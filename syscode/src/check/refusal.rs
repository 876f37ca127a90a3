//! Why a program is refused.

use core::fmt;

/// A refusal: the instruction at fault, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The instruction.
    pub address: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// The possible faults of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It has no instructions.
    Empty,
    /// The checker was given too little memory.
    Memory,
    /// No such opcode.
    Opcode,
    /// No such driver, or not this program's.
    Driver,
    /// No such task, or not this program's.
    Task,
    /// No such duration in the pool.
    Duration,
    /// No such condition in the pool, or a port in it that isn't there.
    Condition,
    /// A trigger on time or on a release, a timeout on anything else, or a `next` without a round.
    Unsuitable,
    /// An address outside the code.
    Address,
    /// A jump or branch that doesn't go forward.
    Backward,
    /// A count of zero.
    Count,
    /// A phase that doesn't come later than the previous one, doesn't exist, or comes when no place for a
    /// trigger is free.
    Phase,
    /// More triggers than places.
    Triggers,
    /// More threads than places.
    Threads,
    /// A thread could cycle at one instant for ever.
    Endless,
    /// An instruction of handlers outside of one, or another instruction inside.
    Handler,
    /// An instruction of E code in a thread.
    Thread,
    /// Two ways that meet here can't go on together.
    Disagreement,
    /// The code runs past its end.
    End,
}

impl Reason {
    const ALL: [Reason; 19] = [
        Reason::Empty,
        Reason::Memory,
        Reason::Opcode,
        Reason::Driver,
        Reason::Task,
        Reason::Duration,
        Reason::Condition,
        Reason::Unsuitable,
        Reason::Address,
        Reason::Backward,
        Reason::Count,
        Reason::Phase,
        Reason::Triggers,
        Reason::Threads,
        Reason::Endless,
        Reason::Handler,
        Reason::Thread,
        Reason::Disagreement,
        Reason::End,
    ];

    /// The reason with this number, in the order of the list above.
    #[must_use]
    pub fn of(number: u16) -> Option<Reason> {
        Reason::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::Empty => "the program has no instructions",
            Reason::Memory => "the checker was given too little memory",
            Reason::Opcode => "unknown opcode",
            Reason::Driver => "there is no such driver, or it isn't this program's",
            Reason::Task => "there is no such task, or it isn't this program's",
            Reason::Duration => "there is no such duration",
            Reason::Condition => "there is no such condition, or it names what isn't there",
            Reason::Unsuitable => "triggers wait for ports, interrupts and completions, timeouts for the clock and releases, `next` for a round",
            Reason::Address => "the address lies outside the program",
            Reason::Backward => "a jump or branch goes backward; only `future`, `when`, `fork` and `change` may",
            Reason::Count => "a run has no members",
            Reason::Phase => "phases of an instant must come in order, and need a place for a trigger",
            Reason::Triggers => "more triggers than the program has places; after the start, each trigger may set one",
            Reason::Threads => "more threads than the program has places; a thread may fork once, at its end",
            Reason::Endless => {
                "the thread may come round at one instant; let it idle until a time, or until the release of what it dispatches"
            }
            Reason::Handler => "only handlers terminate, resume and retry, and they can only call and branch beside",
            Reason::Thread => "a thread neither releases tasks nor sets triggers nor changes the mode",
            Reason::Disagreement => "code of a handler, a thread or a completion entry meets other code",
            Reason::End => "the code runs past its end",
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "instruction {}: {}", self.address, self.reason)
    }
}

impl core::error::Error for Refusal {}
