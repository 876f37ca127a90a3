//! Constant rows: what the builder writes about each thing of a system.
//!
//! Unused rows at the end of a table are `NONE`.

pub mod bands;
pub mod budgets;
pub mod depths;
pub mod drivers;
pub mod fed;
pub mod followed;
pub mod gates;
pub mod limits;
pub mod lines;
pub mod objects;
pub mod pools;
pub mod processes;
pub mod programs;
pub mod rank;
pub mod replaceable;
pub mod reports;
pub mod restarts;
pub mod rules;
pub mod threads;
pub mod waits;
pub mod watchdogs;
pub mod windows;
