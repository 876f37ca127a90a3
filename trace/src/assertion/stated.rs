//! Assertions in their written form: names where a trace has numbers. `names.json` contains a system's
//! assertions.

use beryl_abi::{Duration, Instant, ThreadId};
use serde::{Deserialize, Serialize};

use super::{Asserted, Assertion, Mode, Point, Trouble};
use crate::clock::{LogicalInstant, Nanoseconds};
use crate::lookup::{self, NotOne};
use crate::names::Names;

/// An assertion with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// The name.
    pub name: String,
    /// What it asserts.
    #[serde(flatten)]
    pub says: Says,
    /// The mode in which it holds; `None` for always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl Stated {
    /// Resolves the names for a trace.
    ///
    /// # Errors
    /// If a name is unknown or ambiguous.
    pub fn about(&self, names: &Names) -> Result<Asserted, NotOne> {
        let mode = self.mode.as_deref().map(|mode| Mode::named(mode, names)).transpose()?;
        Ok(Asserted { assertion: self.says.about(names)?, mode })
    }
}

/// What an assertion says; see [`Assertion`] for what each kind means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Says {
    /// A task's jobs are done within a time.
    Response {
        /// The task.
        of: String,
        /// The longest time.
        #[serde(rename = "most_ns")]
        most: Nanoseconds,
    },
    /// Delays differ by no more than a time.
    Jitter {
        /// The recurring point.
        of: String,
        /// The largest difference.
        #[serde(rename = "most_ns")]
        most: Nanoseconds,
    },
    /// An effect follows its cause within a time.
    Latency {
        /// The cause.
        first: String,
        /// The effect.
        second: String,
        /// The longest time.
        #[serde(rename = "most_ns")]
        most: Nanoseconds,
    },
    /// A value is no older than a time when it is used.
    Age {
        /// The source.
        first: String,
        /// The use.
        second: String,
        /// The greatest age.
        #[serde(rename = "most_ns")]
        most: Nanoseconds,
    },
    /// One point comes before each occurrence of another.
    Order {
        /// What comes first.
        first: String,
        /// What comes after it.
        second: String,
    },
    /// It never happens.
    Never {
        /// The kind of trouble.
        what: Trouble,
        /// The thread; `None` for any thread.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
}

impl Says {
    /// Resolves the names for a trace.
    ///
    /// # Errors
    /// If a name is unknown or ambiguous.
    pub fn about(&self, names: &Names) -> Result<Assertion, NotOne> {
        let point = |text: &str| Point::named(text, names);
        let ticks = |most: &Nanoseconds| ticks(*most, names);
        Ok(match self {
            Says::Response { of, most } => Assertion::Response { task: task(of, names)?, most: ticks(most) },
            Says::Jitter { of, most } => Assertion::Jitter { of: point(of)?, most: ticks(most) },
            Says::Latency { first, second, most } => {
                Assertion::Latency { from: point(first)?, to: point(second)?, most: ticks(most) }
            }
            Says::Age { first, second, most } => {
                Assertion::Age { of: point(first)?, at: point(second)?, most: ticks(most) }
            }
            Says::Order { first, second } => {
                Assertion::Order { first: point(first)?, second: point(second)? }
            }
            Says::Never { what, of } => {
                let of = of.as_deref().map(|of| thread(of, names)).transpose()?;
                Assertion::Never { what: *what, of }
            }
        })
    }
}

/// A length in the ticks of a trace: differences below a tick are invisible.
pub(super) fn ticks(most: Nanoseconds, names: &Names) -> Duration {
    names.tick.instant(LogicalInstant::from_nanoseconds(most.number())).since(Instant::START)
}

/// The task of that name, or thread with jobs.
///
/// # Errors
/// If there is none, or several.
pub fn task(name: &str, names: &Names) -> Result<ThreadId, NotOne> {
    lookup::one("task", name, names.tasks().map(|(task, known)| (known.name.as_str(), task)))
}

/// The thread of that name, with jobs or without.
///
/// # Errors
/// If there is none, or several.
pub fn thread(name: &str, names: &Names) -> Result<ThreadId, NotOne> {
    let threads = names.identified().map(|(thread, known)| (known.name.as_str(), thread));
    lookup::one("task or thread", name, threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let most = Nanoseconds::new(5_000);
        let says = [
            Says::Response { of: "a".into(), most },
            Says::Jitter { of: "start of a".into(), most },
            Says::Latency { first: "gps".into(), second: "a".into(), most },
            Says::Age { first: "gps".into(), second: "a".into(), most },
            Says::Order { first: "gps".into(), second: "a".into() },
            Says::Never { what: Trouble::Miss, of: Some("a".into()) },
            Says::Never { what: Trouble::Stray, of: None },
        ];
        for says in says {
            let stated = Stated { name: "x".into(), says, mode: Some("Door.open".into()) };
            let text = serde_json::to_string(&stated).expect("written");
            assert_eq!(serde_json::from_str::<Stated>(&text).expect(&text), stated);
        }
        let text = r#"{"name": "quick", "kind": "response", "of": "a", "most_ns": 5000}"#;
        let read: Stated = serde_json::from_str(text).expect("read");
        let says = Says::Response { of: "a".into(), most };
        assert_eq!(read, Stated { name: "quick".into(), says, mode: None });
    }

    #[test]
    fn troubles_are_called_the_same_everywhere() {
        for (name, trouble) in Trouble::NAMES {
            assert_eq!(serde_json::to_string(&trouble).expect("written"), format!("\"{name}\""));
        }
    }
}
