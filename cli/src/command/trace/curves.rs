//! `beryl trace curves` and `beryl trace csv`: the values of a run over time.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::workshop::replace;
use beryl_trace::curve::{Curve, csv};
use beryl_trace::table::table;
use beryl_trace::timeline::{svg, terminal};
use beryl_trace::{LogicalInstant, Names};
use serde_json::json;

use super::opened::Opened;
use super::within;
use crate::command::times::Window;
use crate::console::{Console, Failure};

/// Draw the values of sensors, actuators and ports over time: here and as a picture.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace curves out/lift/sim.trace                              all of them, and out/lift/sim.curves.svg
  beryl trace curves out/lift/sim.trace Cabin.place motor --to 5s    some of them, up to there
  beryl trace curves out/lift/sim.trace motor --beside out/lift/mps2-an385.trace

A curve is a number of a value: `gps.x`, `wires[2]`; `gps` means all of its parts. Units stand in the table [units] of the
description.")]
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

The first column is the logical instant in nanoseconds, each other one a curve, with its unit in the head. There is a line
for each instant at which any of them has a new value; the others keep theirs.")]
pub struct Csv {
    #[command(flatten)]
    shown: Shown,
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
    #[command(flatten)]
    window: Window,
}

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
        let others = beside.iter().flat_map(|other| {
            let of_other = move |curve: Curve| Curve { is_beside: true, ..curve };
            Curve::all(&other.events, &other.names).into_iter().map(of_other)
        });
        let named =
            |curve: Curve, run: &Opened| Curve { name: format!("{}, {}", curve.name, run.stem), ..curve };
        let both = all.into_iter().chain(others).collect();
        let mut curves = Curve::chosen(both, &self.names).map_err(anyhow::Error::from)?;
        if let Some(other) = &beside {
            let run =
                |curve: Curve| if curve.is_beside { named(curve, other) } else { named(curve, &opened) };
            // One after the other, so that the same of both runs are neighbours.
            curves.sort_by(|one, other| one.name.cmp(&other.name));
            curves = curves.into_iter().map(run).collect();
        }
        let window = self.window(&opened.names, &curves)?;
        let is_damaged = opened.is_damaged || beside.is_some_and(|other| other.is_damaged);
        Ok(Chosen { opened, is_damaged, curves, window })
    }

    /// The window that was asked for; otherwise the whole run.
    fn window(&self, names: &Names, curves: &[Curve]) -> anyhow::Result<(LogicalInstant, LogicalInstant)> {
        let end = curves.iter().map(|curve| curve.end).max().unwrap_or_default();
        let last = names.tick.instant(end);
        let at = |option, time| within(option, time, names, last).map(|at| names.tick.logical(at));
        let from = self.window.from.map(|time| at("--from", time)).transpose()?.unwrap_or_default();
        let to = self.window.to.map(|time| at("--to", time)).transpose()?.unwrap_or(end);
        anyhow::ensure!(
            from < to || curves.is_empty(),
            "the window would end before it begins; give a `--to` that is later than `--from`"
        );
        Ok((from, to))
    }
}

impl Curves {
    /// Draws the curves, prints their table, and writes the picture.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let Chosen { opened, is_damaged, curves, window } = self.shown.chosen(console)?;
        if curves.is_empty() {
            console.say("no sensor, actuator or port had a value in this run: there is nothing to draw");
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
        let text = csv::table(&curves, from, to);
        let path = opened.result(self.output.as_deref(), "csv");
        replace(&path, text.as_bytes())?;
        let lines = text.lines().count().saturating_sub(1);
        console.say(format_args!("{}: {} curves, {lines} instants", path.display(), curves.len()));
        console
            .object(&json!({ "csv": path.display().to_string(), "curves": curves.len(), "instants": lines }));
        Ok(Opened { is_damaged, ..opened }.exit_code())
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
