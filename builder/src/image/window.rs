//! Whether linked processes that use the environment's window have its device. Without it, the first access faults.
//!
//! What counts is the code that the linker kept: a getter may as well ask a device of its own, and never look there.

use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};

use super::process::{ENVIRONMENT, ProcessImage};
use crate::error::BuildError;
use crate::functions::window::{has_device, lacking};
use crate::project::Project;

/// Refuses a process that uses the window without the device.
///
/// # Errors
/// Which process, and what to write.
pub(super) fn check(project: &Project, process: usize, linked: &ProcessImage) -> Result<(), BuildError> {
    match has_device(project, process) || !uses(linked.elf()) {
        true => Ok(()),
        false => Err(lacking(project, process, "code that was linked into it")),
    }
}

/// Whether linked code asks for the window's address: the linker leaves word of it.
fn uses(elf: &[u8]) -> bool {
    let Ok(file) = object::File::parse(elf) else { return false };
    // What isn't loaded, as lines for debuggers, has no address.
    let loaded = file.sections().filter(|section| section.address() > 0);
    let mut relocations = loaded.flat_map(|section| section.relocations());
    relocations.any(|(_, relocation)| {
        let RelocationTarget::Symbol(index) = relocation.target() else { return false };
        file.symbol_by_index(index).is_ok_and(|symbol| symbol.name() == Ok(ENVIRONMENT))
    })
}
