//! Jump tables: where a `TBB` or `TBH` can lead.

use std::collections::BTreeMap;

use crate::image::Image;
use crate::instruction::{Flow, Instruction, Meaning};

/// How far before a table branch its guard is looked for, in instructions.
const GUARD_DISTANCE: usize = 8;

/// The targets of the table branch `branch`, in the table's order, given what is decoded of its function so
/// far; empty if there is none.
///
/// The guard (`cmp index, #n` and a branch that leaves) limits the table. A match over all values of an
/// enumeration has no guard; then, and in any case, the table ends before the first code that is reached by
/// other ways, before its own lowest target, and at an entry that leads out of the function.
pub fn targets(
    image: &Image<'_>,
    branch: &Instruction,
    entry: u32,
    decoded: &BTreeMap<u32, Instruction>,
) -> Vec<u32> {
    let start = branch.address.wrapping_add(branch.length);
    let guard = guard(branch, decoded).unwrap_or(u32::MAX);
    let mut end =
        first_code(start, decoded).unwrap_or(u32::MAX).min(image.end_of_function(start).unwrap_or(u32::MAX));
    let function_end = image.end_of_function(start).unwrap_or(u32::MAX);
    let mut targets = Vec::new();
    for number in 0..guard {
        let Some(address) = number.checked_mul(entry).and_then(|offset| start.checked_add(offset)) else {
            break;
        };
        let after = address.saturating_add(entry);
        let Some(halfwords) = read(image, address, entry).filter(|_| after <= end) else { break };
        let target = start.wrapping_add(halfwords * 2);
        if target < after || target >= function_end {
            break;
        }
        end = end.min(target);
        targets.push(target);
    }
    targets
}

fn read(image: &Image<'_>, address: u32, entry: u32) -> Option<u32> {
    match (entry, image.code(address)?) {
        (1, [byte, ..]) => Some(u32::from(*byte)),
        (2, [low, high, ..]) => Some(u32::from(u16::from_le_bytes([*low, *high]))),
        _ => None,
    }
}

/// Code that control reaches without the table.
fn first_code(start: u32, decoded: &BTreeMap<u32, Instruction>) -> Option<u32> {
    decoded.range(start..).next().map(|(address, _)| *address)
}

/// How many entries the comparison before the branch lets through.
fn guard(branch: &Instruction, decoded: &BTreeMap<u32, Instruction>) -> Option<u32> {
    let Flow::Table { index, .. } = branch.flow else { return None };
    let mut leaves = None;
    for (_, instruction) in decoded.range(..branch.address).rev().take(GUARD_DISTANCE) {
        match instruction.meaning {
            Meaning::Compare(register, number) if register == index => {
                return match leaves? {
                    Meaning::LeaveIfHigher => number.checked_add(1),
                    _ => Some(number),
                };
            }
            Meaning::LeaveIfHigher | Meaning::LeaveIfSameOrHigher if leaves.is_none() => {
                leaves = Some(instruction.meaning);
            }
            Meaning::Write(register) if register == index => return None,
            Meaning::Write(_) | Meaning::Other if instruction.flow == Flow::On => {}
            _ => return None,
        }
    }
    None
}
