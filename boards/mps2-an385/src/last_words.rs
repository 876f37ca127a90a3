//! What the board says when the kernel itself went wrong.

use crate::register::Register;
use crate::semihosting;

/// Exit code of an emulation in which the kernel failed.
const KERNEL_FAILED: u32 = 3;
/// Words from the frame's start to the program counter.
const PROGRAM_COUNTER: u32 = 6 * 4;

/// Reports the exception and the instruction, and ends the emulation.
pub fn say(exception: u32, frame: u32) -> ! {
    // SAFETY: the frame that the hardware has just put on the kernel's stack.
    let place = unsafe { Register::at(frame.wrapping_add(PROGRAM_COUNTER)) }.read();
    semihosting::print(c"the kernel failed: exception 0x");
    print_number(exception);
    semihosting::print(c", instruction 0x");
    print_number(place);
    semihosting::print(c"\n");
    semihosting::exit(KERNEL_FAILED)
}

fn print_number(number: u32) {
    const DIGITS: [&core::ffi::CStr; 16] =
        [c"0", c"1", c"2", c"3", c"4", c"5", c"6", c"7", c"8", c"9", c"a", c"b", c"c", c"d", c"e", c"f"];
    for place in (0..8).rev() {
        semihosting::print(DIGITS[(number >> (4 * place) & 0xF) as usize]);
    }
}
