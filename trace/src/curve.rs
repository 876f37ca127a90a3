//! Curves: what a number of a sensor, an actuator or a port was over time. It keeps each value until the next, so it goes
//! in steps.

pub mod csv;

use crate::clock::LogicalInstant;
use crate::event::Event;
use crate::lookup::NotOne;
use crate::names::Names;
use crate::sampled::Sampled;
use crate::value::Number;

/// One number over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name: `rotor`, `gps.x`, `wires[2]`, and where there are several runs the run.
    pub name: String,
    /// In what it is told.
    pub unit: Option<String>,
    /// Its values, in the order of their instants.
    pub steps: Vec<Step>,
    /// The end of the run, up to which its last value counts.
    pub end: LogicalInstant,
    /// Whether it lies over one of another run.
    pub is_beside: bool,
}

/// A value, from an instant on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The instant.
    pub at: LogicalInstant,
    /// The value.
    pub number: Number,
}

/// What can be seen of a curve in a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The least value.
    pub least: Number,
    /// The greatest.
    pub most: Number,
    /// The mean over time, as far as there was a value.
    pub mean: f64,
    /// How many values came.
    pub count: usize,
}

impl Curve {
    /// The curves of a run: sensors and actuators, then ports, then state messages; of those that had values.
    #[must_use]
    pub fn all(events: &[Event], names: &Names) -> Vec<Curve> {
        let end = events.iter().map(|event| event.time).max().unwrap_or_default();
        let end = names.tick.logical(end);
        let sampled = Sampled::all(events, names);
        sampled.iter().flat_map(|one| Curve::of(one, names, end)).collect()
    }

    fn of(one: &Sampled<'_>, names: &Names, end: LogicalInstant) -> Vec<Curve> {
        let curve = |leaf: &crate::value::Leaf| {
            let step = |sample: &crate::sampled::Sample<'_>| {
                Some(Step { at: names.tick.logical(sample.instant), number: leaf.of(sample.bytes)? })
            };
            let steps: Vec<Step> = one.samples.iter().filter_map(step).collect();
            let last = steps.last().map_or(end, |step| step.at.max(end));
            let unit = names.units.of(one.name, &leaf.path).map(str::to_owned);
            Curve { name: format!("{}{}", one.name, leaf.path), unit, steps, end: last, is_beside: false }
        };
        one.leaves().iter().map(curve).filter(|curve| !curve.steps.is_empty()).collect()
    }

    /// Those of some names, in the order of the names; a name means all parts of its value. All, if no name is given.
    ///
    /// # Errors
    /// If nothing has such a name.
    pub fn chosen(all: Vec<Curve>, wanted: &[String]) -> Result<Vec<Curve>, NotOne> {
        if wanted.is_empty() {
            return Ok(all);
        }
        let mut chosen = Vec::new();
        for text in wanted {
            let found: Vec<Curve> = all.iter().filter(|curve| curve.is_meant(text)).cloned().collect();
            if found.is_empty() {
                let known = all.iter().map(|curve| curve.name.clone()).collect();
                return Err(NotOne::None { what: "curve", text: text.clone(), known });
            }
            chosen.extend(found);
        }
        Ok(chosen)
    }

    /// Whether a name means it: its own, or that of a value that it is a part of.
    #[must_use]
    pub fn is_meant(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|path| path.is_empty() || path.starts_with(['.', '[']))
    }

    /// The name with the unit.
    #[must_use]
    pub fn title(&self) -> String {
        self.unit.as_ref().map_or_else(|| self.name.clone(), |unit| format!("{} ({unit})", self.name))
    }

    /// The value at an instant; none before the first, and none after the end of the run.
    #[must_use]
    pub fn at(&self, instant: LogicalInstant) -> Option<Number> {
        let position = self.steps.partition_point(|step| step.at <= instant);
        let last = self.steps.get(position.checked_sub(1)?)?;
        (instant <= self.end).then_some(last.number)
    }

    /// The values that count somewhere from one instant to another, in their order: the one that counts when the window
    /// begins, then those that come.
    #[must_use]
    pub fn within(&self, from: LogicalInstant, to: LogicalInstant) -> &[Step] {
        let came = self.steps.partition_point(|step| step.at < from);
        let is_new = self.steps.get(came).is_some_and(|step| step.at == from);
        let first = if is_new { came } else { came.saturating_sub(1) };
        let last = self.steps.partition_point(|step| step.at <= to);
        match from <= self.end {
            true => self.steps.get(first..last).unwrap_or_default(),
            false => &[],
        }
    }

    /// What can be seen of it from one instant to another; `None` if that is nothing.
    #[must_use]
    pub fn seen(&self, from: LogicalInstant, to: LogicalInstant) -> Option<Seen> {
        let steps = self.within(from, to);
        let (first, last) = (steps.first()?, steps.last()?);
        let seen = Seen { least: first.number, most: first.number, mean: last.number.value(), count: 0 };
        let seen = steps.iter().fold(seen, |seen, step| Seen {
            least: if step.number.value() < seen.least.value() { step.number } else { seen.least },
            most: if step.number.value() > seen.most.value() { step.number } else { seen.most },
            count: seen.count + usize::from(step.at >= from),
            ..seen
        });
        Some(Seen { mean: mean(steps, from, to.min(self.end)).unwrap_or(seen.mean), ..seen })
    }
}

/// How far a value is from the least to the greatest, in so many steps; in the middle if these are equal.
pub(crate) fn position(value: f64, (least, most): (f64, f64), steps: usize) -> usize {
    // Halves, since what lies between two huge numbers can be more than there are numbers for.
    let range = most / 2.0 - least / 2.0;
    let part = if range > 0.0 { (value / 2.0 - least / 2.0) / range } else { 0.5 };
    (part.clamp(0.0, 1.0) * steps as f64).round() as usize
}

/// The mean over time of steps that are in order; `None` if they take no time. What isn't a number isn't counted.
fn mean(steps: &[Step], from: LogicalInstant, to: LogicalInstant) -> Option<f64> {
    let ends = steps.iter().skip(1).map(|step| step.at).chain([to]);
    let (mut area, mut weight) = (0.0, 0.0);
    for (step, end) in steps.iter().zip(ends).filter(|(step, _)| step.number.value().is_finite()) {
        let length = end.since(step.at.max(from)).number() as f64;
        area += step.number.value() * length;
        weight += length;
    }
    (weight > 0.0).then(|| area / weight)
}

#[cfg(test)]
mod tests;
