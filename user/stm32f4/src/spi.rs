//! A serial peripheral bus as its master, eight bits at a time, mode 0 (RM0090, 28). Who is spoken to is a pin's business.

pub use stm32f4::stm32f405::spi1::RegisterBlock as Registers;

use crate::{Silent, wait_until};

/// A bus.
pub struct Bus<'a>(&'a Registers);

impl<'a> Bus<'a> {
    /// Turns the bus on. A bit takes 2^(`slowness` + 1) cycles of the clock behind it (80 MHz for bus 1); `slowness` is at most 7.
    #[must_use]
    pub fn start(registers: &'a Registers, slowness: u8) -> Bus<'a> {
        registers.cr1().write(|w| {
            w.mstr().master().br().set(slowness.min(7)).ssm().enabled().ssi().slave_not_selected()
        });
        registers.cr1().modify(|_, w| w.spe().enabled());
        Bus(registers)
    }

    /// Sends a byte, and answers the one that came at the same time.
    ///
    /// # Errors
    /// [`Silent`]: the bus has no clock, or isn't on.
    pub fn exchange(&self, byte: u8) -> Result<u8, Silent> {
        wait_until(|| self.0.sr().read().txe().bit_is_set())?;
        self.0.dr().write(|w| w.dr().set(byte.into()));
        wait_until(|| self.0.sr().read().rxne().bit_is_set())?;
        Ok(self.0.dr().read().dr().bits() as u8)
    }
}
