//! What the screen shows: a lane for each thread, sensor and actuator, and on request for modes, ports, locks
//! and interrupts.

use std::collections::BTreeMap;

use beryl_abi::{Instant, ThreadId};
use beryl_trace::incident::Incident;
use beryl_trace::jobs::History;
use beryl_trace::log::{Entry, Log, Statements};
use beryl_trace::track::Track;
use beryl_trace::wakes::wakes;
use beryl_trace::{Event, Names, ThreadKind};

use super::lane::{Kind, Lane, of_ports, of_signals, of_states, of_stretches, of_thread};

/// A trace, ready to be drawn.
pub struct Model {
    /// The names of its numbers.
    pub names: Names,
    /// Runs and jobs.
    pub history: History,
    /// The visible lanes, from top to bottom.
    pub lanes: Vec<Lane>,
    /// The lanes that a key would show.
    hidden: Vec<Lane>,
    /// The hidden kinds.
    without: Vec<Kind>,
    /// Everything that went wrong, in time order.
    pub troubles: Vec<Incident>,
    /// What threads said, in time order.
    pub said: Vec<Entry>,
    /// What their statements say.
    statements: Statements,
    /// The runs that began since another thread woke theirs, in their order: who that was, and when.
    woken: BTreeMap<usize, (ThreadId, Instant)>,
    /// The first instant, and one past the last.
    pub span: (Instant, Instant),
    events: Vec<Event>,
}

impl Model {
    /// A model of a whole trace.
    pub fn of(names: &Names, events: Vec<Event>, statements: Statements) -> Model {
        Model::without(names, events, statements, vec![Kind::Port, Kind::Lock, Kind::Interrupt])
    }

    fn without(names: &Names, events: Vec<Event>, statements: Statements, without: Vec<Kind>) -> Model {
        let said = Log::of(&events, names, &statements).entries;
        let history = History::of(&events);
        let mut troubles: Vec<Incident> =
            events.iter().filter_map(|event| Incident::of(event, &history, names)).collect();
        troubles.sort_by_key(|told| told.at);
        let by = |run: usize| history.runs.get(run).map(|run| run.thread);
        let woken = wakes(&events, &history).into_iter();
        let woken = woken.filter_map(|wake| Some((wake.woken, (by(wake.by)?, wake.at)))).collect();
        let (start, end) = history.span;
        let mut lanes: Vec<Lane> = Vec::new();
        for process in names.inhabited() {
            let threads = names.identified().filter(|(_, known)| known.process == process);
            let threads = threads.filter(|(_, known)| known.kind != ThreadKind::Idle);
            lanes.extend(threads.map(|(thread, known)| {
                of_thread(thread, &known.name, process, &history, (&troubles, &said))
            }));
        }
        let is_empty =
            |lane: &Lane| lane.running == Track::default() && lane.marks.is_empty() && lane.said.is_empty();
        lanes.retain(|lane| !is_empty(lane));
        lanes.extend(of_signals(names, &events));
        lanes.extend(of_ports(names, &events));
        lanes.extend(of_states(names, &events));
        lanes.extend(of_stretches(names, &history, &events));
        let span = (start, end.after(beryl_abi::Duration::from_ticks(1)));
        let hidden = Vec::new();
        let mut model = Model {
            names: names.clone(),
            history,
            lanes,
            hidden,
            without,
            troubles,
            said,
            statements,
            woken,
            span,
            events,
        };
        model.arrange();
        model
    }

    /// Sorts lanes into place: above, below, or hidden.
    fn arrange(&mut self) {
        let mut all = std::mem::take(&mut self.lanes);
        all.append(&mut self.hidden);
        // Within a kind, lanes keep their order.
        all.sort_by_key(|lane| lane.kind);
        (self.hidden, self.lanes) = all.into_iter().partition(|lane| self.without.contains(&lane.kind));
    }

    /// Shows or hides the lanes of a kind. Returns whether they are visible now; `None` if there are none.
    pub fn toggle(&mut self, kind: Kind) -> Option<bool> {
        if !self.lanes.iter().chain(&self.hidden).any(|lane| lane.kind == kind) {
            return None;
        }
        let is_shown = self.without.contains(&kind);
        match is_shown {
            true => self.without.retain(|other| *other != kind),
            false => self.without.push(kind),
        }
        self.arrange();
        Some(is_shown)
    }

    /// Appends events of a growing trace.
    pub fn append(&mut self, more: Vec<Event>) {
        let mut events = std::mem::take(&mut self.events);
        events.extend(more);
        let statements = std::mem::take(&mut self.statements);
        *self = Model::without(&self.names, events, statements, std::mem::take(&mut self.without));
    }

    /// Who woke the thread that has the processor at an instant, and when; nothing if its run goes on from an earlier one.
    pub fn waker(&self, at: Instant) -> Option<(ThreadId, Instant)> {
        let begun = self.history.runs.partition_point(|run| run.from <= at);
        self.woken.get(&begun.checked_sub(1)?).copied()
    }

    /// What a lane's thread said last at or before an instant.
    pub fn said_before(&self, lane: &Lane, at: Instant) -> Option<&Entry> {
        let thread = lane.thread?;
        self.said.iter().rfind(|entry| entry.thread == thread && entry.time <= at)
    }

    /// The last job of a lane's thread that was released at or before an instant.
    pub fn job_before(&self, lane: &Lane, at: Instant) -> Option<usize> {
        let thread = lane.thread?;
        let jobs =
            self.history.jobs.iter().enumerate().filter(|(_, job)| job.task == thread && job.release <= at);
        jobs.max_by_key(|(_, job)| job.release).map(|(position, _)| position)
    }
}
