//! Which intervals of free memory a region can cover: every one. So a region pads nothing but what the stack's
//! alignment asks for.

/// The ABI wants stacks to end at a multiple of sixteen bytes. All regions do.
const ALIGNMENT: u64 = 16;

/// The first interval of at least `size` bytes from `base` up to, and without, `limit`.
#[must_use]
pub fn coverable(base: u32, limit: u32, size: u64) -> Option<[u32; 2]> {
    let first = u64::from(base).next_multiple_of(ALIGNMENT);
    let end = first + size.max(1).next_multiple_of(ALIGNMENT);
    let place = [u32::try_from(first).ok()?, u32::try_from(end).ok()?];
    (place[1] <= limit).then_some(place)
}
