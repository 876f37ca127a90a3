//! Links: how a value gets from the memory of one kernel to that of another, and from when on it counts there.
//!
//! A link's memory has a word that names the newer of its two entries, an unused word, and the entries. An entry is the
//! instant from which its value counts (two words, the low one first) and the value, filled up to whole pairs of words:
//!
//! ```text
//! newest | - | instant, value | instant, value
//! ```
//!
//! Its only writer fills the older entry and then makes it the newest. The reader takes the newest value that counts at
//! an instant. That is in one of the two entries, and stays there, as long as the writer begins the value after the next
//! one behind the instant at which the next one counts: a job's value counts at the end of its logical execution time,
//! and its next job doesn't begin before.

/// Number of entries.
pub const ENTRIES: u32 = 2;

/// Bytes before the entries.
const HEAD: u32 = 8;

/// Bytes of an instant before a value.
const STAMP: u32 = 8;

/// Bytes of one entry with a value of `length` bytes.
const fn entry(length: u32) -> u32 {
    STAMP.saturating_add(length.saturating_add(7) & !7)
}

/// Bytes of a link with values of `length` bytes.
#[must_use]
pub const fn size(length: u32) -> u32 {
    HEAD.saturating_add(entry(length).saturating_mul(ENTRIES))
}

/// Where the instant of an entry is, from the link's beginning. There are no entries but 0 and 1.
#[must_use]
pub const fn stamp(number: u32, length: u32) -> u32 {
    HEAD.saturating_add(entry(length).saturating_mul(number & 1))
}

/// Where the value of an entry is, from the link's beginning.
#[must_use]
pub const fn value(number: u32, length: u32) -> u32 {
    stamp(number, length).saturating_add(STAMP)
}

#[cfg(test)]
mod tests {
    use super::{size, stamp, value};

    #[test]
    fn entries_lie_behind_each_other_and_are_aligned() {
        for (length, places) in
            [(1, [8, 16, 24, 32, 40]), (8, [8, 16, 24, 32, 40]), (12, [8, 16, 32, 40, 56])]
        {
            let own = [stamp(0, length), value(0, length), stamp(1, length), value(1, length), size(length)];
            assert_eq!(own, places, "{length}");
        }
    }
}
