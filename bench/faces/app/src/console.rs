//! Bytes to the console and from it, by `embedded-io` and by the calls below that.

use bench_board::device::has_received;
use bench_board::{around, used};
use beryl_ecosystem::serial::{Input, Output};
use beryl_user::console;
use beryl_user::interrupt::Interrupt;
use embedded_io::{Read, Write};

use crate::{failed, repeat};

/// Line ends, which whoever reads the samples passes over.
const BLANK: [u8; 16] = [b'\n'; 16];

/// Thread: writes, and reads what is typed meanwhile.
pub fn speak(typed: Interrupt) -> ! {
    repeat("ecosystem/write/native", || around(|| console::put(b'\n')));
    repeat("ecosystem/write/face", || around(|| write(b"\n")));
    repeat("ecosystem/line/native", || around(|| console::write(&BLANK)));
    repeat("ecosystem/line/face", || around(|| write(&BLANK)));
    // What follows is for a run in which somebody types.
    beryl_user::println!("end");
    let mut input = Input::new(typed);
    repeat("ecosystem/read/native", || {
        arrives();
        around(|| match console::receive() {
            Some(byte) => used(byte.into()),
            None => failed("nothing was received"),
        })
    });
    repeat("ecosystem/read/face", || {
        arrives();
        around(|| {
            let mut byte = [0];
            match input.read(&mut byte) {
                Ok(1) => used(byte[0].into()),
                _ => failed("nothing was read"),
            }
        })
    });
    bench_board::end()
}

#[inline(always)]
fn write(bytes: &[u8]) {
    if Output.write_all(bytes).is_err() {
        failed("nothing was written");
    }
}

/// Until a byte is there: who reads it doesn't wait.
fn arrives() {
    while !has_received() {}
}
