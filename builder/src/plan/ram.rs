//! RAM: the kernel, then the stacks, then what processes write and what is published.

use super::place::{ALIGNMENT, Free, Preference};
use super::{
    Block, Board, Demand, Failure, Interval, Limits, PROCESS_REGIONS, ProcessDemand, Region, STACK_REGION,
    StackPlan, failure,
};
use crate::quantity::Bytes;
use beryl_abi::ProcessId;

/// What is placed in RAM.
pub(super) struct Ram {
    pub(super) kernel: Interval,
    pub(super) published: Block,
    pub(super) memories: Vec<Block>,
    pub(super) stacks: Vec<StackPlan>,
}

impl Ram {
    /// From the start of RAM to the last byte in use.
    fn used(&self, board: &Board) -> u64 {
        let blocks =
            self.memories.iter().chain([&self.published]).chain(self.stacks.iter().map(|stack| &stack.block));
        let end = blocks.map(|block| block.region.interval.limit).fold(self.kernel.limit, u32::max);
        u64::from(end.saturating_sub(board.ram.base))
    }
}

pub(super) fn place(board: &Board, limits: Limits, demand: &Demand) -> Result<Ram, Failure> {
    let preferences = [Preference::FirstEnd, Preference::Shortest];
    let found = preferences.into_iter().filter_map(|preference| find(board, demand, preference));
    match found.min_by_key(|ram| ram.used(board)) {
        Some(ram) if ram.used(board) <= limits.ram.get().into() => Ok(ram),
        ram => Err(failure::ram(limits, demand, ram.map(|ram| ram.used(board)))),
    }
}

/// The kernel first; then the stacks, the largest first; then what processes write, the largest first.
fn find(board: &Board, demand: &Demand, preference: Preference) -> Option<Ram> {
    let mut free = Free::new(board.ram, preference);
    let kernel = free.take_first(demand.kernel.ram.get().into())?;
    let stacks = stacks(&mut free, &demand.processes)?;
    let (published, memories) = memories(&mut free, demand, &stacks)?;
    Some(Ram { kernel, published, memories, stacks })
}

fn stacks(free: &mut Free, processes: &[ProcessDemand]) -> Option<Vec<StackPlan>> {
    let owned = (0_u8..=u8::MAX)
        .zip(processes)
        .flat_map(|(process, demand)| demand.stacks.iter().map(move |stack| (ProcessId(process), stack)));
    let mut stacks: Vec<_> = owned.enumerate().collect();
    stacks.sort_by_key(|(_, (_, stack))| std::cmp::Reverse(stack.size));
    let mut places = Vec::new();
    for (index, (process, stack)) in stacks {
        let interval = free.take_region(stack.size.get().into(), 0)?;
        let block = Block { region: Region::writable(STACK_REGION, interval), used: stack.size };
        places.push((index, StackPlan { thread: stack.thread.clone(), process, block }));
    }
    places.sort_by_key(|(index, _)| *index);
    Some(places.into_iter().map(|(_, stack)| stack).collect())
}

/// The published values and the memory of each process, none below a stack of its own.
fn memories(free: &mut Free, demand: &Demand, stacks: &[StackPlan]) -> Option<(Block, Vec<Block>)> {
    let published = (Region::published(Interval::EMPTY), u64::from(demand.published.get()), 0);
    let memories = (0_u8..=u8::MAX).zip(&demand.processes).map(|(process, demand)| {
        let own = stacks.iter().filter(|stack| stack.process == ProcessId(process));
        let floor = own.map(|stack| stack.block.region.interval.limit).max().unwrap_or(0);
        let number = *PROCESS_REGIONS.start();
        (Region::writable(number, Interval::EMPTY), parts(demand).into_iter().sum(), floor)
    });
    let mut wanted: Vec<_> = std::iter::once(published).chain(memories).enumerate().collect();
    wanted.sort_by_key(|(_, (_, size, _))| std::cmp::Reverse(*size));
    let mut places = Vec::new();
    for (index, (region, size, floor)) in wanted {
        let interval = if size == 0 { Interval::EMPTY } else { free.take_region(size, floor)? };
        let used = Bytes::new(u32::try_from(size).ok()?);
        places.push((index, Block { region: Region { interval, ..region }, used }));
    }
    places.sort_by_key(|(index, _)| *index);
    let mut blocks = places.into_iter().map(|(_, block)| block);
    Some((blocks.next()?, blocks.collect()))
}

/// Ports, data and bss, each aligned.
pub(super) fn parts(process: &ProcessDemand) -> [u64; 3] {
    [process.ports, process.data, process.bss].map(|size| u64::from(size.get()).next_multiple_of(ALIGNMENT))
}
