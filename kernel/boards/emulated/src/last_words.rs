//! What the board says when the kernel itself went wrong.

use crate::semihosting;

/// Exit code of an emulation in which the kernel failed.
const KERNEL_FAILED: u32 = 3;

/// Reports the exception and where the instruction is, and ends the emulation.
pub fn say(exception: u32, place: u32) -> ! {
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
