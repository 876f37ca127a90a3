//! The converter: a voltage as a number of twelve bits (RM0090, 13).

pub use stm32f4::stm32f405::adc1::RegisterBlock as Registers;

use crate::{Silent, wait_until};

/// The converter.
pub struct Converter<'a>(&'a Registers);

impl<'a> Converter<'a> {
    /// Turns it on, for one conversion at a time. It is steady three microseconds later.
    #[must_use]
    pub fn start(registers: &'a Registers) -> Converter<'a> {
        registers.cr2().write(|w| w.adon().set_bit());
        Converter(registers)
    }

    /// The voltage at input `channel` of 0 to 18, as a part of 4096 of the reference: converted now.
    ///
    /// # Errors
    /// [`Silent`]: no conversion ends.
    pub fn convert(&self, channel: u8) -> Result<u16, Silent> {
        // SAFETY: one of the 19 inputs that there are.
        self.0.sqr3().write(|w| unsafe { w.sq1().bits(channel.min(18)) });
        self.0.sr().modify(|_, w| w.eoc().clear_bit());
        self.0.cr2().modify(|_, w| w.swstart().set_bit());
        wait_until(|| self.0.sr().read().eoc().bit_is_set())?;
        Ok(self.0.dr().read().data().bits())
    }
}
