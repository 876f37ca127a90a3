//! Places: the absolute address of everything that tables and glue name, once the memory plan has found it.

use beryl_abi::{Journal, Range};

use super::Plan;
use crate::assembly::{Assembly, CellId, Cells, Home};

/// Where everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The values that the kernel publishes.
    pub published: u32,
    /// The ports of each process.
    pub processes: Vec<u32>,
    /// The journal of each process.
    pub journals: Vec<Journal>,
    /// The state messages of each process.
    pub states: Vec<u32>,
    /// Messages on their way.
    pub kernel: u32,
    /// The stack of each thread, with the words that it shares with the kernel at its end.
    pub stacks: Vec<Range>,
    /// The shared regions.
    pub regions: Vec<Range>,
    /// What the threads of each process may hand to the kernel, besides their stacks: its own memory, then what it
    /// shares.
    pub memories: Vec<Vec<Range>>,
    /// Cells that are in the memory of another core, and where.
    pub elsewhere: Vec<(CellId, u32)>,
}

/// Bytes at the end of a stack that its thread shares with the kernel.
pub const SHARED_WORDS: u32 = 8;

impl Places {
    /// The places that a plan gives.
    #[must_use]
    pub fn of(assembly: &Assembly, plan: &Plan) -> Places {
        let stack = |name: &str| {
            let found = plan.stacks.iter().find(|stack| stack.thread == name);
            found.map_or(Range::EMPTY, |stack| stack.block.region.interval.into())
        };
        let regions: Vec<Range> =
            plan.shared.iter().map(|shared| shared.block.region.interval.into()).collect();
        let memories = plan.processes.iter().map(|process| {
            let shared = process.shared.iter().map(|(_, region)| region.interval.into());
            std::iter::once(process.memory.region.interval.into()).chain(shared).collect()
        });
        let journals = plan.processes.iter().zip(&assembly.processes).map(|(place, row)| match row.journal {
            0 => Journal::NONE,
            places => Journal { address: place.journal.base, places },
        });
        Places {
            journals: journals.collect(),
            published: plan.values.base,
            processes: plan.processes.iter().map(|process| process.ports.base).collect(),
            states: plan.processes.iter().map(|process| process.states.interval.base).collect(),
            kernel: plan.objects.base,
            stacks: assembly.threads.iter().map(|thread| stack(&thread.name)).collect(),
            memories: memories.collect(),
            regions,
            elsewhere: Vec::new(),
        }
    }

    /// The address of a home.
    #[must_use]
    pub fn home(&self, home: Home) -> u32 {
        match home {
            Home::Published => self.published,
            Home::Process(process) => self.processes[process],
            Home::State(process) => self.states[process],
            Home::Kernel => self.kernel,
        }
    }

    /// The address of a cell.
    #[must_use]
    pub fn address(&self, cells: &Cells, id: CellId) -> u32 {
        if let Some((_, address)) = self.elsewhere.iter().find(|(cell, _)| *cell == id) {
            return *address;
        }
        let cell = cells.get(id);
        self.home(cell.home) + cell.offset
    }

    /// Where the words of a thread are that it shares with the kernel.
    #[must_use]
    pub fn words(&self, thread: usize) -> u32 {
        let Range { address, length } = self.stacks[thread];
        address.saturating_add(length).saturating_sub(SHARED_WORDS)
    }
}
