//! How modules with several modes are counted, in words.

use beryl_analysis::{BandProof, Method, Proof};

use super::Doubt;
use crate::assembly::{Assembly, Module};

/// What a reader of a proof, or of a counter-example, has to know about modes, if there is anything to know.
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

/// A doubt for each band whose proof holds only if releases come at equal distances from the start on, where some
/// don't. Bounds with offsets hold whenever those releases come.
#[must_use]
pub fn out_of_step(assembly: &Assembly, proof: &Proof) -> Vec<Doubt> {
    let Some(other) = released_otherwise(assembly) else { return Vec::new() };
    let by_schedule = proof.bands.iter().filter(|band| band.method == Method::Schedule);
    let doubt = |band: &BandProof| {
        let said = format!("band `{}` was decided by its schedule from the start on, and {other}", band.name);
        let whom = assembly.threads.iter().enumerate();
        let whom = whom.filter(|(_, thread)| assembly.bands[thread.band].name == band.name);
        Doubt { said, whom: whom.map(|(index, _)| index).collect() }
    };
    by_schedule.map(doubt).collect()
}

/// Which tasks aren't released at equal distances from the start on, in words.
fn released_otherwise(assembly: &Assembly) -> Option<String> {
    if let Some(row) = assembly.asynchronous.first() {
        let name = &assembly.threads[row.task].name;
        return Some(format!("task `{name}` is asynchronous, so that it may be released at other times"));
    }
    let module = assembly.modules.iter().find(|module| !Module::is_regular(module))?;
    let name = &module.name;
    Some(format!(
        "module `{name}` switches modes or uses slots, so that its tasks may be released at other times"
    ))
}
