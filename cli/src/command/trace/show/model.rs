//! What is shown: a lane for each thread, sensor and actuator.

use beryl_abi::{Instant, ThreadId};
use beryl_trace::jobs::History;
use beryl_trace::track::Track;
use beryl_trace::trouble::Told;
use beryl_trace::{DriverKind, Event, Happening, Names, ThreadKind};

/// A trace, ready to be drawn.
pub struct Model {
    /// What its numbers are called.
    pub names: Names,
    /// Runs and jobs.
    pub history: History,
    /// The lanes from top to bottom.
    pub lanes: Vec<Lane>,
    /// What went wrong, in the order of time.
    pub troubles: Vec<Told>,
    /// The first instant, and one behind the last.
    pub span: (Instant, Instant),
    events: Vec<Event>,
}

/// One line of the timeline.
pub struct Lane {
    /// The thread, sensor or actuator.
    pub name: String,
    /// Its process.
    pub process: String,
    /// The thread, if it is one.
    pub thread: Option<ThreadId>,
    /// When it had the processor.
    pub running: Track,
    /// When a job of it was open.
    pub open: Track,
    /// Releases, or when the driver was carried out; in order.
    pub marks: Vec<Instant>,
    /// Deadlines, in order.
    pub deadlines: Vec<Instant>,
    /// What went wrong, in order.
    pub troubles: Vec<Instant>,
}

impl Model {
    /// A model of a whole trace.
    pub fn of(names: &Names, events: Vec<Event>) -> Model {
        let history = History::of(&events);
        let mut troubles: Vec<Told> = events.iter().filter_map(|event| Told::of(event, names)).collect();
        troubles.sort_by_key(|told| told.at);
        let (start, end) = history.span;
        let mut lanes: Vec<Lane> = Vec::new();
        for process in names.inhabited() {
            let threads = names.identified().filter(|(_, known)| known.process == process);
            let threads = threads.filter(|(_, known)| known.kind != ThreadKind::Idle);
            lanes.extend(
                threads.map(|(thread, known)| thread_lane(thread, &known.name, process, &history, &troubles)),
            );
        }
        lanes.retain(|lane| !(lane.running == Track::default() && lane.marks.is_empty()));
        lanes.extend(driver_lanes(names, &events));
        let span = (start, end.after(beryl_abi::Duration::from_ticks(1)));
        Model { names: names.clone(), history, lanes, troubles, span, events }
    }

    /// More of the trace has come.
    pub fn append(&mut self, more: Vec<Event>) {
        let mut events = std::mem::take(&mut self.events);
        events.extend(more);
        *self = Model::of(&self.names, events);
    }

    /// The job of a lane's thread that was released last at an instant or before.
    pub fn job_before(&self, lane: &Lane, at: Instant) -> Option<usize> {
        let thread = lane.thread?;
        let jobs =
            self.history.jobs.iter().enumerate().filter(|(_, job)| job.task == thread && job.release <= at);
        jobs.max_by_key(|(_, job)| job.release).map(|(position, _)| position)
    }
}

fn thread_lane(thread: ThreadId, name: &str, process: &str, history: &History, troubles: &[Told]) -> Lane {
    let mut jobs: Vec<_> = history.jobs_of(thread).collect();
    jobs.sort_by_key(|job| job.release);
    let runs = history.runs.iter().filter(|run| run.thread == thread);
    // A job whose process was stopped never ends: it is open no longer than until its deadline.
    let end = |job: &beryl_trace::jobs::Job| job.end.unwrap_or(history.span.1.min(job.deadline));
    let mut deadlines: Vec<Instant> = jobs.iter().map(|job| job.deadline).collect();
    deadlines.sort_unstable();
    let own = troubles.iter().filter(|told| told.thread == Some(thread));
    Lane {
        name: name.to_owned(),
        process: process.to_owned(),
        thread: Some(thread),
        running: Track::of(runs.map(|run| (run.from, run.to))),
        open: Track::of(jobs.iter().map(|job| (job.release, end(job)))),
        marks: jobs.iter().map(|job| job.release).collect(),
        deadlines,
        troubles: own.map(|told| told.at).collect(),
    }
}

fn driver_lanes(names: &Names, events: &[Event]) -> Vec<Lane> {
    let mut marks: Vec<Vec<Instant>> = vec![Vec::new(); names.drivers.len()];
    for event in events {
        if let Happening::Driver { driver, instant, .. } = event.happening
            && let Some(marks) = marks.get_mut(driver.index())
        {
            marks.push(instant);
        }
    }
    let used = names.drivers.iter().zip(marks).filter(|(known, marks)| {
        matches!(known.kind, DriverKind::Sensor | DriverKind::Actuator) && !marks.is_empty()
    });
    used.map(|(known, mut marks)| {
        marks.sort_unstable();
        Lane {
            name: known.name.clone(),
            process: "sensors and actuators".to_owned(),
            thread: None,
            running: Track::default(),
            open: Track::default(),
            marks,
            deadlines: Vec::new(),
            troubles: Vec::new(),
        }
    })
    .collect()
}
