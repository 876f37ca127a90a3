//! Texts that are stored once, however often they are used.

use std::collections::BTreeMap;

/// The texts so far, in the order in which they came.
#[derive(Default)]
pub(super) struct Words<T> {
    pub(super) all: Vec<T>,
    positions: BTreeMap<T, usize>,
}

impl<T: Clone + Ord> Words<T> {
    /// Where a text is.
    pub(super) fn position(&mut self, words: T) -> usize {
        let next = self.all.len();
        let position = *self.positions.entry(words.clone()).or_insert(next);
        if position == next {
            self.all.push(words);
        }
        position
    }

    /// The same; `None` if it would be one more than `most`.
    pub(super) fn position_up_to(&mut self, words: T, most: usize) -> Option<usize> {
        (self.all.len() < most || self.positions.contains_key(&words)).then(|| self.position(words))
    }
}
