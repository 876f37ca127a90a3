//! Times on this machine, and rows of them.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

/// How often everything is repeated.
const REPEATS: usize = 9;

/// What a measurement is to be below.
pub enum Aim {
    /// A time.
    Within(Duration),
    /// As long as the other analysis at most.
    NoSlower,
}

/// A measurement's result.
pub struct Row {
    /// What was done, in words.
    pub what: String,
    /// The median.
    pub took: Duration,
    /// The other's median, if there is one.
    pub theirs: Option<Duration>,
    /// The aim.
    pub aim: Aim,
}

/// The median time of something that is done several times.
pub fn median<T>(mut work: impl FnMut() -> Result<T>) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let begun = Instant::now();
        std::hint::black_box(work()?);
        times.push(begun.elapsed());
    }
    times.sort();
    Ok(times.get(REPEATS / 2).copied().unwrap_or_default())
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        Some(self.took.as_secs_f64() / self.theirs?.as_secs_f64().max(f64::EPSILON))
    }

    fn is_met(&self) -> bool {
        match self.aim {
            Aim::Within(most) => self.took <= most,
            Aim::NoSlower => self.ratio().is_some_and(|ratio| ratio <= 1.0),
        }
    }

    /// For people.
    pub fn line(&self, name: &str) -> String {
        let took = format!("{:.3} ms", self.took.as_secs_f64() * 1000.0);
        let aim = match (&self.aim, self.ratio()) {
            (Aim::NoSlower, Some(ratio)) => format!("{ratio:.3} of response-time-analysis; aim at most 1"),
            (Aim::NoSlower, None) => "nothing to compare with".to_owned(),
            (Aim::Within(most), _) => format!("aim {} ms", most.as_millis()),
        };
        let met = if self.is_met() { "met" } else { "missed" };
        format!("{name:<20} {took:>12}   {aim}: {met}   ({})", self.what)
    }

    /// For machines.
    pub fn json(&self, name: &str) -> Value {
        json!({
            "bench": format!("host/{name}"), "what": self.what, "ns": nanoseconds(self.took),
            "theirs_ns": self.theirs.map(nanoseconds), "ratio": self.ratio(), "repeats": REPEATS, "met": self.is_met(),
        })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
