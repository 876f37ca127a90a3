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
    pub(crate) fn new(inputs: Inputs, orders: Orders) -> Emulated {
        Emulated { inputs, orders }
    }
}

impl Controller for Emulated {
    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
        let controller = self.inputs.controller.clone();
        let order = format!("set_irq_in {controller} unnamed-gpio-in {} {}", line.0, u8::from(is_up));
        self.orders.give(&order).map(drop)
    }
}
