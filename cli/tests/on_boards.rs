//! `beryl run` with several nodes: an emulator for each, which are joined by their bus and are what the simulator says.

use std::path::PathBuf;

use common::{beryl, change, example, left, left_text, lock, on_board};

mod common;

const NODES: [&str; 3] = ["leader", "left", "right"];

/// Runs the formation for a second; what it said.
fn fly(options: &[&str]) -> String {
    beryl(&[&["run", &example("formation"), "--for", "1s"], options].concat()).ended(0)
}

fn line<'a>(said: &'a str, part: &str) -> &'a str {
    said.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{said}")).trim()
}

fn of_all(file: &str) -> Vec<Vec<u8>> {
    NODES.map(|node| left(&format!("formation_{node}"), file)).into()
}

/// Rotors are written on three boards as in the simulation, whether frames are lost or not; and each run is the same again
/// to the byte.
#[test]
fn the_formation_flies_on_three_boards() {
    let _lock = lock("formation");
    let all = fly(&[]);
    let expected =
        "formation: 150 actuator writes, identical on sim and mps2-an385 (3 nodes); 0 deadline misses";
    assert_eq!((line(&all, "bus: "), line(&all, "formation: ")), ("bus: 300 frames, 0 lost", expected));
    let [traces, writes] = ["mps2-an385.trace", "mps2-an385.recording"].map(of_all);

    let lossy = || fly(&["--loss", "300", "--seed", "4"]);
    let lost = lossy();
    assert_eq!(line(&lost, "formation: "), expected);
    let simulated = beryl(&["sim", &example("formation"), "--for", "1s", "--loss", "300", "--seed", "4"]);
    let bus = line(&lost, "bus: ");
    assert_eq!(format!("{bus}, 0 corrupt"), line(&simulated.ended(0), "bus: "));
    assert!(!bus.contains(" 0 lost"), "{bus}");
    let with_losses = of_all("mps2-an385.recording");
    assert_eq!(with_losses[0], writes[0], "the leader hears of nobody");
    assert_ne!(with_losses[1..], writes[1..], "what the followers know has come over the bus");
    let once = of_all("mps2-an385.trace");
    assert_ne!(once, traces);
    assert_eq!(lossy(), lost);
    assert!(of_all("mps2-an385.trace") == once, "the same run once more");
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

/// A node that asks another one, which is on this board, and hears its answers.
fn asking(name: &str, board: &str) -> PathBuf {
    on_board(name, board, CODE, DESCRIPTION, &[("ask.tdl", TIMING)])
}

/// An Arm and a RISC-V board, whose clocks tick differently: what one computes counts on the other at the same instants.
/// Where all frames are lost, nobody hears anything.
#[test]
fn nodes_on_different_boards_hear_each_other() {
    let name = "asking";
    let _lock = lock(name);
    let system = asking(name, "virt").display().to_string();
    let heard = |options: &[&str]| {
        let said = beryl(&[&["run", &system, "--for", "40ms"], options].concat()).ended(0);
        let expected = "asking: 16 actuator writes, identical on sim and mps2-an385 and virt (2 nodes); 0 deadline misses";
        assert_eq!(line(&said, "asking: "), expected);
        let recording = left_text("asking_here", "mps2-an385.recording");
        let rows = recording.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let rows = rows.filter(|row| row.get(1) == Some(&"heard")).map(|row| row[3].to_owned());
        rows.collect::<Vec<_>>()
    };
    assert_eq!(heard(&[]), ["0", "0", "0", "111", "222", "333", "444", "555"]);
    assert_eq!(heard(&["--loss", "1000"]), ["0"; 8]);
}

/// What is about one node, what needs nodes, and a board whose memory can't be shared.
#[test]
fn what_nodes_on_boards_cannot_have_is_refused() {
    let _lock = lock("asking_stm32");
    let system = asking("asking_stm32", "stm32f405");
    change(&system.join("beryl.toml"), "flash = \"64k\"", "flash = \"128k\"");
    let system = system.display().to_string();
    let refused = |arguments: &[&str]| {
        let ran = beryl(arguments);
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        ran.err
    };
    let said = refused(&["run", &example("formation"), "--live"]);
    assert!(said.contains("`--live` is about one node"), "{said}");
    assert!(said.contains("name one by `--node`: leader, left, right"), "{said}");
    let said = refused(&["run", &example("helicopter"), "--loss", "1"]);
    assert!(said.contains("nothing crosses here; leave it out"), "{said}");
    let said = refused(&["run", &system]);
    assert!(said.contains("board stm32f405: an emulated node needs memory"), "{said}");
    assert!(said.contains("run the node alone by `--node`"), "{said}");
}
