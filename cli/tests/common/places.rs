//! The boards on which something is tried: one, which its name says, or all of them.

use beryl_builder::board::{BOARDS, Board};

/// Those for something of this name, but for boards that refuse it. `BERYL_BOARD` names one that alone is tried.
pub fn places(name: &str, refuse: &[&str]) -> Vec<&'static Board> {
    tried(name, |board| !refuse.contains(&board.name))
}

/// Those whose processes may compute with the processor's floating point.
pub fn places_with_floating(name: &str) -> Vec<&'static Board> {
    tried(name, |board| board.floating.is_some())
}

fn tried(name: &str, has_it: impl Fn(&Board) -> bool) -> Vec<&'static Board> {
    let alone = std::env::var("BERYL_BOARD").ok();
    let is_tried = |board: &&Board| has_it(board) && alone.as_ref().is_none_or(|alone| *alone == board.name);
    let boards = BOARDS.iter().filter(is_tried).map(|board| board.name);
    let tried = beryl_testing::rotation(name, &boards.collect::<Vec<_>>());
    tried.into_iter().filter_map(Board::named).inspect(|board| println!("{name} on {}", board.name)).collect()
}

/// Ticks of a board in a millisecond.
pub fn millisecond(board: &Board) -> u64 {
    1_000_000 / board.tick.get()
}
