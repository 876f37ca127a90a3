//! The environment: what the simulated system reads, writes and is told at the end.

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};
use core::time::Duration;
use helicopter_plant::{Flight, Gusts, Noise, Plant, environment};
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn at(milliseconds: u64) -> Nanoseconds {
    Nanoseconds::new(milliseconds * 1_000_000)
}

fn command(thrust: f32, tilt: f32) -> Vec<u8> {
    [thrust.to_le_bytes(), tilt.to_le_bytes()].concat()
}

fn calm() -> Flight {
    Flight::new(Plant::with_noise(1, Gusts::calm(), Noise::NONE))
}

#[test]
fn values_cross_as_little_endian_bytes_at_their_instants() {
    let mut flight = Flight::new(Plant::new(5, Gusts::calm()));
    let mut plant = Plant::new(5, Gusts::calm());
    for period in 0..50_u8 {
        let milliseconds = u64::from(period) * 20;
        let rotor = [10.0 + f32::from(period) * 0.01, 0.01];
        flight.write(at(milliseconds), helicopter::ROTOR, &command(rotor[0], rotor[1]));
        plant.advance_to(Duration::from_millis(milliseconds));
        plant.command(rotor);

        let (mut fix, mut attitude) = ([0; 8], [0; 4]);
        flight.read(at(milliseconds + 10), helicopter::GPS, &mut fix);
        flight.read(at(milliseconds + 10), helicopter::ATTITUDE, &mut attitude);
        plant.advance_to(Duration::from_millis(milliseconds + 10));
        assert_eq!(fix.to_vec(), plant.fix().map(f32::to_le_bytes).concat());
        assert_eq!(attitude, plant.attitude().to_le_bytes());
    }
    assert_eq!(flight.plant().trajectory(), plant.trajectory());
}

#[test]
fn the_end_reports_the_hover() {
    let mut flight = calm();
    assert_eq!(
        flight.finish(at(2000)).unwrap(),
        "hover held for 2.000 s: at most 0.000 m horizontally, 0.000 m vertically (bounds 1.0 m and 0.5 m)"
    );
}

#[test]
fn the_end_reports_a_lost_hover_with_its_instant() {
    let mut flight = calm();
    flight.write(at(20), helicopter::ROTOR, &command(0.0, 0.0));
    assert_eq!(
        flight.finish(at(2000)).unwrap_err(),
        "hover was lost after 0.419 s: +0.000 m forward, -0.502 m up, where ±1.0 m and ±0.5 m are the bounds"
    );
}

#[test]
fn an_access_to_what_the_helicopter_has_not_is_reported() {
    let has = "; the helicopter has sensors on channels 0 (8 bytes) and 1 (4 bytes), and a rotor on channel 2 (8 bytes)";
    let report = |misuse: &dyn Fn(&mut Flight)| {
        let mut flight = calm();
        misuse(&mut flight);
        flight.finish(at(100)).unwrap_err()
    };
    let channel = Channel::new;
    assert_eq!(
        report(&|flight| flight.read(at(0), channel(7), &mut [0; 8])),
        format!("a read of 8 bytes on channel 7{has}")
    );
    assert_eq!(
        report(&|flight| flight.read(at(0), helicopter::GPS, &mut [0; 4])),
        format!("a read of 4 bytes on channel 0{has}")
    );
    assert_eq!(
        report(&|flight| flight.write(at(0), helicopter::ROTOR, &[0; 9])),
        format!("a write of 9 bytes on channel 2{has}")
    );
    assert_eq!(
        report(&|flight| flight.write(at(0), helicopter::GPS, &[0; 8])),
        format!("a write of 8 bytes on channel 0{has}")
    );
}

#[test]
fn the_example_has_its_table_of_gusts() {
    assert!(environment(1, Path::new(EXAMPLE)).is_ok());
}

#[test]
fn a_missing_or_wrong_table_is_named() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gusts");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("gust.csv");

    fs::write(&file, "time_s,horizontal_m_per_s,vertical_m_per_s\n0.0,fast,0.0\n").unwrap();
    let wrong = environment(1, &folder).unwrap_err().to_string();
    assert_eq!(
        wrong,
        format!("{}: line 2: `fast` isn't a finite number; write it like `-1.5`", file.display())
    );

    fs::remove_file(&file).unwrap();
    let missing = environment(1, &folder).unwrap_err().to_string();
    assert!(missing.starts_with(&file.display().to_string()), "{missing}");
    assert!(missing.ends_with("the example needs this table of gusts"), "{missing}");
}
