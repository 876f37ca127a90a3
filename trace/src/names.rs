//! Names: what the numbers in a trace are called. The builder writes them beside the image as `names.json`.

use beryl_abi::{DriverId, ProgramId, ThreadId};
use serde::{Deserialize, Serialize};

use crate::clock::Tick;
use crate::value::ValueType;

/// The names of one system. Positions are those of the kernel's tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// The system.
    pub system: String,
    /// How long a tick of its kernel time lasts.
    pub tick: Tick,
    /// The processes, in the order in which tools show them.
    pub processes: Vec<String>,
    /// The threads: tasks first, the idle thread last.
    pub threads: Vec<ThreadName>,
    /// The drivers.
    pub drivers: Vec<DriverName>,
    /// The timing programs: one a module.
    pub programs: Vec<String>,
}

/// What a thread is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadName {
    /// Its name.
    pub name: String,
    /// The name of its process; empty for a thread of the kernel's.
    pub process: String,
    /// What it is there for.
    pub kind: ThreadKind,
}

/// What a thread is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThreadKind {
    /// Carries out the jobs of a task.
    Task,
    /// Runs as it likes.
    Free,
    /// Carries out the native drivers of its process.
    Driver,
    /// Has the processor when nobody wants it.
    Idle,
}

/// What a driver is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverName {
    /// Its name: of a sensor or actuator, `module.name`.
    pub name: String,
    /// What it does.
    pub kind: DriverKind,
    /// The type of the value that it moves.
    pub value: ValueType,
}

/// What a driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// Reads a sensor.
    Sensor,
    /// Updates an actuator.
    Actuator,
    /// Copies between ports.
    Copy,
    /// Tests a condition.
    Guard,
}

impl Names {
    /// Reads `names.json`.
    ///
    /// # Errors
    ///
    /// If the text isn't JSON, or not of this form; the error says at which line and column.
    pub fn parse(text: &str) -> Result<Names, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The content of `names.json`.
    ///
    /// # Errors
    ///
    /// None that a well-formed value can cause.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The name of a thread; its number where the trace knows more than the names.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> String {
        self.known_thread(thread).map_or_else(|| format!("thread {}", thread.0), |known| known.name.clone())
    }

    /// The name of a driver; its number where the trace knows more than the names.
    #[must_use]
    pub fn driver(&self, driver: DriverId) -> String {
        self.known_driver(driver).map_or_else(|| format!("driver {}", driver.0), |known| known.name.clone())
    }

    /// The name of a program; its number where the trace knows more than the names.
    #[must_use]
    pub fn program(&self, program: ProgramId) -> String {
        self.programs.get(program.index()).cloned().unwrap_or_else(|| format!("program {}", program.0))
    }

    /// All that is known about a thread.
    #[must_use]
    pub fn known_thread(&self, thread: ThreadId) -> Option<&ThreadName> {
        self.threads.get(thread.index())
    }

    /// All that is known about a driver.
    #[must_use]
    pub fn known_driver(&self, driver: DriverId) -> Option<&DriverName> {
        self.drivers.get(driver.index())
    }

    /// The tasks, with their threads.
    pub fn tasks(&self) -> impl Iterator<Item = (ThreadId, &ThreadName)> {
        self.identified().filter(|(_, thread)| thread.kind == ThreadKind::Task)
    }

    /// All threads that an identity can name.
    pub(crate) fn identified(&self) -> impl Iterator<Item = (ThreadId, &ThreadName)> {
        (0..u8::MAX).map(ThreadId).zip(&self.threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_files_are_refused_with_a_place() {
        let file = |tick: &str, value: &str| {
            format!(
                r#"{{"system": "s", "tick": {tick}, "processes": [], "threads": [], "programs": [],
                "drivers": [{{"name": "gps", "kind": "sensor", "value": "{value}"}}]}}"#
            )
        };
        let tick = r#"{"nanoseconds": 40, "ticks": 1}"#;
        assert!(Names::parse(&file(tick, "float[3]")).is_ok());
        for wrong in [
            file(r#"{"nanoseconds": 0, "ticks": 1}"#, "float"),
            file(tick, "real"),
            file(tick, "float")[..90].to_owned(),
        ] {
            let error = Names::parse(&wrong).expect_err(&wrong).to_string();
            assert!(error.contains("line "), "{error}");
        }
    }

    #[test]
    fn what_has_no_name_is_told_by_its_number() {
        let tick = Tick::new(40, 1).expect("not zero");
        let names = Names {
            system: "s".into(),
            tick,
            processes: vec![],
            threads: vec![],
            drivers: vec![],
            programs: vec![],
        };
        assert_eq!(names.thread(ThreadId(3)), "thread 3");
        assert_eq!(names.driver(DriverId(300)), "driver 300");
        assert_eq!(names.program(ProgramId(1)), "program 1");
    }
}
