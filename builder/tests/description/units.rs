//! What units mean: they are of sensors, actuators, ports and parts of their values, whichever way they are written.

use beryl_builder::description::Description;
use beryl_trace::{Names, Units};

use super::rendered;

const NAMES: &str = r#"{"system": "s", "tick": {"nanoseconds": 1000, "ticks": 1}, "processes": [], "programs": [], "threads": [],
    "drivers": [{"name": "Cabin.place", "kind": "sensor", "value": "{ int at; int[2] beam; }"},
        {"name": "Cabin.gap", "kind": "sensor", "value": "int"}, {"name": "Door.gap", "kind": "sensor", "value": "int"},
        {"name": "motor", "kind": "actuator", "value": "float"}],
    "ports": [{"name": "drive.speed", "value": "int", "writers": []}]}"#;

/// The units that a description has in its last table, or what is said of them.
fn read(units: &str) -> Result<Units, String> {
    let text = format!("{}\n[units]\n{units}\n", include_str!("right/threads_only.toml"));
    let description = Description::parse("beryl.toml", &text).map_err(|wrong| rendered(&wrong))?;
    description.units.about(&Names::parse(NAMES).expect("names")).map_err(|wrong| rendered(&wrong))
}

#[test]
fn names_with_points_may_stand_in_quotation_marks_or_not() {
    for text in [
        "Cabin.place = \"mm\"\nmotor = \"1/min\"\ndrive.speed = \"mm/s\"",
        "\"Cabin.place\" = \"mm\"\n\"motor\" = \"1/min\"\n\"drive.speed\" = \"mm/s\"",
        "motor = \"1/min\"\n[units.Cabin]\nplace = \"mm\"\n[units.drive]\nspeed = \"mm/s\"",
    ] {
        let units = read(text).expect("units");
        let of = [("Cabin.place", ".at"), ("Cabin.place", ".beam[1]"), ("motor", ""), ("drive.speed", "")];
        let of = of.map(|(name, path)| units.of(name, path));
        assert_eq!(of, [Some("mm"), Some("mm"), Some("1/min"), Some("mm/s")], "{text}");
        assert_eq!(units.of("Cabin.gap", ""), None);
    }
    let units = read("\"Cabin.place.beam[1]\" = \"cm\"\nCabin.place = \"mm\"").expect("units");
    assert_eq!(
        (units.of("Cabin.place", ".beam[1]"), units.of("Cabin.place", ".beam[0]")),
        (Some("cm"), Some("mm"))
    );
}

#[test]
fn names_that_nothing_has_are_told_with_what_was_meant() {
    let cases = [
        (
            "motr = \"A\"",
            "there is no sensor, actuator, port or traced state message `motr`",
            "did you mean `motor`?",
        ),
        (
            "drive.sped = \"m\"",
            "there is no sensor, actuator, port or traced state message `drive.sped`",
            "did you mean `drive.speed`?",
        ),
        (
            "\"Cabin.place.beam[2]\" = \"m\"",
            "traced state message `Cabin.place.beam[2]`",
            "the known ones: `Cabin.place`",
        ),
        ("gap = \"mm\"", "`gap` is in several modules", "write `Cabin.gap` or `Door.gap`"),
    ];
    for (text, message, help) in cases {
        let said = read(text).expect_err(text);
        for part in [message, help, "beryl.toml:"] {
            assert!(said.contains(part), "{text}: {part}: {said}");
        }
    }
}
