//! The room in which the robot drives: the environment of the simulation.
//!
//! A run is a function of the seed. Sines and cosines come from `libm`, so the same seed gives the same bits on every host.
#![forbid(unsafe_code)]

mod accesses;
mod course;
mod environment;
mod map;
mod noise;
mod picture;
mod room;

pub use accesses::maps;
pub use environment::{Drive, environment};
pub use map::{Map, TOLERANCE, Verdict};
pub use picture::picture;
pub use room::Room;

/// Forward and to the left of where the robot began, mm.
pub type Place = [f64; 2];
