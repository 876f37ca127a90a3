//! The commands, one file each.

pub mod assemble;
pub mod attack;
pub mod board;
pub mod build;
pub mod check;
pub mod conformance;
pub mod explore;
pub mod faults;
pub mod fmt;
pub mod keygen;
pub mod plan;
pub mod run;
pub mod sim;
pub mod swap;
pub mod times;
pub mod trace;
