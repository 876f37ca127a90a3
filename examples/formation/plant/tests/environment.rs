//! The environment: what the simulated system reads, writes and is told at the end.

use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};
use core::time::Duration;
use formation_plant::{Flight, Formation, Helicopter, environment};
use helicopter_plant::{Gusts, Noise};
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
    Flight::new(Formation::with_noise(1, &Gusts::calm(), Noise::NONE))
}

/// Each helicopter by the channels that the application has for it.
const CHANNELS: [(Helicopter, formation::Channels); 3] = [
    (Helicopter::Leader, formation::LEADER),
    (Helicopter::Left, formation::LEFT),
    (Helicopter::Right, formation::RIGHT),
];

#[test]
fn values_cross_as_little_endian_bytes_at_their_instants() {
    let mut flight = Flight::new(Formation::new(5, &Gusts::calm()));
    let mut model = Formation::new(5, &Gusts::calm());
    for period in 0..50_u8 {
        let (begin, middle) = (u64::from(period) * 20, u64::from(period) * 20 + 10);
        model.advance_to(Duration::from_millis(begin));
        for (number, (who, channels)) in (0_u8..).zip(CHANNELS) {
            let rotor = [10.0 + f32::from(period) * 0.01, 0.01 * f32::from(number)];
            flight.write(at(begin), channels.rotor, &command(rotor[0], rotor[1]));
            model.command(who, rotor);
        }
        model.advance_to(Duration::from_millis(middle));
        for (who, channels) in CHANNELS {
            let (mut fix, mut attitude) = ([0; 8], [0; 4]);
            flight.read(at(middle), channels.gps, &mut fix);
            flight.read(at(middle), channels.attitude, &mut attitude);
            assert_eq!(fix.to_vec(), model.fix(who).map(f32::to_le_bytes).concat(), "{who}");
            assert_eq!(attitude, model.attitude(who).to_le_bytes(), "{who}");
        }
    }
    for who in Helicopter::ALL {
        assert_eq!(flight.formation().state(who), model.state(who), "{who}");
    }
}

/// Nodes come to the environment in any order: at one instant, what is read doesn't depend on what is written.
#[test]
fn what_is_written_at_an_instant_is_not_read_at_the_same() {
    let fixes = |writes_first: bool| {
        let mut flight = calm();
        let mut fix = [0; 8];
        for milliseconds in (0..2000).step_by(20) {
            let write = |flight: &mut Flight| {
                flight.write(at(milliseconds), formation::LEFT.rotor, &command(11.0, 0.01));
            };
            if writes_first {
                write(&mut flight);
            }
            flight.read(at(milliseconds), formation::LEFT.gps, &mut fix);
            if !writes_first {
                write(&mut flight);
            }
        }
        fix
    };
    assert_eq!(fixes(true), fixes(false));
}

#[test]
fn the_end_reports_how_formation_was_kept() {
    assert_eq!(
        calm().finish(at(2000)).unwrap(),
        "formation kept for 2.000 s: at most 0.000 m off at the left, 0.000 m at the right (bound 1.0 m); the leader is \
         +0.0 m forward, +0.0 m up"
    );
}

#[test]
fn the_end_reports_a_lost_formation_with_its_instant() {
    let lost = |rotor| {
        let mut flight = calm();
        flight.write(at(20), rotor, &command(0.0, 0.0));
        flight.finish(at(2000)).unwrap_err()
    };
    assert_eq!(
        lost(formation::RIGHT.rotor),
        "formation was lost after 0.563 s: the right one was 1.002 m from its place, where 1.0 m is the bound"
    );
    // If it is the leader that falls, the first of the followers is named.
    assert_eq!(
        lost(formation::LEADER.rotor),
        "formation was lost after 0.563 s: the left one was 1.002 m from its place, where 1.0 m is the bound"
    );
}

#[test]
fn a_command_that_is_no_number_loses_formation() {
    let mut flight = calm();
    flight.write(at(0), formation::LEFT.rotor, &command(f32::NAN, 0.0));
    assert_eq!(
        flight.finish(at(100)).unwrap_err(),
        "formation was lost after 0.002 s: the left one was NaN m from its place, where 1.0 m is the bound"
    );
}

#[test]
fn an_access_to_what_the_helicopters_have_not_is_reported() {
    let has = "; each helicopter has sensors on a channel (8 bytes) and the next (4 bytes), and a rotor on the one behind them \
               (8 bytes): from 0 the leader, from 3 the left one, from 6 the right one";
    let report = |misuse: &dyn Fn(&mut Flight)| {
        let mut flight = calm();
        misuse(&mut flight);
        flight.finish(at(100)).unwrap_err()
    };
    let channel = Channel::new;
    let read =
        |number, length| report(&move |flight| flight.read(at(0), channel(number), &mut vec![0; length]));
    let write =
        |number, length| report(&move |flight| flight.write(at(0), channel(number), &vec![0; length]));
    assert_eq!(read(9, 8), format!("a read of 8 bytes on channel 9{has}"));
    assert_eq!(read(3, 4), format!("a read of 4 bytes on channel 3{has}"));
    assert_eq!(read(8, 8), format!("a read of 8 bytes on channel 8{has}"));
    assert_eq!(write(5, 9), format!("a write of 9 bytes on channel 5{has}"));
    assert_eq!(write(0, 8), format!("a write of 8 bytes on channel 0{has}"));
}

#[test]
fn the_example_has_its_table_of_gusts() {
    assert!(environment(1, Path::new(EXAMPLE)).is_ok());
}

#[test]
fn a_missing_or_wrong_table_is_named() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formation_gusts");
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
