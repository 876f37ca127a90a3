//! A module with replicas: those who read it have what they would have of the module alone, also if one replica is wrong or silent, and
//! frames are lost or damaged.

use std::path::{Path, PathBuf};

use beryl_trace::{DecodedNote, Happening, decode};
use common::{beryl, change, folder, left, left_text, lock, on_board};

mod common;

/// Each 10 ms: a number is counted on one node, summed by the replicas, and heard on two nodes; all replicas remember their sum.
const TIMING: &str = "
module Ask {
  public task count { state int n := 0; output int said := 0; uses count_impl(n, said); }
  start mode m [period = 10ms] { task [freq = 1] count(); }
}
module Sum {
  import Ask;
  public task sum { input int said; state long kept := 0; output long total := 7; uses sum_impl(said, kept, total); }
  public task twice { input long of; output long[2] both := {7, 7}; uses twice_impl(of, both); }
  start mode m [period = 10ms] { task [freq = 1] sum(Ask.count.said); task [freq = 1] twice(sum.total); }
}
module Hear {
  import Sum;
  actuator long heard := 0 uses set_heard;
  task hear { input long total; input long[2] both; output long heard := 0; uses hear_impl(total, both, heard); }
  start mode m [period = 10ms] { task [freq = 1] hear(Sum.sum.total, Sum.twice.both); actuator [freq = 1] heard := hear.heard; }
}
module Beside {
  import Sum;
  actuator long beside := 0 uses set_beside;
  task listen { input long total; output long heard := 0; uses listen_impl(total, heard); }
  start mode m [period = 10ms] { task [freq = 1] listen(Sum.sum.total); actuator [freq = 1] beside := listen.heard; }
}
";

const DESCRIPTION: &str = r#"
[system]
name = "NAME"
timing = ["sum.tdl"]
application = "app"

[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
speed = 4

[node.here]

[node.left]

[node.right]
board = "BOARD"

[bus]
frame = "100us"
byte = "2us"

[process.here]
node = "here"
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.left]
node = "left"
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.one]
node = "here"
memory = "64"

[process.two]
node = "left"
memory = "64"

[process.three]
node = "right"
memory = "64"

[module.Sum]
replicas = ["one", "two", "three"]

[[band]]
name = "due"
policy = "dynamic"

[task.count]
process = "here"
worst = "0.5ms"
stack = "512"

[task."Sum.sum"]
worst = "0.5ms"
stack = "512"

[task."Sum.twice"]
worst = "0.5ms"
stack = "512"

[task.hear]
process = "here"
worst = "0.5ms"
stack = "512"

[task.listen]
process = "left"
worst = "0.5ms"
stack = "512"

[driver.set_heard]
process = "here"
worst = "20us"

[driver.set_beside]
process = "left"
worst = "20us"
"#;

/// Those behind the first ones go wrong: for good, once, once later, and the last one ends its process.
const CODE: &str = "#![no_std]
use beryl_user::environment::{self, Channel};
pub fn count_impl(n: &mut i32, said: &mut i32) { *n += 1; *said = *n; }
pub fn sum_impl(said: &i32, kept: &mut i64, total: &mut i64) { *kept += i64::from(*said); *total = *kept; }
pub fn twice_impl(of: &i64, both: &mut [i64; 2]) { *both = [*of, 2 * *of]; }
pub fn hear_impl(total: &i64, both: &[i64; 2], heard: &mut i64) { *heard = 10_000 * total + both[1] - both[0]; }
pub fn listen_impl(total: &i64, heard: &mut i64) { *heard = *total; }
pub fn set_heard(value: &i64) { environment::write(Channel::new(0), value); }
pub fn set_beside(value: &i64) { environment::write(Channel::new(1), value); }
pub fn wrong_impl(said: &i32, kept: &mut i64, total: &mut i64) {
    sum_impl(said, kept, total);
    if *said > 4 { *kept = -*kept; *total += 1000 + i64::from(*said); }
}
pub fn slips_early_impl(said: &i32, kept: &mut i64, total: &mut i64) {
    sum_impl(said, kept, total);
    if *said == 5 { *kept += 1000; *total = *kept; }
}
pub fn slips_late_impl(said: &i32, kept: &mut i64, total: &mut i64) {
    sum_impl(said, kept, total);
    if *said == 9 { *kept -= 50; *total = *kept; }
}
pub fn silent_impl(said: &i32, kept: &mut i64, total: &mut i64) {
    assert!(*said < 5, \"no more\");
    sum_impl(said, kept, total);
}
";

fn system(name: &str) -> PathBuf {
    system_with(name, "mps2-an385")
}

fn system_with(name: &str, board: &str) -> PathBuf {
    on_board(name, board, CODE, DESCRIPTION, &[("sum.tdl", TIMING)])
}

/// The same without replicas: the module is on one node.
fn alone(name: &str) -> PathBuf {
    let system = system(name);
    let description = system.join("beryl.toml");
    change(&description, "[module.Sum]\nreplicas = [\"one\", \"two\", \"three\"]\n", "");
    for task in ["sum", "twice"] {
        let head = format!("[task.\"Sum.{task}\"]\n");
        change(&description, &head, &format!("{head}process = \"three\"\n"));
    }
    change(&description, "[process.one]\nnode = \"here\"\nmemory = \"64\"\n", "");
    change(&description, "[process.two]\nnode = \"left\"\nmemory = \"64\"\n", "");
    system
}

/// Lets a replica have another function.
fn spoil(system: &Path, replica: &str, function: &str) {
    let own = format!("[task.\"Sum_{replica}.sum\"]\nfunction = \"{function}\"\n\n[task.hear]");
    change(&system.join("beryl.toml"), "[task.hear]", &own);
}

/// What both readers write in a simulation of 300 ms.
fn heard(system: &Path, options: &[&str]) -> [Vec<String>; 2] {
    simulated(system, options, 0)
}

/// The same of one that ends with a code: 1 if something has faulted.
fn simulated(system: &Path, options: &[&str], code: i32) -> [Vec<String>; 2] {
    beryl(&[&["sim", &system.display().to_string(), "--for", "300ms"], options].concat()).ended(code);
    written(system, "sim")
}

/// What both have written in a run.
fn written(system: &Path, run: &str) -> [Vec<String>; 2] {
    ["here", "left"].map(|node| {
        let recording = left_text(&of_node(system, node), &format!("{run}.recording"));
        let rows = recording.lines().map(|line| line.split(',').collect::<Vec<_>>());
        rows.filter(|row| ["heard", "beside"].iter().any(|own| row.get(1) == Some(own)))
            .map(|row| row[3].to_owned())
            .collect()
    })
}

fn of_node(system: &Path, node: &str) -> String {
    format!("{}_{node}", system.file_name().and_then(|name| name.to_str()).expect("a name"))
}

/// What votes on a node told, as port and replicas that say otherwise.
fn told(system: &Path, node: &str) -> Vec<(u32, u32)> {
    let events = decode(&left(&of_node(system, node), "sim.trace")).expect("a whole trace");
    let told = events.iter().filter_map(|event| match event.happening {
        Happening::Note(DecodedNote::Event { event: u16::MAX, value, .. }) => {
            Some((value >> 8, value & 0xFF))
        }
        _ => None,
    });
    told.collect()
}

/// Whatever a vote costs, nobody who reads can tell replicas from the module.
#[test]
fn replicas_are_read_as_the_module_alone() {
    let _locks = [lock("sums"), lock("sums_alone")];
    let (system, alone) = (system("sums"), alone("sums_alone"));
    let expected = heard(&alone, &[]);
    assert_eq!(expected.each_ref().map(Vec::len), [30, 30]);
    assert_eq!(&expected[1][..7], ["0", "7", "0", "1", "3", "6", "10"].map(str::to_owned));
    for options in [&[][..], &["--times", "random", "--costs", "random", "--seed", "3"], &["--times", "best"]]
    {
        assert_eq!(heard(&system, options), expected, "{options:?}");
        assert!(["here", "left", "right"].iter().all(|node| told(&system, node).is_empty()), "{options:?}");
    }
}

/// One that says something else and one whose process has ended are outvoted, wherever they are, and it is told once.
#[test]
fn a_replica_that_is_wrong_or_silent_is_outvoted() {
    let _locks = [lock("sums_spoilt"), lock("sums_alone")];
    let expected = heard(&alone("sums_alone"), &[]);
    let cases = [
        (0, "one", "wrong_impl", 0),
        (0, "one", "silent_impl", 1),
        (1, "two", "wrong_impl", 0),
        (2, "three", "silent_impl", 1),
    ];
    for (number, replica, function, code) in cases {
        let system = system("sums_spoilt");
        spoil(&system, replica, function);
        assert_eq!(simulated(&system, &[], code), expected, "{replica}: {function}");
        // Of those who hear, this one has one vote.
        assert_eq!(told(&system, "left").first(), Some(&(0, 1 << number)), "{replica}: {function}");
    }
}

/// If two are wrong in different ways, no two agree: the last value holds, and that is told.
#[test]
fn without_a_majority_the_last_value_holds() {
    let _lock = lock("sums_without");
    let system = system("sums_without");
    spoil(&system, "one", "wrong_impl");
    spoil(&system, "three", "silent_impl");
    let [_, beside] = simulated(&system, &[], 1);
    let mut expected = ["0", "7", "0", "1", "3", "6"].map(str::to_owned).to_vec();
    expected.resize(30, "10".to_owned());
    assert_eq!(beside, expected);
    assert_eq!(told(&system, "left").last(), Some(&(0, 0b111)), "{:?}", told(&system, "left"));
}

/// Its state is what most had. If it kept its own, the second one that is wrong would leave no two that agree.
#[test]
fn a_replica_that_was_wrong_once_goes_on_with_what_the_others_have() {
    let _locks = [lock("sums_slipped"), lock("sums_alone")];
    let expected = heard(&alone("sums_alone"), &[]);
    let system = system("sums_slipped");
    spoil(&system, "two", "slips_early_impl");
    spoil(&system, "three", "slips_late_impl");
    assert_eq!(heard(&system, &[]), expected);
    // The first, nobody, the other, nobody, say all votes there.
    let mut told = told(&system, "left");
    told.dedup();
    assert_eq!(told, [2, 0, 4, 0].map(|others| (0, others)));
}

/// Frames that are lost or damaged make votes differ for a while, and nothing for good.
#[test]
fn votes_agree_again_behind_frames_that_did_not_come() {
    let _lock = lock("sums_lossy");
    let system = system("sums_lossy");
    let options = |seed: &'static str| ["--loss", "60", "--corrupt", "60", "--seed", seed];
    assert_eq!(heard(&system, &options("1")), heard(&system, &options("1")), "the same once more");
    let mut disagreed = 0;
    for seed in ["1", "2", "3", "4", "5", "6"] {
        // What most say is never what a replica made of an old number alone: sums only grow, and never stop to.
        let [_, beside] = heard(&system, &options(seed));
        let values: Vec<i64> = beside.iter().map(|value| value.parse().expect("a number")).collect();
        assert!(values[2..].windows(2).all(|pair| pair[0] <= pair[1]), "seed {seed}: {values:?}");
        assert!(values[29] > values[24] && values[24] > values[19], "seed {seed}: {values:?}");
        disagreed += ["here", "left", "right"].map(|node| told(&system, node).len()).iter().sum::<usize>();
    }
    assert!(disagreed > 20, "{disagreed}");
}

/// On boards of two kinds, with replicas that agree, one that is wrong, and frames that are lost and damaged.
#[test]
fn replicas_on_boards_are_read_as_in_the_simulation() {
    let _lock = lock("sums_on_boards");
    let system = system_with("sums_on_boards", "virt");
    spoil(&system, "two", "wrong_impl");
    let expected = heard(&system, &[]);
    for options in [&[][..], &["--loss", "100", "--corrupt", "100", "--seed", "5"]] {
        let path = system.display().to_string();
        let said = beryl(&[&["run", &path, "--for", "150ms"], options].concat()).ended(0);
        let end = "sums_on_boards: 30 actuator writes, identical on sim and mps2-an385 and virt (3 nodes); 0 deadline misses";
        assert!(said.contains(end), "{said}");
        let [here, beside] = written(&system, "mps2-an385");
        let is_whole = here == expected[0][..15] && beside == expected[1][..15];
        assert_eq!(is_whole, options.is_empty(), "{said}");
    }
}

/// Each with its place, reason and proposal.
#[test]
fn replicas_that_cannot_be_are_refused() {
    let _lock = lock("sums_refused");
    let refused = |changes: &[(&str, &str, &str)]| {
        let system = system("sums_refused");
        changes.iter().for_each(|(file, from, to)| change(&system.join(file), from, to));
        let ran = beryl(&["check", &system.display().to_string()]);
        assert_eq!(ran.code, Some(1), "{changes:?}\n{}", ran.everything());
        let folder = folder().display().to_string();
        format!("{}\n", ran.err.replace(&folder, "").trim_end())
    };
    let description = |from, to| refused(&[("beryl.toml", from, to)]);
    let timing = |from, to| refused(&[("sum.tdl", from, to)]);
    let replicas = "replicas = [\"one\", \"two\", \"three\"]";
    let all = [
        description(replicas, "replicas = [\"one\", \"two\"]"),
        description(replicas, "replicas = [\"one\", \"two\", \"three\", \"left\"]"),
        description(replicas, "replicas = [\"one\", \"two\", \"two\"]"),
        description(replicas, "replicas = [\"one\", \"two\", \"left\"]"),
        description(replicas, "replicas = [\"one\", \"two\", \"tree\"]"),
        description(replicas, ""),
        refused(&[
            ("beryl.toml", "[module.Sum]", "[module.Some]"),
            ("beryl.toml", "[task.\"Sum.sum\"]", "[task.\"Sum.sum\"]\nprocess = \"one\""),
            ("beryl.toml", "[task.\"Sum.twice\"]", "[task.\"Sum.twice\"]\nprocess = \"one\""),
        ]),
        description("[task.\"Sum.sum\"]", "[task.\"Sum.sum\"]\nprocess = \"one\""),
        description("[task.\"Sum.sum\"]", "[task.sum]\nprocess = \"one\""),
        description("[task.hear]", "[task.hear]\nfunction = \"wrong_impl\""),
        timing("module Sum {\n", "module Sum {\n  actuator int out := 0 uses set_out;\n"),
        timing("module Sum {\n", "module Sum {\n  sensor int gps uses get_gps;\n"),
        timing(
            "task [freq = 1] twice(sum.total); }",
            "task [freq = 1] if Ask.count.said > 3 then twice(sum.total); }",
        ),
        timing("twice(sum.total); }", "twice(sum.total); mode [freq = 1] if Ask.count.said > 3 then m; }"),
        timing("heard := hear.heard", "heard := Sum.sum.total"),
        timing("module Hear {", "module Sum_two {\n  start mode m [period = 10ms] { }\n}\nmodule Hear {"),
    ];
    common::assert_recorded("replicas/refused.txt", &all.join("\n"));
}
