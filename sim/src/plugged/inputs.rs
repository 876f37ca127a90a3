//! The inputs of the emulated interrupt controller, by [orders](super::orders) to the emulator.

use beryl_abi::Line;

use super::Broken;
use super::lines::Controller;
use super::orders::Orders;
use super::settings::Inputs;

/// The controller at the other end.
pub(crate) struct Emulated {
    inputs: Inputs,
    orders: Orders,
}

impl Emulated {
    pub(crate) fn new(inputs: Inputs) -> Emulated {
        Emulated { orders: Orders::new(inputs.socket.clone()), inputs }
    }
}

impl Controller for Emulated {
    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
        let controller = self.inputs.controller.clone();
        let order = format!("set_irq_in {controller} unnamed-gpio-in {} {}", line.0, u8::from(is_up));
        self.orders.give(&order).map(drop)
    }

    fn has_taken(&mut self, line: Line) -> Result<bool, Broken> {
        let address = self.inputs.bits + u32::from(line.0 / 32) * 4;
        let answer = self.orders.give(&format!("readl {address:#x}"))?;
        let word = answer.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let word =
            word.ok_or_else(|| Broken(format!("the emulator answers `{answer}` where a word is due")))?;
        Ok((word >> (line.0 % 32) & 1 == 1) == self.inputs.is_set)
    }
}
