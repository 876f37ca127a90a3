//! Where a fault happened: the line of the process's own code, and what the description could say if the access is to
//! be allowed.

use std::path::Path;

use beryl_abi::Range;

use crate::board::code::{self, Frame, Lines};
use crate::project::Project;
use crate::toolchain::crates;

/// Where an instruction comes from: the innermost function that isn't the compiler's own, with its file and line. A file
/// of the toolchain or of a registry is none of the user's.
#[must_use]
pub fn place(elf: &[u8], instruction: u32) -> Option<Frame> {
    let frames = Lines::read(elf).ok()?.frames(instruction);
    frames.into_iter().find(is_own)
}

/// Whether a place is in the user's own files.
#[must_use]
pub fn is_own(frame: &Frame) -> bool {
    !is_foreign(&frame.file)
}

fn is_foreign(file: &str) -> bool {
    let is_of_rust = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/");
    is_of_rust || file.contains("/registry/src/") || is_of_beryl(file)
}

/// What runs threads, and the glue before it.
fn is_of_beryl(file: &str) -> bool {
    let is_linked = crates().is_ok_and(|crates| {
        Path::new(file).starts_with(crates.join("user")) || Path::new(file).starts_with(crates.join("sim"))
    });
    is_linked || file.ends_with("/src/glue.rs")
}

/// A file as seen from a folder, if it is in there.
#[must_use]
pub fn seen_from(folder: &Path, file: &str) -> String {
    let inside = Path::new(file).strip_prefix(folder);
    inside.map_or_else(|_| file.to_owned(), |file| file.display().to_string())
}

/// What is at an address that a process may not touch, and what to do about it.
#[must_use]
pub fn advice(project: &Project, process: &str, address: u32) -> Option<String> {
    let assembly = &project.assembly;
    let own = assembly.processes.iter().position(|row| row.name == process)?;
    let board = project.description.board.board;
    let devices = board.devices.iter().filter(|device| is_in(device.interval.into(), address));
    let missing = devices
        .map(|device| device.name)
        .find(|name| assembly.processes[own].devices.iter().all(|has| has != name));
    if let Some(device) = missing {
        return Some(format!(
            "{address:#010x} is device `{device}`: add it to `devices` of [process.{process}]"
        ));
    }
    let stacks = assembly.threads.iter().zip(&project.places.stacks);
    if let Some((thread, _)) = stacks.clone().find(|(_, stack)| is_in(**stack, address)) {
        return Some(format!("{address:#010x} is in the stack of thread `{}`", thread.name));
    }
    let memories = assembly.processes.iter().zip(&project.places.memories);
    let found = memories.filter(|(row, _)| row.name != process).find_map(|(row, ranges)| {
        let [first, shared @ ..] = ranges.as_slice() else { return None };
        if is_in(*first, address) {
            return Some(format!(
                "{address:#010x} is memory of process `{}`: pass values by ports, messages or a [region.name]",
                row.name
            ));
        }
        let region = shared.iter().any(|range| is_in(*range, address));
        region.then(|| format!("{address:#010x} is in a region that process `{}` shares: `uses` gives it", row.name))
    });
    found.or_else(|| {
        let ram = Range::from(board.ram);
        (is_in(ram, address))
            .then(|| format!("{address:#010x} is in RAM, in none of the memory of process `{process}`"))
    })
}

/// What to do about an instruction of floating point in a process that has no right to it, whose linked program is `elf`.
#[must_use]
pub fn without_floating(project: &Project, process: &str, elf: &[u8], instruction: u32) -> Option<String> {
    let row = project.assembly.processes.iter().find(|row| row.name == process)?;
    let is_floating = code::floating::is_at(elf, instruction).filter(|_| !row.is_floating)?;
    let board = project.description.board.board.value;
    let proposal = match board.floating {
        Some(_) => format!("add `floating = \"hardware\"` to [process.{process}]"),
        None => format!("board `{}` has none in hardware", board.name),
    };
    is_floating.then(|| format!("{instruction:#010x} computes with floating point: {proposal}"))
}

fn is_in(range: Range, address: u32) -> bool {
    address.wrapping_sub(range.address) < range.length
}
