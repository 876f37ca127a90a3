//! The names of the objects in a trace.

use beryl_abi::{Awaited, Line, Passed, SemaphoreId};
use serde::{Deserialize, Serialize};

use crate::clock::Nanoseconds;
use crate::names::Names;

/// The names of a system's objects, each kind by number. Files of the first form have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectNames {
    /// Semaphores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub semaphores: Vec<String>,
    /// Condition variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Mailboxes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mailboxes: Vec<String>,
    /// Endpoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub endpoints: Vec<String>,
    /// Event groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub event_groups: Vec<String>,
    /// Notifications.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<String>,
    /// State messages that are read by calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// Slots for programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// Interrupts, by their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<InterruptName>,
    /// How long threads hold semaphores, as declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<HoldPromise>,
    /// How often threads become ready, as declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub separations: Vec<SeparationPromise>,
}

/// A `hold` of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldPromise {
    /// The thread's number.
    pub thread: u8,
    /// The semaphore's number.
    pub lock: u8,
    /// The longest hold, in execution time.
    #[serde(rename = "most_ns")]
    pub most: Nanoseconds,
}

/// A `separation` of the description, with its `jitter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeparationPromise {
    /// The thread's number.
    pub thread: u8,
    /// The least time between two wake-ups.
    #[serde(rename = "least_ns")]
    pub least: Nanoseconds,
    /// How late a wake-up may be.
    #[serde(rename = "jitter_ns")]
    pub jitter: Nanoseconds,
}

/// An interrupt's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptName {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: u16,
}

impl ObjectNames {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ObjectNames::default()
    }
}

impl Names {
    /// The object that a thread waits for, with its article.
    #[must_use]
    pub fn awaited(&self, awaited: Awaited, object: u8) -> String {
        let objects = &self.objects;
        match awaited {
            Awaited::Period => "its next release".to_owned(),
            Awaited::Time => "an instant".to_owned(),
            Awaited::Notification => "a notification".to_owned(),
            Awaited::Semaphore => numbered("semaphore", &objects.semaphores, object),
            Awaited::Condition => numbered("condition", &objects.conditions, object),
            Awaited::Send => format!("room in {}", numbered("mailbox", &objects.mailboxes, object)),
            Awaited::Receive => format!("a message in {}", numbered("mailbox", &objects.mailboxes, object)),
            Awaited::Request => format!("a request at {}", numbered("endpoint", &objects.endpoints, object)),
            Awaited::EventGroup => {
                format!("bits of {}", numbered("event group", &objects.event_groups, object))
            }
            Awaited::Call | Awaited::Reply => numbered("endpoint", &objects.endpoints, object),
        }
    }

    /// What happens to a message.
    #[must_use]
    pub fn passed(&self, passed: Passed, object: u8) -> String {
        let objects = &self.objects;
        match passed {
            Passed::Sent => format!("sends to {}", numbered("mailbox", &objects.mailboxes, object)),
            Passed::Received => {
                format!("receives from {}", numbered("mailbox", &objects.mailboxes, object))
            }
            Passed::Asked => format!("asks {}", numbered("endpoint", &objects.endpoints, object)),
            Passed::Replied => format!("replies at {}", numbered("endpoint", &objects.endpoints, object)),
            Passed::Notified => {
                format!("notifies {}", numbered("notification", &objects.notifications, object))
            }
            Passed::Set => {
                format!("sets bits of {}", numbered("event group", &objects.event_groups, object))
            }
            Passed::Cleared => {
                format!("clears bits of {}", numbered("event group", &objects.event_groups, object))
            }
            Passed::SentEarly => {
                format!("sends too early to {}", numbered("mailbox", &objects.mailboxes, object))
            }
            Passed::AskedEarly => {
                format!("asks too early {}", numbered("endpoint", &objects.endpoints, object))
            }
            Passed::NotifiedEarly => {
                format!("notifies too early {}", numbered("notification", &objects.notifications, object))
            }
            Passed::SentBeyond => {
                format!("sends more than it may to {}", numbered("mailbox", &objects.mailboxes, object))
            }
            Passed::AskedBeyond => {
                format!("asks more than it may of {}", numbered("endpoint", &objects.endpoints, object))
            }
            Passed::SetEarly => {
                format!("sets too early bits of {}", numbered("event group", &objects.event_groups, object))
            }
        }
    }

    /// The name of a binary semaphore.
    #[must_use]
    pub fn lock(&self, lock: SemaphoreId) -> String {
        numbered("semaphore", &self.objects.semaphores, lock.0)
    }

    /// The name of an interrupt.
    #[must_use]
    pub fn interrupt(&self, line: Line) -> String {
        let known = self.objects.interrupts.iter().find(|known| known.line == line.0);
        known.map_or_else(|| format!("line {}", line.0), |known| known.name.clone())
    }
}

fn numbered(kind: &str, names: &[String], number: u8) -> String {
    names.get(usize::from(number)).map_or_else(|| format!("{kind} {number}"), |name| format!("{kind} {name}"))
}
