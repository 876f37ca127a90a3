//! The map: cells of 50 mm, each with a number of how often something was heard in it and not forgotten.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Cells of a row, and rows.
pub const SIDE: usize = 64;
/// The side of a cell, mm.
pub const CELL: f32 = 50.0;
/// The cell in which the robot begins: column and row. Rows go to its left.
pub const START: [i32; 2] = [32, 24];
/// The most that a cell says.
const MOST: u8 = 15;

/// As many cells as the map has.
pub type Cells = [AtomicU8; SIDE * SIDE];

/// The map.
static MAP: Cells = [const { AtomicU8::new(0) }; SIDE * SIDE];
/// The map as it was when somebody asked for it.
static SENT: Cells = [const { AtomicU8::new(0) }; SIDE * SIDE];

/// The cell in which a place is, mm from where the robot began; none outside of the map.
pub fn cell_of([x, y]: [f32; 2]) -> Option<usize> {
    let [column, row] = [START[0] as f32 + x / CELL, START[1] as f32 + y / CELL];
    let is_within = |number: f32| (0.0..SIDE as f32).contains(&number);
    (is_within(column) && is_within(row)).then(|| row as usize * SIDE + column as usize)
}

/// The middle of a cell, mm from where the robot began.
pub fn middle_of(cell: usize) -> [i32; 2] {
    let [column, row] = [cell % SIDE, cell / SIDE].map(|number| number as i32);
    [50 * (column - START[0]) + 25, 50 * (row - START[1]) + 25]
}

/// Something was heard there.
pub fn raise(cell: usize) {
    change(cell, |number| number.saturating_add(1).min(MOST));
}

/// It is so long ago, or can be looked through.
pub fn lower(cell: usize) {
    change(cell, |number| number.saturating_sub(1));
}

/// How many cells are occupied, and a checksum over all (FNV).
pub fn sum() -> [i32; 2] {
    let (mut occupied, mut sum) = (0, 0x811c_9dc5_u32);
    for cell in &MAP {
        let number = cell.load(Relaxed);
        occupied += i32::from(number > 0);
        sum = (sum ^ u32::from(number)).wrapping_mul(0x0100_0193);
    }
    [occupied, sum.cast_signed()]
}

/// Keeps the map as it is now, to be sent.
pub fn keep() {
    for (kept, cell) in SENT.iter().zip(&MAP) {
        kept.store(cell.load(Relaxed), Relaxed);
    }
}

/// The cells of some rows of the map that was kept.
pub fn kept(rows: core::ops::Range<usize>) -> impl Iterator<Item = u8> {
    let cells = SENT.get(SIDE * rows.start..SIDE * rows.end).unwrap_or_default();
    cells.iter().map(|cell| cell.load(Relaxed))
}

fn change(cell: usize, to: impl Fn(u8) -> u8) {
    if let Some(cell) = MAP.get(cell) {
        cell.store(to(cell.load(Relaxed)), Relaxed);
    }
}
