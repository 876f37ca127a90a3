//! Counts of everything that went wrong in a run, by kind: for the last line of a run's output, and its exit
//! code.

use std::fmt;

use serde::Serialize;

use super::{Statistics, TaskStatistics};

/// The number of troubles of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Jobs that weren't done by their deadlines, or when their results were needed.
    pub deadline_misses: usize,
    /// Jobs that used more processor time than declared.
    pub overruns: usize,
    /// Releases that no job came of, because the previous job was still at work.
    pub lost_releases: usize,
    /// Drivers and releases that were skipped because their task had been stopped.
    pub skipped: usize,
    /// Threads that did something forbidden.
    pub faults: usize,
}

impl Tally {
    /// Whether nothing went wrong.
    #[must_use]
    pub fn is_well(&self) -> bool {
        *self == Tally::default()
    }

    /// What went wrong here and elsewhere.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            deadline_misses: self.deadline_misses + other.deadline_misses,
            overruns: self.overruns + other.overruns,
            lost_releases: self.lost_releases + other.lost_releases,
            skipped: self.skipped + other.skipped,
            faults: self.faults + other.faults,
        }
    }
}

/// The last line: the misses always, other kinds only if there are any.
impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { deadline_misses, overruns, lost_releases, skipped, faults } = *self;
        write!(formatter, "{deadline_misses} deadline miss{}", plural(deadline_misses, "es"))?;
        if overruns > 0 {
            write!(formatter, ", {overruns} overrun{}", plural(overruns, "s"))?;
        }
        if lost_releases > 0 {
            write!(formatter, ", {lost_releases} lost release{}", plural(lost_releases, "s"))?;
        }
        if skipped > 0 {
            write!(formatter, ", {skipped} skipped")?;
        }
        match faults {
            0 => Ok(()),
            faults => write!(formatter, "; {faults} fault{}", plural(faults, "s")),
        }
    }
}

fn plural(count: usize, ending: &str) -> &str {
    if count == 1 { "" } else { ending }
}

impl Statistics {
    /// Counts the run's troubles.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let sum = |count: fn(&TaskStatistics) -> usize| self.tasks.iter().map(count).sum();
        Tally {
            deadline_misses: self.failures(),
            overruns: sum(|task| task.overruns),
            lost_releases: sum(|task| task.lost_releases),
            skipped: self.skipped,
            faults: self.faults.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_stands_apart_and_none_is_well() {
        assert_eq!(Tally::default().to_string(), "0 deadline misses");
        assert!(Tally::default().is_well());
        let all = Tally { deadline_misses: 1, overruns: 13, lost_releases: 72, skipped: 5, faults: 2 };
        assert_eq!(all.to_string(), "1 deadline miss, 13 overruns, 72 lost releases, 5 skipped; 2 faults");
        let overrun = Tally { overruns: 13, ..Tally::default() };
        assert_eq!(overrun.to_string(), "0 deadline misses, 13 overruns");
        assert!(!overrun.is_well());
    }
}
