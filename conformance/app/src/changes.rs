//! Changes: a wave of which now and then some part becomes another one, and tasks that each wait for a part.

use crate::work;

/// A place. `changes.tdl` has the same structs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

/// What a wave is like as a whole.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// How high it is.
    pub height: f64,
    /// Where it is.
    pub place: Place,
}

/// A wave, of 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    /// All of it.
    pub head: Head,
    /// How high its crests are.
    pub crests: [i32; 10],
    /// What the tide is.
    pub tide: i16,
    /// What to look at.
    pub flags: [i8; 2],
    /// How often any of it became another one.
    pub count: i32,
}

/// Changes each part at steps that it alone has: the place at multiples of 4, the tide at those of 5, the last crest at those of 3
/// and a flag at those of 7; half of the number at those of 2, and the last of the three bytes at those of 6.
pub fn wave_impl(step: &mut i32, all: &mut Wave, far: &mut i64, three: &mut [i8; 3]) {
    work(730);
    *step = step.wrapping_add(1);
    let is_each = |number: i32| *step % number == 0;
    if is_each(4) {
        all.head.place.y += 0.5;
    }
    if is_each(5) {
        all.tide = !all.tide;
    }
    if is_each(3) {
        all.crests[9] = *step;
    }
    if is_each(7) {
        all.flags[1] = all.flags[1].wrapping_add(1);
    }
    if is_each(2) {
        *far = far.wrapping_add(1 << 40);
    }
    if is_each(6) {
        three[2] = three[2].wrapping_sub(1);
    }
}

/// Adds up where crests have changed.
pub fn whole_impl(all: &Wave, seen: &mut i32, sum: &mut i32) {
    work(190);
    *seen = seen.wrapping_add(1);
    *sum = seen.wrapping_mul(1000).wrapping_add(all.crests[9]);
}

/// Goes twice as far.
pub fn place_impl(at: &Place, twice: &mut Place) {
    work(190);
    *twice = Place { x: at.x * 2.0, y: at.y * 2.0 };
}

/// Counts how often the tide turned.
pub fn turn_of_the_tide(turns: &mut i32, told: &mut i32) {
    work(190);
    *turns = turns.wrapping_add(1);
    *told = *turns;
}

/// Brings near what is far.
pub fn far_impl(far: &i64, near: &mut i64) {
    work(190);
    *near = far >> 40;
}

/// The other way round.
pub fn three_impl(three: &[i8; 3], back: &mut [i8; 3]) {
    work(190);
    let [one, two, last] = *three;
    *back = [last, two, one];
}
