//! The bench: runs the engine that the board hasn't, in a process of its own.

use beryl_user::environment;
use beryl_user::period::Period;
use beryl_user::state::{Reader, Writer};

use crate::combustion::{Commands, Engine};
use crate::latest::Latest;
use crate::wheel::{Distance, Drive, ROAD};
use crate::{TEETH, limit};

/// Nanoseconds in a minute.
const MINUTE: f32 = 60e9;

/// Moves the engine every 2 ms by what the actuators say and the road takes, turns the crank wheel, and puts
/// what sensors would see on the wires.
pub fn engine(
    mut period: Period,
    pulse: Reader<f32>,
    advance: Reader<f32>,
    plate: Reader<f32>,
    mut wires: Writer<[f32; 4]>,
    tooth: Distance,
) -> ! {
    let (mut pulse, mut advance) = (Latest::new(pulse, 0.0), Latest::new(advance, 0.0));
    let mut plate = Latest::new(plate, 0.0);
    let (mut engine, mut drive, mut road) = (Engine::default(), Drive::new(tooth), [0.0_f32; 2]);
    loop {
        environment::read(ROAD, &mut road);
        let [asked, load] = road;
        let commands = Commands { plate: plate.get(), pulse: pulse.get(), advance: advance.get() };
        engine.step(commands, load);
        wires.write(&[engine.pressure, engine.lambda, engine.temperature, asked]);
        let tooth = MINUTE / (engine.speed * TEETH as f32);
        drive.turn(limit(tooth, 1e5, 1e9) as u32);
        period.wait();
    }
}
