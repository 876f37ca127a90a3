//! What is published: the kernel's values and the state messages of each process, all within one region that all may
//! read, and each process's messages in a region of their own, which it may write.

use super::place::{Free, Preference};
use super::{Demand, Interval};
use crate::board::Processor;
use crate::quantity::Bytes;

/// Where what is published lies.
pub(super) struct Area {
    /// All of it.
    pub(super) interval: Interval,
    /// The values that the kernel publishes.
    pub(super) values: Interval,
    /// The state messages of each process.
    pub(super) states: Vec<Interval>,
}

/// Bytes that are asked for.
pub(super) fn size(demand: &Demand) -> u64 {
    let states = demand.processes.iter().map(|process| u64::from(process.states.get()));
    u64::from(demand.published.get()) + states.sum::<u64>()
}

/// Takes the shortest region in which all parts find a place. Parts need regions of their own, so the whole may have to
/// be longer than their sum. It grows by an eighth at a time.
pub(super) fn place(free: &mut Free, demand: &Demand, floor: u32) -> Option<Area> {
    let mut wanted = size(demand);
    loop {
        let mut left = free.clone();
        let interval = left.take_region(wanted, floor)?;
        if let Some(area) = divide(interval, demand, left.processor) {
            *free = left;
            return Some(area);
        }
        wanted += (wanted / 8).max(32);
    }
}

/// The state messages, the largest first, and the kernel's values in what is left, which needs no region of its own.
fn divide(interval: Interval, demand: &Demand, processor: &'static Processor) -> Option<Area> {
    let mut free = Free::new(interval, Preference::FirstEnd, processor);
    let sizes = demand.processes.iter().map(|process| process.states).enumerate();
    let mut sizes: Vec<_> = sizes.filter(|(_, size)| *size > Bytes::ZERO).collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let mut states = vec![Interval::EMPTY; demand.processes.len()];
    for (process, size) in sizes {
        states[process] = free.take_region(size.get().into(), 0)?;
    }
    let values = free.take_anywhere(demand.published.get().into())?;
    Some(Area { interval, values, states })
}
