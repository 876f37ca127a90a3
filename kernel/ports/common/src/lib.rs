//! What ports of the kernel have in common, whatever their processor.
//!
//! | file | what it is about |
//! |---|---|
//! | `board` | what a port needs of a board |
//! | `layout` | where the builder has put everything |
//! | `grain` | which intervals regions cover that are made of grains |
//! | `rights` | what user mode may do in an interval of memory |
//! | `memory` | the kernel's memory, and how it begins |
//! | `steps` | the loop of steps, and what a port does after each |
//! | `threads` | which context is whose |
//! | `images` | what the memory of processes holds at the start, and once more when they begin anew |
//! | `tables` | the tables of one system as a type, in one line |
#![no_std]

pub mod board;
pub mod grain;
pub mod images;
pub mod layout;
pub mod memory;
pub mod rights;
pub mod steps;
mod tables;
pub mod threads;

pub use beryl_abi as abi;
/// The hosted kernel, for [`hosted!`].
pub use beryl_kernel as kernel;
pub use board::Board;
pub use layout::{Image, Layout, Tables, ThreadLayout};
pub use memory::{Blank, Memory};
pub use steps::Door;
