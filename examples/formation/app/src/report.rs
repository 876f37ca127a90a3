//! What the leader reads and commands, as others get it.

/// Passes on a fix (m), the pitch (rad) and the rotor's last command (m/s², rad).
///
/// All three are of one instant, so whoever computes with them where the leader is comes to the same.
pub fn report_impl(
    fix: &[f32; 2],
    pitch: &f32,
    commanded: &[f32; 2],
    reported_fix: &mut [f32; 2],
    reported_pitch: &mut f32,
    reported_command: &mut [f32; 2],
) {
    *reported_fix = *fix;
    *reported_pitch = *pitch;
    *reported_command = *commanded;
}
