//! Assertions as they are written down: with names where a trace has numbers. `names.json` keeps those of a system.

use beryl_abi::{Duration, Instant, ThreadId};
use serde::{Deserialize, Serialize};

use super::{Asserted, Assertion, Mode, Point, Trouble};
use crate::clock::{LogicalInstant, Nanoseconds};
use crate::lookup::{self, NotOne};
use crate::names::Names;

/// An assertion with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// What it is called.
    pub name: String,
    /// What it says.
    #[serde(flatten)]
    pub says: Says,
    /// The mode in which it holds; nothing for always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl Stated {
    /// The same about a trace with these names.
    ///
    /// # Errors
    /// If it uses a name that nothing has, or several have.
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
        /// What happens.
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
    /// What is used isn't older than a time.
    Age {
        /// What gets old.
        first: String,
        /// What uses it.
        second: String,
        /// The greatest age.
        #[serde(rename = "most_ns")]
        most: Nanoseconds,
    },
    /// One comes before each of the other.
    Order {
        /// What comes first.
        first: String,
        /// What comes after it.
        second: String,
    },
    /// It doesn't happen.
    Never {
        /// What doesn't.
        what: Trouble,
        /// To whom; nothing for anybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
}

impl Says {
    /// The same about a trace with these names.
    ///
    /// # Errors
    /// If it uses a name that nothing has, or several have.
    pub fn about(&self, names: &Names) -> Result<Assertion, NotOne> {
        let point = |text: &str| Point::named(text, names);
        // What is less than a tick can't be seen.
        let ticks = |most: &Nanoseconds| -> Duration {
            names.tick.instant(LogicalInstant::from_nanoseconds(most.number())).since(Instant::START)
        };
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
