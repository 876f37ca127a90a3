//! The formation's timing program in plain Rust: when each port is read and written, without kernels, nodes or a bus.

use core::time::Duration;
use formation_plant::{Formation, Helicopter};

/// Whom the followers believe, and what the third of those who say where the leader is does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Third {
    /// It goes wrong and is outvoted.
    Outvoted,
    /// It never goes wrong.
    Right,
    /// It goes wrong and is believed.
    Believed,
}

/// An update of a rotor: logical instant, whose it is, bits of thrust and tilt.
pub type Update = (Duration, Helicopter, [u32; 2]);

const STEP: Duration = Duration::from_millis(10);
const STEPS_IN_PERIOD: u32 = 2;
const FOLLOWERS: [Helicopter; 2] = [Helicopter::Left, Helicopter::Right];

/// What tasks keep for themselves.
#[derive(Default)]
struct States {
    estimates: [[f32; 4]; 3],
    offsets: [[f32; 2]; 3],
    turnings: [[f32; 2]; 3],
    course: i32,
    located: [[f32; 4]; 3],
    stray: i32,
}

/// What others see.
#[derive(Clone, Copy)]
struct Outputs {
    motions: [[f32; 4]; 3],
    commands: [[f32; 2]; 3],
    wanted: [[f32; 4]; 3],
    report: ([f32; 2], f32, [f32; 2]),
    located: [[f32; 4]; 3],
}

/// The tasks' ports: `visible` is what others read, `pending` what they'll read next.
struct Ports {
    states: States,
    visible: Outputs,
    pending: Outputs,
}

impl Ports {
    fn new() -> Ports {
        let places = Helicopter::ALL.map(|who| {
            let [x, z] = who.place();
            [x, z, 0.0, 0.0]
        });
        let trim = [9.81, 0.0];
        let initial = Outputs {
            motions: places,
            commands: [trim; 3],
            wanted: places,
            report: ([0.0; 2], 0.0, trim),
            located: [[0.0; 4]; 3],
        };
        let states = States { estimates: places, ..States::default() };
        Ports { states, visible: initial, pending: initial }
    }

    /// What was pending becomes visible; of tasks with a period of 20 ms only at the end of one.
    fn publish(&mut self, new_period: bool) {
        let before = self.visible;
        self.visible = self.pending;
        if !new_period {
            self.visible.commands = before.commands;
            self.visible.wanted[0] = before.wanted[0];
        }
    }
}

/// Flies a formation for a duration; the updates of the rotors in their order.
pub fn fly(formation: &mut Formation, third: Third, duration: Duration) -> Vec<Update> {
    let mut ports = Ports::new();
    let mut updates = Vec::new();
    for (step, instant) in (0..).map(|step| (step, STEP * step)).take_while(|&(_, at)| at <= duration) {
        formation.advance_to(instant);
        let new_period = step % STEPS_IN_PERIOD == 0;
        ports.publish(new_period);
        if new_period {
            for who in Helicopter::ALL {
                let command = ports.visible.commands[who as usize];
                formation.command(who, command);
                updates.push((instant, who, command.map(f32::to_bits)));
            }
            steer(&mut ports, formation);
        }
        navigate(&mut ports, formation);
        locate(&mut ports, third);
        vote(&mut ports, third);
    }
    updates
}

/// The jobs that begin every 20 ms.
fn steer(ports: &mut Ports, formation: &Formation) {
    let Ports { states, visible, pending } = ports;
    for who in Helicopter::ALL.map(|who| who as usize) {
        let pitch = formation.attitude(Helicopter::ALL[who]);
        let (offset, turning) = (&mut states.offsets[who], &mut states.turnings[who]);
        let (motion, wanted) = (&visible.motions[who], &visible.wanted[who]);
        formation::fly_impl(motion, &pitch, wanted, offset, turning, &mut pending.commands[who]);
    }
    formation::course_impl(&mut states.course, &mut pending.wanted[0]);
}

/// Each helicopter's navigation, and the leader's report.
fn navigate(ports: &mut Ports, formation: &Formation) {
    let Ports { states, visible, pending } = ports;
    for who in Helicopter::ALL {
        let (fix, pitch) = (formation.fix(who), formation.attitude(who));
        let (command, own) = (&visible.commands[who as usize], who as usize);
        let (estimate, motion) = (&mut states.estimates[own], &mut pending.motions[own]);
        formation::navigate_impl(&fix, &pitch, command, estimate, motion);
        if who == Helicopter::Leader {
            let (fixed, pitched, told) = &mut pending.report;
            formation::report_impl(&fix, &pitch, command, fixed, pitched, told);
        }
    }
}

/// Where the leader is, three times.
fn locate(ports: &mut Ports, third: Third) {
    let Ports { states, visible, pending } = ports;
    let (fix, pitch, told) = &visible.report;
    for (number, motion) in pending.located.iter_mut().enumerate() {
        let estimate = &mut states.located[number];
        if number == 2 && third != Third::Right {
            formation::stray_impl(fix, pitch, told, estimate, &mut states.stray, motion);
        } else {
            formation::navigate_impl(fix, pitch, told, estimate, motion);
        }
    }
}

/// Where the followers shall be.
fn vote(ports: &mut Ports, third: Third) {
    let [first, second, last] = &ports.visible.located;
    let (first, second) = if third == Third::Believed { (last, last) } else { (first, second) };
    for who in FOLLOWERS {
        formation::vote_impl(first, second, last, &who.place(), &mut ports.pending.wanted[who as usize]);
    }
}
