//! A trace in Perfetto's format: for each thread a track with its runs, and below it one with its jobs and
//! one with its waits; one for each sensor, actuator and port, and one with a counter for each of their numbers; one with
//! the load; one for the modes of each module, each lock and each interrupt. Arrows lead from who woke a thread to the woken.

mod flows;
mod lasting;
mod messages;
mod numbers;

use beryl_abi::Instant;
use prost::Message;

use crate::curve::Curve;
use crate::event::Event;
use crate::incident::Incident;
use crate::jobs::{History, Job, Outcome};
use crate::log::{Entry, Log};
use crate::names::{Names, ThreadKind};
use crate::ports::Ports;
use crate::signals::{SignalId, Signals};
use messages::{
    DebugAnnotation, Kind, ProcessDescriptor, ThreadDescriptor, Trace, TracePacket, TrackDescriptor,
    TrackEvent,
};

/// All packets belong to one sequence.
const SEQUENCE: u32 = 1;
/// Track numbers start at a base for each kind: threads, their jobs, signals.
const THREADS: u64 = 1 << 16;
const JOBS: u64 = 2 << 16;
const SIGNALS: u64 = 3 << 16;
const PORTS: u64 = 8 << 16;
const LOADS: u64 = 9 << 16;
/// The last, since nothing bounds how many there are.
const CURVES: u64 = 10 << 16;
/// The track of sensors, actuators and ports, and of trouble without a thread to blame.
const WORLD: u64 = 4 << 16;

/// The bytes of a trace that Perfetto opens, with what threads said in it, if they said anything.
#[must_use]
pub fn export(events: &[Event], names: &Names, log: Option<&Log>) -> Vec<u8> {
    let history = History::of(events);
    let entries = log.map_or(&[][..], |log| log.entries.as_slice());
    let mut export = Export { names, packets: Vec::new() };
    let mut packet = export.tracks(&history, events, entries);
    export.runs(&history, events);
    names.tasks().for_each(|(task, _)| export.jobs(history.jobs_of(task)));
    packet.extend(export.waits(&history));
    packet.extend(export.stretches(&history, events));
    packet.extend(export.ports(events));
    let values = Curve::all(events, names);
    packet.extend(export.counters(&values));
    packet.extend(export.loads(&history, &values));
    export.signals(events);
    export.troubles(events, &history);
    export.said(entries);
    // At one instant, ends come before beginnings.
    export.packets.sort_by_key(|(at, kind, _)| (*at, *kind != Kind::SliceEnd));
    packet.extend(export.packets.into_iter().map(|(.., packet)| packet));
    Trace { packet }.encode_to_vec()
}

struct Export<'a> {
    names: &'a Names,
    /// With the instant and kind as sort keys.
    packets: Vec<(u64, Kind, TracePacket)>,
}

impl Export<'_> {
    fn tracks(&self, history: &History, events: &[Event], entries: &[Entry]) -> Vec<TracePacket> {
        let mut ran = vec![false; usize::from(u8::MAX) + 1];
        history.runs.iter().for_each(|run| ran[run.thread.index()] = true);
        history.jobs.iter().for_each(|job| ran[job.task.index()] = true);
        history.waits.waits.iter().for_each(|wait| ran[wait.thread.index()] = true);
        let troubled = events.iter().filter_map(|event| Incident::of(event, history, self.names));
        troubled.filter_map(|told| told.thread).for_each(|thread| ran[thread.index()] = true);
        entries.iter().for_each(|entry| ran[entry.thread.index()] = true);
        let mut packets = vec![track(TrackDescriptor {
            uuid: WORLD,
            name: Some("sensors, actuators and ports".to_owned()),
            ..TrackDescriptor::default()
        })];
        let mut processes: Vec<&str> = Vec::new();
        let all = (0..=u8::MAX).map(beryl_abi::ThreadId).filter(|thread| ran[thread.index()]);
        for thread in all {
            let known = self.names.known_thread(thread);
            let process = known.map_or("", |known| known.process.as_str());
            let place = processes.iter().position(|other| *other == process).unwrap_or_else(|| {
                processes.push(process);
                processes.len() - 1
            });
            let pid = i32::try_from(place + 1).unwrap_or(i32::MAX);
            if place + 1 == processes.len() {
                let name = if process.is_empty() { "kernel" } else { process };
                let process = ProcessDescriptor { pid, process_name: name.to_owned() };
                let uuid = u64::try_from(place + 1).unwrap_or(u64::MAX);
                packets.push(track(TrackDescriptor {
                    uuid,
                    process: Some(process),
                    ..TrackDescriptor::default()
                }));
            }
            // In Perfetto, thread number 0 means none.
            let (tid, thread_name) = (i64::from(thread.0) + 1, self.names.thread(thread));
            let uuid = THREADS + u64::from(thread.0);
            let described = ThreadDescriptor { pid, tid, thread_name: thread_name.clone() };
            packets.push(track(TrackDescriptor {
                uuid,
                thread: Some(described),
                ..TrackDescriptor::default()
            }));
            if known.is_some_and(|known| known.kind == ThreadKind::Task) {
                packets.push(track(TrackDescriptor {
                    uuid: JOBS + u64::from(thread.0),
                    name: Some(format!("{thread_name}: jobs")),
                    parent_uuid: Some(uuid),
                    ..TrackDescriptor::default()
                }));
            }
        }
        packets.extend(Signals::of(self.names).all().map(|(signal, known)| {
            track(TrackDescriptor {
                uuid: signal_track(signal),
                name: Some(known.name.clone()),
                parent_uuid: Some(WORLD),
                ..TrackDescriptor::default()
            })
        }));
        packets
    }

    fn runs(&mut self, history: &History, events: &[Event]) {
        let is_idle =
            |thread| self.names.known_thread(thread).is_some_and(|known| known.kind == ThreadKind::Idle);
        let flows = flows::flows(events, history);
        for (index, run) in history.runs.iter().enumerate().filter(|(_, run)| !is_idle(run.thread)) {
            let (track, name) = (THREADS + u64::from(run.thread.0), self.names.thread(run.thread));
            let first = self.packets.len();
            self.slice(track, run.from, run.to, &name, Vec::new());
            let begun = self.packets.get_mut(first).and_then(|(.., packet)| packet.track_event.as_mut());
            if let Some(begun) = begun {
                begun.flow_ids = flows.get(&index).cloned().unwrap_or_default();
            }
        }
    }

    /// The jobs of one task. Slices of a track may not overlap, so a job that was released while the previous
    /// one was at work is drawn from that one's end.
    fn jobs<'j>(&mut self, jobs: impl Iterator<Item = &'j Job>) {
        let mut reached = Instant::START;
        for (number, job) in (1_u64..).zip(jobs) {
            let Some(end) = job.end else { continue };
            let from = job.release.max(reached).min(end);
            reached = end;
            let details = vec![
                count("job", number),
                count("release (ns)", self.nanoseconds(job.release)),
                count("deadline (ns)", self.nanoseconds(job.deadline)),
                count("processor (ns)", self.names.tick.length(job.executed).number()),
            ];
            let name = match job.outcome {
                Outcome::Missed => format!("job {number}, late"),
                Outcome::Violated | Outcome::Faulted => format!("job {number}, stopped"),
                Outcome::Open | Outcome::Completed => format!("job {number}"),
            };
            self.slice(JOBS + u64::from(job.task.0), from, end, &name, details);
        }
    }

    fn signals(&mut self, events: &[Event]) {
        let signals = Signals::of(self.names);
        for moved in events.iter().filter_map(|event| signals.moved(event)) {
            let Some(known) = signals.known(moved.signal) else { continue };
            let details = vec![
                text("value", known.value.describe(moved.value)),
                count("carried out (ns)", self.nanoseconds(moved.time)),
            ];
            let track = signal_track(moved.signal);
            self.event(track, moved.instant, Kind::Instant, Some(&known.name), details);
        }
    }

    /// The values that tasks publish. Returns the tracks.
    fn ports(&mut self, events: &[Event]) -> Vec<TracePacket> {
        let names = self.names;
        let ports = Ports::of(names);
        let mut used = vec![false; names.ports.len()];
        for one in events.iter().flat_map(|event| ports.published(event)) {
            let Some(known) = names.ports.get(one.port) else { continue };
            used[one.port] = true;
            let value = ports.describe(&one).unwrap_or_else(|| "not in the trace".to_owned());
            let details = vec![text("value", value), count("carried out (ns)", self.nanoseconds(one.time))];
            let track = PORTS + u64::try_from(one.port).unwrap_or_default();
            self.event(track, one.instant, Kind::Instant, Some(&known.name), details);
        }
        let shown = (PORTS..).zip(&names.ports).zip(used).filter(|(_, used)| *used);
        let described = shown.map(|((uuid, known), _)| {
            track(TrackDescriptor {
                uuid,
                name: Some(known.name.clone()),
                parent_uuid: Some(WORLD),
                ..TrackDescriptor::default()
            })
        });
        described.collect()
    }

    fn troubles(&mut self, events: &[Event], history: &History) {
        for told in events.iter().filter_map(|event| Incident::of(event, history, self.names)) {
            let track = told.thread.map_or(WORLD, |thread| THREADS + u64::from(thread.0));
            self.event(track, told.at, Kind::Instant, Some(told.label), vec![text("what", told.words)]);
        }
    }

    /// What threads said, each at its instant in the thread's track.
    fn said(&mut self, entries: &[Entry]) {
        for Entry { time, thread, level, text: words } in entries {
            let details = vec![text("level", level.word().to_owned())];
            self.event(THREADS + u64::from(thread.0), *time, Kind::Instant, Some(words), details);
        }
    }

    fn slice(&mut self, track: u64, from: Instant, to: Instant, name: &str, details: Vec<DebugAnnotation>) {
        if self.nanoseconds(from) >= self.nanoseconds(to) {
            // Without a length, it has no end after its beginning.
            return self.event(track, to, Kind::Instant, Some(name), details);
        }
        self.event(track, from, Kind::SliceBegin, Some(name), details);
        self.event(track, to, Kind::SliceEnd, None, Vec::new());
    }

    fn event(
        &mut self,
        track: u64,
        at: Instant,
        kind: Kind,
        name: Option<&str>,
        details: Vec<DebugAnnotation>,
    ) {
        let at = self.nanoseconds(at);
        let event = TrackEvent {
            debug_annotations: details,
            kind: kind.into(),
            track_uuid: track,
            name: name.map(str::to_owned),
            ..TrackEvent::default()
        };
        self.push(at, kind, event);
    }

    fn push(&mut self, at: u64, kind: Kind, event: TrackEvent) {
        let packet = TracePacket {
            timestamp: Some(at),
            trusted_packet_sequence_id: SEQUENCE,
            track_event: Some(event),
            track_descriptor: None,
        };
        self.packets.push((at, kind, packet));
    }

    fn nanoseconds(&self, instant: Instant) -> u64 {
        self.names.tick.logical(instant).nanoseconds()
    }
}

fn signal_track(signal: SignalId) -> u64 {
    SIGNALS + u64::try_from(signal.0).unwrap_or_default()
}

fn track(descriptor: TrackDescriptor) -> TracePacket {
    TracePacket {
        timestamp: None,
        trusted_packet_sequence_id: SEQUENCE,
        track_event: None,
        track_descriptor: Some(descriptor),
    }
}

fn count(name: &str, value: u64) -> DebugAnnotation {
    DebugAnnotation { name: name.to_owned(), uint_value: Some(value), string_value: None }
}

fn text(name: &str, value: String) -> DebugAnnotation {
    DebugAnnotation { name: name.to_owned(), uint_value: None, string_value: Some(value) }
}

#[cfg(test)]
mod tests;
