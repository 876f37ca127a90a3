//! CRC-32 (IEEE 802.3), four bits at a time: 64 bytes of table, and nothing that can panic on the target.

/// The remainders of the sixteen values of four bits.
const REMAINDERS: [u32; 16] = {
    let mut table = [0; 16];
    let mut value = 0;
    while value < 16 {
        let mut remainder = value as u32;
        let mut bit = 0;
        while bit < 4 {
            // The polynomial, the lowest bit being the highest power.
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ 0xEDB8_8320 } else { remainder >> 1 };
            bit += 1;
        }
        table[value] = remainder;
        value += 1;
    }
    table
};

/// A checksum that is computed as bytes come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checksum(u32);

impl Checksum {
    /// Of no bytes.
    pub const BEGIN: Checksum = Checksum(u32::MAX);

    /// Adds bytes.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Checksum {
        let step = |sum: u32| sum >> 4 ^ REMAINDERS.get((sum & 0xF) as usize).copied().unwrap_or_default();
        Checksum(bytes.iter().fold(self.0, |sum, byte| step(step(sum ^ u32::from(*byte)))))
    }

    /// Its value.
    #[must_use]
    pub const fn value(self) -> u32 {
        !self.0
    }
}

/// The checksum of some bytes.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    Checksum::BEGIN.with(bytes).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_checksum_that_everybody_means() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        let mut bytes = std::vec::Vec::new();
        for length in 0..300_u32 {
            assert_eq!(crc32(&bytes), crc32fast::hash(&bytes), "{length} bytes");
            bytes.push((length.wrapping_mul(0x9E37_79B9) >> 24) as u8);
        }
    }
}
