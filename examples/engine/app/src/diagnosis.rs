//! Diagnosis: who looks, who tells, and who writes it down, as slow as it may be.

use beryl_user::endpoint::Client;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::state::{Reader, SlowReader};
use beryl_user::{call, println, time};

use crate::calibration::TOLERANCE;
use crate::latest::Latest;

/// What is told: what it is about, when (ms), and four values.
pub type Note = [i32; 6];

/// Speed, target (1/min), lambda in thousandths, whether the speed is near its target.
const STATUS: i32 = 0;
/// Which trouble began.
const TROUBLE: i32 = 1;
/// How often the store has been added to, its checksum, whether it is whole.
pub const KEPT: i32 = 2;

/// Ticks of kernel time in a millisecond.
const MILLISECOND: u64 = time::milliseconds(1).ticks();

/// What can be wrong, by its number.
const TROUBLES: [&str; 4] = ["overspeed", "mixture", "heat", "misfire"];
/// The highest speed without trouble, 1/min.
const MOST_SPEED: f32 = 3200.0;
/// How far lambda may be from 1.
const MOST_MIXTURE: f32 = 0.25;
/// The highest temperature, Celsius.
const MOST_HEAT: f32 = 105.0;
/// How much a revolution may differ from the one before.
const MOST_ROUGHNESS: f32 = 0.3;

/// Milliseconds since the start.
pub fn milliseconds() -> i32 {
    i32::try_from(time::now().ticks() / MILLISECOND).unwrap_or(i32::MAX)
}

/// Looks for trouble, and tells what begins. It never waits: if nobody listens, it tells again next time.
pub fn monitor(
    mut period: Period,
    mut speed: SlowReader<[f32; 2]>,
    lambda: Reader<f32>,
    temperature: Reader<f32>,
    roughness: Reader<f32>,
    mut notes: Sender<Note>,
) -> ! {
    let mut lambda = Latest::new(lambda, 1.0);
    let (mut temperature, mut roughness) = (Latest::new(temperature, 0.0), Latest::new(roughness, 0.0));
    let mut told = [false; TROUBLES.len()];
    loop {
        let [speed, teeth] = speed.read().unwrap_or_default();
        // The first revolutions begin somewhere.
        let is_running = teeth > 50.0;
        let lambda = lambda.get();
        let found = [
            speed > MOST_SPEED,
            is_running && !(1.0 - MOST_MIXTURE..1.0 + MOST_MIXTURE).contains(&lambda),
            temperature.get() > MOST_HEAT,
            is_running && roughness.get() > MOST_ROUGHNESS,
        ];
        for (number, (is_there, told)) in (0..).zip(found.into_iter().zip(&mut told)) {
            let note = [TROUBLE, milliseconds(), number, 0, 0, 0];
            *told = is_there && (*told || notes.try_send(&note).is_ok());
        }
        period.wait();
    }
}

/// Tells how the engine runs.
pub fn report(
    mut period: Period,
    mut speed: SlowReader<[f32; 2]>,
    target: Reader<f32>,
    lambda: Reader<f32>,
    mut parameters: Client<i32, [f32; 2]>,
    mut notes: Sender<Note>,
) -> ! {
    let (mut target, mut lambda) = (Latest::new(target, 0.0), Latest::new(lambda, 1.0));
    loop {
        let [speed, _] = speed.read().unwrap_or_default();
        let (target, lambda) = (target.get(), lambda.get());
        let [least, most] = parameters.call(&TOLERANCE).unwrap_or_default();
        let is_held = (least..=most).contains(&(speed - target));
        let values = [speed, target, 1000.0 * lambda].map(|value| value as i32);
        let [speed, target, lambda] = values;
        let _ = notes.send(&[STATUS, milliseconds(), speed, target, lambda, i32::from(is_held)]);
        period.wait();
    }
}

/// Writes notes on the console.
pub fn diagnose(mut notes: Receiver<Note>) -> ! {
    while let Ok(note) = notes.receive() {
        write(&note);
    }
    call::stop()
}

fn write(&[kind, instant, first, second, third, fourth]: &Note) {
    match kind {
        STATUS => {
            let verdict = if fourth == 1 { "held" } else { "not yet" };
            let (whole, part) = (third / 1000, third % 1000);
            println!("{instant} ms: {first} 1/min of {second}, lambda {whole}.{part:03}, {verdict}");
        }
        TROUBLE => {
            let name = usize::try_from(first).ok().and_then(|number| TROUBLES.get(number));
            println!("{instant} ms: trouble: {}", name.unwrap_or(&"unknown"));
        }
        KEPT if third == 1 => println!("{instant} ms: kept {first} entries, checksum {second:08x}"),
        KEPT => println!("{instant} ms: the store is torn"),
        _ => println!("{instant} ms: a note of unknown kind {kind}"),
    }
}
