//! All applications under all policies, on all processors.

use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use crate::application::{Experiment, Point};
use crate::policy::{Costs, Period, Way};
use crate::record::{By, Record, Row, Set};

/// Measures everything.
///
/// # Errors
/// The analysis fails, or a task is late.
pub fn all() -> Result<Record> {
    let began = Instant::now();
    let mut rows = Vec::new();
    for experiment in Experiment::ALL {
        for costs in Costs::ALL {
            rows.extend(rows_of(Set(experiment, costs, Period::Soft), &experiment.points())?);
            eprintln!("{experiment:?}, {}: {} s", costs.name(), began.elapsed().as_secs());
        }
        for period in Period::ALL.into_iter().skip(1) {
            rows.extend(rows_of(Set(experiment, Costs::None, period), &experiment.points())?);
            eprintln!("{experiment:?}, {}: {} s", period.name(), began.elapsed().as_secs());
        }
    }
    Ok(Record(rows))
}

/// The ratios of one application under each policy: of mean responses, and of switches, in ten-thousandths.
type Ratios = Vec<(u64, u64)>;

/// The policies that are tried in a set: all, or those that have a period that isn't the figures'.
fn ways(Set(_, _, period): Set) -> Vec<Way> {
    Way::ALL.into_iter().filter(|way| period == Period::Soft || way.server().is_some()).collect()
}

/// The rows of these points.
///
/// # Errors
/// The analysis fails, or a task is late.
pub fn rows_of(set: Set, points: &[Point]) -> Result<Vec<Row>> {
    let Set(experiment, costs, servers) = set;
    let ratios = in_parallel(points, |point| ratios(point, set))?;
    let mut rows = Vec::new();
    for by in By::of(experiment) {
        for value in by.values(experiment) {
            for (index, way) in ways(set).into_iter().enumerate() {
                let there = points.iter().zip(&ratios).filter(|(point, _)| by.at(point) == *value);
                let (mut applications, mut response, mut switches) = (0, 0, 0);
                for (_, ratios) in there {
                    applications += 1;
                    response += ratios[index].0;
                    switches += ratios[index].1;
                }
                let (by, value) = (*by, *value);
                rows.push(Row {
                    experiment,
                    costs,
                    servers,
                    way,
                    by,
                    value,
                    applications,
                    response,
                    switches,
                });
            }
        }
    }
    Ok(rows)
}

fn ratios(point: &Point, set: Set) -> Result<Ratios> {
    let Set(_, costs, period) = set;
    let application = point.application()?;
    let background = Way::Background.run(&application, costs, period)?;
    let ratio = |one: u64, other: u64| (one * 10_000 + other / 2) / other.max(1);
    let of = |way: Way| {
        let outcome = way.run(&application, costs, period).with_context(|| format!("{point:?}"))?;
        Ok((ratio(outcome.response, background.response), ratio(outcome.switches, background.switches)))
    };
    ways(set).into_iter().map(of).collect()
}

/// In the order of the points.
fn in_parallel(points: &[Point], each: impl Fn(&Point) -> Result<Ratios> + Sync) -> Result<Vec<Ratios>> {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    let size = points.len().div_ceil(workers).max(1);
    let part = |part: &[Point]| part.iter().map(&each).collect::<Result<Vec<_>>>();
    std::thread::scope(|scope| {
        let part = &part;
        let running: Vec<_> = points.chunks(size).map(|chunk| scope.spawn(move || part(chunk))).collect();
        let mut all = Vec::new();
        for worker in running {
            all.extend(worker.join().map_err(|_| anyhow!("a worker panicked"))??);
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those with few tasks, with costs and without; nobody is late.
    #[test]
    fn recorded_ratios_of_small_applications_come_out_again() -> Result<()> {
        let record = Record::read()?;
        for (experiment, costs) in [(Experiment::Nearly, Costs::Ten), (Experiment::Gain, Costs::None)] {
            let points: Vec<_> = experiment.points().into_iter().filter(|point| point.tasks == 4).collect();
            let rows = rows_of(Set(experiment, costs, Period::Soft), &points)?;
            let small = rows.iter().filter(|row| row.by == By::Tasks && row.value == 4);
            for row in small {
                assert!(record.0.contains(row), "{row:?} isn't recorded; run it again");
            }
        }
        Ok(())
    }
}
