//! Pulse widths: a timer of 16 bits with four channels, each up for a part of the period (RM0090, 18).

pub use stm32f4::stm32f405::tim3::RegisterBlock as Registers;

/// One of the four channels of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The first.
    One,
    /// The second.
    Two,
    /// The third.
    Three,
    /// The fourth.
    Four,
}

/// A timer that makes pulses.
pub struct Pulses<'a> {
    registers: &'a Registers,
    period: u16,
}

impl<'a> Pulses<'a> {
    /// Starts the timer: its clock (80 MHz) divided by `divided`, and `period` of that from pulse to pulse; both from 1 on. All
    /// channels are down.
    #[must_use]
    pub fn start(registers: &'a Registers, divided: u16, period: u16) -> Pulses<'a> {
        registers.psc().write(|w| w.psc().set(divided.saturating_sub(1)));
        registers.arr().write(|w| w.arr().set(period.saturating_sub(1)));
        registers.egr().write(|w| w.ug().set_bit());
        registers.cr1().write(|w| w.arpe().set_bit().cen().set_bit());
        Pulses { registers, period }
    }

    /// From the next pulse on the channel is up for `width` of the period, at most all of it.
    pub fn width(&self, channel: Channel, width: u16) {
        let number = channel as u8;
        self.registers.ccr(number.into()).write(|w| w.ccr().set(width.min(self.period)));
        match channel {
            Channel::One | Channel::Two => {
                self.registers.ccmr1_output().modify(|_, w| w.ocm(number).pwm_mode1().ocpe(number).set_bit())
            }
            Channel::Three | Channel::Four => self
                .registers
                .ccmr2_output()
                .modify(|_, w| w.ocm(number - 2).pwm_mode1().ocpe(number - 2).set_bit()),
        };
        self.registers.ccer().modify(|_, w| w.cce(number).set_bit());
    }
}
