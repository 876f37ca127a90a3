//! Where measurements are kept.

use std::path::{Path, PathBuf};

/// docs/measurements.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measurements")
}
