//! Traces: decoding, recordings, timelines.
//!
//! A run produces a stream of records, in the same form from the simulator and from every board. [`decode()`]
//! turns it into [`Event`]s. With the [`Names`] that the builder writes beside the image, these become a
//! [`Recording`] (the sensor values and actuator writes, at logical instants), [`Statistics`], or a
//! [`Timeline`].
#![forbid(unsafe_code)]

pub mod assertion;
pub mod clock;
pub mod conformance;
pub mod coverage;
pub mod crashes;
pub mod curve;
pub mod decode;
pub mod event;
pub mod file;
pub mod html;
pub mod incident;
pub mod jobs;
pub mod lacks;
pub mod load;
pub mod lockstep;
pub mod log;
pub mod lookup;
pub mod modes;
pub mod names;
pub mod objects;
pub mod perfetto;
pub mod ports;
pub mod recording;
pub mod releases;
pub mod sampled;
pub mod several;
pub mod signals;
pub mod spans;
pub mod states;
pub mod statistics;
pub mod table;
pub mod timeline;
pub mod trace_buffer;
pub mod track;
pub mod units;
pub mod value;
pub mod waits;
pub mod wakes;
pub mod why;

pub use beryl_abi::DecodedNote;
pub use clock::{LogicalInstant, Nanoseconds, Tick};
pub use curve::Curve;
pub use decode::{DecodeError, Decoder, decode};
pub use event::{Event, Happening};
pub use names::{Declared, DriverKind, DriverName, Form, Names, ThreadKind, ThreadName};
pub use objects::{InterruptName, ObjectNames};
pub use recording::{Comparison, Difference, Recording, Sample, compare};
pub use signals::{SignalId, Signals};
pub use statistics::Statistics;
pub use timeline::Timeline;
pub use units::Units;
pub use value::ValueType;
