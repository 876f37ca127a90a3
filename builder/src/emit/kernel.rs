//! The kernel's crate of a system: its tables, where everything is, and one line for the board.

use crate::assembly::Assembly;
use crate::board::{Board, Image, Uncoverable};
use crate::emit::source::Source;
use crate::emit::{File, identifier};
use crate::error::BuildError;
use crate::interval::Interval;
use crate::plan::{Plan, Region, SHARED_WORDS, STACK_REGION, StackPlan};

/// Where a linked process has put what the kernel must know.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// The entry point of each thread, in the order of the kernel's table.
    pub threads: Vec<u32>,
    /// What memory holds at the start.
    pub images: Vec<Image>,
}

/// The sources of the kernel's crate, beside `tables.rs`.
///
/// # Errors
/// A region that the protection unit can't express: a mistake of the plan.
pub fn kernel(assembly: &Assembly, plan: &Plan, entries: &Entries) -> Result<Vec<File>, BuildError> {
    Ok(vec![
        File::new("kernel/src/main.rs", main(&plan.board, assembly.crashes > 0, assembly.floating() > 0)),
        File::new("kernel/build.rs", BUILD.to_owned()),
        File::new("kernel/memory.x", memory(plan)),
        File::new("kernel/src/layout.rs", layout(assembly, plan, entries)?),
    ])
}

/// The root of the kernel's crate.
#[must_use]
pub fn main(board: &Board, has_crashes: bool, has_floating: bool) -> String {
    let crashes = if has_crashes { ", crashes" } else { "" };
    let floating = if has_floating { "; layout::FLOATING" } else { "" };
    let module = identifier(board.package[0]);
    format!(
        "//! The kernel of this system. Written by the builder; changes are lost.\n#![no_std]\n#![no_main]\n\nmod layout;\nmod tables;\n\n\
         {module}::{}!(tables::Sizes, tables::SYSTEM, layout::LAYOUT, {module}::{}{crashes}{floating});\n",
        board.made_by, board.kernel
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

/// Where the kernel begins, and where its stack does. It may take all of the board's memory here: whether it
/// keeps to its share is looked at when it is linked, and told in other words than a linker's.
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
    let processor = plan.board.processor;
    let fixed = processor.protection.fixed(&plan.fixed_regions()).map_err(uncoverable)?;
    let mut text = format!(
        "//! Where everything is. Written by the builder; changes are lost.\n#![allow(missing_docs)]\n\n\
         use {}::{{{}}};\n\n#[rustfmt::skip]\n\
         pub static LAYOUT: Layout = Layout {{\n    fixed: {fixed},\n    threads: &[\n",
        processor.module,
        processor.protection.types(),
    );
    for (index, thread) in assembly.threads.iter().enumerate() {
        let missing = || mistake(format!("thread `{}` has no stack or no entry point", thread.name));
        let stack = plan.stacks.iter().find(|stack| stack.thread == thread.name).ok_or_else(missing)?;
        let entry = *entries.threads.get(index).ok_or_else(missing)?;
        let row = self::thread(entry, stack, &switched(plan, thread.process, stack)?);
        text += &format!("        /* {} */ {row},\n", thread.name);
    }
    text += "    ],\n    images: &[\n";
    for image in &entries.images {
        text += &format!("        {},\n", image.source());
    }
    text += "    ],\n};\n";
    match assembly.floating() {
        0 => Ok(text),
        count => Ok(text + &floating(assembly, plan, count)?),
    }
}

/// The rows of floating point: every thread's regions once more, and the place of its registers.
fn floating(assembly: &Assembly, plan: &Plan, count: usize) -> Result<String, BuildError> {
    let module = plan.board.processor.module;
    let mut text = format!(
        "\n/// The registers of the threads that use floating point.\nstatic REGISTERS: [{module}::FloatingRegisters; {count}] = \
         [const {{ {module}::FloatingRegisters::new() }}; {count}];\n\n#[rustfmt::skip]\n\
         pub static FLOATING: [{module}::Floating; {}] = [\n",
        assembly.threads.len()
    );
    let mut place = 0;
    for thread in &assembly.threads {
        let missing = || mistake(format!("thread `{}` has no stack", thread.name));
        let stack = plan.stacks.iter().find(|stack| stack.thread == thread.name).ok_or_else(missing)?;
        let regions = switched(plan, thread.process, stack)?;
        let registers = match assembly.is_floating(thread) {
            true => format!("Some(&REGISTERS[{place}])"),
            false => "None".to_owned(),
        };
        place += usize::from(assembly.is_floating(thread));
        text += &format!(
            "    /* {} */ {module}::Floating {{\n            regions: {regions},\n            registers: {registers},\n        }},\n",
            thread.name
        );
    }
    Ok(text + "];\n")
}

fn thread(entry: u32, stack: &StackPlan, regions: &str) -> String {
    let Interval { base, limit } = stack.block.region.interval;
    format!(
        "ThreadLayout {{\n            entry: {entry:#010x}, stack_bottom: {base:#010x}, stack_top: {:#010x},\n            \
         regions: {regions},\n        }}",
        limit.saturating_sub(SHARED_WORDS),
    )
}

/// The regions that come with a thread: those of its process, and its stack's.
fn switched(plan: &Plan, process: usize, stack: &StackPlan) -> Result<String, BuildError> {
    let process =
        plan.processes.get(process).ok_or_else(|| mistake("a thread without process".to_owned()))?;
    let stack = Region { number: STACK_REGION, ..stack.block.region };
    let own: Vec<_> = process.regions().chain([stack]).collect();
    plan.board.processor.protection.switched(&plan.fixed_regions(), &own).map_err(uncoverable)
}

fn uncoverable(Uncoverable { nearest }: Uncoverable) -> BuildError {
    mistake(format!(
        "the plan has a region that the protection unit can't express; the nearest that it can is {nearest}"
    ))
}

fn mistake(output: String) -> BuildError {
    BuildError::Step { what: "writing the kernel's tables".to_owned(), output }
}
