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
    /// Nothing: a figure to know.
    Open {
        /// How many of something were done, if that counts.
        events: Option<usize>,
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

    fn events(&self) -> Option<u64> {
        match self.aim {
            Aim::Faster { events, .. } | Aim::Open { events: Some(events) } => u64::try_from(events).ok(),
            _ => None,
        }
    }

    /// How many events a second there were, if they are counted.
    fn a_second(&self) -> Option<u64> {
        a_second(self.events()?, nanoseconds(self.took))
    }

    /// Nothing if there is nothing to compare with.
    fn is_met(&self) -> Option<bool> {
        match self.aim {
            Aim::Within(most) => Some(self.took <= most),
            Aim::NoSlower => self.ratio().map(|ratio| ratio <= 1.0),
            Aim::Open { .. } => None,
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
            (Aim::Faster { than, times, .. }, Some(ratio)) => format!(
                "{} events a second, {:.0} times {than}; aim {times}",
                self.a_second().unwrap_or(0),
                1.0 / ratio
            ),
            (Aim::Open { .. }, _) => {
                self.a_second().map_or_else(|| "no aim".to_owned(), |speed| format!("{speed} a second"))
            }
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
            "events": self.events(),
        })
    }
}

/// So many events in so many nanoseconds, a second.
pub fn a_second(events: u64, nanoseconds: u64) -> Option<u64> {
    u64::try_from(u128::from(events) * 1_000_000_000 / u128::from(nanoseconds.max(1))).ok()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
