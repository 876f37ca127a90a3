//! Noise: what a sensor adds to the truth, as a function of seed, sensor and instant.
//!
//! It doesn't matter how often or in which order sensors are read: each reading draws from a generator of its
//! own, seeded by all three.

/// One noisy quantity; each has random numbers of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    Forward,
    Up,
    Pitch,
}

/// A draw from (nearly) the normal distribution with mean 0 and deviation 1.
///
/// The sum of twelve uniform draws minus six: variance 1, never beyond 6, and additions only, so the same bits
/// on every host.
pub(crate) fn normal(seed: u64, quantity: Quantity, step: u64) -> f64 {
    let mut seeds = SplitMix64(seed);
    let own_seed = seeds.next() ^ mix(step ^ mix(quantity as u64));
    let mut generator = SplitMix64(own_seed);
    (0..12).map(|_| generator.uniform()).sum::<f64>() - 6.0
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// At least 0, less than 1, in steps of 2^-53.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_its_published_sequence() {
        let mut generator = SplitMix64(1_234_567);
        let drawn = [(); 5].map(|()| generator.next());
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn noise_has_mean_zero_and_deviation_one() {
        for quantity in [Quantity::Forward, Quantity::Up, Quantity::Pitch] {
            let draws: Vec<f64> = (0..10_000).map(|step| normal(7, quantity, step)).collect();
            let mean = draws.iter().sum::<f64>() / 10_000.0;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 10_000.0;
            assert!(mean.abs() < 0.05, "{quantity:?}: mean {mean}");
            assert!((variance - 1.0).abs() < 0.05, "{quantity:?}: variance {variance}");
        }
    }

    #[test]
    fn seeds_quantities_and_steps_are_unrelated() {
        let pairs = [
            ((1, Quantity::Up), (2, Quantity::Up), 0),
            ((1, Quantity::Up), (1, Quantity::Forward), 0),
            ((1, Quantity::Up), (1, Quantity::Up), 1),
        ];
        for ((seed, quantity), (other_seed, other), shift) in pairs {
            let covariance = (0..10_000)
                .map(|step| normal(seed, quantity, step) * normal(other_seed, other, step + shift))
                .sum::<f64>()
                / 10_000.0;
            assert!(covariance.abs() < 0.05, "{quantity:?} and {other:?}: {covariance}");
        }
    }
}
