//! Events that begin a step of the kernel, each a root of its own for path analysis.
//!
//! A call's number is in a register and in its caller's frame, an exception's in a register of the processor.
//! So a path that begins with one call doesn't continue as another, and its bound belongs to that call alone.

use beryl_abi::CallNumber;
use beryl_builder::Project;
use beryl_builder::board::processor;
use beryl_path::{Begins, Entry, Facts, Report};

use crate::observed::Begin;

/// The beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A call.
    Call(CallNumber),
    /// A number without a call.
    UnknownCall,
    /// The alarm.
    Alarm,
    /// A device interrupt on this line.
    Interrupt(u16),
    /// A fault in user mode.
    Fault,
    /// The start of the system.
    Start,
    /// A check for pending work: deferred work, and interrupts taken there.
    Round,
}

impl Event {
    /// All events of a system. An interrupt line that it doesn't name stays masked.
    #[must_use]
    pub fn of(project: &Project) -> Vec<Event> {
        let calls = CallNumber::ALL.iter().copied().map(Event::Call);
        let others = [Event::UnknownCall, Event::Alarm, Event::Fault, Event::Start, Event::Round];
        calls.chain(Event::lines(project)).chain(others).collect()
    }

    /// The bells of a core, which come on one line of its controller.
    fn bells(project: &Project) -> impl Iterator<Item = Event> {
        let bells = project.assembly.objects.interrupts.iter().filter(|row| row.is_bell);
        bells.map(|row| Event::Interrupt(row.line))
    }

    /// The interrupts of a system.
    fn lines(project: &Project) -> impl Iterator<Item = Event> {
        project.assembly.objects.interrupts.iter().map(|row| Event::Interrupt(row.line))
    }

    /// The events that may have begun an observed step. Faults and the start can't be told apart.
    #[must_use]
    pub fn of_begin(begin: Begin, project: &Project) -> Vec<Event> {
        match begin {
            Begin::Call(number) => vec![CallNumber::decode(number).map_or(Event::UnknownCall, Event::Call)],
            Begin::Alarm => vec![Event::Alarm],
            Begin::Interrupt(Some(line)) if called(project).map(u32::from) == Some(line) => {
                Event::bells(project).collect()
            }
            Begin::Interrupt(Some(line)) => u16::try_from(line).map(Event::Interrupt).into_iter().collect(),
            Begin::Interrupt(None) => Event::lines(project).collect(),
            Begin::Look => vec![Event::Round],
            Begin::Other => vec![Event::Start, Event::Fault],
        }
    }

    /// The bound of an observed step, by its beginning; zero if the system has no such event.
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

    /// The root of its steps. The alarm uses the first line of the board that belongs to the kernel.
    #[must_use]
    pub fn entry(self, project: &Project) -> Entry {
        let board = project.description.board.board.value;
        let entries = &board.processor.entries;
        let line = |line: u16| match entries.lines_differ {
            true => {
                let number = entries.lines.number.map(|first| first.saturating_add(line.into()));
                processor::Entry { number, ..entries.lines }
            }
            false => entries.lines,
        };
        let alarm = || board.kernel_lines.first().map_or(entries.lines, |alarm| line(*alarm));
        let (at, call) = match self {
            Event::Call(number) => (entries.calls, Some(number as u32)),
            Event::UnknownCall => (entries.calls, Some(u32::MAX)),
            Event::Alarm => (entries.alarm.unwrap_or_else(alarm), None),
            Event::Interrupt(number) => {
                let is_bell = Event::bells(project).any(|bell| bell == self);
                (line(called(project).filter(|_| is_bell).unwrap_or(number)), None)
            }
            Event::Fault => (entries.faults, None),
            Event::Start => (entries.start, None),
            Event::Round => (processor::Entry::alone(entries.lines.symbol), None),
        };
        let begins = if self == Event::Round { Begins::AtBoundary } else { Begins::AtEntry };
        let facts = Facts { call, exception: at.number, any: at.any };
        Entry { name: self.name(), begins, facts, ..Entry::from(at.symbol) }
    }
}

/// The line on which other cores call the kernel.
fn called(project: &Project) -> Option<u16> {
    project.description.board.board.value.called
}
