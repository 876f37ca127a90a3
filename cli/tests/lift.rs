//! The lift: two modules with modes of their own give the same actuator trace on every machine and with any times.

use std::collections::BTreeMap;
use std::fs;

use beryl_trace::modes::Modes;
use beryl_trace::{Names, decode};
use common::{TWIN, assert_recorded, beryl, change, example, folder, left, left_text, lock, root};

mod common;

const TIME: [&str; 2] = ["--for", "20s"];
const LAST_LINE: &str = "lift: 854 actuator writes, identical on sim and mps2-an385; 0 deadline misses";

/// The actuators' half of a recording: instant in ns, name, value.
fn actuators(recording: &str) -> Vec<(u64, &str, &str)> {
    let lines = recording.lines().skip_while(|line| *line != "[actuators]").skip(2);
    let lines = lines.filter(|line| !line.starts_with('#'));
    let fields = lines.map(|line| line.split(',').collect::<Vec<_>>());
    fields.map(|row| (row[0].parse().expect("an instant"), row[1], row[3])).collect()
}

/// The writes that change a value, a line each.
fn changes(writes: &[(u64, &str, &str)]) -> String {
    let mut last = BTreeMap::new();
    let mut text = String::new();
    for (instant, name, value) in writes {
        if last.insert(*name, *value) != Some(*value) {
            text += &format!("{:>5} ms {name} := {value}\n", instant / 1_000_000);
        }
    }
    text
}

fn simulated(options: &[&str]) -> String {
    let said = beryl(&[&["sim", &example("lift")], &TIME[..], options].concat()).ended(0);
    assert!(said.contains("3 calls served, 3 strokes of the bell"), "{said}");
    left_text("lift", "sim.recording")
}

#[test]
fn check_proves_modes_one_after_the_other() {
    let said = beryl(&["check", &example("lift")]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
    assert!(said.contains("processor: 28.98 % in all"), "the book says so: {said}");
    assert!(said.contains("modes are counted one after the other"), "{said}");
}

/// What is shorter than a word is told as what it is, and each module's sensor by its own name.
#[test]
fn recordings_have_values_with_their_types() {
    let _lock = lock("lift");
    let recording = simulated(&[]);
    for line in
        ["# beam: boolean", "# bell: boolean", "# Door.gap: int", "# Cabin.place: { int cabin; int wanted; }"]
    {
        assert!(recording.lines().any(|found| found == line), "{line}");
    }
    assert!(recording.lines().any(|line| line.contains(",beam,01,true")), "somebody was in the door");
    assert!(recording.lines().any(|line| line.contains(",bell,00,false")), "the bell was still");
}

#[test]
fn both_machines_switch_at_the_same_instants() {
    let _lock = lock("lift");
    let said = beryl(&[&["run", &example("lift")], &TIME[..]].concat()).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let [simulated, flown] = [TWIN, "mps2-an385"].map(|name| left_text("lift", &format!("{name}.recording")));
    assert_eq!(simulated, flown);
    assert_recorded("lift/changes.txt", &changes(&actuators(&simulated)));
    let [simulated, flown] = [TWIN, "mps2-an385"].map(switches);
    assert_eq!(simulated, flown);
    assert_recorded("lift/switches.txt", &simulated);
}

/// What a trace says of modes: each change, a line.
fn switches(name: &str) -> String {
    let names = Names::parse(&left_text("lift", "names.json")).expect("names");
    let events = decode(&left("lift", &format!("{name}.trace"))).expect("a whole trace");
    let modes = Modes::of(&events, &names);
    modes.switches().iter().map(|switch| switch.words(&names) + "\n").collect()
}

/// The modes are in all that tells of a run.
#[test]
fn every_view_names_modes_and_ports() {
    let _lock = lock("lift");
    simulated(&[]);
    let trace = folder().join("out/lift/sim.trace").display().to_string();
    let stats = beryl(&["trace", "stats", &trace]).ended(0);
    let line = |words: &[&str]| stats.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
    assert!(line(&["Cabin", "travel", "2", "4240", "ms", "21.21", "%", "2120", "ms"]), "{stats}");
    let why = beryl(&["trace", "why", "push@4640ms", &trace]).ended(0);
    assert!(why.contains("  released in mode opening of Door, which began at 2450 ms\n"), "{why}");
    let why = beryl(&["--json", "trace", "why", "push@4640ms", &trace]).ended(0);
    assert!(
        why.contains("\"modes\":[\"released in mode opening of Door, which began at 2450 ms\"]"),
        "{why}"
    );
    beryl(&["trace", "html", &trace]).ended(0);
    let page = left_text("lift", "sim.html");
    for lane in [r#""heading":"modes""#, r#""name":"Door""#, r#""name":"ring.on""#] {
        assert!(page.contains(lane), "{lane}");
    }
}

/// Values over time, in the terminal, as a picture and as lines, with the units of the description.
#[test]
fn values_are_curves_and_lines() {
    let _lock = lock("lift");
    simulated(&[]);
    let trace = folder().join("out/lift/sim.trace").display().to_string();
    let said = beryl(&["trace", "curves", &trace, "Cabin.place", "motor", "--to", "5s"]).ended(0);
    let line = |words: &[&str]| said.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
    assert!(line(&["Cabin.place.wanted", "mm", "-1", "3000", "2591.864", "164"]), "{said}");
    assert!(line(&["motor", "mm/s", "0", "1500", "640.858974", "106"]), "{said}");
    let picture = left_text("lift", "sim.curves.svg");
    assert!(picture.contains("1500 mm/s") && picture.contains("<title>motor (mm/s)</title>"), "{picture}");
    beryl(&["trace", "csv", &trace, "motor", "Door.place.cabin", "--to", "400ms"]).ended(0);
    let lines = left_text("lift", "sim.csv");
    let rows: Vec<&str> = lines.lines().collect();
    assert_eq!((rows[0], rows[1]), ("instant_ns,motor (mm/s),Door.place.cabin (mm)", "0,,0"));
    assert_eq!(rows.last(), Some(&"400000000,1500,120"));
    // While the cabin travels, the drive takes a tenth of the processor.
    beryl(&["trace", "csv", &trace, "load of drive", "load", "--every", "5s"]).ended(0);
    let expected = "instant_ns,load of drive (%),load (%)\n0,4.24,9.43\n5000000000,0,7.68\n10000000000,4.24,10.96\n15000000000,0,8.81\n";
    assert_eq!(left_text("lift", "sim.csv"), expected);
    let said = beryl(&["trace", "curves", &trace, "load", "--every", "100ms", "--to", "2s"]).ended(0);
    assert!(
        said.lines().any(|line| line.split_whitespace().eq(["load", "%", "0.5", "10.85", "9.2775", "20"])),
        "{said}"
    );
    assert!(left_text("lift", "sim.curves.svg").contains("<title>load (%)</title>"));
    let wrong = beryl(&["trace", "curves", &trace, "load", "--every", "1ns"]).everything();
    assert!(
        wrong.contains("--every: that would be more than 1000000 windows; ask for 20 us or more"),
        "{wrong}"
    );
    let wrong = beryl(&["trace", "csv", &trace, "rotor"]).everything();
    assert!(
        wrong.starts_with("exit code 1")
            && wrong.contains("there is no curve `rotor`; there are Cabin.place.cabin, "),
        "{wrong}"
    );
}

/// The same run, in which the motor's actuator is called `load`: that is its name then, and the processor's load has another.
#[test]
fn a_value_that_is_called_load_hides_no_load() {
    let _lock = lock("lift");
    simulated(&[]);
    let place = folder().join("out/called_load");
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("sim.trace"), left("lift", "sim.trace")).expect("written");
    let names = left_text("lift", "names.json");
    fs::write(place.join("names.json"), names.replace("\"motor\"", "\"load\"")).expect("written");
    let trace = place.join("sim.trace").display().to_string();
    let both = ["load", "load of *", "load of drive"];
    beryl(&[&["trace", "csv", &trace], &both[..], &["--every", "5s", "--to", "1ms"]].concat()).ended(0);
    let lines = left_text("called_load", "sim.csv");
    assert_eq!(lines, "instant_ns,load (mm/s),load of * (%),load of drive (%)\n0,,9.43,4.24\n");
    beryl(&["trace", "csv", &trace, "load", "load of drive", "--every", "5s", "--to", "1ms"]).ended(0);
    assert_eq!(left_text("called_load", "sim.csv"), "instant_ns,load (mm/s),load of drive (%)\n0,,4.24\n");
    let said = beryl(&["trace", "curves", &trace, "load of *", "--every", "100ms", "--to", "2s"]).ended(0);
    let line = |words: &[&str]| said.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
    assert!(line(&["load", "of", "*", "%", "0.5", "10.85", "9.2775", "20"]), "{said}");
    // The longer name is always right; and the shorter one is the value's alone.
    let lift = folder().join("out/lift/sim.trace").display().to_string();
    beryl(&["trace", "csv", &lift, "load of *", "--every", "5s", "--to", "1ms"]).ended(0);
    assert_eq!(left_text("lift", "sim.csv"), "instant_ns,load of * (%)\n0,9.43\n");
    beryl(&["trace", "csv", &trace, "load", "--to", "1ms"]).ended(0);
    assert_eq!(left_text("called_load", "sim.csv"), "instant_ns,load (mm/s)\n");
}

#[test]
fn modes_do_not_depend_on_execution_times() {
    let _lock = lock("lift");
    let worst = simulated(&[]);
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "7"]] {
        assert_eq!(simulated(times), worst, "{times:?}");
    }
}

/// A module in a mode writes its actuators at whole multiples of that mode's instants after it was entered.
#[test]
fn writes_come_in_the_rhythm_of_their_mode() {
    let _lock = lock("lift");
    let recording = simulated(&[]);
    let writes = actuators(&recording);
    let gaps = |name: &str, most: u64| {
        let own: Vec<u64> = writes.iter().filter(|write| write.1 == name).map(|write| write.0).collect();
        let gaps = own.windows(2).map(|pair| (pair[1] - pair[0]) / 1_000_000);
        gaps.filter(|gap| *gap < most).collect::<Vec<_>>()
    };
    assert!(gaps("motor", 50).iter().all(|gap| *gap == 20), "twice a period of 40 ms");
    assert!(
        gaps("leaf", 50).iter().all(|gap| *gap == 20 || *gap == 40),
        "a switch leaves one out, at its first instant"
    );
    assert_eq!(gaps("bell", 200), [125; 21], "three times eight of them");
}

/// What is said of the application if the timing program changes and the application doesn't.
fn refused_after(name: &str, from: &str, to: &str) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "lift.tdl"] {
        fs::copy(root().join("examples/lift").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"lift\"", &format!("name = {name:?}"));
    for part in ["app", "shaft"] {
        change(&description, &format!("= {part:?}"), &format!("= \"../../../../examples/lift/{part}\""));
    }
    change(&system.join("lift.tdl"), from, to);
    let ran = beryl(&["sim", &system.display().to_string(), "--for", "10ms"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    ran.everything()
}

#[test]
fn an_application_that_does_not_follow_a_change_of_a_port_does_not_compile() {
    let changes = [
        ("lift_state", "state int strokes := 0;", "state long strokes := 0;", "ring_impl"),
        (
            "lift_field",
            "struct Place { int cabin; int wanted; }",
            "struct Place { float cabin; int wanted; }",
            "pub struct Place { pub cabin: f32, pub wanted: i32 }",
        ),
        (
            "lift_order",
            "struct Place { int cabin; int wanted; }",
            "struct Place { int wanted; int cabin; }",
            "pub struct Place { pub wanted: i32, pub cabin: i32 }",
        ),
        (
            "lift_more",
            "struct Place { int cabin; int wanted; }",
            "struct Place { int cabin; int wanted; int more; }",
            "pub more: i32 }",
        ),
        ("lift_guard", "is_here(place, Cabin.drive.speed)", "is_here(place)", "is_here"),
        ("lift_argument", "must_travel(place, gap)", "must_travel(place, gap, 5)", "must_travel"),
    ];
    for (name, from, to, expected) in changes {
        let said = refused_after(name, from, to);
        assert!(said.contains(expected), "{name}: {said}");
    }
}
