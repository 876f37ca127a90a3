//! Console output, without allocation.

use core::fmt;

use crate::platform;

/// Prints `text` as it is.
pub fn print(text: &str) {
    platform::print(text);
}

/// Writes bytes that aren't text, as fast as the device takes them. In the simulator they are dropped: it
/// reports the trace itself.
pub fn write(bytes: &[u8]) {
    platform::write(bytes);
}

/// Hands a byte to the console device, which raises its interrupt when it has taken it. Only for the server
/// of that interrupt; other threads print. The device holds one byte at a time; while it has one, this waits.
pub fn transmit(byte: u8) {
    platform::transmit(byte);
}

/// Hands a byte to the console device, which tells nobody when it has taken it. While it has no room, this waits.
pub fn put(byte: u8) {
    platform::put(byte);
}

/// Turns the console's receiver on: from now on it raises an interrupt for each byte that arrives. For the
/// server of that interrupt.
pub fn listen() {
    platform::listen();
}

/// Fetches the byte that has arrived, if any. The receiver holds one: a byte that isn't fetched before the
/// next one arrives is lost.
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
        // The console takes everything; only a faulty `Display` could return an error.
        let _ = core::writeln!($crate::console::Console, $($argument)*);
    }};
}
