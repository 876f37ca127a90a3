//! The bell: on a board a timer that interrupts, in the simulation the environment, which raises the same
//! line at the same instants.

pub use device::{silence, start, start_each};

/// As `conformance/bell` has it.
#[cfg(target_os = "none")]
const MICROSECONDS: u64 = 2_700;

/// On MPS2: timer 1 of the dual timer, which runs as fast as the clock, and lies behind it.
#[cfg(target_arch = "arm")]
#[expect(unsafe_code, reason = "a device's registers")]
mod device {
    use core::ptr::with_exposed_provenance_mut;

    use beryl_user::time::microseconds;

    unsafe extern "C" {
        /// The clock's second register; its address comes from the linker script.
        static __beryl_clock: u32;
    }

    /// Its own ticks in a microsecond.
    const MICROSECOND: u64 = microseconds(1).ticks();
    /// From the clock's second register.
    const DISTANCE: usize = 0x1FFC;
    const LOAD: usize = 0x00;
    const CONTROL: usize = 0x08;
    const CLEAR: usize = 0x0C;
    /// Enabled, periodic, interrupts, 32 bits.
    const RUN: u32 = 0b1110_0010;

    /// Lets the bell ring each 2.7 ms, counted from now.
    pub fn start() {
        start_each(super::MICROSECONDS);
    }

    /// Lets it ring each so many microseconds.
    pub fn start_each(microseconds: u64) {
        write(LOAD, (microseconds * MICROSECOND) as u32);
        write(CONTROL, RUN);
    }

    /// Takes the line back.
    pub fn silence() {
        write(CLEAR, 1);
    }

    fn write(offset: usize, value: u32) {
        // SAFETY: a register of a timer, which no Rust object lives in; the timer counts and interrupts, and
        // reaches no memory.
        unsafe {
            let base = (&raw const __beryl_clock).addr() + DISTANCE;
            with_exposed_provenance_mut::<u32>(base + offset).write_volatile(value);
        }
    }
}

/// On virt: the alarm of the real-time clock, which goes off once, and is set anew when it was heard.
#[cfg(target_arch = "riscv32")]
mod device {
    use core::sync::atomic::{AtomicU32, Ordering};

    use beryl_user::goldfish as clock;

    /// From ring to ring, in nanoseconds.
    static INTERVAL: AtomicU32 = AtomicU32::new(0);

    /// Lets the bell ring each 2.7 ms, counted from now.
    pub fn start() {
        start_each(super::MICROSECONDS);
    }

    /// Lets it ring each so many microseconds.
    pub fn start_each(microseconds: u64) {
        let interval = microseconds as u32 * 1_000;
        INTERVAL.store(interval, Ordering::Relaxed);
        clock::set(clock::now() + u64::from(interval));
    }

    /// Takes the line back. A ring in the meantime was heard with this one.
    pub fn silence() {
        let interval = u64::from(INTERVAL.load(Ordering::Relaxed));
        let (mut next, now) = (clock::alarm() + interval, clock::now());
        while next <= now {
            next += interval;
        }
        clock::set(next);
    }
}

/// The simulation.
#[cfg(not(target_os = "none"))]
mod device {
    /// The environment rings by itself.
    pub fn start() {}

    /// As often as it likes.
    pub fn start_each(_microseconds: u64) {}

    /// The environment raises its line for a moment only.
    pub fn silence() {}
}
