//! Tallies: what steps on the board came to, added up.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::charged::Kind;
use crate::summary::Broken;

/// Steps of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// How many were counted.
    pub count: u64,
    /// The instructions of the longest.
    pub longest: u64,
    /// The most of its charge that one took, in thousandths, and the seed of that system.
    pub tightest: (u64, u64),
}

/// What the systems of a campaign came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The first seed.
    pub first: u64,
    /// How many seeds were looked at.
    pub seeds: u64,
    /// How many of those have no proof, and weren't run.
    pub refused: u64,
    /// How many were built and run.
    pub run: u64,
    /// By kind.
    pub steps: BTreeMap<Kind, Steps>,
    /// The most of a charge that the bound of an image takes, in thousandths, and the seed of that system.
    pub bound: (u64, u64),
    /// Steps that were longer than they are charged, or than the bound of their image.
    pub broken: Vec<Broken>,
}

impl Tally {
    /// Notes a step, and what it is charged.
    pub fn note(&mut self, seed: u64, kind: Kind, instructions: u64, charge: u64) {
        let steps = self.steps.entry(kind).or_default();
        steps.count += 1;
        steps.longest = steps.longest.max(instructions);
        steps.tightest = steps.tightest.max((thousandths(instructions, charge), seed));
    }

    /// Adds that of others, who follow.
    pub fn add(&mut self, other: Tally) {
        self.seeds += other.seeds;
        self.refused += other.refused;
        self.run += other.run;
        self.bound = self.bound.max(other.bound);
        self.broken.extend(other.broken);
        for (kind, steps) in other.steps {
            let own = self.steps.entry(kind).or_default();
            own.count += steps.count;
            own.longest = own.longest.max(steps.longest);
            own.tightest = own.tightest.max(steps.tightest);
        }
    }

    /// As the page has it.
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| step | counted | longest, in instructions | most of its charge | seed |\n|---|--:|--:|--:|--:|\n",
        );
        for kind in Kind::ALL {
            let Some(steps) = self.steps.get(&kind) else { continue };
            let (part, seed) = steps.tightest;
            text += &format!(
                "| {} | {} | {} | {}.{} % | {seed} |\n",
                kind.name(),
                steps.count,
                steps.longest,
                part / 10,
                part % 10
            );
        }
        text
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        format!(
            "{} systems, seeds {} to {}: {} have no proof, {} were built and run; the bound of an image is at most {}.{} % of what is \
             charged (seed {}); {} steps were longer than they may be.",
            self.seeds,
            self.first,
            (self.first + self.seeds).saturating_sub(1),
            self.refused,
            self.run,
            self.bound.0 / 10,
            self.bound.0 % 10,
            self.bound.1,
            self.broken.len()
        )
    }
}

/// How much of a whole a part is.
pub fn thousandths(part: u64, whole: u64) -> u64 {
    (part * 1000).checked_div(whole).unwrap_or(u64::MAX)
}
