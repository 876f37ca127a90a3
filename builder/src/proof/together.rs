//! How modules with several modes are counted, in words.

use std::collections::BTreeSet;

use beryl_analysis::{Method, Proof};

use super::Doubt;
use crate::assembly::{Assembly, Module};

/// What a reader of a proof, or of a counter-example, has to know of modes; nothing if there is nothing to know.
#[must_use]
pub fn together(assembly: &Assembly) -> Option<String> {
    let several = assembly.modules.iter().filter(|module| module.modes.len() > 1);
    let names: Vec<_> = several.map(|module| format!("`{}`", module.name)).collect();
    let of = match names.as_slice() {
        [] => return None,
        [only] => format!("module {only}"),
        [rest @ .., last] => format!("modules {} and {last}", rest.join(", ")),
    };
    Some(format!(
        "all modes of {of} are counted as if they ran at a time: safe for every switch, and more than any run needs"
    ))
}

/// Where a proof holds for releases at equal distances from the start on only, and some don't come so.
#[must_use]
pub fn out_of_step(assembly: &Assembly, proof: &Proof) -> Option<Doubt> {
    let band = proof.bands.iter().find(|band| matches!(band.method, Method::Schedule | Method::Offsets))?;
    let whom = assembly.threads.iter().enumerate();
    let whom = whom.filter(|(_, thread)| assembly.bands[thread.band].name == band.name);
    let whom: BTreeSet<usize> = whom.map(|(index, _)| index).collect();
    if let Some(row) = assembly.asynchronous.first() {
        let said = format!(
            "band `{}` was decided by its offsets from the start on, and task `{}` is asynchronous, so that it may be released at \
             other times",
            band.name, assembly.threads[row.task].name
        );
        return Some(Doubt { said, whom });
    }
    let module = assembly.modules.iter().find(|module| !Module::is_regular(module))?;
    let said = format!(
        "band `{}` was decided by its offsets from the start on, and module `{}` switches modes or uses slots, so that its \
         tasks may be released at other times",
        band.name, module.name
    );
    Some(Doubt { said, whom })
}
