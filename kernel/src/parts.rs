//! The parts of a kernel. When a kernel is compiled, the parts that its system doesn't use are left out.
//!
//! A part is a folder, or one file of a folder. No other file asks whether the part is there, except for the
//! few doors in this table. `cli/tests/house.rs` checks this table against the sources,
//! `kernel/tests/combinations.rs` runs kernels with and without the parts.
//!
//! | part | where | doors | why it may be left out |
//! |---|---|---|---|
//! | `SHARED` | `scheduling` | `calls.rs`, `calls/notifications.rs` | a system without objects and ceiling locks lends no places, and no interrupt wakes a thread: that saves half of each decision |
//! | `CEILINGS` | `scheduling` | `initial_state.rs` | without ceiling locks no thread raises its own urgency: otherwise every decision has to check, and every call by a thread that may |
//! | `GROUPED` | `scheduling` | `calls.rs` | waking many threads of an event group needs code of its own |
//! | `PERIODIC` | `scheduling` | `initial_state.rs` | otherwise every timer has to check whether it is a release |
//! | `BUDGETED` | `scheduling` | | otherwise every switch asks who pays, and every release brings a budget back |
//! | `HOLDS` | `scheduling` | | otherwise every switch asks whether a section goes on, and every alarm whether it took too long |
//! | `ANSWERS` | `scheduling` | | otherwise every call says when it has to be answered, and every switch asks it |
//! | `RULED` | `scheduling` | | otherwise every wake asks by which rule a budget comes back |
//! | `CONSTANT` | `scheduling` | | otherwise every place that wakes or returns asks whether its deadline stays |
//! | `POOLED` | `scheduling` | | otherwise every switch asks with whose budget a place pays |
//! | `GATED` | `scheduling` | | otherwise everything that comes to an object looks for a gate before it |
//! | `LIMITED` | `calls` | | otherwise every message and request looks for a limit of its client |
//! | `COUNTED` | `calls` | | otherwise every refused call asks whether its caller had a right, and who is told of it |
//! | `WAITS` | `calls` | | otherwise every call that may wait asks whether its caller does |
//! | `SUPERVISED` | `scheduling` | | otherwise the end of a job asks whether a supervisor is told, and what leaves a mailbox whether it is a report |
//! | `WATCHED_OVER` | `scheduling` | | otherwise every fetched report, every wait in vain and every timer asks for a watchdog |
//! | `PARTITIONED` | `scheduling` | | otherwise every decision masks the ranks that count, and every timer may be a window's end |
//! | `DEPTHS` | `scheduling` | `calls.rs` | otherwise every alarm asks how deep the processor sleeps |
//! | `RESTARTED` | `scheduling` | | few systems have processes that begin anew, and a kernel without has 2 kB less |
//! | `REPLACED` | `arriving` | `calls.rs`, `handle.rs`, `scheduling/restarts.rs` | a process stays what it is in most systems; otherwise every restart asks for the room of its code |
//! | `RANGED` | `scheduling` | `calls.rs` | moving a thread between ranks would be the longest step of small systems |
//! | `SCHEDULED` | `machine` | `scheduling/bands.rs` | S code: a quarter of the kernel's text |
//! | `HANDLERS` | `machine` | | few programs have handlers of exceptions |
//! | `HAS_ROUNDS` | `machine` | | programs with a single rate have no rounds |
//! | `FED` | `machine` | | otherwise every driver asks whether it is one of a link between tasks |
//! | `HAS_EVENT_TRIGGERS` | `machine` | `arriving/slots.rs` | otherwise every completion and interrupt looks for a trigger that waits for it |
//! | `HAS_LONG_PORTS` | `machine` | | otherwise every look at a port asks whether it is longer than a number |
//! | `HAS_TRIGGER_ORDER` | `machine` | | programs with a single trigger need no order |
//! | `HAS_ROOMS` | `machine` | `calls.rs` | otherwise every instruction is looked up in its program's room |
//! | `HAS_TAKEOVERS` | `arriving` | `calls.rs`, `machine/s_machine.rs`, `scheduling/bands.rs`, `tracing/reader.rs`, `tracing/trace_points.rs` | places that either the band or a program may run, and recorded periods |
//! | `HAS_BUFFER` | `tracing` | | without a reader no notes are kept |
//! | `HAS_CRASHES` | `tracing` | `handle.rs`, `scheduling/deferred.rs`, `scheduling/stopping.rs` | otherwise every fault is written down before anything is stopped |
//! | `HAS_JOURNALS` | `tracing` | | without journals no process writes down events by itself |
//! | `FOLLOWED` | `tracing` | | otherwise every way into the kernel asks what the running thread has written |

use crate::sizes::Sizes;
use crate::table::Table;

/// The parts that follow from the sizes of tables. The others are constants of [`Sizes`].
pub(crate) trait Parts: Sizes {
    /// Whether triggers may wait for anything other than time.
    const HAS_EVENT_TRIGGERS: bool = Self::EventTriggers::LENGTH > 1;
    /// Whether some program may have more than one trigger at a time.
    const HAS_TRIGGER_ORDER: bool = Self::Triggers::LENGTH > Self::Programs::LENGTH;
    /// Whether there are program slots. Without them all system code is the image's. The builder's programs
    /// never drop pending triggers (`change`); programs that come by a slot may.
    const HAS_ROOMS: bool = Self::Rooms::LENGTH > 1;
    /// Whether programs may have handlers of exceptions, and ask which task was late.
    const HAS_HANDLERS: bool = Self::HAS_ROOMS || Self::HANDLERS;
    /// Whether programs that come by a slot may have threads of S code, and take over tasks of a band.
    const HAS_TAKEOVERS: bool = Self::SCHEDULED && Self::HAS_ROOMS && Self::Schedules::LENGTH > 1;
    /// Whether programs may have rounds.
    const HAS_ROUNDS: bool = Self::HAS_ROOMS || Self::ROUNDS;
    /// Whether there is a trace buffer.
    const HAS_BUFFER: bool = Self::Notes::LENGTH > 1;
    /// Whether faults are written down.
    const HAS_CRASHES: bool = Self::CRASHES > 0;
    /// Whether processes write journals.
    const HAS_JOURNALS: bool = Self::JOURNAL > 0;
}

impl<S: Sizes> Parts for S {}
