//! Bytes of each option: a kernel with it beside the same kernel without, for threads alone and with objects of all kinds.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_path::section_sizes;

use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::sizes::tables;
use crate::step::Kernel;
use crate::systems::OBJECTS;

/// The benches.
pub const NAMES: &[&str] = &[TEXT, RAM];
/// Code and constants without tables, and variables.
pub const TEXT: &str = "policing/text";
pub const RAM: &str = "policing/ram";

/// Systems that options are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Threads alone.
    Threads,
    /// With objects of all kinds.
    Objects,
}

impl Base {
    /// Both.
    pub const ALL: [Base; 2] = [Base::Threads, Base::Objects];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Base::Threads => "threads alone",
            Base::Objects => "all objects",
        }
    }
}

/// An option: its name, to which system it is added besides, and what is put where.
pub struct Choice {
    pub name: &'static str,
    /// What is there before, by its name.
    pub beside: Option<&'static str>,
    /// What of a description is replaced by what.
    edits: &'static [(&'static str, &'static str)],
    needs_objects: bool,
}

const SUPERVISED: (&str, &str) = (
    "[thread.job]\n",
    "[thread.hears]\nprocess = \"first\"\nband = \"threads\"\nentry = \"hear\"\nstack = \"512\"\npriority = 7\nseparation = \"1s\"\nworst = \"1ms\"\n\n[thread.spinner]\nprocess = \"first\"\nband = \"threads\"\nentry = \"spin_job\"\nstack = \"512\"\npriority = 4\nperiod = \"1s\"\nworst = \"1ms\"\ntells = \"hears\"\n\n[thread.job]\n",
);
const OWN: &str = "[thread.server]\nbudget = \"10ms\"\nevery = \"1s\"\n";

/// All options.
pub const CHOICES: [Choice; 20] = [
    choice("budgets of jobs", &[("[thread.job]\n", "[thread.job]\non_overrun = \"end-job\"\n")]),
    choice("budgets of jobs, with a fault", &[("[thread.job]\n", "[thread.job]\non_overrun = \"fault\"\n")]),
    choice("a deferrable budget", &[("[thread.server]\n", OWN)]),
    choice(
        "a deferrable budget that is waited for",
        &[(
            "[thread.server]\n",
            "[thread.server]\nbudget = \"10ms\"\nevery = \"1s\"\non_overrun = \"wait\"\n",
        )],
    ),
    choice(
        "a sporadic budget",
        &[(
            "[thread.server]\n",
            "[thread.server]\nbudget = \"10ms\"\nevery = \"1s\"\npolicy = \"sporadic\"\n",
        )],
    ),
    choice(
        "a polling budget",
        &[(
            "[thread.server]\n",
            "[thread.server]\nbudget = \"10ms\"\nevery = \"1s\"\npolicy = \"polling\"\n",
        )],
    ),
    choice(
        "constant bandwidth",
        &[("deadline = \"1s\"\n", "budget = \"10ms\"\nevery = \"1s\"\npolicy = \"constant-bandwidth\"\n")],
    ),
    choice(
        "a budget of a group",
        &[
            (
                "[thread.server]\n",
                "[group.both]\nbudget = \"10ms\"\nevery = \"1s\"\n\n[thread.server]\ngroup = \"both\"\n",
            ),
            ("[thread.job]\n", "[thread.job]\ngroup = \"both\"\n"),
        ],
    ),
    choice(
        "windows of partitions",
        &[
            ("\npolicy = ", "\npartition = \"all\"\npolicy = "),
            (
                "[thread.server]\n",
                "[partitions]\nframe = \"20ms\"\nwindows = [{ partition = \"all\", from = \"1ms\", until = \"19ms\" }]\n\n[thread.server]\n",
            ),
        ],
    ),
    choice("a job that never waits", &[("[thread.job]\n", "[thread.job]\nwaits = \"never\"\n")]),
    choice("refusals that are counted", &[("application = ", "refusals = \"counted\"\napplication = ")]),
    choice(
        "a process that begins anew",
        &[(
            "[process.other]\n",
            "[process.other]\non_fault = \"restart\"\nrestarts = { most = 3, within = \"1s\" }\n",
        )],
    ),
    choice("four crash records", &[("application = ", "crashes = 4\napplication = ")]),
    choice("a supervisor", &[SUPERVISED]),
    Choice {
        beside: Some("a supervisor"),
        ..choice("its watchdog", &[SUPERVISED, ("[thread.hears]\n", "[thread.hears]\nwatchdog = \"1s\"\n")])
    },
    with_objects(
        "a gate before a line",
        &[("[interrupt.tick]\n", "[interrupt.tick]\nseparation = \"1ms\"\n")],
    ),
    with_objects(
        "gates before objects, too",
        &[
            ("[interrupt.tick]\n", "[interrupt.tick]\nseparation = \"1ms\"\n"),
            ("[mailbox.short]\n", "[mailbox.short]\nseparation = \"1ms\"\nearly = \"queue\"\n"),
            ("[endpoint.near]\n", "[endpoint.near]\nseparation = \"1ms\"\nearly = \"queue\"\n"),
            ("[event_group.flags]\n", "[event_group.flags]\nseparation = \"1ms\"\nearly = \"coalesce\"\n"),
            ("[notification.there]\n", "[notification.there]\nseparation = \"1ms\"\nearly = \"coalesce\"\n"),
        ],
    ),
    with_objects(
        "limits of clients",
        &[
            ("[mailbox.short]\n", "[mailbox.short]\nlimits.first = { requests = 2, within = \"1s\" }\n"),
            ("[endpoint.near]\n", "[endpoint.near]\nlimits.first = { requests = 2, within = \"1s\" }\n"),
        ],
    ),
    with_objects(
        "sections that end",
        &[
            ("[lock.map]\n", "[lock.map]\nhold = \"1ms\"\n"),
            ("[thread.lock_user]\n", "[thread.lock_user]\non_hold = \"fault\"\n"),
        ],
    ),
    with_objects(
        "answers in time",
        &[
            ("[endpoint.near]\n", "[endpoint.near]\nhold = \"1ms\"\n"),
            ("[thread.near_server]\n", "[thread.near_server]\non_hold = \"fault\"\n"),
        ],
    ),
];

const fn choice(name: &'static str, edits: &'static [(&'static str, &'static str)]) -> Choice {
    Choice { name, beside: None, edits, needs_objects: false }
}

const fn with_objects(name: &'static str, edits: &'static [(&'static str, &'static str)]) -> Choice {
    Choice { needs_objects: true, ..choice(name, edits) }
}

/// The case of an option in a system.
pub fn case(choice: &str, base: Base) -> String {
    format!("{choice}, {}", base.name())
}

/// Whether a system has room for an option.
pub fn has(choice: &Choice, base: Base) -> bool {
    base == Base::Objects || !choice.needs_objects
}

/// Measures each option in each system; briefly none.
///
/// # Errors
/// Those of building the kernels, or if one is smaller with more.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    if is_brief {
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    for base in Base::ALL {
        let text = base_text(base)?;
        let mut all: Vec<(Option<&str>, [u64; 2])> =
            vec![(None, sizes(workshop, &name(base, None), &text, &[])?)];
        for (number, choice) in CHOICES.iter().enumerate().filter(|(_, choice)| has(choice, base)) {
            let with = sizes(workshop, &name(base, Some(number)), &text, choice.edits)
                .with_context(|| choice.name)?;
            let without = all.iter().find(|(name, _)| *name == choice.beside).context("no such kernel")?.1;
            let more = |place: usize| with[place].checked_sub(without[place]);
            let (text, ram) =
                more(0).zip(more(1)).with_context(|| format!("{} makes it smaller", choice.name))?;
            rows.push(Row::bytes(TEXT, &case(choice.name, base), text));
            rows.push(Row::bytes(RAM, &case(choice.name, base), ram));
            all.push((Some(choice.name), with));
        }
    }
    Ok(rows)
}

fn name(base: Base, number: Option<usize>) -> String {
    let number = number.map_or("none".to_owned(), |number| number.to_string());
    format!("bench_text_{}_{number}", base.name().replace(' ', "_"))
}

/// Bytes of a kernel's code and constants without tables, and of its variables.
fn sizes(workshop: &Workshop, name: &str, text: &str, edits: &[(&str, &str)]) -> Result<[u64; 2]> {
    let mut text = text.replace("{name}", name);
    for (from, to) in edits {
        ensure!(text.contains(from), "the description has no `{}`", from.trim());
        text = text.replace(from, to);
    }
    let kernel = Kernel::of(project(workshop, name, &text)?, workshop)?;
    let sizes = section_sizes(&kernel.elf)?;
    let code =
        sizes.text.checked_sub(tables(&kernel.elf)?).context("the tables are larger than the kernel")?;
    Ok([code, sizes.data + sizes.bss])
}

/// The description of a system without any option. Both have a job, and threads in a fixed and in a dynamic band.
fn base_text(base: Base) -> Result<String> {
    let both = "\n[process.other]\nmemory = \"64\"\n".to_owned()
        + &band("turns", "dynamic")
        + &thread("server", "threads", "spin", "256", "priority = 5\n").replace("\"only\"", "\"other\"")
        + &thread("job", "threads", "job", "256", "priority = 6\nperiod = \"1s\"\nworst = \"1ms\"\n")
        + &thread("turn", "turns", "spin", "256", "deadline = \"1s\"\n");
    let before = match base {
        Base::Threads => {
            head("{name}", "64k").replace("[process.only]", "[process.first]") + &band("threads", "fixed")
        }
        Base::Objects => {
            let path = root().join(OBJECTS).join("beryl.toml");
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            text.replace("name = \"bench_objects\"", "name = \"{name}\"")
                .replace("\"../app\"", "\"{bench}/app\"")
        }
    };
    Ok(before + &both.replace("\"only\"", "\"first\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_changes_what_is_there() {
        for base in Base::ALL {
            let base_text = base_text(base).expect("the system");
            for choice in CHOICES.iter().filter(|choice| has(choice, base)) {
                let mut text = base_text.clone();
                for (from, to) in choice.edits {
                    assert!(text.contains(from), "{}, {base:?}: {from}", choice.name);
                    text = text.replace(from, to);
                }
                assert!(text != base_text, "{}", choice.name);
            }
        }
    }
}
