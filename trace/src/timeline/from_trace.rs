//! The timeline of a window of a trace.

use std::collections::BTreeMap;

use beryl_abi::{Instant, ThreadId};

use super::{Arrows, DriverMark, DriverRow, Group, Interval, Row, Timeline, Trouble, Woken};
use crate::coverage::gaps;
use crate::event::{Event, Happening};
use crate::incident::Incident;
use crate::jobs::{History, Job, Outcome};
use crate::names::{DriverKind, Names, ThreadKind, ThreadName};
use crate::wakes::wakes;

impl Timeline {
    /// The window from `from` to `to` of a trace. Pass the whole trace: earlier events determine which thread
    /// has the processor when the window begins.
    #[must_use]
    pub fn of(events: &[Event], names: &Names, from: Instant, to: Instant) -> Timeline {
        let to = to.max(from);
        let window = Window { events, names, history: &History::of(events), from, to };
        let groups = window.groups();
        Timeline {
            arrows: Arrows::Wakes,
            wakes: window.wakes(&groups),
            title: names.system.clone(),
            tick: names.tick,
            from,
            to,
            groups,
            drivers: window.drivers(),
            troubles: window.nobodys_troubles(),
            gaps: gaps(events).into_iter().filter(|gap| from <= gap.to && gap.from <= to).collect(),
        }
    }
}

struct Window<'a> {
    events: &'a [Event],
    names: &'a Names,
    history: &'a History,
    from: Instant,
    to: Instant,
}

impl Window<'_> {
    fn groups(&self) -> Vec<Group> {
        let names = self.names.inhabited();
        let groups = names.into_iter().map(|name| Group { name: name.to_owned(), rows: self.rows_of(name) });
        groups.filter(|group| !group.rows.is_empty()).collect()
    }

    /// The threads of a process: all tasks, and any others that ran. An idle processor shows as an empty
    /// column.
    fn rows_of(&self, process: &str) -> Vec<Row> {
        let threads = self.names.identified().filter(|(_, known)| known.process == process);
        let shown = threads
            .filter(|(_, known)| known.kind != ThreadKind::Idle)
            .map(|(thread, known)| (known, self.row(thread, known)));
        let is_shown = |(known, row): &(&ThreadName, Row)| {
            known.kind == ThreadKind::Task || !row.running.is_empty() || !row.troubles.is_empty()
        };
        shown.filter(is_shown).map(|(_, row)| row).collect()
    }

    fn row(&self, thread: ThreadId, known: &ThreadName) -> Row {
        let jobs: Vec<&Job> = self.history.jobs.iter().filter(|job| job.task == thread).collect();
        let runs = self.history.runs.iter().filter(|run| run.thread == thread);
        let running: Vec<Interval> =
            runs.filter_map(|run| Interval::new(run.from, run.to)?.clipped(self.from, self.to)).collect();
        let completed = |job: &&&Job| matches!(job.outcome, Outcome::Completed | Outcome::Missed);
        let troubles = self.events.iter().filter_map(|event| self.trouble(thread, event));
        Row {
            name: known.name.clone(),
            preempted: jobs.iter().flat_map(|job| self.waiting(job, &running)).collect(),
            logical: jobs.iter().filter_map(|job| self.clip(job.release, job.deadline)).collect(),
            releases: jobs.iter().map(|job| job.release).filter(|at| self.contains(*at)).collect(),
            deadlines: jobs.iter().map(|job| job.deadline).filter(|at| self.touches(*at)).collect(),
            completions: jobs
                .iter()
                .filter(completed)
                .filter_map(|job| job.end)
                .filter(|at| self.touches(*at))
                .collect(),
            troubles: troubles.filter(|trouble| self.touches(trouble.at)).collect(),
            running,
        }
    }

    /// Who woke whom among the threads that are shown, as far as the window has both ends of it.
    fn wakes(&self, groups: &[Group]) -> Vec<Woken> {
        let rows: BTreeMap<&str, usize> =
            groups.iter().flat_map(|group| &group.rows).map(|row| row.name.as_str()).zip(0..).collect();
        let row = |thread| rows.get(self.names.known_thread(thread)?.name.as_str()).copied();
        let woken = |wake: crate::wakes::Wake| {
            let (by, woken) = (self.history.runs.get(wake.by)?, self.history.runs.get(wake.woken)?);
            let is_seen = self.contains(wake.at) && self.touches(woken.from);
            let (by, row) = (row(by.thread)?, row(woken.thread)?);
            is_seen.then_some(Woken { by, at: wake.at, row, runs: woken.from })
        };
        wakes(self.events, self.history).into_iter().filter_map(woken).collect()
    }

    /// When a job was ready but didn't have the processor.
    fn waiting(&self, job: &Job, running: &[Interval]) -> Vec<Interval> {
        // A job whose process was stopped never ends: show it waiting until its deadline at most.
        let end = job.end.unwrap_or(self.history.span.1.min(job.deadline));
        self.clip(job.release, end).map(|open| super::gaps(open, running)).unwrap_or_default()
    }

    fn trouble(&self, thread: ThreadId, event: &Event) -> Option<Trouble> {
        let told =
            Incident::of(event, self.history, self.names).filter(|told| told.thread == Some(thread))?;
        Some(Trouble { at: told.at, label: told.label.to_owned(), words: told.words })
    }

    /// Trouble without a thread to blame; repetitions are shown once.
    fn nobodys_troubles(&self) -> Vec<Trouble> {
        let mut told: Vec<(Trouble, usize)> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for trouble in self.events.iter().filter_map(|event| self.nobodys_trouble(event)) {
            let place = *places.entry(trouble.words.clone()).or_insert(told.len());
            match told.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => told.push((trouble, 1)),
            }
        }
        let counted = |(trouble, count): (Trouble, usize)| match count {
            1 => trouble,
            _ => Trouble { words: format!("{} ({count} times in this window)", trouble.words), ..trouble },
        };
        told.into_iter().map(counted).collect()
    }

    fn nobodys_trouble(&self, event: &Event) -> Option<Trouble> {
        let told = Incident::of(event, self.history, self.names).filter(|told| told.thread.is_none())?;
        let Incident { at, label, words, .. } = told;
        self.contains(at).then(|| Trouble { at, label: label.to_owned(), words })
    }

    /// A row for each sensor and actuator, one for all copies, one for all guards.
    fn drivers(&self) -> Vec<DriverRow> {
        let mut rows: Vec<DriverRow> = Vec::new();
        for event in self.events {
            let Happening::Driver { driver, instant, value } = &event.happening else { continue };
            let Some(known) = self.names.known_driver(*driver).filter(|_| self.contains(*instant)) else {
                continue;
            };
            let value = known.value.describe(value);
            let (name, value) = match known.kind {
                DriverKind::Sensor | DriverKind::Actuator => (known.name.as_str(), value),
                DriverKind::Copy => ("copies", format!("{} = {value}", known.name)),
                DriverKind::Guard => ("guards", format!("{} = {value}", known.name)),
            };
            let mark = DriverMark { at: *instant, value };
            match rows.iter_mut().find(|row| row.name == name && row.kind == known.kind) {
                Some(row) => row.marks.push(mark),
                None => rows.push(DriverRow { name: name.to_owned(), kind: known.kind, marks: vec![mark] }),
            }
        }
        rows.sort_by_key(|row| row.kind);
        rows
    }

    fn contains(&self, at: Instant) -> bool {
        self.from <= at && at < self.to
    }

    fn touches(&self, at: Instant) -> bool {
        self.from <= at && at <= self.to
    }

    fn clip(&self, from: Instant, to: Instant) -> Option<Interval> {
        Interval::new(from, to)?.clipped(self.from, self.to)
    }
}
