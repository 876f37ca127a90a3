//! What operations are given: drawn by block, with the numbers at which things go wrong more often than by chance.
//! `numbers.c` draws the same.

use crate::operation::Kind;

/// Where a hash starts.
pub const START: u64 = 0xCBF2_9CE4_8422_2325;

/// A hash that has taken one more word.
pub fn mixed(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    mixed ^ (mixed >> 29)
}

/// A source of inputs.
pub struct Inputs(u64);

/// Doubles in which something ends: zeros, denormals, infinities, what is no number, and the edges of integers.
const DOUBLES: [u64; 32] = [
    0x0000_0000_0000_0000, // 0
    0x0000_0000_0000_0001, // the least denormal
    0x000F_FFFF_FFFF_FFFF, // the largest denormal
    0x0010_0000_0000_0000, // the least normal
    0x7FEF_FFFF_FFFF_FFFF, // the largest
    0x7FF0_0000_0000_0000, // infinite
    0x7FF8_0000_0000_0000, // no number
    0x7FF8_0000_1234_5678, // with a payload
    0x7FF0_0000_0000_0001, // that signals
    0x3FF0_0000_0000_0000, // 1
    0x3FF0_0000_0000_0001, // the next
    0x3FEF_FFFF_FFFF_FFFF, // the one before
    0x3FE0_0000_0000_0000, // 0.5
    0x3FDF_FFFF_FFFF_FFFF, // the one before
    0x3FF8_0000_0000_0000, // 1.5
    0x4004_0000_0000_0000, // 2.5
    0x405F_E000_0000_0000, // 127.5
    0x4060_0000_0000_0000, // 2^7
    0x40EF_FFE0_0000_0000, // 65535
    0x41DF_FFFF_FFC0_0000, // 2^31 - 1
    0x41DF_FFFF_FFE0_0000, // 2^31 - 0.5
    0x41E0_0000_0000_0000, // 2^31
    0x41EF_FFFF_FFF0_0000, // 2^32 - 0.5
    0x41F0_0000_0000_0000, // 2^32
    0x4340_0000_0000_0000, // 2^53
    0x43DF_FFFF_FFFF_FFFF, // before 2^63
    0x43E0_0000_0000_0000, // 2^63
    0x43F0_0000_0000_0000, // 2^64
    0x400921FB54442D18,    // pi
    0x3FF921FB54442D18,    // half of it
    0x4086_2E42_FEFA_39EF, // where exp overflows
    0x47EF_FFFF_F000_0000, // halfway between the largest single and none
];

/// The same of singles.
const SINGLES: [u32; 32] = [
    0x0000_0000, // 0
    0x0000_0001, // the least denormal
    0x007F_FFFF, // the largest denormal
    0x0080_0000, // the least normal
    0x7F7F_FFFF, // the largest
    0x7F80_0000, // infinite
    0x7FC0_0000, // no number
    0x7FC1_2345, // with a payload
    0x7F80_0001, // that signals
    0x3F80_0000, // 1
    0x3F80_0001, // the next
    0x3F7F_FFFF, // the one before
    0x3F00_0000, // 0.5
    0x3EFF_FFFF, // the one before
    0x3FC0_0000, // 1.5
    0x4020_0000, // 2.5
    0x42FF_0000, // 127.5
    0x4300_0000, // 2^7
    0x477F_FF00, // 65535
    0x4B00_0001, // the first without halves, and one more
    0x4B80_0000, // 2^24
    0x4EFF_FFFF, // before 2^31
    0x4F00_0000, // 2^31
    0x4F7F_FFFF, // before 2^32
    0x4F80_0000, // 2^32
    0x5EFF_FFFF, // before 2^63
    0x5F00_0000, // 2^63
    0x5F80_0000, // 2^64
    0x4049_0FDB, // pi
    0x3FC9_0FDB, // half of it
    0x42B1_7218, // where exp overflows
    0x0040_0000, // a denormal with one bit
];

impl Inputs {
    /// Those of a block: the same for all operations.
    pub fn of(block: u32) -> Inputs {
        Inputs(u64::from(block) << 32 | 0xBE_5171)
    }

    /// The next three. The second and third may follow from the ones before: results are exact then, or cancel.
    pub fn three(&mut self, kind: Kind) -> [u64; 3] {
        let first = self.one(kind);
        let second = self.after(first, kind);
        let third = self.after(second, kind);
        [first, second, third]
    }

    /// A word of which each bit is drawn.
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    fn one(&mut self, kind: Kind) -> u64 {
        let chance = self.word();
        let word = self.word();
        match kind {
            Kind::Integers => integer(chance, word),
            Kind::Singles => single(chance as u32, word as u32).into(),
            Kind::Doubles => double(chance, word),
        }
    }

    fn after(&mut self, last: u64, kind: Kind) -> u64 {
        let sign = match kind {
            Kind::Singles => 1 << 31,
            _ => 1 << 63,
        };
        match self.word() & 15 {
            0 => last,
            1 => last ^ sign,
            2 => last.wrapping_add(1),
            _ => self.one(kind),
        }
    }
}

/// Near a power of two, anything, or something small.
fn integer(chance: u64, word: u64) -> u64 {
    let shift = (chance >> 8) as u32 & 63;
    match chance & 3 {
        0 => (1_u64 << shift).wrapping_add((word & 3).wrapping_sub(2)),
        1 => (1_u64 << shift).wrapping_neg().wrapping_add((word & 3).wrapping_sub(2)),
        2 => word,
        _ => word >> shift,
    }
}

/// One of the table, anything, of an ordinary size, halfway between two singles or integers, or a denormal.
fn double(chance: u64, word: u64) -> u64 {
    let sign = word & (1 << 63);
    let fraction = word & 0x000F_FFFF_FFFF_FFFF;
    let exponent = 991 + (chance >> 8 & 63);
    match chance & 7 {
        0 | 1 => DOUBLES[(chance >> 8 & 31) as usize] | sign,
        2 => word,
        3 => sign | exponent << 52 | (fraction & !0x3FFF_FFFF) | 0x1000_0000,
        4 => sign | fraction >> (chance >> 8 & 31),
        5 => sign | (1023 + (chance >> 8 & 31)) << 52 | (fraction & 0x000F_C000_0000_0000),
        _ => sign | exponent << 52 | fraction,
    }
}

/// The same of singles.
fn single(chance: u32, word: u32) -> u32 {
    let sign = word & (1 << 31);
    let fraction = word & 0x007F_FFFF;
    let exponent = 95 + (chance >> 8 & 63);
    match chance & 7 {
        0 | 1 => SINGLES[(chance >> 8 & 31) as usize] | sign,
        2 => word,
        3 => sign | exponent << 23 | (fraction & !0xFFF) | 0x800,
        4 => sign | fraction >> (chance >> 8 & 15),
        5 => sign | (127 + (chance >> 8 & 31)) << 23 | (fraction & 0x007E_0000),
        _ => sign | exponent << 23 | fraction,
    }
}
