//! Pins of a port: an output, an input, or a device's (RM0090, 8).

/// A port's registers. All ports have the same; the chip's description has them three times.
pub use stm32f4::stm32f405::gpioi::RegisterBlock as Registers;

/// One of the sixteen pins of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin(u8);

impl Pin {
    /// Pin `number` from 0 on.
    #[must_use]
    pub const fn new(number: u8) -> Option<Pin> {
        if number < 16 { Some(Pin(number)) } else { None }
    }
}

/// Pins of a port.
pub struct Pins<'a>(&'a Registers);

impl<'a> Pins<'a> {
    /// Those that these registers are about.
    #[must_use]
    pub const fn new(registers: &'a Registers) -> Pins<'a> {
        Pins(registers)
    }

    /// The pin is an input.
    pub fn input(&self, pin: Pin) {
        self.0.moder().modify(|_, w| w.moder(pin.0).input());
    }

    /// The pin is an output, and is down until it is [`put`](Pins::put) up.
    pub fn output(&self, pin: Pin) {
        self.put(pin, false);
        self.0.moder().modify(|_, w| w.moder(pin.0).output());
    }

    /// The pin is that of the device which the datasheet's table of alternate functions has in column `function`, of 0 to 15.
    pub fn device(&self, pin: Pin, function: u8) {
        let (half, place) = (pin.0 / 8, u32::from(pin.0 % 8) * 4);
        let change = |bits: u32| bits & !(0xF << place) | u32::from(function & 0xF) << place;
        match half {
            // SAFETY: each of the sixteen functions is one, and those of other pins stay.
            0 => self.0.afrl().modify(|r, w| unsafe { w.bits(change(r.bits())) }),
            // SAFETY: as above.
            _ => self.0.afrh().modify(|r, w| unsafe { w.bits(change(r.bits())) }),
        };
        self.0.moder().modify(|_, w| w.moder(pin.0).alternate());
    }

    /// Puts an output up or down, at once and without the others.
    pub fn put(&self, pin: Pin, is_up: bool) {
        self.0.bsrr().write(|w| if is_up { w.bs(pin.0).set_bit() } else { w.br(pin.0).set_bit() });
    }

    /// Whether a pin is up.
    #[must_use]
    pub fn is_up(&self, pin: Pin) -> bool {
        self.0.idr().read().bits() >> pin.0 & 1 == 1
    }
}
