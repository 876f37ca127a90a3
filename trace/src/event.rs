//! Events: the records of a trace with their values, owned.

use beryl_abi::{DriverId, Fault, Instant, Line, ProgramId, ThreadId};

use crate::told::Told;

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The kernel time at which it was written: physical time.
    pub time: Instant,
    /// What happened.
    pub happening: Happening,
}

/// What can happen: [`beryl_abi::Record`] with the driver's value instead of where it lay. Instants are logical.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// A job of a task was released, to be done by `deadline`.
    Release {
        /// The task.
        task: ThreadId,
        /// The logical instant of the release.
        instant: Instant,
        /// The end of its logical execution time.
        deadline: Instant,
    },
    /// A thread was given the processor.
    Switch {
        /// Who had it until now.
        from: ThreadId,
        /// Who has it from now on.
        to: ThreadId,
    },
    /// A task ended its job.
    Complete {
        /// The task.
        task: ThreadId,
    },
    /// A task ended its job after its deadline.
    Miss {
        /// The task.
        task: ThreadId,
        /// The deadline that it missed.
        deadline: Instant,
    },
    /// A driver was carried out at a logical instant.
    Driver {
        /// The driver.
        driver: DriverId,
        /// The logical instant.
        instant: Instant,
        /// What it moved.
        value: Vec<u8>,
    },
    /// A driver or a release was left out because its process or task had been stopped.
    Skip {
        /// The program that asked for it.
        program: ProgramId,
        /// The logical instant.
        instant: Instant,
    },
    /// A time-safety violation: the program needed what the task was still working on; the job was stopped.
    Violation {
        /// The task.
        task: ThreadId,
        /// The logical instant.
        instant: Instant,
    },
    /// A thread did something that it may not do, and was stopped.
    Fault {
        /// The thread.
        thread: ThreadId,
        /// What it did.
        fault: Fault,
    },
    /// A job used more processor time than the system description allows.
    Overrun {
        /// The task.
        task: ThreadId,
    },
    /// A program has taken over from another of its module.
    Swap {
        /// The module's program.
        program: ProgramId,
        /// The room in which the new one lies: 0 is the image.
        room: u8,
        /// The logical instant.
        instant: Instant,
    },
    /// An interrupt came that nobody asked for; its line is masked from now on.
    Stray {
        /// The line.
        line: Line,
    },
    /// What happened to a thread or an object.
    Note(Told),
}
