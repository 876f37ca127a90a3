//! The board on the command line: which one a system is for, if not for the one of its description.

use anyhow::anyhow;
use beryl_builder::board::{Board, listed};
use beryl_builder::{Project, Variant};

/// Which board, and which node.
#[derive(clap::Args, Clone, Copy)]
pub struct Chosen {
    /// The board, if not the one that the description names.
    #[arg(long, value_name = "BOARD", value_parser = named)]
    pub board: Option<&'static Board>,
    /// The node, or the core, where a system has several and this is about one.
    #[arg(long, value_name = "NODE", value_parser = node)]
    pub node: Option<&'static str>,
}

/// Which node.
#[derive(clap::Args, Clone, Copy)]
pub struct ChosenNode {
    /// The node, where a system has several: nothing arrives from the others.
    #[arg(long, value_name = "NODE", value_parser = node)]
    node: Option<&'static str>,
}

impl ChosenNode {
    /// A system or its node, for the board of its description.
    pub fn variant(self) -> Variant {
        Variant { node: self.node, ..Variant::default() }
    }
}

impl Chosen {
    /// A system for this board.
    pub fn variant(self) -> Variant {
        Variant { board: self.board, node: self.node, ..Variant::default() }
    }

    /// What is said where a system that is for this board shall run on another machine.
    pub fn not_on(self, machine: &str, project: &Project) -> anyhow::Error {
        let (system, board) = (&project.assembly.name, project.description.board.board.name);
        let what = match self.board {
            Some(_) => format!("for {board} by `--board`"),
            None => format!("described for {board}"),
        };
        anyhow!("{system} is {what}, not for `{machine}`; `--on sim` and `--on {board}` are possible")
    }
}

/// The board of a name.
///
/// # Errors
/// Which ones there are, if it isn't one of them.
pub fn named(name: &str) -> Result<&'static Board, String> {
    Board::named(name).ok_or_else(|| format!("there are {}", listed()))
}

/// The name of a node.
#[expect(clippy::unnecessary_wraps, reason = "a parser of the command line")]
fn node(name: &str) -> Result<&'static str, String> {
    Ok(kept(name))
}

/// A name that is kept for as long as the program runs: of each node once or twice.
pub fn kept(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}
