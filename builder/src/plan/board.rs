//! The boards that a system can be built for: where their memory and devices are.

use beryl_mps2_an385::map;

use crate::plan::{Interval, Rights};
use crate::quantity::Nanoseconds;

/// What the builder must know of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// As the description names it.
    pub name: &'static str,
    /// Memory for the image.
    pub flash: Interval,
    /// Memory for data.
    pub ram: Interval,
    /// One tick of kernel time.
    pub tick: Nanoseconds,
    /// What can be given to a process.
    pub devices: &'static [Device],
    /// The device that tells kernel time, by what it says to read: for processes that write down events.
    pub clock: &'static str,
    /// Where its count stands, which goes down.
    pub count: u32,
    /// Interrupt lines, from 0 on.
    pub lines: u16,
    /// Those that the kernel serves itself.
    pub kernel_lines: &'static [u16],
    /// The processor, as the emulator calls it.
    pub processor: &'static str,
    /// Regions of the protection unit.
    pub regions: u8,
}

/// Memory that isn't memory: a device, or the window to an emulated world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// As the description names it.
    pub name: &'static str,
    /// Its registers.
    pub interval: Interval,
    /// What its process may do with them.
    pub rights: Rights,
}

/// All boards.
pub const BOARDS: &[Board] = &[MPS2_AN385];

/// Arm's MPS2 with the Cortex-M3 of application note AN385, as QEMU emulates it.
const MPS2_AN385: Board = Board {
    name: map::NAME,
    flash: Interval::of(map::FLASH),
    ram: Interval::of(map::RAM),
    tick: Nanoseconds::new(map::TICK_NANOSECONDS as u64),
    devices: &[
        Device { name: "environment", interval: Interval::of(map::ENVIRONMENT), rights: Rights::ReadWrite },
        Device { name: "uart0", interval: Interval::of(map::UART0), rights: Rights::ReadWrite },
        // The kernel's clock: to be read only.
        Device { name: "timer0", interval: Interval::of(map::TIMER0), rights: Rights::Read },
        Device { name: "dualtimer", interval: Interval::of(map::DUAL_TIMER), rights: Rights::ReadWrite },
    ],
    clock: "timer0",
    count: map::TIMER0.address + 4,
    lines: map::LINES as u16,
    kernel_lines: &[map::TIMER1_LINE.0],
    processor: map::PROCESSOR,
    regions: beryl_cortex_m::mpu::REGIONS,
};

impl Board {
    /// The board of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// The device of this name.
    #[must_use]
    pub fn device(&self, name: &str) -> Option<&'static Device> {
        self.devices.iter().find(|device| device.name == name)
    }
}
