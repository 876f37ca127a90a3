//! From timing program and system description to tables, system code, region plan and image.
//!
//! ```text
//!   helicopter.tdl --timing--> Model --+
//!                                      +--assembly--> Assembly --code--> system code
//!   beryl.toml --description--> Description --+           |                  |
//!                                             +--plan--> Plan --places--> emit: tables, glue, names
//!                                                                            |
//!                                         simulation program <--simulate-----+-----image--> image.bin
//! ```
#![forbid(unsafe_code)]

pub mod assembly;
pub mod c;
pub mod code;
pub mod description;
pub mod emit;
pub mod emulator;
pub mod error;
pub mod footprint;
pub mod identity;
pub mod image;
pub mod placement;
pub mod plan;
pub mod profile;
pub mod project;
pub mod proof;
pub mod quantity;
mod schedule;
pub mod simulate;
pub mod stacks;
pub mod toolchain;
pub mod warning;
pub mod workshop;

pub use error::BuildError;
pub use identity::Identity;
pub use project::{Project, Texts, Variant};
