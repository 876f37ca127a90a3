//! All applications of both grids on the kernel: ratios to the background, as lines of a file.

use std::io::Write as _;

use anyhow::{Context, Result, anyhow};
use beryl_builder::toolchain::root;
use serde::Serialize;

use super::application::Application;
use super::grid::{By, Experiment, Point};
use super::{Measured, Takes, WAYS, Way, measured};

/// Applications of an experiment with the same value of something, served in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The experiment.
    pub experiment: Experiment,
    /// What takes time.
    pub costs: &'static str,
    /// The period of servers: the mean distance of soft work.
    pub servers: &'static str,
    /// How soft work is served.
    pub way: &'static str,
    /// What they are grouped by.
    pub by: By,
    /// Its value.
    pub value: u64,
    /// How many they are.
    pub applications: u64,
    /// The sum of their ratios to the background: of mean responses, in ten-thousandths.
    pub response: u64,
    /// The same of context switches.
    pub switches: u64,
}

pub const FILE: &str = "docs/measurements/servers-kernel.jsonl";

/// Ratios of one application: by what takes time, and by way.
type Ratios = Vec<Vec<Measured>>;

/// Runs every so many of the applications of both grids; returns the averages over each grid, as text. Perhaps writes
/// all rows.
pub fn summary(every: usize, is_recorded: bool) -> Result<String> {
    let mut all = Vec::new();
    let mut text =
        "mean responses beside the background, in ten-thousandths; no hard job is late:\n".to_owned();
    for experiment in Experiment::ALL {
        let points: Vec<Point> = experiment.points().into_iter().step_by(every.max(1)).collect();
        let rows = rows(experiment, &points)?;
        for row in rows.iter().filter(|row| row.by == By::All) {
            let ratio = row.response / row.applications.max(1);
            text += &format!("{experiment:?}, {}, {}: {ratio} of {}\n", row.costs, row.way, row.applications);
        }
        all.extend(rows);
    }
    if is_recorded {
        write(&all)?;
    }
    Ok(text)
}

fn write(rows: &[Row]) -> Result<()> {
    let path = root().join(FILE);
    let mut file = std::fs::File::create(&path).with_context(|| format!("writing {}", path.display()))?;
    for row in rows {
        writeln!(file, "{}", serde_json::to_string(row)?)?;
    }
    Ok(())
}

/// The rows of these points.
pub fn rows(experiment: Experiment, points: &[Point]) -> Result<Vec<Row>> {
    let ratios = in_parallel(points)?;
    let mut rows = Vec::new();
    for (costs, takes) in Takes::ALL.iter().enumerate() {
        for by in By::of(experiment) {
            for value in by.values(experiment) {
                for (index, way) in WAYS.iter().enumerate() {
                    let there = points.iter().zip(&ratios).filter(|(point, _)| by.at(point) == *value);
                    let mut row = Row {
                        experiment,
                        costs: takes.name(),
                        servers: "Soft",
                        way: way.name(),
                        by: *by,
                        value: *value,
                        applications: 0,
                        response: 0,
                        switches: 0,
                    };
                    for (_, ratios) in there {
                        row.applications += 1;
                        row.response += ratios[costs][index].response;
                        row.switches += ratios[costs][index].switches;
                    }
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

fn ratios(point: Point) -> Result<Ratios> {
    let application = Application::of(point)?;
    let mut all = Ratios::new();
    for takes in Takes::ALL {
        let of = |way: Way| {
            measured(&application, way, takes).with_context(|| format!("{point:?}, {way:?}, {takes:?}"))
        };
        let background = of(Way::Background)?;
        let mut ratios = Vec::new();
        for (index, way) in WAYS.into_iter().enumerate() {
            let before = all.last().map(|ratios: &Vec<Measured>| ratios[index]);
            // Only who reckons takes longer for it.
            let same = before.filter(|_| takes == Takes::Reckoning && !matches!(way, Way::Slack { .. }));
            ratios.push(match same {
                Some(same) => same,
                None => of(way)?.beside(background),
            });
        }
        all.push(ratios);
    }
    Ok(all)
}

/// In the order of the points.
fn in_parallel(points: &[Point]) -> Result<Vec<Ratios>> {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    let size = points.len().div_ceil(workers).max(1);
    let part = |part: &[Point]| part.iter().copied().map(ratios).collect::<Result<Vec<_>>>();
    std::thread::scope(|scope| {
        let running: Vec<_> = points.chunks(size).map(|chunk| scope.spawn(move || part(chunk))).collect();
        let mut all = Vec::new();
        for worker in running {
            all.extend(worker.join().map_err(|_| anyhow!("a worker panicked"))??);
        }
        Ok(all)
    })
}
