//! The E machine's current activity.

use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};

use crate::machine::schedule::ScheduleId;

/// The E machine's current activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Nothing: no trigger is due.
    Idle,
    /// Looking for the next trigger that is due.
    Select,
    /// A thread of S code goes on, because its turn has come.
    Resume {
        /// The thread.
        schedule: ScheduleId,
        /// When its turn came.
        due: Instant,
    },
    /// Carrying out the instruction at an address.
    Run {
        /// The program.
        program: ProgramId,
        /// Its next instruction.
        address: u16,
    },
    /// Checking whether ports have reached the conditions of triggers.
    Look {
        /// The next trigger to check.
        next: u8,
    },
    /// Dropping everything that a program has pending, before it goes on elsewhere.
    Drop {
        /// The program.
        program: ProgramId,
        /// The next of its places to drop.
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
        /// How many bytes have been copied.
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
        /// When its budget is used up; `NEVER` until the driver begins.
        until: Instant,
        /// Whether the driver thread has been told what to run.
        fetched: bool,
    },
}

/// Where a program goes on; none if it doesn't, and the activity says what follows.
pub(crate) type Ahead = Option<u16>;
