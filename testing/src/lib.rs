//! What tests and the programs that measure share: numbers that follow from a seed, how many cases to try,
//! whose turn it is, where systems are built, and what periods have in common.
//!
//! A random test says its seed when it fails, and the seed alone repeats it. So the sequences here are fixed
//! for good: recorded results, the limits of tests and the names of drawn systems follow from them, and a
//! test in each file holds its numbers.
//!
//! There are three sequences because tests began with three. A new test takes [`SplitMix64`].
//!
//! ```
//! use beryl_testing::{Draw, SplitMix64};
//!
//! let mut random = SplitMix64(7);
//! let priority = random.within(1, 15);
//! let policy = *random.one_of(&["fixed", "dynamic"]);
//! assert_eq!((priority, policy), (13, "fixed"));
//! ```

#![forbid(unsafe_code)]

mod common;
mod draw;
mod folder;
mod long;
mod rotation;
mod split_mix;
mod turn;
mod xor_shift;

pub use common::{divisor, multiple};
pub use draw::Draw;
pub use folder::folder;
pub use long::cases;
pub use rotation::rotation;
pub use split_mix::SplitMix64;
pub use turn::{turn, whose_turn};
pub use xor_shift::{High, XorShift, XorShiftStar};
