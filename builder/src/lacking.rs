//! What the tools can't do for a processor yet.

use crate::board::{Processor, Reads};
use crate::error::BuildError;

/// That a debugger can be told of the threads of a processor's kernels.
///
/// # Errors
/// It can't.
pub fn must_have_script(processor: &Processor) -> Result<(), BuildError> {
    match processor.reads {
        Reads::All => Ok(()),
        Reads::Paths => Err(BuildError::Limit {
            message: format!(
                "a debugger's script shows threads by what the port keeps of each, and knows that of Arm, not that of {}",
                processor.name
            ),
            proposal: "take a board with an Arm processor: `--board` names one".to_owned(),
        }),
    }
}
