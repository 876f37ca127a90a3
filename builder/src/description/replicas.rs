//! `[module.NAME] replicas = ["process", ...]`: a module that several machines carry out at once, and of which everybody reads what
//! most say.
//!
//! Each replica is a module of its own, called after the module and its process. A task of the module is described once, without
//! a process. Before the file is read, that table becomes one for each replica: so all rules and messages are those of any
//! task, at the place in the text where it stands. What differs on one machine stands in a table with the replica's name: there it
//! may take longer, or be carried out by another function.

use std::borrow::Cow;

use beryl_abi::ProcessId;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::{Entry, Section, place};
use super::value::is_name;
use super::{Placed, Replicas, code};

/// The table.
pub(super) const TABLE: &str = "module";
const KEY: &str = "replicas";
const KEYS: &[&str] = &[KEY];
const PROCESS: &str = "process";
const HELP: &str = "name a process on each of three machines, or of five or seven: `replicas = [\"left\", \"right\", \"lead\"]`";

/// The fewest of which most can be right if one is wrong, and more than anybody needs.
const FEWEST: usize = 3;
const MOST: usize = 7;

impl Replicas {
    /// What the replica in a process is called.
    #[must_use]
    pub fn name(&self, process: &str) -> String {
        called(&self.module, process)
    }
}

fn called(module: &str, process: &str) -> String {
    format!("{module}_{process}")
}

/// Makes of each table about a task of such a module one for each replica. Of a replica that can't be, there is none: what
/// is wrong with it is said when the module's table is read.
pub(super) fn expand(file: &mut DeTable<'_>, reporter: &mut Reporter) {
    for (module, processes) in listed(file) {
        let Some(DeValue::Table(tasks)) = file.get_mut("task").map(Spanned::get_mut) else { continue };
        let own = format!("{module}.");
        let rows =
            tasks.iter().filter(|(name, row)| name.get_ref().starts_with(&own) && row.get_ref().is_table());
        let rows: Vec<_> = rows.map(|(name, row)| (name.clone(), row.clone())).collect();
        for (name, row) in rows {
            let DeValue::Table(table) = row.get_ref() else { continue };
            if let Some((key, _)) = table.get_key_value(PROCESS) {
                reporter.report(said_twice(&module, place(key)));
                continue;
            }
            tasks.remove(name.get_ref().as_ref());
            let task = name.get_ref().strip_prefix(&own).unwrap_or_default();
            for process in &processes {
                let called = format!("{}.{task}", called(&module, process.get_ref()));
                let own = tasks.remove(called.as_str());
                let own = own.as_ref().and_then(|own| own.get_ref().as_table());
                if let Some((key, _)) = own.and_then(|own| own.get_key_value(PROCESS)) {
                    reporter.report(said_twice(&module, place(key)));
                }
                let table = in_process(table, own, process);
                let name = Spanned::new(name.span(), Cow::Owned(called));
                tasks.insert(name, Spanned::new(row.span(), DeValue::Table(table)));
            }
        }
    }
}

/// What is said of a task, as one replica has it: in its process, and with what is said of that replica alone.
fn in_process<'a>(of_all: &DeTable<'a>, own: Option<&DeTable<'a>>, process: &Spanned<String>) -> DeTable<'a> {
    let mut table = of_all.clone();
    for (key, value) in own.into_iter().flat_map(DeTable::iter) {
        table.remove(key.get_ref().as_ref());
        table.insert(key.clone(), value.clone());
    }
    let value = DeValue::String(Cow::Owned(process.get_ref().clone()));
    let key = Spanned::new(process.span(), Cow::Borrowed(PROCESS));
    table.insert(key, Spanned::new(process.span(), value));
    table
}

/// Each module that has replicas, and those of their processes that there are, each once.
fn listed(file: &DeTable<'_>) -> Vec<(String, Vec<Spanned<String>>)> {
    let table = |name: &str| file.get(name).and_then(|table| table.get_ref().as_table());
    let is_process = |name: &str| table("process").is_some_and(|all| all.contains_key(name));
    let processes = |row: &Spanned<DeValue<'_>>| {
        let all =
            row.get_ref().as_table().and_then(|row| row.get(KEY)).and_then(|all| all.get_ref().as_array());
        let mut found: Vec<Spanned<String>> = Vec::new();
        for one in all.into_iter().flat_map(|all| all.iter()) {
            let name = one.get_ref().as_str().filter(|name| is_process(name));
            let Some(name) = name.filter(|name| found.iter().all(|other| other.get_ref() != name)) else {
                continue;
            };
            found.push(Spanned::new(one.span(), name.to_owned()));
        }
        found
    };
    let modules = table(TABLE).into_iter().flat_map(DeTable::iter);
    modules.map(|(name, row)| (name.get_ref().to_string(), processes(row))).collect()
}

fn said_twice(module: &str, place: miette::SourceSpan) -> Problem {
    Problem {
        code: code::CONFLICT,
        place,
        message: format!("module `{module}` has replicas, and these say in which processes its tasks are"),
        label: "said twice".to_owned(),
        help: format!(
            "leave `process` out: each task of `{module}` is in each process that [module.{module}] names"
        )
        .into(),
    }
}

/// The modules with replicas, in the order of the text.
pub(super) fn replicas(file: &Section<'_>, processes: &[String], reporter: &mut Reporter) -> Vec<Replicas> {
    let entries = file.entries(TABLE, reporter);
    entries.iter().filter_map(|entry| of_module(entry, processes, reporter)).collect()
}

fn of_module(entry: &Entry<'_>, processes: &[String], reporter: &mut Reporter) -> Option<Replicas> {
    let section = entry.open(TABLE, 1, KEYS, reporter)?;
    let named = section.texts(KEY, reporter);
    let Some(place) = section.place_of(KEY) else {
        section.missing(&format!("`{KEY}`"), HELP, reporter);
        return None;
    };
    let known: Vec<&str> = processes.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for name in named {
        match known.iter().position(|known| *known == name.value) {
            Some(index) => found.push(Placed::new(ProcessId(u8::try_from(index).ok()?), name.place)),
            None => {
                reporter.unknown("process", &name, &known);
                return None;
            }
        }
    }
    if found.len() < FEWEST || found.len() > MOST || found.len() % 2 == 0 {
        reporter.report(Problem {
            code: code::RANGE,
            place,
            message: match found.len() {
                few if few < FEWEST => format!("of {few} replicas no majority is right if one is wrong"),
                many if many > MOST => format!("{many} replicas are more than {MOST}"),
                even => format!(
                    "{even} replicas may be divided into two halves, and bear no more wrong ones than {}",
                    even - 1
                ),
            },
            label: format!("{FEWEST}, 5 or {MOST} processes"),
            help: HELP.into(),
        });
        return None;
    }
    Some(Replicas { module: entry.name.clone(), processes: found })
}

/// Another function is a replica's.
fn check_functions(parts: &Parts, reporter: &mut Reporter) {
    let name =
        |process: &Placed<ProcessId>| parts.processes.get(process.value.index()).map(|row| row.name.as_str());
    let all = parts
        .replicas
        .iter()
        .flat_map(|own| own.processes.iter().filter_map(|process| Some(own.name(name(process)?))));
    let all: Vec<_> = all.collect();
    for task in &parts.tasks {
        let Some(function) = task
            .function
            .as_ref()
            .filter(|_| task.module.as_ref().is_none_or(|module| !all.contains(module)))
        else {
            continue;
        };
        reporter.report(Problem {
            code: code::CONFLICT,
            place: function.place,
            message: format!(
                "task `{}` isn't a replica's, so the timing program says which function it has",
                task.name.value
            ),
            label: "another function".to_owned(),
            help: "leave it out, and write it behind `uses` in the timing program".into(),
        });
    }
}

/// Whatever breaks, breaks one replica: they are on machines of their own. And nobody else is called as one of them is.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    check_functions(parts, reporter);
    for Replicas { module, processes } in &parts.replicas {
        let row = |process: &Placed<ProcessId>| parts.processes.get(process.value.index());
        let machine = |process| Some(parts.nodes.get(row(process)?.node?.value)?.machine);
        if parts.nodes.is_empty() {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: module.place,
                message: "replicas are on machines of their own, and this system has one machine".to_owned(),
                label: "a module with replicas".to_owned(),
                help: "add [node.NAME] for each and a [bus], or leave the replicas out".into(),
            });
            continue;
        }
        for (index, process) in processes.iter().enumerate() {
            let before = processes.iter().take(index);
            let Some(first) =
                before.clone().find(|other| machine(*other).is_some() && machine(*other) == machine(process))
            else {
                continue;
            };
            let name = |process| row(process).map(|row| row.name.as_str()).unwrap_or_default();
            let message = match first.value == process.value {
                true => format!(
                    "a process has one replica of `{}`, and `{}` is named twice",
                    module.value,
                    name(process)
                ),
                false => format!(
                    "`{}` and `{}` are on one machine: what breaks it breaks two replicas of `{}`",
                    name(first),
                    name(process),
                    module.value
                ),
            };
            let problem = Problem {
                code: code::CONFLICT,
                place: process.place,
                message,
                label: "on the same machine".to_owned(),
                help: HELP.into(),
            };
            reporter.report_with(problem, first.place, "the first of them");
        }
        for process in processes.iter().filter_map(row) {
            let name = called(module, &process.name);
            if !is_name(&name) {
                reporter.report(Problem {
                    code: code::NAME,
                    place: process.name.place,
                    message: format!(
                        "the replica of `{}` here would be called `{name}`, which is too long",
                        module.value
                    ),
                    label: "with this name behind the module's".to_owned(),
                    help: "take a shorter name for the process".into(),
                });
            }
        }
    }
}
