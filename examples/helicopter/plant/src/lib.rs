//! The helicopter's physics: the environment of the simulation.
//!
//! A run is a function of the seed, the gusts and the commands. Sines and cosines come from `libm`, so the same
//! run gives the same bits on every host.
#![forbid(unsafe_code)]

mod envelope;
mod environment;
mod gusts;
mod noise;
mod physics;
mod plant;

pub use envelope::{Departure, Envelope, Excursion, HOVER};
pub use environment::{Flight, SetupError, environment};
pub use gusts::{GustError, GustProblem, Gusts, Wind};
pub use physics::State;
pub use plant::{Noise, Plant, Sample};
