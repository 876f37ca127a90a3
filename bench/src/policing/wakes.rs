//! What it takes to wake a thread by its timer, without a budget and by each policy: what was used is put down, or lost, or a
//! deadline is chosen.

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use super::amounts::instant;
use super::entries::{Begin, entries};
use super::returns::{BANDWIDTH, FUNCTIONS, POLICIES};
use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::step::Kernel;

/// The bench.
pub const NAMES: &[&str] = &[WAKE];
pub const WAKE: &str = "policing/wake";
/// Kernels without budgets, in a fixed band and in a dynamic one.
pub const WITHOUT: [&str; 2] = ["no budget, fixed band", "no budget, dynamic band"];

/// Where a wait ends by its timer.
const TIMED_OUT: &str = "::time_out";
/// How long each system runs, in instructions.
const RUN: u64 = 200_000;

/// Measures each policy; briefly none.
///
/// # Errors
/// Those of building and running the systems, or if nobody woke.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    if is_brief {
        return Ok(Vec::new());
    }
    WITHOUT.into_iter().chain(POLICIES).chain([BANDWIDTH]).map(|case| of(workshop, case)).collect()
}

fn of(workshop: &Workshop, case: &str) -> Result<Row> {
    let name = format!("bench_wakes_{}", case.replace([' ', ',', '-'], "_"));
    let system = project(workshop, &name, &description(&name, case))?;
    let kernel = Kernel::of(system, workshop).with_context(|| case.to_owned())?;
    // An end of a wait, and nothing of a budget besides.
    let functions = [TIMED_OUT, FUNCTIONS[0], FUNCTIONS[1]];
    let found = entries(&kernel, workshop, &functions, instant(RUN)).with_context(|| case.to_owned())?;
    let found = found.iter().filter(|entry| entry.begin == Begin::Interrupt && entry.came_to == [1, 0, 0]);
    let woken: Vec<_> = found.map(|entry| entry.instructions).collect();
    ensure!(!woken.is_empty(), "{case}: nobody woke");
    Row::instructions(WAKE, case, &woken)
}

fn description(name: &str, case: &str) -> String {
    let is_dynamic = [BANDWIDTH, WITHOUT[1]].contains(&case);
    let budget = "budget = \"20ms\"\nevery = \"40ms\"\n";
    let more = match case {
        _ if case == WITHOUT[0] => "priority = 5\n".to_owned(),
        _ if case == WITHOUT[1] => "deadline = \"40ms\"\n".to_owned(),
        BANDWIDTH => format!("{budget}policy = {case:?}\n"),
        _ => format!("priority = 5\n{budget}policy = {case:?}\n"),
    };
    let servers = if is_dynamic { "dynamic" } else { "fixed" };
    head(name, "64k")
        + &band("servers", servers)
        + &band("rest", "fixed")
        + &thread("server", "servers", "wake_often", "256", &more)
        + &thread("rest", "rest", "spin", "256", "priority = 0\n")
}
