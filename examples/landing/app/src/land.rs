//! Landing: the control of hover, around a point that goes down.

/// Time between two jobs; s.
const STEP: f32 = 0.02;
/// How fast the point goes down, m/s.
const SINK: f32 = 0.05;
/// Where the pad is, m above the hover point.
const PAD: f32 = -0.15;

/// Computes the rotor's command (m/s², rad) from the motion (m, m/s) and the pitch (rad).
///
/// `height` is where the helicopter shall be by now (m above the hover point); `offset` and `turning` are those of
/// [`helicopter::control_impl`], about that point.
pub fn land_impl(
    motion: &[f32; 4],
    pitch: &f32,
    height: &mut f32,
    offset: &mut [f32; 2],
    turning: &mut [f32; 2],
    command: &mut [f32; 2],
) {
    let [x, z, x_velocity, z_velocity] = *motion;
    let is_down = *height <= PAD;
    if !is_down {
        *height -= STEP * SINK;
    }
    let sink = if is_down { 0.0 } else { SINK };
    let around = [x, z - *height, x_velocity, z_velocity + sink];
    helicopter::control_impl(&around, pitch, offset, turning, command);
}
