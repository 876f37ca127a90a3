//! What can't be expressed because it is too large, at its line of the timing program, with what helps.

use beryl_timing::{Diagnostics, Mode, Model, Place, Problem, Several};

use crate::code::{Apart, CodeError};
use crate::error::BuildError;

/// An error about the code of a module as one about the text from which it comes.
#[must_use]
pub fn in_the_text(error: CodeError, model: &Model) -> BuildError {
    let (module, mode, apart) = match &error {
        CodeError::TooLong { module, mode, apart, .. }
        | CodeError::TooManyDurations { module, mode, apart, .. } => (module, mode, *apart),
        CodeError::Unscheduled { .. } | CodeError::Refused { .. } => return error.into(),
    };
    let module = model.modules.iter().find(|known| known.name == *module);
    match module.and_then(|module| module.modes.iter().find(|known| known.name == *mode)) {
        Some(mode) => shown(&error, mode, apart, model).into(),
        None => error.into(),
    }
}

fn shown(error: &CodeError, mode: &Mode, apart: Option<Apart>, model: &Model) -> Diagnostics {
    let (place, label, help) = told(mode, apart);
    let code = "beryl::builder::code";
    let problem = Problem { code, place, message: error.to_string(), label, help: help.into() };
    Several::one("in the timing program", model.diagnostic(problem))
}

fn slots(mode: &Mode, place: Option<Place>) -> (Place, String, String) {
    (
        place.unwrap_or(mode.place),
        format!("because of these slots, each instant of mode `{}` has code of its own", mode.name),
        "put what comes in slots into a module of its own, or give its task a rate without slots".to_owned(),
    )
}

/// The place, what is so there, and what to do.
fn told(mode: &Mode, apart: Option<Apart>) -> (Place, String, String) {
    match apart {
        Some(Apart::Slots(activity)) => slots(mode, mode.places.get(activity).copied()),
        Some(Apart::SwitchSlots(switch)) => slots(mode, mode.switches.get(switch).map(|switch| switch.place)),
        Some(Apart::Rates(count)) => (
            mode.place,
            format!("{count} rates of this mode have nothing in common, so each of its instants has code of its own"),
            "choose frequencies that divide each other, or put some of the activities into a module of their own"
                .to_owned(),
        ),
        Some(Apart::Period) => (
            mode.place,
            "the period of this mode has more than 2^32 ticks, so each of its instants has code of its own".to_owned(),
            "shorten the period, with frequencies to match: what comes once in it may come more often behind a guard"
                .to_owned(),
        ),
        None => (
            mode.place,
            "this mode has the most of them".to_owned(),
            "put some of its activities into a module of their own".to_owned(),
        ),
    }
}
