//! The cost of computing schedules in idle time: `examples/idle` without its dial, on the board, before and
//! after a schedule takes over.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::board::Board;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};
use beryl_path::{Report, section_sizes};

use crate::observed;
use crate::row::Row;
use crate::step::{Kernel, is_call};
use crate::systems::after;

/// The benches in this file.
pub const NAMES: &[&str] = &[COMPLETION, INSTANT, STEP, GENERATION, PROGRAM, TEXT];

/// Instructions of completing a job and deciding which runs next.
pub const COMPLETION: &str = "idle/completion";
/// Instructions of an alarm.
pub const INSTANT: &str = "idle/instant";
/// Bound of the longest step, in instructions.
const STEP: &str = "idle/step";
/// Instructions for generating the program. Counted by the thread's execution time, so accurate to three.
const GENERATION: &str = "idle/generation";
/// Bytes of the program.
const PROGRAM: &str = "idle/program";
/// Bytes of the kernel.
const TEXT: &str = "idle/kernel-text";

const BAND: &str = "by the band";
const CODE: &str = "by generated S code";
/// The same in a system without an offer.
const ALONE: &str = "by the band, nothing offered";

/// The length of the run in nanoseconds: 25 periods of 40 ms, to just before the next.
const LENGTH: u64 = 1_000_000_000 - 1;
/// What the slot says of its programs.
const OFFERS: &str = "offers = \"wave\"";
/// Jobs and instants in a period.
const JOBS: usize = 7;
const INSTANTS: usize = 4;
/// How many whole periods to count.
const PERIODS: usize = 8;
/// Uncounted entries of the first period, including the two calls by which the generating thread goes to
/// sleep.
const FIRST: usize = 2 + JOBS;

/// Builds the system with and without an offer, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let offered = System::build(workshop, "bench_idle", OFFERS, None)?;
    let alone = System::build(workshop, "bench_idle_alone", "", None)?;
    let [step, recording] = offered.0.with_and_without_recording()?;
    let said = offered.said_of_taking_over(workshop)?;
    let ticks = number(&said, "made in ", " ticks")?;
    let [completion_by_band, completion_by_code, instant_by_band, instant_by_code] =
        before_and_after(&offered.entries(workshop)?)?;
    let [calls_alone, alarms_alone] = alone.entries(workshop)?;
    Ok(vec![
        completion_by_band,
        completion_by_code,
        Row::instructions(COMPLETION, ALONE, early(&calls_alone, FIRST, JOBS)?)?,
        instant_by_band,
        instant_by_code,
        Row::instructions(INSTANT, ALONE, early(&alarms_alone, INSTANTS, INSTANTS)?)?,
        Row::instructions(STEP, "static bound of an instant, with an offer", &[of_instants(&step)])?,
        Row::instructions(STEP, "static bound of an instant that is recorded", &[of_instants(&recording)])?,
        // 32 ns per instruction, 40 ns per tick.
        Row::instructions(GENERATION, "three tasks, four stretches", &[ticks * 40 / 32])?,
        Row::bytes(PROGRAM, "three tasks, four stretches", number(&said, "a schedule of ", " bytes")?),
        Row::bytes(TEXT, "with an offer", offered.text()?),
        Row::bytes(TEXT, "with a slot, nothing offered", alone.text()?),
    ])
}

/// What the end of a job and an instant take on a board, before and after a schedule takes over.
pub fn rows_on(board: &'static Board, workshop: &Workshop) -> Result<Vec<Row>> {
    let offered = System::build(workshop, "bench_idle", OFFERS, Some(board))?;
    offered.said_of_taking_over(workshop)?;
    Ok(before_and_after(&offered.entries(workshop)?)?.into())
}

/// Completions by the band and by code, and instants in the same way.
fn before_and_after([calls, alarms]: &[Vec<u64>; 2]) -> Result<[Row; 4]> {
    Ok([
        Row::instructions(COMPLETION, BAND, early(calls, FIRST, JOBS)?)?,
        Row::instructions(COMPLETION, CODE, late(calls, JOBS)?)?,
        Row::instructions(INSTANT, BAND, early(alarms, INSTANTS, INSTANTS)?)?,
        Row::instructions(INSTANT, CODE, late(alarms, INSTANTS)?)?,
    ])
}

/// The longest of the steps begun by alarms and of their deferred work.
fn of_instants(report: &Report) -> u64 {
    let steps = report.steps.iter().filter(|step| !is_call(step));
    steps.map(|step| step.instructions).max().unwrap_or_default()
}

/// The entries of whole periods after the first ones.
fn early(entries: &[u64], skipped: usize, of_a_period: usize) -> Result<&[u64]> {
    entries.get(skipped..skipped + PERIODS * of_a_period).context("the run is too short")
}

/// The entries of the last whole periods.
fn late(entries: &[u64], of_a_period: usize) -> Result<&[u64]> {
    let begin = entries.len().checked_sub(PERIODS * of_a_period).context("the run is too short")?;
    entries.get(begin..).context("the run is too short")
}

/// The number between two texts.
fn number(said: &str, before: &str, behind: &str) -> Result<u64> {
    let line = said.lines().find_map(|line| line.strip_prefix(before)?.strip_suffix(behind));
    Ok(line.with_context(|| format!("nothing is said of `{before}`:\n{said}"))?.parse()?)
}

struct System(Kernel);

impl System {
    /// The example without its dial, whose driver would make calls of its own.
    fn build(workshop: &Workshop, name: &str, offer: &str, board: Option<&'static Board>) -> Result<System> {
        let example = root().join("examples/idle");
        let read = |file: &str| {
            fs::read_to_string(example.join(file)).with_context(|| format!("reading examples/idle/{file}"))
        };
        let description = read("beryl.toml")?
            .replace("name = \"idle\"", &format!("name = {name:?}"))
            .replace("\"app\"", "\"../../../examples/idle/app\"")
            .replace(OFFERS, offer)
            .replace("[driver.set_dial]\nprocess = \"wave\"\nworst = \"50us\"\n", "");
        let timing: Vec<_> = read("wave.tdl")?.lines().map(str::to_owned).collect();
        let timing: String =
            timing.iter().filter(|line| !line.contains("dial")).map(|line| line.clone() + "\n").collect();
        let folder = workshop.folder(name).join("system");
        replace(&folder.join("beryl.toml"), description.as_bytes())?;
        replace(&folder.join("wave.tdl"), timing.as_bytes())?;
        let project = Project::load(&folder, Variant { board, ..Variant::default() })
            .with_context(|| format!("reading {}", folder.display()))?;
        Ok(System(Kernel::of(project, workshop)?))
    }

    /// The output of the generating thread.
    fn said(&self, workshop: &Workshop) -> Result<String> {
        let Kernel { project, built, .. } = &self.0;
        let board = project.description.board;
        let window = Accesses::default().window_without_trace(board.board.value, self.end())?;
        let folder = workshop.folder(&project.assembly.name).join("run");
        Ok(emulator::run(board.board.value, &built.image, &window, board.speed, &folder)?.console)
    }

    /// The same, where the schedule that it has made has taken over.
    fn said_of_taking_over(&self, workshop: &Workshop) -> Result<String> {
        let said = self.said(workshop)?;
        ensure!(said.lines().any(|line| line == "it runs"), "no schedule took over:\n{said}");
        Ok(said)
    }

    fn end(&self) -> Instant {
        after(self.0.project.description.board.board.value, LENGTH)
    }

    /// The instructions of each call and of each alarm.
    fn entries(&self, workshop: &Workshop) -> Result<[Vec<u64>; 2]> {
        observed::entries(&self.0, workshop, self.end())
    }

    fn text(&self) -> Result<u64> {
        Ok(section_sizes(&self.0.elf)?.text)
    }
}
