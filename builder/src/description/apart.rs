//! `kernel` of a board: whether the kernel has a core of its own, and what can't be had then.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Placed, code};
use crate::board::{BOARDS, Board};
use miette::SourceSpan;
use toml::de::DeValue;

/// The key of a board, and of another one that stands in for it.
pub(super) const KEY: &str = "kernel";

/// Where the kernel is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kernel {
    /// On the core of the threads.
    Same,
    /// On another one, which it has to itself.
    Other,
}

impl Value for Kernel {
    const EXAMPLE: &'static str = "\"other core\"";

    fn read(text: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(text, &[("same core", Kernel::Same), ("other core", Kernel::Other)])
    }
}

/// The board whose section this is, with its kernel where that wants it; nothing if that doesn't say so.
pub(super) fn board(
    section: &Section<'_>,
    usual: &'static Board,
    reporter: &mut Reporter,
) -> Option<&'static Board> {
    let Placed { value, place } = section.optional::<Kernel>(KEY, reporter)?;
    if value == Kernel::Same {
        return None;
    }
    if usual.apart.is_none() {
        let others = BOARDS.iter().filter(|board| board.apart.is_some()).map(|board| board.name);
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{}` has no core for the kernel alone", usual.name),
            label: "not on this board".to_owned(),
            help: format!("leave it out, or take {}, which has one", others.collect::<Vec<_>>().join(" or "))
                .into(),
        });
    }
    usual.apart
}

/// What a kernel on another core doesn't do yet is refused.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = parts.board.filter(|board| board.board.value.has_kernel_apart()) else { return };
    let crashes = parts.system.as_ref().filter(|system| system.crashes > 0);
    let refused = [
        (crashes.map(|system| system.name.place), "crash records"),
        (parts.sleeps.first().map(|sleep| sleep.name.place), "depths of sleep"),
        (parts.objects.slots.first().map(|slot| slot.name.place), "programs that arrive"),
        (replaced(parts), "processes that are replaced"),
        (parts.nodes.first().map(|node| node.name.place), "nodes, or cores with a kernel each"),
    ];
    for (place, what) in refused {
        let Some(place) = place else { continue };
        let problem = Problem {
            code: code::CONFLICT,
            place,
            message: format!("with the kernel on another core there are no {what}"),
            label: "not there".to_owned(),
            help: "leave it out, or `kernel = \"other core\"`".into(),
        };
        reporter.report_with(problem, board.board.place, "this board has the kernel on another core");
    }
}

fn replaced(parts: &Parts) -> Option<SourceSpan> {
    parts.processes.iter().find_map(|process| process.replaceable.map(|rooms| rooms.place))
}
