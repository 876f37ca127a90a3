//! The registry: the one place that names boards and their port. Everything else asks here.
//!
//! All boards that there are have processors of one family, so there is one port. What reads its machine code
//! is a crate of its own.

pub use beryl_cortex_m as port;
pub use beryl_thumb as code;

use beryl_abi::Range;
use beryl_mps2::map;

use super::{Board, Device, Inputs};
use crate::interval::Interval;
use crate::quantity::Nanoseconds;
use port::Rights;

/// All boards.
pub const BOARDS: &[Board] = &[
    mps2(
        beryl_mps2_an385::NAME,
        ["beryl-mps2-an385", "kernel/boards/mps2-an385"],
        &beryl_mps2_an385::EMULATED,
    ),
    mps2(
        beryl_mps2_an386::NAME,
        ["beryl-mps2-an386", "kernel/boards/mps2-an386"],
        &beryl_mps2_an386::EMULATED,
    ),
];

/// The name of the board on which the kernel's steps are measured.
pub const MEASURED: &str = beryl_mps2_an385::NAME;

/// The whole PSRAM, which is what the emulator calls the memory of its machine.
const WORLD: Range = Range::new(map::ENVIRONMENT.address, 0x0100_0000);

/// The controller of the family: `ICER` masks lines, `IABR` has those that are being served.
const INPUTS: Inputs =
    Inputs { path: "/machine/armv7m", masking: Interval::new(0xE000_E180, 0xE000_E1C0), active: 0xE000_E300 };

/// What these boards have for processes.
const DEVICES: &[Device] = &[
    Device { name: "environment", interval: Interval::of(map::ENVIRONMENT), rights: Rights::ReadWrite },
    Device { name: "uart0", interval: Interval::of(map::UART0), rights: Rights::ReadWrite },
    // The kernel's clock: to be read only.
    Device { name: "timer0", interval: Interval::of(map::TIMER0), rights: Rights::Read },
    Device { name: "dualtimer", interval: Interval::of(map::DUAL_TIMER), rights: Rights::ReadWrite },
];

/// Arm's MPS2 with the memory and the devices that its application notes for single Cortex-M processors have
/// in common, as QEMU emulates it.
const fn mps2(name: &'static str, package: [&'static str; 2], emulated: &'static [&'static str]) -> Board {
    Board {
        name,
        package,
        flash: Interval::of(map::FLASH),
        ram: Interval::of(map::RAM),
        tick: Nanoseconds::new(map::TICK_NANOSECONDS as u64),
        devices: DEVICES,
        environment: "environment",
        world: Interval::of(WORLD),
        recording: Interval::of(map::TRACE),
        console: "uart0",
        clock: "timer0",
        count: map::TIMER0.address + 4,
        inputs: INPUTS,
        device_lines: &[("uart0", &[0, 1]), ("dualtimer", &[10])],
        lines: map::LINES as u16,
        kernel_lines: &[map::TIMER1_LINE.0],
        emulated,
        regions: port::mpu::REGIONS,
    }
}
