//! The kernel's crate of a system: its tables, where everything is, and one line for the board.

use crate::assembly::Assembly;
use crate::board::Board;
use crate::board::port::{self, RegionWords};
use crate::emit::{File, identifier};
use crate::error::BuildError;
use crate::plan::SHARED_WORDS;
use crate::plan::{PROCESS_REGIONS, Plan, Region, STACK_REGION, StackPlan};

/// Where a linked process has put what the kernel must know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// The entry point of each thread, in the order of the kernel's table.
    pub threads: Vec<u32>,
    /// What memory holds at the start.
    pub images: Vec<Image>,
}

/// What a stretch of memory holds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where the bytes are in flash.
    pub load: u32,
    /// Where they belong.
    pub address: u32,
    /// How many there are.
    pub length: u32,
    /// How many behind them start as zero.
    pub zeros: u32,
}

/// The sources of the kernel's crate, beside `tables.rs`.
///
/// # Errors
/// A region that the protection unit can't express: a mistake of the plan.
pub fn kernel(assembly: &Assembly, plan: &Plan, entries: &Entries) -> Result<Vec<File>, BuildError> {
    Ok(vec![
        File::new("image/kernel/src/main.rs", main(&plan.board)),
        File::new("image/kernel/build.rs", BUILD.to_owned()),
        File::new("image/kernel/memory.x", memory(plan)),
        File::new("image/kernel/src/layout.rs", layout(assembly, plan, entries)?),
    ])
}

/// The root of the kernel's crate.
#[must_use]
pub fn main(board: &Board) -> String {
    let module = identifier(board.package[0]);
    format!(
        "//! The kernel of this system. Written by the builder; changes are lost.\n#![no_std]\n#![no_main]\n\nmod layout;\nmod tables;\n\n\
         {module}::kernel!(tables::Sizes, tables::SYSTEM, layout::LAYOUT);\n"
    )
}

/// Its build script.
pub const BUILD: &str = "\
//! Tells the linker where the kernel goes. Written by the builder; changes are lost.
fn main() {
    println!(\"cargo:rustc-link-search={}\", env!(\"CARGO_MANIFEST_DIR\"));
    println!(\"cargo:rustc-link-arg=-Tlink.x\");
    println!(\"cargo:rerun-if-changed=memory.x\");
}
";

/// Where the kernel begins, and where its stack does. It may take all of the board's memory here: whether it keeps to its share
/// is looked at when it is linked, and told in other words than a linker's.
fn memory(plan: &Plan) -> String {
    let (flash, ram) = (plan.board.flash, plan.board.ram);
    format!(
        "/* The board's memory, and the kernel's stack. Written by the builder; changes are lost. */\nMEMORY\n{{\n  \
         FLASH : ORIGIN = {:#010x}, LENGTH = {}\n  RAM   : ORIGIN = {:#010x}, LENGTH = {}\n}}\n\
         _stack_start = {:#010x};\n_stack_end = ORIGIN(RAM);\n",
        flash.base,
        flash.length().get(),
        ram.base,
        ram.length().get(),
        plan.kernel.ram.limit,
    )
}

fn layout(assembly: &Assembly, plan: &Plan, entries: &Entries) -> Result<String, BuildError> {
    let mut text = format!(
        "//! Where everything is. Written by the builder; changes are lost.\n#![allow(missing_docs)]\n\n\
         use {}::{{Image, Layout, RegionWords, ThreadLayout}};\n\n#[rustfmt::skip]\n\
         pub static LAYOUT: Layout = Layout {{\n    fixed: [\n",
        port::facts::MODULE,
    );
    for region in plan.fixed_regions() {
        text += &format!("        {},\n", words(encode(region)?));
    }
    text += "    ],\n    threads: &[\n";
    for (index, thread) in assembly.threads.iter().enumerate() {
        let missing = || mistake(format!("thread `{}` has no stack or no entry point", thread.name));
        let stack = plan.stacks.iter().find(|stack| stack.thread == thread.name).ok_or_else(missing)?;
        let entry = *entries.threads.get(index).ok_or_else(missing)?;
        text += &self::thread(&thread.name, entry, stack, &switched(plan, thread.process, stack)?);
    }
    text += "    ],\n    images: &[\n";
    for Image { load, address, length, zeros } in &entries.images {
        text += &format!(
            "        Image {{ load: {load:#010x}, address: {address:#010x}, length: {length}, zeros: {zeros} }},\n"
        );
    }
    text += "    ],\n};\n";
    Ok(text)
}

fn thread(name: &str, entry: u32, stack: &StackPlan, regions: &[RegionWords]) -> String {
    let interval = stack.block.region.interval;
    let regions: Vec<_> =
        regions.iter().map(|region| format!("                {},\n", words(*region))).collect();
    format!(
        "        /* {name} */ ThreadLayout {{\n            entry: {entry:#010x}, stack_bottom: {:#010x}, \
         stack_top: {:#010x},\n            regions: [\n{}            ],\n        }},\n",
        interval.base,
        interval.limit.saturating_sub(SHARED_WORDS),
        regions.concat(),
    )
}

/// The regions that come with a thread: those of its process, switched off where it has fewer, and its stack's.
fn switched(plan: &Plan, process: usize, stack: &StackPlan) -> Result<Vec<RegionWords>, BuildError> {
    let process =
        plan.processes.get(process).ok_or_else(|| mistake("a thread without process".to_owned()))?;
    let own: Vec<_> = process.regions().collect();
    let mut words = Vec::new();
    for number in PROCESS_REGIONS {
        let region = own.iter().find(|region| region.number == number);
        words.push(region.map_or(Ok(RegionWords::off(number)), |region| encode(*region))?);
    }
    let stack = stack.block.region;
    words.push(encode(Region { number: STACK_REGION, ..stack })?);
    Ok(words)
}

fn encode(region: Region) -> Result<RegionWords, BuildError> {
    region.words().map_err(|nearest| {
        mistake(format!(
            "the plan has a region {} that the protection unit can't express; the nearest is {:#010x}..{:#010x}",
            region.interval, nearest.nearest_base, nearest.nearest_limit
        ))
    })
}

fn words(words: RegionWords) -> String {
    format!("RegionWords {{ rbar: {:#010x}, rasr: {:#010x} }}", words.rbar, words.rasr)
}

fn mistake(output: String) -> BuildError {
    BuildError::Step { what: "writing the kernel's tables".to_owned(), output }
}
