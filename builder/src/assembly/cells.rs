//! Cells: where each value lives, relative to its home.
//!
//! A cell starts at a multiple of four (eight, if its type needs it) and has whole words, so that
//! the kernel can copy words.

use beryl_timing::Type;

/// The number of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(usize);

/// Whose memory a cell lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// Readable by all, written by the kernel only.
    Published,
    /// The ports of a process, by its index; with them what its locks and semaphores protect.
    Process(usize),
    /// The state messages of a process, by its index: readable by all, written by the process.
    State(usize),
    /// Touched by the kernel only: messages on their way.
    Kernel,
}

/// A place for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whose memory it lies in.
    pub home: Home,
    /// Bytes from the start of that memory.
    pub offset: u32,
    /// What it holds.
    pub kind: Type,
    /// What it holds at the start.
    pub initial: Vec<u8>,
}

/// All cells, and how much of each home they fill.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    cells: Vec<Cell>,
}

impl Cells {
    /// A cell behind the others of its home. Without an initial value it starts as zeros.
    pub fn add(&mut self, home: Home, kind: Type, initial: Option<Vec<u8>>) -> CellId {
        let size = usize::try_from(kind.size()).unwrap_or(usize::MAX);
        let offset = self.size(home).next_multiple_of(kind.alignment().max(4));
        let initial = initial.unwrap_or_else(|| vec![0; size]);
        self.cells.push(Cell { home, offset, kind, initial });
        CellId(self.cells.len() - 1)
    }

    /// The part of a cell that begins so many bytes behind its start; the same one for the same part.
    pub fn part(&mut self, whole: CellId, offset: u32, kind: &Type) -> CellId {
        let cell = self.get(whole);
        // What it holds at the start is the whole's.
        let (home, offset) = (cell.home, cell.offset.saturating_add(offset));
        let part = Cell { home, offset, kind: kind.clone(), initial: Vec::new() };
        let known = self.cells.iter().position(|known| *known == part);
        CellId(known.unwrap_or_else(|| {
            self.cells.push(part);
            self.cells.len() - 1
        }))
    }

    /// Makes the next cell of a home start at a multiple of eight.
    pub fn align(&mut self, home: Home) {
        if !self.size(home).is_multiple_of(8) {
            self.add(home, Type::basic(beryl_timing::Basic::Int), None);
        }
    }

    /// Gives a cell another value to start with.
    pub fn set_initial(&mut self, id: CellId, initial: Vec<u8>) {
        self.cells[id.0].initial = initial;
    }

    /// A cell.
    #[must_use]
    pub fn get(&self, id: CellId) -> &Cell {
        &self.cells[id.0]
    }

    /// Bytes from the start of `first` to the end of `last`, in whole words.
    #[must_use]
    pub fn extent(&self, first: CellId, last: CellId) -> u32 {
        let (first, last) = (self.get(first), self.get(last));
        (last.offset + last.kind.size()).saturating_sub(first.offset).next_multiple_of(4)
    }

    /// Bytes that the cells of a home fill, in whole words.
    #[must_use]
    pub fn size(&self, home: Home) -> u32 {
        let ends = self.of(home).map(|cell| (cell.offset + cell.kind.size()).next_multiple_of(4));
        ends.max().unwrap_or(0)
    }

    /// What a home's memory starts with.
    #[must_use]
    pub fn image(&self, home: Home) -> Vec<u8> {
        let mut image = vec![0; usize::try_from(self.size(home)).unwrap_or_default()];
        for cell in self.of(home) {
            let start = usize::try_from(cell.offset).unwrap_or_default();
            image[start..start + cell.initial.len()].copy_from_slice(&cell.initial);
        }
        image
    }

    fn of(&self, home: Home) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.home == home)
    }
}
