//! Everything out of the ordinary, in words: the same sentence for a miss, violation, overrun, fault or swap
//! in every view of a trace.

use beryl_abi::{Instant, ThreadId};

use crate::event::{Event, Happening};
use crate::jobs::{History, Job};
use crate::names::{Names, ThreadKind, ThreadName};

/// An unusual event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The thread to blame, if any.
    pub thread: Option<ThreadId>,
    /// When.
    pub at: Instant,
    /// A label of a word or two.
    pub label: &'static str,
    /// A full sentence.
    pub words: String,
    /// Whether it is trouble. Mere news, such as a takeover by another program, is shown but not counted.
    pub is_trouble: bool,
}

/// That a budget was used up which comes back is no trouble: it was to be expected.
const IN_A_PERIOD: &str = "has used up what it may use in a period";

/// Whether a thread's budget is one for a period, since it has no jobs, or shares it with others.
fn is_for_a_period(thread: ThreadId, names: &Names) -> bool {
    names.threads.get(thread.index()).is_some_and(|row| row.kind == ThreadKind::Free || row.shares)
}

impl Incident {
    /// The incident in an event, if it is one.
    #[must_use]
    pub fn of(event: &Event, history: &History, names: &Names) -> Option<Incident> {
        let told = |thread, at, label, words| Some(Incident { thread, at, label, words, is_trouble: true });
        match event.happening {
            Happening::Miss { task, deadline } => {
                let words = missed(history.missed(task, deadline), names);
                told(Some(task), deadline, "deadline missed", words)
            }
            Happening::Violation { task, instant } => {
                let fate = names.threads.get(task.index()).map_or("its job was stopped", ThreadName::fate);
                let words = format!("time-safety violation: its result was needed, {fate}");
                told(Some(task), instant, "violation", words)
            }
            Happening::Overrun { task } if is_for_a_period(task, names) => {
                let spent = told(Some(task), event.time, "budget used up", IN_A_PERIOD.to_owned())?;
                Some(Incident { is_trouble: false, ..spent })
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
            Happening::Note(crate::DecodedNote::Budget { thread, driver, used }) => {
                let used = names.tick.length(used);
                let words = match driver {
                    Some(driver) => {
                        format!("driver {} has used up its budget, after {used}", names.driver(driver))
                    }
                    None if is_for_a_period(thread, names) => format!("it has used {used}, more than it may"),
                    None => format!("its job has used {used}, more than it may"),
                };
                // The consequence, a fault or an overrun, has an event of its own.
                let spent = told(Some(thread), event.time, "budget used up", words)?;
                Some(Incident { is_trouble: false, ..spent })
            }
            Happening::Note(crate::DecodedNote::Restart { process, is_allowed, made }) => {
                let (label, words) = restart(&names.process(process), is_allowed, made);
                let told = told(None, event.time, label, words)?;
                Some(Incident { is_trouble: !is_allowed, ..told })
            }
            Happening::Swap { program, room, instant } => {
                let words = format!("{}: {} takes over", names.program(program), room_name(room));
                let swap = told(None, instant, "swap", words)?;
                Some(Incident { is_trouble: false, ..swap })
            }
            _ => None,
        }
    }
}

/// A miss is reported at the job's end, or earlier if the next job can't wait for it.
fn missed(job: Option<&Job>, names: &Names) -> String {
    let completed = |job: &Job| job.response().and(job.end);
    match job.map(|job| (job, completed(job))) {
        Some((job, Some(end))) if end > job.deadline => {
            format!("deadline missed, completed {} late", names.tick.length(end.since(job.deadline)))
        }
        Some((Job { end: None, .. }, _)) => {
            "deadline missed, and not completed when the trace ends".to_owned()
        }
        Some((_, None)) => "deadline missed, and never completed".to_owned(),
        Some(_) | None => "deadline missed".to_owned(),
    }
}

/// A process begins anew after a fault, or doesn't any more.
fn restart(process: &str, is_allowed: bool, made: u16) -> (&'static str, String) {
    let times = if made == 1 { "once".to_owned() } else { format!("{made} times") };
    match is_allowed {
        true => ("restart", format!("process {process} begins anew, {times} so far")),
        false => (
            "stays stopped",
            format!("process {process} stays stopped: it has begun anew too often, {times} in all"),
        ),
    }
}

/// The place of a program that has taken over.
fn room_name(room: u8) -> String {
    match room {
        0 => "the image's program".to_owned(),
        room => format!("the program in room {room}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_abi::{Line, ProgramId};

    /// A periodic thread's miss is reported when its next job is due, while the late job goes on.
    #[test]
    fn a_job_is_late_by_what_its_end_says() {
        use beryl_abi::ThreadId;
        let names = Names::parse(include_str!("../tests/names.json")).expect("names");
        let (task, at) = (ThreadId(0), Instant::from_ticks);
        let event = |ticks, happening| Event { time: at(ticks), happening };
        let release = event(0, Happening::Release { task, instant: at(0), deadline: at(1000) });
        let miss = event(1000, Happening::Miss { task, deadline: at(1000) });
        let told = |events: &[Event]| {
            let history = History::of(events);
            Incident::of(&miss, &history, &names).map(|told| told.words).expect("a miss")
        };
        let mut events = vec![release, miss.clone()];
        assert_eq!(told(&events), "deadline missed, and not completed when the trace ends");
        events.push(event(1250, Happening::Complete { task }));
        assert_eq!(told(&events), "deadline missed, completed 10 us late");
        events[2] = event(1250, Happening::Violation { task, instant: at(1250) });
        assert_eq!(told(&events), "deadline missed, and never completed");
        assert_eq!(told(&events[1..]), "deadline missed", "its release isn't in the trace");
    }

    #[test]
    fn that_a_program_takes_over_is_news_and_no_trouble() {
        let names = Names::parse(include_str!("../tests/names.json")).expect("names");
        let at = Instant::from_ticks(25);
        let told = |happening| {
            let event = Event { time: at, happening };
            let history = History::of(std::slice::from_ref(&event));
            Incident::of(&event, &history, &names).map(|told| (told.words, told.is_trouble))
        };
        let swap = told(Happening::Swap { program: ProgramId(1), room: 2, instant: at });
        assert_eq!(swap, Some(("Control: the program in room 2 takes over".to_owned(), false)));
        let stray = told(Happening::Stray { line: Line(3) });
        assert_eq!(stray, Some(("stray interrupt on line 3, now masked".to_owned(), true)));
    }
}
