//! Constant rows: what the builder writes about each thing of a system.
//!
//! Rows that fill a table up to its length are `NONE`.

pub mod bands;
pub mod drivers;
pub mod lines;
pub mod objects;
pub mod processes;
pub mod programs;
pub mod rank;
pub mod threads;
