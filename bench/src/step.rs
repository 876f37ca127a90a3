//! The longest step: a bound from the machine code, and the longest that was seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use beryl_builder::assembly::Policy;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, image};
use beryl_path::{Report, Request, forbidden_symbols, longest_step};

use crate::observed;
use crate::row::{Figures, Row, Unit};
use crate::systems::{HELICOPTER, load};

/// What is measured here.
pub const NAMES: &[&str] = &["kernel/step"];

/// The case of the bound.
pub const STATIC: &str = "static bound, helicopter";
/// The case of the bound with trace triggers on.
const TRACED: &str = "static bound, helicopter, traced";
/// The case of what was seen.
const OBSERVED: &str = "observed, helicopter";

/// Exception handlers of the port. The others share their addresses, or end in the kernel's last words.
const ENTRIES: [&str; 3] = ["SVCall", "DefaultHandler", "PendSV"];

/// What trace triggers call when they are on.
const TRIGGERED: &str = "handle::Step<S,M>::tell";
/// The end of an emulated run, which is no step.
const END: &str = "recorder::Recorder::finish";

/// Routines without a source that the compiler calls for whole objects. The only one that a step fills or
/// copies is a thread's first frame, of so many bytes; a smaller unit takes fewer rounds.
const LIBRARY: [&str; 4] = ["__aeabi_memclr", "__aeabi_memclr4", "__aeabi_memclr8", "memset"];
const FRAME: u64 = 32;

/// Builds the helicopter's kernel, bounds its steps, and compares with those of a run.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let project = load(HELICOPTER)?;
    let built = image::build(&project, workshop, |_| ())?;
    let elf = fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
    let report = longest_step(&elf, &request(&project, &elf, &[TRIGGERED, END])?)?;
    let traced = longest_step(&elf, &request(&project, &elf, &[END])?)?;
    let paths = workshop.folder(HELICOPTER).join("longest-step.txt");
    replace(&paths, report.to_string().as_bytes())?;
    show(&report, &paths);
    let steps = observed::steps(&project, &built, workshop, &elf, &report.boundaries, &ENTRIES)?;
    let figures = Figures::of(&steps).context("no step was seen")?;
    believe(report.longest, &figures)?;
    let assumed = beryl_builder::proof::longest_step(&project.assembly);
    ensure!(
        report.longest <= assumed,
        "the longest step has {} instructions, the analysis counts on {assumed}: its proofs are wrong",
        report.longest
    );
    let row = |case, figures| Row { bench: "kernel/step", case, unit: Unit::Instructions, figures };
    let [bound, traced] = [report.longest, traced.longest].map(Figures::single);
    Ok(vec![row(STATIC, bound), row(TRACED, traced), row(OBSERVED, figures)])
}

/// A step that was seen can't be longer than all steps can be.
fn believe(bound: u64, seen: &Figures) -> Result<()> {
    ensure!(
        seen.max <= bound,
        "a step of {} instructions was seen, longer than the bound of {bound}: the bound is wrong",
        seen.max
    );
    Ok(())
}

/// What to bound, without paths into `excluded`.
fn request(project: &Project, elf: &[u8], excluded: &[&str]) -> Result<Request> {
    Ok(Request {
        entries: ENTRIES.map(str::to_owned).to_vec(),
        bounds: bounds(project),
        symbol_bounds: LIBRARY.map(|name| (name.to_owned(), FRAME)).into_iter().collect(),
        indirect: BTreeMap::new(),
        excluded: forbidden_symbols(elf, excluded)?,
        source_root: root(),
    })
}

/// What the names in the kernel's bounds stand for in a system: see the generated tables.
fn bounds(project: &Project) -> BTreeMap<String, u64> {
    let assembly = &project.assembly;
    let rows = |count: usize| u64::try_from(count).map_or(u64::MAX, u64::next_power_of_two);
    let leaves = assembly.bands.iter().filter_map(|band| match band.policy {
        Policy::Dynamic { leaves, .. } => Some(u64::from(leaves)),
        Policy::Fixed => None,
    });
    let triggers = rows(assembly.modules.len()).max(2);
    let slots = leaves.fold(triggers, u64::max);
    let words = assembly.drivers.iter().map(|driver| u64::from(driver.length).div_ceil(4)).max();
    let bounds = [
        ("LEVELS", slots.ilog2().into()),
        ("SLOTS", slots),
        ("THREADS", rows(assembly.threads.len())),
        ("PROCESSES", rows(assembly.processes.len())),
        ("WORDS", words.unwrap_or_default()),
    ];
    bounds.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

/// Says how long the steps of each handler are, and where their paths stand.
fn show(report: &Report, paths: &Path) {
    for step in &report.steps {
        eprintln!("{}: at most {} instructions, {}", step.entry, step.instructions, step.span);
    }
    eprintln!("their longest paths: {}", paths.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_below_a_step_that_was_seen_is_refused() {
        let seen = Figures { n: 3, min: 10, median: 20, max: 300 };
        assert!(believe(300, &seen).is_ok());
        let error = believe(299, &seen).expect_err("it is too low").to_string();
        assert!(error.contains("300") && error.contains("299"), "{error}");
    }
}
