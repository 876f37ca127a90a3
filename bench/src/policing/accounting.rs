//! What accounting costs a switch: a yield in kernels with budgets, beside one without.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;

use super::amounts::time;
use crate::counted;
use crate::generated::project;
use crate::row::Row;
use crate::systems::{BENCH, load};

/// The bench.
pub const NAMES: &[&str] = &[SWITCH];
pub const SWITCH: &str = "policing/switch";
/// The kernel without the part.
pub const WITHOUT: &str = "no budgets in the kernel";
/// Kernels with it, and what may be added by the aims.
pub const CASES: [(&str, Option<u64>); 6] = [
    ("neither thread has a budget", Some(0)),
    ("the alarm stays", Some(15)),
    ("the alarm moves each time", Some(35)),
    ("sporadic budgets, the alarm stays", None),
    ("polling budgets, the alarm stays", None),
    ("both share a budget, the alarm stays", None),
];
/// Both threads that yield.
const SAME: [&str; 2] = ["thread.same_one", "thread.same_other"];
/// Of the measured yield.
const YIELD: &str = "yield/same-process";

/// Measures each case, and the kernel without the part; briefly none of them, since `bench/tests/budgets.rs` does.
///
/// # Errors
/// Those of building and running the systems.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    if is_brief {
        return Ok(Vec::new());
    }
    let mut rows = vec![yielding(&load(BENCH)?, workshop, WITHOUT)?];
    for (number, (case, _)) in CASES.into_iter().enumerate() {
        let system = with_lines(workshop, number).with_context(|| case)?;
        rows.push(yielding(&system, workshop, case)?);
    }
    Ok(rows)
}

fn yielding(project: &Project, workshop: &Workshop, case: &str) -> Result<Row> {
    let rows = counted::rows_of(project, workshop)?;
    let row = rows.into_iter().find(|row| row.bench == YIELD).context("nobody yielded")?;
    Ok(Row { bench: SWITCH.to_owned(), case: case.to_owned(), ..row })
}

/// The measured system under another name, with more lines in its description.
fn with_lines(workshop: &Workshop, number: usize) -> Result<Project> {
    let folder = root().join(BENCH).join("beryl.toml");
    let text = fs::read_to_string(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let name = format!("bench_switch_{number}");
    project(workshop, &name, &described(&text, &name, number)?)
}

fn described(text: &str, name: &str, number: usize) -> Result<String> {
    // The released task's period is 20,000 instructions, in which each of both runs for about half of the time.
    let own = |budget: u64, every: u64| {
        format!("budget = {:?}\nevery = {:?}\non_overrun = \"tell\"\n", time(budget), time(every))
    };
    let long = own(9_000_000, 10_000_000);
    let lowered = |policy: &str| format!("{}policy = {policy:?}\n", long.replace("\"tell\"", "\"lower\""));
    let mut end = String::new();
    let (threads, lines) = match number {
        0 => (&["thread.releases"][..], own(1000, 10_000_000)),
        1 => (&SAME[..], long),
        2 => (&SAME[..], own(13_000, 20_000)),
        3 => (&SAME[..], lowered("sporadic")),
        4 => (&SAME[..], lowered("polling")),
        _ => {
            end = format!("\n[group.pair]\n{long}");
            (&SAME[..], "group = \"pair\"\n".to_owned())
        }
    };
    let mut text = text
        .replace("name = \"bench\"", &format!("name = {name:?}"))
        .replace("\"bench.tdl\"", "\"{bench}/system/bench.tdl\"")
        .replace("\"../app\"", "\"{bench}/app\"");
    for thread in threads {
        let head = format!("[{thread}]\n");
        ensure!(text.contains(&head), "{BENCH} has no {thread}");
        text = text.replace(&head, &format!("{head}{lines}"));
    }
    Ok(text + &end)
}
