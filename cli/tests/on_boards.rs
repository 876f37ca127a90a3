//! `beryl run` with several nodes: an emulator for each, which are joined by their bus and are what the simulator says.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use common::{beryl, change, example, folder, left, left_text, lock, on_board};
use serde_json::Value;

mod common;

/// Bytes of trace records that wait in the memory of stm32f405 at most (`kernel/boards/stm32f405/src/map.rs`).
const WAITING: usize = 0x2000;

/// The formation's kernels and their boards: the left node has two cores.
const KERNELS: [(&str, &str); 4] =
    [("leader", "mps2-an385"), ("left_flight", "virt"), ("left_watch", "virt"), ("right", "mps2-an385")];

/// Runs the formation for a fifth of a second, as two cores take long to emulate; what it said.
fn fly(options: &[&str]) -> String {
    beryl(&[&["run", &example("formation"), "--for", "200ms"], options].concat()).ended(0)
}

fn line<'a>(said: &'a str, part: &str) -> &'a str {
    said.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{said}")).trim()
}

fn of_all(ending: &str) -> [Vec<u8>; 4] {
    KERNELS.map(|(kernel, board)| left(&format!("formation_{kernel}"), &format!("{board}.{ending}")))
}

/// Rotors are written on three boards, one of which has two cores, as in the simulation, whether frames are lost or not; and each run
/// is the same again to the byte.
#[test]
fn the_formation_flies_on_three_boards() {
    let _lock = lock("formation");
    let all = fly(&[]);
    let expected = "formation: 30 actuator writes, identical on sim and mps2-an385 and virt (3 nodes with 4 kernels); 0 deadline misses";
    assert_eq!(
        (line(&all, "bus: "), line(&all, "formation: ")),
        ("bus: 60 frames, 0 lost, 0 corrupt", expected)
    );
    let [traces, writes] = ["trace", "recording"].map(of_all);

    let lossy = || fly(&["--loss", "300", "--seed", "4"]);
    let lost = lossy();
    assert_eq!(line(&lost, "formation: "), expected);
    let bus = frames_are_those_of_the_simulation(&lost, &["--loss", "300", "--seed", "4"]);
    assert!(!bus.contains(" 0 lost") && bus.contains(" 0 corrupt"), "{bus}");
    let [with_leader, with_left, _, with_right] = of_all("recording");
    let [leader, left, _, right] = writes;
    assert_eq!(with_leader, leader, "the leader hears of nobody");
    assert!(with_left != left && with_right != right, "what the followers know has come over the bus");
    let once = of_all("trace");
    assert_ne!(once, traces);
    assert_eq!(lossy(), lost);
    assert!(of_all("trace") == once, "the same run once more");
}

/// Frames in which bits have changed are dropped by their checksum, the same as in the simulation, beside lost ones and alone.
#[test]
fn the_formation_flies_on_three_boards_though_frames_are_corrupt() {
    let _lock = lock("formation");
    let mut seen: Vec<[Vec<u8>; 4]> = Vec::new();
    for options in [
        ["--corrupt", "300", "--seed", "4", "--loss", "0"],
        ["--corrupt", "300", "--seed", "4", "--loss", "300"],
    ] {
        let said = fly(&options);
        assert!(
            line(&said, "formation: ").starts_with("formation: 30 actuator writes, identical on "),
            "{said}"
        );
        let bus = frames_are_those_of_the_simulation(&said, &options);
        assert!(!bus.contains(" 0 corrupt"), "{bus}");
        let [of_boards, of_simulation] = ["run", "sim"].map(bus_of_page);
        assert_eq!(of_boards, of_simulation);
        assert!(of_boards.to_string().contains(", which arrived corrupt"), "{of_boards}");
        seen.push(of_all("recording"));
    }
    assert_ne!(seen[0], seen[1]);
}

/// The bus on the page of all kernels of a run.
fn bus_of_page(run: &str) -> Value {
    let kept = folder().join(format!("out/formation/{run}.kernels.json"));
    beryl(&["trace", "html", &kept.display().to_string()]).ended(0);
    let page = left_text("formation", &format!("{run}.html"));
    let facts =
        page.split_once("type=\"application/json\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let facts: Value = serde_json::from_str(facts.expect("facts").0).expect("JSON");
    facts["kernels"].as_array().and_then(|kernels| kernels.last()).expect("a bus").clone()
}

/// Runs the simulation with the same options as the boards, which said this; what both say of the bus.
fn frames_are_those_of_the_simulation(said: &str, options: &[&str]) -> String {
    let simulated = beryl(&[&["sim", &example("formation"), "--for", "200ms"], options].concat()).ended(0);
    let bus = line(said, "bus: ");
    assert_eq!(bus, line(&simulated, "bus: "));
    // What is kept for the page tells of the same frames.
    let [of_boards, of_simulation] = ["run", "sim"].map(|run| {
        let kept = left_text("formation", &format!("{run}.kernels.json"));
        serde_json::from_str::<beryl_trace::several::Several>(&kept).expect("what was kept")
    });
    assert_eq!(of_boards.fates, of_simulation.fates);
    assert_eq!(of_boards.frames, of_simulation.frames);
    bus.to_owned()
}

const TIMING: &str = "
module Ask {
  actuator int asked := 0 uses set_asked;
  public task ask { state int n := 0; output int said := 0; uses ask_impl(n, said); }
  start mode m [period = 5ms] { task [freq = 1] ask(); actuator [freq = 1] asked := ask.said; }
}
module Answer {
  import Ask;
  public task answer { input int heard; output int[3] said := {0, 0, 0}; uses answer_impl(heard, said); }
  start mode m [period = 5ms] { task [freq = 1] answer(Ask.ask.said); }
}
module Listen {
  import Answer;
  actuator int heard := 0 uses set_heard;
  task listen { input int[3] told; output int heard := 0; uses listen_impl(told, heard); }
  start mode m [period = 10ms] { task [freq = 2] listen(Answer.answer.said); actuator [freq = 2] heard := listen.heard; }
}
";

const DESCRIPTION: &str = r#"
[system]
name = "NAME"
timing = ["ask.tdl"]
application = "app"

[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
speed = 4

[node.here]
[node.there]
board = "BOARD"

[bus]
frame = "100us"
byte = "8us"

[process.here]
node = "here"
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.there]
node = "there"
memory = "64"

[[band]]
name = "due"
policy = "dynamic"

[task.ask]
process = "here"
worst = "0.5ms"
stack = "512"

[task.answer]
process = "there"
worst = "0.5ms"
stack = "512"

[task.listen]
process = "here"
worst = "0.5ms"
stack = "512"

[driver.set_asked]
process = "here"
worst = "20us"

[driver.set_heard]
process = "here"
worst = "20us"
"#;

const CODE: &str = "#![no_std]
use beryl_user::environment::{self, Channel};
pub fn ask_impl(n: &mut i32, said: &mut i32) { *n += 1; *said = *n; }
pub fn answer_impl(heard: &i32, said: &mut [i32; 3]) { *said = [*heard, 10 * *heard, 100 * *heard]; }
pub fn listen_impl(told: &[i32; 3], heard: &mut i32) { *heard = told.iter().sum(); }
pub fn set_asked(value: &i32) { environment::write(Channel::new(0), value); }
pub fn set_heard(value: &i32) { environment::write(Channel::new(1), value); }
";

/// Nodes of which the one that asks and hears is `here`, and the one that answers is `there`.
fn asking(name: &str, here: &str, there: &str) -> PathBuf {
    let system = on_board(name, there, CODE, DESCRIPTION, &[("ask.tdl", TIMING)]);
    change(&system.join("beryl.toml"), "name = \"mps2-an385\"", &format!("name = \"{here}\""));
    system
}

/// What the node `here` hears of the other one in so many periods, as the simulator and the boards `on` say.
fn heard(system: &Path, [here, on]: [&str; 2], periods: usize, options: &[&str]) -> Vec<String> {
    let name = system.file_name().and_then(OsStr::to_str).expect("a name");
    let (path, span) = (system.display().to_string(), format!("{}ms", 5 * periods));
    let said = beryl(&[&["run", &path, "--for", &span], options].concat()).ended(0);
    let expected = format!(
        "{name}: {} actuator writes, identical on sim and {on} (2 nodes); 0 deadline misses",
        2 * periods
    );
    assert_eq!(line(&said, &format!("{name}: ")), expected);
    let recording = left_text(&format!("{name}_here"), &format!("{here}.recording"));
    let rows = recording.lines().map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| row.get(1) == Some(&"heard")).map(|row| row[3].to_owned()).collect()
}

/// What it hears if no frame is lost: a question is answered in the next period, and written after another one.
fn answers(periods: usize) -> Vec<String> {
    (0..periods).map(|period| (111 * period.saturating_sub(2)).to_string()).collect()
}

/// An Arm and a RISC-V board, whose clocks tick differently: what one computes counts on the other at the same instants.
/// Where all frames are lost, nobody hears anything.
#[test]
fn nodes_on_different_boards_hear_each_other() {
    let _lock = lock("asking");
    let system = asking("asking", "mps2-an385", "virt");
    let boards = ["mps2-an385", "mps2-an385 and virt"];
    assert_eq!(heard(&system, boards, 8, &[]), answers(8));
    assert_eq!(heard(&system, boards, 8, &["--loss", "1000"]), ["0"; 8]);
}

/// A chip's memory is the emulator's own, which the bus controller asks for it: one beside a board whose memory is a file, and
/// two of them.
#[test]
fn nodes_whose_memory_the_emulator_keeps_hear_each_other() {
    let cases = [
        ("asking_a_chip", "mps2-an385", "mps2-an385 and stm32f405"),
        ("asking_chips", "stm32f405", "stm32f405"),
    ];
    for (name, here, on) in cases {
        let _lock = lock(name);
        let system = asking(name, here, "stm32f405");
        change(&system.join("beryl.toml"), "flash = \"64k\"", "flash = \"128k\"");
        let heard = |periods, options: &[&str]| heard(&system, [here, on], periods, options);
        let traces = || {
            let nodes = [("here", here), ("there", "stm32f405")];
            nodes.map(|(node, board)| left(&format!("{name}_{node}"), &format!("{board}.trace")))
        };
        assert_eq!(heard(40, &[]), answers(40));
        let lengths = traces().map(|trace| trace.len());
        assert!(
            lengths.iter().all(|length| *length > WAITING),
            "{lengths:?}: no kernel began anew where it records"
        );
        assert_eq!(heard(8, &["--loss", "1000"]), ["0"; 8]);
        let some = ["--loss", "300", "--seed", "4"];
        let (lossy, once) = (heard(8, &some), traces());
        assert!(lossy != answers(8) && lossy != ["0"; 8], "{lossy:?}");
        assert_eq!((heard(8, &some), traces()), (lossy, once), "the same run once more");
    }
}

/// What is about one node, and what needs nodes.
#[test]
fn what_nodes_on_boards_cannot_have_is_refused() {
    let refused = |arguments: &[&str]| {
        let ran = beryl(arguments);
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        ran.err
    };
    let said = refused(&["run", &example("formation"), "--live"]);
    assert!(said.contains("`--live` is about one node"), "{said}");
    assert!(said.contains("name one by `--node`: leader, left_flight, left_watch, right"), "{said}");
    for option in ["--loss", "--corrupt"] {
        let said = refused(&["run", &example("helicopter"), option, "1"]);
        assert!(
            said.contains(&format!("`{option}` is about frames between nodes, and nothing crosses")),
            "{said}"
        );
    }
}
