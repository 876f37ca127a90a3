//! What can go wrong between a folder with a system and its image.

use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

use crate::assembly::JoinError;
use crate::code::CodeError;
use crate::description;

/// Why there is no result. The first three show the line of the source.
#[derive(Debug, Error, Diagnostic)]
pub enum BuildError {
    /// The system description is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Description(#[from] description::Diagnostics),
    /// The timing program is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Timing(#[from] beryl_timing::Diagnostics),
    /// The two don't fit together.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Join(#[from] JoinError),
    /// The system doesn't fit the board.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Plan(#[from] description::Diagnostic),
    /// A program can't be expressed.
    #[error(transparent)]
    #[diagnostic(code(beryl::builder::code))]
    Code(#[from] CodeError),
    /// What was named isn't the folder of a system.
    #[error("{} {reason}", path.display())]
    #[diagnostic(
        code(beryl::builder::folder),
        help("name the folder that holds the system's beryl.toml, for example examples/helicopter")
    )]
    NoSystem {
        /// What was named.
        path: PathBuf,
        /// Why it isn't one.
        reason: &'static str,
    },
    /// A file can't be read or written.
    #[error("can't {action} {}: {reason}", path.display())]
    #[diagnostic(code(beryl::builder::file), help("{proposal}"))]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the operating system says.
        reason: std::io::Error,
        /// What to do.
        proposal: String,
    },
    /// A compiler, linker or emulator isn't there.
    #[error("{missing}")]
    #[diagnostic(code(beryl::builder::tool), help("{proposal}"))]
    Tool {
        /// What is missing.
        missing: String,
        /// How to get it.
        proposal: String,
    },
    /// A compiler, linker or program failed.
    #[error("{what} failed")]
    #[diagnostic(code(beryl::builder::step), help("{output}"))]
    Step {
        /// What failed.
        what: String,
        /// What it printed.
        output: String,
    },
    /// A compiler refuses a file of the user's: its own words are for whoever wrote that.
    #[error("{what} failed")]
    #[diagnostic(code(beryl::builder::compiler), help("what the compiler says about it stands above"))]
    Compiler {
        /// What failed.
        what: String,
        /// What it says, in lines as it broke them.
        said: String,
    },
    /// The image breaks a limit that only the linked programs show.
    #[error("{message}")]
    #[diagnostic(code(beryl::builder::limit), help("{proposal}"))]
    Limit {
        /// Which limit, by how much.
        message: String,
        /// What to shrink.
        proposal: String,
    },
}

impl BuildError {
    /// A file that can't be read or written.
    #[must_use]
    pub fn file(action: &'static str, path: impl Into<PathBuf>, reason: std::io::Error) -> BuildError {
        let proposal = match reason.kind() {
            std::io::ErrorKind::NotFound => {
                "check the path; the folder of a system holds a beryl.toml".to_owned()
            }
            _ => "check the path and its permissions".to_owned(),
        };
        BuildError::File { action, path: path.into(), reason, proposal }
    }
}
