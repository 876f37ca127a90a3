//! Values with their place in the description's text.

use crate::quantity::Bytes;
use miette::SourceSpan;
use std::ops::Deref;

/// A value, and where it stands, so that what is found out later can be said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// First byte and number of bytes in the text.
    pub place: SourceSpan,
}

impl<T> Placed<T> {
    /// A value and where it stands.
    pub const fn new(value: T, place: SourceSpan) -> Placed<T> {
        Placed { value, place }
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Without its place.
pub(super) fn value<T>(placed: Placed<T>) -> T {
    placed.value
}

impl Placed<Bytes> {
    /// Whether it is less than `least`.
    pub(super) fn below(&self, least: u32) -> bool {
        self.value.get() < least
    }
}
