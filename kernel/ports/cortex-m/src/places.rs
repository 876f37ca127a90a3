//! Which intervals of free memory a region can cover.
//!
//! A region covers exactly an interval that is made of neighbouring subregions of one region; `mpu` says
//! more. Here all regions have 256 bytes or more: what the smaller ones could cover is a few subregions of
//! those.

/// The smallest subregion, in bytes.
const SMALLEST: u64 = 32;
/// Subregions of a region.
const SUBREGIONS: u64 = 8;

/// The intervals of at least `size` bytes from `base` up to, and without, `limit` that a region can cover:
/// the first for each size of subregion.
pub fn coverable(base: u32, limit: u32, size: u64) -> impl Iterator<Item = [u32; 2]> {
    subregions(size).filter_map(move |subregion| aligned_in([base, limit], size, subregion))
}

/// The sizes of subregion to try: from the finest of which eight are enough to the one that is enough alone.
/// Larger ones only waste.
fn subregions(size: u64) -> impl Iterator<Item = u64> {
    let finest = size.div_ceil(SUBREGIONS).next_power_of_two().max(SMALLEST);
    let coarsest = size.next_power_of_two().max(SMALLEST);
    core::iter::successors(Some(finest), |subregion| Some(subregion * 2))
        .take_while(move |size| *size <= coarsest)
}

/// The first interval in `free` of neighbouring subregions of one region. Where they would straddle the border of two
/// regions, the next region is taken.
fn aligned_in(free: [u32; 2], size: u64, subregion: u64) -> Option<[u32; 2]> {
    let length = size.max(1).next_multiple_of(subregion);
    let region = subregion * SUBREGIONS;
    let first = u64::from(free[0]).next_multiple_of(subregion);
    let straddles = first % region + length > region;
    let base = if straddles { first.next_multiple_of(region) } else { first };
    within(free, base, base + length)
}

fn within(free: [u32; 2], base: u64, limit: u64) -> Option<[u32; 2]> {
    let place = [u32::try_from(base).ok()?, u32::try_from(limit).ok()?];
    (free[0] <= place[0] && place[1] <= free[1]).then_some(place)
}
