//! Faults with their places: the function, file and line on a board, and a proposal where one helps.

use std::fs;

use beryl_abi::FaultKind;
use beryl_builder::board::code::Frame;
use beryl_builder::crashed::advice;
use beryl_builder::{Project, faulted};
use beryl_trace::Names;
use beryl_trace::statistics::FaultReport;

use crate::console::Console;
use crate::files::workshop;

/// Tells where each fault happened, as far as that is known. A panic's instruction is in the handler of panics, which
/// says nothing.
pub fn tell(project: &Project, names: &Names, faults: &[FaultReport], console: &Console) {
    for fault in faults {
        let place = if fault.kind == PANIC { None } else { place(project, fault) };
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.words() == fault.kind);
        let thread = names.threads.iter().position(|thread| thread.name == fault.thread);
        let advice = thread.zip(kind).and_then(|(thread, kind)| advice(project, thread, kind, fault.address));
        if place.is_none() && advice.is_none() {
            continue;
        }
        console.say(format_args!("  {} of process {}:", fault.thread, fault.process));
        let mut told =
            serde_json::json!({ "fault_of": fault.thread, "process": fault.process, "time_ns": fault.time });
        if let Some(frame) = place {
            console.say(format_args!("    in {}", place_in_words(&frame)));
            let file = seen_from_here(&frame.file);
            (told["function"], told["file"], told["line"]) =
                (frame.function.into(), file.into(), frame.line.into());
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
fn place(project: &Project, fault: &FaultReport) -> Option<Frame> {
    if fault.instruction == 0 {
        return None;
    }
    let folder = workshop().folder(&project.assembly.name);
    let elf = fs::read(folder.join(format!("{}.elf", fault.process))).ok()?;
    faulted::place(&elf, fault.instruction)
}

/// A place as people read it: the function, the file as seen from here, and the line.
pub fn place_in_words(frame: &Frame) -> String {
    let Frame { function, file, line } = frame;
    format!("`{}`, {}:{line}", function.as_deref().unwrap_or_default(), seen_from_here(file))
}

fn seen_from_here(file: &str) -> String {
    faulted::seen_from(&std::env::current_dir().unwrap_or_default(), file)
}
