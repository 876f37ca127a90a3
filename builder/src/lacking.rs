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
    let lacking = [
        (
            processor.c.is_none() && !project.description.c.sources.is_empty(),
            "functions in C aren't built for this processor yet",
            "write them in Rust",
        ),
        (
            !processor.has_crashes && project.assembly.crashes > 0,
            "crash records aren't written on this processor yet",
            "leave them out of the description",
        ),
    ];
    let first = lacking.into_iter().find(|(is_lacking, ..)| *is_lacking);
    first.map_or(Ok(()), |(_, what, remedy)| {
        Err(BuildError::Limit {
            message: format!("board {}: {what}", board.name),
            proposal: format!("{remedy}, or take another board: `--board` names one"),
        })
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
