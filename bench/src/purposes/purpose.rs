//! The purposes of kernel instructions.

use serde::{Deserialize, Serialize};

/// A purpose, in column order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Entering and leaving the kernel, and dispatching to the function of a call.
    Entry,
    /// Saving a thread's registers and loading another's.
    Registers,
    /// The regions of the protection unit.
    Protection,
    /// The use of a function's stack: prologues, epilogues, spilt registers.
    Stack,
    /// The running thread's execution-time clock.
    Clock,
    /// Reading the time, setting and clearing the alarm.
    Time,
    /// Checking for the ordinary case, and for permission.
    Guards,
    /// Finding rows and contexts, and checking rights to objects.
    Rows,
    /// Bands, timers, queues, and their trees and rings.
    Queues,
    /// The states of threads.
    States,
    /// The operations of objects: units, owners, lending, messages, bits, interrupt lines.
    Objects,
    /// Jobs: their releases, ends and deadlines.
    Jobs,
    /// The results of calls.
    Answers,
    /// Trace points that are off.
    TracePoints,
    /// Deciding which thread runs, and handing over.
    Decision,
    /// Instants and their steps, E and S code.
    Instants,
    /// Unknown.
    NotAttributed,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Purpose; 17] = [
        Purpose::Entry,
        Purpose::Registers,
        Purpose::Protection,
        Purpose::Stack,
        Purpose::Clock,
        Purpose::Time,
        Purpose::Guards,
        Purpose::Rows,
        Purpose::Queues,
        Purpose::States,
        Purpose::Objects,
        Purpose::Jobs,
        Purpose::Answers,
        Purpose::TracePoints,
        Purpose::Decision,
        Purpose::Instants,
        Purpose::NotAttributed,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Entry => "entry",
            Purpose::Registers => "registers",
            Purpose::Protection => "protection",
            Purpose::Stack => "stack",
            Purpose::Clock => "clock",
            Purpose::Time => "time",
            Purpose::Guards => "guards",
            Purpose::Rows => "rows",
            Purpose::Queues => "queues",
            Purpose::States => "states",
            Purpose::Objects => "objects",
            Purpose::Jobs => "jobs",
            Purpose::Answers => "answers",
            Purpose::TracePoints => "trace-points",
            Purpose::Decision => "decision",
            Purpose::Instants => "instants",
            Purpose::NotAttributed => "not attributed",
        }
    }

    /// Its meaning, in a line.
    pub fn meaning(self) -> &'static str {
        match self {
            Purpose::Entry => "into the kernel and out of it, and to the function of a call",
            Purpose::Registers => "saving a thread's registers and loading another's",
            Purpose::Protection => "the regions of the protection unit",
            Purpose::Stack => "prologues and epilogues of functions, registers that are spilt",
            Purpose::Clock => "bringing the execution-time clock up to now, with reading the time",
            Purpose::Time => "reading the time for anything else, setting the alarm, making it quiet",
            Purpose::Guards => "whether this is an ordinary case, and whether it is allowed",
            Purpose::Rows => "finding rows and contexts, and who may use which object",
            Purpose::Queues => "bands, timers, queues of objects, with the rows that they look into",
            Purpose::States => "phases, waits and ranks of threads",
            Purpose::Objects => "units, owners, lending, messages, bits, lines of interrupts",
            Purpose::Jobs => "releases, ends and deadlines of jobs",
            Purpose::Answers => "what a call answers",
            Purpose::TracePoints => "trace points that are off",
            Purpose::Decision => "who runs, and handing over",
            Purpose::Instants => "instants and their steps; E and S code",
            Purpose::NotAttributed => {
                "the compiler says no more than in which linked function it is, or no rule is for its source"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_in_the_order_of_columns() {
        assert!(Purpose::ALL.is_sorted());
        assert_eq!(Purpose::ALL.last(), Some(&Purpose::NotAttributed));
    }
}
