//! What is shown: a lane for each thread, sensor and actuator, and under keys for modes, ports, locks and interrupts.

use beryl_abi::Instant;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::History;
use beryl_trace::track::Track;
use beryl_trace::{Event, Names, ThreadKind};

use super::lane::{Kind, Lane, of_ports, of_signals, of_stretches, of_thread};

/// A trace, ready to be drawn.
pub struct Model {
    /// What its numbers are called.
    pub names: Names,
    /// Runs and jobs.
    pub history: History,
    /// The lanes that are shown, from top to bottom.
    pub lanes: Vec<Lane>,
    /// Lanes that a key would show.
    hidden: Vec<Lane>,
    /// The kinds that are hidden.
    without: Vec<Kind>,
    /// What went wrong, in the order of time.
    pub troubles: Vec<Incident>,
    /// The first instant, and one behind the last.
    pub span: (Instant, Instant),
    events: Vec<Event>,
}

impl Model {
    /// A model of a whole trace.
    pub fn of(names: &Names, events: Vec<Event>) -> Model {
        Model::without(names, events, vec![Kind::Port, Kind::Lock, Kind::Interrupt])
    }

    fn without(names: &Names, events: Vec<Event>, without: Vec<Kind>) -> Model {
        let history = History::of(&events);
        let mut troubles: Vec<Incident> =
            events.iter().filter_map(|event| Incident::of(event, &history, names)).collect();
        troubles.sort_by_key(|told| told.at);
        let (start, end) = history.span;
        let mut lanes: Vec<Lane> = Vec::new();
        for process in names.inhabited() {
            let threads = names.identified().filter(|(_, known)| known.process == process);
            let threads = threads.filter(|(_, known)| known.kind != ThreadKind::Idle);
            lanes.extend(
                threads.map(|(thread, known)| of_thread(thread, &known.name, process, &history, &troubles)),
            );
        }
        lanes.retain(|lane| !(lane.running == Track::default() && lane.marks.is_empty()));
        lanes.extend(of_signals(names, &events));
        lanes.extend(of_ports(names, &events));
        lanes.extend(of_stretches(names, &history, &events));
        let span = (start, end.after(beryl_abi::Duration::from_ticks(1)));
        let hidden = Vec::new();
        let mut model =
            Model { names: names.clone(), history, lanes, hidden, without, troubles, span, events };
        model.arrange();
        model
    }

    /// Puts lanes where they belong: above, below, or away.
    fn arrange(&mut self) {
        let mut all = std::mem::take(&mut self.lanes);
        all.append(&mut self.hidden);
        // Lanes of one kind stay in their order.
        all.sort_by_key(|lane| lane.kind);
        (self.hidden, self.lanes) = all.into_iter().partition(|lane| self.without.contains(&lane.kind));
    }

    /// Shows lanes of a kind, or hides them. Answers whether they are shown now; nothing if there are none.
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

    /// More of the trace has come.
    pub fn append(&mut self, more: Vec<Event>) {
        let mut events = std::mem::take(&mut self.events);
        events.extend(more);
        *self = Model::without(&self.names, events, std::mem::take(&mut self.without));
    }

    /// The job of a lane's thread that was released last at an instant or before.
    pub fn job_before(&self, lane: &Lane, at: Instant) -> Option<usize> {
        let thread = lane.thread?;
        let jobs =
            self.history.jobs.iter().enumerate().filter(|(_, job)| job.task == thread && job.release <= at);
        jobs.max_by_key(|(_, job)| job.release).map(|(position, _)| position)
    }
}
