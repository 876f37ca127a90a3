//! Tracks with counters: each number of a sensor, an actuator or a port, and the load.

use super::messages::{CounterDescriptor, Kind, TracePacket, TrackDescriptor, TrackEvent};
use super::{CURVES, Export, LOADS, THREADS, WORLD, track};
use crate::clock::{MILLISECOND, Nanoseconds};
use crate::curve::Curve;
use crate::jobs::History;
use crate::load::{self, Load};
use crate::value::Number;

/// As many windows of load as a run has at most; none is shorter than a millisecond.
const MOST: u64 = 10_000;

impl Export<'_> {
    /// The numbers. Returns their tracks.
    pub(super) fn counters(&mut self, values: &[Curve]) -> Vec<TracePacket> {
        let described = (CURVES..).zip(values).map(|(uuid, curve)| described(uuid, curve, Some(WORLD)));
        let tracks = described.collect();
        (CURVES..).zip(values).for_each(|(uuid, curve)| self.steps(uuid, curve));
        tracks
    }

    /// The load: of all threads in a track of its own, of each below its runs. Returns the tracks.
    pub(super) fn loads(&mut self, history: &History, values: &[Curve]) -> Vec<TracePacket> {
        let load = Load::of(history, self.names).beside(values);
        let from = self.names.tick.logical(history.span.0);
        let every = load::round(load.end().since(from), MOST, Nanoseconds::new(MILLISECOND));
        let curves = load.curves(every, from, load.end());
        let mut tracks = Vec::new();
        for ((uuid, curve), thread) in (LOADS..).zip(curves).zip(load.threads()) {
            tracks.push(described(uuid, &curve, thread.map(|thread| THREADS + u64::from(thread.0))));
            // What stays the same is told once.
            let mut steps = curve.steps.clone();
            steps.dedup_by_key(|step| step.number);
            self.steps(uuid, &Curve { steps, ..curve });
        }
        tracks
    }

    fn steps(&mut self, track_uuid: u64, curve: &Curve) {
        for step in &curve.steps {
            let (whole, double) = match step.number {
                Number::Whole(number) => (Some(number), None),
                number => (None, Some(number.value())),
            };
            let event = TrackEvent {
                kind: Kind::Counter.into(),
                track_uuid,
                counter_value: whole,
                double_counter_value: double,
                ..TrackEvent::default()
            };
            self.push(step.at.nanoseconds(), Kind::Counter, event);
        }
    }
}

fn described(uuid: u64, curve: &Curve, parent_uuid: Option<u64>) -> TracePacket {
    track(TrackDescriptor {
        uuid,
        name: Some(curve.name.clone()),
        parent_uuid,
        counter: Some(CounterDescriptor { unit_name: curve.unit.clone() }),
        ..TrackDescriptor::default()
    })
}
