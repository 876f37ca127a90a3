//! Bytes: the kernel's text and data, and the increase per thread.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::board::Board;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant, image};
use beryl_path::section_sizes;
use object::{Object, ObjectSection, ObjectSymbol};

use crate::row::Row;
use crate::systems::{BENCH, HELICOPTER, load_for};

/// The benches in this file.
pub const NAMES: &[&str] = &["size/kernel-text", "size/kernel-data", "size/data-per-thread", "size/image"];

/// The difference in threads between two systems, to find out the size of one. The number of rows of the
/// kernel's thread table is a power of two; the measured system fills one of eight.
const MORE: u64 = 8;

/// Builds the kernels of the helicopter and of two systems with different numbers of threads, and measures
/// their sizes.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    rows_on(None, workshop)
}

/// The same for a board, if not for the one that the systems are described for.
pub fn rows_on(board: Option<&'static Board>, workshop: &Workshop) -> Result<Vec<Row>> {
    let project = load_for(HELICOPTER, board)?;
    let built = image::build(&project, workshop, |_| ())?;
    let helicopter =
        fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
    let sizes = section_sizes(&helicopter)?;
    let text =
        sizes.text.checked_sub(tables(&helicopter)?).context("the tables are larger than the kernel")?;
    let few = data(&kernel(&load_for(BENCH, board)?, workshop)?)?;
    let many = data(&kernel(&with_more_threads(workshop, board)?, workshop)?)?;
    let difference = many.checked_sub(few).context("more threads take less memory")?;
    ensure!(difference % MORE == 0, "{MORE} threads take {difference} bytes: not the same for each");
    let words: usize = project.programs.iter().map(|program| program.code.len()).sum();
    let plan = &built.plan;
    let image = [
        ("helicopter, flash", plan.flash_used().get()),
        ("helicopter, flash for the kernel", plan.kernel.flash.length().get()),
        ("helicopter, RAM", plan.ram_used().get()),
        ("helicopter, RAM for the kernel", plan.kernel.ram.length().get()),
        ("helicopter, system code", u32::try_from(words * 4)?),
    ];
    let image = image.map(|(case, bytes)| Row::bytes("size/image", case, bytes.into()));
    let kernel = [
        Row::bytes("size/kernel-text", "helicopter, without its tables", text),
        Row::bytes("size/kernel-data", "helicopter, without the kernel's stack", sizes.data + sizes.bss),
        Row::bytes("size/data-per-thread", "kernel memory, read-write", difference / MORE),
    ];
    Ok([&kernel[..], &image].concat())
}

fn kernel(project: &Project, workshop: &Workshop) -> Result<Vec<u8>> {
    let built = image::build(project, workshop, |_| ())?;
    fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))
}

fn data(kernel: &[u8]) -> Result<u64> {
    let sizes = section_sizes(kernel)?;
    Ok(sizes.data + sizes.bss)
}

/// The measured system with more threads of the same kind, generated beside it.
fn with_more_threads(workshop: &Workshop, board: Option<&'static Board>) -> Result<Project> {
    const NAME: &str = "bench_more_threads";
    let folder = beryl_builder::toolchain::root().join("bench/system");
    let original = folder.join("beryl.toml");
    let text = fs::read_to_string(&original).with_context(|| format!("reading {}", original.display()))?;
    let generated = workshop.folder(NAME).join("system");
    replace(&generated.join("beryl.toml"), described(&text, NAME).as_bytes())?;
    Ok(Project::load(&generated, Variant { board, ..Variant::default() })?)
}

/// A description with [`MORE`] more threads, for a system in `build/<name>/system`.
fn described(text: &str, name: &str) -> String {
    let back = |file: &str| format!("\"../../../bench/system/{file}\"");
    let mut text = text
        .replace("name = \"bench\"", &format!("name = {name:?}"))
        .replace("\"bench.tdl\"", &back("bench.tdl"))
        .replace("\"../app\"", "\"../../../bench/app\"");
    for number in 1..=MORE {
        text += &format!(
            "\n[thread.more_{number}]\nprocess = \"second\"\nband = \"threads\"\npriority = 0\n\
             entry = \"two_processes\"\nstack = \"256\"\n"
        );
    }
    text
}

/// Bytes of constants that describe a kernel's system rather than belong to the kernel: everything in the
/// generated modules `tables` and `layout`, and the nameless constants that these point to.
pub fn tables(kernel: &[u8]) -> Result<u64> {
    let file = object::File::parse(kernel)?;
    let constants: Vec<_> = file
        .symbols()
        .filter(|symbol| {
            symbol.size() > 0
                && file
                    .section_by_name(".rodata")
                    .is_some_and(|section| symbol.section_index() == Some(section.index()))
        })
        .collect();
    let is_named = |name: &str| name.contains("6tables") || name.contains("6layout");
    let mut found: BTreeSet<(u64, u64)> = constants
        .iter()
        .filter(|symbol| symbol.name().is_ok_and(is_named))
        .map(|symbol| (symbol.address(), symbol.size()))
        .collect();
    ensure!(!found.is_empty(), "the kernel has no constants of the modules `tables` and `layout`");
    let mut open: Vec<_> = found.iter().copied().collect();
    while let Some((address, size)) = open.pop() {
        for word in words(&file, address, size)? {
            let target = constants.iter().find(|symbol| {
                symbol.address() == u64::from(word)
                    && symbol.name().is_ok_and(|name| name.starts_with(".Lanon"))
            });
            let target = target.map(|symbol| (symbol.address(), symbol.size()));
            if let Some(target) = target.filter(|target| found.insert(*target)) {
                open.push(target);
            }
        }
    }
    Ok(found.iter().map(|(_, size)| size).sum())
}

/// The words of a constant.
fn words(file: &object::File<'_>, address: u64, size: u64) -> Result<Vec<u32>> {
    let section = file.section_by_name(".rodata").context("the kernel has no constants")?;
    let bytes = section.data_range(address, size)?.context("a constant lies outside of its section")?;
    let words = bytes.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)));
    Ok(words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_are_described_like_the_others() {
        let text = "[system]\nname = \"bench\"\ntiming = [\"bench.tdl\"]\napplication = \"../app\"\n";
        let more = described(text, "more");
        assert!(more.contains("name = \"more\"\n"), "{more}");
        assert!(more.contains("timing = [\"../../../bench/system/bench.tdl\"]"), "{more}");
        assert!(more.contains("application = \"../../../bench/app\""), "{more}");
        assert_eq!(more.matches("[thread.").count(), 8);
    }
}
