//! How intervals of memory become entries of the protection unit, physical memory protection (RISC-V privileged
//! architecture, 3.7).
//!
//! An entry has an address register and eight bits of a configuration register. What it matches is told by two
//! neighbouring address registers (top of range): from the one before it up to, and without, its own, in words. So two
//! entries, of which the first is off, match any interval of whole words, and the seven regions of a plan take fourteen.
//! The **lowest** entry that matches decides, and a plan says that of two regions that overlap the one with the higher
//! number does: therefore regions are in reverse order. User mode may touch nothing that no entry matches; machine mode
//! may touch everything but what a locked entry matches.
//!
//! ```text
//!   entry    0 1    2 3    4 5    6 7    8 9   10 11      12 13   14       15
//!   region   stack  5      4      3      2     published  text    guard    -
//!            |<------- switched with the thread ------>|<----- fixed ------>|
//! ```
//!
//! Everything here is pure and constant; the builder uses it on the host.

pub use beryl_port::rights::{Interval, Rights};

/// What somebody does with a word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Fetches an instruction from it.
    Execute,
}

/// An interval that doesn't begin and end with a word, or that is empty: no entries match exactly it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uncoverable;

/// Regions of a plan, by their numbers.
pub const REGIONS: usize = 7;
/// Regions, from 0 on, that stay the same whoever runs.
pub const FIXED_REGIONS: usize = 2;
/// Address registers in use for regions: two for each.
pub const ADDRESSES: usize = 2 * REGIONS;
/// Those of them that are switched with the thread.
pub const SWITCHED_ADDRESSES: usize = 2 * (REGIONS - FIXED_REGIONS);
/// Configuration registers, each for four entries.
pub const CONFIGS: usize = 4;
/// Those of them that are switched with the thread.
pub const SWITCHED_CONFIGS: usize = 3;
/// The entry of the guard below the kernel's stack.
pub const GUARD_ENTRY: usize = ADDRESSES;

const READ: u32 = 1;
const WRITE: u32 = 1 << 1;
const EXECUTE: u32 = 1 << 2;
/// Which addresses an entry matches.
pub(crate) const MATCHING: u32 = 0b11 << 3;
/// From the address register before its own up to its own.
pub(crate) const TOP_OF_RANGE: u32 = 0b01 << 3;
/// The power of two of words that the address register's lowest ones tell.
const POWER_OF_TWO: u32 = 0b11 << 3;
/// It is for machine mode, too, until the next reset.
const LOCKED: u32 = 1 << 7;

/// The registers of the unit, as far as regions use them. All of it off matches nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// `pmpcfg0` to `pmpcfg3`.
    pub configs: [u32; CONFIGS],
    /// `pmpaddr0` and those behind it.
    pub addresses: [u32; ADDRESSES],
}

impl Entries {
    /// What lets user mode do in each region what that says, by the regions' numbers, and nothing else.
    ///
    /// # Errors
    /// The first interval that can't be covered, by its number.
    pub fn of(regions: &[Option<Interval>; REGIONS]) -> Result<Entries, (usize, Uncoverable)> {
        let mut entries = Entries::default();
        for (number, interval) in regions.iter().enumerate() {
            let Some(interval) = interval else { continue };
            if interval.base % 4 != 0 || interval.limit % 4 != 0 || interval.limit <= interval.base {
                return Err((number, Uncoverable));
            }
            let first = 2 * (REGIONS - 1 - number);
            entries.addresses[first] = interval.base >> 2;
            entries.addresses[first + 1] = interval.limit >> 2;
            let second = first + 1;
            entries.configs[second / 4] |= configured(*interval) << (second % 4 * 8);
        }
        Ok(entries)
    }
}

const fn configured(interval: Interval) -> u32 {
    let rights = match interval.rights {
        Rights::Read => READ,
        Rights::ReadWrite => READ | WRITE,
    };
    TOP_OF_RANGE | rights | if interval.executable { EXECUTE } else { 0 }
}

impl Access {
    /// Its bit of an entry's configuration.
    pub(crate) const fn bit(self) -> u32 {
        match self {
            Access::Read => READ,
            Access::Write => WRITE,
            Access::Execute => EXECUTE,
        }
    }
}

/// The guard's address register and its bits of the last configuration register: the 32 bytes from `base` on, a
/// multiple of 32, are nobody's, not even the kernel's.
#[must_use]
pub const fn guard(base: u32) -> [u32; 2] {
    let (ones, place) = ((32 >> 3) - 1, GUARD_ENTRY % 4 * 8);
    [base >> 2 | ones, (LOCKED | POWER_OF_TWO) << place]
}

#[cfg(test)]
mod tests;
