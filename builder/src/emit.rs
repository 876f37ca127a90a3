//! Generated sources: one file of this folder for each kind of generated file.

pub mod c;
mod conditions;
pub mod container;
pub mod handles;
pub mod kernel;
pub mod manifest;
pub mod names;
pub mod plugged;
pub mod process;
mod records;
pub mod replaceable;
pub mod reports;
pub mod simulation;
mod slots;
mod source;
pub mod tables;

/// A generated file, relative to the system's folder under `build/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it goes.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl File {
    fn new(path: impl Into<String>, text: String) -> File {
        File { path: path.into(), text }
    }
}

/// A name of the system as a Rust identifier.
#[must_use]
pub fn identifier(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    plain.collect()
}
