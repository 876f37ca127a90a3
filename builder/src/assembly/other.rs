//! Other programs of modules, before their names are looked up.

use beryl_timing::Model;

/// Another program of a module, as text.
#[derive(Clone, Debug)]
pub struct Other {
    /// Position of the slot in the description.
    pub slot: usize,
    /// Its file.
    pub file: String,
    /// All modules, with this program's in place of the image's.
    pub model: Model,
}
