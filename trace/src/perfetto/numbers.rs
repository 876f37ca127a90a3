//! Tracks with counters: each number of a sensor, an actuator or a port.

use super::messages::{CounterDescriptor, Kind, TracePacket, TrackDescriptor, TrackEvent};
use super::{CURVES, Export, WORLD, track};
use crate::curve::Curve;
use crate::event::Event;
use crate::value::Number;

impl Export<'_> {
    /// The numbers. Returns their tracks.
    pub(super) fn counters(&mut self, events: &[Event]) -> Vec<TracePacket> {
        let curves = Curve::all(events, self.names);
        for (track_uuid, curve) in (CURVES..).zip(&curves) {
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
        let tracks = (CURVES..).zip(curves).map(|(uuid, curve)| {
            track(TrackDescriptor {
                uuid,
                name: Some(curve.name),
                parent_uuid: Some(WORLD),
                counter: Some(CounterDescriptor { unit_name: curve.unit }),
                ..TrackDescriptor::default()
            })
        });
        tracks.collect()
    }
}
