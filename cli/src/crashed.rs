//! Crash records: who, when and what, where it was and who called, registers, reach, and what happened before.

use std::fs;

use beryl_builder::Project;
use beryl_builder::board::code::Frame;
use beryl_builder::crashed::{self, Caller};
use beryl_trace::crashes::{self, Crash};
use beryl_trace::{Event, Names};
use serde_json::json;

use crate::console::Console;
use crate::faulted::place_in_words;
use crate::files::workshop;

/// How many happenings before a fault are shown.
const BEFORE: usize = 8;
/// How many registers, and words of a stack, stand in a line.
const IN_A_LINE: usize = 8;

/// Tells each record of a run.
pub fn tell(project: &Project, names: &Names, events: &[Event], console: &Console) {
    let all = crashes::crashes(events);
    if all.is_empty() {
        return;
    }
    console.title("Crash records");
    let mut last = 0;
    for crash in &all {
        if crash.number > last + 1 {
            console.say(format_args!("  {} faults before this one have no record", crash.number - last - 1));
        }
        last = crash.number;
        one(project, names, events, crash, console);
    }
}

fn one(project: &Project, names: &Names, events: &[Event], crash: &Crash, console: &Console) {
    let thread = names.thread(crash.thread);
    let process = names.known_thread(crash.thread).map(|known| known.process.clone()).unwrap_or_default();
    let elf = fs::read(workshop().folder(&project.assembly.name).join(format!("{process}.elf")))
        .unwrap_or_default();
    let registers = project.description.board.board.value.processor.registers;
    let (place, callers) = crashed::calls(&elf, crash, registers);
    let regions = crashed::regions(project, crash.thread.index());
    let advice = crashed::advice(project, crash.thread.index(), crash.fault.kind, crash.fault.address);
    let before = crashes::before(crash, events, BEFORE, names);
    let time = names.tick.logical(crash.time);

    let at =
        if crash.fault.address == 0 { String::new() } else { format!(" at {:#010x}", crash.fault.address) };
    console.say(format_args!(
        "  {}. {time}: {thread} of process {process}: {}{at}",
        crash.number,
        crash.fault.kind.words()
    ));
    if let Some(frame) = &place {
        console.say(format_args!("    in {}", place_in_words(frame)));
    }
    if let Some(advice) = &advice {
        console.say(format_args!("    {advice}"));
    }
    if !callers.is_empty() {
        console.say("    called from, as far as its stack tells:");
    }
    for Caller { frame, times } in &callers {
        let times = if *times > 1 { format!(", {times} times") } else { String::new() };
        console.say(format_args!("      {}{times}", place_in_words(frame)));
    }
    let registers = crash.registers(registers);
    for line in registers.chunks(IN_A_LINE) {
        let words: Vec<_> = line.iter().map(|(name, word)| format!("{name} {word:08x}")).collect();
        console.say(format_args!("    {}", words.join("  ")));
    }
    for (line, number) in crash.stack.chunks(IN_A_LINE).zip(0_u32..) {
        let words: Vec<_> = line.iter().map(|word| format!("{word:08x}")).collect();
        let title = if number == 0 { "stack" } else { "     " };
        console.say(format_args!("    {title} {}", words.join(" ")));
    }
    console.say("    it could reach the code of all processes, and");
    for region in &regions {
        console.say(format_args!("      {}  {:11}  {}", region.interval, region.rights, region.name));
    }
    if !before.is_empty() {
        console.say("    before:");
    }
    for (time, words) in &before {
        console.say(format_args!("      {}  {words}", names.tick.logical(*time)));
    }
    console.object(&json!({
        "crash": crash.number,
        "thread": thread,
        "process": process,
        "time_ns": time,
        "kind": crash.fault.kind.words(),
        "address": crash.fault.address,
        "place": place.as_ref().map(in_json),
        "proposal": advice,
        "called_from": callers.iter().map(|caller| in_json(&caller.frame)).collect::<Vec<_>>(),
        "registers": registers.iter().map(|(name, word)| ((*name).to_owned(), json!(word))).collect::<serde_json::Map<_, _>>(),
        "stack": crash.stack,
        "regions": regions.iter().map(|region| json!({
            "name": region.name, "base": region.interval.base, "limit": region.interval.limit, "rights": region.rights,
        })).collect::<Vec<_>>(),
        "before": before.iter().map(|(time, words)| json!({ "time_ns": names.tick.logical(*time), "what": words })).collect::<Vec<_>>(),
    }));
}

fn in_json(frame: &Frame) -> serde_json::Value {
    json!({ "function": frame.function, "file": frame.file, "line": frame.line })
}
