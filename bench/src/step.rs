//! The longest step: a bound from the machine code, and the longest observed one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use beryl_abi::{CallNumber, Instant};
use beryl_builder::board::{Board, Processor};
use beryl_builder::image::Built;
use beryl_builder::proof::Kind;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, image};
pub use beryl_path::Report;
use beryl_path::{Request, Step, forbidden_symbols, longest_step};

use crate::events::Event;
use crate::kinds::STOPPED;
use crate::observed::{self, Seen};
use crate::row::{Figures, Row};
use crate::systems::{self, HELICOPTER, OBJECTS, REPLACED, load};

/// The benches in this file.
pub const NAMES: &[&str] = &[STEP, BOUND];
/// The longest steps.
pub const STEP: &str = "kernel/step";
/// The longest step of each kind of event.
pub const BOUND: &str = "kernel/bound";

/// The case of the bound.
pub const STATIC: &str = "static bound, helicopter";
/// The case of the bound of a system with all kinds of objects.
pub const STATIC_OBJECTS: &str = "static bound, all kinds of objects";
/// The case of the bound with trace points on.
const TRACED: &str = "static bound, helicopter, traced";
/// The case of the bound with all trace points on, into a buffer.
const TOLD_OF: &str = "static bound, helicopter, told into a buffer";
/// The same for a system with objects.
const TOLD_OF_OBJECTS: &str = "static bound, threads and objects, told into a buffer";
/// The same for a system whose process has a journal.
const TOLD_OF_A_JOURNAL: &str = "static bound, a thread with a journal, told into a buffer";
/// The case of the observed steps.
pub const OBSERVED: &str = "observed, helicopter";

/// The functions that trace points call when they are on.
const TRIGGERED: &str = ">::tell";
/// Rounds that end with a check for pending work, so that each is a step of its own: their number doesn't
/// make any step longer. A loop without that check would be far longer.
const STEPS: u64 = 1_000_000;
/// Where a record leaves the kernel for the host's trace.
const TOLD: &str = "recorder::Collected<_,_>::put";
/// S code that waits for a release: no generated code does.
const EXPECTED: &str = "::tell_of_release";
/// Steps of checking a program, which have no bound.
const CHECK: &str = "::check_slot";
/// Exceptions: no accepted program raises one, as long as jobs take no longer than they may.
const EXCEPTION: &str = "::handler_for";
/// The cost of a miss: if there is one, no proof holds.
const MISS: &str = "::miss";
/// The cost of a job's overrun: then no proof holds, either.
const OVERRUN: &str = "::overrun";
/// The end of an emulated run, which isn't a step.
const END: &str = "board::Recorder>::finish";
/// Code that isn't in any counted step, if nothing listens.
const NEVER: [&str; 4] = [TRIGGERED, CHECK, EXCEPTION, END];

/// The calls by which a process arrives, is checked, and makes way for the one that was there before.
const REPLACING: [CallNumber; 3] = [CallNumber::SlotWrite, CallNumber::SlotCheck, CallNumber::SlotRollback];

/// Builds the helicopter's kernel for a board, bounds its steps, and compares them with those of a run; and bounds the calls by which a
/// process is replaced.
pub fn rows_on(board: &'static Board, workshop: &Workshop) -> Result<Vec<Row>> {
    let helicopter = Kernel::of(systems::load_for(HELICOPTER, Some(board))?, workshop)?;
    let replaced = Kernel::of(systems::load_for(REPLACED, Some(board))?, workshop)?;
    Ok([bounded_and_seen(&helicopter, workshop)?.into(), bounds_of_replacing(&replaced, workshop)?].concat())
}

/// Bounds the calls by which a process arrives and takes the place of another.
fn bounds_of_replacing(kernel: &Kernel, workshop: &Workshop) -> Result<Vec<Row>> {
    let report = kernel.bound(workshop)?;
    kernel.hold_kinds(&NEVER)?;
    let rows = REPLACING.map(|call| {
        let name = Event::Call(call).name();
        let step = report.step(&name).with_context(|| format!("nothing is bounded of {name}"))?;
        Row::instructions(BOUND, &format!("graft, {name}"), &[step.instructions])
    });
    rows.into_iter().collect()
}

fn bounded_and_seen(helicopter: &Kernel, workshop: &Workshop) -> Result<[Row; 2]> {
    let report = helicopter.bound(workshop)?;
    helicopter.hold_kinds(&NEVER)?;
    let steps = observed::steps(helicopter, workshop, &report.boundaries)?;
    let figures = Figures::of(&steps).context("no step was seen")?;
    believe(report.longest, &figures)?;
    Ok([Row::instructions(STEP, STATIC, &[report.longest])?, Row::instructions(STEP, OBSERVED, &steps)?])
}

/// The longest steps of the helicopter's kernel, bounded and seen, and bounds of the steps of the system with all kinds of
/// objects.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let helicopter = Kernel::build(HELICOPTER, workshop)?;
    let [bounded, seen] = bounded_and_seen(&helicopter, workshop)?;
    let traced = helicopter.bounded(&[END])?;
    let objects = Kernel::build(OBJECTS, workshop)?;
    objects.hold_kinds(&NEVER)?;
    let all = objects.bound(workshop)?;
    let told = Kernel::build(systems::DRAINED, workshop)?.bound_with_buffer()?;
    let told_of_objects = Kernel::build(systems::TELLING, workshop)?.bound_with_buffer()?;
    let told_of_a_journal = Kernel::build(systems::JOURNAL, workshop)?.bound_with_buffer()?;
    let row = |case, values: &[u64]| Row::instructions(STEP, case, values);
    let mut rows = vec![
        bounded,
        row(TRACED, &[traced.longest])?,
        row(TOLD_OF, &[told.longest])?,
        row(TOLD_OF_OBJECTS, &[told_of_objects.longest])?,
        row(TOLD_OF_A_JOURNAL, &[told_of_a_journal.longest])?,
        seen,
        row(STATIC_OBJECTS, &[all.longest])?,
    ];
    for step in &all.steps {
        rows.push(Row::instructions(
            BOUND,
            &format!("all kinds of objects, {}", step.entry),
            &[step.instructions],
        )?);
    }
    Ok(rows)
}

/// The kernel of a bound's case, and its longest step.
pub fn longest(workshop: &Workshop, case: &str) -> Result<(Kernel, Step)> {
    let folder = match case {
        STATIC => HELICOPTER,
        STATIC_OBJECTS => OBJECTS,
        _ => bail!("`{case}` is no bound of a kernel without telling"),
    };
    let kernel = Kernel::build(folder, workshop)?;
    let steps = kernel.bounded(&[TRIGGERED, END])?.steps;
    let longest = steps.into_iter().max_by_key(|step| step.instructions).context("there is no step")?;
    Ok((kernel, longest))
}

/// A system with its kernel.
pub struct Kernel {
    /// The system.
    pub project: Project,
    /// The build.
    pub built: Built,
    /// The kernel's file.
    pub elf: Vec<u8>,
}

impl Kernel {
    fn build(folder: &str, workshop: &Workshop) -> Result<Kernel> {
        Kernel::of(load(folder)?, workshop)
    }

    /// Builds a system.
    ///
    /// # Errors
    /// Those of the builder.
    pub fn of(project: Project, workshop: &Workshop) -> Result<Kernel> {
        let built = image::build(&project, workshop, |_| ())?;
        let elf = fs::read(&built.kernel).with_context(|| format!("reading {}", built.kernel.display()))?;
        Ok(Kernel { project, built, elf })
    }

    /// What the processor is that it is for.
    #[must_use]
    pub fn processor(&self) -> &'static Processor {
        self.project.description.board.board.value.processor
    }

    /// Bounds the steps with trace points off, writes their paths to a file, and checks the charges against
    /// them.
    fn bound(&self, workshop: &Workshop) -> Result<Report> {
        let report = self.bounded(&[TRIGGERED, END])?;
        let paths = workshop.folder(&self.project.assembly.name).join("longest-step.txt");
        replace(&paths, report.to_string().as_bytes())?;
        show(&report, &paths);
        let assumed = Kind::Call.charged(&self.project.assembly, self.processor());
        ensure!(
            report.longest <= assumed,
            "the longest step of {} has {} instructions, the analysis counts on {assumed}: its proofs are wrong",
            self.project.assembly.name,
            report.longest
        );
        Ok(report)
    }

    /// Bounds the steps that any system can take in a run without recording. Steps that check a program are
    /// excluded, and so are steps that no run reaches while the proof's assumptions hold.
    ///
    /// # Errors
    /// If a path has no bound.
    pub fn bounds(&self) -> Result<Report> {
        self.bounded(&self.not_in_a_run())
    }

    /// Code that no run without recording reaches while the proof's assumptions hold, and the steps of
    /// checking a program.
    #[must_use]
    pub fn not_in_a_run(&self) -> [&'static str; 6] {
        let told = if self.project.assembly.objects.trace.is_some() { TOLD } else { TRIGGERED };
        [told, CHECK, EXCEPTION, MISS, OVERRUN, END]
    }

    /// Bounds the steps of each kind of event, without those that reach `excluded`.
    pub(crate) fn bounded(&self, excluded: &[&str]) -> Result<Report> {
        let events = Event::of(&self.project);
        let entries = events.iter().map(|event| event.entry(&self.project)).collect();
        Ok(longest_step(&self.elf, &Request { entries, ..self.request(excluded)? })?)
    }

    /// The steps of a run of the system, from one check for pending work to the next, each with its
    /// beginning.
    ///
    /// # Errors
    /// If the run doesn't reach its end.
    pub fn steps(&self, workshop: &Workshop, report: &Report, end: Instant) -> Result<Vec<Seen>> {
        observed::seen(self, workshop, &report.boundaries, end)
    }

    /// Bounds the steps of a system with a slot, and checks the charges against them. Excluded are steps of
    /// checking, and code that no accepted program reaches. The reports are without recording, and while a
    /// period is recorded in the slot's room without telling the host.
    pub fn with_and_without_recording(&self) -> Result<[Report; 2]> {
        const KEEPING: [&str; 2] = [MISS, OVERRUN];
        let bound = |excluded: &[&str]| {
            self.hold_kinds(&[excluded, &KEEPING].concat())?;
            // What stops something was held to its own charge, and no instant does.
            let report = self.bounded(&[excluded, &[STOPPED]].concat())?;
            self.hold("the longest step", report.longest, Kind::Call.instructions(&self.project.assembly))?;
            Ok::<_, anyhow::Error>(report)
        };
        Ok([bound(&NEVER)?, bound(&[TOLD, EXPECTED, CHECK, EXCEPTION, END])?])
    }

    /// Bounds the steps of a system with a trace buffer and all trace points on, and checks the charges
    /// against them: the longest step, including jobs without a proof, and each kind.
    /// The bounds of its steps while all that happens is told into its buffer: none is longer than it is charged.
    ///
    /// # Errors
    /// If one is, or can't be bounded.
    pub fn bound_with_buffer(&self) -> Result<Report> {
        let report = self.bounded(&[TOLD, END])?;
        self.hold("the longest step", report.longest, Kind::Call.instructions(&self.project.assembly))?;
        self.hold_kinds(&self.not_in_a_run())?;
        Ok(report)
    }

    fn hold(&self, what: &str, bound: u64, assumed: u64) -> Result<()> {
        let name = &self.project.assembly.name;
        eprintln!("{name}: {what} has at most {bound} instructions, the analysis counts on {assumed}");
        ensure!(
            bound <= assumed,
            "{what} of {name} has {bound} instructions, the analysis counts on {assumed}: its proofs are wrong"
        );
        Ok(())
    }

    /// What to bound, without paths into `excluded`.
    pub(crate) fn request(&self, excluded: &[&str]) -> Result<Request> {
        Ok(Request {
            entries: Vec::new(),
            bounds: bounds(&self.project),
            // No step copies or fills a whole object by a routine of the library.
            symbol_bounds: BTreeMap::new(),
            indirect: BTreeMap::new(),
            excluded: forbidden_symbols(&self.elf, excluded)?,
            boundaries: Vec::new(),
            source_roots: vec![root()],
        })
    }
}

/// Whether a step begins with a call.
#[must_use]
pub fn is_call(step: &Step) -> bool {
    let number = CallNumber::ALL.iter().copied().map(Event::Call);
    number.chain([Event::UnknownCall]).any(|event| event.name() == step.entry)
}

/// Checks that an observed step isn't longer than the bound.
fn believe(bound: u64, seen: &Figures) -> Result<()> {
    ensure!(
        seen.max <= bound,
        "a step of {} instructions was seen, longer than the bound of {bound}: the bound is wrong",
        seen.max
    );
    Ok(())
}

/// The values of the names in the kernel's bounds for a system: see the generated tables.
fn bounds(project: &Project) -> BTreeMap<String, u64> {
    let assembly = &project.assembly;
    let limits = assembly.limits();
    let rows = |count: usize| u64::try_from(count).map_or(u64::MAX, u64::next_power_of_two);
    let words = assembly.drivers.iter().map(|driver| u64::from(driver.length).div_ceil(4)).max();
    let bounds = [
        ("LEVELS", limits.levels.into()),
        // A loop that ends within its round is entered once.
        ("LOOKS", limits.looks.max(1).into()),
        ("SLOTS", 1_u64.checked_shl(limits.levels).unwrap_or(u64::MAX)),
        ("LOCKS", limits.locks.into()),
        ("WAITERS", limits.waiters.into()),
        ("RAISED", limits.raised.into()),
        ("INTERRUPTS", limits.interrupts.into()),
        ("THREADS", rows(assembly.threads.len())),
        ("PROCESSES", rows(assembly.processes.len())),
        ("PROGRAMS", rows(assembly.programs().max(1))),
        // The builder's programs, and those that slots accept, have one trigger at a time.
        ("TRIGGERS", 1),
        ("SCHEDULES", u64::try_from(assembly.schedules().max(1)).unwrap_or(u64::MAX)),
        // A table isn't empty.
        (
            "WATCHES",
            u64::try_from(assembly.event_triggers()).map_or(u64::MAX, |count| count.saturating_add(1)),
        ),
        ("KEPT", u64::try_from(assembly.longest_port()).unwrap_or(u64::MAX)),
        ("DEPTHS", u64::try_from(assembly.sleeps.len()).unwrap_or(u64::MAX)),
        ("JOURNAL", assembly.largest_journal().into()),
        ("FOLLOWED", u64::try_from(assembly.followed().len()).unwrap_or(u64::MAX)),
        ("WRITTEN", u64::try_from(assembly.most_followed()).unwrap_or(u64::MAX)),
        ("WORDS", words.unwrap_or_default()),
        ("BEATS", u64::try_from(beryl_syscode::round::BEATS).unwrap_or(u64::MAX)),
        ("STEPS", STEPS),
    ];
    bounds.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

/// Prints how long the steps of each handler are, and where their paths are.
fn show(report: &Report, paths: &Path) {
    for step in &report.steps {
        eprintln!("{:28} {:5} instructions, {}", step.entry, step.instructions, step.span);
    }
    eprintln!("their longest paths: {}", paths.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_below_a_step_that_was_seen_is_refused() {
        let seen = Figures { n: 3, min: 10, median: 20, max: 300, sum: 330 };
        assert!(believe(300, &seen).is_ok());
        let error = believe(299, &seen).expect_err("it is too low").to_string();
        assert!(error.contains("300") && error.contains("299"), "{error}");
    }
}
