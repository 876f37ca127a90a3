//! Where tests build and run systems.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of a checkout in which its tests build and run systems. They share it: what is compiled once
/// serves the next.
///
/// Cargo builds one thing at a time in a folder. So whoever runs suites side by side gives each its own, by
/// its name in `target/`: `BERYL_TESTS_IN=e2e-2`.
///
/// ```
/// let folder = beryl_testing::folder("/beryl".as_ref());
/// assert!(folder.starts_with("/beryl/target"));
/// ```
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("target").join(env::var_os("BERYL_TESTS_IN").unwrap_or_else(|| "e2e".into()))
}
