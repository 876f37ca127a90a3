//! Times on this machine, and rows of them.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

/// How often everything is repeated.
const REPEATS: usize = 9;
/// The same for what is over soon.
const MANY: usize = 50;

/// What a measurement is to be below.
pub enum Aim {
    /// A time.
    Within(Duration),
    /// As long as the other analysis at most.
    NoSlower,
    /// So many times as quick as another program, at so many events.
    Faster {
        /// The other one.
        than: &'static str,
        /// How many times.
        times: u32,
        /// The events.
        events: usize,
    },
}

/// A measurement's result.
pub struct Row {
    /// What was done, in words.
    pub what: String,
    /// The median, or the shortest.
    pub took: Duration,
    /// The other's, if there is one.
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

/// The shortest time of something that is done many times: what else the machine does only makes it longer.
pub fn shortest<T>(mut work: impl FnMut() -> Result<T>) -> Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..MANY {
        let begun = Instant::now();
        std::hint::black_box(work()?);
        shortest = shortest.min(begun.elapsed());
    }
    Ok(shortest)
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        Some(self.took.as_secs_f64() / self.theirs?.as_secs_f64().max(f64::EPSILON))
    }

    /// Nothing if there is nothing to compare with.
    fn is_met(&self) -> Option<bool> {
        match self.aim {
            Aim::Within(most) => Some(self.took <= most),
            Aim::NoSlower => self.ratio().map(|ratio| ratio <= 1.0),
            Aim::Faster { times, .. } => self.ratio().map(|ratio| ratio * f64::from(times) <= 1.0),
        }
    }

    /// For people.
    pub fn line(&self, name: &str) -> String {
        let took = format!("{:.3} ms", self.took.as_secs_f64() * 1000.0);
        let aim = match (&self.aim, self.ratio()) {
            (Aim::NoSlower, Some(ratio)) => format!("{ratio:.3} of response-time-analysis; aim at most 1"),
            (Aim::NoSlower | Aim::Faster { .. }, None) => "nothing to compare with".to_owned(),
            (Aim::Within(most), _) => format!("aim {} ms", most.as_millis()),
            (Aim::Faster { than, times, events }, Some(ratio)) => format!(
                "{:.0} events a second, {:.0} times {than}; aim {times}",
                a_second(*events, self.took),
                1.0 / ratio
            ),
        };
        let met = match self.is_met() {
            Some(true) => ": met",
            Some(false) => ": missed",
            None => "",
        };
        format!("{name:<32} {took:>12}   {aim}{met}   ({})", self.what)
    }

    /// For machines.
    pub fn json(&self, name: &str) -> Value {
        json!({
            "bench": format!("host/{name}"), "what": self.what, "ns": nanoseconds(self.took),
            "theirs_ns": self.theirs.map(nanoseconds), "ratio": self.ratio(), "met": self.is_met(),
            "events": match self.aim { Aim::Faster { events, .. } => Some(events), _ => None },
        })
    }
}

fn a_second(events: usize, took: Duration) -> f64 {
    u32::try_from(events).map_or(f64::NAN, f64::from) / took.as_secs_f64().max(f64::EPSILON)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
