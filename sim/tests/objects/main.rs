//! Threads that share objects of every kind, through the user library: whole sequences.
//!
//! Each scenario's threads note what they do; the notes are compared, each with its instant.

#[allow(dead_code, reason = "the controller's tests use the rest")]
#[path = "../controller/records.rs"]
mod records;
mod scenario;

mod backlog;
mod blocking;
mod conditions;
mod costs;
mod endpoints;
mod event_groups;
mod exclusion;
mod interrupts;
mod late;
mod locks;
mod mailboxes;
mod periods;
mod points;
mod priorities;
mod semaphores;
mod serving;
mod states;
mod timeouts;
