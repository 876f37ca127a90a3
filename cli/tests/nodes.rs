//! Nodes with different boards: each has its own clock and its own interrupt lines, and nobody sees which it has.

use std::path::{Path, PathBuf};

use beryl_trace::decode;
use common::{beryl, left, left_text, lock, on_board};

mod common;

const TIMING: &str = "
module Beat {
  public task beat { state int n := 0; output int count := 0; uses beat_impl(n, count); }
  start mode m [period = 10ms] { task [freq = 1] beat(); }
}
module Bell {
  import Beat;
  actuator int rung := 0 uses set_rung;
  actuator int heard := 0 uses set_heard;
  task ring { state int n := 0; output int times := 0; uses ring_impl(n, times); }
  start mode m [period = 10ms] {
    actuator [freq = 1] rung := ring.times;
    actuator [freq = 1] heard := Beat.beat.count;
  }
  asynchronous { task [trigger = bell, priority = 1] ring(); }
}
";

const DESCRIPTION: &str = r#"
[system]
name = "NAME"
timing = ["bell.tdl"]
application = "app"
environment = "bell.csv"

[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
speed = 4

[on.virt]
devices = { dualtimer = "rtc" }

[node.here]
[node.there]
BOARD

[bus]
frame = "100us"
byte = "8us"

[process.here]
node = "here"
memory = "64"

[process.there]
node = "there"
memory = "64"
devices = ["dualtimer", "environment"]
driver_stack = "512"

[[band]]
name = "due"
policy = "dynamic"

[[band]]
name = "events"
policy = "fixed"

[task.beat]
process = "here"
band = "due"
worst = "1ms"
stack = "512"

[task.ring]
process = "there"
band = "events"
priority = 1
worst = "0.5ms"
stack = "512"

[driver.set_rung]
process = "there"
worst = "20us"

[driver.set_heard]
process = "there"
worst = "20us"

[interrupt.bell]
line = 10
separation = "3ms"
"#;

/// The bell rings at 12, 25 and 48 ms. The third time is one too often for whoever counts.
const CODE: &str = "#![no_std]
use beryl_user::environment::{self, Channel};
pub fn beat_impl(n: &mut i32, count: &mut i32) { *n += 1; *count = *n; }
pub fn ring_impl(n: &mut i32, times: &mut i32) { *n += 1; assert!(*n < 3, \"too often\"); *times = *n; }
pub fn set_rung(value: &i32) { environment::write(Channel::new(0), value); }
pub fn set_heard(value: &i32) { environment::write(Channel::new(1), value); }
";

fn system(name: &str, board: &str) -> PathBuf {
    let bells = "time ms, interrupt 10\n12, 1\n25, 1\n48, 1\n";
    on_board(name, board, CODE, DESCRIPTION, &[("bell.tdl", TIMING), ("bell.csv", bells)])
}

fn simulated(system: &Path, options: &[&str]) -> String {
    let system = system.display().to_string();
    let ran = beryl(&[&["sim", &system], options].concat());
    // It ends with 1 where a task faults, and leaves its traces.
    assert!(ran.out.contains("Node there"), "{}", ran.everything());
    ran.everything()
}

/// An interrupt that releases a task comes on the line of what stands in for its device on the node's board, and what
/// another node has counted, in its own ticks, counts here at the same instants.
#[test]
fn nodes_have_the_clocks_and_lines_of_their_boards() {
    for (name, board) in [("bell", ""), ("bell_on_virt", "board = \"virt\"")] {
        let _lock = lock(name);
        let said = simulated(&system(name, board), &["--for", "45ms", "--costs", "worst"]);
        let recording = left_text(&format!("{name}_there"), "sim.recording");
        let written = |actuator: &str| {
            let rows = recording.lines().map(|line| line.split(',').collect::<Vec<_>>());
            let rows = rows.filter(|row| row.get(1) == Some(&actuator));
            let rows = rows.map(|row| format!("{} {}", row[0].trim_end_matches("000000"), row[3]));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(written("rung"), ["0 0", "10 0", "20 1", "30 2", "40 2"], "{name}: {said}");
        assert_eq!(written("heard"), ["0 0", "10 1", "20 2", "30 3", "40 4"], "{name}: {said}");
    }
}

/// What ends the run of one node ends that of all.
#[test]
fn a_run_of_several_nodes_ends_when_one_stops() {
    let _lock = lock("bell");
    let system = system("bell", "");
    let last = |options: &[&str]| {
        let said = simulated(&system, &[&["--for", "200ms"], options].concat());
        let events = decode(&left("bell_here", "sim.trace")).expect("a whole trace");
        let last = events.last().expect("there are some").time.ticks() / 25_000;
        (last, said)
    };
    let (end, said) = last(&["--until", "fault"]);
    assert!((40..50).contains(&end), "{end} ms: {said}");
    assert!(said.contains("too often"), "{said}");
    assert!(last(&[]).0 >= 190);
}

/// Each node has an image of its own, and bands of its own; one can be named, and a process is one node's.
#[test]
fn plans_and_images_are_made_for_each_node() {
    let _lock = lock("bell_on_virt");
    let system = system("bell_on_virt", "board = \"virt\"");
    let folder = system.display().to_string();
    let said = beryl(&["build", &folder]).ended(0);
    let images = |said: &str| {
        let lines =
            said.lines().filter_map(|line| line.split_once("/build/bell_on_virt_")?.1.split_once("/image."));
        lines.map(|(node, _)| node.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(images(&said), ["here", "there"], "{said}");
    assert_eq!(images(&beryl(&["build", &folder, "--node", "there"]).ended(0)), ["there"]);
    let plans = |options: &[&str]| {
        let said = beryl(&[&["plan", &folder], options].concat()).ended(0);
        said.lines().filter_map(|line| line.strip_prefix("Bands for ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(plans(&[]), ["bell_on_virt_here", "bell_on_virt_there"]);
    assert_eq!(plans(&["--node", "here"]), ["bell_on_virt_here"]);
    // All others are about one node.
    for options in [
        &["explore", "--for", "20ms"][..],
        &["faults", "--runs", "2", "--for", "20ms"],
        &["attack", "--runs", "2", "--for", "20ms"],
        &["compare", "--board", "mps2-an385", "--speeds", "0", "--for", "20ms"],
    ] {
        let ran = beryl(&[&options[..1], &[folder.as_str(), "--node", "here"], &options[1..]].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {ran:?}");
        let is_told = ran.out.contains("it is a node, and bands are described for all nodes together");
        assert_eq!(is_told, options[0] == "compare", "{ran:?}");
        let ran = beryl(&[&options[..1], &[folder.as_str()], &options[1..]].concat());
        assert!(ran.code == Some(1) && ran.err.contains("say which by `--node`"), "{ran:?}");
    }
    let ran = beryl(&["build", &folder, "--process", "there"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("say which by `--node`"), "{ran:?}");
}
