//! `beryl trace`: what happened in a recorded run.

mod check;
mod crashes;
mod curves;
mod html;
mod log;
mod opened;
mod perfetto;
mod record;
pub mod several;
mod show;
mod stats;
pub mod together;
mod why;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_abi::{Instant, ThreadId};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::workshop::replace;
use beryl_trace::jobs::History;
use beryl_trace::timeline::{Timeline, svg, terminal, window};
use beryl_trace::{Event, Happening, LogicalInstant, Names, Statistics};

use crate::command::times::Window;
use crate::console::{Console, Failure};
use opened::Opened;

/// Show what happened in a recorded run.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example:
  beryl trace out/helicopter/sim.trace --from 40ms --to 80ms    statistics, and a window as a timeline
  beryl trace stats out/helicopter/sim.trace                    all the numbers
  beryl trace why navigate@20ms out/helicopter/sim.trace        why that job was late or early"
)]
pub struct Trace {
    #[command(subcommand)]
    look: Option<Look>,
    /// A trace, beside its names.json, as `beryl sim` and `beryl run` leave it in out/.
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    window: Window,
}

/// The ways to look at a trace.
#[derive(clap::Subcommand)]
enum Look {
    /// Response times, execution times against what is declared, jitter, the processor by thread.
    Stats(stats::Stats),
    /// Why a job was late or early: the chain from its release to its end.
    Why(why::Why),
    /// One web page: lanes, jobs, reasons; zoom and pan.
    Html(html::Html),
    /// What threads said by `defmt`.
    Log(log::Log),
    /// Values over time, drawn in the terminal and as a picture.
    Curves(curves::Curves),
    /// Values over time as comma-separated values.
    Csv(curves::Csv),
    /// A timeline in the terminal, for the keyboard: zoom, search, follow.
    Show(show::Show),
    /// Hold assertions against traces.
    Check(check::Check),
    /// What the kernel wrote down of threads that faulted.
    Crashes(crashes::Crashes),
    /// A file for Perfetto's viewer.
    Perfetto(perfetto::Perfetto),
    /// Record what a running system tells.
    Record(record::Record),
}

impl Trace {
    /// Shows a trace in one of the ways.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        match (&self.look, &self.file) {
            (Some(Look::Stats(stats)), _) => stats.run(console),
            (Some(Look::Why(why)), _) => why.run(console),
            (Some(Look::Html(html)), _) => html.run(console),
            (Some(Look::Log(log)), _) => log.run(console),
            (Some(Look::Curves(curves)), _) => curves.run(console),
            (Some(Look::Csv(csv)), _) => csv.run(console),
            (Some(Look::Show(show)), _) => show.run(console),
            (Some(Look::Check(check)), _) => check.run(console),
            (Some(Look::Crashes(crashes)), _) => crashes.run(console),
            (Some(Look::Perfetto(perfetto)), _) => perfetto.run(console),
            (Some(Look::Record(record)), _) => record.run(console),
            (None, Some(file)) => self.summarise(file, console),
            (None, None) => Err(anyhow!("which trace? `beryl trace --help` says how to name one").into()),
        }
    }

    /// Prints statistics and the timeline of a window.
    fn summarise(&self, file: &Path, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(file, console)?;
        let Opened { names, events, folder, .. } = &opened;
        let statistics = Statistics::of(events, names);
        console.title("Statistics");
        console.say(statistics.to_string().trim_end());
        violations(names, events, console);
        console.object(&serde_json::to_value(&statistics).context("statistics")?);
        timeline(names, events, (self.window, Instant::START), folder, console)?;
        log::show(&opened, shown(names, events, self.window, Instant::START)?, console)?;
        Ok(opened.exit_code())
    }
}

/// Reports which task violated time safety and when; the first few times.
pub fn violations(names: &Names, events: &[Event], console: &Console) {
    const MOST: usize = 5;
    let mut violations: Vec<_> = events.iter().filter_map(violation).collect();
    // A late job that goes on violates everything due at the same instant.
    violations.dedup();
    let mut violations = violations.into_iter();
    for (task, instant) in violations.by_ref().take(MOST) {
        // If it goes on, its next release is skipped; some are stopped after a while.
        let is_released = events.iter().any(|event| release(event) == Some((task, instant)));
        let goes_on = !is_released && names.threads.get(task.index()).is_some_and(|thread| thread.goes_on);
        let fate = if goes_on { "its job goes on" } else { "its job was stopped" };
        let instant = names.tick.logical(instant);
        let task = names.thread(task);
        console.say(format_args!(
            "{instant}: time-safety violation: `{task}` hadn't completed; {fate}, nothing of it published"
        ));
    }
    match violations.count() {
        0 => {}
        more => console.say(format_args!("and {more} more violations")),
    }
}

fn release(event: &Event) -> Option<(ThreadId, Instant)> {
    match event.happening {
        Happening::Release { task, instant, .. } => Some((task, instant)),
        _ => None,
    }
}

fn violation(event: &Event) -> Option<(ThreadId, Instant)> {
    match event.happening {
        Happening::Violation { task, instant } => Some((task, instant)),
        _ => None,
    }
}

/// The requested window; bounds that aren't given are chosen to show something interesting.
fn shown(
    names: &Names,
    events: &[Event],
    window: Window,
    end: Instant,
) -> anyhow::Result<(Instant, Instant)> {
    let history = History::of(events);
    let end = end.max(history.span.1);
    let at = |option: &str, time: Nanoseconds| within(option, time, names, end);
    let worth = window::window(events, &history, names);
    let length = worth.1.since(worth.0);
    let from = window.from.map(|time| at("--from", time)).transpose()?;
    let to = window.to.map(|time| at("--to", time)).transpose()?;
    let (from, to) = match (from, to) {
        (None, None) => worth,
        (Some(from), None) => (from, from.after(length).min(end)),
        (None, Some(to)) => (worth.0.min(Instant::START.after(to.since(Instant::START).minus(length))), to),
        (Some(from), Some(to)) => (from, to),
    };
    anyhow::ensure!(
        from < to,
        "the timeline would end before it begins; give a `--to` that is later than `--from`"
    );
    Ok((from, to))
}

/// The instant given by `option`, if the trace reaches that far.
///
/// # Errors
/// If it doesn't.
pub fn within(option: &str, time: Nanoseconds, names: &Names, end: Instant) -> anyhow::Result<Instant> {
    let asked = LogicalInstant::from_nanoseconds(time.get());
    let end = names.tick.logical(end);
    anyhow::ensure!(
        asked <= end,
        "{option}: the trace ends at {end}, and {asked} is later; ask for an instant up to {end}"
    );
    Ok(names.tick.instant(asked))
}

/// Prints the timeline of a window and writes it to `timeline.svg` in `folder`. The run lasted until `end`,
/// though the last event may be earlier.
pub fn timeline(
    names: &Names,
    events: &[Event],
    (window, end): (Window, Instant),
    folder: &Path,
    console: &Console,
) -> Result<(), Failure> {
    let (from, to) = shown(names, events, window, end)?;
    let timeline = Timeline::of(events, names, from, to);
    console.say(format_args!("\n{}", terminal::render(&timeline, console.drawing())));
    let path = folder.join("timeline.svg");
    replace(&path, svg::render(&timeline).as_bytes())?;
    console.say(format_args!("  as a picture: {}", path.display()));
    Ok(())
}
