//! RV32IMAC with machine and user mode.

use beryl_code::awake::Rest;
use beryl_riscv::common::grain;
use beryl_riscv::facts;
use beryl_riscv::layout::{Fixed, Switched};
use beryl_riscv::pmp::{Entries, REGIONS};
use beryl_trace::crashes::Registers;

use crate::board::Region;
use crate::board::processor::{
    Compiler, Entries as Begins, Entry, More, Processor, Protection, Uncoverable, Unmeasured,
};
use crate::board::registry::armv7m::asked;
use crate::interval::Interval;

/// The family.
pub const RV32: Processor = Processor {
    name: "RV32IMAC",
    package: [facts::PACKAGE, facts::FOLDER],
    module: facts::MODULE,
    target: facts::TARGET,
    kernel_options: &facts::KERNEL_OPTIONS,
    entries: Begins {
        calls: Entry::numbered(facts::TRAP, facts::CAUSES[0]),
        lines: Entry::numbered(facts::TRAP, facts::CAUSES[2]),
        lines_differ: false,
        alarm: Some(Entry::numbered(facts::TRAP, facts::CAUSES[1])),
        faults: Entry { any: facts::FAULTS, ..Entry::numbered(facts::TRAP, 0) },
        start: Entry::alone(facts::BEGIN),
        others: &[],
    },
    c: &Compiler {
        processor: "riscv32",
        program: facts::C_COMPILER,
        cpp: "riscv64-unknown-elf-g++",
        package: "gcc-riscv64-unknown-elf",
        library: "picolibc-riscv64-unknown-elf",
        options: &facts::C_OPTIONS,
        enters: facts::ENTERS,
        registers: facts::CALL_REGISTERS,
    },
    emulator: ["qemu-system-riscv32", "qemu-system-misc"],
    vectors: None,
    exception_frame: 0,
    stack_alignment: facts::STACK_ALIGNMENT,
    unmeasured: Unmeasured { steps: 120, more: MORE, context: Some(facts::CONTEXT), stack: 2048, code: 2 },
    protection: &Pmp,
    rest: Rest { waits: facts::WAITS[0], passes: facts::WAITS[1] },
    registers: &Registers {
        written_down: facts::WRITTEN_DOWN,
        shown: [
            "pc", "ra", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s0", "s1", "s2", "s3", "s4", "s5",
        ],
        instruction: "pc",
        link: "ra",
    },
    kept: &super::kept::RISCV,
};

/// How many instructions a step has beyond what grows with a system: a trap keeps and loads registers by an instruction each, a switch
/// loads thirteen of the protection unit, and a fault asks these what they let.
const MORE: More =
    More { alarm: 120, sorting: 100, completion: 100, decision: 100, stop: 0, search: 210, other: 220 };

/// Its protection unit.
struct Pmp;

impl Protection for Pmp {
    fn coverable(&self, free: Interval, size: u64) -> Vec<Interval> {
        let place = grain::coverable(facts::STACK_ALIGNMENT, free.base, free.limit, size);
        place.map(|[base, limit]| Interval::new(base, limit)).into_iter().collect()
    }

    fn covers(&self, region: &Region) -> Result<(), Uncoverable> {
        entries(&[*region]).map(drop)
    }

    fn types(&self) -> &'static str {
        "Fixed, Image, Layout, Switched, ThreadLayout"
    }

    fn fixed(&self, regions: &[Region]) -> Result<String, Uncoverable> {
        let Fixed { config, addresses } = Fixed::of(&entries(regions)?);
        Ok(format!("Fixed {{ config: {config:#010x}, addresses: [{}] }}", words(&addresses)))
    }

    /// One of the words has entries of both.
    fn switched(&self, fixed: &[Region], regions: &[Region]) -> Result<String, Uncoverable> {
        let Switched { configs, addresses } = Switched::of(&entries(&[fixed, regions].concat())?);
        Ok(format!(
            "Switched {{\n                configs: [{}],\n                addresses: [{}],\n            }}",
            words(&configs),
            words(&addresses)
        ))
    }
}

/// The unit's registers with these regions, of which those that cover nothing are off.
fn entries(regions: &[Region]) -> Result<Entries, Uncoverable> {
    let mut numbered = [None; REGIONS];
    for region in regions.iter().filter(|region| region.enabled()) {
        let place = numbered.get_mut(usize::from(region.number));
        *place.ok_or_else(|| uncoverable(region))? = Some(asked(region));
    }
    Entries::of(&numbered).map_err(|(number, _)| {
        let wrong = regions.iter().rev().find(|region| usize::from(region.number) == number);
        wrong.map_or(Uncoverable { nearest: Interval::EMPTY }, uncoverable)
    })
}

fn uncoverable(region: &Region) -> Uncoverable {
    Uncoverable::aligned(region.interval, 4)
}

fn words(words: &[u32]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("{word:#010x}")).collect();
    words.join(", ")
}
