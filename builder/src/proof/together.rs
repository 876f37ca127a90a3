//! How modules with several modes are counted, in words.

use beryl_analysis::{Method, Proof};

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
pub fn out_of_step(assembly: &Assembly, proof: &Proof) -> Option<String> {
    let band = proof.bands.iter().find(|band| band.method == Method::Schedule)?;
    if let Some(row) = assembly.asynchronous.first() {
        return Some(format!(
            "band `{}` was decided by its schedule from the start on, and task `{}` is asynchronous, so that it may be released at \
             other times",
            band.name, assembly.threads[row.task].name
        ));
    }
    let module = assembly.modules.iter().find(|module| !Module::is_regular(module))?;
    Some(format!(
        "band `{}` was decided by its schedule from the start on, and module `{}` switches modes or uses slots, so that its \
         tasks may be released at other times",
        band.name, module.name
    ))
}
