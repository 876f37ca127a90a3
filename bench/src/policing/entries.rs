//! What a kernel does in a run, entry by entry, from the emulator's log of instructions.
//!
//! An entry goes on until code of an application runs again: exceptions that follow each other without that are one.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::emulator::LOG;
use beryl_builder::workshop::Workshop;
use beryl_path::symbol_addresses;

use crate::entered::Entered;
use crate::observed::{self, code, executed, image};
use crate::step::Kernel;

/// What begins an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// A call.
    Call,
    /// The alarm, or another interrupt.
    Interrupt,
    /// The start, or a fault.
    Other,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What began it.
    pub begin: Begin,
    /// Instructions of applications since the entry before, all of one thread.
    pub before: u64,
    /// Instructions of the kernel.
    pub instructions: u64,
    /// How often it came to each of the functions that were asked for.
    pub came_to: Vec<u64>,
}

impl From<observed::Begin> for Begin {
    fn from(begin: observed::Begin) -> Begin {
        match begin {
            observed::Begin::Call(_) => Begin::Call,
            observed::Begin::Alarm | observed::Begin::Interrupt(_) => Begin::Interrupt,
            observed::Begin::Other | observed::Begin::Look => Begin::Other,
        }
    }
}

/// Runs a kernel's system up to an instant, and answers all of its entries, from the one that starts it, but the last, which
/// ends the run. `functions` are parts of symbols, of which the first has to be there.
///
/// # Errors
/// If the run fails, or the first function isn't in the kernel.
pub fn entries(kernel: &Kernel, workshop: &Workshop, functions: &[&str], end: Instant) -> Result<Vec<Entry>> {
    let Kernel { project, built, elf } = kernel;
    let file = object::File::parse(elf.as_slice())?;
    let addresses = executed(project, built, workshop, image(project), end)?;
    // Up to two hundred megabytes, which nobody reads again.
    let log = workshop.folder(&project.assembly.name).join("steps").join(LOG);
    fs::remove_file(&log).with_context(|| format!("removing {}", log.display()))?;
    let mut places = BTreeMap::new();
    for (number, function) in functions.iter().enumerate() {
        let found = symbol_addresses(elf, &[function])?;
        ensure!(
            number > 0 || !found.is_empty(),
            "the kernel of {} has no `{function}`",
            project.assembly.name
        );
        places.extend(found.into_iter().map(|address| (address, number)));
    }
    let mut entered = Entered::of(kernel, workshop, end)?;
    let came = |address| match entered.is_entry(address) {
        true => entered.next(address).map(|begin| Some(begin.into())),
        false => Ok(None),
    };
    let mut entries = divided(&addresses, &code(&file)?, came, &places, functions.len())?;
    entries.pop().context("the kernel was never entered")?;
    Ok(entries)
}

/// The entries among all instructions of a run. `came` says of an instruction of the kernel what came in there, if anything did.
fn divided(
    addresses: &[u32],
    kernel: &Range<u32>,
    mut came: impl FnMut(u32) -> Result<Option<Begin>>,
    places: &BTreeMap<u32, usize>,
    functions: usize,
) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut before, mut is_inside) = (0, true);
    for address in addresses {
        if !kernel.contains(address) {
            before = if is_inside { 1 } else { before + 1 };
            is_inside = false;
            continue;
        }
        let began = came(*address)?;
        // The boot runs in the kernel's code before there was any entry.
        let is_first = entries.is_empty() && began.is_some();
        if !is_inside || is_first {
            let begin = began.unwrap_or(Begin::Other);
            entries.push(Entry { begin, before, instructions: 0, came_to: vec![0; functions] });
            is_inside = true;
        }
        if let Some(entry) = entries.last_mut() {
            entry.instructions += 1;
            if let Some(place) = places.get(address).and_then(|number| entry.came_to.get_mut(*number)) {
                *place += 1;
            }
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_goes_on_until_an_application_runs() {
        let came = |address| {
            Ok(match address {
                10 => Some(Begin::Call),
                20 => Some(Begin::Interrupt),
                _ => None,
            })
        };
        let places = BTreeMap::from([(12, 0), (22, 1)]);
        // The boot at 1; an interrupt that is followed by a call without a break; code of applications from 100 on.
        let run = [1, 2, 20, 21, 100, 102, 20, 22, 22, 10, 12, 104, 10, 11];
        let entry = |begin, before, instructions, came_to: [u64; 2]| Entry {
            begin,
            before,
            instructions,
            came_to: came_to.into(),
        };
        let expected = [
            entry(Begin::Interrupt, 0, 2, [0, 0]),
            entry(Begin::Interrupt, 2, 5, [1, 2]),
            entry(Begin::Call, 1, 2, [0, 0]),
        ];
        assert_eq!(divided(&run, &(0..100), came, &places, 2).expect("one run"), expected);
    }
}
