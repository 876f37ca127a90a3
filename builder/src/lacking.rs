//! What the tools can't do for a processor yet.

use crate::board::{Processor, Reads};
use crate::error::BuildError;

/// That all is read back from the machine code of a processor, which `what` needs.
///
/// # Errors
/// It isn't.
pub fn must_be_read(processor: &Processor, what: &str) -> Result<(), BuildError> {
    match processor.reads {
        Reads::StacksAndSteps => Ok(()),
        Reads::Stacks => Err(BuildError::Limit {
            message: format!(
                "{what} needs to read machine code, of which these tools see for {} only how deep stacks get",
                processor.name
            ),
            proposal: "take a board whose code is read for that, too: `--board` names one".to_owned(),
        }),
    }
}
