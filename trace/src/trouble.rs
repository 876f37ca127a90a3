//! What is out of the ordinary, in words: one sentence for misses, violations, overruns, faults, swaps, for every view of a trace.

use beryl_abi::{Instant, ThreadId};

use crate::event::{Event, Happening};
use crate::names::Names;

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Who is to blame; nothing if nobody is.
    pub thread: Option<ThreadId>,
    /// When.
    pub at: Instant,
    /// What, in a word or two.
    pub label: &'static str,
    /// What, in full.
    pub words: String,
}

impl Told {
    /// What went wrong in an event, if something did.
    #[must_use]
    pub fn of(event: &Event, names: &Names) -> Option<Told> {
        let told = |thread, at, label, words| Some(Told { thread, at, label, words });
        match event.happening {
            Happening::Miss { task, deadline } => {
                let late = names.tick.length(event.time.since(deadline));
                let words = format!("deadline missed, completed {late} late");
                told(Some(task), deadline, "deadline missed", words)
            }
            Happening::Violation { task, instant } => {
                let words = "time-safety violation: its result was needed, its job was stopped".to_owned();
                told(Some(task), instant, "violation", words)
            }
            Happening::Overrun { task } => {
                let words = "used more processor time than its job may".to_owned();
                told(Some(task), event.time, "overrun", words)
            }
            Happening::Fault { thread, fault } => {
                let place = match (fault.address, fault.instruction) {
                    (0, 0) => String::new(),
                    (address, 0) => format!(" (address {address:#010x})"),
                    (0, instruction) => format!(" (instruction {instruction:#010x})"),
                    (address, instruction) => {
                        format!(" (address {address:#010x}, instruction {instruction:#010x})")
                    }
                };
                let words = format!("stopped: {}{place}", fault.kind.words());
                told(Some(thread), event.time, "fault", words)
            }
            Happening::Skip { program, instant } => {
                let words = format!("{}: a driver or release was left out", names.program(program));
                told(None, instant, "skipped", words)
            }
            Happening::Stray { line } => {
                let words = format!("stray interrupt on line {}, now masked", line.0);
                told(None, event.time, "stray interrupt", words)
            }
            Happening::Swap { program, room, instant } => {
                let words = format!("{}: {} takes over", names.program(program), room_name(room));
                told(None, instant, "swap", words)
            }
            _ => None,
        }
    }
}

/// Where a program lies that has taken over.
fn room_name(room: u8) -> String {
    match room {
        0 => "the image's program".to_owned(),
        room => format!("the program in room {room}"),
    }
}
