//! Faults with their places: the function, file and line on a board, and a proposal where one helps.

use std::fs;

use beryl_builder::{Project, faulted};
use beryl_trace::statistics::FaultReport;

use crate::console::Console;
use crate::files::workshop;

/// Tells where each fault happened, as far as that is known. A panic's instruction is in the handler of panics, which
/// says nothing.
pub fn tell(project: &Project, faults: &[FaultReport], console: &Console) {
    for fault in faults {
        let place = if fault.kind == PANIC { None } else { place(project, fault) };
        let advice = match fault.address {
            0 => None,
            address => faulted::advice(project, &fault.process, address),
        };
        if place.is_none() && advice.is_none() {
            continue;
        }
        console.say(format_args!("  {} of process {}:", fault.thread, fault.process));
        let mut told =
            serde_json::json!({ "fault_of": fault.thread, "process": fault.process, "time_ns": fault.time });
        if let Some((function, file, line)) = place {
            console.say(format_args!("    in `{function}`, {file}:{line}"));
            (told["function"], told["file"], told["line"]) = (function.into(), file.into(), line.into());
        }
        if let Some(advice) = advice {
            console.say(format_args!("    {advice}"));
            told["proposal"] = advice.into();
        }
        console.object(&told);
    }
}

/// A panic, in the words of the trace.
const PANIC: &str = beryl_abi::FaultKind::Panic.words();

/// The function, file and line of the instruction, by the linked program of its process.
fn place(project: &Project, fault: &FaultReport) -> Option<(String, String, u32)> {
    if fault.instruction == 0 {
        return None;
    }
    let folder = workshop().folder(&project.assembly.name);
    let elf = fs::read(folder.join(format!("{}.elf", fault.process))).ok()?;
    let frame = faulted::place(&elf, fault.instruction)?;
    let here = std::env::current_dir().unwrap_or_default();
    Some((frame.function.unwrap_or_default(), faulted::seen_from(&here, &frame.file), frame.line))
}
