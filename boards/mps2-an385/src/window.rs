//! The environment's window, as far as the kernel's side looks into it: whether there is a run to
//! record, and when it ends. Sensors and actuators are the processes' own.

use beryl_abi::Instant;
use beryl_abi::environment::MAGIC;

use crate::map::ENVIRONMENT;
use crate::register::Register;

/// When the run ends, if somebody opened a window at all.
pub fn end() -> Option<Instant> {
    // SAFETY: the first words of the window: memory that no Rust object lives in.
    let [magic, low, high] =
        [0, 4, 8].map(|offset| unsafe { Register::at(ENVIRONMENT.address + offset) }.read());
    (magic == MAGIC).then_some(Instant::from_ticks(u64::from(high) << 32 | u64::from(low)))
}
