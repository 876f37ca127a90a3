//! What both programs share: where figures are kept, and how recorded rows, pages and plots are written.
#![forbid(unsafe_code)]

mod document;
mod folder;
pub mod plot;
mod rows;

pub use document::{markdown, with_table, write};
pub use folder::folder;
pub use rows::{read_rows, write_rows};
