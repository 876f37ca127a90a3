//! The server: owns the device, and writes one line at a time.

use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::Receiver;
use beryl_user::{call, console};

use crate::line::{Line, text};

/// Writes lines in the order in which they came, each whole. While the device sends a byte, others run.
pub fn server(mut sent: Interrupt, mut lines: Receiver<Line>) -> ! {
    while let Ok(line) = lines.receive() {
        for byte in text(&line) {
            console::transmit(byte);
            if sent.wait().is_err() {
                call::stop();
            }
        }
    }
    call::stop()
}
