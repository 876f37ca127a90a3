//! A protocol stack in user mode, beside a controller (`examples/ethernet`): what is answered, and what a flood costs whom.

use std::path::Path;

use common::{beryl, change, copy, example, folder, left, lock};

mod common;

const FLOOD: &str = "[flood]                         # frames for everybody that nobody asked for
from = 1000000
to = 2000000
every = 40                      # some 25,000 a second
";

/// Without a flood everything is answered. In one most frames are lost, and answers with them; the controller writes the
/// same, and nobody is late.
#[test]
fn a_flood_costs_the_stack_its_answers_and_the_controller_nothing() {
    let name = "ethernet_flooded";
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("ethernet")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"ethernet\"", &format!("name = \"{name}\""));
    for (key, part) in [("application", "app"), ("environment", "peer")] {
        let there = format!("{key} = \"../../../../examples/ethernet/{part}\"");
        change(&description, &format!("{key} = {part:?}"), &there);
    }
    let _lock = lock(name);
    let run = || {
        let said = beryl(&["sim", &system.display().to_string(), "--for", "3s"]).ended(0);
        assert!(said.ends_with(&format!("{name}: 0 deadline misses\n")), "{said}");
        (said, left(name, "sim.recording"))
    };
    let report = |said: &str, lines: &[&str]| {
        lines.iter().for_each(|line| assert!(said.contains(line), "{line} isn't in\n{said}"));
    };
    let (flooded, writes) = run();
    report(
        &flooded,
        &[
            "  pings: 90 of 90 answered, after 150 us at most",
            "  pings in the flood: 5 of 55 answered, after 150 us at most",
            "  datagrams: 36 of 36 answered, after 150 us at most",
            "  datagrams in the flood: 2 of 22 answered, after 150 us at most",
            "  25211 frames came, 15938 of them were lost; the stack has told 30 times, of 9266 frames the last time",
            "300 actuator writes",
        ],
    );
    change(&system.join("traffic.toml"), FLOOD, "");
    let (quiet, without) = run();
    report(
        &quiet,
        &["  pings: 145 of 145 answered", "  datagrams: 58 of 58 answered", " 0 of them were lost"],
    );
    assert!(!quiet.contains("in the flood"), "{quiet}");
    assert_eq!(writes, without, "the controller's sensor values and writes");
}
