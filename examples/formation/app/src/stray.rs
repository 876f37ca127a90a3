//! A navigation that goes wrong: what `examples/formation` must outvote.

/// The job, counted from 1, from which on it drifts: after 2 s.
const DRIFTS: i32 = 200;
/// The job from which on it gives no numbers any more: after 6 s.
const GIVES_NONE: i32 = 600;
/// How much further off it is at each job, m.
const DRIFT: f32 = 0.02;

/// Estimates the motion as [`navigate_impl`](helicopter::navigate_impl) does, rightly at first. `job` counts jobs.
pub fn stray_impl(
    fix: &[f32; 2],
    pitch: &f32,
    commanded: &[f32; 2],
    estimate: &mut [f32; 4],
    job: &mut i32,
    motion: &mut [f32; 4],
) {
    helicopter::navigate_impl(fix, pitch, commanded, estimate, motion);
    if *job < GIVES_NONE {
        *job += 1;
    }
    if *job >= GIVES_NONE {
        *motion = [f32::NAN; 4];
    } else if *job > DRIFTS {
        let off = DRIFT * (*job - DRIFTS) as f32;
        let [x, z, ..] = *motion;
        *motion = [x + off, z - off, 2.0, -2.0];
    }
}
