//! Three helicopters in one wind: the environment of the simulation.
//!
//! Each moves as the one of `examples/helicopter` does. A run is a function of the seed, the gusts and the commands.
#![forbid(unsafe_code)]

mod environment;
mod formation;

pub use environment::{Flight, environment};
pub use formation::{Departure, ENVELOPE, Formation, Helicopter};
pub use helicopter_plant::SetupError;
