//! What `beryl measure` counted: kept as a file, and shown beside what is declared and what the binary bounds.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use beryl_builder::Project;
use beryl_builder::measured::{Paths, Subject, fingerprint};
use beryl_builder::proof::Kind;
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::workshop::replace;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::console::Console;
use crate::files::{results, workshop};

/// The file among a system's results.
const FILE: &str = "measured.json";
/// How many paths of a job are shown, the longest first.
const SHOWN: usize = 8;
/// Steps of the kernel for a line that interrupts a driver.
const STEPS_OF_A_LINE: u64 = 4;

/// The jobs of some runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The system.
    system: String,
    /// The emulated board.
    board: String,
    /// What the code was made of.
    code: String,
    /// The runs.
    cases: Vec<Case>,
    /// Everything that has jobs.
    jobs: Vec<Jobs>,
}

/// A run that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The seed of its environment.
    pub plant_seed: u64,
    /// Its length.
    pub length_ns: u64,
    /// The recorded run that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl Case {
    /// Its length.
    pub fn length(&self) -> Nanoseconds {
        Nanoseconds::new(self.length_ns)
    }

    /// What it is.
    pub fn words(&self) -> String {
        match &self.of {
            Some(file) => format!("{} of {file}", self.length()),
            None => format!("{} with seed {}", self.length(), self.plant_seed),
        }
    }
}

/// What the jobs of a task, a thread or a driver took: instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Jobs {
    name: String,
    /// The paths that they took, the longest first.
    paths: Vec<Taken>,
    /// The longest that the binary allows, without what the kernel takes for calls.
    bounded: Option<u64>,
    /// Why it isn't known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unbounded: Option<String>,
}

/// A path that jobs took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Taken {
    path: String,
    instructions: u64,
    calls: u64,
    jobs: u64,
}

impl Jobs {
    fn new(project: &Project, (subject, paths, bound): (Subject, Paths, Result<u64, String>)) -> Jobs {
        let name = subject.name(project).to_owned();
        let mut paths: Vec<_> = paths
            .into_iter()
            .map(|(hash, way)| Taken {
                path: format!("{hash:016x}"),
                instructions: way.instructions,
                calls: way.calls,
                jobs: way.jobs,
            })
            .collect();
        paths.sort_by_key(|taken| std::cmp::Reverse(taken.instructions));
        Jobs { name, paths, bounded: bound.as_ref().ok().copied(), unbounded: bound.err() }
    }

    fn count(&self) -> u64 {
        self.paths.iter().map(|taken| taken.jobs).sum()
    }

    /// The least, the median (the lower of two) and the most instructions of a job.
    fn spread(&self) -> Option<[u64; 3]> {
        let (longest, shortest) = (self.paths.first()?, self.paths.last()?);
        let mut below = self.count().div_ceil(2);
        let median = self.paths.iter().rev().find(|taken| {
            below = below.saturating_sub(taken.jobs);
            below == 0
        })?;
        Some([shortest.instructions, median.instructions, longest.instructions])
    }

    /// The most calls of the kernel in a job.
    fn calls(&self) -> u64 {
        self.paths.iter().map(|taken| taken.calls).max().unwrap_or_default()
    }

    /// The longest job, each of its calls counted as the longest step of the kernel.
    fn longest(&self, call: u64) -> Option<u64> {
        self.paths
            .iter()
            .map(|taken| taken.instructions.saturating_add(taken.calls.saturating_mul(call)))
            .max()
    }
}

impl Measured {
    /// What was measured, on the project's board and with its code.
    pub fn new(
        project: &Project,
        cases: Vec<Case>,
        rows: Vec<(Subject, Paths, Result<u64, String>)>,
    ) -> Result<Measured> {
        Ok(Measured {
            system: project.assembly.name.clone(),
            board: project.description.board.board.name.to_string(),
            code: fingerprint(project, &workshop())?,
            cases,
            jobs: rows.into_iter().map(|row| Jobs::new(project, row)).collect(),
        })
    }

    /// Writes the file; answers where it is.
    pub fn keep(&self, project: &Project) -> Result<PathBuf> {
        let path = results(project).join(FILE);
        let text = serde_json::to_string_pretty(self).context("what was measured")? + "\n";
        replace(&path, text.as_bytes())?;
        Ok(path)
    }

    /// The file of an earlier run, if there is one.
    fn kept(project: &Project) -> Option<Result<Measured>> {
        let path = results(project).join(FILE);
        let text = fs::read_to_string(&path).ok()?;
        let damaged = || format!("{} is damaged: `beryl measure` writes it anew", path.display());
        Some(serde_json::from_str(&text).with_context(damaged))
    }

    fn cases(&self) -> String {
        let words: Vec<_> = self.cases.iter().map(Case::words).collect();
        words.join("; ")
    }
}

/// A job's times, and whether it keeps to what is declared, as far as is known.
struct Promised<'a> {
    jobs: &'a Jobs,
    declared: u64,
    measured: Option<u64>,
    bounded: Option<u64>,
    /// What the kernel does besides, where it is a part of what is declared.
    beside: u64,
}

impl Promised<'_> {
    /// All jobs that the system still has, on a board of its speed.
    fn of<'a>(project: &Project, measured: &'a Measured) -> Vec<Promised<'a>> {
        let instruction = 1_u64 << project.description.board.speed;
        let time = |count: u64| count.saturating_mul(instruction);
        let call = Kind::Call.charged(&project.assembly, project.plan.board.processor);
        let subjects = Subject::all(project);
        let one = |jobs: &'a Jobs| {
            let subject = subjects.iter().find(|subject| subject.name(project) == jobs.name)?;
            Some(Promised {
                jobs,
                declared: subject.declared(project).saturating_mul(project.tick().into()),
                measured: jobs.longest(call).map(time),
                bounded: jobs.bounded.map(time),
                beside: match subject {
                    Subject::Driver(..) => time(around_drivers(project)),
                    Subject::Thread(_) => 0,
                },
            })
        };
        measured.jobs.iter().filter_map(one).collect()
    }

    fn is_kept(&self) -> bool {
        self.measured.is_none_or(|measured| measured <= self.declared)
    }

    /// What to declare: the longest that was seen and a margin, in two digits; or what the binary bounds, if that is less
    /// and nothing comes on top of it.
    fn proposed(&self, margin: u16) -> Option<u64> {
        let measured = self.measured?;
        let more = measured.saturating_mul(u64::from(margin)).div_ceil(100);
        let with_margin = in_two_digits(measured.saturating_add(more).saturating_add(self.beside));
        let bound = self.bounded.filter(|_| self.jobs.calls() == 0);
        let bound = bound.map(|bound| in_two_digits(bound.saturating_add(self.beside)));
        Some(bound.map_or(with_margin, |bound| bound.min(with_margin)))
    }
}

/// Instructions of the kernel that are a part of a driver's budget: the steps that begin and end it, with the switch, and
/// those for each line, which interrupts once at most.
fn around_drivers(project: &Project) -> u64 {
    let assembly = &project.assembly;
    let step = |kind: Kind| kind.charged(assembly, project.plan.board.processor);
    let lines = u64::try_from(assembly.objects.interrupts.len()).unwrap_or(u64::MAX);
    let around = [Kind::Driver, Kind::Decision, Kind::EMachine].map(step).into_iter().sum::<u64>();
    around.saturating_add(lines.saturating_mul(STEPS_OF_A_LINE * step(Kind::Job)))
}

/// At least this many nanoseconds, and at least a microsecond, in two digits.
fn in_two_digits(nanoseconds: u64) -> u64 {
    let mut unit = 1_000_u64;
    while nanoseconds.div_ceil(unit) > 99 {
        unit = unit.saturating_mul(10);
    }
    nanoseconds.div_ceil(unit).max(1).saturating_mul(unit)
}

fn milliseconds(nanoseconds: u64) -> String {
    let microseconds = nanoseconds.div_ceil(1_000);
    format!("{}.{:03} ms", microseconds / 1_000, microseconds % 1_000)
}

fn or_dash(time: Option<u64>) -> String {
    time.map_or_else(|| "-".to_owned(), milliseconds)
}

/// Shows what was counted, and what to declare; the paths of `wanted`, too. Answers whether all jobs keep to what is
/// declared.
pub fn show(
    project: &Project,
    measured: &Measured,
    margin: u16,
    wanted: Option<&str>,
    console: &Console,
) -> bool {
    console.title(format_args!("Instructions of jobs on {}: {}", measured.board, measured.cases()));
    let head = ["jobs", "min", "median", "max", "calls", "paths"];
    let [jobs, min, median, max, calls, paths] = head;
    console
        .say(format_args!("  {:<20} {jobs:>8} {min:>8} {median:>8} {max:>8} {calls:>6} {paths:>6}", "job"));
    for jobs in &measured.jobs {
        let spread =
            jobs.spread().map_or(["-"; 3].map(str::to_owned), |spread| spread.map(|count| count.to_string()));
        let [min, median, max] = spread;
        console.say(format_args!(
            "  {:<20} {:>8} {min:>8} {median:>8} {max:>8} {:>6} {:>6}",
            jobs.name,
            jobs.count(),
            jobs.calls(),
            jobs.paths.len()
        ));
    }
    measured
        .jobs
        .iter()
        .filter(|jobs| Some(jobs.name.as_str()) == wanted)
        .for_each(|jobs| show_paths(jobs, console));
    let rows = Promised::of(project, measured);
    console.title("From measured to promised");
    say_times(&rows, Some(margin), console);
    let nanoseconds = 1_u64 << project.description.board.speed;
    console.say(format_args!(
        "  an instruction takes {nanoseconds} ns, and a call of the kernel counts as the {} of its longest step",
        Kind::Call.instructions(&project.assembly)
    ));
    console.say(format_args!("  proposed: what was measured and {margin} % of it, or the bound if that is less; measured is no bound"));
    say_unbounded(&rows, console);
    tell(measured, &rows, Some(margin), console)
}

fn show_paths(jobs: &Jobs, console: &Console) {
    console.title(format_args!("Paths of `{}`, the longest first", jobs.name));
    for taken in jobs.paths.iter().take(SHOWN) {
        let Taken { path, instructions, calls, jobs } = taken;
        console.say(format_args!("  {path}  {instructions:>8} instructions, {calls} calls, {jobs} times"));
    }
    if let Some(more) = jobs.paths.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        console.say(format_args!("  and {more} more"));
    }
}

/// Shows what an earlier `beryl measure` found beside what is declared now; nothing if there was none.
pub fn show_kept(project: &Project, console: &Console) -> Result<()> {
    let Some(measured) = Measured::kept(project) else { return Ok(()) };
    let measured = measured?;
    let (system, board) = (&project.assembly.name, project.description.board.board.name);
    console.title(format_args!("Declared, measured, bounded ({} on {})", measured.cases(), measured.board));
    let is_same_code = fingerprint(project, &workshop()).is_ok_and(|code| code == measured.code);
    if !is_same_code || *board != *measured.board || *system != measured.system {
        console.say("  this was measured with other code: `beryl measure` counts again");
    }
    console.object(&json!({ "measured_with_this_code": is_same_code }));
    let rows = Promised::of(project, &measured);
    say_times(&rows, None, console);
    tell(&measured, &rows, None, console);
    Ok(())
}

fn say_times(rows: &[Promised<'_>], margin: Option<u16>, console: &Console) {
    let last = if margin.is_some() { "proposed" } else { "" };
    console.say(
        format!("  {:<20} {:>12} {:>12} {:>12}   {last}", "job", "declared", "measured", "bounded")
            .trim_end(),
    );
    for row in rows {
        let proposed = margin.and_then(|margin| row.proposed(margin));
        let proposed =
            proposed.map_or_else(String::new, |time| format!("worst = \"{}\"", Nanoseconds::new(time)));
        let [declared, measured, bounded] = [Some(row.declared), row.measured, row.bounded].map(or_dash);
        console.say(
            format!("  {:<20} {declared:>12} {measured:>12} {bounded:>12}   {proposed}", row.jobs.name)
                .trim_end(),
        );
    }
}

fn say_unbounded(rows: &[Promised<'_>], console: &Console) {
    let unbounded = rows.iter().filter_map(|row| Some((&row.jobs.name, row.jobs.unbounded.as_ref()?)));
    for (name, reason) in unbounded {
        console.say(format_args!("  `{name}` isn't bounded: {reason}"));
    }
    for row in rows.iter().filter(|row| row.bounded.is_some() && row.jobs.calls() > 0) {
        console.say(format_args!(
            "  the bound of `{}` leaves out what its calls of the kernel take",
            row.jobs.name
        ));
    }
}

/// Says who breaks its promise, and prints all as objects. Answers whether nobody does.
fn tell(measured: &Measured, rows: &[Promised<'_>], margin: Option<u16>, console: &Console) -> bool {
    for row in rows {
        let proposed = margin.and_then(|margin| row.proposed(margin));
        let jobs = row.jobs;
        console.object(&json!({
            "job": jobs.name, "board": measured.board, "jobs": jobs.count(), "instructions": jobs.spread(),
            "calls": jobs.calls(), "paths": jobs.paths, "declared_ns": row.declared, "measured_ns": row.measured,
            "bounded_ns": row.bounded, "unbounded": jobs.unbounded, "proposed_ns": proposed,
        }));
        if let Some(measured) = row.measured.filter(|_| !row.is_kept()) {
            console.say(format_args!(
                "  warning: `{}` took up to {}, longer than the {} that is declared: declare more, or do less",
                jobs.name,
                milliseconds(measured),
                milliseconds(row.declared)
            ));
        }
    }
    rows.iter().all(Promised::is_kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(paths: &[(u64, u64, u64)], bounded: Option<u64>) -> Jobs {
        let taken = |(instructions, calls, jobs): &(u64, u64, u64)| Taken {
            path: String::new(),
            instructions: *instructions,
            calls: *calls,
            jobs: *jobs,
        };
        Jobs { name: "a".to_owned(), paths: paths.iter().map(taken).collect(), bounded, unbounded: None }
    }

    #[test]
    fn the_spread_is_that_of_jobs_and_not_of_paths() {
        assert_eq!(jobs(&[(9, 0, 1), (5, 0, 1), (2, 0, 7)], None).spread(), Some([2, 2, 9]));
        assert_eq!(jobs(&[(9, 0, 2), (5, 0, 1), (2, 0, 1)], None).spread(), Some([2, 5, 9]));
        assert_eq!(jobs(&[(9, 0, 5), (2, 0, 1)], None).spread(), Some([2, 9, 9]));
        assert_eq!(jobs(&[], None).spread(), None);
        // A shorter path with more calls may take longer.
        assert_eq!(jobs(&[(9, 0, 1), (5, 2, 1)], None).longest(100), Some(205));
    }

    #[test]
    fn what_is_proposed_is_never_less_than_was_measured() {
        let promised = |jobs: &Jobs, measured, margin| {
            Promised { jobs, declared: 0, measured, bounded: jobs.bounded, beside: 0 }.proposed(margin)
        };
        let free = jobs(&[(1, 0, 1)], None);
        assert_eq!(promised(&free, Some(28_864), 20), Some(35_000));
        assert_eq!(promised(&free, Some(1), 0), Some(1_000));
        assert_eq!(promised(&free, Some(99_001), 0), Some(100_000));
        assert_eq!(promised(&free, Some(1_010_000), 0), Some(1_100_000));
        assert_eq!(promised(&free, None, 20), None);
        assert_eq!(promised(&jobs(&[(1, 0, 1)], Some(30_000)), Some(28_864), 20), Some(30_000));
        // What the kernel takes for calls isn't in the bound.
        assert_eq!(promised(&jobs(&[(1, 1, 1)], Some(30_000)), Some(28_864), 20), Some(35_000));
    }
}
