//! The wheel: on the board a timer that interrupts, in the simulation the environment, which raises the same line.

pub use device::{acknowledge, after, every};

/// The board: timer 1 of the dual timer, at 25 MHz.
#[cfg(target_arch = "arm")]
#[expect(unsafe_code, reason = "a device's registers")]
mod device {
    use core::ptr::with_exposed_provenance_mut;

    const BASE: usize = 0x4000_2000;
    const LOAD: usize = 0x00;
    const CONTROL: usize = 0x08;
    const CLEAR: usize = 0x0C;
    /// Enabled, periodic, interrupts, 32 bits.
    const RUN: u32 = 0b1110_0010;
    /// The same, once.
    const ONCE: u32 = 0b1110_0011;
    const TICKS_A_MICROSECOND: u32 = 25;

    /// Takes the line back.
    pub fn acknowledge() {
        write(CLEAR, 1);
    }

    /// Lets a pulse come each `microseconds`, counted from now if they are others than before; none if there are none.
    pub fn every(microseconds: i32) {
        let ticks = u32::try_from(microseconds).unwrap_or(0).saturating_mul(TICKS_A_MICROSECOND);
        if ticks == 0 {
            write(CONTROL, 0);
        } else if read(CONTROL) != RUN || read(LOAD) != ticks {
            write(LOAD, ticks);
            write(CONTROL, RUN);
        }
    }

    /// Lets a single pulse come in so many microseconds.
    pub fn after(microseconds: i32) {
        let ticks = u32::try_from(microseconds).unwrap_or(0).saturating_mul(TICKS_A_MICROSECOND);
        write(CONTROL, 0);
        write(LOAD, ticks);
        write(CONTROL, ONCE);
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
