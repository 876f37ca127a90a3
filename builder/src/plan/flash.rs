//! Flash: the kernel, behind it the text of all processes with what their data starts with.

use super::place::{ALIGNMENT, Free, Preference};
use super::{Block, Board, Failure, Interval, Limits, Linked, Region, failure, offset};
use crate::quantity::Bytes;

/// What is placed in flash.
pub(super) struct Flash {
    pub(super) kernel: Interval,
    pub(super) text: Block,
    /// Text and load address of each process.
    pub(super) shares: Vec<[Interval; 2]>,
}

/// The kernel's flash and the text of all processes behind it; each has its name.
pub(super) fn place(
    board: &Board,
    limits: Limits,
    kernel: Bytes,
    processes: &[(&str, Linked)],
) -> Result<Flash, Failure> {
    let text: u64 = processes.iter().flat_map(|(_, linked)| parts(*linked)).sum();
    let places = intervals(board, kernel.get().into(), text);
    // What only pads the region behind the last byte isn't in the image.
    let end = |(kernel, region): (Interval, Interval)| match text {
        0 => u64::from(kernel.limit),
        length => u64::from(region.base).saturating_add(length),
    };
    let needed = places.map(|places| end(places).saturating_sub(board.flash.base.into()));
    match (places, u32::try_from(text)) {
        (Some((kernel, text)), Ok(size))
            if needed.is_some_and(|needed| needed <= limits.flash.get().into()) =>
        {
            let shares = shares(text.base, processes);
            Ok(Flash { kernel, text: Block { region: Region::text(text), used: Bytes::new(size) }, shares })
        }
        _ => Err(failure::flash(board, limits, kernel, processes, needed)),
    }
}

fn intervals(board: &Board, kernel: u64, text: u64) -> Option<(Interval, Interval)> {
    let mut free = Free::new(board.flash, Preference::FirstEnd, board.processor);
    let kernel = free.take_first(kernel)?;
    let text = if text == 0 { Interval::new(kernel.limit, kernel.limit) } else { free.take_region(text, 0)? };
    Some((kernel, text))
}

/// Code and constants, and what the data starts with, each aligned.
fn parts(linked: Linked) -> [u64; 2] {
    [linked.text, linked.data].map(|size| u64::from(size.get()).next_multiple_of(ALIGNMENT))
}

/// Text and load address of each process, one behind the other from `base`.
fn shares(base: u32, processes: &[(&str, Linked)]) -> Vec<[Interval; 2]> {
    let mut next = base;
    let mut share = |(_, linked): &(&str, Linked)| {
        parts(*linked).map(|size| {
            let part = Interval::new(next, offset(next, size));
            next = part.limit;
            part
        })
    };
    processes.iter().map(&mut share).collect()
}
