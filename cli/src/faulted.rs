//! Faults with their places: the function, file and line on a board, and a proposal where one helps.

use std::fs;

use beryl_abi::FaultKind;
use beryl_builder::board::code::Frame;
use beryl_builder::crashed::{self, advice};
use beryl_builder::{Project, faulted};
use beryl_trace::Names;
use beryl_trace::crashes::Crash;
use beryl_trace::statistics::FaultReport;

use crate::console::Console;
use crate::files::workshop;

/// Where a fault happened.
#[derive(Clone)]
pub enum Found {
    /// At an instruction of the user's code.
    Code(Frame),
    /// A panic, by what it says of itself.
    Panic {
        /// Its file.
        file: String,
        /// Its line.
        line: u32,
        /// Its words.
        text: String,
    },
}

/// Tells where each fault happened, as far as `place` knows.
pub fn tell(
    project: &Project,
    names: &Names,
    faults: &[FaultReport],
    place: impl Fn(&FaultReport) -> Option<Found>,
    console: &Console,
) {
    for fault in faults {
        let place = place(fault);
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.words() == fault.kind);
        let thread = names.threads.iter().position(|thread| thread.name == fault.thread);
        let advice = thread.zip(kind).and_then(|(thread, kind)| advice(project, thread, kind, fault.address));
        let advice = advice.or_else(|| without_floating(project, fault));
        if place.is_none() && advice.is_none() {
            continue;
        }
        console.say(format_args!("  {} of process {}:", fault.thread, fault.process));
        let mut told =
            serde_json::json!({ "fault_of": fault.thread, "process": fault.process, "time_ns": fault.time });
        if let Some(found) = place {
            say(&found, console);
            found.tell_into(&mut told);
        }
        if let Some(advice) = advice {
            console.say(format_args!("    {advice}"));
            told["proposal"] = advice.into();
        }
        console.object(&told);
    }
}

/// What to do about an instruction of floating point that wasn't carried out on the board.
fn without_floating(project: &Project, fault: &FaultReport) -> Option<String> {
    if fault.instruction == 0 || fault.kind != FaultKind::Instruction.words() {
        return None;
    }
    let elf = linked(project, fault)?;
    faulted::without_floating(project, &fault.process, &elf, fault.instruction)
}

/// The linked program of a fault's process.
fn linked(project: &Project, fault: &FaultReport) -> Option<Vec<u8>> {
    let folder = workshop().folder(&project.assembly.name);
    fs::read(folder.join(format!("{}.elf", fault.process))).ok()
}

/// A line for a place.
pub fn say(found: &Found, console: &Console) {
    match found {
        Found::Code(frame) => console.say(format_args!("    in {}", place_in_words(frame))),
        Found::Panic { file, line, text } => {
            console.say(format_args!("    panicked in {}:{line}: {text}", seen_from_here(file)));
        }
    }
}

impl Found {
    /// The same for machines.
    pub fn tell_into(&self, told: &mut serde_json::Value) {
        let (file, line) = match self {
            Found::Code(frame) => {
                told["function"] = frame.function.clone().into();
                (&frame.file, frame.line)
            }
            Found::Panic { file, line, text } => {
                told["text"] = text.clone().into();
                (file, *line)
            }
        };
        (told["file"], told["line"]) = (seen_from_here(file).into(), line.into());
    }
}

/// A panic, in the words of the trace.
const PANIC: &str = FaultKind::Panic.words();

/// Where a fault on the board happened, by the linked program of its process. A panic's instruction is in the handler of
/// panics, which says nothing; whoever called that is in its crash record, if there is one.
pub fn on_board(project: &Project, names: &Names, crashes: &[Crash], fault: &FaultReport) -> Option<Found> {
    let elf = linked(project, fault)?;
    let registers = project.description.board.board.value.processor.registers;
    let own = crashes.iter().filter(|crash| names.thread(crash.thread) == fault.thread);
    let record = own
        .min_by_key(|crash| names.tick.logical(crash.time).nanoseconds().abs_diff(fault.time.nanoseconds()));
    let place = match (fault.kind, fault.instruction, record) {
        (PANIC, _, Some(record)) => crashed::calls(&elf, record, registers).0,
        (PANIC, _, None) | (_, 0, _) => None,
        (_, instruction, _) => faulted::place(&elf, instruction),
    };
    place.map(Found::Code)
}

/// A place as people read it: the function, the file as seen from here, and the line.
pub fn place_in_words(frame: &Frame) -> String {
    let Frame { function, file, line } = frame;
    format!("`{}`, {}:{line}", function.as_deref().unwrap_or_default(), seen_from_here(file))
}

fn seen_from_here(file: &str) -> String {
    faulted::seen_from(&std::env::current_dir().unwrap_or_default(), file)
}
