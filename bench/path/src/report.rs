//! What is reported: the longest step of each entry, with its path.

use std::fmt;

use serde::Serialize;

/// The longest steps of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Instructions of the longest of all.
    pub longest: u64,
    /// The longest step from each entry, in the request's order.
    pub steps: Vec<Step>,
    /// Where steps begin inside a handler: the heads of the loops that are marked as step boundaries, and the
    /// functions that are named as such.
    pub boundaries: Vec<u32>,
}

impl Report {
    /// The longest step of the entry of that name.
    #[must_use]
    pub fn step(&self, entry: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.entry == entry)
    }
}

/// The longest step that begins at, or after, one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The exception handler.
    pub entry: String,
    /// Executed instructions, at most.
    pub instructions: u64,
    /// Between what it lies.
    pub span: Span,
    /// The path that has this length, block by block.
    pub path: Vec<Location>,
}

/// What a step lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// The entry and the exception return.
    EntryToExit,
    /// The entry and the first step boundary.
    EntryToBoundary,
    /// Two step boundaries.
    BoundaryToBoundary,
    /// The last step boundary and the exception return.
    BoundaryToExit,
}

/// A basic block on a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// Its first address.
    pub address: u32,
    /// The function, also where it was inlined.
    pub function: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The source line; 0 if unknown.
    pub line: u32,
    /// Its instructions.
    pub instructions: u64,
    /// How often it runs on this path, here.
    pub count: u64,
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Span::EntryToExit => "entry to exit",
            Span::EntryToBoundary => "entry to step boundary",
            Span::BoundaryToBoundary => "step boundary to step boundary",
            Span::BoundaryToExit => "step boundary to exit",
        })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.instructions.saturating_mul(self.count);
        write!(formatter, "{total:6}  {:4} x {:<5} {:#010x}  ", self.instructions, self.count, self.address)?;
        match self.line {
            0 => write!(formatter, "{}", self.function),
            line => write!(formatter, "{}  {}:{line}", self.function, self.file),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}: {} instructions, {}", self.entry, self.instructions, self.span)?;
        self.path.iter().try_for_each(|location| writeln!(formatter, "{location}"))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(formatter, "{step}"))?;
        write!(formatter, "longest step: {} instructions", self.longest)
    }
}
