//! What is refused of a system, in a line: what commands say that try many and go on with the next one.

use beryl_builder::BuildError;
use miette::Diagnostic;

/// Why a system is refused, each mistake once. Nothing where the system isn't to blame, but a tool or a file, and there is
/// no going on.
pub fn reason(error: &BuildError) -> Option<String> {
    match error {
        BuildError::Description(_)
        | BuildError::Timing(_)
        | BuildError::Join(_)
        | BuildError::Plan(_)
        | BuildError::Code(_)
        | BuildError::Limit { .. } => Some(mistakes(error)),
        // Of what a compiler says, the first.
        BuildError::Compiler { what, said } => {
            let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
            Some(format!("{what} failed: {first}"))
        }
        BuildError::NoSystem { .. }
        | BuildError::File { .. }
        | BuildError::Tool { .. }
        | BuildError::Step { .. } => None,
    }
}

fn mistakes(error: &BuildError) -> String {
    let mut mistakes: Vec<String> = Vec::new();
    for mistake in error.related().into_iter().flatten().map(ToString::to_string) {
        if !mistakes.contains(&mistake) {
            mistakes.push(mistake);
        }
    }
    if mistakes.is_empty() { error.to_string() } else { mistakes.join("; ") }
}
