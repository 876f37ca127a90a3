//! Compares two recordings bit for bit, and describes the first difference.

use std::fmt::Write;

use super::{Recording, Sample, readable, type_of};
use crate::names::Names;
use crate::value::hex;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every instant, name and bit is the same.
    Equal {
        /// How many sensor values were compared.
        sensors: usize,
        /// How many actuator writes were compared.
        actuators: usize,
    },
    /// The recordings differ; this is the first place.
    Different(Difference),
}

/// The first difference between two recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whether it is at a sensor or an actuator.
    pub direction: Direction,
    /// The position in its list, counted from 0.
    pub position: usize,
    /// The first recording's sample; `None` if that recording has ended.
    pub first: Option<Sample>,
    /// The second recording's sample; `None` if that recording has ended.
    pub second: Option<Sample>,
    /// The last samples common to both lists, oldest first.
    pub before: Vec<Sample>,
}

/// The direction in which a value crosses the border of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the world, through a sensor.
    Sensor,
    /// To the world, through an actuator.
    Actuator,
}

/// How many equal samples are shown before a difference.
const CONTEXT: usize = 3;

/// Compares two recordings. The first difference is the one with the earlier logical instant; at one instant
/// sensors come first, because a difference there explains one at the actuators.
#[must_use]
pub fn compare(first: &Recording, second: &Recording) -> Comparison {
    let sensors = difference(Direction::Sensor, &first.sensors, &second.sensors);
    let actuators = difference(Direction::Actuator, &first.actuators, &second.actuators);
    match sensors.into_iter().chain(actuators).min_by_key(Difference::instant) {
        Some(difference) => Comparison::Different(difference),
        None => Comparison::Equal { sensors: first.sensors.len(), actuators: first.actuators.len() },
    }
}

fn difference(direction: Direction, first: &[Sample], second: &[Sample]) -> Option<Difference> {
    let longest = first.len().max(second.len());
    let position = (0..longest).find(|position| first.get(*position) != second.get(*position))?;
    Some(Difference {
        direction,
        position,
        first: first.get(position).cloned(),
        second: second.get(position).cloned(),
        before: first[position.saturating_sub(CONTEXT)..position].to_vec(),
    })
}

impl Difference {
    fn instant(&self) -> Option<crate::LogicalInstant> {
        self.first.iter().chain(&self.second).map(|sample| sample.instant).min()
    }

    /// The difference in words, over several lines; `first` and `second` are the names of the recordings.
    #[must_use]
    pub fn in_words(&self, first: &str, second: &str, names: &Names) -> String {
        let what = match self.direction {
            Direction::Sensor => "sensor value",
            Direction::Actuator => "actuator write",
        };
        let mut text = format!("the first difference is at {what} {}", self.position + 1);
        if let Some(instant) = self.instant() {
            // Writing to a string can't fail.
            let _ = write!(text, ", logical instant {instant}");
        }
        let kinds = self.kinds();
        let _ = writeln!(text, ": {kinds}");
        let width = first.chars().count().max(second.chars().count()).max("both".len());
        for sample in &self.before {
            let _ = writeln!(text, "    {:<width$}  {}", "both", line(sample, names));
        }
        for (name, sample) in [(first, &self.first), (second, &self.second)] {
            let line = sample
                .as_ref()
                .map_or_else(|| "nothing: it has ended".to_owned(), |sample| line(sample, names));
            let _ = writeln!(text, "  > {name:<width$}  {line}");
        }
        text
    }

    fn kinds(&self) -> &'static str {
        match (&self.first, &self.second) {
            (Some(first), Some(second)) if first.name != second.name => "the names differ",
            (Some(first), Some(second)) if first.instant != second.instant => "the instants differ",
            (Some(first), Some(second)) if first.value.len() != second.value.len() => {
                "the sizes of the values differ"
            }
            (Some(_), Some(_)) => "the values differ",
            _ => "one of the recordings has ended",
        }
    }
}

fn line(sample: &Sample, names: &Names) -> String {
    format!(
        "{}  {} = {}  ({})",
        sample.instant,
        sample.name,
        readable(sample, type_of(sample, names)),
        hex(&sample.value)
    )
}
