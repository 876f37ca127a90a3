//! The server: owns the device, and writes one line at a time.

use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::Receiver;
use beryl_user::{call, console};

use crate::line::{Line, text};

/// Writes lines in the order in which they came, each whole.
pub fn server(mut sent: Interrupt, mut lines: Receiver<Line>) -> ! {
    while let Ok(line) = lines.receive() {
        text(&line).for_each(|byte| send(byte, &mut sent));
    }
    call::stop()
}

/// While the device sends a byte, others run, unless it doesn't tell when it has sent one.
fn send(byte: u8, sent: &mut Interrupt) {
    if sent.is_silent() {
        return console::put(byte);
    }
    console::transmit(byte);
    if sent.wait().is_err() {
        call::stop();
    }
}
