//! The crank wheel: what makes a tooth come, and who says that one has come.
//!
//! On the board it is a timer that interrupts once a tooth. In the simulation it is the environment, which
//! raises the same line. The engine on the bench says how fast it turns; the crank's server only asks whether
//! a tooth has come.

use beryl_user::environment::Channel;

/// What comes from the road: the speed that the driver's lever asks for (1/min), the torque that the road
/// takes (Nm).
pub const ROAD: Channel = Channel::new(0);
/// Nanoseconds from tooth to tooth.
pub const TOOTH: Channel = Channel::new(1);

pub use device::{Drive, is_tooth};

/// The board: timer 1 of the dual timer, at 25 MHz.
#[cfg(target_arch = "arm")]
#[expect(unsafe_code, reason = "a device's registers")]
mod device {
    use core::ptr::with_exposed_provenance_mut;

    const BASE: usize = 0x4000_2000;
    const LOAD: usize = 0x00;
    const CONTROL: usize = 0x08;
    const CLEAR: usize = 0x0C;
    const RAISED: usize = 0x10;
    /// As [`LOAD`], from the next tooth on.
    const NEXT_LOAD: usize = 0x18;
    /// Enabled, periodic, interrupts, 32 bits.
    const RUN: u32 = 0b1110_0010;
    /// The length of its tick, ns.
    const TICK: u32 = 40;

    /// Whether a tooth has come since this was asked last.
    pub fn is_tooth() -> bool {
        let raised = read(RAISED) != 0;
        write(CLEAR, 1);
        raised
    }

    /// What turns the wheel.
    pub struct Drive {
        is_turning: bool,
    }

    impl Drive {
        /// Of a wheel that stands still.
        pub fn new() -> Drive {
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
            write(CONTROL, RUN);
        }
    }

    fn read(offset: usize) -> u32 {
        // SAFETY: a register of a timer, which no Rust object lives in.
        unsafe { with_exposed_provenance_mut::<u32>(BASE + offset).read_volatile() }
    }

    fn write(offset: usize, value: u32) {
        // SAFETY: as in `read`. The timer counts and interrupts, and reaches no memory.
        unsafe { with_exposed_provenance_mut::<u32>(BASE + offset).write_volatile(value) }
    }
}

/// The simulation.
#[cfg(not(target_arch = "arm"))]
mod device {
    use beryl_user::environment;

    /// Whether a tooth has come: there is no other reason for an interrupt.
    pub fn is_tooth() -> bool {
        true
    }

    /// What turns the wheel.
    pub struct Drive;

    impl Drive {
        /// Of a wheel that stands still.
        pub fn new() -> Drive {
            Drive
        }

        /// Lets a tooth come each `nanoseconds`, from the next one on.
        pub fn turn(&mut self, nanoseconds: u32) {
            environment::write(super::TOOTH, &i32::try_from(nanoseconds).unwrap_or(i32::MAX));
        }
    }
}
