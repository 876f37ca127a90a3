//! The machine: system code at logical instants, and the threads of system code that say which task runs.

pub mod activity;
pub mod agenda;
mod drivers;
mod exceptions;
mod instructions;
pub mod program;
mod programs;
mod reactions;
mod rounds;
pub mod runs;
pub mod schedule;
mod schedules;
pub mod sensors;
mod successors;
pub mod trigger;
mod turns;
pub mod watch;
pub mod watches;
