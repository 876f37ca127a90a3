//! Tallies: the accumulated results for steps on the board.

use std::collections::BTreeMap;

use beryl_builder::proof;
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
    /// The largest part of its charge that a step took, in thousandths, and the seed of that system.
    pub tightest: (u64, u64),
}

/// The results of a campaign's systems.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The first seed.
    pub first: u64,
    /// How many seeds were tried.
    pub seeds: u64,
    /// How many of them have no proof, and weren't run.
    pub refused: u64,
    /// How many were built and run.
    pub run: u64,
    /// By kind.
    pub steps: BTreeMap<Kind, Steps>,
    /// The largest part of a charge that an image's bound takes, in thousandths, and the seed of that system,
    /// by the kind's name.
    pub bounds: BTreeMap<String, (u64, u64)>,
    /// Steps longer than their charge, or than their image's bound.
    pub broken: Vec<Broken>,
}

impl Tally {
    /// Records a step and its charge.
    pub fn note(&mut self, seed: u64, kind: Kind, instructions: u64, charge: u64) {
        let steps = self.steps.entry(kind).or_default();
        steps.count += 1;
        steps.longest = steps.longest.max(instructions);
        steps.tightest = steps.tightest.max((thousandths(instructions, charge), seed));
    }

    /// Records the bound of a kind's longest step in an image, and its charge.
    pub fn bound_of(&mut self, seed: u64, kind: proof::Kind, instructions: u64, charge: u64) {
        let tightest = self.bounds.entry(kind.name().to_owned()).or_default();
        *tightest = (thousandths(instructions, charge), seed).max(*tightest);
    }

    /// Adds the tally of later systems.
    pub fn add(&mut self, other: Tally) {
        self.seeds += other.seeds;
        self.refused += other.refused;
        self.run += other.run;
        for (kind, tightest) in other.bounds {
            let own = self.bounds.entry(kind).or_default();
            *own = tightest.max(*own);
        }
        self.broken.extend(other.broken);
        for (kind, steps) in other.steps {
            let own = self.steps.entry(kind).or_default();
            own.count += steps.count;
            own.longest = own.longest.max(steps.longest);
            own.tightest = own.tightest.max(steps.tightest);
        }
    }

    /// The page's table.
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

    /// The page's table of how close the bounds of images come to their charges.
    pub fn bounds_table(&self) -> String {
        let mut text =
            String::from("| kind | bound of an image, most of its charge | seed |\n|---|--:|--:|\n");
        for kind in proof::Kind::ALL.map(proof::Kind::name) {
            let Some((part, seed)) = self.bounds.get(kind) else { continue };
            text += &format!("| {kind} | {}.{} % | {seed} |\n", part / 10, part % 10);
        }
        text
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        format!(
            "{} systems, seeds {} to {}: {} have no proof, {} were built and run; {} steps were longer than they may be.",
            self.seeds,
            self.first,
            (self.first + self.seeds).saturating_sub(1),
            self.refused,
            self.run,
            self.broken.len()
        )
    }
}

/// A part of a whole, in thousandths.
pub fn thousandths(part: u64, whole: u64) -> u64 {
    (part * 1000).checked_div(whole).unwrap_or(u64::MAX)
}
