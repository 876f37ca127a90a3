//! The newest value of a state message, and the one before if it can't be had.

use beryl_user::port::Plain;
use beryl_user::state::Reader;

/// A reader that always has a value: if one is overwritten while it is read, the last that was read whole.
/// (It isn't, as long as all deadlines hold.)
pub struct Latest<T> {
    reader: Reader<T>,
    value: T,
}

impl<T: Plain> Latest<T> {
    /// Of this state message; `first` until something is read.
    pub fn new(reader: Reader<T>, first: T) -> Latest<T> {
        Latest { reader, value: first }
    }

    /// The newest value.
    pub fn get(&mut self) -> T {
        if let Ok(value) = self.reader.read() {
            self.value = value;
        }
        self.value
    }
}
