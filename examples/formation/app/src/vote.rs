//! The vote: where the leader is, by three that say so, one of whom may be wrong.
//!
//! Each number is the one in the middle of three. So one of the three may say what it likes: the middle is what one of
//! the others says, or lies between them. If these agree to the bit, it is what they say.

/// How old the leader's motion is when the vote is visible, s: a logical execution time of who computes the motion, and
/// one of the vote.
const AGE: f32 = 0.02;

/// Computes where to be (m, m/s: forward and up of each) from three that say how the leader moves, and from the place
/// beside it (m).
pub fn vote_impl(
    first: &[f32; 4],
    second: &[f32; 4],
    third: &[f32; 4],
    place: &[f32; 2],
    wanted: &mut [f32; 4],
) {
    let [x, z, x_velocity, z_velocity] = majority(*first, *second, *third);
    *wanted = [x + AGE * x_velocity + place[0], z + AGE * z_velocity + place[1], x_velocity, z_velocity];
}

/// What most say, number by number.
fn majority(first: [f32; 4], second: [f32; 4], third: [f32; 4]) -> [f32; 4] {
    let [a0, a1, a2, a3] = first;
    let [b0, b1, b2, b3] = second;
    let [c0, c1, c2, c3] = third;
    [middle(a0, b0, c0), middle(a1, b1, c1), middle(a2, b2, c2), middle(a3, b3, c3)]
}

/// The middle one in the total order of all that a float may be: what is no number is at one of its ends.
fn middle(a: f32, b: f32, c: f32) -> f32 {
    let (low, high) = if a.total_cmp(&b).is_le() { (a, b) } else { (b, a) };
    if c.total_cmp(&low).is_le() {
        low
    } else if c.total_cmp(&high).is_ge() {
        high
    } else {
        c
    }
}
