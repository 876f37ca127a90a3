//! On the board: drawn systems are built into images and run on the emulated board, or on another one. Each step of the kernel,
//! from its entry or a check for pending work to the next, is compared with the proof's charge for its kind.

pub mod application;
pub mod charged;
#[cfg(test)]
pub mod large;
pub mod sections;
pub mod shared;
pub mod tally;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use beryl_abi::Instant;
use beryl_bench::events::Event;
use beryl_bench::kinds::Bound;
use beryl_bench::observed::Seen;
use beryl_bench::step::Kernel;
use beryl_builder::board::Board;
use beryl_builder::proof;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};

use crate::summary::Broken;
use crate::trial::{self, promised};
use crate::written::{Kind as Drawn, Written, draw};
use charged::{Charged, Kind};
use tally::Tally;

/// The length of runs, in nanoseconds: a hyperperiod of 40 ms.
const LENGTH: u64 = 40_000_000;

/// When the run of a system ends.
fn end(project: &Project) -> Instant {
    Instant::from_ticks(LENGTH / u64::from(project.tick().max(1)))
}

/// Runs this many systems from a seed on, on their own board or another one, adding to a tally that may already have some, and reports each.
pub fn board(from: u64, count: u64, on: Option<&'static Board>, resumes: bool) -> Result<Tally> {
    let path = root().join(format!("target/campaign/{}-{from}.json", on.map_or("board", |board| board.name)));
    let mut tally = Tally { first: from, ..Tally::default() };
    if resumes && path.exists() {
        let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        tally = serde_json::from_str(&text)
            .with_context(|| format!("{} isn't left by a campaign", path.display()))?;
    }
    let _alone = alone(NAME)?;
    while tally.seeds < count {
        tally.add(one(from.saturating_add(tally.seeds), on)?);
        replace(&path, serde_json::to_string(&tally)?.as_bytes())?;
        eprintln!("{}", tally.words());
    }
    Ok(tally)
}

/// The system of one seed.
pub fn one(seed: u64, on: Option<&'static Board>) -> Result<Tally> {
    let mut tally = Tally { first: seed, seeds: 1, ..Tally::default() };
    let Some(kernel) = built(seed, on)? else {
        tally.refused = 1;
        return Ok(tally);
    };
    let trial = Trial::of(seed, &kernel)?;
    tally.run = 1;
    trial.hold(&Charged::of(&kernel.project), &mut tally);
    Ok(tally)
}

/// The system of a seed with its image; `None` if it isn't proved, or has no schedule, here or on the other board.
pub fn built(seed: u64, on: Option<&'static Board>) -> Result<Option<Kernel>> {
    let written = draw(seed, Drawn::Board);
    let is_promised = |project: &Project| promised(project).is_ok();
    if !trial::project(&written).is_ok_and(|project| is_promised(&project)) {
        return Ok(None);
    }
    let project = match project(written, on) {
        // What there is a schedule for here may have none there.
        Err(_) if on.is_some() => return Ok(None),
        project => project.with_context(|| format!("seed {seed}"))?,
    };
    if !is_promised(&project) {
        return Ok(None);
    }
    image(project).with_context(|| format!("seed {seed}")).map(Some)
}

/// A system with its image.
pub fn kernel(written: Written, on: Option<&'static Board>) -> Result<Kernel> {
    image(project(written, on)?)
}

fn image(project: Project) -> Result<Kernel> {
    let source = application::application(&project);
    replace(&folder().join("app/src/lib.rs"), source.as_bytes())?;
    Kernel::of(project, &workshop())
}

/// A system's image, and the steps of its run.
pub struct Trial {
    seed: u64,
    /// The observed steps with their kinds, and the bound for each step's beginning.
    steps: Vec<(Kind, Seen, u64)>,
    /// The bounds of the image's steps, by kind, with the proof's charges.
    bounds: Vec<(Bound, u64)>,
}

impl Trial {
    /// Runs a system.
    pub fn of(seed: u64, kernel: &Kernel) -> Result<Trial> {
        let project = &kernel.project;
        let bounds = kernel.bounds().with_context(|| format!("seed {seed}"))?;
        let by_kind =
            kernel.kinds(&bounds, &kernel.not_in_a_run()).with_context(|| format!("seed {seed}"))?;
        // For finding out which step it is.
        replace(&workshop().folder(NAME).join("longest-step.txt"), bounds.to_string().as_bytes())?;
        let seen =
            kernel.steps(&workshop(), &bounds, end(project)).with_context(|| format!("seed {seed}"))?;
        ensure!(!seen.is_empty(), "seed {seed}: no step was seen");
        let known = |seen: Seen| {
            let kind = Kind::of(&seen, project);
            let bound = Event::bound(&bounds, seen.begin, project);
            (kind, seen, bound)
        };
        let steps = seen.into_iter().map(known).collect();
        let with_charge = |bound: Bound| {
            let charge = bound.kind.charged(&project.assembly, kernel.processor());
            (bound, charge)
        };
        Ok(Trial { seed, steps, bounds: by_kind.into_iter().map(with_charge).collect() })
    }

    /// Compares the bounds of steps, and the observed steps, with their charges.
    pub fn hold(&self, charged: &Charged, tally: &mut Tally) {
        let seed = self.seed;
        let mut broken = Vec::new();
        for (Bound { kind, of, instructions }, counted) in &self.bounds {
            // If threads share nothing, no call is charged more than a step of a job; calls about objects are
            // in the kernel anyway.
            let charge = if *kind == proof::Kind::Call { *counted } else { charged.of_kind(*kind) };
            if *instructions > charge {
                broken.push(format!(
                    "bound of {}: {of} can have {instructions} instructions, {charge} are charged",
                    kind.name()
                ));
            }
            tally.bound_of(seed, *kind, *instructions, charge);
        }
        for (kind, Seen { instructions, begin, .. }, bound) in &self.steps {
            let (what, charge) = (kind.name(), charged.instructions(*kind));
            if *instructions > charge {
                broken
                    .push(format!("{what} ({begin:?}) of {instructions} instructions, {charge} are charged"));
            }
            if instructions > bound {
                broken.push(format!(
                    "{what} ({begin:?}) of {instructions} instructions, its image has a bound of {bound}"
                ));
            }
            tally.note(seed, *kind, *instructions, charge);
        }
        tally.broken.extend(broken.into_iter().map(|said| Broken { seed, run: 0, said }));
    }
}

/// Locks the files with this name until the result is dropped.
pub fn alone(name: &str) -> Result<fs::File> {
    let folder = root().join("target/campaign");
    fs::create_dir_all(&folder)?;
    let file = fs::File::create(folder.join(format!("{name}.lock")))?;
    file.lock()?;
    Ok(file)
}

/// The other board on which they can run.
pub const ELSEWHERE: &str = "virt";
/// What stands in there for the device that interrupts.
const STANDS_IN: &str = "\n[on.virt]\ndevices = { dualtimer = \"rtc\" }\n";

/// Writes a system to files and loads it like any other, for a board.
fn project(written: Written, on: Option<&'static Board>) -> Result<Project> {
    let folder = folder();
    let user = root().join("user");
    let conformance = root().join("conformance/app");
    let manifest = format!(
        "# Written by the campaign; changes are lost.\n[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[dependencies]\nbase = {{ package = \"beryl-user\", path = {user:?} }}\nconformance = {{ path = {conformance:?} }}\n"
    )
    .replace("base", "beryl-user");
    replace(&folder.join("app/Cargo.toml"), manifest.as_bytes())?;
    let files = [("beryl.toml", written.description + STANDS_IN), ("drawn.tdl", written.timing)];
    for (name, text) in files {
        replace(&folder.join(name), text.as_bytes())?;
    }
    Project::load(&folder, Variant { board: on, ..Variant::default() }).map_err(|wrong| anyhow!("{wrong:?}"))
}

/// The name of drawn systems.
pub const NAME: &str = "drawn";

fn folder() -> PathBuf {
    workshop().folder(NAME).join("system")
}

/// Code compiled once serves all later systems.
fn workshop() -> Workshop {
    Workshop::new(&root().join("target/campaign"))
}
