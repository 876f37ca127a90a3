//! System calls: their numbers and the errors they answer with.
//!
//! On Armv7-M a call is `svc 0` with the number in r0 and up to three arguments in r1 to r3; the
//! kernel reads them from the stacked frame and answers in r0 (status) and r1 (value).

/// The system calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CallNumber {
    /// Does nothing; answers success. What a kernel entry costs.
    Null = 0,
    /// Lets the next thread of the same priority run.
    Yield = 1,
    /// Ends the current job of the calling task; returns when the next job is released.
    Complete = 2,
    /// Ends a native driver (r1: a guard's verdict); returns with the next driver to run:
    /// r0 its function's number in the process, r1 the address of its value.
    DriverDone = 3,
    /// Answers the processor time that the calling thread has used, in ticks: r0 low, r1 high word.
    ExecutionTime = 4,
    /// Answers kernel time in ticks: r0 low, r1 high word.
    Time = 5,
    /// Ends the calling thread for good.
    Stop = 6,
}

impl CallNumber {
    /// The call with this number, or nothing.
    #[must_use]
    pub const fn decode(number: u32) -> Option<CallNumber> {
        Some(match number {
            0 => CallNumber::Null,
            1 => CallNumber::Yield,
            2 => CallNumber::Complete,
            3 => CallNumber::DriverDone,
            4 => CallNumber::ExecutionTime,
            5 => CallNumber::Time,
            6 => CallNumber::Stop,
            _ => return None,
        })
    }
}

/// Why a system call was refused. All of these are the caller's mistake; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CallError {
    /// There is no call with this number.
    UnknownCall = 0xFFFF_FFFF,
    /// The call is not for threads of this kind: only tasks complete, only driver threads end drivers.
    WrongCaller = 0xFFFF_FFFE,
}
