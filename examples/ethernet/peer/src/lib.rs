//! Who is at the other end of the wire, and the tank whose level is controlled.
//!
//! It is the environment of the simulation: the host's frames come at virtual instants, so that each run is the same. Beside an
//! emulated board the same host is a program, `ethernet-peer`, and its frames come when the host's time has it.
#![forbid(unsafe_code)]

mod environment;
mod host;
mod queue;
mod tank;
mod traffic;
mod wire;

use std::path::Path;

pub use environment::Surroundings;
pub use host::{Asked, Host, Tally};
pub use traffic::{Traffic, TrafficError};
pub use wire::serve;

/// The wire with the traffic that is described beside the system, and the tank with a leak that is different for each
/// seed.
///
/// # Errors
/// There is no readable `traffic.toml`.
pub fn environment(seed: u64, folder: &Path) -> Result<Surroundings, TrafficError> {
    Ok(Surroundings::new(seed, Traffic::read(folder)?))
}
