//! `beryl trace curves` and `beryl trace csv`: the values of a run over time, and its load.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::quantity;
use beryl_builder::workshop::replace;
use beryl_trace::curve::Curve;
use beryl_trace::curve::csv::{self, Said};
use beryl_trace::jobs::History;
use beryl_trace::load::{self, Load};
use beryl_trace::table::table;
use beryl_trace::timeline::{svg, terminal};
use beryl_trace::{LogicalInstant, Names, Nanoseconds};
use serde_json::json;

use super::opened::Opened;
use super::{log, within};
use crate::command::times::{Window, time};
use crate::console::{Console, Failure};

/// Draw the values of sensors, actuators and ports over time: here and as a picture.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace curves out/lift/sim.trace                              all of them, and out/lift/sim.curves.svg
  beryl trace curves out/lift/sim.trace Cabin.place motor --to 5s    some of them, up to there
  beryl trace curves out/lift/sim.trace motor --beside out/lift/mps2-an385.trace
  beryl trace curves out/lift/sim.trace load 'load of drive' --every 100ms

A curve is a number of a value: `gps.x`, `wires[2]`; `gps` means all of its parts. Units stand in the table [units] of the
description. `load` is how much of the processor was used, `load of NAME` how much of it by a thread; both only if you name
them. A value that is called `load` has that name; then `load of *` is how much of the processor was used.")]
pub struct Curves {
    #[command(flatten)]
    shown: Shown,
    /// Where the picture is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Write the values of sensors, actuators and ports as comma-separated values.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace csv out/lift/sim.trace                 writes out/lift/sim.csv
  beryl trace csv out/lift/sim.trace drive.speed --from 2s --to 3s -o speed.csv
  beryl trace csv out/lift/sim.trace load --every 10ms

The first column is the logical instant in nanoseconds, each other one a curve, with its unit in the head. There is a line
for each instant at which any of them has a new value; the others keep theirs.

What threads said by `defmt` is in three columns behind them, a line for each statement: `said_by` a thread, its `level`, and
what was `said`. They are there if somebody said something and all curves are asked for, or with --log.")]
pub struct Csv {
    #[command(flatten)]
    shown: Shown,
    /// With what threads said, though only some curves are asked for.
    #[arg(long)]
    log: bool,
    /// Where it is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Which curves, and when.
#[derive(clap::Args)]
struct Shown {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The curves [all].
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Another run of the same system, beside its own names.json.
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// How long the windows are in which load is reckoned [a round time, of which there are at most 200].
    #[arg(long, value_name = "TIME", value_parser = time)]
    every: Option<quantity::Nanoseconds>,
    #[command(flatten)]
    window: Window,
}

/// Windows of load, if nothing else is said, and the most that may be asked for.
const USUALLY: u64 = 200;
const MOST: u64 = 1_000_000;

/// Curves that were chosen, and the window to show of them.
struct Chosen {
    opened: Opened,
    is_damaged: bool,
    curves: Vec<Curve>,
    window: (LogicalInstant, LogicalInstant),
}

impl Shown {
    fn chosen(&self, console: &Console) -> Result<Chosen, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let beside = self.beside.as_ref().map(|file| Opened::read(file, console)).transpose()?;
        let all = Curve::all(&opened.events, &opened.names);
        let others =
            beside.iter().flat_map(|other| Curve::all(&other.events, &other.names).into_iter().map(over));
        let mut both: Vec<Curve> = all.into_iter().chain(others).collect();
        let is_of_values = |name: &String| both.iter().any(|curve| curve.is_meant(name));
        let loads = (!self.names.iter().all(is_of_values)).then(|| {
            let is_asked_in_full = self.names.iter().any(|name| name == load::LOAD_OF_ALL);
            let of = |run: &Opened| {
                let load = Load::of(&History::of(&run.events), &run.names);
                if is_asked_in_full { load.in_full() } else { load.beside(&both) }
            };
            (of(&opened), beside.as_ref().map(of))
        });
        let ends = both.iter().map(|curve| curve.end);
        let end = ends.chain(loads.iter().map(|(own, _)| own.end())).max();
        // Without a value there may be something said.
        let last = || opened.events.iter().map(|event| opened.names.tick.logical(event.time)).max();
        let end = end.or_else(last).unwrap_or_default();
        let window = self.window(&opened.names, end)?;
        if let Some((own, other)) = loads {
            let every = self.every(window)?;
            let curves = |load: &Load| load.curves(every, window.0, window.1);
            both.extend(curves(&own));
            both.extend(other.iter().flat_map(curves).map(over));
        }
        let named =
            |curve: Curve, run: &Opened| Curve { name: format!("{}, {}", curve.name, run.stem), ..curve };
        let mut curves = Curve::chosen(both, &self.names).map_err(anyhow::Error::from)?;
        if let Some(other) = &beside {
            let run =
                |curve: Curve| if curve.is_beside { named(curve, other) } else { named(curve, &opened) };
            // One after the other, so that the same of both runs are neighbours.
            curves.sort_by(|one, other| one.name.cmp(&other.name));
            curves = curves.into_iter().map(run).collect();
        }
        let is_damaged = opened.is_damaged || beside.is_some_and(|other| other.is_damaged);
        Ok(Chosen { opened, is_damaged, curves, window })
    }

    /// The window that was asked for; otherwise the whole run.
    fn window(&self, names: &Names, end: LogicalInstant) -> anyhow::Result<(LogicalInstant, LogicalInstant)> {
        let last = names.tick.instant(end);
        let at = |option, time| within(option, time, names, last).map(|at| names.tick.logical(at));
        let from = self.window.from.map(|time| at("--from", time)).transpose()?.unwrap_or_default();
        let to = self.window.to.map(|time| at("--to", time)).transpose()?.unwrap_or(end);
        anyhow::ensure!(
            from < to || end == LogicalInstant::default(),
            "the window would end before it begins; give a `--to` that is later than `--from`"
        );
        Ok((from, to))
    }

    /// How long windows of load are.
    fn every(&self, (from, to): (LogicalInstant, LogicalInstant)) -> anyhow::Result<Nanoseconds> {
        let time = to.since(from);
        let Some(asked) = self.every else { return Ok(load::round(time, USUALLY, Nanoseconds::new(1))) };
        let least = load::round(time, MOST, Nanoseconds::new(1));
        anyhow::ensure!(
            asked.get() > 0 && time.number() / asked.get() <= MOST,
            "--every: that would be more than {MOST} windows; ask for {least} or more, or show less with `--from` and `--to`"
        );
        Ok(Nanoseconds::new(asked.get()))
    }
}

/// A curve of another run, to lie over those of the first.
fn over(curve: Curve) -> Curve {
    Curve { is_beside: true, ..curve }
}

impl Curves {
    /// Draws the curves, prints their table, and writes the picture.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let Chosen { opened, is_damaged, curves, window } = self.shown.chosen(console)?;
        if curves.is_empty() {
            console.say("no sensor, actuator, port or traced state message had a value in this run; `load` is how much of the processor was used");
        } else {
            console.say(
                terminal::curves::render(&curves, window, console.width(), console.is_coloured()).trim_end(),
            );
            console.say(format_args!("\n{}", statistics(&curves, window).trim_end()));
        }
        let path = opened.result(self.output.as_deref(), "curves.svg");
        replace(&path, svg::curves::render(&curves, window, &opened.title()).as_bytes())?;
        console.say(format_args!("  as a picture: {}", path.display()));
        console.object(&json!({ "picture": path.display().to_string(), "curves": objects(&curves, window) }));
        Ok(Opened { is_damaged, ..opened }.exit_code())
    }
}

impl Csv {
    /// Writes the lines.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let Chosen { opened, is_damaged, curves, window: (from, to) } = self.shown.chosen(console)?;
        let said = if self.log || self.shown.names.is_empty() { opened.log()? } else { None };
        let words = said
            .as_ref()
            .map(|said| said.entries.iter().map(|entry| Said::of(entry, &opened.names)).collect::<Vec<_>>());
        let text = csv::table(&curves, words.as_deref(), from, to);
        let path = opened.result(self.output.as_deref(), "csv");
        replace(&path, text.as_bytes())?;
        let lines = text.lines().count().saturating_sub(1);
        let of = if words.is_some() { "lines" } else { "instants" };
        console.say(format_args!("{}: {} curves, {lines} {of}", path.display(), curves.len()));
        console.object(&json!({ "csv": path.display().to_string(), "curves": curves.len(), of: lines }));
        let is_whole = said.is_none_or(|said| log::illegible(&said, &opened.names, console));
        Ok(Opened { is_damaged: is_damaged || !is_whole, ..opened }.exit_code())
    }
}

/// What can be seen of each curve, as text.
fn statistics(curves: &[Curve], (from, to): (LogicalInstant, LogicalInstant)) -> String {
    let rows = curves.iter().map(|curve| {
        let unit = curve.unit.clone().unwrap_or_default();
        match curve.seen(from, to) {
            Some(seen) => [
                curve.name.clone(),
                unit,
                seen.least.to_string(),
                seen.most.to_string(),
                format!("{:.6}", seen.mean).trim_end_matches('0').trim_end_matches('.').to_owned(),
                seen.count.to_string(),
            ],
            None => [curve.name.clone(), unit, "-".into(), "-".into(), "-".into(), "0".into()],
        }
    });
    table(["curve", "unit", "least", "greatest", "mean", "values"], &rows.collect::<Vec<_>>())
}

fn objects(curves: &[Curve], (from, to): (LogicalInstant, LogicalInstant)) -> Vec<serde_json::Value> {
    let object = |curve: &Curve| {
        let seen = curve.seen(from, to);
        json!({
            "name": curve.name, "unit": curve.unit, "values": seen.map_or(0, |seen| seen.count),
            "least": seen.map(|seen| seen.least.value()), "greatest": seen.map(|seen| seen.most.value()),
            "mean": seen.map(|seen| seen.mean),
        })
    };
    curves.iter().map(object).collect()
}
