//! Console output, without allocation.

use core::fmt;

use crate::platform;

/// Prints `text` as it is.
pub fn print(text: &str) {
    platform::print(text);
}

/// Writes bytes that are no text, as fast as the device takes them. In the simulator they are lost: there the simulator itself
/// tells what a trace would.
pub fn write(bytes: &[u8]) {
    platform::write(bytes);
}

/// Hands a byte to the console device, which interrupts when it has taken it: for the server of its
/// interrupt. Others print. The device takes one byte at a time; while it has one, this waits for it.
pub fn transmit(byte: u8) {
    platform::transmit(byte);
}

/// Turns the console's receiver on: from now on it interrupts for each byte that has come. For the server of that
/// interrupt.
pub fn listen() {
    platform::listen();
}

/// Fetches the byte that has come, if there is one. The receiver holds one: who doesn't fetch it before the next
/// has come has lost it.
#[must_use]
pub fn receive() -> Option<u8> {
    platform::receive()
}

/// The console as a sink of formatted text; see [`println!`](crate::println).
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print(text);
        Ok(())
    }
}

/// Prints formatted text and a line end on the console.
#[macro_export]
macro_rules! println {
    ($($argument:tt)*) => {{
        use core::fmt::Write as _;
        // The console takes everything; only a faulty `Display` could answer an error.
        let _ = core::writeln!($crate::console::Console, $($argument)*);
    }};
}
