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
    semihosting::print(c"the kernel failed: exception and instruction");
    print_number(exception);
    print_number(place);
    semihosting::print(c"\n");
    semihosting::exit(KERNEL_FAILED)
}

/// Prints a space and eight hexadecimal digits.
fn print_number(number: u32) {
    semihosting::print_byte(b' ');
    for place in (0..8).rev() {
        let digit = (number >> (4 * place) & 0xF) as u8;
        semihosting::print_byte(if digit < 10 { b'0' + digit } else { b'a' - 10 + digit });
    }
}
