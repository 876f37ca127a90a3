//! The boards that a system can be built for: where their memory and devices are.

pub mod processor;
mod region;
mod registry;

pub use processor::{Processor, Rights, Uncoverable};
pub use region::Region;
pub use registry::{
    BOARDS, FLOATING_REGISTERS, FLOATING_SWITCH, GO_ON, MEASURED, SWITCH, TRAP, code, code_at,
};
#[cfg(test)]
pub(crate) use registry::{armv7m, armv8m};

use crate::interval::Interval;
use crate::quantity::Nanoseconds;

/// How long a turn of an emulated core is, of virtual time: a microsecond. A core is late by the turns of the others, so longer ones
/// would make it later.
pub const TURN: Nanoseconds = Nanoseconds::new(1_000);

/// What the builder must know of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// As the description names it.
    pub name: &'static str,
    /// The name of its crate, and where that is in Beryl's source.
    pub package: [&'static str; 2],
    /// Memory for the image.
    pub flash: Interval,
    /// Memory for data.
    pub ram: Interval,
    /// One tick of kernel time.
    pub tick: Nanoseconds,
    /// What can be given to a process.
    pub devices: &'static [Device],
    /// The device through which an emulated board exchanges values with its environment.
    pub environment: &'static str,
    /// Memory that the emulator can keep in a file, for a program beside it: the window of
    /// [`environment`](Board::environment) and the recording are in it. Where there is none, such a program asks the emulator.
    pub shared: Option<Interval>,
    /// What the emulator calls the interrupt controller, whose lines its protocol for tests moves.
    pub controller: &'static str,
    /// Where an emulated board collects its trace records.
    pub recording: Interval,
    /// The device that serves as the console.
    pub console: &'static str,
    /// The device from which processes that write down events read kernel time.
    pub clock: &'static str,
    /// The address of its count.
    pub count: u32,
    /// Which way that goes.
    pub counts: Counts,
    /// The lines of devices that can be given to a process.
    pub device_lines: &'static [(&'static str, &'static [u16])],
    /// Interrupt lines, from 0 on.
    pub lines: u16,
    /// Those that the kernel serves itself, its alarm's first.
    pub kernel_lines: &'static [u16],
    /// Among those, the line on which kernels of other cores call, where that is one of the controller's.
    pub called: Option<u16>,
    /// What of the library that applications link is for this board and not for all of its processor: features of its crate.
    pub user: &'static [&'static str],
    /// The emulator's arguments for this board.
    pub emulated: &'static [&'static str],
    /// What its crate calls the board on which its kernel runs.
    pub kernel: &'static str,
    /// The macro of its crate that makes a kernel.
    pub made_by: &'static str,
    /// How many processors one kernel has: a second one is its own, and the threads have the first.
    pub processors: usize,
    /// The same board with a processor of the kernel's own, if it has one for that.
    pub apart: Option<&'static Board>,
    /// For each of its cores, the part of the board that a kernel there has if others run, too; none if it has one core.
    pub cores: &'static [Board],
    /// Its processor.
    pub processor: &'static Processor,
    /// How code is compiled that uses floating point in hardware, if it has that.
    pub floating: Option<&'static Floating>,
}

/// Which way a clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// From zero.
    Up,
    /// From all ones; it stands at zero before it begins.
    Down,
}

/// What processes with floating point in hardware are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floating {
    /// The compiler's name of the target.
    pub target: &'static str,
    /// What the compiler for functions in C is told.
    pub c_options: &'static [&'static str],
}

/// Memory of a process and what it holds at the start, as all ports write it down: `length` bytes from `load`, then zeros.
/// All addresses and lengths are multiples of four.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    /// Where the initial bytes are in flash.
    pub load: u32,
    /// Where they belong.
    pub address: u32,
    /// How many of them there are.
    pub length: u32,
    /// How many bytes behind them start as zero.
    pub zeros: u32,
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

impl Board {
    /// The board of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// Whether its kernel has a processor of its own, and threads another one.
    #[must_use]
    pub fn has_kernel_apart(&self) -> bool {
        self.processors > 1
    }

    /// How many kernels can run on it at once.
    #[must_use]
    pub fn most_kernels(&self) -> usize {
        self.cores.len().max(1)
    }

    /// The device of this name.
    #[must_use]
    pub fn device(&self, name: &str) -> Option<&'static Device> {
        self.devices.iter().find(|device| device.name == name)
    }

    /// The lines of a device, which has none if nothing is said of it.
    #[must_use]
    pub fn lines_of(&self, device: &str) -> &'static [u16] {
        self.device_lines.iter().find(|(name, _)| *name == device).map_or(&[], |(_, lines)| lines)
    }

    /// What a process of this board is compiled for.
    #[must_use]
    pub fn target(&self, is_floating: bool) -> &'static str {
        self.floating.filter(|_| is_floating).map_or(self.processor.target, |floating| floating.target)
    }

    /// Bytes of the vector table: what the processor has itself, and the interrupts.
    #[must_use]
    pub fn vectors(&self) -> u64 {
        self.processor.vectors.map_or(0, |own| 4 * (u64::from(own) + u64::from(self.lines)))
    }
}

/// The processors of all boards, each once.
#[must_use]
pub fn processors() -> Vec<&'static Processor> {
    let mut all: Vec<&Processor> = Vec::new();
    for board in BOARDS {
        if !all.contains(&board.processor) {
            all.push(board.processor);
        }
    }
    all
}

/// The names of all boards, in words.
#[must_use]
pub fn listed() -> String {
    let names: Vec<_> = BOARDS.iter().map(|board| format!("`{}`", board.name)).collect();
    match names.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.concat(),
    }
}
