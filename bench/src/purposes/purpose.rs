//! What instructions of the kernel are for.

use serde::{Deserialize, Serialize};

/// A purpose. Their order is that of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Into the kernel and out of it, and to the function of a call.
    Entry,
    /// Saving a thread's registers and loading another's.
    Registers,
    /// The regions of the protection unit.
    Protection,
    /// What a function keeps on its stack: prologues, epilogues, spilt registers.
    Stack,
    /// The running thread's execution-time clock.
    Clock,
    /// Reading the time, setting the alarm, making it quiet.
    Time,
    /// Whether this is an ordinary case, and whether it is allowed.
    Guards,
    /// Finding rows and contexts, and who may use which object.
    Rows,
    /// Bands, timers, queues, and the trees and rings that they are made of.
    Queues,
    /// What state threads are in.
    States,
    /// What objects do: units, owners, lending, messages, bits, lines of interrupts.
    Objects,
    /// Jobs: their releases, ends and deadlines.
    Jobs,
    /// What a call answers.
    Answers,
    /// Trace points that are off.
    TracePoints,
    /// Who runs, and handing over.
    Decision,
    /// Instants and their steps, E and S code.
    Instants,
    /// Nothing says what for.
    NotAttributed,
}

impl Purpose {
    /// All of them.
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

    /// What it is, in a line.
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
