//! A serial line: a byte at a time (RM0090, 30).

pub use stm32f4::stm32f405::usart1::RegisterBlock as Registers;

use crate::{Silent, wait_until};

/// A serial line.
pub struct Line<'a>(&'a Registers);

impl<'a> Line<'a> {
    /// Turns the line on, both ways. A bit takes `cycles` of the bus's clock (40 MHz for line 2, 80 MHz for line 1), of 16 on.
    #[must_use]
    pub fn start(registers: &'a Registers, cycles: u16) -> Line<'a> {
        registers.brr().write(|w| w.div_mantissa().set(cycles >> 4).div_fraction().set((cycles & 0xF) as u8));
        registers.cr1().write(|w| w.ue().enabled().te().enabled().re().enabled());
        Line(registers)
    }

    /// Sends a byte when there is room for it.
    ///
    /// # Errors
    /// [`Silent`]: nothing is sent.
    pub fn send(&self, byte: u8) -> Result<(), Silent> {
        wait_until(|| self.0.sr().read().txe().bit_is_set())?;
        self.0.dr().write(|w| w.dr().set(byte.into()));
        Ok(())
    }

    /// The byte that has arrived, if there is one.
    #[must_use]
    pub fn receive(&self) -> Option<u8> {
        let has_arrived = self.0.sr().read().rxne().bit_is_set();
        has_arrived.then(|| self.0.dr().read().dr().bits() as u8)
    }

    /// Lets the line interrupt for each byte that arrives.
    pub fn interrupt(&self) {
        self.0.cr1().modify(|_, w| w.rxneie().enabled());
    }
}
