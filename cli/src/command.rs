//! The commands, a file each.

pub mod build;
pub mod check;
pub mod plan;
pub mod run;
pub mod sim;
pub mod times;
pub mod trace;
