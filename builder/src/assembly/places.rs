//! Places: the absolute address of every cell, once the memory plan has given its home one.

use crate::assembly::{CellId, Cells, Home};

/// Where the homes begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The published area.
    pub published: u32,
    /// The ports of each process.
    pub processes: Vec<u32>,
}

impl Places {
    /// The address of a home.
    #[must_use]
    pub fn home(&self, home: Home) -> u32 {
        match home {
            Home::Published => self.published,
            Home::Process(process) => self.processes[process],
        }
    }

    /// The address of a cell.
    #[must_use]
    pub fn address(&self, cells: &Cells, id: CellId) -> u32 {
        let cell = cells.get(id);
        self.home(cell.home) + cell.offset
    }
}
