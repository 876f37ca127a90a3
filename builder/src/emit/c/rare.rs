//! What few threads have: slots for programs, the trace's buffer, and the reports of a supervisor. There are handles of them,
//! and no values: each is one thread's, or a few threads', and nobody has a table of them.

use std::fmt::Write as _;

use beryl_abi::{Classes, Incident};

use super::objects::{Answer, Call, Given, Handle};
use super::plain::shouted;
use crate::assembly::{Assembly, Use};
use crate::emit::reports;

/// The types that the header of all systems has for them.
const TYPES: [&str; 5] = ["beryl_progress", "beryl_image", "beryl_note", "beryl_notes", "beryl_report"];

/// How far a slot's program may be, by its number.
const PROGRESS: [&str; 5] = ["NOTHING", "MORE", "ACCEPTED", "RUNNING", "REFUSED"];

/// Their types and numbers, for the header of all systems.
pub(super) fn types() -> String {
    let mut text =
        "\n/* Slots: how far a program is in its check and on its way. Refused programs have a reason, as \
         docs/reference/system-code.md lists them, and the\n   address of the instruction at fault, or 0. */\n"
            .to_owned();
    for (number, name) in PROGRESS.iter().enumerate() {
        let _ = writeln!(text, "#define BERYL_PROGRESS_{name} UINT32_C({number})");
    }
    text += "typedef struct beryl_progress {\n    uint32_t state;\n    uint16_t reason, address;\n} beryl_progress;\n\n\
             /* The identity of an image. */\ntypedef struct beryl_image {\n    uint8_t bytes[32];\n} beryl_image;\n\n\
             /* The trace: which classes are told, and notes as docs/reference/trace.md has them. */\n";
    for (word, class) in Classes::NAMED {
        let _ = writeln!(text, "#define BERYL_CLASS_{} UINT32_C({:#x})", word.to_uppercase(), class.0);
    }
    text += "typedef struct beryl_note {\n    uint32_t words[4];\n} beryl_note;\n\
             typedef struct beryl_notes {\n    uint32_t count;\n    beryl_note notes[4];\n} beryl_notes;\n\n\
             /* Supervisors: what happened to whom (BERYL_WATCHED_<Name> of ports.h), how often since the report before, and when \
             last, in ticks. */\n";
    for incident in Incident::ALL {
        let name = shouted(&format!("{incident:?}"));
        let _ = writeln!(text, "#define BERYL_INCIDENT_{name} UINT32_C({})", incident as u8);
    }
    text + "typedef struct beryl_report {\n    uint64_t last;\n    uint32_t who, what, count;\n} beryl_report;\n"
}

/// The names of these types.
pub(super) fn names() -> impl Iterator<Item = String> {
    TYPES.iter().map(|name| (*name).to_owned())
}

/// Who is watched, by numbers, if a function in C is told of anybody.
pub(super) fn watched(assembly: &Assembly) -> String {
    if !assembly.reports.iter().any(|report| reports::is_in_c(assembly, report.supervisor)) {
        return String::new();
    }
    let mut text = "\n/* Who is watched, in reports. */\n".to_owned();
    for (number, variant) in reports::variants(assembly).iter().enumerate() {
        let _ = writeln!(text, "#define BERYL_WATCHED_{variant} UINT32_C({number})");
    }
    text
}

/// The handle of what is used, if it is one of these.
pub(super) fn handle(assembly: &Assembly, used: Use) -> Option<Handle> {
    let objects = &assembly.objects;
    let (name, role, rust) = match used {
        Use::Slot(index) => (&objects.slots[index].name, "slot", "slot::Slot"),
        Use::Replace(index) => {
            let process = objects.replaceable[index].process;
            (&assembly.processes[process].name, "slot", "slot::Slot")
        }
        Use::Trace => return Some(Handle::new("trace", "buffer", "trace::Trace")),
        Use::Receive(mailbox) => {
            let (_, reports) = assembly.reports_in(mailbox)?;
            let supervisor = &assembly.threads[reports.first()?.supervisor];
            (&supervisor.name, "supervisor", "supervisor::Supervisor<u32>")
        }
        _ => return None,
    };
    Some(Handle::new(name, role, rust))
}

/// What can be done with it; nothing if it is none of these.
pub(super) fn calls<'a>(assembly: &Assembly, used: Use) -> Option<Vec<Call<'a>>> {
    match used {
        Use::Slot(_) => Some([program(), slot()].into_iter().flatten().collect()),
        Use::Replace(_) => Some(slot()),
        Use::Trace => Some(trace()),
        Use::Receive(mailbox) => assembly.reports_in(mailbox).map(|_| {
            let report = place("report", "beryl_report *", "*mut beryl_user::c::rare::Report");
            vec![call("hear", "rare::hear", Answer::Status, vec![report, Given::Wait])]
        }),
        _ => None,
    }
}

/// With a slot of any kind.
fn slot<'a>() -> Vec<Call<'a>> {
    let program = place("program", "const void *", "*const u8");
    let progress = place("progress", "beryl_progress *", "*mut beryl_user::c::rare::Progress");
    vec![
        call("number", "rare::slot_number", Answer::Word, vec![]),
        call("image", "rare::slot_image", Answer::Nothing, vec![image()]),
        call("write", "rare::slot_write", Answer::Status, vec![program, Given::Word("length")]),
        call("check", "rare::slot_check", Answer::Status, vec![progress]),
        call("rollback", "rare::slot_rollback", Answer::Status, vec![]),
    ]
}

/// With a module's.
fn program<'a>() -> Vec<Call<'a>> {
    let words = place("words", "uint32_t *", "*mut u32");
    let bytes = Answer::Other { c: "const uint8_t *", rust: "*const u8" };
    vec![
        call("program", "rare::slot_program", bytes, vec![Given::WordOut("length")]),
        call("record", "rare::slot_record", Answer::Status, vec![]),
        call(
            "recording",
            "rare::slot_recording",
            Answer::Status,
            vec![words, Given::Word("room"), Given::WordOut("count")],
        ),
    ]
}

fn trace<'a>() -> Vec<Call<'a>> {
    let notes = place("notes", "beryl_notes *", "*mut beryl_user::c::rare::Notes");
    vec![
        call("image", "rare::trace_image", Answer::Nothing, vec![image()]),
        call("classes", "rare::trace_classes", Answer::Word, vec![]),
        call("choose", "rare::trace_choose", Answer::Status, vec![Given::Word("classes")]),
        call("take", "rare::trace_take", Answer::Status, vec![notes]),
    ]
}

fn image<'a>() -> Given<'a> {
    place("image", "beryl_image *", "*mut beryl_user::c::rare::Image")
}

fn place<'a>(name: &'static str, c: &'static str, rust: &'static str) -> Given<'a> {
    Given::Other { name, c, rust }
}

fn call<'a>(verb: &str, function: &'static str, answer: Answer<'a>, parameters: Vec<Given<'a>>) -> Call<'a> {
    Call { verb: verb.to_owned(), function, answer, parameters }
}
