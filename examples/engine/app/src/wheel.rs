//! The crank wheel: what makes a tooth come, and who says that one has come.
//!
//! On the board it is a timer that interrupts once a tooth. In the simulation it is the environment, which
//! raises the same line. The engine on the bench says how fast it turns; the crank's server only asks whether
//! a tooth has come. Where the timer goes off once, the server sets it for the next tooth, and the bench tells it
//! how far off that is.

use beryl_user::bell;
use beryl_user::environment::{self, Channel};
use beryl_user::state::Writer;

use crate::latest::Latest;

/// What comes from the road: the speed that the driver's lever asks for (1/min), the torque that the road
/// takes (Nm).
pub const ROAD: Channel = Channel::new(0);
/// Nanoseconds from tooth to tooth.
pub const TOOTH: Channel = Channel::new(1);

/// Who tells how many nanoseconds it is from tooth to tooth.
pub type Distance = Writer<i32>;
/// Who is told.
pub type LastDistance = Latest<i32>;

/// Whether a tooth has come since this was asked last.
pub fn is_tooth(distance: &mut LastDistance) -> bool {
    let has_come = bell::has_rung();
    if bell::GOES_ON {
        bell::acknowledge();
    } else if has_come {
        bell::again_after(distance.get().unsigned_abs());
    }
    has_come
}

/// What turns the wheel.
pub struct Drive {
    is_turning: bool,
    distance: Distance,
}

impl Drive {
    /// Of a wheel that stands still.
    pub fn new(distance: Distance) -> Drive {
        Drive { is_turning: false, distance }
    }

    /// Lets a tooth come each `nanoseconds`, from the next one on.
    pub fn turn(&mut self, nanoseconds: u32) {
        let told = i32::try_from(nanoseconds).unwrap_or(i32::MAX);
        if cfg!(not(target_os = "none")) {
            return environment::write(TOOTH, &told);
        }
        if !bell::GOES_ON {
            self.distance.write(&told);
        }
        match core::mem::replace(&mut self.is_turning, true) {
            true if bell::GOES_ON => bell::again_after(nanoseconds),
            true => {}
            false if bell::GOES_ON => bell::every(nanoseconds),
            false => bell::after(nanoseconds),
        }
    }
}
