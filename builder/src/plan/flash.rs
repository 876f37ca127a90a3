//! Flash: the kernel, behind it the text of all processes with what their data starts with.

use super::place::{ALIGNMENT, Free, Preference};
use super::{Block, Board, Demand, Failure, Interval, Limits, ProcessDemand, Region, failure, offset};
use crate::quantity::Bytes;

/// The kernel's flash and the text of all processes behind it.
pub(super) fn place(board: &Board, limits: Limits, demand: &Demand) -> Result<(Interval, Block), Failure> {
    let text: u64 = demand.processes.iter().map(text_size).sum();
    let places = intervals(board, u64::from(demand.kernel.flash.get()), text);
    let used = places.map_or(u64::MAX, |(_, text)| u64::from(text.limit.saturating_sub(board.flash.base)));
    match (places, u32::try_from(text)) {
        (Some((kernel, text)), Ok(size)) if used <= limits.flash.get().into() => {
            Ok((kernel, Block { region: Region::text(text), used: Bytes::new(size) }))
        }
        _ => Err(failure::flash(limits, demand, places.map(|_| used))),
    }
}

fn intervals(board: &Board, kernel: u64, text: u64) -> Option<(Interval, Interval)> {
    let mut free = Free::new(board.flash, Preference::FirstEnd);
    let kernel = free.take_first(kernel)?;
    let text = if text == 0 { Interval::new(kernel.limit, kernel.limit) } else { free.take_region(text, 0)? };
    Some((kernel, text))
}

/// Code, constants and what the data starts with, each aligned.
fn text_size(process: &ProcessDemand) -> u64 {
    parts(process).into_iter().sum()
}

fn parts(process: &ProcessDemand) -> [u64; 2] {
    let text = u64::from(process.text.get()) + u64::from(process.rodata.get());
    [text, process.data.get().into()].map(|size| size.next_multiple_of(ALIGNMENT))
}

/// Text and load address of each process, one behind the other from `base`.
pub(super) fn shares(base: u32, processes: &[ProcessDemand]) -> Vec<[Interval; 2]> {
    let mut next = base;
    processes
        .iter()
        .map(|process| {
            parts(process).map(|size| {
                let part = Interval::new(next, offset(next, size));
                next = part.limit;
                part
            })
        })
        .collect()
}
