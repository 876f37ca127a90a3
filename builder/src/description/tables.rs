//! The tables that a system description may have.

/// The tables of the file.
pub(super) const TABLES: &[&str] = &[
    "system",
    "c",
    "board",
    "process",
    "band",
    "task",
    "driver",
    "thread",
    "sleep",
    "kernel",
    "lock",
    "semaphore",
    "condition",
    "mailbox",
    "endpoint",
    "event_group",
    "notification",
    "interrupt",
    "state",
    "region",
    "slot",
    "trace",
    "assert",
    "units",
];
