//! What a job costs in Beryl: rows of `./x bench job`, copied on the day of the sweep, so that it comes out again.

use anyhow::{Context, Result, ensure};
use beryl_breakdown::folder;
use serde::Deserialize;

/// An instruction a cycle at the board's 25 MHz.
const NANOSECONDS: u64 = 40;

/// A point: so many threads, so many instructions.
type Point = (u64, u64);

/// Instructions of a job that is alone at its instant, by the number of threads in its band and in the system.
#[derive(Clone, Debug)]
pub struct Measured {
    fixed: Vec<Point>,
    dynamic: Vec<Point>,
}

#[derive(Deserialize)]
struct Row {
    bench: String,
    case: String,
    max: u64,
}

impl Measured {
    /// What is recorded in docs/measurements.
    ///
    /// # Errors
    /// The file can't be read, or lacks these figures.
    pub fn read() -> Result<Measured> {
        let path = folder().join("breakdown-jobs.jsonl");
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let (mut fixed, mut dynamic) = (Vec::new(), Vec::new());
        for line in text.lines().filter(|line| line.contains("\"job/one/")) {
            let row: Row = serde_json::from_str(line).with_context(|| line.to_owned())?;
            let threads =
                row.bench.trim_start_matches("job/one/").parse().with_context(|| row.bench.clone())?;
            match row.case.as_str() {
                "fixed band" => fixed.push((threads, row.max)),
                _ => dynamic.push((threads, row.max)),
            }
        }
        fixed.sort_unstable();
        dynamic.sort_unstable();
        let same = fixed.iter().map(|point| point.0).eq(dynamic.iter().map(|point| point.0));
        ensure!(same && !fixed.is_empty(), "{} lacks figures of job/one", path.display());
        Ok(Measured { fixed, dynamic })
    }

    /// Nanoseconds for a job in a band. In a fixed band only the timers grow, with all threads there are; a dynamic
    /// band adds what it costs more with as many members.
    pub fn job(&self, sizes: &[usize], band: usize) -> u64 {
        let all = u64::try_from(sizes.iter().sum::<usize>()).unwrap_or(u64::MAX);
        let members = u64::try_from(sizes[band]).unwrap_or(u64::MAX);
        let timers = between(&self.fixed, all);
        let more = between(&self.dynamic, members).saturating_sub(between(&self.fixed, members));
        let instructions = if band + 1 == sizes.len() { timers } else { timers + more };
        NANOSECONDS * instructions
    }
}

/// The instructions for a number of threads: on the line between the measured numbers around it, rounded up;
/// outside as at the nearest.
fn between(points: &[Point], threads: u64) -> u64 {
    let after = points.iter().position(|point| point.0 >= threads);
    match (after, points.last()) {
        (Some(0), _) => points[0].1,
        (Some(after), _) => {
            let ((least, low), (most, high)) = (points[after - 1], points[after]);
            low + (high.saturating_sub(low) * (threads - least)).div_ceil(most - least)
        }
        (None, last) => last.map_or(0, |point| point.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_cost_what_was_measured_and_in_between_what_lies_between() {
        let measured = Measured { fixed: vec![(5, 100), (15, 110)], dynamic: vec![(5, 200), (15, 250)] };
        let instructions = |sizes: &[usize], band| measured.job(sizes, band) / NANOSECONDS;
        assert_eq!((instructions(&[5], 0), instructions(&[15], 0), instructions(&[10], 0)), (100, 110, 105));
        assert_eq!(
            (instructions(&[15, 0], 0), instructions(&[5, 10], 0), instructions(&[5, 10], 1)),
            (250, 210, 110)
        );
        assert_eq!((instructions(&[1], 0), instructions(&[90], 0)), (100, 110));
    }

    #[test]
    fn the_recorded_figures_are_there() -> Result<()> {
        let measured = Measured::read()?;
        assert!(measured.job(&[10, 0], 0) > measured.job(&[10], 0) && measured.job(&[10], 0) > 0);
        Ok(())
    }
}
