//! The bus beside a chip by its data sheet, and a driver crate of others on both.
#![allow(missing_docs)]

use beryl_ecosystem::i2c::memory::{ADDRESS, Memory, SIZE};
use beryl_ecosystem::i2c::{Bus, Silence, Wires};
use eeprom24x::{Eeprom24x, SlaveAddr};
use embedded_hal::i2c::{I2c, Operation};

/// What the chip holds at the start: neighbours, and bytes of the same place on other pages, differ.
fn held() -> [u8; SIZE] {
    std::array::from_fn(|place| (place as u8).wrapping_mul(167).wrapping_add((place / 256) as u8))
}

fn bus() -> Bus<Memory> {
    Bus::new(Memory::new(held()))
}

#[test]
fn a_driver_of_others_reads_and_writes_every_byte() {
    let mut driver = Eeprom24x::new_24x32(bus(), SlaveAddr::default());
    for (place, byte) in (0..).zip(held()) {
        assert_eq!(driver.read_byte(place).map_err(|_| ()), Ok(byte));
        driver.write_byte(place, !byte).expect("it takes it");
    }
    let mut all = [0; SIZE];
    driver.read_data(0, &mut all).expect("it gives all");
    assert_eq!(all, held().map(|byte| !byte));
}

#[test]
fn a_page_is_written_at_once_and_ends_where_it_began() {
    let mut bus = bus();
    assert_eq!(bus.write(ADDRESS, &[0x01, 0x3E, 1, 2, 3, 4]), Ok(()));
    let mut read = [0; 34];
    assert_eq!(bus.write_read(ADDRESS, &[0x01, 0x1F], &mut read), Ok(()));
    let old = held();
    let expected = [&[old[0x11F], 3, 4], &old[0x122..0x13E], &[1, 2], &old[0x140..0x141]].concat();
    assert_eq!(read.as_slice(), expected);
}

#[test]
fn operations_of_one_direction_are_one_to_the_chip() {
    let mut bus = bus();
    let (mut first, mut second) = ([0], [0]);
    let mut operations =
        [Operation::Write(&[0x02, 0x40]), Operation::Write(&[0xAB, 0xCD]), Operation::Write(&[])];
    assert_eq!(bus.transaction(ADDRESS, &mut operations), Ok(()));
    let mut operations =
        [Operation::Write(&[0x02, 0x40]), Operation::Read(&mut first), Operation::Read(&mut second)];
    assert_eq!(bus.transaction(ADDRESS, &mut operations), Ok(()));
    assert_eq!([first, second], [[0xAB], [0xCD]]);
}

#[test]
fn nobody_answers_at_another_address() {
    let mut bus = bus();
    for address in (0..128).filter(|address| *address != ADDRESS) {
        assert_eq!(bus.write(address, &[0, 0, 0x99]), Err(Silence::Address), "{address:#x}");
        assert_eq!(bus.read(address, &mut [0]), Err(Silence::Address), "{address:#x}");
    }
    let mut read = [0; SIZE];
    assert_eq!(bus.write_read(ADDRESS, &[0, 0], &mut read), Ok(()));
    assert_eq!(read, held(), "and the chip has none of it");
}

/// A chip that a reset of the processor has left in the middle of reading: it holds the wire down where its bit is zero.
#[test]
fn a_chip_that_was_interrupted_lets_go() {
    for clocks in 0..40 {
        let mut chip = Memory::new([0; SIZE]);
        chip.data(false);
        chip.clock(false);
        for bit in 0..clocks {
            let address = (ADDRESS << 1 | 1).checked_shl(bit).unwrap_or(0);
            chip.data(bit > 7 || address & 0x80 != 0);
            chip.clock(true);
            chip.clock(false);
        }
        let mut bus = Bus::new(chip);
        let mut read = [7; 2];
        assert_eq!(bus.write_read(ADDRESS, &[0, 3], &mut read), Ok(()), "{clocks}");
        assert_eq!(read, [0, 0], "{clocks}");
    }
}
