//! Links: how a value gets from the memory of one kernel to that of another, and from when on it counts there.
//!
//! A link's memory has a word that names the newest of its three entries, an unused word, and the entries. An entry is the
//! instant from which its value counts (two words, the low one first) and the value, filled up to whole pairs of words:
//!
//! ```text
//! newest | - | instant, value | instant, value | instant, value
//! ```
//!
//! Its only writer fills the oldest entry and then makes it the newest ([`publish`]). A reader takes the newest value that
//! counts at an instant ([`counting`]). A value counts from the end of its job's logical execution time on, and the next
//! job doesn't begin before. So job 4 is the first that fills the entry of value 1 again, and it begins when the logical
//! execution time of job 3 ends:
//!
//! ```text
//! jobs             |--- 1 ---|--- 2 ---|--- 3 ---|--- 4 ---|
//! value 1 counts             |---------|
//! it can be read             |-------------------|
//! ```
//!
//! A reader that carries out an instant may be that late: it reads what it should as long as it is done within one
//! logical execution time of the writer behind the instant. With two entries it couldn't be late at all.
//!
//! Nobody waits and nothing is locked. Two orders are relied on, each with a fence: an entry is complete before it is named,
//! and it isn't read before its name. All interleavings of a writer and a reader are explored in
//! `tests/link_orders.rs`, and late readers are compared with a plain model in `tests/late_readers.rs`.

use core::sync::atomic::{Ordering, fence};

use crate::Instant;

/// Number of entries.
pub const ENTRIES: u32 = 3;

/// The number of the last entry.
const LAST: u32 = ENTRIES - 1;

/// Bytes before the entries.
const HEAD: u32 = 8;

/// Bytes of an instant before a value.
const STAMP: u32 = 8;

/// Memory in which a link is, as its writer or one of its readers sees it: aligned words.
pub trait Words {
    /// The word at an address.
    fn load(&mut self, address: u32) -> u32;

    /// Changes the word at an address.
    fn store(&mut self, address: u32, word: u32);

    /// Keeps loads and stores before it from those behind it, as far as an order says.
    #[inline(always)]
    fn fence(&mut self, order: Ordering) {
        fence(order);
    }
}

/// Publishes a value in the link at `base`, in the place of its oldest one. It counts from the instant `[low, high]` on, which is
/// later than those of all values before; `value` has its words, `length` bytes in all.
#[inline(always)]
pub fn publish<W: Words>(
    words: &mut W,
    (base, length): (u32, u32),
    [low, high]: [u32; 2],
    mut value: impl FnMut(&mut W, u32) -> u32,
) {
    let next = after(words.load(base));
    let entry = base.wrapping_add(stamp(next, length));
    words.store(entry, low);
    words.store(entry.wrapping_add(4), high);
    for offset in (0..length).step_by(4) {
        let word = value(words, offset);
        words.store(entry.wrapping_add(STAMP).wrapping_add(offset), word);
    }
    words.fence(Ordering::Release);
    words.store(base, next);
}

/// Where the newest value is that counts at `now`, in the link at `base` with values of `length` bytes; nothing if none of
/// its entries does.
#[inline(always)]
pub fn counting(words: &mut impl Words, (base, length): (u32, u32), now: Instant) -> Option<u32> {
    let mut number = words.load(base);
    words.fence(Ordering::Acquire);
    // bound: 3, the entries of a link
    for _ in 0..ENTRIES {
        let entry = base.saturating_add(stamp(number, length));
        let low = words.load(entry);
        let high = words.load(entry.saturating_add(4));
        if Instant::from_ticks(u64::from(high) << 32 | u64::from(low)).is_due(now) {
            return Some(entry.saturating_add(STAMP));
        }
        number = before(number);
    }
    None
}

/// The entry that is filled after one; the first after any number that is none.
#[must_use]
#[inline(always)]
pub const fn after(number: u32) -> u32 {
    if number < LAST { number + 1 } else { 0 }
}

/// The entry that was filled before one.
#[must_use]
#[inline(always)]
pub const fn before(number: u32) -> u32 {
    if number == 0 { LAST } else { number - 1 }
}

/// Bytes of one entry with a value of `length` bytes.
const fn entry(length: u32) -> u32 {
    STAMP.saturating_add(length.saturating_add(7) & !7)
}

/// Bytes of a link with values of `length` bytes.
#[must_use]
pub const fn size(length: u32) -> u32 {
    HEAD.saturating_add(entry(length).saturating_mul(ENTRIES))
}

/// Where the instant of an entry is, from the link's beginning: that of the last one for any number that is none, since the
/// number may be what user code has written.
#[must_use]
#[inline(always)]
pub const fn stamp(number: u32, length: u32) -> u32 {
    let number = if number < LAST { number } else { LAST };
    HEAD.saturating_add(entry(length).saturating_mul(number))
}

/// Where the value of an entry is, from the link's beginning.
#[must_use]
pub const fn value(number: u32, length: u32) -> u32 {
    stamp(number, length).saturating_add(STAMP)
}

#[cfg(test)]
mod tests {
    use super::{after, before, size, stamp, value};

    #[test]
    fn entries_lie_behind_each_other_and_are_aligned() {
        for (length, places) in [
            (1, [8, 16, 24, 32, 40, 48, 56]),
            (8, [8, 16, 24, 32, 40, 48, 56]),
            (12, [8, 16, 32, 40, 56, 64, 80]),
        ] {
            let [first, second, third] =
                [0, 1, 2].map(|number| [stamp(number, length), value(number, length)]);
            let own = [first[0], first[1], second[0], second[1], third[0], third[1], size(length)];
            assert_eq!(own, places, "{length}");
        }
    }

    #[test]
    fn entries_follow_each_other_in_a_ring_and_no_number_leads_out_of_the_link() {
        let mut number = 0;
        let ring = [(); 4].map(|()| {
            assert_eq!(before(after(number)), number);
            number = after(number);
            number
        });
        assert_eq!(ring, [1, 2, 0, 1]);
        for wrong in [3, 7, u32::MAX] {
            assert_eq!((after(wrong), stamp(wrong, 8)), (0, stamp(2, 8)));
            assert!(value(before(wrong), 8) + 8 <= size(8));
        }
    }
}
