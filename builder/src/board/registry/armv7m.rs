//! Armv7-M.

use beryl_code::awake::Rest;
use beryl_cortex_m::mpu::SWITCHED_REGIONS;
use beryl_cortex_m::{RegionWords, cover, facts, places};
use beryl_trace::crashes::Registers;

use crate::board::processor::{
    Compiler, Entries, Entry, More, Processor, Protection, Rights, Uncoverable, Unmeasured,
};
use crate::board::{Floating, Region};
use crate::interval::Interval;

/// The family.
pub const ARMV7M: Processor = Processor {
    name: "Armv7-M",
    package: [facts::PACKAGE, facts::FOLDER],
    module: facts::MODULE,
    target: facts::TARGET,
    kernel_options: &[],
    entries: Entries {
        calls: Entry::alone(facts::HANDLERS[0]),
        lines: Entry::numbered(facts::HANDLERS[1], facts::VECTORS as u32),
        lines_differ: true,
        alarm: None,
        faults: Entry::alone(facts::HANDLERS[2]),
        start: Entry::alone(facts::HANDLERS[3]),
        others: &[facts::HARD_FAULT],
    },
    c: &Compiler {
        processor: "arm",
        program: facts::C_COMPILER,
        cpp: "arm-none-eabi-g++",
        package: "gcc-arm-none-eabi",
        library: "picolibc-arm-none-eabi",
        options: &facts::C_OPTIONS,
        enters: facts::ENTERS,
        registers: facts::CALL_REGISTERS,
    },
    emulator: ["qemu-system-arm", "qemu-system-arm"],
    vectors: Some(facts::VECTORS as u16),
    exception_frame: facts::EXCEPTION_FRAME,
    stack_alignment: 8,
    unmeasured: Unmeasured { steps: 100, more: More::NONE, context: None, stack: 0, code: 1 },
    protection: &Mpu,
    rest: Rest { waits: facts::WAITS[0], passes: facts::WAITS[1] },
    registers: &Registers {
        written_down: facts::WRITTEN_DOWN,
        shown: [
            "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "pc",
            "xpsr",
        ],
        instruction: "pc",
        link: "lr",
    },
    kept: &super::kept::ARM,
};

/// Floating point in single precision, as a Cortex-M4 or an M33 may have it: code for the former runs on the latter.
pub const FLOATING: Floating =
    Floating { target: facts::FLOATING_TARGET, c_options: &facts::FLOATING_C_OPTIONS };

/// Its protection unit.
struct Mpu;

impl Protection for Mpu {
    fn coverable(&self, free: Interval, size: u64) -> Vec<Interval> {
        let places = places::coverable(free.base, free.limit, size);
        places.map(|[base, limit]| Interval::new(base, limit)).collect()
    }

    fn covers(&self, region: &Region) -> Result<(), Uncoverable> {
        words(region).map(drop)
    }

    fn types(&self) -> &'static str {
        "Image, Layout, RegionWords, ThreadLayout"
    }

    fn fixed(&self, regions: &[Region]) -> Result<String, Uncoverable> {
        let rows = regions.iter().map(|region| Ok(format!("        {},\n", source(words(region)?))));
        Ok(format!("[\n{}    ]", rows.collect::<Result<String, _>>()?))
    }

    /// A row for each number, switched off where there is no such region.
    fn switched(&self, fixed: &[Region], regions: &[Region]) -> Result<String, Uncoverable> {
        let numbers = (fixed.len()..).filter_map(|number| u8::try_from(number).ok()).take(SWITCHED_REGIONS);
        let rows = numbers.map(|number| {
            let region = regions.iter().find(|region| region.number == number);
            let words = region.map_or(Ok(RegionWords::off(number)), words)?;
            Ok(format!("                {},\n", source(words)))
        });
        Ok(format!("[\n{}            ]", rows.collect::<Result<String, _>>()?))
    }
}

/// A region as the unit takes it.
pub fn words(region: &Region) -> Result<RegionWords, Uncoverable> {
    if !region.enabled() {
        return Ok(RegionWords::off(region.number));
    }
    cover(region.number, asked(region)).map_err(uncoverable)
}

/// A region as the port names it.
pub fn asked(region: &Region) -> beryl_cortex_m::Interval {
    let Region { interval: Interval { base, limit }, executable, device, .. } = *region;
    let rights = match region.rights {
        Rights::Read => beryl_cortex_m::Rights::Read,
        Rights::ReadWrite => beryl_cortex_m::Rights::ReadWrite,
    };
    beryl_cortex_m::Interval { base, limit, rights, executable, device }
}

/// What the port proposes where it can't.
pub fn uncoverable(nearest: beryl_cortex_m::Uncoverable) -> Uncoverable {
    let limit = u32::try_from(nearest.nearest_limit).unwrap_or(u32::MAX);
    Uncoverable { nearest: Interval::new(nearest.nearest_base, limit) }
}

fn source(words: RegionWords) -> String {
    format!("RegionWords {{ rbar: {:#010x}, rasr: {:#010x} }}", words.rbar, words.rasr)
}
