//! Execution times: what jobs really took, compared with the declared times.

use std::fmt;

use serde::Serialize;

use crate::clock::Nanoseconds;
use crate::names::Declared;

use super::distribution::Distribution;

/// The execution times of a task's jobs. They include kernel time: the kernel's records tell when a thread
/// lost the processor, not when the kernel began to take it away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Execution {
    /// The observed times of completed jobs.
    pub observed: Distribution,
    /// The declared times.
    pub declared: Option<Declared>,
    /// How the last jobs differ from the first ones.
    pub drift: Option<Drift>,
}

/// The median execution time at the beginning and at the end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// Of the first tenth of the jobs.
    #[serde(rename = "first_ns")]
    pub first: Nanoseconds,
    /// Of the last tenth.
    #[serde(rename = "last_ns")]
    pub last: Nanoseconds,
}

/// A reason for a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A job took longer than declared: the proof doesn't cover that.
    MoreThanDeclared,
    /// A job took less than the declared best.
    LessThanDeclared,
    /// Less than a tenth of the declared time is left.
    LittleMargin,
    /// Jobs at the end of the trace take longer than at its beginning.
    Drift,
}

/// A tenth must contain at least this many jobs for its median to mean anything.
const FEWEST: usize = 5;

impl Execution {
    /// From execution times in job order; `None` if there are none.
    #[must_use]
    pub fn of(times: Vec<Nanoseconds>, declared: Option<Declared>) -> Option<Execution> {
        let drift = Drift::of(&times);
        Some(Execution { observed: Distribution::of(times)?, declared, drift })
    }

    /// The unused part of the declared time in the worst observed case, in per cent; negative if it was
    /// exceeded.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        let worst = self.declared?.worst.number();
        let most = self.observed.most.number();
        (worst > 0).then(|| (worst as f64 - most as f64) / worst as f64 * 100.0)
    }

    /// The reasons for a warning, the worst first.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let observed = &self.observed;
        let varies = observed.least != observed.most;
        let more = self.declared.is_some_and(|declared| observed.most > declared.worst);
        let less = self.declared.is_some_and(|declared| observed.least < declared.best);
        // If all jobs take the same, they were simulated with their worst case.
        let little = varies && !more && self.margin().is_some_and(|margin| margin < 10.0);
        let drifts = self.drift.is_some_and(Drift::is_notable);
        let all = [
            (more, Warning::MoreThanDeclared),
            (less, Warning::LessThanDeclared),
            (little, Warning::LittleMargin),
            (drifts, Warning::Drift),
        ];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, warning)| warning).collect()
    }

    /// A warning in words.
    #[must_use]
    pub fn in_words(&self, warning: Warning) -> String {
        let declared =
            self.declared.unwrap_or(Declared { best: Nanoseconds::default(), worst: Nanoseconds::default() });
        match warning {
            Warning::MoreThanDeclared => format!(
                "a job took {}, the description says at most {}: raise its `worst`, or the proof doesn't hold",
                self.observed.most, declared.worst
            ),
            Warning::LessThanDeclared => format!(
                "a job took {}, the description says at least {}: lower its `best`",
                self.observed.least, declared.best
            ),
            Warning::LittleMargin => format!(
                "a job took {} of the declared {}: less than a tenth is left",
                self.observed.most, declared.worst
            ),
            Warning::Drift => match self.drift {
                Some(drift) => drift.to_string(),
                None => String::new(),
            },
        }
    }
}

impl Drift {
    fn of(times: &[Nanoseconds]) -> Option<Drift> {
        let tenth = times.len() / 10;
        let median = |part: &[Nanoseconds]| Distribution::of(part.to_vec()).map(|part| part.median);
        if tenth < FEWEST {
            return None;
        }
        Some(Drift { first: median(&times[..tenth])?, last: median(&times[times.len() - tenth..])? })
    }

    /// Whether the median has grown by more than a tenth.
    #[must_use]
    pub fn is_notable(self) -> bool {
        let [first, last] = [self.first, self.last].map(|length| u128::from(length.number()));
        last * 10 > first * 11
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "execution times drift: the median of the first tenth of its jobs is {}, of the last {}",
            self.first, self.last
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: impl IntoIterator<Item = u64>, declared: Option<(u64, u64)>) -> Execution {
        let declared = declared
            .map(|(best, worst)| Declared { best: Nanoseconds::new(best), worst: Nanoseconds::new(worst) });
        Execution::of(times.into_iter().map(Nanoseconds::new).collect(), declared).expect("not empty")
    }

    #[test]
    fn what_is_worth_a_warning() {
        use Warning::{Drift, LessThanDeclared, LittleMargin, MoreThanDeclared};
        let cases: [(Execution, &[Warning]); 7] = [
            (of([40, 50, 60], Some((40, 100))), &[]),
            (of([40, 95], Some((40, 100))), &[LittleMargin]),
            (of([100, 100], Some((40, 100))), &[]), // simulated with worst cases
            (of([40, 101], Some((40, 100))), &[MoreThanDeclared]),
            (of([39, 50], Some((40, 100))), &[LessThanDeclared]),
            (of((0..100).map(|job| 50 + job / 10), None), &[Drift]),
            (of((0..49).map(|job| 50 + job), None), &[]), // too few to say
        ];
        for (execution, expected) in cases {
            assert_eq!(execution.warnings(), expected, "{execution:?}");
            for warning in expected {
                assert!(!execution.in_words(*warning).is_empty());
            }
        }
    }

    #[test]
    fn the_margin_is_what_is_left_of_the_declared_time() {
        assert_eq!(of([40, 75], Some((40, 100))).margin(), Some(25.0));
        assert_eq!(of([125], Some((40, 100))).margin(), Some(-25.0));
        assert_eq!(of([125], None).margin(), None);
        assert_eq!(of([125], Some((0, 0))).margin(), None);
    }
}
