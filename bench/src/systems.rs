//! The systems that are measured.

use anyhow::{Context, Result};
use beryl_builder::toolchain::root;
use beryl_builder::{Project, Variant};

/// The system for counting: `bench/system`.
pub const BENCH: &str = "bench";
/// The system whose kernel is weighed and bounded: `examples/helicopter`.
pub const HELICOPTER: &str = "helicopter";

/// Loads one of them.
pub fn load(system: &str) -> Result<Project> {
    let folder = match system {
        BENCH => root().join("bench/system"),
        example => root().join("examples").join(example),
    };
    Project::load(&folder, Variant::default()).with_context(|| format!("reading {}", folder.display()))
}
