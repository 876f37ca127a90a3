//! Values of sensors, actuators, ports and state messages: for each its instants, then its numbers, or texts where it has none.

use beryl_abi::Instant;
use serde_json::{Value, json};

use super::columns::{Columns, MOST_VALUES};
use super::words::Words;
use crate::names::Names;
use crate::sampled::Sampled;
use crate::value::{Leaf, Number, ValueType};

/// The values of a run, as the page has them.
pub(super) struct Written {
    /// What has values: its name, its parts, and how they are written as one text.
    pub(super) sampled: Vec<Value>,
    /// The texts of values that aren't numbers.
    pub(super) texts: Vec<String>,
}

impl Columns {
    /// Writes for each what a run sampled: the number of values; the steps between their logical instants; from each
    /// of these to the physical time; then its numbers, one part after the other, or positions of texts.
    pub(super) fn samples(&mut self, runs: &[(&[Sampled<'_>], &Names)]) -> Written {
        let mut words = Words::default();
        let mut sampled = Vec::new();
        // Whatever comes beside the first run is told in its ticks.
        let tick = runs.first().map(|(_, names)| names.tick);
        for (run, (all, names)) in runs.iter().enumerate() {
            let own = |at: Instant| tick.map_or(at, |tick| tick.instant(names.tick.logical(at)));
            for one in *all {
                sampled.push(self.sampled(one, run, names, own, &mut words));
            }
        }
        Written { sampled, texts: words.all }
    }

    fn sampled(
        &mut self,
        one: &Sampled<'_>,
        run: usize,
        names: &Names,
        own: impl Fn(Instant) -> Instant,
        words: &mut Words<String>,
    ) -> Value {
        self.count(one.samples.len());
        let mut before = Instant::START;
        for sample in &one.samples {
            self.step(before, own(sample.instant));
            before = own(sample.instant);
        }
        one.samples.iter().for_each(|sample| self.step(own(sample.instant), own(sample.time)));
        let leaves = one.leaves();
        leaves.iter().for_each(|leaf| self.numbers(one, leaf));
        let form = form(one.value, &leaves);
        if form.is_none() {
            for sample in &one.samples {
                let position = one.describe(sample).and_then(|text| words.position_up_to(text, MOST_VALUES));
                self.count(position.map_or(0, |position| position + 1));
            }
        }
        let part = |leaf: &Leaf| {
            let unit = names.units.of(one.name, &leaf.path);
            json!({ "path": leaf.path, "kind": leaf.kind, "unit": unit })
        };
        let parts: Vec<Value> = leaves.iter().map(part).collect();
        json!({ "name": one.name, "origin": one.origin, "run": run, "parts": parts, "form": form })
    }

    /// The numbers of a part. First whether some are missing, and if so, of each whether it is there; then those that
    /// are: whole ones as steps, others as they are in memory.
    fn numbers(&mut self, one: &Sampled<'_>, leaf: &Leaf) {
        let numbers = || one.samples.iter().map(|sample| leaf.of(sample.bytes));
        let is_whole = numbers().all(|number| number.is_some());
        self.number((!is_whole).into());
        if !is_whole {
            numbers().for_each(|number| self.number(number.is_some().into()));
        }
        let mut before = 0;
        for number in numbers().flatten() {
            match number {
                Number::Whole(whole) => {
                    self.difference(before, whole);
                    before = whole;
                }
                Number::Single(single) => self.raw(&single.to_le_bytes()),
                Number::Double(double) => self.raw(&double.to_le_bytes()),
            }
        }
    }
}

/// How the numbers of a value are written as one text, with `#` for each; `None` if a text of its own is needed.
fn form(kind: &ValueType, leaves: &[Leaf]) -> Option<String> {
    let is_exact = !leaves.is_empty() && leaves.iter().all(|leaf| leaf.kind != ValueType::Long);
    is_exact.then(|| kind.form())
}
