//! RAM: the kernel, then the stacks, then what processes write or share and what is published.

use super::place::{ALIGNMENT, Free, Preference};
use super::{
    Block, Board, Demand, Failure, Interval, Limits, PROCESS_REGIONS, ProcessDemand, Region, STACK_REGION,
    SharedPlan, StackPlan, failure, published,
};
use crate::quantity::Bytes;
use beryl_abi::{Journal, ProcessId};

/// What is placed in RAM.
pub(super) struct Ram {
    pub(super) kernel: Interval,
    pub(super) objects: Interval,
    pub(super) published: Block,
    /// The values that the kernel publishes, in `published`.
    pub(super) values: Interval,
    /// The state messages of each process, in `published`.
    pub(super) states: Vec<Interval>,
    pub(super) memories: Vec<Block>,
    /// The rooms of each process for code that takes the place of its own.
    pub(super) rooms: Vec<Block>,
    pub(super) regions: Vec<Block>,
    pub(super) stacks: Vec<StackPlan>,
}

impl Ram {
    /// From the start of RAM to the last byte in use.
    fn used(&self, board: &Board) -> u64 {
        let blocks = self.memories.iter().chain(&self.rooms).chain(&self.regions).chain([&self.published]);
        let blocks = blocks.chain(self.stacks.iter().map(|stack| &stack.block));
        let kernel = self.kernel.limit.max(self.objects.limit);
        let end = blocks.map(|block| block.region.interval.limit).fold(kernel, u32::max);
        u64::from(end.saturating_sub(board.ram.base))
    }

    /// The shared regions with their names.
    pub(super) fn shared(&self, demand: &Demand) -> Vec<SharedPlan> {
        let rows = demand.shared.iter().zip(&self.regions);
        rows.map(|(shared, block)| SharedPlan { name: shared.name.clone(), block: *block }).collect()
    }
}

pub(super) fn place(board: &Board, limits: Limits, demand: &Demand) -> Result<Ram, Failure> {
    let preferences = [Preference::FirstEnd, Preference::Shortest];
    let found = preferences.into_iter().filter_map(|preference| find(board, demand, preference));
    match found.min_by_key(|ram| ram.used(board)) {
        Some(ram) if ram.used(board) <= limits.ram.get().into() => Ok(ram),
        ram => Err(failure::ram(board, limits, demand, ram.map(|ram| ram.used(board)))),
    }
}

/// The kernel and its messages first; then the stacks, the largest first; then what processes write or share and what
/// is published, the largest first.
fn find(board: &Board, demand: &Demand, preference: Preference) -> Option<Ram> {
    let mut free = Free::new(board.ram, preference, board.processor);
    let kernel = free.take_first(demand.kernel.get().into())?;
    let objects = match demand.objects {
        Bytes::ZERO => Interval::new(kernel.limit, kernel.limit),
        size => free.take_first(size.get().into())?,
    };
    let stacks = stacks(&mut free, &demand.processes)?;
    let mut ram = Ram {
        kernel,
        objects,
        published: Block { region: Region::published(Interval::EMPTY), used: Bytes::ZERO },
        values: Interval::EMPTY,
        states: Vec::new(),
        memories: Vec::new(),
        rooms: Vec::new(),
        regions: Vec::new(),
        stacks,
    };
    place_writable(&mut free, demand, &mut ram)?;
    ram.rooms = rooms(&mut free, demand)?;
    Some(ram)
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

/// What is placed above stacks.
enum Wanted {
    Published,
    Memory,
    Shared,
}

/// What is published, the memory of each process and what they share, none below a stack of one who writes it.
fn place_writable(free: &mut Free, demand: &Demand, ram: &mut Ram) -> Option<()> {
    let floors: Vec<u32> = (0_u8..=u8::MAX)
        .zip(&demand.processes)
        .map(|(process, _)| {
            let own = ram.stacks.iter().filter(|stack| stack.process == ProcessId(process));
            own.map(|stack| stack.block.region.interval.limit).max().unwrap_or(0)
        })
        .collect();
    let highest = |processes: &mut dyn Iterator<Item = usize>| {
        processes.filter_map(|process| floors.get(process)).copied().max().unwrap_or(0)
    };
    let writers = &mut (0..floors.len()).filter(|process| demand.processes[*process].states > Bytes::ZERO);
    let published = (Wanted::Published, published::size(demand), highest(writers));
    let memories = demand.processes.iter().zip(&floors);
    let memories = memories.map(|(demand, floor)| (Wanted::Memory, parts(demand).into_iter().sum(), *floor));
    let shared = demand.shared.iter().map(|shared| {
        (Wanted::Shared, u64::from(shared.size.get()), highest(&mut shared.processes.iter().copied()))
    });
    let mut wanted: Vec<_> = std::iter::once(published).chain(memories).chain(shared).enumerate().collect();
    wanted.sort_by_key(|(_, (_, size, _))| std::cmp::Reverse(*size));
    let mut places = Vec::new();
    for (index, (kind, size, floor)) in wanted {
        let interval = match kind {
            _ if size == 0 => Interval::EMPTY,
            Wanted::Published => {
                let area = published::place(free, demand, floor)?;
                (ram.values, ram.states) = (area.values, area.states);
                area.interval
            }
            Wanted::Memory | Wanted::Shared => free.take_region(size, floor)?,
        };
        places.push((index, interval, Bytes::new(u32::try_from(size).ok()?)));
    }
    ram.states.resize(demand.processes.len(), Interval::EMPTY);
    places.sort_by_key(|(index, ..)| *index);
    let number = *PROCESS_REGIONS.start();
    let block = |(_, interval, used)| Block { region: Region::writable(number, interval), used };
    let mut blocks = places.into_iter().map(block);
    let published = blocks.next()?;
    ram.published = Block { region: Region::published(published.region.interval), ..published };
    ram.memories = blocks.by_ref().take(demand.processes.len()).collect();
    ram.regions = blocks.collect();
    Some(())
}

/// Two rooms for each process that can be replaced, in one region. They may lie anywhere: nobody writes them but the
/// kernel.
fn rooms(free: &mut Free, demand: &Demand) -> Option<Vec<Block>> {
    let number = *PROCESS_REGIONS.start();
    let block = |process: &ProcessDemand| {
        let size = u64::from(process.room.get()).saturating_mul(2);
        let interval = if size == 0 { Interval::EMPTY } else { free.take_region(size, 0)? };
        Some(Block {
            region: Region::executable(number, interval),
            used: Bytes::new(u32::try_from(size).ok()?),
        })
    };
    demand.processes.iter().map(block).collect()
}

/// Ports, the journal and variables, each aligned.
pub(super) fn parts(process: &ProcessDemand) -> [u64; 3] {
    let journal = Bytes::new(Journal::bytes(process.journal));
    [process.ports, journal, process.memory].map(|size| u64::from(size.get()).next_multiple_of(ALIGNMENT))
}
