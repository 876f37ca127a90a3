//! The longest step: a bound from the machine code, and the longest that was seen.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_builder::assembly::Policy;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, image};
use beryl_path::{Report, Request, forbidden_symbols, longest_step};

use crate::observed;
use crate::row::{Figures, Row, Unit};
use crate::systems::{HELICOPTER, load};

/// What is measured here.
pub const NAMES: &[&str] = &["kernel/step"];

/// The case of the bound.
pub const STATIC: &str = "static bound, helicopter";
/// The case of what was seen.
const OBSERVED: &str = "observed, helicopter";

/// Exception handlers of the port. The others share their addresses, or end in the kernel's last words.
const ENTRIES: [&str; 3] = ["SVCall", "DefaultHandler", "PendSV"];

/// Functions that don't run in what is bounded: trace triggers when they are off, and the end of an
/// emulated run.
const EXCLUDED: [&str; 2] = ["handle::Step<S,M>::tell", "recorder::Recorder::finish"];

/// Builds the helicopter's kernel, bounds its steps, and compares with those of a run.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let project = load(HELICOPTER)?;
    let built = image::build(&project, workshop, |_| ())?;
    let elf = fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
    let report = longest_step(&elf, &request(&project, &elf)?)?;
    show(&report);
    let steps = observed::steps(&project, &built, workshop, &elf, &report.boundaries, &ENTRIES)?;
    let figures = Figures::of(&steps).context("no step was seen")?;
    ensure!(
        figures.max <= report.longest,
        "a step of {} instructions was seen, longer than the bound of {}: the bound is wrong",
        figures.max,
        report.longest
    );
    let row = |case, figures| Row { bench: "kernel/step", case, unit: Unit::Instructions, figures };
    Ok(vec![row(STATIC, Figures::single(report.longest)), row(OBSERVED, figures)])
}

fn request(project: &Project, elf: &[u8]) -> Result<Request> {
    Ok(Request {
        entries: ENTRIES.map(str::to_owned).to_vec(),
        bounds: bounds(project),
        symbol_bounds: BTreeMap::new(),
        indirect: BTreeMap::new(),
        excluded: forbidden_symbols(elf, &EXCLUDED)?,
        source_root: root(),
    })
}

/// What the names in the kernel's bounds stand for in a system: see the generated tables.
fn bounds(project: &Project) -> BTreeMap<String, u64> {
    let assembly = &project.assembly;
    let leaves = assembly.bands.iter().filter_map(|band| match band.policy {
        Policy::Dynamic { leaves, .. } => Some(usize::from(leaves)),
        Policy::Fixed { .. } => None,
    });
    let triggers = assembly.modules.len().next_power_of_two().max(2);
    let slots = leaves.chain([triggers]).max().unwrap_or(triggers);
    let words = assembly.drivers.iter().map(|driver| u64::from(driver.length).div_ceil(4)).max();
    let bounds = [
        ("LEVELS", u64::from(slots.ilog2())),
        ("SLOTS", slots as u64),
        ("THREADS", assembly.threads.len().next_power_of_two() as u64),
        ("PROCESSES", assembly.processes.len().next_power_of_two() as u64),
        ("WORDS", words.unwrap_or_default()),
    ];
    bounds.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

/// Says where the longest step of each handler goes, as far as the longest part.
fn show(report: &Report) {
    for step in &report.steps {
        eprintln!("{}: at most {} instructions, {}", step.entry, step.instructions, step.span);
    }
}
