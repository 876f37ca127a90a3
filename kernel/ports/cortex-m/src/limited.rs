//! How an interval of memory becomes a region of the Armv8-M protection unit.
//!
//! A region has a base and a limit, both multiples of 32 bytes, and no other rule (Armv8-M architecture, B11.3). But
//! regions must not overlap: an access that two of them match is refused, the kernel's own as well. Therefore what all
//! may read is two regions for a process that writes a part of it, below that part and above it.
//!
//! ```text
//!   region   0      1            2            3        4 5 6   7
//!            text | published | published | memory |  ...   | stack
//!            fixed|<-------------- switched with the thread ------->|
//! ```
//!
//! Of a region that user mode may only read, the unit refuses the kernel's writes, too: see `processor/v8m.rs`. Everything
//! here is pure and constant; the builder uses it on the host.

use crate::mpu::{Interval, Rights, Uncoverable};

/// Number of regions of the unit: the fewest of those that the processors of this architecture have, if they have one.
pub const REGIONS: usize = 8;
/// Number of regions that stay the same whoever runs.
pub const FIXED_REGIONS: usize = 1;
/// Number of regions that are loaded with each thread.
pub const SWITCHED_REGIONS: usize = REGIONS - FIXED_REGIONS;
/// Regions begin and end at multiples of this.
pub const GRAIN: u32 = 32;

/// The region that stays: the text of all processes.
pub type Fixed = [RegionWords; FIXED_REGIONS];
/// Those that are loaded with each thread: what is published, of its process (switched off where it has fewer), and last
/// its stack's, whose base is the limit of the stack pointer, too.
pub type Switched = [RegionWords; SWITCHED_REGIONS];

/// A region as the registers RBAR and RLAR take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct RegionWords {
    /// Base address, shareability, rights.
    pub rbar: u32,
    /// The last address, which memory it is, enable.
    pub rlar: u32,
}

/// What the indirection register says of the two kinds of memory: devices, whose accesses keep number and order and aren't
/// acknowledged early; and normal memory, write-through.
pub const KINDS: u32 = WRITE_THROUGH << 8 | STRONGLY_ORDERED;
const STRONGLY_ORDERED: u32 = 0x00;
const WRITE_THROUGH: u32 = 0xAA;

const ENABLE: u32 = 1;
const EXECUTE_NEVER: u32 = 1;
/// Other masters may see it.
const SHAREABLE: u32 = 0b10 << 3;
const WRITABLE: u32 = 0b01 << 1;
/// Nobody may write it.
const READABLE: u32 = 0b11 << 1;

impl RegionWords {
    /// A region that is switched off.
    pub const OFF: RegionWords = RegionWords { rbar: 0, rlar: 0 };
}

/// A region for exactly `interval`.
///
/// # Errors
/// [`Uncoverable`] with the tightest interval around it that can be covered. An empty interval is taken as one of a single
/// byte.
pub const fn cover(interval: Interval) -> Result<RegionWords, Uncoverable> {
    let (first, grain) = (interval.base as u64, GRAIN as u64);
    let end = if interval.limit > interval.base { interval.limit as u64 } else { first + 1 };
    let (base, limit) = (first / grain * grain, end.div_ceil(grain) * grain);
    if base == first && limit == interval.limit as u64 {
        return Ok(words(interval));
    }
    Err(Uncoverable {
        nearest_base: base as u32,
        nearest_limit: limit,
        padding: limit - base - interval.limit.saturating_sub(interval.base) as u64,
    })
}

const fn words(interval: Interval) -> RegionWords {
    let rights = match interval.rights {
        Rights::Read => READABLE,
        Rights::ReadWrite => WRITABLE,
    };
    let execute = if interval.executable { 0 } else { EXECUTE_NEVER };
    let kind = if interval.device { 0 } else { 1 };
    RegionWords {
        rbar: interval.base | SHAREABLE | rights | execute,
        rlar: (interval.limit - GRAIN) | kind << 1 | ENABLE,
    }
}

/// The first interval of at least `size` bytes from `base` up to, and without, `limit` that a region can cover.
#[must_use]
pub fn coverable(base: u32, limit: u32, size: u64) -> Option<[u32; 2]> {
    beryl_port::grain::coverable(GRAIN, base, limit, size)
}

#[cfg(test)]
mod tests;
