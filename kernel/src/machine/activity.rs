//! What the E machine is doing.

use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};

use crate::machine::schedule::ScheduleId;

/// What the E machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Nothing: no trigger is due.
    Idle,
    /// Looking for the next trigger that is due.
    Select,
    /// Letting a thread of S code go on, whose turn has come.
    Resume {
        /// The thread.
        schedule: ScheduleId,
        /// When its time was up.
        due: Instant,
    },
    /// Carrying out the instruction at an address.
    Run {
        /// The program.
        program: ProgramId,
        /// Its next instruction.
        address: u16,
    },
    /// Looking whether ports have come to what triggers wait for.
    Look {
        /// The next trigger to be looked at.
        next: u8,
    },
    /// Dropping all that a program has waiting, before it goes on elsewhere.
    Drop {
        /// The program.
        program: ProgramId,
        /// The next of its places.
        next: u8,
        /// Where it goes on.
        then: u16,
    },
    /// Copying a driver's value, chunk by chunk.
    Copy {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// How many bytes are done.
        offset: u32,
        /// Where the program goes on.
        then: u16,
    },
    /// Waiting for a native driver.
    Await {
        /// The program.
        program: ProgramId,
        /// The driver.
        driver: DriverId,
        /// The driver thread.
        thread: ThreadId,
        /// Where the program goes on.
        then: u16,
        /// When its budget is used up; `NEVER` until it begins.
        until: Instant,
        /// Whether the thread has been told what to do.
        fetched: bool,
    },
}

/// Where a program goes on; nothing if it doesn't, and the activity says what follows.
pub(crate) type Ahead = Option<u16>;
