//! What can stand in the way of a bound, where, and what to do about it.

use beryl_code::ImageError;
use thiserror::Error;

/// Why no bound can be given.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PathError {
    /// The file isn't a linked Arm image, or is damaged.
    #[error(
        "the image can't be used: {0}; give the linked ELF file of a Thumb-2 kernel, with its symbol table"
    )]
    Image(String),
    /// A symbol that the request names isn't in the image.
    #[error("no code symbol `{0}` in the image; check the name, and that the linker kept it")]
    NoSymbol(String),
    /// An entry from which no path leads anywhere.
    #[error(
        "no step from `{0}`: no path leads from there to an exit or a step boundary; leave it out, or exclude less"
    )]
    NoStep(String),
    /// Control reaches an address that holds no code.
    #[error("{function}: control reaches {address:#x}, which lies in no executable section")]
    OutsideCode {
        /// The function that is being read.
        function: String,
        /// The address without code.
        address: u32,
    },
    /// Control reaches an encoding that isn't an instruction.
    #[error("{function}: control reaches {address:#x}, which isn't an instruction ({reason})")]
    NotAnInstruction {
        /// The function that is being read.
        function: String,
        /// The address of the encoding.
        address: u32,
        /// What the decoder says.
        reason: String,
    },
    /// A call or jump through a register, without a list of targets.
    #[error(
        "{function}: {address:#x} calls or jumps through a register ({instruction}); name its possible \
         targets with `--indirect '{function}=target,..'`, or make the call direct"
    )]
    Indirect {
        /// The function that jumps.
        function: String,
        /// The address of the instruction.
        address: u32,
        /// The instruction.
        instruction: String,
    },
    /// A jump table whose extent can't be found.
    #[error("{function}: the jump table at {address:#x} has no entry that can be followed")]
    Table {
        /// The function that holds the table.
        function: String,
        /// The address of the table branch.
        address: u32,
    },
    /// Functions that call each other in a circle.
    #[error("recursion: {}; the kernel's stack and time are bounded only without it", .0.join(" calls "))]
    Recursion(Vec<String>),
    /// A jump into the middle of a loop.
    #[error("{function}: {address:#x} jumps into the middle of a loop; a loop needs one entry to be bounded")]
    Irreducible {
        /// The function with the jump.
        function: String,
        /// The address of the block that jumps.
        address: u32,
    },
    /// A loop without a bound.
    #[error(
        "{function}: the loop at {first:#x}..{last:#x} ({lines}) has no bound; write \
         `// bound: <number or NAME>` on the line of the loop or directly above it{or}"
    )]
    NoBound {
        /// The function with the loop.
        function: String,
        /// The lowest address of the loop.
        first: u32,
        /// The highest address of an instruction of the loop.
        last: u32,
        /// The source lines that the loop was made from.
        lines: String,
        /// Another way out, where the loop has no source of its own.
        or: String,
    },
    /// A loop that could belong to one of several loops of the source.
    #[error(
        "{function}: the loop at {first:#x}..{last:#x} ({lines}) mixes loops of the source, and not all \
         of them have a number; write `// bound: <number or NAME>` at each, or move the inner one into a function of its own"
    )]
    Ambiguous {
        /// The function with the loop.
        function: String,
        /// The lowest address of the loop.
        first: u32,
        /// The highest address of an instruction of the loop.
        last: u32,
        /// The source lines that the loop was made from.
        lines: String,
    },
    /// An annotation that can't be evaluated.
    #[error("{file}:{line}: the bound `{text}` can't be evaluated: {reason}")]
    Bound {
        /// The source file.
        file: String,
        /// The line of the loop.
        line: u32,
        /// The annotation's text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<ImageError> for PathError {
    fn from(error: ImageError) -> PathError {
        match error {
            ImageError::Image(reason) => PathError::Image(reason),
            ImageError::NoSymbol(name) => PathError::NoSymbol(name),
        }
    }
}
