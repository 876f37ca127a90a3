//! The registers of the chip's devices, by the names that the description gives them.
//!
//! Whoever touches one without having the device faults; nobody else is disturbed.

use stm32f4::stm32f405::{ADC1, GPIOA, GPIOB, GPIOC, GPIOD, SPI1, TIM3, TIM4, USART2};

use crate::{converter, pins, pulses, serial, spi};

/// `port_a`.
#[must_use]
pub fn port_a() -> &'static pins::Registers {
    at(GPIOA::PTR.cast())
}

/// `port_b`.
#[must_use]
pub fn port_b() -> &'static pins::Registers {
    at(GPIOB::PTR.cast())
}

/// `port_c`.
#[must_use]
pub fn port_c() -> &'static pins::Registers {
    at(GPIOC::PTR.cast())
}

/// `port_d`.
#[must_use]
pub fn port_d() -> &'static pins::Registers {
    at(GPIOD::PTR.cast())
}

/// `uart2`.
#[must_use]
pub fn uart2() -> &'static serial::Registers {
    at(USART2::PTR.cast())
}

/// `spi1`.
#[must_use]
pub fn spi1() -> &'static spi::Registers {
    at(SPI1::PTR)
}

/// `timer3`.
#[must_use]
pub fn timer3() -> &'static pulses::Registers {
    at(TIM3::PTR)
}

/// `timer4`.
#[must_use]
pub fn timer4() -> &'static pulses::Registers {
    at(TIM4::PTR.cast())
}

/// `converter`: the first of three.
#[must_use]
pub fn converter() -> &'static converter::Registers {
    at(ADC1::PTR)
}

/// Registers where the chip has them. Devices of a kind have the same ones in the same order.
fn at<R>(registers: *const R) -> &'static R {
    // SAFETY: on the chip the registers are there for ever, and are cells that hardware and software share. A process without
    // the device faults when it touches them; so does a program for another machine.
    unsafe { &*registers }
}
