//! Calls, switches and releases, as `./x bench` measures them on the board.

mod calls;
mod quiet;
mod release;
mod yields;

pub use calls::calls;
pub use release::{released_impl, releases};
pub use yields::{same_process, two_processes};

/// How often everything is measured.
const SAMPLES: u32 = 1000;
