//! Noise: what a sensor adds to the truth, as a function of seed, sensor and instant. It doesn't matter how often or in which
//! order sensors are read.

/// A draw from (nearly) the normal distribution with mean 0 and deviation 1: twelve uniform draws minus six, so never beyond
/// 6, and additions only.
pub fn normal(seed: u64, sensor: u32, instant: u64) -> f64 {
    let mut state = mix(seed ^ mix(instant ^ mix(u64::from(sensor))));
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(state) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    };
    (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

/// Of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
