//! Sensitivity of a system whose modules switch modes.

use super::system::slower;
use super::{Factor, largest_factor};
use crate::failure::Failure;
use crate::modes::{Modal, prove};

/// How much slower the processor may be, by [`prove`], and which task isn't proved first on one that is slower by a
/// ten-thousandth more, if it is one. *Safe* as the proof is. Cost: 20 proofs.
///
/// # Errors
/// Those of [`prove`], also if the system as it is can't be proved.
pub fn speed_in_modes(modal: &Modal) -> Result<(Factor, Option<String>), Failure> {
    prove(modal)?;
    let slowdown = largest_factor(|factor| match prove(&slower_modal(modal, factor)?) {
        Ok(_) => Ok(true),
        Err(Failure::TimesTooLarge) => Err(Failure::TimesTooLarge),
        Err(_) => Ok(false),
    })?;
    let slowdown = slowdown.unwrap_or(Factor::ONE);
    let beyond = prove(&slower_modal(modal, Factor::ten_thousandths(slowdown.get() + 1))?);
    let first = match beyond {
        Err(Failure::NotProved { task, .. }) => Some(task),
        _ => None,
    };
    Ok((slowdown, first))
}

fn slower_modal(modal: &Modal, factor: Factor) -> Result<Modal, Failure> {
    let mut slow = Modal { system: slower(&modal.system, factor)?, ..modal.clone() };
    for mode in slow.modules.iter_mut().flat_map(|module| &mut module.modes) {
        for (_, work) in mode.calls.iter_mut().chain(&mut mode.begins) {
            *work = factor.of(*work)?;
        }
    }
    Ok(slow)
}
