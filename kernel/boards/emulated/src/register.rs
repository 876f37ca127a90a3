//! A word-wide device register or word of memory at a fixed address.

/// A word that only the board's crates, the hardware and the emulator touch.
#[derive(Clone, Copy)]
pub struct Register(u32);

impl Register {
    /// The word at `address`.
    ///
    /// # Safety
    ///
    /// A device of the board has a register there, or its window or trace memory a word; reading
    /// and writing it by whole words can't change memory that Rust knows of.
    pub const unsafe fn at(address: u32) -> Register {
        Register(address)
    }

    /// Its value.
    #[inline(always)]
    pub fn read(self) -> u32 {
        // SAFETY: `at` was promised that such a word exists.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0 as usize).read_volatile() }
    }

    /// Changes its value.
    #[inline(always)]
    pub fn write(self, value: u32) {
        // SAFETY: `at` was promised that such a word exists and that writing does no harm to Rust's memory.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0 as usize).write_volatile(value) }
    }
}

/// What is to be written to a device, or waited for, in a list of such steps.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The word at an address becomes this.
    Write(u32, u32),
    /// It gets these bits, too.
    Set(u32, u32),
    /// Until it has these bits. Who never gets them isn't waited for: what follows is as good as without.
    Await(u32, u32),
}

/// How often a register is looked at that something is waited for.
const PATIENCE: u32 = 10_000;

/// Does these steps, one after the other.
///
/// # Safety
///
/// All of the addresses are as [`Register::at`] asks.
pub unsafe fn carry_out(steps: &[Step]) {
    // bound: the steps of a board
    for step in steps {
        let (Step::Write(address, bits) | Step::Set(address, bits) | Step::Await(address, bits)) = *step;
        // SAFETY: the caller vouches for the address.
        let register = unsafe { Register::at(address) };
        match step {
            Step::Write(..) => register.write(bits),
            Step::Set(..) => register.write(register.read() | bits),
            Step::Await(..) => wait_for(register, bits),
        }
    }
}

fn wait_for(register: Register, bits: u32) {
    // bound: 10000, `PATIENCE`
    for _ in 0..PATIENCE {
        if register.read() & bits == bits {
            return;
        }
    }
}

/// A word of a driver's value, for its record.
pub(crate) fn word_at(address: u32) -> u32 {
    // SAFETY: the value of a driver is port memory, made of whole words; it is only read.
    unsafe { Register::at(address) }.read()
}
