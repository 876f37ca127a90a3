//! The memory on the I2C bus, by a driver of others: on the board the bus has two wires, in the simulation the chip's model.

use beryl_ecosystem::i2c::Bus;
use eeprom24x::{Eeprom24x, SlaveAddr, addr_size, page_size, unique_serial};

#[cfg(target_os = "none")]
use beryl_ecosystem::i2c::OnBoard as Wires;
#[cfg(not(target_os = "none"))]
use beryl_ecosystem::i2c::memory::Memory as Wires;

/// A memory of 4 KB with pages of 32 bytes.
pub type Memory = Eeprom24x<Bus<Wires>, page_size::B32, addr_size::TwoBytes, unique_serial::No>;

/// The memory at its first address.
pub fn memory() -> Memory {
    #[cfg(target_os = "none")]
    let wires = Wires;
    #[cfg(not(target_os = "none"))]
    let wires = Wires::new([0xFF; 4096]);
    Eeprom24x::new_24x32(Bus::new(wires), SlaveAddr::default())
}
