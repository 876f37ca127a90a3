//! Which intervals of free memory a region can cover where every region may be any number of grains.

/// The first interval of at least `size` bytes from `base` up to, and without, `limit`, whose ends are multiples of
/// `grain`.
#[must_use]
pub fn coverable(grain: u32, base: u32, limit: u32, size: u64) -> Option<[u32; 2]> {
    let grain = u64::from(grain.max(1));
    let first = u64::from(base).next_multiple_of(grain);
    let end = first + size.max(1).next_multiple_of(grain);
    let place = [u32::try_from(first).ok()?, u32::try_from(end).ok()?];
    (place[1] <= limit).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::coverable;

    #[test]
    fn ends_are_multiples_of_a_grain_and_within_what_is_free() {
        assert_eq!(coverable(16, 5, 100, 20), Some([16, 48]));
        assert_eq!(coverable(32, 64, 128, 0), Some([64, 96]));
        assert_eq!(coverable(16, 5, 47, 20), None);
        assert_eq!(coverable(32, u32::MAX - 8, u32::MAX, 1), None);
    }
}
