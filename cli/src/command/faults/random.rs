//! Random numbers of a campaign, the same for the same seed.

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014). `testing/`
/// has it, too; this one is the command's, since a seed names a campaign for good, and no tool depends on what tests
/// share.
pub struct Random(u64);

impl Random {
    /// The sequence for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `limit`; zero if there is none.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let product = u128::from(mixed ^ (mixed >> 31)) * u128::from(limit);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A random element.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let place = self.below(u64::try_from(of.len()).unwrap_or(u64::MAX));
        of.get(usize::try_from(place).unwrap_or(usize::MAX))
    }
}
