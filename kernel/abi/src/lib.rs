//! Numbers and types that the kernel and its users share.
//!
//! Everything here is plain data with a fixed layout. Nothing allocates, nothing can panic.
#![no_std]
#![forbid(unsafe_code)]

pub mod call;
mod calls;
pub mod crash;
mod decoded_note;
pub mod doorbell;
pub mod environment;
pub mod fault;
pub mod frame;
pub mod hatch;
pub mod identity;
pub mod journal;
pub mod kinds;
pub mod link;
pub mod log;
pub mod memory;
pub mod note;
pub mod process_image;
pub mod record;
mod records;
pub mod report;
pub mod time;
pub mod words;

pub use call::{CallError, CallNumber, Progress, Wanted};
pub use crash::CrashPart;
pub use decoded_note::DecodedNote;
pub use fault::{Fault, FaultKind};
pub use identity::{
    BandId, ConditionId, DriverId, EndpointId, EventGroupId, InterruptId, Line, MailboxId, NotificationId,
    ProcessId, ProgramId, SemaphoreId, SlotId, StateMessageId, ThreadId,
};
pub use journal::Journal;
pub use kinds::Kind;
pub use memory::Range;
pub use note::{Awaited, Classes, Note, Passed};
pub use record::{Happening, Record};
pub use report::{Incident, Report};
pub use time::{Duration, Instant, Moment};
pub use words::Wrong;
