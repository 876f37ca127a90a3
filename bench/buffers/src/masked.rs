//! Bytes whose indices can't be wrong: what is too large is taken as a remainder.

/// As many bytes as a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masked<const LENGTH: usize>([u8; LENGTH]);

impl<const LENGTH: usize> Masked<LENGTH> {
    const MASK: usize = {
        assert!(LENGTH.is_power_of_two());
        LENGTH - 1
    };

    /// All are zero.
    pub const ZERO: Masked<LENGTH> = Masked([0; LENGTH]);

    /// One of them.
    #[inline(always)]
    pub fn at(&self, index: u8) -> u8 {
        self.0.get(usize::from(index) & Self::MASK).copied().unwrap_or(0)
    }

    /// Sets one of them.
    #[inline(always)]
    pub fn set(&mut self, index: u8, value: u8) {
        if let Some(place) = self.0.get_mut(usize::from(index) & Self::MASK) {
            *place = value;
        }
    }
}
