//! Recordings survive their text form, and the first difference is found.

use proptest::prelude::*;

use super::*;
use crate::clock::Tick;
use crate::event::Happening;
use crate::names::DriverName;
use crate::value::ValueType;
use beryl_abi::{DriverId, Instant};

fn names() -> Names {
    let driver = |name: &str, kind| DriverName { name: name.to_owned(), kind, value: ValueType::Float };
    Names {
        form: crate::Form,
        system: "helicopter".to_owned(),
        board: String::new(),
        tick: Tick::new(40, 1).expect("a tick"),
        processes: vec![],
        threads: vec![],
        drivers: vec![
            driver("Navigation.gps", DriverKind::Sensor),
            driver("copy", DriverKind::Copy),
            driver("Control.servo", DriverKind::Actuator),
        ],
        programs: vec![],
        objects: Default::default(),
        modes: Default::default(),
        ports: Default::default(),
        states: Vec::new(),
        assertions: vec![],
        depths: Vec::new(),
        units: Default::default(),
    }
}

fn sample(milliseconds: u64, name: &str, value: f32) -> Sample {
    let instant = LogicalInstant::from_nanoseconds(milliseconds * 1_000_000);
    Sample { instant, name: name.to_owned(), value: value.to_le_bytes().to_vec() }
}

fn recording() -> Recording {
    Recording {
        sensors: vec![sample(0, "Navigation.gps", 1.5), sample(10, "Navigation.gps", 1.75)],
        actuators: (0..6_u16)
            .map(|k| sample(20 * u64::from(k), "Control.servo", f32::from(k) / 8.0))
            .collect(),
    }
}

#[test]
fn sensors_and_actuators_are_taken_at_their_logical_instants() {
    let driver = |driver, ticks, value: f32| Event {
        time: Instant::from_ticks(ticks + 77), // physical time is later and doesn't matter
        happening: Happening::Driver {
            driver: DriverId(driver),
            instant: Instant::from_ticks(ticks),
            value: value.to_le_bytes().to_vec(),
        },
    };
    let events = [driver(0, 0, 1.5), driver(1, 0, 9.0), driver(2, 500_000, 0.125), driver(9, 0, 0.0)];
    let expected = Recording {
        sensors: vec![sample(0, "Navigation.gps", 1.5)],
        actuators: vec![sample(20, "Control.servo", 0.125)],
    };
    assert_eq!(Recording::of(&events, &names()), expected);
}

#[test]
fn the_text_is_readable() {
    let mut recording = recording();
    recording.actuators.truncate(2);
    let text = "[sensors]\ninstant_ns,name,bytes,value\n# Navigation.gps: float\n\
                0,Navigation.gps,0000c03f,1.5\n10000000,Navigation.gps,0000e03f,1.75\n\
                [actuators]\ninstant_ns,name,bytes,value\n# Control.servo: float\n\
                0,Control.servo,00000000,0\n20000000,Control.servo,0000003e,0.125\n";
    assert_eq!(recording.to_text(&names()), text);
}

/// Drivers copy whole words; a recording has only the value, nothing after it.
#[test]
fn values_shorter_than_a_word_are_readable_and_have_no_bytes_of_their_neighbours() {
    let mut names = names();
    let types = ["boolean", "boolean", "{ short x; byte[3] y; }"];
    for (driver, text) in names.drivers.iter_mut().zip(types) {
        driver.value = ValueType::try_from(text.to_owned()).expect(text);
    }
    let driver = |driver, value: &[u8]| Event {
        time: Instant::from_ticks(0),
        happening: Happening::Driver {
            driver: DriverId(driver),
            instant: Instant::START,
            value: value.to_vec(),
        },
    };
    let with = |behind: u8| {
        let events = [
            driver(0, &[1, behind, behind, behind]),
            driver(2, &[0xFE, 0xFF, 1, 2, 3, behind, behind, behind]),
        ];
        Recording::of(&events, &names)
    };
    let text = with(0xAA).to_text(&names);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(['[', 'i'])).collect();
    assert_eq!(
        lines,
        [
            "# Navigation.gps: boolean",
            "0,Navigation.gps,01,true",
            "# Control.servo: { short x; byte[3] y; }",
            "0,Control.servo,feff010203,{x: -2, y: [1, 2, 3]}",
        ]
    );
    assert!(matches!(compare(&with(0xAA), &with(0xBB)), Comparison::Equal { .. }));
}

proptest! {
    #[test]
    fn a_recording_survives_its_text(samples in prop::collection::vec((any::<u64>(), ".*", any::<Vec<u8>>()), 0..8)) {
        let sample = |(nanoseconds, name, value)| Sample { instant: LogicalInstant::from_nanoseconds(nanoseconds), name, value };
        let samples: Vec<Sample> = samples.into_iter().map(sample).collect();
        let recording = Recording { sensors: samples.clone(), actuators: samples };
        prop_assert_eq!(Recording::parse(&recording.to_text(&names())), Ok(recording));
    }

    #[test]
    fn no_text_is_too_wrong_for_an_answer(text in "(\\[sensors\\]\n)?[0-9a-f,%\\n\\PC]*") {
        let _ = Recording::parse(&text);
    }

    #[test]
    fn a_changed_bit_is_the_first_difference(at in 0..6_usize, bit in 0..32_usize) {
        let mut changed = recording();
        changed.actuators[at].value[bit / 8] ^= 1 << (bit % 8);
        let Comparison::Different(difference) = compare(&recording(), &changed) else {
            return Err(TestCaseError::fail("not seen"));
        };
        prop_assert_eq!((difference.direction, difference.position), (Direction::Actuator, at));
    }
}

#[test]
fn wrong_lines_are_named() {
    let cases = [
        ("1,a,00,", "line 1: a sample before `[sensors]` or `[actuators]`"),
        ("[sensors]\n1,a", "line 2: expected `instant_ns,name,bytes,value`, found `1,a`"),
        (
            "[sensors]\n\n-1,a,00,",
            "line 3: `-1` is not an instant in nanoseconds: invalid digit found in string",
        ),
        ("[sensors]\n# fine\n1,a,0,", "line 3: `0` are not pairs of hexadecimal digits"),
        ("[actuators]\n1,a,0g,", "line 2: `0g` are not pairs of hexadecimal digits"),
        ("[actuators]\n1,a%,00,", "line 2: `a%` is not a name: % is followed by two digits"),
    ];
    for (text, expected) in cases {
        assert_eq!(Recording::parse(text).expect_err(text).to_string(), expected);
    }
}

#[test]
fn equal_recordings_are_counted() {
    assert_eq!(compare(&recording(), &recording()), Comparison::Equal { sensors: 2, actuators: 6 });
}

#[test]
fn a_difference_is_told_with_both_sides_and_what_came_before() {
    let mut other = recording();
    other.actuators[4] = sample(80, "Control.servo", 0.625);
    let Comparison::Different(difference) = compare(&recording(), &other) else { panic!("they differ") };
    let expected = "\
the first difference is at actuator write 5, logical instant 80 ms: the values differ
    both        20 ms  Control.servo = 0.125  (0000003e)
    both        40 ms  Control.servo = 0.25  (0000803e)
    both        60 ms  Control.servo = 0.375  (0000c03e)
  > sim         80 ms  Control.servo = 0.5  (0000003f)
  > mps2-an385  80 ms  Control.servo = 0.625  (0000203f)
";
    assert_eq!(difference.in_words("sim", "mps2-an385", &names()), expected);
}

#[test]
fn a_recording_that_ends_early_differs() {
    let mut other = recording();
    other.actuators.pop();
    let Comparison::Different(difference) = compare(&other, &recording()) else { panic!("they differ") };
    let words = difference.in_words("sim", "board", &names());
    assert!(words.starts_with("the first difference is at actuator write 6, logical instant 100 ms: one of"));
    assert!(words.contains("  > sim    nothing: it has ended\n"), "{words}");
}

#[test]
fn the_earlier_instant_comes_first_and_sensors_explain_actuators() {
    let mut other = recording();
    other.sensors[1] = sample(10, "Navigation.gps", 2.0);
    other.actuators[5] = sample(100, "Control.servo", 2.0);
    let direction = |other: &Recording| match compare(&recording(), other) {
        Comparison::Different(difference) => Some(difference.direction),
        Comparison::Equal { .. } => None,
    };
    assert_eq!(direction(&other), Some(Direction::Sensor));
    other.actuators[0] = sample(0, "Control.servo", 2.0);
    assert_eq!(direction(&other), Some(Direction::Actuator));
}
