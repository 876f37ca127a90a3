//! The console as a stream of bytes, for `embedded-io` and `embedded-io-async`: in the process that has its device.

use core::convert::Infallible;

use beryl_user::console;
use beryl_user::interrupt::Interrupt;
use embedded_io::{ErrorType, Read, Write};

use crate::executor::Event;

/// What goes out. While the device has no room, the thread waits for it where it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Output;

impl ErrorType for Output {
    type Error = Infallible;
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        bytes.iter().for_each(|byte| console::put(*byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io_async::Write for Output {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Write::write(self, bytes)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// What comes in, for a thread: it sleeps until something does.
pub struct Input {
    line: Interrupt,
}

impl Input {
    /// The console's receiver, by its interrupt.
    #[must_use]
    pub fn new(line: Interrupt) -> Input {
        console::listen();
        Input { line }
    }
}

impl ErrorType for Input {
    type Error = Infallible;
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let Some(place) = bytes.first_mut() else { return Ok(0) };
        loop {
            if let Some(byte) = console::receive() {
                *place = byte;
                return Ok(1);
            }
            // Inside a critical section a thread can't wait: it looks again.
            let _ = self.line.wait();
        }
    }
}

/// What comes in, for a task: others run until something does.
pub struct AsyncInput<'a> {
    line: Interrupt,
    event: &'a Event,
}

impl<'a> AsyncInput<'a> {
    /// The console's receiver, by its interrupt, and the event that [`run`](crate::executor::run) knows it by.
    #[must_use]
    pub fn new(line: Interrupt, event: &'a Event) -> AsyncInput<'a> {
        console::listen();
        AsyncInput { line, event }
    }
}

impl ErrorType for AsyncInput<'_> {
    type Error = Infallible;
}

impl embedded_io_async::Read for AsyncInput<'_> {
    async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let Some(place) = bytes.first_mut() else { return Ok(0) };
        loop {
            if let Some(byte) = console::receive() {
                *place = byte;
                return Ok(1);
            }
            self.line.acknowledge();
            self.event.wait().await;
        }
    }
}
