//! Names: what the numbers in a trace stand for. The builder writes them beside the image as `names.json`.

use std::collections::BTreeSet;

use beryl_abi::{DriverId, ProcessId, ProgramId, ThreadId};
use serde::{Deserialize, Serialize};

use crate::assertion::Stated;
use crate::clock::{Nanoseconds, Tick};
use crate::modes::ModuleModes;
use crate::objects::ObjectNames;
use crate::ports::PortName;
use crate::releases::Late;
use crate::states::StateName;
use crate::units::Units;
use crate::value::ValueType;

/// The names of one system, indexed like the kernel's tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// The form of the records that these names are for.
    #[serde(default)]
    pub form: Form,
    /// The system.
    pub system: String,
    /// The board that it is for; empty where nobody says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub board: String,
    /// The length of a tick of its kernel time.
    pub tick: Tick,
    /// The processes, in display order.
    pub processes: Vec<String>,
    /// The threads: tasks first, the idle thread last.
    pub threads: Vec<ThreadName>,
    /// The drivers.
    pub drivers: Vec<DriverName>,
    /// The timing programs: one per module.
    pub programs: Vec<String>,
    /// The objects that threads share.
    #[serde(default, skip_serializing_if = "ObjectNames::is_empty")]
    pub objects: ObjectNames,
    /// The modes of its modules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ModuleModes>,
    /// The outputs of its tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortName>,
    /// The state messages that are traced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateName>,
    /// In what values are told.
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub units: Units,
    /// The depths of sleep beside the lightest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<String>,
    /// The assertions, which must hold in every run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Stated>,
}

/// A thread's name and properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadName {
    /// Its name.
    pub name: String,
    /// The name of its process; empty for a thread of the kernel.
    pub process: String,
    /// Its purpose.
    pub kind: ThreadKind,
    /// The declared execution times of its jobs; `None` for threads without jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
    /// Whether a job whose result is needed too early goes on instead of being stopped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub goes_on: bool,
    /// After how many releases it is stopped, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_after: Option<u8>,
    /// Whether its jobs pay from a budget that they share with others: that this is used up says nothing of one of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// What happens to releases that find the previous job at work.
    #[serde(default, skip_serializing_if = "Late::is_default")]
    pub late: Late,
}

impl ThreadName {
    /// What happens to a job that isn't done when its result is needed.
    #[must_use]
    pub fn fate(&self) -> &'static str {
        match (self.goes_on, self.stopped_after) {
            (true, None) => "its job goes on",
            (true, Some(_)) => "its job goes on, or was stopped if that was too often",
            (false, _) => "its job was stopped",
        }
    }
}

/// Execution times as the system description declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Declared {
    /// The least time that a job takes.
    #[serde(rename = "best_ns")]
    pub best: Nanoseconds,
    /// The most time that it may take.
    #[serde(rename = "worst_ns")]
    pub worst: Nanoseconds,
}

/// The form of a trace's records. A file that doesn't give it has the first form, which later ones only
/// extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Form;

/// This program can't read records of this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the trace has form {0}, and this program reads forms up to {known}; read it with the `beryl` that recorded it",
    known = Form::NUMBER
)]
pub struct UnknownForm(u32);

impl Form {
    /// The form that this crate writes: notes about threads and objects (2), and checksums in the file (3).
    /// Names of earlier forms are readable.
    pub const NUMBER: u32 = 3;
}

impl TryFrom<u32> for Form {
    type Error = UnknownForm;

    fn try_from(number: u32) -> Result<Form, UnknownForm> {
        if (1..=Form::NUMBER).contains(&number) { Ok(Form) } else { Err(UnknownForm(number)) }
    }
}

impl From<Form> for u32 {
    fn from(_: Form) -> u32 {
        Form::NUMBER
    }
}

/// The purpose of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThreadKind {
    /// Carries out the jobs of a task.
    Task,
    /// Runs code of its own.
    Free,
    /// Carries out the native drivers of its process.
    Driver,
    /// Runs when no other thread is ready.
    Idle,
}

/// A driver's name and properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverName {
    /// Its name; for a sensor or actuator, `module.name`.
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
    /// Parses `names.json`.
    ///
    /// # Errors
    ///
    /// If the text isn't JSON, or not of this form; the error gives the line and column.
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

    /// The name of a thread; its number if the names don't have it.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> String {
        self.known_thread(thread).map_or_else(|| format!("thread {}", thread.0), |known| known.name.clone())
    }

    /// The name of a driver; its number if the names don't have it.
    #[must_use]
    pub fn driver(&self, driver: DriverId) -> String {
        self.known_driver(driver).map_or_else(|| format!("driver {}", driver.0), |known| known.name.clone())
    }

    /// The name of a depth of sleep; its number if the names don't have it.
    #[must_use]
    pub fn depth(&self, depth: u8) -> String {
        let named = usize::from(depth).checked_sub(1).map(|row| self.depths.get(row).cloned());
        named.map_or_else(|| "light".to_owned(), |name| name.unwrap_or_else(|| format!("depth {depth}")))
    }

    /// The name of a program; its number if the names don't have it.
    #[must_use]
    pub fn program(&self, program: ProgramId) -> String {
        self.programs.get(program.index()).cloned().unwrap_or_else(|| format!("program {}", program.0))
    }

    /// The name of a process; its number if the names don't have it.
    #[must_use]
    pub fn process(&self, process: ProcessId) -> String {
        self.processes.get(process.index()).cloned().unwrap_or_else(|| format!("process {}", process.0))
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

    /// The thread of that name, if there is one.
    #[must_use]
    pub fn thread_called(&self, name: &str) -> Option<ThreadId> {
        self.identified().find(|(_, known)| known.name == name).map(|(thread, _)| thread)
    }

    /// The processes that have threads, each once: first the listed ones, in order, then the others.
    #[must_use]
    pub fn inhabited(&self) -> Vec<&str> {
        let mut left: BTreeSet<&str> = self.identified().map(|(_, known)| known.process.as_str()).collect();
        let listed = self.processes.iter().map(String::as_str);
        let threads = self.identified().map(|(_, known)| known.process.as_str());
        listed.chain(threads).filter(|process| left.remove(process)).collect()
    }

    /// All threads that a thread number can name.
    pub fn identified(&self) -> impl Iterator<Item = (ThreadId, &ThreadName)> {
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
    fn another_form_is_refused_in_words() {
        let error = Names::parse(r#"{"form": 9}"#).expect_err("form 9").to_string();
        assert!(
            error.starts_with("the trace has form 9, and this program reads forms up to 3; read it with"),
            "{error}"
        );
    }

    #[test]
    fn what_has_no_name_is_told_by_its_number() {
        let tick = Tick::new(40, 1).expect("not zero");
        let names = Names {
            form: Form,
            system: "s".into(),
            board: String::new(),
            tick,
            processes: vec![],
            threads: vec![],
            drivers: vec![],
            programs: vec![],
            objects: Default::default(),
            modes: Default::default(),
            ports: Default::default(),
            states: Default::default(),
            assertions: vec![],
            depths: Vec::new(),
            units: Default::default(),
        };
        assert_eq!(names.thread(ThreadId(3)), "thread 3");
        assert_eq!(names.driver(DriverId(300)), "driver 300");
        assert_eq!(names.program(ProgramId(1)), "program 1");
    }
}
