//! The environment: the helicopter's, with its gusts.
#![forbid(unsafe_code)]

use std::path::Path;

pub use helicopter_plant::{Flight, SetupError};

/// The helicopter in the gusts of its own example, which lies beside `folder`.
///
/// # Errors
///
/// There is no readable table of gusts.
pub fn environment(seed: u64, folder: &Path) -> Result<Flight, SetupError> {
    helicopter_plant::environment(seed, &folder.join("../helicopter"))
}
