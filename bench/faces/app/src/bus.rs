//! A byte of the memory chip on the I2C bus: by a driver of others, by `embedded-hal`, and by the wires themselves.

use bench_board::{around, used};
use beryl_ecosystem::i2c::{Bus, OnBoard};
use beryl_user::call;
use beryl_user::sbcon::{CLOCK, DATA, read, set};
use eeprom24x::{Eeprom24x, SlaveAddr};
use embedded_hal::i2c::I2c;

use crate::{failed, repeat};

/// The chip's address, and a place in it.
const CHIP: u8 = 0x50;
const PLACE: [u8; 2] = [0, 5];

/// Thread: reads the same byte again and again.
pub fn ask_the_memory() -> ! {
    let mut bus = Bus::new(OnBoard);
    repeat("ecosystem/i2c/wires", || {
        around(|| match by_wires() {
            Some(byte) => used(byte.into()),
            None => failed("the chip is silent"),
        })
    });
    repeat("ecosystem/i2c/hal", || {
        around(|| {
            let mut byte = [0];
            match bus.write_read(CHIP, &PLACE, &mut byte) {
                Ok(()) => used(byte[0].into()),
                Err(_) => failed("the chip is silent"),
            }
        })
    });
    let mut memory = Eeprom24x::new_24x32(bus, SlaveAddr::default());
    repeat("ecosystem/i2c/driver", || {
        around(|| match memory.read_byte(PLACE[1].into()) {
            Ok(byte) => used(byte.into()),
            Err(_) => failed("the chip is silent"),
        })
    });
    call::stop()
}

/// What a program without a bus would do: the same bits with the same pauses.
#[inline(never)]
fn by_wires() -> Option<u8> {
    start();
    let is_there = send(CHIP << 1) && send(PLACE[0]) && send(PLACE[1]);
    start();
    if !(is_there && send(CHIP << 1 | 1)) {
        return None;
    }
    let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(bit(true)));
    bit(true);
    set(DATA, false);
    pause();
    set(CLOCK, true);
    pause();
    set(DATA, true);
    pause();
    Some(byte)
}

fn start() {
    set(DATA, true);
    pause();
    set(CLOCK, true);
    pause();
    set(DATA, false);
    pause();
    set(CLOCK, false);
}

fn send(byte: u8) -> bool {
    for place in (0..8).rev() {
        bit(byte >> place & 1 == 1);
    }
    !bit(true)
}

fn bit(up: bool) -> bool {
    set(DATA, up);
    pause();
    set(CLOCK, true);
    pause();
    let is_up = read() & DATA != 0;
    set(CLOCK, false);
    is_up
}

fn pause() {
    for _ in 0..16 {
        read();
    }
}
