//! What the tools can't do for a processor yet.

use crate::board::Processor;
use crate::error::BuildError;

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
