//! Sensitivity of a system whose modules switch modes.

use super::slower;
use super::{Factor, largest};
use crate::failure::Failure;
use crate::modes::{Modal, holds, prove};

/// How much slower the processor may be, by [`prove`], and which task first fails to be proved if it is
/// slower by another ten-thousandth, if it is a task. *Safe* as the proof is. Cost: at most 22 tests and a
/// proof.
///
/// # Errors
/// Those of [`prove`], also if the system can't be proved as it is.
pub fn speed_in_modes(modal: &Modal) -> Result<(Factor, Option<String>), Failure> {
    if !holds(modal)? {
        // Returns the reason.
        prove(modal)?;
    }
    let test = |count| holds(&slower_modal(modal, Factor::ten_thousandths(count))?);
    let slowdown = Factor::ten_thousandths(largest_from(Factor::ONE.get(), Factor::MOST.get(), test)?);
    let beyond = prove(&slower_modal(modal, Factor::ten_thousandths(slowdown.get() + 1))?);
    let first = match beyond {
        Err(Failure::NotProved { task, .. }) => Some(task),
        _ => None,
    };
    Ok((slowdown, first))
}

/// Whether the processor may be slower by this factor, by the test of [`speed_in_modes`].
///
/// # Errors
/// [`Failure::TimesTooLarge`].
pub fn bears_in_modes(modal: &Modal, factor: Factor) -> Result<bool, Failure> {
    holds(&slower_modal(modal, factor)?)
}

/// [`largest`] from a number on for which `holds`. Nearby numbers are tried first: far beyond, a test takes
/// longer and says no.
fn largest_from(
    known: u64,
    most: u64,
    mut holds: impl FnMut(u64) -> Result<bool, Failure>,
) -> Result<u64, Failure> {
    let mut known = known;
    while known < most {
        let next = known.saturating_mul(2).min(most);
        if !holds(next)? {
            return Ok(largest(known + 1, next - 1, holds)?.unwrap_or(known));
        }
        known = next;
    }
    Ok(known)
}

/// With all times multiplied by this factor.
pub(crate) fn slower_modal(modal: &Modal, factor: Factor) -> Result<Modal, Failure> {
    let mut slow = Modal { system: slower(&modal.system, factor)?, ..modal.clone() };
    for mode in slow.modules.iter_mut().flat_map(|module| &mut module.modes) {
        let calls = mode.calls.iter_mut().chain(&mut mode.begins).map(|(_, work)| work);
        for work in calls.chain([&mut mode.enters]) {
            *work = factor.of(*work)?;
        }
    }
    Ok(slow)
}
