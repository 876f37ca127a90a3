//! Scheduling: threads and their places, bands and queues, time, and decisions.

pub mod bands;
pub mod broadcast;
pub mod budget;
mod budgets;
pub mod caller;
mod ceilings;
mod decisions;
mod deferred;
pub mod depth;
pub mod gate;
mod gates;
mod inheritance;
mod jobs;
mod periods;
mod power;
mod priorities;
pub mod process;
pub mod processor;
pub mod renewal;
mod restarts;
pub mod rings;
pub mod stop;
mod stopping;
pub mod thread;
pub mod timers;
pub mod tree;
mod waits;
