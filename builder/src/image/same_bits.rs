//! Functions of the compiler's library whose results differ between machines. No process may call them.
//!
//! The language leaves open which of two zeros with different signs is the smaller one, and the board chooses another
//! than the machine that simulates. A processor without these functions calls them by name, so a linked process
//! shows whether it uses them.

use super::process::ProcessImage;
use crate::error::BuildError;

/// By symbol: what calls it, and what has the same bits everywhere.
const OTHERS: [(&str, &str, &str); 4] = [
    ("fminf", "f32::min", "fminf"),
    ("fmaxf", "f32::max", "fmaxf"),
    ("fmin", "f64::min", "fmin"),
    ("fmax", "f64::max", "fmax"),
];

/// Refuses a process that calls one of them.
///
/// # Errors
/// Which process, what it calls, and what to write.
pub(super) fn check(processes: &[ProcessImage]) -> Result<(), BuildError> {
    for process in processes {
        if let Some((_, calls, instead)) = OTHERS.iter().find(|(symbol, ..)| process.symbol(symbol).is_ok()) {
            return Err(BuildError::Limit {
                message: format!(
                    "process `{}` calls `{calls}`, whose result may differ from that of the simulation: of two zeros of unlike \
                     sign it is either",
                    process.name
                ),
                proposal: format!(
                    "call `beryl_user::math::{instead}`, in C `beryl_{instead}`, which has the same bits everywhere"
                ),
            });
        }
    }
    Ok(())
}
