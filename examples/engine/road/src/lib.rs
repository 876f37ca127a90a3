//! The engine's road and crank wheel: the environment of the simulation.
//!
//! It tells what a driver asks for and what the road takes, raises the crank's line once a tooth, and judges
//! whether the speed is held. A run is a function of the seed and of how fast the wheel is turned.
#![forbid(unsafe_code)]

mod environment;
mod referee;
mod road;
mod wheel;

pub use environment::{Drive, environment};
pub use referee::Referee;
pub use road::Road;
pub use wheel::Wheel;
