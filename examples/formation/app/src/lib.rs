//! The tasks and drivers of three helicopters in formation.
//!
//! `formation.tdl` names these functions and says when they run. Each helicopter navigates and tilts its rotor as the
//! one of `examples/helicopter` does; what is here is the leader's course, and how others follow.
#![no_std]
#![forbid(unsafe_code)]

mod course;
mod drivers;
mod fly;
mod report;
mod stray;
mod vote;

pub use course::course_impl;
pub use drivers::{
    Channels, LEADER, LEFT, RIGHT, read_leader_attitude, read_leader_gps, read_left_attitude, read_left_gps,
    read_right_attitude, read_right_gps, set_leader_rotor, set_left_rotor, set_right_rotor,
};
pub use fly::fly_impl;
pub use helicopter::navigate_impl;
pub use report::report_impl;
pub use stray::stray_impl;
pub use vote::vote_impl;
