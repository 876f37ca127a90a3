//! The carrier of transfers: on a board a timer that runs once, in the simulation the environment.

pub use device::{is_done, start};

/// On MPS2: timer 2 of the dual timer, which runs as fast as the clock, and lies behind it. Its line is up until it is cleared.
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
    const MICROSECOND: u32 = microseconds(1).ticks() as u32;
    /// From the clock's second register.
    const DISTANCE: usize = 0x201C;
    const LOAD: usize = 0x00;
    const CONTROL: usize = 0x08;
    const CLEAR: usize = 0x0C;
    const RAISED: usize = 0x10;
    /// Enabled, interrupts, 32 bits, runs once.
    const RUN: u32 = 0b1010_0011;

    /// Starts a transfer of so many microseconds, and takes back the line that the last one has raised.
    pub fn start(microseconds: i32) {
        write(CONTROL, 0);
        write(CLEAR, 1);
        write(LOAD, microseconds.unsigned_abs() * MICROSECOND);
        write(CONTROL, RUN);
    }

    /// Whether the transfer has ended.
    pub fn is_done() -> bool {
        // SAFETY: as in `write`.
        unsafe {
            let base = (&raw const __beryl_clock).addr() + DISTANCE;
            with_exposed_provenance_mut::<u32>(base + RAISED).read_volatile() & 1 == 1
        }
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

/// On virt: the alarm of the real-time clock. Its line is up until it is cleared.
#[cfg(target_arch = "riscv32")]
mod device {
    use beryl_user::goldfish as clock;

    /// Starts a transfer of so many microseconds, and takes back the line that the last one has raised.
    pub fn start(microseconds: i32) {
        clock::set(clock::now() + u64::from(microseconds.unsigned_abs()) * 1_000);
    }

    /// Whether the transfer has ended.
    pub fn is_done() -> bool {
        clock::now() >= clock::alarm()
    }
}

/// The simulation.
#[cfg(not(target_os = "none"))]
mod device {
    use beryl_user::environment::{self, Channel};

    /// As `conformance/carrier` has them.
    const START: Channel = Channel::new(0);
    const DONE: Channel = Channel::new(1);

    /// Starts a transfer of so many microseconds.
    pub fn start(microseconds: i32) {
        environment::write(START, &microseconds);
    }

    /// Whether the transfer has ended.
    pub fn is_done() -> bool {
        let mut done = 0;
        environment::read(DONE, &mut done);
        done == 1
    }
}
