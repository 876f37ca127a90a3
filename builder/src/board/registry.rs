//! The registry: the one place that names boards, their processors and ports. Everything else asks here.
//!
//! What reads machine code is a crate of its own; there is one, for one family of processors.

pub(crate) mod armv7m;
pub(crate) mod armv8m;
mod kept;
mod rv32;

pub use beryl_code as code;
/// Where the kernel leaves for another thread, and where the code of a function is, where machine code is read.
pub use beryl_cortex_m::facts::{FLOATING_REGISTERS, FLOATING_SWITCH, GO_ON, SWITCH, code_at};
pub use beryl_riscv::facts::TRAP;

use beryl_abi::Range;
use beryl_mps2::{an505, an521, map};
use beryl_stm32f405::map as stm32;
use beryl_virt::map as virt;

use super::{Board, Counts, Device, Rights};
use crate::interval::Interval;
use crate::quantity::Nanoseconds;
use armv7m::ARMV7M;
use armv8m::{ARMV8M, ARMV8M_APART};
use rv32::RV32;

/// All boards.
pub const BOARDS: &[Board] = &[
    mps2(
        beryl_mps2_an385::NAME,
        ["beryl-mps2-an385", "kernel/boards/mps2-an385"],
        &beryl_mps2_an385::EMULATED,
    ),
    Board {
        floating: Some(&armv7m::FLOATING),
        ..mps2(
            beryl_mps2_an386::NAME,
            ["beryl-mps2-an386", "kernel/boards/mps2-an386"],
            &beryl_mps2_an386::EMULATED,
        )
    },
    AN505,
    AN521,
    STM32F405,
    VIRT,
];

/// What the crate of a board calls it.
const KERNEL: &str = "Board";
/// And the macro that makes a kernel.
const MADE_BY: &str = "kernel";

/// The name of the board on which the kernel's steps are measured.
pub const MEASURED: &str = beryl_mps2_an385::NAME;

/// The whole PSRAM, which is what the emulator calls the memory of its machine.
const WORLD: Range = Range::new(map::ENVIRONMENT.address, 0x0100_0000);

/// What these boards have for processes.
const DEVICES: &[Device] = &[
    Device { name: "environment", interval: Interval::of(map::ENVIRONMENT), rights: Rights::ReadWrite },
    Device { name: "uart0", interval: Interval::of(map::UART0), rights: Rights::ReadWrite },
    // The kernel's clock: to be read only.
    Device { name: "timer0", interval: Interval::of(map::TIMER0), rights: Rights::Read },
    Device { name: "dualtimer", interval: Interval::of(map::DUAL_TIMER), rights: Rights::ReadWrite },
    Device { name: "ethernet", interval: Interval::of(map::ETHERNET), rights: Rights::ReadWrite },
    Device { name: "i2c", interval: Interval::of(map::I2C), rights: Rights::ReadWrite },
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
        shared: Some(Interval::of(WORLD)),
        controller: "/machine/armv7m",
        recording: Interval::of(map::TRACE),
        console: "uart0",
        clock: "timer0",
        count: map::TIMER0.address + 4,
        counts: Counts::Down,
        device_lines: &[
            ("uart0", &[0, 1]),
            ("dualtimer", &[map::DUAL_TIMER_LINE.0]),
            ("ethernet", &[map::ETHERNET_LINE.0]),
        ],
        lines: map::LINES as u16,
        kernel_lines: &[map::TIMER1_LINE.0],
        called: None,
        user: &[],
        emulated,
        kernel: KERNEL,
        made_by: MADE_BY,
        processors: 1,
        apart: None,
        cores: &[],
        processor: &ARMV7M,
        floating: None,
    }
}

/// What it has for processes.
const AN505_DEVICES: &[Device; 6] = &[
    Device { name: "environment", interval: Interval::of(an505::ENVIRONMENT), rights: Rights::ReadWrite },
    Device { name: "uart0", interval: Interval::of(an505::UART0), rights: Rights::ReadWrite },
    // The kernel's clock: to be read only.
    Device { name: "timer0", interval: Interval::of(an505::TIMER0), rights: Rights::Read },
    // Not where the other boards have theirs, so code for those isn't for this one.
    Device { name: "timers", interval: Interval::of(an505::DUAL_TIMER), rights: Rights::ReadWrite },
    Device { name: "ethernet", interval: Interval::of(an505::ETHERNET), rights: Rights::ReadWrite },
    Device { name: "i2c", interval: Interval::of(an505::I2C), rights: Rights::ReadWrite },
];

/// The same board with another application note: a Cortex-M33 in its secure state.
const AN505: Board = Board {
    name: beryl_mps2_an505::NAME,
    package: ["beryl-mps2-an505", "kernel/boards/mps2-an505"],
    flash: Interval::of(an505::FLASH),
    ram: Interval::of(an505::RAM),
    tick: Nanoseconds::new(an505::TICK_NANOSECONDS as u64),
    devices: AN505_DEVICES,
    environment: "environment",
    shared: Some(Interval::of(an505::PSRAM)),
    controller: "/machine/iotkit/cluster0/armv7m0",
    recording: Interval::of(an505::TRACE),
    console: "uart0",
    clock: "timer0",
    count: an505::TIMER0.address + 4,
    counts: Counts::Down,
    device_lines: &[
        ("uart0", &[32, 33]),
        ("timers", &[an505::DUAL_TIMER_LINE.0]),
        ("ethernet", &[an505::ETHERNET_LINE.0]),
    ],
    lines: an505::LINES as u16,
    kernel_lines: &[an505::TIMER1_LINE.0],
    called: None,
    user: &[],
    emulated: &beryl_mps2_an505::EMULATED,
    kernel: KERNEL,
    made_by: MADE_BY,
    processors: 1,
    apart: None,
    cores: &[],
    processor: &ARMV8M,
    floating: Some(&armv7m::FLOATING),
};

/// The same board with two of these processors, of which the emulator gives the first no floating point. The second waits, unless
/// it has a kernel of its own.
const AN521: Board = Board { cores: &AN521_CORES, apart: Some(&AN521_APART), ..AN521_WHOLE };

/// With a kernel on the second, and its threads on the first: they call each other by the unit for messages.
static AN521_APART: Board = Board {
    kernel: beryl_mps2_an521::APART[0],
    made_by: beryl_mps2_an521::APART[1],
    processors: an521::CORES,
    kernel_lines: &[an521::TIMER1_LINE.0, an521::MESSAGES_LINE.0],
    processor: &ARMV8M_APART,
    ..AN521_WHOLE
};

const AN521_WHOLE: Board = Board {
    name: beryl_mps2_an521::NAME,
    package: ["beryl-mps2-an521", "kernel/boards/mps2-an521"],
    emulated: &beryl_mps2_an521::EMULATED,
    floating: None,
    ..AN505
};

/// What kernels have of it if both run: a processor each, and half of each memory.
const AN521_CORES: [Board; an521::CORES] = {
    let [first, second] = beryl_mps2_an521::SHARED;
    [an521_half(0, first), an521_half(1, second)]
};

/// What both have for processes. The more timers aren't among it: one of them is the second kernel's alarm.
static AN521_DEVICES: [[Device; 5]; an521::CORES] = [an521_devices(0), an521_devices(1)];

/// The lines that they serve themselves: each has an alarm, and is called by the other one.
const AN521_ALARMS: [&[u16]; an521::CORES] = {
    let [first, second] = [an521::TIMER1_LINE.0, an521::DUAL_TIMER_LINE.0];
    [&[first, second, an521::MESSAGES_LINE.0], &[second, first, an521::MESSAGES_LINE.0]]
};

const fn an521_devices(core: u32) -> [Device; 5] {
    let [_, console, clock, _, ethernet, i2c] = *AN505_DEVICES;
    let window = Interval::of(an521::environment(core));
    [
        Device { name: "environment", interval: window, rights: Rights::ReadWrite },
        console,
        clock,
        ethernet,
        i2c,
    ]
}

const fn an521_half(core: u32, kernel: &'static str) -> Board {
    Board {
        flash: Interval::of(an521::half(an521::FLASH, core)),
        ram: Interval::of(an521::half(an521::RAM, core)),
        devices: &AN521_DEVICES[core as usize],
        shared: Some(Interval::of(an521::half(an521::PSRAM, core))),
        recording: Interval::of(an521::trace(core)),
        device_lines: &[("uart0", &[32, 33]), ("ethernet", &[an521::ETHERNET_LINE.0])],
        kernel_lines: AN521_ALARMS[core as usize],
        called: Some(an521::MESSAGES_LINE.0),
        kernel,
        ..AN521_WHOLE
    }
}

/// A chip that one can buy, as the emulator has it. The kernel takes one of its timers for the clock and one for the alarm; the
/// emulator's serial lines interrupt for what has arrived, and not for what was sent.
const STM32F405: Board = Board {
    name: beryl_stm32f405::NAME,
    package: ["beryl-stm32f405", "kernel/boards/stm32f405"],
    flash: Interval::of(stm32::FLASH),
    ram: Interval::of(stm32::RAM),
    tick: Nanoseconds::new(stm32::TICK_NANOSECONDS as u64),
    devices: &[
        Device { name: "environment", interval: Interval::of(stm32::ENVIRONMENT), rights: Rights::ReadWrite },
        Device { name: "uart0", interval: Interval::of(stm32::UART0), rights: Rights::ReadWrite },
        // The kernel's clock: to be read only.
        Device { name: "timer0", interval: Interval::of(stm32::TIMER5), rights: Rights::Read },
        Device { name: "uart2", interval: Interval::of(stm32::UART2), rights: Rights::ReadWrite },
        Device { name: "port_a", interval: Interval::of(stm32::PORTS[0]), rights: Rights::ReadWrite },
        Device { name: "port_b", interval: Interval::of(stm32::PORTS[1]), rights: Rights::ReadWrite },
        Device { name: "port_c", interval: Interval::of(stm32::PORTS[2]), rights: Rights::ReadWrite },
        Device { name: "port_d", interval: Interval::of(stm32::PORTS[3]), rights: Rights::ReadWrite },
        Device { name: "spi1", interval: Interval::of(stm32::SPI1), rights: Rights::ReadWrite },
        Device { name: "timer3", interval: Interval::of(stm32::TIMER3), rights: Rights::ReadWrite },
        Device { name: "timer4", interval: Interval::of(stm32::TIMER4), rights: Rights::ReadWrite },
        Device { name: "converter", interval: Interval::of(stm32::CONVERTER), rights: Rights::ReadWrite },
    ],
    environment: "environment",
    // The SRAM is the chip's, which the emulator keeps for itself.
    shared: None,
    controller: "/machine/unattached/device[0]/armv7m",
    recording: Interval::of(stm32::TRACE),
    console: "uart0",
    clock: "timer0",
    count: stm32::TIMER5.address + 0x24,
    counts: Counts::Up,
    device_lines: &[
        ("uart0", &[stm32::UART0_LINE]),
        ("uart2", &[stm32::UART2_LINE]),
        ("timer3", &[stm32::TIMER3_LINE.0]),
        ("timer4", &[stm32::TIMER4_LINE.0]),
        ("converter", &[18]),
    ],
    lines: stm32::LINES as u16,
    kernel_lines: &[stm32::TIMER2_LINE.0],
    called: None,
    user: &["stm32f4"],
    emulated: &beryl_stm32f405::EMULATED,
    kernel: KERNEL,
    made_by: MADE_BY,
    processors: 1,
    apart: None,
    cores: &[],
    processor: &ARMV7M,
    floating: Some(&armv7m::FLOATING),
};

/// QEMU's own machine with RV32IMAC processors. All of its memory is RAM, of which the board's crate takes parts.
const VIRT: Board = Board { cores: &VIRT_CORES, ..virt_part(0, KERNEL) };

/// What kernels have of it if several run at once: a processor each, and a part of the memory that is laid out as the first.
const VIRT_CORES: [Board; virt::HARTS] = {
    let [first, second, third, fourth] = beryl_virt::SHARED;
    [virt_part(0, first), virt_part(1, second), virt_part(2, third), virt_part(3, fourth)]
};

/// What each of them has for processes. All but the window is there once.
static VIRT_DEVICES: [[Device; 4]; virt::HARTS] =
    [virt_devices(0), virt_devices(1), virt_devices(2), virt_devices(3)];

const fn virt_devices(hart: u32) -> [Device; 4] {
    let window = Interval::of(virt::of_hart(virt::ENVIRONMENT, hart));
    [
        Device { name: "environment", interval: window, rights: Rights::ReadWrite },
        Device { name: "uart0", interval: Interval::of(virt::UART0), rights: Rights::ReadWrite },
        // The kernel's clock: to be read only.
        Device { name: "timer0", interval: Interval::of(virt::MTIME), rights: Rights::Read },
        Device { name: "rtc", interval: Interval::of(virt::RTC), rights: Rights::ReadWrite },
    ]
}

const fn virt_part(hart: u32, kernel: &'static str) -> Board {
    Board {
        name: beryl_virt::NAME,
        package: ["beryl-virt", "kernel/boards/virt"],
        flash: Interval::of(virt::of_hart(virt::FLASH, hart)),
        ram: Interval::of(virt::of_hart(virt::RAM, hart)),
        tick: Nanoseconds::new(virt::TICK_NANOSECONDS as u64),
        devices: &VIRT_DEVICES[hart as usize],
        environment: "environment",
        shared: Some(Interval::of(virt::of_hart(virt::MEMORY, hart))),
        controller: "/machine/unattached/device[2]",
        recording: Interval::of(virt::of_hart(virt::TRACE, hart)),
        console: "uart0",
        clock: "timer0",
        count: virt::MTIME.address,
        counts: Counts::Up,
        device_lines: &[("uart0", &[10]), ("rtc", &[11])],
        lines: virt::LINES as u16,
        // The alarm's, which isn't the interrupt controller's.
        kernel_lines: &[0],
        called: None,
        user: &[],
        emulated: &beryl_virt::EMULATED,
        kernel,
        made_by: MADE_BY,
        processors: 1,
        apart: None,
        cores: &[],
        processor: &RV32,
        floating: None,
    }
}
