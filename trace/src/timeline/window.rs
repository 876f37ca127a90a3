//! The default window: two typical periods, at the first trouble if there is one.

use std::collections::BTreeMap;

use beryl_abi::{Duration, Instant, ThreadId};

use crate::event::Event;
use crate::incident::Incident;
use crate::jobs::{History, Outcome};
use crate::names::{Names, ThreadKind};

/// A job in trouble is shown from its release on, unless that was more than this many typical periods
/// earlier.
const FARTHEST: u64 = 20;

/// The window from its first instant to its end, within the trace.
#[must_use]
pub fn window(events: &[Event], history: &History, names: &Names) -> (Instant, Instant) {
    let (start, end) = history.span;
    let period = typical_period(history, names).unwrap_or_else(|| end.since(start));
    let half = Duration::from_ticks(period.ticks() / 2).max(Duration::from_ticks(1));
    let Some(trouble) = first_trouble(events, history, names) else {
        let from = history.jobs.iter().map(|job| job.release).min().unwrap_or(start).max(start);
        return (from, from.after(period).after(period).min(end).max(from.after(half)));
    };
    let earlier = |length: Duration| Instant::START.after(trouble.at.since(Instant::START).minus(length));
    let release = released(&trouble, history).unwrap_or(trouble.at);
    let farthest = earlier(Duration::from_ticks(period.ticks().saturating_mul(FARTHEST)));
    let from = earlier(period.plus(half)).min(release.max(farthest)).max(start);
    (from, trouble.at.after(half).min(end).max(from.after(half)))
}

/// The first trouble.
fn first_trouble(events: &[Event], history: &History, names: &Names) -> Option<Incident> {
    let told = events.iter().filter_map(|event| Incident::of(event, history, names));
    told.filter(|told| told.is_trouble).min_by_key(|told| told.at)
}

/// When the job in trouble was released.
fn released(trouble: &Incident, history: &History) -> Option<Instant> {
    let jobs = history.jobs_of(trouble.thread?).filter(|job| job.release <= trouble.at);
    let is_in_it = |end: Option<Instant>| end.is_none_or(|end| trouble.at <= end);
    let mut jobs = jobs.filter(|job| is_in_it(job.end) || job.outcome == Outcome::Missed);
    jobs.find(|job| is_in_it(job.end)).map(|job| job.release)
}

/// The median of the threads' usual periods: from one release to the next, or from one run to the next for
/// threads without jobs. So neither the fastest nor the slowest thread determines the window.
fn typical_period(history: &History, names: &Names) -> Option<Duration> {
    let mut instants: BTreeMap<ThreadId, Vec<Instant>> = BTreeMap::new();
    history.jobs.iter().for_each(|job| instants.entry(job.task).or_default().push(job.release));
    if instants.is_empty() {
        let is_free = |thread| names.known_thread(thread).is_some_and(|known| known.kind == ThreadKind::Free);
        let runs = history.runs.iter().filter(|run| is_free(run.thread));
        runs.for_each(|run| instants.entry(run.thread).or_default().push(run.from));
    }
    let periods = instants
        .into_values()
        .filter_map(|instants| median(instants.windows(2).map(|pair| pair[1].since(pair[0])).collect()));
    let longest = history.jobs.iter().map(|job| job.deadline.since(job.release)).max();
    median(periods.filter(|period| *period > Duration::ZERO).collect()).or(longest)
}

/// The median, the lower one of two.
fn median(mut lengths: Vec<Duration>) -> Option<Duration> {
    lengths.sort_unstable();
    lengths.get(lengths.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Happening;

    const QUICK: ThreadId = ThreadId(0);
    const SLOW: ThreadId = ThreadId(1);

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    fn names() -> Names {
        Names::parse(include_str!("../../tests/names.json")).expect("names")
    }

    fn shown(events: &[Event]) -> (u64, u64) {
        let (from, to) = window(events, &History::of(events), &names());
        (from.ticks(), to.ticks())
    }

    /// Quick runs each 10, slow each 1000; each is done after a tick.
    fn run(begin: u64) -> Vec<Event> {
        let mut events = Vec::new();
        for now in (begin..begin + 3000).step_by(10) {
            let tasks = [(QUICK, 10), (SLOW, 1000)].into_iter().filter(|(_, period)| now % period == 0);
            for (task, period) in tasks {
                let release = Happening::Release { task, instant: at(now), deadline: at(now + period) };
                events.push(Event { time: at(now), happening: release });
                events.push(Event { time: at(now + 1), happening: Happening::Complete { task } });
            }
        }
        events
    }

    #[test]
    fn without_trouble_it_is_two_typical_periods_of_what_there_is() {
        assert_eq!(shown(&run(0)), (0, 20));
        assert_eq!(shown(&run(50_000)), (50_000, 50_020), "where the trace begins");
        assert_eq!(shown(&[]), (0, 1));
    }

    #[test]
    fn the_first_trouble_is_in_it_with_the_release_of_its_job() {
        let fault = beryl_abi::Fault { kind: beryl_abi::FaultKind::Data, address: 1, instruction: 2 };
        let mut events = run(0);
        events.push(Event { time: at(2999), happening: Happening::Fault { thread: QUICK, fault } });
        events.sort_by_key(|event| event.time);
        assert_eq!(shown(&events).1, 2999, "a fault at the end");
        assert!((2980..2990).contains(&shown(&events).0));
        events.push(Event { time: at(1500), happening: Happening::Overrun { task: SLOW } });
        events.retain(|event| event.time != at(1001));
        events.sort_by_key(|event| event.time);
        let (from, to) = shown(&events);
        assert_eq!((from, to), (1300, 1505), "of a long job, not all");
    }
}
