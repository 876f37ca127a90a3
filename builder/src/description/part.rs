//! The part of a description that is about one node: as if its processes, and what they use, were all that there is.
//!
//! Tables that are about something on another node are taken out before the text is read, so what is left is read, and
//! complained about, as in a description without nodes: at its place in the whole text.

use std::collections::BTreeSet;

use beryl_abi::ProcessId;
use toml::de::{DeTable, DeValue};

use super::doorbells::Sides;
use super::kinds::KINDS;
use super::{Driver, Group, Objects, Placed, Process, Task, Thread, Use};

/// The tables of a whole description.
pub(super) struct Whole<'a> {
    pub(super) processes: &'a [Process],
    pub(super) groups: &'a [Group],
    pub(super) tasks: &'a [Task],
    pub(super) drivers: &'a [Driver],
    pub(super) threads: &'a [Thread],
    pub(super) objects: &'a Objects,
}

/// What is kept.
pub(super) struct Part {
    /// Names of processes, tasks, drivers, threads, groups and objects, each behind the table that they stand in.
    kept: BTreeSet<(&'static str, String)>,
    /// What each doorbell is here.
    pub(super) sides: Sides,
}

/// The tables of which only some rows are about a node.
const OF_PROCESSES: [&str; 4] = ["process", "task", "driver", "thread"];

impl Part {
    /// What is kept of a whole description for a node; `triggers` are the interrupts that release tasks there.
    pub(super) fn of(whole: &Whole<'_>, node: usize, triggers: &BTreeSet<String>, sides: Sides) -> Part {
        let mut kept = BTreeSet::new();
        let here = |process: ProcessId| {
            whole.processes.get(process.index()).is_some_and(|process| process.is_on(node))
        };
        let mut keep = |table: &'static str, name: &str| _ = kept.insert((table, name.to_owned()));
        for process in whole.processes.iter().filter(|process| process.is_on(node)) {
            keep("process", &process.name);
        }
        for task in whole.tasks.iter().filter(|task| here(task.process.value)) {
            match &task.module {
                Some(module) => keep("task", &format!("{module}.{}", task.name.value)),
                None => keep("task", &task.name),
            }
        }
        for driver in whole.drivers.iter().filter(|driver| here(driver.process.value)) {
            keep("driver", &driver.name);
        }
        for thread in whole.threads.iter().filter(|thread| here(thread.process.value)) {
            keep("thread", &thread.name);
            let group = thread.group.and_then(|group| whole.groups.get(group.value));
            group.into_iter().for_each(|group| keep("group", &group.name));
        }
        let used = Used::on(whole, &here);
        for kind in &KINDS {
            for (index, name) in (kind.names)(whole.objects).into_iter().enumerate() {
                if used.has(kind.roles.iter().map(|(_, make)| make(index))) || triggers.contains(&name.value)
                {
                    keep(kind.table, name);
                }
            }
        }
        sides.keys().for_each(|bell| keep("doorbell", bell));
        Part { kept, sides }
    }

    /// Takes out of the tables of the file what isn't kept.
    pub(super) fn cut(&self, file: &mut DeTable<'_>) {
        // Each replica has its own tables by now.
        file.remove(super::replicas::TABLE);
        if !self.has_process_of("cmsis", file) && file.remove("cmsis").is_some() {
            // Files in C that only the pools' threads begin in are none of this node's.
            let has = |table: &str, key: &str| {
                file.get(table)
                    .and_then(|rows| rows.get_ref().as_table())
                    .is_some_and(|rows| rows.contains_key(key))
            };
            if has("system", "application") && !has("c", "functions") {
                file.remove("c");
            }
        }
        let objects = KINDS.iter().map(|kind| kind.table).filter(|table| !OF_PROCESSES.contains(table));
        for table in OF_PROCESSES.into_iter().chain(["group", "doorbell"]).chain(objects) {
            let is_kept = |name: &str| self.kept.contains(&(table, name.to_owned()));
            if table == "trace" && !is_kept("trace") {
                file.remove(table);
                continue;
            }
            if let Some(DeValue::Table(rows)) = file.get_mut(table).map(|rows| rows.get_mut()) {
                let gone: Vec<String> = rows
                    .keys()
                    .map(|name| name.get_ref().to_string())
                    .filter(|name| table != "trace" && !is_kept(name))
                    .collect();
                for name in gone {
                    rows.remove(name.as_str());
                }
            }
        }
    }
}

impl Part {
    /// Whether the process is kept that a table names as its own.
    fn has_process_of(&self, table: &str, file: &DeTable<'_>) -> bool {
        let rows = file.get(table).and_then(|rows| rows.get_ref().as_table());
        let process = rows.and_then(|rows| rows.get("process")?.get_ref().as_str());
        process.is_some_and(|process| self.kept.contains(&("process", process.to_owned())))
    }
}

/// What the threads and tasks of a node use.
struct Used(Vec<Use>);

impl Used {
    fn on(whole: &Whole<'_>, here: &dyn Fn(ProcessId) -> bool) -> Used {
        let tasks = whole.tasks.iter().map(|task| (task.process.value, &task.uses));
        let threads = whole.threads.iter().map(|thread| (thread.process.value, &thread.uses));
        let rows = tasks.chain(threads).filter(|(process, _)| here(*process));
        Used(rows.flat_map(|(_, uses)| uses.iter().map(|Placed { value, .. }| *value)).collect())
    }

    fn has(&self, mut any: impl Iterator<Item = Use>) -> bool {
        any.any(|used| self.0.contains(&used))
    }
}
