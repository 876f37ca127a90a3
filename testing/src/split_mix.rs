//! SplitMix64: the sequence for new tests, and of campaigns, whose seeds name systems.

use crate::Draw;

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014),
/// with the mixing constants of its reference form. It is made from its seed, and any seed is good.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl Draw for SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_comes_out() {
        let mut random = SplitMix64(1_234_567);
        let drawn = [(); 5].map(|()| random.next());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(drawn, published);
    }
}
