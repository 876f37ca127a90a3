//! The boards on which something is tried: one, which its name says, or all of them.

use beryl_builder::board::{BOARDS, Board};

/// Those for something of this name, but for boards that refuse it. `BERYL_BOARD` names one that alone is tried.
pub fn places(name: &str, refuse: &[&str]) -> Vec<&'static Board> {
    let alone = std::env::var("BERYL_BOARD").ok();
    let is_tried =
        |board: &&str| !refuse.contains(board) && alone.as_ref().is_none_or(|alone| alone == board);
    let boards = BOARDS.iter().map(|board| board.name).filter(is_tried);
    let tried = beryl_testing::rotation(name, &boards.collect::<Vec<_>>());
    tried.into_iter().filter_map(Board::named).inspect(|board| println!("{name} on {}", board.name)).collect()
}

/// Ticks of a board in a millisecond.
pub fn millisecond(board: &Board) -> u64 {
    1_000_000 / board.tick.get()
}
