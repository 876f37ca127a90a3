//! The map as it comes over the line, and how it compares with the room.

use core::fmt;

use crate::{Place, Room};

/// Cells of a row, and rows; of a block; and how many blocks there are: as in `app/`.
const SIDE: usize = 64;
const OF_BLOCK: usize = 128;
const BLOCKS: u8 = 32;
/// The side of a cell, mm.
const CELL: f64 = 50.0;
/// The cell in which the robot began.
const START: [f64; 2] = [32.0, 24.0];

/// How far what is heard may be from a wall, and a wall from what is heard: two cells, mm.
pub const TOLERANCE: f64 = 100.0;

/// A map: how often something was heard in each cell, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Map {
    cells: Vec<u8>,
}

/// How a map compares with the room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Occupied cells.
    pub occupied: usize,
    /// The largest distance of one's middle from a wall, mm.
    pub farthest: f64,
    /// Occupied cells where the box was.
    pub of_obstacle: usize,
    /// Places along the walls, each 50 mm, and how many of them have no occupied cell within the tolerance.
    pub places: usize,
    /// Places without one.
    pub missing: usize,
}

impl Verdict {
    /// Whether the map is that of the room: one place in twenty may be missing.
    pub fn is_the_room(&self) -> bool {
        self.farthest <= TOLERANCE && self.of_obstacle == 0 && 20 * self.missing < self.places
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { occupied, farthest, of_obstacle, places, missing } = self;
        write!(
            out,
            "{occupied} cells are occupied, at most {farthest:.0} mm from a wall, {of_obstacle} of them where the box was; {missing} \
             of {places} places along the walls have none within {TOLERANCE:.0} mm"
        )
    }
}

impl Map {
    /// Takes the next block: its number, how many bytes, and those bytes, each a run of equal cells.
    ///
    /// # Errors
    /// It isn't the next one, or hasn't as many cells as a block has.
    pub fn take(&mut self, packet: &[u8]) -> Result<(), String> {
        let [block, bytes, rest @ ..] = packet else { return Err("a block has no head".into()) };
        let runs = rest.get(..usize::from(*bytes)).ok_or("a block is shorter than it says")?;
        let cells = runs.iter().flat_map(|run| std::iter::repeat_n(run >> 4, usize::from(run & 15) + 1));
        let before = self.cells.len();
        self.cells.extend(cells);
        let is_next = before == OF_BLOCK * usize::from(block.saturating_sub(1));
        match is_next && self.cells.len() == before + OF_BLOCK {
            true => Ok(()),
            false => {
                Err(format!("block {block} came behind {before} cells, with {}", self.cells.len() - before))
            }
        }
    }

    /// Whether all blocks are there.
    pub fn is_whole(&self) -> bool {
        self.cells.len() == OF_BLOCK * usize::from(BLOCKS)
    }

    /// What a cell says; row 0 is at the right of the robot's start.
    pub fn cell(&self, column: usize, row: usize) -> u8 {
        self.cells.get(SIDE * row + column).copied().unwrap_or(0)
    }

    /// The middles of occupied cells.
    pub fn occupied(&self) -> Vec<Place> {
        let cells = self.cells.iter().enumerate().filter(|(_, number)| **number > 0);
        cells.map(|(cell, _)| middle(cell % SIDE, cell / SIDE)).collect()
    }

    /// How it compares with a room whose box is gone.
    pub fn compare(&self, room: &Room) -> Verdict {
        let occupied = self.occupied();
        let places = room.along(CELL);
        let near = |place: &Place| {
            occupied.iter().any(|cell| libm::hypot(cell[0] - place[0], cell[1] - place[1]) <= TOLERANCE)
        };
        Verdict {
            occupied: occupied.len(),
            farthest: occupied.iter().map(|cell| room.distance(*cell)).fold(0.0, f64::max),
            of_obstacle: occupied.iter().filter(|cell| room.is_at_obstacle(**cell, TOLERANCE)).count(),
            missing: places.iter().filter(|place| !near(place)).count(),
            places: places.len(),
        }
    }

    /// As text, what is at the left of the robot on top: a line for each two rows, since letters are twice as high as wide.
    pub fn text(&self) -> String {
        let line = |rows: usize| -> String {
            let letter = |column: usize| match [2 * rows, 2 * rows + 1].map(|row| self.cell(column, row) > 0)
            {
                [true, true] => '#',
                [true, false] => '.',
                [false, true] => '\'',
                [false, false] => ' ',
            };
            (0..SIDE).map(letter).collect::<String>().trim_end().to_string() + "\n"
        };
        let text: String = (0..SIDE / 2).rev().map(line).collect();
        text.trim_matches('\n').to_string()
    }
}

/// The middle of a cell, mm from where the robot began.
fn middle(column: usize, row: usize) -> Place {
    [(column as f64 - START[0] + 0.5) * CELL, (row as f64 - START[1] + 0.5) * CELL]
}
