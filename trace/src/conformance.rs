//! Conformance: whether two hosts of the kernel did the same, event by event.
//!
//! Everything with a logical instant must be the same, in the same order: releases, drivers with their
//! values, skips, violations, program takeovers. So must the jobs of each thread, how each of them ended, and
//! whether a fault stopped the thread. These may differ: physical times, and so preemptions and the order in
//! which jobs of different tasks end, since instructions and the kernel take time on one host and not on
//! another; the order of consecutive thread releases at one instant, since timers that are due together have
//! no order; and the kind that a host gives a fault.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::ThreadId;

use crate::event::{Event, Happening};
use crate::names::Names;
use beryl_abi::DecodedNote as Note;

/// The result of comparing two hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conformance {
    /// They did the same.
    Same {
        /// The number of events with logical instants.
        logical: usize,
        /// The number of job ends and faults.
        ends: usize,
    },
    /// They didn't: the first difference, in words.
    Different(String),
}

/// Everything about an event that must be the same.
type Line = String;

/// Compares recordings of one system on two hosts. Events that a thread hadn't reached by the end of a trace
/// are no difference.
#[must_use]
pub fn conformance(one: &[Event], other: &[Event], names: &Names) -> Conformance {
    let [first, second] = [one, other].map(|events| logical(events, names));
    if let Some(difference) = difference(&first, &second, "of all events with logical instants") {
        return Conformance::Different(difference);
    }
    let [ends, mut others] = [one, other].map(|events| by_thread(events, names));
    let mut count = 0;
    for (thread, told) in &ends {
        let again = others.remove(thread).unwrap_or_default();
        // One more or one less may still be in progress.
        let both = told.len().min(again.len());
        let open = told.len().max(again.len()).saturating_sub(both);
        let of = format!("of {}", names.thread(*thread));
        if let Some(difference) = difference(&told[..both], &again[..both], &of) {
            return Conformance::Different(difference);
        }
        if open > 1 {
            return Conformance::Different(format!("{of}: {} ends of jobs, and {}", told.len(), again.len()));
        }
        count += both;
    }
    if let Some((thread, told)) = others.into_iter().find(|(_, told)| told.len() > 1) {
        let name = names.thread(thread);
        return Conformance::Different(format!("of {name}: no end of a job, and {}", told.len()));
    }
    Conformance::Same { logical: first.len(), ends: count }
}

/// The number of events that a comparison looks at: those with logical instants, and ends of jobs with
/// faults.
#[must_use]
pub fn counted(events: &[Event], names: &Names) -> [usize; 2] {
    [logical(events, names).len(), by_thread(events, names).values().map(Vec::len).sum()]
}

/// Compares the values that threads tell, per thread and kind; returns how many are the same.
///
/// # Errors
/// If values differ, in words: the first difference of each kind, for each thread.
pub fn tellings(one: &[Event], other: &[Event], names: &Names) -> Result<usize, String> {
    let [ones, others] = [one, other].map(told);
    let keys: BTreeSet<_> = ones.keys().chain(others.keys()).collect();
    let of = |all: &Tellings, key| all.get(key).cloned().unwrap_or_default();
    let differences = keys.into_iter().filter_map(|key| {
        let (first, second) = (of(&ones, key), of(&others, key));
        let same = first.iter().zip(&second).take_while(|(one, other)| one == other).count();
        let at =
            |values: &[u32]| values.get(same).map_or("nothing".to_owned(), |value| format!("{value:#x}"));
        let (thread, event) = (names.thread(key.0), key.1);
        let words =
            format!("{thread} tells of {event}, number {}: {}; {}", same + 1, at(&first), at(&second));
        (first != second).then_some(words)
    });
    let differences: Vec<_> = differences.collect();
    match &differences[..] {
        [] => Ok(ones.values().map(Vec::len).sum()),
        all => Err(all.join("\n  ")),
    }
}

/// The values that each thread told for each kind of event, in order.
type Tellings = BTreeMap<(ThreadId, u16), Vec<u32>>;

fn told(events: &[Event]) -> Tellings {
    let mut all = Tellings::new();
    for event in events {
        if let Happening::Note(Note::Event { thread, event, value }) = &event.happening {
            all.entry((*thread, *event)).or_default().push(*value);
        }
    }
    all
}

/// The first difference between two lists; the longer one may continue past the shorter with events of its
/// last instant.
fn difference(first: &[Line], second: &[Line], of: &str) -> Option<String> {
    let same = first.iter().zip(second).take_while(|(one, other)| one == other).count();
    let at = |list: &[Line]| list.get(same).cloned().unwrap_or_else(|| "nothing any more".to_owned());
    let is_same = same == first.len() && same == second.len();
    (!is_same).then(|| format!("{of}, number {}: {}; {}", same + 1, at(first), at(second)))
}

fn logical(events: &[Event], names: &Names) -> Vec<Line> {
    let at = |instant| names.tick.logical(instant);
    let told = |event: &Event| match &event.happening {
        Happening::Release { task, instant, deadline } => {
            Some(format!("{} released at {} until {}", names.thread(*task), at(*instant), at(*deadline)))
        }
        Happening::Driver { driver, instant, value } => {
            Some(format!("{} at {}: {value:02x?}", names.driver(*driver), at(*instant)))
        }
        Happening::Skip { program, instant } => {
            Some(format!("{} leaves something out at {}", names.program(*program), at(*instant)))
        }
        Happening::Violation { task, instant } => {
            Some(format!("{} violates time safety at {}", names.thread(*task), at(*instant)))
        }
        Happening::Swap { program, room, instant } => {
            Some(format!("{}: room {room} takes over at {}", names.program(*program), at(*instant)))
        }
        _ => None,
    };
    let told: Vec<_> = events.iter().filter_map(|event| Some((event, told(event)?))).collect();
    let mut all: Vec<Line> = Vec::new();
    for group in told.chunk_by(|(one, _), (next, _)| are_released_together(one, next)) {
        let start = all.len();
        all.extend(group.iter().map(|(_, told)| told.clone()));
        all[start..].sort_unstable();
    }
    all
}

/// Whether two events are releases at one instant.
fn are_released_together(one: &Event, next: &Event) -> bool {
    let instant = |event: &Event| match event.happening {
        Happening::Release { instant, .. } => Some(instant),
        _ => None,
    };
    instant(one).is_some() && instant(one) == instant(next)
}

fn by_thread(events: &[Event], names: &Names) -> BTreeMap<ThreadId, Vec<Line>> {
    let mut threads: BTreeMap<ThreadId, Vec<Line>> = BTreeMap::new();
    let mut tell = |thread, told: String| threads.entry(thread).or_default().push(told);
    for event in events {
        match &event.happening {
            Happening::Complete { task } => tell(*task, "a job is done".to_owned()),
            Happening::Miss { task, deadline } => {
                tell(*task, format!("misses its deadline at {}", names.tick.logical(*deadline)));
            }
            Happening::Violation { task, .. } => tell(*task, "a job is stopped".to_owned()),
            Happening::Fault { thread, .. } => tell(*thread, "is stopped by a fault".to_owned()),
            _ => {}
        }
    }
    threads
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_abi::{DriverId, Instant};

    const NAMES: &str = r#"{"system": "s", "tick": {"nanoseconds": 1000000, "ticks": 1}, "processes": [], "programs": [],
        "threads": [{"name": "a", "process": "", "kind": "task"}, {"name": "b", "process": "", "kind": "task"}],
        "drivers": [{"name": "gps", "kind": "sensor", "value": "int"}]}"#;

    fn event(ticks: u64, happening: Happening) -> Event {
        Event { time: Instant::from_ticks(ticks), happening }
    }

    /// Each task has a job every ten ticks, of these lengths; `late` is for a host that itself takes time.
    fn run(lengths: [u64; 2], late: u64, value: u8) -> Vec<Event> {
        let mut events = Vec::new();
        for start in [0, 10, 20] {
            let instant = Instant::from_ticks(start);
            let sensor = Happening::Driver { driver: DriverId(0), instant, value: vec![value] };
            events.push(event(start + late, sensor));
            for task in [0, 1].map(ThreadId) {
                let deadline = instant.after(beryl_abi::Duration::from_ticks(10));
                events.push(event(start + late, Happening::Release { task, instant, deadline }));
            }
            let mut ends = [(lengths[0], 0), (lengths[1], 1)];
            ends.sort_unstable();
            let end =
                |(length, task)| event(start + late + length, Happening::Complete { task: ThreadId(task) });
            events.extend(ends.map(end));
        }
        events
    }

    fn compared(one: &[Event], other: &[Event]) -> Conformance {
        conformance(one, other, &Names::parse(NAMES).expect("names"))
    }

    #[test]
    fn physical_times_and_the_order_of_ends_may_differ() {
        let same = Conformance::Same { logical: 9, ends: 6 };
        assert_eq!(compared(&run([2, 3], 0, 7), &run([4, 3], 1, 7)), same);
        let run_that_ends_early = &run([2, 3], 0, 7)[..14];
        assert_eq!(
            compared(&run([2, 3], 0, 7), run_that_ends_early),
            Conformance::Same { logical: 9, ends: 5 }
        );
    }

    #[test]
    fn values_orders_and_ends_may_not() {
        let reference = run([2, 3], 0, 7);
        let said = |events: &[Event]| match compared(&reference, events) {
            Conformance::Different(said) => said,
            same => panic!("{same:?}"),
        };
        assert_eq!(
            said(&run([2, 3], 0, 8)),
            "of all events with logical instants, number 1: gps at 0 ms: [07]; gps at 0 ms: [08]"
        );
        let mut swapped = reference.clone();
        swapped.swap(0, 1);
        assert!(said(&swapped).contains("number 1: gps at 0 ms: [07]; a released at 0 ms until 10 ms"));
        swapped = reference.clone();
        swapped.swap(1, 2);
        assert_eq!(compared(&reference, &swapped), Conformance::Same { logical: 9, ends: 6 }, "together");
        let without = |count: usize| {
            let mut left = count;
            let gone = |event: &Event| {
                let is = matches!(event.happening, Happening::Complete { task: ThreadId(1) }) && left > 0;
                left -= usize::from(is);
                !is
            };
            let mut events = reference.clone();
            events.retain(gone);
            events
        };
        assert!(
            matches!(compared(&reference, &without(1)), Conformance::Same { ends: 5, .. }),
            "one may be open"
        );
        assert_eq!(said(&without(2)), "of b: 3 ends of jobs, and 1");
        assert_eq!(said(&without(3)), "of b: 3 ends of jobs, and 0");
        let mut missed = reference.clone();
        missed[4].happening = Happening::Miss { task: ThreadId(1), deadline: Instant::from_ticks(10) };
        assert_eq!(said(&missed), "of b, number 1: a job is done; misses its deadline at 10 ms");
    }
    #[test]
    fn each_kind_that_a_thread_tells_otherwise_is_named() {
        let tell = |thread, kind, value| {
            let told = Note::Event { thread: ThreadId(thread), event: kind, value };
            event(value.into(), Happening::Note(told))
        };
        let reference = [tell(0, 3, 7), tell(0, 3, 8), tell(1, 3, 9), tell(0, 4, 1)];
        let names = Names::parse(NAMES).expect("names");
        // Which thread tells first depends on which has the processor.
        let other = [&reference[2..], &reference[..2]].concat();
        assert_eq!(tellings(&reference, &other, &names), Ok(4));
        let wrong = [tell(0, 3, 7), tell(0, 3, 0x88), tell(1, 3, 9), tell(1, 3, 9)];
        let expected = "a tells of 3, number 2: 0x8; 0x88\n  a tells of 4, number 1: 0x1; nothing\n  \
                        b tells of 3, number 2: nothing; 0x9";
        assert_eq!(tellings(&reference, &wrong, &names), Err(expected.to_owned()));
    }
}
