//! Rows of equal length, each stored once and identified by a number.

use std::hash::{Hash, Hasher};

use crate::chain::quick::Mixed;

/// Rows by number, in insertion order, and a hash table with open addressing that holds the row numbers. No
/// row needs an allocation of its own.
pub(super) struct Rows<T> {
    length: usize,
    all: Vec<T>,
    /// A row's number plus 1, or 0 if free. The size is a power of two, and more than twice the number of
    /// rows.
    table: Vec<u32>,
}

impl<T: Copy + Eq + Hash> Rows<T> {
    /// An empty set; `length` is positive.
    pub(super) fn new(length: usize) -> Rows<T> {
        Rows { length, all: Vec::new(), table: vec![0; 64] }
    }

    /// The number of rows.
    pub(super) fn count(&self) -> usize {
        self.all.len() / self.length
    }

    /// The row of a number.
    pub(super) fn row(&self, number: usize) -> Option<&[T]> {
        self.all.get(number * self.length..(number + 1) * self.length)
    }

    /// All rows, by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.all.chunks_exact(self.length)
    }

    /// The number of a row; adds the row if it is new. `None` if there are already `most` others.
    pub(super) fn number(&mut self, row: &[T], most: usize) -> Option<usize> {
        let mut place = self.home(row);
        while let Some(number) =
            self.table[place].checked_sub(1).and_then(|number| usize::try_from(number).ok())
        {
            if self.row(number) == Some(row) {
                return Some(number);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        let number = self.count();
        if number >= most {
            return None;
        }
        self.all.extend_from_slice(row);
        self.table[place] = u32::try_from(number + 1).ok()?;
        if 2 * self.count() >= self.table.len() {
            self.grow();
        }
        Some(number)
    }

    fn home(&self, row: &[T]) -> usize {
        let mut hash = Mixed::default();
        row.iter().for_each(|value| value.hash(&mut hash));
        // The table is too short for the bits cut off here to matter.
        usize::try_from(hash.finish() & 0xFFFF_FFFF).unwrap_or(0) & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        self.table = vec![0; 4 * self.table.len()];
        for number in 0..self.count() {
            let mut place = self.row(number).map_or(0, |row| self.home(row));
            while self.table[place] != 0 {
                place = (place + 1) & (self.table.len() - 1);
            }
            self.table[place] = u32::try_from(number + 1).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_one_number() {
        let mut rows = Rows::new(2);
        for round in 0..2 {
            for number in 0..1000_usize {
                assert_eq!(rows.number(&[number / 7, number % 7], 1000), Some(number), "{round}");
            }
        }
        assert_eq!((rows.count(), rows.row(15)), (1000, Some(&[2, 1][..])));
        assert_eq!(rows.number(&[0, 8], 1000), None);
        assert_eq!(rows.number(&[0, 6], 1000), Some(6));
    }
}
