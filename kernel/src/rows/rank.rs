//! Ranks: the positions of places among those of all bands.

/// A position in the band list laid out flat: one for each dynamic band and for each priority of a fixed one
/// that some thread has or may have. 0 is the most urgent, 31 the last possible.
///
/// It also says whether the band is fixed, so that both are read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank(u8);

impl Rank {
    const DYNAMIC: u8 = 32;

    /// No rank.
    pub(crate) const NONE: Rank = Rank(u8::MAX);

    /// The rank of a priority of a fixed band, from 0 to 31.
    #[must_use]
    pub const fn fixed(number: u8) -> Rank {
        Rank(number & (Rank::DYNAMIC - 1))
    }

    /// The rank of a dynamic band or one that a program schedules, from 0 to 31.
    #[must_use]
    pub const fn dynamic(number: u8) -> Rank {
        Rank(number & (Rank::DYNAMIC - 1) | Rank::DYNAMIC)
    }

    /// The position, from 0 to 31.
    #[must_use]
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self.0 & (Rank::DYNAMIC - 1)
    }

    /// The position, if the band is fixed.
    #[must_use]
    #[inline(always)]
    pub const fn as_fixed(self) -> Option<u8> {
        if self.0 < Rank::DYNAMIC { Some(self.0) } else { None }
    }
}
