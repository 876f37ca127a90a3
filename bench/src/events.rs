//! Events: what a step of the kernel may begin with, each a root of its own for the analysis of paths.
//!
//! A call's number stands in a register and in its caller's frame, an exception's in a register of the processor. So a path that begins with one
//! call doesn't go on with another, and what it comes to is the end of that one alone.

use beryl_abi::CallNumber;
use beryl_builder::Project;
use beryl_path::{Begins, Entry, Facts, Report};

use crate::observed::Begin;

/// Where calls enter.
pub const CALLS: &str = "SVCall";
/// Where interrupts enter.
pub const INTERRUPTS: &str = "DefaultHandler";
/// Where faults enter; all of them share this way.
const FAULTS: &str = "MemoryManagement";
/// The exception that the kernel starts with.
const START: &str = "PendSV";

/// Exception handlers of the port. The others share their addresses, or end in the kernel's last words.
pub const HANDLERS: [&str; 3] = [CALLS, INTERRUPTS, START];

/// What a step may begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A call.
    Call(CallNumber),
    /// A number that no call has.
    UnknownCall,
    /// The alarm.
    Alarm,
    /// A device's interrupt, on this line.
    Interrupt(u16),
    /// A fault of user mode.
    Fault,
    /// The start of the system.
    Start,
    /// A look at what is pending: what goes on from there, interrupts that are taken there among it.
    Round,
}

impl Event {
    /// All that a system may come to. A line that it doesn't name stays masked.
    #[must_use]
    pub fn of(project: &Project) -> Vec<Event> {
        let calls = CallNumber::ALL.iter().copied().map(Event::Call);
        let lines = project.assembly.objects.interrupts.iter().map(|row| Event::Interrupt(row.line));
        let others = [Event::UnknownCall, Event::Alarm, Event::Fault, Event::Start, Event::Round];
        calls.chain(lines).chain(others).collect()
    }

    /// What a step that was seen began with. Faults and the start aren't told apart.
    #[must_use]
    pub fn of_begin(begin: Begin, project: &Project) -> Vec<Event> {
        let alarms = &project.description.board.board.value.kernel_lines;
        match begin {
            Begin::Call(number) => vec![CallNumber::decode(number).map_or(Event::UnknownCall, Event::Call)],
            Begin::Interrupt(line) if alarms.iter().any(|alarm| u32::from(*alarm) == line) => {
                vec![Event::Alarm]
            }
            Begin::Interrupt(line) => u16::try_from(line).map(Event::Interrupt).into_iter().collect(),
            Begin::Look => vec![Event::Round],
            Begin::Other => vec![Event::Start, Event::Fault],
        }
    }

    /// The bound of a step that was seen, by what it began with; zero for what no system comes to.
    #[must_use]
    pub fn bound(bounds: &Report, begin: Begin, project: &Project) -> u64 {
        let events = Event::of_begin(begin, project);
        let bounds = events.iter().filter_map(|event| bounds.step(&event.name()));
        bounds.map(|step| step.instructions).max().unwrap_or_default()
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Event::Call(number) => format!("{number:?}"),
            Event::UnknownCall => "a call that there isn't".to_owned(),
            Event::Alarm => "the alarm".to_owned(),
            Event::Interrupt(line) => format!("interrupt {line}"),
            Event::Fault => "a fault".to_owned(),
            Event::Start => "the start".to_owned(),
            Event::Round => "a round of the kernel's loop".to_owned(),
        }
    }

    /// The root of its steps. The alarm has the board's first line that is the kernel's own.
    #[must_use]
    pub fn entry(self, project: &Project) -> Entry {
        let exception =
            |line: u16| Facts { exception: Some(u32::from(line) + FIRST_LINE), ..Facts::default() };
        let call = |number| Facts { call: Some(number), ..Facts::default() };
        let alarm = || project.description.board.board.value.kernel_lines.first().copied();
        let (symbol, facts) = match self {
            Event::Call(number) => (CALLS, call(number as u32)),
            Event::UnknownCall => (CALLS, call(u32::MAX)),
            Event::Alarm => (INTERRUPTS, alarm().map(exception).unwrap_or_default()),
            Event::Interrupt(line) => (INTERRUPTS, exception(line)),
            Event::Fault => (FAULTS, Facts::default()),
            Event::Start => (START, Facts::default()),
            Event::Round => (INTERRUPTS, Facts::default()),
        };
        let begins = if self == Event::Round { Begins::AtBoundary } else { Begins::AtEntry };
        Entry { name: self.name(), begins, facts, ..Entry::from(symbol) }
    }
}

/// The number of the exception of the first line.
const FIRST_LINE: u32 = 16;
