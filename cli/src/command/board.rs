//! The board on the command line: which one a system is for, if not for the one of its description.

use beryl_builder::board::{Board, listed};

/// Which board.
#[derive(clap::Args, Clone, Copy)]
pub struct Chosen {
    /// The board, if not the one that the description names.
    #[arg(long, value_name = "BOARD", value_parser = named)]
    pub board: Option<&'static Board>,
}

fn named(name: &str) -> Result<&'static Board, String> {
    Board::named(name).ok_or_else(|| format!("there are {}", listed()))
}
