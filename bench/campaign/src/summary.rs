//! Summaries: the accumulated results of many trials.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The results of a class of systems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// How many were drawn.
    pub drawn: u64,
    /// How many have a proof.
    pub accepted: u64,
    /// The largest part of a promised response that was observed, in thousandths.
    pub tightest: u64,
}

/// A promise that a run broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// The system's seed.
    pub seed: u64,
    /// The run's number.
    pub run: u64,
    /// The promise and the observation, in words.
    pub said: String,
}

/// The results of trials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many systems were drawn.
    pub systems: u64,
    /// How many had texts that were refused before the proof.
    pub unfit: u64,
    /// How many have a proof.
    pub accepted: u64,
    /// How many have none.
    pub refused: u64,
    /// How many runs were made.
    pub runs: u64,
    /// How many of their jobs were checked against promises.
    pub jobs: u64,
    /// The largest part of a promised response that was observed, in thousandths, and the seed of that
    /// system.
    pub tightest: (u64, u64),
    /// Broken promises.
    pub broken: Vec<Broken>,
    /// By features of a system.
    pub classes: BTreeMap<String, Class>,
}

impl Summary {
    /// Adds the results of other trials.
    pub fn add(&mut self, other: Summary) {
        self.systems += other.systems;
        self.unfit += other.unfit;
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.runs += other.runs;
        self.jobs += other.jobs;
        self.tightest = self.tightest.max(other.tightest);
        self.broken.extend(other.broken);
        for (name, class) in other.classes {
            self.class(&name).add(class);
        }
    }

    /// A class.
    pub fn class(&mut self, name: &str) -> &mut Class {
        self.classes.entry(name.to_owned()).or_default()
    }

    /// The table of a page.
    pub fn table(&self) -> String {
        let share = |thousandths: u64| format!("{}.{} %", thousandths / 10, thousandths % 10);
        let mut text = String::from(
            "| systems with | drawn | accepted | most of a promised response that was seen |\n|---|--:|--:|--:|\n",
        );
        for (name, class) in &self.classes {
            text +=
                &format!("| {name} | {} | {} | {} |\n", class.drawn, class.accepted, share(class.tightest));
        }
        text += &format!(
            "| **all** | {} | {} | {} (seed {}) |\n",
            self.systems,
            self.accepted,
            share(self.tightest.0),
            self.tightest.1
        );
        text
    }
}

impl Class {
    fn add(&mut self, other: Class) {
        self.drawn += other.drawn;
        self.accepted += other.accepted;
        self.tightest = self.tightest.max(other.tightest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(seed: u64, tightest: u64) -> Summary {
        let mut summary =
            Summary { systems: 1, accepted: 1, tightest: (tightest, seed), ..Summary::default() };
        *summary.class("locks") = Class { drawn: 1, accepted: 1, tightest };
        summary
    }

    #[test]
    fn summaries_add_up_in_any_order() {
        let (mut one_way, mut other_way) = (one(1, 700), one(2, 900));
        one_way.add(one(2, 900));
        other_way.add(one(1, 700));
        assert_eq!(one_way, other_way);
        assert_eq!((one_way.systems, one_way.tightest), (2, (900, 2)));
        assert!(one_way.table().contains("| locks | 2 | 2 | 90.0 % |"), "{}", one_way.table());
    }
}
