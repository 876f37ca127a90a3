//! How an interval of memory becomes a region of the Armv7-M protection unit.
//!
//! A region has a power of two of bytes, 32 or more, and starts at a multiple of its size. From 256
//! bytes on it has eight subregions of equal size that can be switched off one by one (Armv7-M
//! architecture, B3.5). So an interval can be covered exactly if it is a whole region, or
//! neighbouring subregions of one. Everything here is pure and constant; the builder uses it on the
//! host, and what it computes is stored in the kernel's image.

pub use beryl_port::rights::{Interval, Rights};

/// A region as the registers RBAR and RASR take it, with its number and the VALID bit, so that
/// storing the two words is all it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct RegionWords {
    /// Base address, VALID, region number.
    pub rbar: u32,
    /// Attributes, subregions switched off, size, enable.
    pub rasr: u32,
}

/// No region covers this interval exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uncoverable {
    /// Where the tightest coverable interval around it begins.
    pub nearest_base: u32,
    /// The address behind the last of that interval.
    pub nearest_limit: u64,
    /// The bytes of that interval that weren't asked for.
    pub padding: u64,
}

/// Number of regions that stay the same whoever runs.
pub const FIXED_REGIONS: usize = 2;
/// Number of regions that are loaded with each thread: four of its process, then its stack.
pub const SWITCHED_REGIONS: usize = 5;

/// The regions that stay: the text of all processes, what is published.
pub type Fixed = [RegionWords; FIXED_REGIONS];
/// Those that are loaded with each thread: of its process (switched off where it has fewer than four), then its stack's.
/// All carry their numbers, so five pairs of words are stored whatever they are.
pub type Switched = [RegionWords; SWITCHED_REGIONS];

/// Number of regions of the unit.
pub const REGIONS: u8 = 8;

/// The smallest region: two to this power bytes.
const SMALLEST: u32 = 5;
/// From two to this power bytes on, a region has subregions.
const DIVIDED: u32 = 8;
/// The largest region: all of memory.
const LARGEST: u32 = 32;
const SUBREGIONS: u32 = 8;

const VALID: u32 = 1 << 4;
const ENABLE: u32 = 1;
const EXECUTE_NEVER: u32 = 1 << 28;

impl RegionWords {
    /// Region `number`, switched off.
    #[must_use]
    pub const fn off(number: u8) -> RegionWords {
        RegionWords { rbar: VALID | number_bits(number), rasr: 0 }
    }
}

/// Region `number` (0 to 7; of two that overlap, the higher one decides) for exactly `interval`.
///
/// # Errors
/// [`Uncoverable`] with the tightest interval around it that can be covered. An empty interval is
/// taken as one of a single byte.
pub const fn cover(number: u8, interval: Interval) -> Result<RegionWords, Uncoverable> {
    let first = interval.base as u64;
    let end = if interval.limit > interval.base { interval.limit as u64 } else { first + 1 };
    let mut nearest = Block::around(first, end, LARGEST);
    let mut power = LARGEST;
    // From large to small, so that of two equally tight ones the smaller region is taken.
    while power >= SMALLEST {
        let block = Block::around(first, end, power);
        if block.holds(end) && block.length() <= nearest.length() {
            nearest = block;
        }
        power -= 1;
    }
    if nearest.first == first && nearest.end == interval.limit as u64 {
        return Ok(nearest.words(number, interval));
    }
    Err(Uncoverable {
        nearest_base: nearest.first as u32,
        nearest_limit: nearest.end,
        padding: nearest.length() - interval.limit.saturating_sub(interval.base) as u64,
    })
}

/// The subregions of one region that touch an interval.
#[derive(Clone, Copy)]
struct Block {
    base: u64,
    power: u32,
    first: u64,
    end: u64,
}

impl Block {
    /// In the region of two to the `power` bytes that holds `first`: what an interval up to `end` touches.
    const fn around(first: u64, end: u64, power: u32) -> Block {
        let grain = Block::grain(power);
        Block {
            base: first >> power << power,
            power,
            first: first / grain * grain,
            end: end.div_ceil(grain) * grain,
        }
    }

    /// Bytes that can be switched off together.
    const fn grain(power: u32) -> u64 {
        if power >= DIVIDED { 1 << (power - 3) } else { 1 << power }
    }

    const fn length(&self) -> u64 {
        self.end - self.first
    }

    /// Whether the region reaches to `end`.
    const fn holds(&self, end: u64) -> bool {
        end <= self.base + (1 << self.power)
    }

    const fn words(&self, number: u8, interval: Interval) -> RegionWords {
        let size = (self.power - 1) << 1;
        RegionWords {
            rbar: self.base as u32 | VALID | number_bits(number),
            rasr: attributes(interval) | self.switched_off() << 8 | size | ENABLE,
        }
    }

    /// A bit for each subregion outside.
    const fn switched_off(&self) -> u32 {
        if self.power < DIVIDED {
            return 0;
        }
        let grain = Block::grain(self.power);
        let mut bits = 0;
        let mut index = 0;
        while index < SUBREGIONS {
            let place = self.base + index as u64 * grain;
            if place < self.first || place >= self.end {
                bits |= 1 << index;
            }
            index += 1;
        }
        bits
    }
}

const fn number_bits(number: u8) -> u32 {
    (number % REGIONS) as u32
}

/// Execute never, access permission, and the memory type: strongly ordered for devices, or normal memory,
/// write-through and, because other masters may see it, shareable (B3.5.9, table B3-14). A store to strongly
/// ordered memory isn't buffered: that the bus refuses it is known before the next instruction, and never after
/// another thread has got the processor (decision 0054).
const fn attributes(interval: Interval) -> u32 {
    let access = match interval.rights {
        Rights::Read => 0b010,
        Rights::ReadWrite => 0b011,
    };
    let kind = if interval.device { 0b100 } else { 0b110 };
    let execute = if interval.executable { 0 } else { EXECUTE_NEVER };
    execute | access << 24 | kind << 16
}

#[cfg(test)]
mod tests;
