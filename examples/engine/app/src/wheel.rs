//! The crank wheel: what makes a tooth come, and who says that one has come.
//!
//! On the board it is a timer that interrupts once a tooth. In the simulation it is the environment, which
//! raises the same line. The engine on the bench says how fast it turns; the crank's server only asks whether
//! a tooth has come. Where the timer goes off once, the server sets it for the next tooth, and the bench tells it
//! how far off that is.

use beryl_user::environment::Channel;
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

pub use device::{Drive, is_tooth};

/// The MPS2 boards: their dual timer, which goes on by itself.
#[cfg(target_arch = "arm")]
mod device {
    use beryl_user::dual_timer::{CLEAR, CONTROL, LOAD, NEXT_LOAD, PERIODIC, RAISED, TICK, read, write};

    use super::{Distance, LastDistance};

    /// Whether a tooth has come since this was asked last.
    pub fn is_tooth(_distance: &mut LastDistance) -> bool {
        let raised = read(RAISED) != 0;
        write(CLEAR, 1);
        raised
    }

    /// What turns the wheel.
    pub struct Drive {
        is_turning: bool,
    }

    impl Drive {
        /// Of a wheel that stands still. The timer has the distance of teeth itself.
        pub fn new(_distance: Distance) -> Drive {
            Drive { is_turning: false }
        }

        /// Lets a tooth come each `nanoseconds`, from the next one on.
        pub fn turn(&mut self, nanoseconds: u32) {
            let ticks = (nanoseconds / TICK).max(1);
            if self.is_turning {
                return write(NEXT_LOAD, ticks);
            }
            self.is_turning = true;
            write(LOAD, ticks);
            write(CONTROL, PERIODIC);
        }
    }
}

/// The board virt: the alarm of its real-time clock, which goes off once. Who is told of a tooth sets it for the next.
#[cfg(target_arch = "riscv32")]
mod device {
    use beryl_user::goldfish as clock;

    use super::{Distance, LastDistance};

    /// Whether a tooth has come since this was asked last.
    pub fn is_tooth(distance: &mut LastDistance) -> bool {
        let last = clock::alarm();
        if clock::now() < last {
            return false;
        }
        clock::set(last + u64::from(distance.get().unsigned_abs()));
        true
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
            self.distance.write(&nanoseconds.cast_signed());
            if !self.is_turning {
                self.is_turning = true;
                clock::set(clock::now() + u64::from(nanoseconds));
            }
        }
    }
}

/// The simulation.
#[cfg(not(target_os = "none"))]
mod device {
    use beryl_user::environment;

    use super::{Distance, LastDistance};

    /// Whether a tooth has come: there is no other reason for an interrupt.
    pub fn is_tooth(_distance: &mut LastDistance) -> bool {
        true
    }

    /// What turns the wheel.
    pub struct Drive;

    impl Drive {
        /// Of a wheel that stands still. The environment is told itself.
        pub fn new(_distance: Distance) -> Drive {
            Drive
        }

        /// Lets a tooth come each `nanoseconds`, from the next one on.
        pub fn turn(&mut self, nanoseconds: u32) {
            environment::write(super::TOOTH, &i32::try_from(nanoseconds).unwrap_or(i32::MAX));
        }
    }
}
