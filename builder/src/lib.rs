//! From timing program and system description to tables, system code, region plan and image.
//!
//! The stages, in the order in which they run (`pipeline.rs`). Each is a module with one entry, takes the
//! values that those before it have made, and makes one that nobody changes any more:
//!
//! ```text
//!   parsed       Parsed::read       beryl.toml, *.tdl            -> Parsed     what the files say: description, timing program
//!   assembly     assemble_all       timing program, description  -> Assembly   both joined, every name a row
//!   code         coded              assembly                     -> Coded      system code of modules and of asynchronous tasks
//!   plan         located            assembly, coded              -> Located    an address for everything in RAM (footprint: the kernel's share)
//!   costs        costed             assembly, programs           -> Costed     what the kernel takes, computed once
//!   schedule     schedules          costed                       -> programs   of bands that are scheduled by code; costed again with them
//!   supply       supplied           costed, programs             -> Supplied   what programs that arrive have of the processor
//!   certificate  with_certificates  supplied                     -> Certified  the numbers that show that their jobs are never late
//!   project      Project::new       located, certified           -> Project    all of them
//!
//!   proof        prove              project                      -> Proved     or why it isn't
//!   placement    search             parsed, project              -> Found      bands that bear more
//!   rows         Rows::of           project                      -> Rows       of the kernel's tables, as values
//!   emit                            rows, project                -> sources    tables, glue, names
//!   simulate     build              sources                      -> the simulation program
//!   image        build              sources                      -> image.bin, which `emulator` runs
//! ```
//!
//! `load` is what a costed system asks of the processor, in the terms of the analysis: schedules, supplies
//! and the proof are made of it. What an experiment changes is a project of its own ([`Project::with`]).
#![forbid(unsafe_code)]

mod alone;
mod application;
pub mod assembly;
pub mod board;
pub mod c;
pub mod certificate;
pub mod code;
pub mod costs;
pub mod crashed;
pub mod crossing;
pub mod debugged;
pub mod description;
pub mod emit;
pub mod emulator;
pub mod environment;
pub mod error;
pub mod faulted;
pub mod footprint;
pub mod functions;
pub mod identity;
pub mod image;
pub mod interval;
mod kernel_cache;
pub mod load;
pub mod measured;
pub mod nodes;
pub mod parsed;
mod pipeline;
pub mod placement;
pub mod plan;
pub mod plugged;
pub mod profile;
pub mod project;
pub mod proof;
pub mod quantity;
pub mod rescheduled;
pub mod rows;
pub mod schedule;
pub mod simulate;
pub mod stacks;
pub mod statements;
pub mod supply;
mod too_large;
pub mod toolchain;
pub mod warning;
pub mod workshop;

pub use error::BuildError;
pub use identity::Identity;
pub use nodes::Nodes;
pub use parsed::{Parsed, Variant};
pub use project::Project;
pub use too_large::in_the_text;
