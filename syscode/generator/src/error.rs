//! Why there is no program.

use std::fmt;

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// There are no tasks.
    Empty,
    /// A period or an execution time is zero.
    Zero {
        /// The task.
        task: String,
    },
    /// The hyperperiod is longer than can be counted.
    Hyperperiod,
    /// The hyperperiod has too many instants or slices.
    Long {
        /// How many there may be.
        most: usize,
    },
    /// Slices don't fill the periods.
    Slice {
        /// The slice.
        slice: u64,
        /// A period that isn't a number of them.
        period: u64,
    },
    /// There are too many tasks, or too many different times.
    Many {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// This scheme can't keep a deadline.
    Missed {
        /// The task.
        task: String,
        /// The deadline in ticks.
        deadline: u64,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::Empty => write!(out, "there are no tasks; add one"),
            GenerateError::Zero { task } => {
                write!(out, "task `{task}` has a period or an execution time of zero; give both")
            }
            GenerateError::Hyperperiod => {
                write!(out, "the periods have no common multiple that can be counted; choose harmonic ones")
            }
            GenerateError::Long { most } => write!(
                out,
                "the hyperperiod has more than {most} instants or slices; choose harmonic periods or longer slices"
            ),
            GenerateError::Slice { slice, period } => {
                write!(
                    out,
                    "a period of {period} ticks isn't a number of slices of {slice}; choose a divisor"
                )
            }
            GenerateError::Many { what, most } => {
                write!(out, "there are more than {most} {what}; divide the module")
            }
            GenerateError::Missed { task, deadline } => write!(
                out,
                "task `{task}` isn't done at {deadline} ticks under this scheme; shorten it, or choose another scheme"
            ),
        }
    }
}

impl std::error::Error for GenerateError {}
