//! Flying: from where a helicopter is and where it shall be to thrust and tilt of its rotor.

/// Computes the rotor's command (m/s², rad) from the motion, the wanted motion (m, m/s) and the pitch (rad).
///
/// Where it shall be is to the helicopter's control what the hover point is to a helicopter that hovers. `offset` and
/// `turning` are its states.
pub fn fly_impl(
    motion: &[f32; 4],
    pitch: &f32,
    wanted: &[f32; 4],
    offset: &mut [f32; 2],
    turning: &mut [f32; 2],
    command: &mut [f32; 2],
) {
    let [x, z, x_velocity, z_velocity] = *motion;
    let [wanted_x, wanted_z, wanted_x_velocity, wanted_z_velocity] = *wanted;
    let relative =
        [x - wanted_x, z - wanted_z, x_velocity - wanted_x_velocity, z_velocity - wanted_z_velocity];
    helicopter::control_impl(&relative, pitch, offset, turning, command);
}
