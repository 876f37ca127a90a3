//! The compiled kernel: how large it is, and whether its variables leave its stack alone.

use object::{Object, ObjectSymbol};

use crate::error::BuildError;
use crate::footprint;
use crate::image::process::loads;
use crate::plan::Interval;
use crate::quantity::Bytes;

/// The first address behind everything that a kernel has in flash.
///
/// # Errors
/// It is no linked program.
pub(super) fn end(elf: &[u8]) -> Result<u32, BuildError> {
    let ends = loads(elf)?.into_iter().map(|(address, bytes)| {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        address.saturating_add(length)
    });
    Ok(ends.max().unwrap_or(0))
}

/// Checks that the kernel's variables leave room for its stack in the RAM that is planned for both.
///
/// # Errors
/// They don't: they have grown since they were measured.
pub(super) fn check_variables(elf: &[u8], ram: Interval) -> Result<(), BuildError> {
    let unreadable = |output: String| BuildError::Step { what: "reading the kernel".to_owned(), output };
    let file = object::File::parse(elf).map_err(|reason| unreadable(reason.to_string()))?;
    let end = file.symbols().find(|symbol| symbol.name() == Ok("__ebss")).map(|symbol| symbol.address());
    let end = end.ok_or_else(|| unreadable("it has no symbol `__ebss`".to_owned()))?;
    let variables = end.saturating_sub(ram.base.into());
    let needed = variables.saturating_add(footprint::STACK);
    if needed <= ram.length().get().into() {
        return Ok(());
    }
    let planned = Bytes::new(ram.length().get()).get();
    Err(BuildError::Limit {
        message: format!("the kernel's variables and stack take {needed} bytes, {planned} are planned"),
        proposal: "this kernel isn't the one that was measured: write its measures again with \
                   `./x bench fits --record`"
            .to_owned(),
    })
}
