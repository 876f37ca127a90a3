//! The wheel: on the board a timer that interrupts, in the simulation the environment, which raises the same line.

pub use device::{acknowledge, after, every};

/// The MPS2 boards: their dual timer.
#[cfg(target_arch = "arm")]
mod device {
    use beryl_user::dual_timer::{CLEAR, CONTROL, LOAD, MICROSECOND, ONCE, PERIODIC, read, write};

    /// Takes the line back.
    pub fn acknowledge() {
        write(CLEAR, 1);
    }

    /// Lets a pulse come each `microseconds`, counted from now if they are others than before; none if there are none.
    pub fn every(microseconds: i32) {
        let ticks = u32::try_from(microseconds).unwrap_or(0).saturating_mul(MICROSECOND);
        if ticks == 0 {
            write(CONTROL, 0);
        } else if read(CONTROL) != PERIODIC || read(LOAD) != ticks {
            write(LOAD, ticks);
            write(CONTROL, PERIODIC);
        }
    }

    /// Lets a single pulse come in so many microseconds.
    pub fn after(microseconds: i32) {
        let ticks = u32::try_from(microseconds).unwrap_or(0).saturating_mul(MICROSECOND);
        write(CONTROL, 0);
        write(LOAD, ticks);
        write(CONTROL, ONCE);
    }
}

/// The board virt: the alarm of its real-time clock, which goes off once, and is set anew when it was heard.
#[cfg(target_arch = "riscv32")]
mod device {
    use core::sync::atomic::{AtomicU32, Ordering};

    use beryl_user::goldfish as clock;

    /// Nanoseconds from pulse to pulse; 0 if no other one follows.
    static INTERVAL: AtomicU32 = AtomicU32::new(0);

    /// Takes the line back. A pulse in the meantime was heard with this one.
    pub fn acknowledge() {
        let interval = u64::from(INTERVAL.load(Ordering::Relaxed));
        if interval == 0 {
            return clock::silence();
        }
        let (mut next, now) = (clock::alarm() + interval, clock::now());
        while next <= now {
            next += interval;
        }
        clock::set(next);
    }

    /// Lets a pulse come each `microseconds`, counted from now if they are others than before; none if there are none.
    pub fn every(microseconds: i32) {
        let interval = nanoseconds(microseconds);
        if INTERVAL.swap(interval, Ordering::Relaxed) == interval {
            return;
        }
        match interval {
            0 => clock::silence(),
            _ => clock::set(clock::now() + u64::from(interval)),
        }
    }

    /// Lets a single pulse come in so many microseconds.
    pub fn after(microseconds: i32) {
        INTERVAL.store(0, Ordering::Relaxed);
        clock::set(clock::now() + u64::from(nanoseconds(microseconds)));
    }

    fn nanoseconds(microseconds: i32) -> u32 {
        u32::try_from(microseconds).unwrap_or(0).saturating_mul(1_000)
    }
}

/// The simulation.
#[cfg(not(target_os = "none"))]
mod device {
    /// The environment raises its line for a moment only.
    pub fn acknowledge() {}

    /// The environment knows it from the actuator.
    pub fn every(_microseconds: i32) {}

    /// The environment knows it from an actuator, or from a device server.
    pub fn after(_microseconds: i32) {}
}
