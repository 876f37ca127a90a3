//! The inputs of a run: execution times, when outputs become visible, what ends it.

use std::str::FromStr;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How execution times are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Times {
    /// The longest.
    Worst,
    /// The shortest.
    Best,
    /// Anything between, drawn from the seed.
    Random,
    /// This many thousandths of the way from the shortest to the longest.
    Between(u16),
    /// Picked one by one, among the worst, the best and this many between.
    Chosen(u8),
}

/// How long each step of the kernel takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Costs {
    /// No time.
    #[default]
    None,
    /// All that the proof charges for it.
    Worst,
    /// Anything up to that, drawn with the seed.
    Random,
}

impl Costs {
    /// As the simulation program takes it.
    pub fn name(self) -> &'static str {
        match self {
            Costs::None => "none",
            Costs::Worst => "worst",
            Costs::Random => "random",
        }
    }

    /// What a reader has to know about such a run.
    pub fn in_words(self) -> &'static str {
        match self {
            Costs::None => {
                "the kernel's steps took no time; `--costs worst` lets each take what the proof charges"
            }
            Costs::Worst => "each step of the kernel took all that the proof charges for it",
            Costs::Random => "each step of the kernel took anything up to what the proof charges for it",
        }
    }

    /// Whether a run has no such input: then its recipe leaves it out.
    pub fn is_none(&self) -> bool {
        *self == Costs::None
    }
}

/// When outputs become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// At the end of the logical execution time.
    Let,
    /// When the job completes.
    Completion,
}

/// What ends a run before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// A job that completes after its deadline.
    Miss,
    /// A time-safety violation.
    Violation,
    /// A fault.
    Fault,
    /// A job that uses more processor time than declared.
    Overrun,
    /// An interrupt that nobody asked for.
    Stray,
    /// The first of all these.
    Trouble,
}

impl Ending {
    /// As the simulation program takes it.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Miss => "miss",
            Ending::Violation => "violation",
            Ending::Fault => "fault",
            Ending::Overrun => "overrun",
            Ending::Stray => "stray",
            Ending::Trouble => "trouble",
        }
    }
}

impl Times {
    /// As the simulation program takes it.
    pub fn option(self) -> String {
        match self {
            Times::Worst => "worst".to_owned(),
            Times::Best => "best".to_owned(),
            Times::Random => "random".to_owned(),
            Times::Between(thousandths) => thousandths.to_string(),
            Times::Chosen(between) => format!("chosen:{between}"),
        }
    }

    /// In words, for people.
    pub fn in_words(self) -> String {
        match self {
            Times::Between(thousandths) => format!("{}.{} %", thousandths / 10, thousandths % 10),
            other => other.option(),
        }
    }
}

impl FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Times, String> {
        match (text, text.parse()) {
            ("worst", _) => Ok(Times::Worst),
            ("best", _) => Ok(Times::Best),
            ("random", _) => Ok(Times::Random),
            _ if text.starts_with("chosen:") => {
                let between = text.trim_start_matches("chosen:").parse();
                between.map(Times::Chosen).map_err(|_| "write chosen:0 to chosen:255".to_owned())
            }
            (_, Ok(thousandths @ 0..=1000)) => Ok(Times::Between(thousandths)),
            _ => Err("write worst, best, random, or a number from 0 (best) to 1000 (worst)".to_owned()),
        }
    }
}

impl TryFrom<String> for Times {
    type Error = String;

    fn try_from(text: String) -> Result<Times, String> {
        text.parse()
    }
}

impl From<Times> for String {
    fn from(times: Times) -> String {
        times.option()
    }
}
