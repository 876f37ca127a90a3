//! The memory plan: an address for everything, and the regions that keep processes apart.
//!
//! ```text
//! flash   kernel | text of all processes, what their data starts with
//! RAM     kernel | messages | stacks | what is published, memory of processes, shared regions, also between the stacks
//! ```
//!
//! All may read and execute the text, all may read what is published: the kernel's values, and the state
//! messages of each process, which has a region of its own to write them (of two regions the one with the
//! higher number decides). Shared regions belong to several processes; the rest is its owner's alone. What a
//! process may write lies above all of its stacks, so that a stack that overflows, by however much, meets
//! memory which its thread may not write. Regions have the numbers 0 (text), 1 (published), 2 to 5 (the
//! process), 6 (the running thread's stack).

mod demand;
mod failure;
mod flash;
mod located;
mod place;
mod places;
mod published;
mod ram;
mod table;

pub use demand::{Demand, Limits, Linked, ProcessDemand, SharedDemand, StackDemand};
pub use failure::{Failure, Memory, Part};
pub use located::{Located, limits, located};
pub use places::{Places, SHARED_WORDS};
pub(crate) use table::in_words;

pub use crate::board::{BOARDS, Board, Device, Region, Rights, Uncoverable};
pub use crate::interval::Interval;

use crate::quantity::Bytes;
use beryl_abi::ProcessId;

/// The number of the region that covers the text of all processes.
pub const TEXT_REGION: u8 = 0;
/// The number of the region that covers what is published.
pub const PUBLISHED_REGION: u8 = 1;
/// The numbers of the regions that are switched with the process: its memory, then its state messages, what it shares
/// with others, its devices.
pub const PROCESS_REGIONS: std::ops::RangeInclusive<u8> = 2..=5;
/// The number of the region that is switched with the thread.
pub const STACK_REGION: u8 = 6;

/// Where everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The board.
    pub board: Board,
    /// What may be used of its memory.
    pub limits: Limits,
    /// The kernel's share.
    pub kernel: KernelPlan,
    /// The text of all processes, and what their data starts with.
    pub text: Block,
    /// Messages on their way, which only the kernel touches.
    pub objects: Interval,
    /// What all may read: values that the kernel publishes, and state messages.
    pub published: Block,
    /// The values that the kernel publishes, in `published`.
    pub values: Interval,
    /// The processes, in the order of the demand.
    pub processes: Vec<ProcessPlan>,
    /// The stacks, by process and in the order of the demand.
    pub stacks: Vec<StackPlan>,
    /// The shared regions, in the order of the demand.
    pub shared: Vec<SharedPlan>,
}

/// What the kernel has for itself; user mode can't touch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelPlan {
    /// From the vector table on.
    pub flash: Interval,
    /// Its variables and its stack.
    pub ram: Interval,
}

/// Memory with a region of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What the region covers.
    pub region: Region,
    /// How much of it is asked for; the rest is padding.
    pub used: Bytes,
}

/// Where a process is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessPlan {
    /// Its name.
    pub name: String,
    /// Code and constants, in flash.
    pub text: Interval,
    /// What its data starts with, in flash.
    pub load: Interval,
    /// Everything that it may write, without stacks and devices.
    pub memory: Block,
    /// The most that its variables may take of that.
    pub limit: Bytes,
    /// Two rooms for code that takes the place of its own.
    pub rooms: Block,
    /// The private ports: the first part of its memory.
    pub ports: Interval,
    /// Where it writes down events by itself: the second part.
    pub journal: Interval,
    /// Initialised variables: the third part.
    pub data: Interval,
    /// Variables that start with zero: the fourth part.
    pub bss: Interval,
    /// State messages that it writes, in what is published.
    pub states: Region,
    /// What it shares with others: positions in the plan's list.
    pub shared: Vec<(usize, Region)>,
    /// Its devices.
    pub devices: Vec<(Device, Region)>,
}

/// Where a shared region is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPlan {
    /// Its name.
    pub name: String,
    /// Where it lies; its number differs from process to process.
    pub block: Block,
}

/// Where a thread's stack is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackPlan {
    /// The thread's name.
    pub thread: String,
    /// Its process.
    pub process: ProcessId,
    /// The stack: all of the region is its own.
    pub block: Block,
}

/// Finds a place in RAM for everything. In flash, it is as if nothing had text; see [`Plan::with_flash`].
///
/// # Errors
/// [`Failure`] if it doesn't fit.
pub fn plan(board: &Board, limits: Limits, demand: &Demand) -> Result<Plan, Failure> {
    failure::check(board, demand)?;
    let ram = ram::place(board, limits, demand)?;
    let rows = demand.processes.iter().enumerate();
    let processes = rows.map(|(index, process)| process_plan(index, process, demand, &ram));
    let start = Interval::new(board.flash.base, board.flash.base);
    Ok(Plan {
        board: *board,
        limits,
        kernel: KernelPlan { flash: start, ram: ram.kernel },
        text: Block { region: Region::text(start), used: Bytes::ZERO },
        objects: ram.objects,
        published: ram.published,
        values: ram.values,
        processes: processes.collect(),
        shared: ram.shared(demand),
        stacks: ram.stacks,
    })
}

impl Plan {
    /// The same plan with a place in flash for a kernel of this size and for the processes as they are linked, in their
    /// order; those that aren't linked yet have no text. Nothing in RAM moves, whatever they are.
    ///
    /// # Errors
    /// [`Failure`] if the flash is too small, or the memory of a process for its variables.
    pub fn with_flash(&self, kernel: Bytes, linked: &[Linked]) -> Result<Plan, Failure> {
        let sizes = linked.iter().copied().chain(std::iter::repeat(Linked::default()));
        let named: Vec<_> = self.processes.iter().map(|process| process.name.as_str()).zip(sizes).collect();
        self.processes.iter().zip(&named).try_for_each(|(process, (_, linked))| process.has_room(*linked))?;
        let flash = flash::place(&self.board, self.limits, kernel, &named)?;
        let rows = self.processes.iter().zip(&named).zip(flash.shares);
        let processes = rows.map(|((process, (_, linked)), share)| process.with_flash(*linked, share));
        Ok(Plan {
            kernel: KernelPlan { flash: flash.kernel, ..self.kernel },
            text: flash.text,
            processes: processes.collect(),
            ..self.clone()
        })
    }

    /// The same plan where an image may take all of the board's flash.
    #[must_use]
    pub fn with_all_flash(&self) -> Plan {
        Plan { limits: Limits { flash: self.board.flash.length(), ..self.limits }, ..self.clone() }
    }

    /// The regions that stay the same whoever runs: text and published values.
    #[must_use]
    pub fn fixed_regions(&self) -> [Region; 2] {
        [self.text.region, self.published.region]
    }

    /// The flash from its start to the last byte in use: what an image takes. What pads the last region isn't in it.
    #[must_use]
    pub fn flash_used(&self) -> Bytes {
        let text = offset(self.text.region.interval.base, self.text.used.get().into());
        Interval::new(self.board.flash.base, self.kernel.flash.limit.max(text)).length()
    }

    /// The RAM from its start to the last byte in use, padding and gaps included.
    #[must_use]
    pub fn ram_used(&self) -> Bytes {
        let blocks = self.ram_blocks().map(|block| block.region.interval.limit);
        let end =
            blocks.chain([self.kernel.ram.limit, self.objects.limit]).max().unwrap_or(self.board.ram.base);
        Interval::new(self.board.ram.base, end).length()
    }

    /// Everything in RAM that has a region.
    pub fn ram_blocks(&self) -> impl Iterator<Item = &Block> {
        let memories = self.processes.iter().map(|process| &process.memory);
        let stacks = self.stacks.iter().map(|stack| &stack.block);
        let rooms = self.processes.iter().map(|process| &process.rooms);
        let shared = self.shared.iter().map(|shared| &shared.block);
        std::iter::once(&self.published).chain(memories).chain(stacks).chain(shared).chain(rooms)
    }
}

impl ProcessPlan {
    /// The regions that are switched with the process, in the order of their numbers; at most four.
    pub fn regions(&self) -> impl Iterator<Item = Region> {
        let states = self.states.enabled().then_some(self.states);
        let shared = self.shared.iter().map(|(_, region)| *region);
        let devices = self.devices.iter().map(|(_, region)| *region);
        let rooms = self.rooms.region.enabled().then_some(self.rooms.region);
        std::iter::once(self.memory.region).chain(states).chain(shared).chain(devices).chain(rooms)
    }

    /// Where each of its rooms begins.
    #[must_use]
    pub fn room_addresses(&self) -> [u32; 2] {
        let base = self.rooms.region.interval.base;
        [base, offset(base, u64::from(self.rooms.used.get() / 2))]
    }

    /// Where its variables are.
    fn variables(&self) -> Interval {
        Interval::new(
            self.journal.limit,
            offset(self.memory.region.interval.base, self.memory.used.get().into()),
        )
    }

    fn has_room(&self, linked: Linked) -> Result<(), Failure> {
        let needed = u64::from(linked.data.get()) + u64::from(linked.zeros.get());
        match needed <= self.limit.get().into() {
            true => Ok(()),
            false => Err(Failure::ProcessTooLarge { process: self.name.clone(), limit: self.limit, needed }),
        }
    }

    /// The same process with its text, and its variables divided; it was looked at before that they have room.
    fn with_flash(&self, linked: Linked, [text, load]: [Interval; 2]) -> ProcessPlan {
        let variables = self.variables();
        let middle = offset(variables.base, linked.data.get().into());
        let (data, bss) = (Interval::new(variables.base, middle), Interval::new(middle, variables.limit));
        ProcessPlan { text, load, data, bss, ..self.clone() }
    }
}

impl Block {
    /// Bytes of the region that nobody asked for.
    #[must_use]
    pub fn padding(&self) -> Bytes {
        Bytes::new(self.region.interval.length().get().saturating_sub(self.used.get()))
    }
}

impl Region {
    const fn text(interval: Interval) -> Region {
        Region { number: TEXT_REGION, interval, rights: Rights::Read, executable: true, device: false }
    }

    const fn published(interval: Interval) -> Region {
        Region { number: PUBLISHED_REGION, interval, rights: Rights::Read, executable: false, device: false }
    }

    const fn executable(number: u8, interval: Interval) -> Region {
        Region { number, interval, rights: Rights::Read, executable: true, device: false }
    }

    const fn writable(number: u8, interval: Interval) -> Region {
        Region { number, interval, rights: Rights::ReadWrite, executable: false, device: false }
    }
}

fn process_plan(index: usize, process: &ProcessDemand, demand: &Demand, ram: &ram::Ram) -> ProcessPlan {
    let memory = ram.memories[index];
    let mut next = memory.region.interval.base;
    let [ports, journal, bss] = ram::parts(process).map(|size| {
        let part = Interval::new(next, offset(next, size));
        next = part.limit;
        part
    });
    let (text, load, data) = (Interval::EMPTY, Interval::EMPTY, Interval::new(bss.base, bss.base));
    let mut numbers = PROCESS_REGIONS.skip(1);
    // The demand was checked: there are enough numbers.
    let mut writable = |interval| Region::writable(numbers.next().unwrap_or(STACK_REGION), interval);
    let states = match ram.states[index] {
        Interval::EMPTY => Region::writable(0, Interval::EMPTY),
        interval => writable(interval),
    };
    let shared = demand.shared.iter().enumerate().filter(|(_, shared)| shared.processes.contains(&index));
    let shared = shared.map(|(position, _)| (position, writable(ram.regions[position].region.interval)));
    let shared = shared.collect();
    let device = |device: &Device| {
        (*device, Region { device: true, rights: device.rights, ..writable(device.interval) })
    };
    let devices = process.devices.iter().map(device).collect();
    let mut rooms = ram.rooms[index];
    if rooms.region.enabled() {
        rooms.region.number = numbers.next().unwrap_or(STACK_REGION);
    }
    let (name, limit) = (process.name.clone(), process.memory);
    ProcessPlan { name, text, load, memory, limit, rooms, ports, journal, data, bss, states, shared, devices }
}

/// `base + size`, where the sum of all sizes is known to fit the memory.
fn offset(base: u32, size: u64) -> u32 {
    u32::try_from(u64::from(base) + size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
