//! Why there is no system code.

use beryl_syscode::container::MOST_DURATIONS;

use super::instants::Apart;

/// Why there is no system code for a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// More instructions than an address can tell apart.
    #[error("module `{module}` needs {instructions} instructions; a program has at most 65535")]
    TooLong {
        /// The module.
        module: String,
        /// Its mode with the most of them.
        mode: String,
        /// Why the instants of that mode don't share their code, if they don't.
        apart: Option<Apart>,
        /// How many it would be.
        instructions: usize,
    },
    /// More different durations than the pool has places.
    #[error("module `{module}` has {durations} different times; a program has at most {most}", most = MOST_DURATIONS)]
    TooManyDurations {
        /// The module.
        module: String,
        /// Its mode with the most instants.
        mode: String,
        /// Why those don't share their code, if they don't.
        apart: Option<Apart>,
        /// How many it has.
        durations: usize,
    },
    /// There is no schedule for a band.
    #[error("band `{band}` can't be scheduled by code: {reason}")]
    Unscheduled {
        /// The band.
        band: String,
        /// Why.
        reason: String,
    },
    /// The checker refused what was generated.
    #[error("the system code of `{module}` breaks a rule of its own: {reason}")]
    Refused {
        /// The module, or the activity's module and task.
        module: String,
        /// The rule.
        reason: String,
    },
}
