//! The commands, one file each.

pub mod assemble;
pub mod attack;
pub mod board;
pub mod build;
pub mod check;
pub mod compare;
pub mod completions;
pub mod conformance;
pub mod debug;
pub mod doctor;
pub mod explore;
pub mod faults;
pub mod fmt;
pub mod keygen;
pub mod measure;
pub mod new;
pub mod plan;
pub mod run;
pub mod sim;
pub mod swap;
pub mod test;
pub mod times;
pub mod trace;
