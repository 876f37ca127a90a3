//! What a description asks for that can't be had on its board yet. It is refused before anything is compiled.

use crate::board::Processor;
use crate::error::BuildError;
use crate::project::Project;

/// Refuses what the board lacks.
///
/// # Errors
/// The first thing that it lacks, and what to do.
pub fn check(project: &Project) -> Result<(), BuildError> {
    let board = project.description.board.board.value;
    let processor = board.processor;
    if processor.has_crashes || project.assembly.crashes == 0 {
        return Ok(());
    }
    Err(BuildError::Limit {
        message: format!("board {}: crash records aren't written on this processor yet", board.name),
        proposal: "leave them out of the description, or take another board: `--board` names one".to_owned(),
    })
}

/// That the machine code of a processor is read, which `what` needs.
///
/// # Errors
/// It isn't.
pub fn must_be_read(processor: &Processor, what: &str) -> Result<(), BuildError> {
    match processor.is_read {
        true => Ok(()),
        false => Err(BuildError::Limit {
            message: format!(
                "{what} needs to read machine code, and that of {} isn't read by these tools",
                processor.name
            ),
            proposal: "take a board whose code is read: `--board` names one".to_owned(),
        }),
    }
}
