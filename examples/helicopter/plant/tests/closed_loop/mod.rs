//! The helicopter's timing program in plain Rust: when each port is read and written, without a kernel.

use core::time::Duration;
use helicopter_plant::Plant;

/// When the outputs of a task become visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Publication {
    /// At the end of the logical execution time, as the timing program says.
    AtEnd,
    /// As soon as the task has completed, here soon after its release: what the timing program forbids.
    AtCompletion,
}

/// Whether the commands reach the rotor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Controller {
    /// They do.
    On,
    /// The rotor keeps its first command.
    Off,
}

/// An update of the rotor: logical instant, bits of thrust and tilt.
pub type Update = (Duration, [u32; 2]);

const NAVIGATION: Duration = Duration::from_millis(10);
const JOBS_IN_PERIOD: u32 = 2;

/// The tasks' ports: state is private, `visible` is what others read, `pending` what they'll read next.
struct Ports {
    estimate: [f32; 4],
    offset: [f32; 2],
    turning: [f32; 2],
    visible: Outputs,
    pending: Outputs,
}

#[derive(Clone, Copy)]
struct Outputs {
    motion: [f32; 4],
    command: [f32; 2],
}

/// Flies the plant for a duration under the controller; the updates of the rotor in their order.
pub fn fly(
    plant: &mut Plant,
    controller: Controller,
    publication: Publication,
    duration: Duration,
) -> Vec<Update> {
    let initial = Outputs { motion: [0.0; 4], command: [9.81, 0.0] };
    let mut ports =
        Ports { estimate: [0.0; 4], offset: [0.0; 2], turning: [0.0; 2], visible: initial, pending: initial };
    let mut updates = Vec::new();

    for (job, instant) in instants(duration) {
        plant.advance_to(instant);
        let new_period = job % JOBS_IN_PERIOD == 0;

        ports.visible.motion = ports.pending.motion;
        if new_period {
            ports.visible.command = ports.pending.command;
            let command = match controller {
                Controller::On => ports.visible.command,
                Controller::Off => initial.command,
            };
            plant.command(command);
            updates.push((instant, command.map(f32::to_bits)));
        }
        release(&mut ports, plant, new_period);
        if publication == Publication::AtCompletion {
            ports.visible = ports.pending;
        }
    }
    updates
}

/// The instants at which navigation is released, counted.
fn instants(duration: Duration) -> impl Iterator<Item = (u32, Duration)> {
    (0..).map(|job| (job, NAVIGATION * job)).take_while(move |&(_, instant)| instant <= duration)
}

/// Runs the jobs of one instant on inputs read at that instant.
fn release(ports: &mut Ports, plant: &Plant, new_period: bool) {
    let inputs = ports.visible;
    let (fix, pitch) = (plant.fix(), plant.attitude());
    helicopter::navigate_impl(&fix, &pitch, &inputs.command, &mut ports.estimate, &mut ports.pending.motion);
    if new_period {
        helicopter::control_impl(
            &inputs.motion,
            &pitch,
            &mut ports.offset,
            &mut ports.turning,
            &mut ports.pending.command,
        );
    }
}
