//! The body of a driver thread: native getters, setters and guards, run when system code calls them.

use crate::{call, platform};

/// A native driver as the builder's glue wraps it: takes the address of its value, returns a guard's verdict
/// (any value from getters and setters).
pub type Function = unsafe fn(u32) -> bool;

/// Asks for drivers and runs them, for ever. The kernel names a driver by its position in `functions`; a
/// position that doesn't exist gets a false verdict.
pub fn run(functions: &[Function]) -> ! {
    let mut verdict = false;
    // step boundary: each round is a driver
    loop {
        let (number, address) = call::driver_done(verdict);
        let function = usize::try_from(number).ok().and_then(|place| functions.get(place));
        verdict = match function {
            // SAFETY: number and address come from one row of the driver table, which the builder wrote
            // together with `functions`: the value at this address has this function's type.
            Some(function) => platform::contain(|| unsafe { function(address) }),
            None => false,
        };
    }
}
