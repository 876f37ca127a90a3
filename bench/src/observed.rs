//! The steps of a run, counted in the emulator's log of executed instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use beryl_abi::Instant;
use beryl_builder::Project;
use beryl_builder::emulator::{self, Accesses, log};
use beryl_builder::image::Built;
use beryl_builder::workshop::Workshop;
use beryl_path::symbol_addresses;
use object::{Object, ObjectSection, ObjectSymbol};

use crate::entered::{Entered, places};
use crate::kinds::Mark;
use crate::step::Kernel;
use crate::systems::after;

/// The length of a run in nanoseconds: 100 ms, five periods of the helicopter.
const LENGTH: u64 = 100_000_000;

/// Runs a kernel's system with nothing at its sensors and returns the length of each of its steps.
pub fn steps(kernel: &Kernel, workshop: &Workshop, boundaries: &[u32]) -> Result<Vec<u64>> {
    let Kernel { project, built, elf } = kernel;
    let end = after(project.description.board.board.value, LENGTH);
    let addresses = executed(project, built, workshop, code(&object::File::parse(elf.as_slice())?)?, end)?;
    Ok(count(&addresses, &Places::new(places(kernel)?, boundaries)))
}

/// An observed step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where it began.
    pub begin: Begin,
    /// Its length in instructions.
    pub instructions: u64,
    /// The marks of kinds that it reached.
    pub came_to: BTreeSet<Mark>,
}

/// The beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// A call with this number.
    Call(u32),
    /// The alarm.
    Alarm,
    /// An interrupt on this line, where the processor tells which one it is.
    Interrupt(Option<u32>),
    /// Any other exception.
    Other,
    /// A check for pending work inside a handler.
    Look,
}

/// Runs a system up to an instant and returns each step of its kernel with its beginning. The board is
/// emulated twice, identical to the instruction: once for counting, and once for the registers on entry to
/// handlers.
///
/// # Errors
/// If a run doesn't reach its end, or the two differ.
pub fn seen(kernel: &Kernel, workshop: &Workshop, boundaries: &[u32], end: Instant) -> Result<Vec<Seen>> {
    let Kernel { project, built, elf } = kernel;
    let file = object::File::parse(elf.as_slice())?;
    let mut places = Places::new(places(kernel)?, boundaries);
    for mark in Mark::ALL {
        let found = symbol_addresses(elf, mark.functions())?;
        places.marks.extend(found.into_iter().map(|address| (address, mark)));
    }
    let spans = spans(&executed(project, built, workshop, code(&file)?, end)?, &places);
    let mut entered = Entered::of(kernel, workshop, end)?;
    let step = |Span { begin, instructions, came_to }: Span| {
        let begin = if entered.is_entry(begin) { entered.next(begin)? } else { Begin::Look };
        Ok(Seen { begin, instructions, came_to })
    };
    spans.into_iter().map(step).collect()
}

/// Runs a kernel's system up to an instant and returns the instructions of each call and of each interrupt, from its first one
/// to the next entry.
///
/// # Errors
/// As [`seen`].
pub fn entries(kernel: &Kernel, workshop: &Workshop, end: Instant) -> Result<[Vec<u64>; 2]> {
    let lengths = |entries: Vec<Vec<u32>>| entries.iter().map(|entry| length(entry)).collect::<Result<_>>();
    let [calls, interrupts] = addresses_of_entries(kernel, workshop, end)?;
    Ok([lengths(calls)?, lengths(interrupts)?])
}

/// The same with the instructions themselves.
///
/// # Errors
/// As [`seen`].
pub fn addresses_of_entries(
    kernel: &Kernel,
    workshop: &Workshop,
    end: Instant,
) -> Result<[Vec<Vec<u32>>; 2]> {
    let [mut calls, mut interrupts] = [Vec::new(), Vec::new()];
    for (begin, entry) in all_entries(kernel, workshop, end)? {
        match begin {
            Begin::Call(_) => calls.push(entry),
            Begin::Alarm | Begin::Interrupt(_) => interrupts.push(entry),
            Begin::Other | Begin::Look => {}
        }
    }
    Ok([calls, interrupts])
}

/// Runs a kernel's system up to an instant and returns how each entry began, and its instructions up to the next one.
///
/// # Errors
/// As [`seen`].
pub fn told_entries(kernel: &Kernel, workshop: &Workshop, end: Instant) -> Result<Vec<(Begin, u64)>> {
    let entries = all_entries(kernel, workshop, end)?;
    entries.into_iter().map(|(begin, entry)| Ok((begin, length(&entry)?))).collect()
}

fn length(entry: &[u32]) -> Result<u64> {
    Ok(u64::try_from(entry.len())?)
}

fn all_entries(kernel: &Kernel, workshop: &Workshop, end: Instant) -> Result<Vec<(Begin, Vec<u32>)>> {
    let Kernel { project, built, elf } = kernel;
    let addresses = executed(project, built, workshop, code(&object::File::parse(elf.as_slice())?)?, end)?;
    let mut entered = Entered::of(kernel, workshop, end)?;
    divided(&addresses, |address| entered.is_entry(address).then(|| entered.next(address)).transpose())
}

/// Runs a system up to an instant and returns the executed instructions of its applications.
pub fn of_applications(
    project: &Project,
    built: &Built,
    workshop: &Workshop,
    elf: &[u8],
    end: Instant,
) -> Result<Vec<u32>> {
    let kernel = code(&object::File::parse(elf)?)?;
    executed(project, built, workshop, kernel.end..image(project).end, end)
}

/// Runs a system with nothing at its sensors and returns the executed instructions in a range of addresses.
pub fn executed(
    project: &Project,
    built: &Built,
    workshop: &Workshop,
    code: Range<u32>,
    end: Instant,
) -> Result<Vec<u32>> {
    let board = project.description.board.board.value;
    let window = Accesses::default().window_without_trace(board, end)?;
    let folder = workshop.folder(&project.assembly.name).join("steps");
    let speed = project.description.board.speed;
    emulator::run_logged(board, &built.image, &window, speed, &folder, code)?;
    instructions(&folder.join(emulator::LOG))
}

/// The addresses of an image, which begins with the kernel.
pub fn image(project: &Project) -> Range<u32> {
    let board = &project.description.board;
    let first = board.board.value.flash.base;
    first..first.saturating_add(board.flash.value.get())
}

/// The addresses of the kernel's code.
pub fn code(kernel: &object::File<'_>) -> Result<Range<u32>> {
    let text = kernel.section_by_name(".text").context("the kernel has no code")?;
    Ok(u32::try_from(text.address())?..u32::try_from(text.address() + text.size())?)
}

/// The first instructions of functions.
pub fn starts(kernel: &object::File<'_>, names: &[&str]) -> BTreeSet<u32> {
    let wanted = |name: &str| names.contains(&name);
    let symbols = kernel.symbols().filter(|symbol| symbol.name().is_ok_and(wanted));
    symbols.filter_map(|symbol| u32::try_from(symbol.address() & !1).ok()).collect()
}

/// The addresses of the executed instructions.
fn instructions(log: &Path) -> Result<Vec<u32>> {
    let text = fs::read_to_string(log).with_context(|| format!("reading {}", log.display()))?;
    Ok(log::executed(&text))
}

/// Where steps begin, and the marks of their kinds.
struct Places {
    /// The first instructions of handlers.
    entries: BTreeSet<u32>,
    /// Heads of loops whose rounds are steps of their own.
    boundaries: BTreeSet<u32>,
    /// The first instructions of the functions that are marks.
    marks: BTreeMap<u32, Mark>,
}

impl Places {
    fn new(entries: BTreeSet<u32>, boundaries: &[u32]) -> Places {
        Places { entries, boundaries: boundaries.iter().copied().collect(), marks: BTreeMap::new() }
    }
}

/// A step, by its first instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    begin: u32,
    instructions: u64,
    came_to: BTreeSet<Mark>,
}

/// The length of each complete step. Code before the first handler is the boot, and the last handler ends the
/// run.
fn count(addresses: &[u32], places: &Places) -> Vec<u64> {
    spans(addresses, places).into_iter().map(|span| span.instructions).collect()
}

/// The same, each with its first instruction and the marks that it reached.
fn spans(addresses: &[u32], places: &Places) -> Vec<Span> {
    let mut steps = Vec::new();
    let mut step: Option<Span> = None;
    let mut last = None;
    for address in addresses {
        // The handler of the boot's exception falls through into another one, without a new beginning.
        let falls_through = last.is_some_and(|last: u32| last < *address && *address - last <= 4);
        let is_entry = places.entries.contains(address) && !falls_through;
        if is_entry || places.boundaries.contains(address) && step.is_some() {
            let next = Span { begin: *address, instructions: 0, came_to: BTreeSet::new() };
            steps.extend(step.replace(next));
        }
        if let Some(step) = &mut step {
            step.instructions += 1;
            step.came_to.extend(places.marks.get(address));
        }
        last = Some(*address);
    }
    steps
}

/// All complete entries. `came` says of an instruction what came in there, if that is where an entry begins.
fn divided(
    addresses: &[u32],
    mut came: impl FnMut(u32) -> Result<Option<Begin>>,
) -> Result<Vec<(Begin, Vec<u32>)>> {
    let mut entries = Vec::new();
    let mut under_way: Option<(Begin, Vec<u32>)> = None;
    for address in addresses {
        if let Some(begin) = came(*address)? {
            entries.extend(under_way.replace((begin, Vec::new())));
        }
        if let Some((_, entry)) = &mut under_way {
            entry.push(*address);
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_apart_by_what_came_in() {
        let came = |address| {
            Ok(match address {
                10 => Some(Begin::Call(3)),
                20 => Some(Begin::Alarm),
                30 => Some(Begin::Other),
                _ => None,
            })
        };
        // Instructions before the first entry don't count, and the last entry isn't complete.
        let entries = divided(&[1, 2, 10, 11, 20, 21, 22, 10, 11, 12, 30, 31, 10], came).expect("one run");
        let expected = [
            (Begin::Call(3), vec![10, 11]),
            (Begin::Alarm, vec![20, 21, 22]),
            (Begin::Call(3), vec![10, 11, 12]),
            (Begin::Other, vec![30, 31]),
        ];
        assert_eq!(entries, expected);
    }

    #[test]
    fn steps_begin_at_entries_and_at_rounds() {
        let places = Places::new([0x10, 0x20, 0x30].into(), &[0x40]);
        let handler = [0x10, 0x12, 0x40, 0x42, 0x40, 0x42, 0x44, 0x40, 0x46];
        let boot = [0x2, 0x4, 0x40, 0x1e, 0x20, 0x24];
        let addresses = [&boot[..], &handler, &[0x30, 0x34], &[0x10, 0x12]].concat();
        // The boot's handler at 0x20 directly follows 0x1e, as if by falling through: not a beginning.
        assert_eq!(count(&addresses, &places), [2, 2, 3, 2, 2]);
    }

    #[test]
    fn steps_know_what_they_came_to() {
        let marks = BTreeMap::from([(0x80, Mark::Deferred), (0x90, Mark::Decision)]);
        let places = Places { marks, ..Places::new([0x10].into(), &[0x40]) };
        // A mark before the first handler belongs to the boot.
        let addresses = [0x80, 0x10, 0x80, 0x82, 0x40, 0x90, 0x80, 0x40, 0x42, 0x10];
        let came_to: Vec<Vec<Mark>> =
            spans(&addresses, &places).into_iter().map(|span| span.came_to.into_iter().collect()).collect();
        assert_eq!(came_to, [vec![Mark::Deferred], vec![Mark::Deferred, Mark::Decision], vec![]]);
    }
}
