//! From timing program and system description to tables, system code, region plan and image.
//!
//! The stages, in the order in which they run (`pipeline.rs`). Each is a folder with one entry, takes the values that the ones before have
//! made, and makes one that nobody changes any more:
//!
//! ```text
//!   texts        beryl.toml, *.tdl              -> Texts        description, model: what the files say
//!   assembly     model, description             -> Assembly     both joined, every name a row
//!   code         assembly                       -> Coded        system code of modules and asynchronous tasks
//!   plan         assembly, coded                -> Located      an address for everything in RAM (with footprint: the kernel's share)
//!   costs        assembly, programs             -> Costed       what the kernel takes, computed once
//!   schedule     costed                         -> programs     of bands that are scheduled by code; then costs with all programs
//!   supply       costed, programs               -> Supplied     what programs that arrive have of the processor (with load)
//!   certificate  supplied                       -> Certified    the numbers that show that their jobs are never late
//!   project      located, certified             -> Project      all of them
//!                                                   |
//!   proof        project -> Proved, or why not      |           (with load: what is asked of the processor)
//!   placement    texts, project -> bands that bear more
//!   rows         project -> the rows of the kernel's tables, as values
//!   emit         rows, project -> tables, glue, names: sources
//!   simulate     project -> the simulation program
//!   image        project -> image.bin, which `emulator` runs
//! ```
//!
//! What an experiment changes is a project of its own ([`Project::with`]).
#![forbid(unsafe_code)]

pub mod assembly;
pub mod board;
pub mod c;
pub mod certificate;
pub mod code;
pub mod costs;
pub mod description;
pub mod emit;
pub mod emulator;
pub mod error;
pub mod footprint;
pub mod identity;
pub mod image;
pub mod interval;
pub mod load;
mod pipeline;
pub mod placement;
pub mod plan;
pub mod project;
pub mod proof;
pub mod quantity;
pub mod rows;
pub mod schedule;
pub mod simulate;
pub mod stacks;
pub mod supply;
pub mod texts;
mod too_large;
pub mod toolchain;
pub mod warning;
pub mod workshop;

pub use error::BuildError;
pub use identity::Identity;
pub use project::Project;
pub use texts::{Texts, Variant};
pub use too_large::in_the_text;
