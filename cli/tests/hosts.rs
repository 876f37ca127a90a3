//! Figure 14 of the programmable-microkernel paper on two nodes, whose bands are scheduled by code: the result of the second job of
//! `t2` crosses the bus between 15 and 20 ms, and `t1` reads it on the other node at 20.
//!
//! ```text
//!         0      5      10     15     20
//!   h1:   t1                          t1 has what the second job of t2 gave
//!   h2:   t2            t2     frame
//! ```
//!
//! Nobody here has to send and receive: that is the bus controllers', as it is for all nodes. `t1` has the slots one after the other.

use std::path::PathBuf;

use beryl_trace::{Happening, Names, decode};
use common::{beryl, left, left_text, lock, on_board};

mod common;

/// In nanoseconds.
const MILLISECOND: u64 = 1_000_000;
const NAME: &str = "hosts";
const TIMING: &str = "
module Two {
  public task t2 { state int n := 0; output int p2 := 40; uses t2_impl(n, p2); }
  start mode m [period = 10ms] { task [freq = 1] t2(); }
}
module One {
  import Two;
  actuator int seen := 0 uses set_seen;
  task t1 { input int p1in; output int p1 := 0; uses t1_impl(p1in, p1); }
  start mode m [period = 20ms] {
    task [freq = 1] t1(Two.t2.p2);
    actuator [freq = 1] seen := t1.p1;
  }
}
";

const DESCRIPTION: &str = r#"
[system]
name = "NAME"
timing = ["hosts.tdl"]
application = "app"

[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
speed = 4

[node.h1]
[node.h2]
board = "BOARD"

[bus]
frame = "4.9ms"
byte = "1us"

[process.h1]
node = "h1"
memory = "64"
devices = ["environment"]
driver_stack = "512"

[process.h2]
node = "h2"
memory = "64"
driver_stack = "512"

[[band]]
name = "slots"
policy = "code"
schedule = "time-sliced"
slice = "5ms"

[task.t1]
process = "h1"
worst = "8ms"
stack = "512"

[task.t2]
process = "h2"
worst = "4ms"
stack = "512"

[driver.set_seen]
process = "h1"
worst = "20us"
"#;

/// On a board a job of `t1` takes some 6 ms, one of `t2` some 3 ms.
const CODE: &str = "#![no_std]
use beryl_user::environment::{self, Channel};
fn work(rounds: u32) { (0..rounds).for_each(|round| { core::hint::black_box(round); }); }
pub fn t1_impl(p1in: &i32, p1: &mut i32) { work(60_000); *p1 = *p1in; }
pub fn t2_impl(n: &mut i32, p2: &mut i32) { work(30_000); *n += 1; *p2 = 40 + *n; }
pub fn set_seen(value: &i32) { environment::write(Channel::new(0), value); }
";

fn system(board: &str) -> PathBuf {
    on_board(NAME, board, CODE, DESCRIPTION, &[("hosts.tdl", TIMING)])
}

/// From when to when a task ran, in whole milliseconds of the node's clock: where it begins rounded down, where it ends up.
fn ran(node: &str, trace: &str, task: &str) -> Vec<[u64; 2]> {
    let node = format!("{NAME}_{node}");
    let names = Names::parse(&left_text(&node, "names.json")).expect("names");
    let events = decode(&left(&node, trace)).expect("a whole trace");
    let task = names.thread_called(task).expect("its name");
    let mut stretches: Vec<[u64; 2]> = Vec::new();
    let mut began = None;
    for event in &events {
        let Happening::Switch { from, to } = event.happening else { continue };
        let now = names.tick.logical(event.time).nanoseconds();
        if from == task
            && let Some(begin) = began.take()
        {
            stretches.push([begin / MILLISECOND, now.div_ceil(MILLISECOND)]);
        }
        began = (to == task).then_some(now).or(began);
    }
    stretches
}

/// What `t1` gave is what it had read at the beginning of the period before: what the second job of `t2` in it gave.
const SEEN: [&str; 4] = [
    "0,seen,00000000,0",
    "20000000,seen,28000000,40",
    "40000000,seen,2a000000,42",
    "60000000,seen,2c000000,44",
];

fn seen(recording: &str) -> Vec<String> {
    let text = left_text(&format!("{NAME}_h1"), recording);
    text.lines().filter(|line| line.contains(",seen,")).map(str::to_owned).collect()
}

#[test]
fn the_schedule_of_who_sends_is_that_of_figure_14_and_the_bus_has_what_is_behind_its_slot() {
    let _lock = lock(NAME);
    let said = beryl(&["check", &system("mps2-an385").display().to_string()]).ended(0);
    let own = said.lines().skip_while(|line| *line != "Node h2");
    let schedule = own.skip_while(|line| !line.contains("module schedule_of_slots")).skip(1).take(7);
    let expected = [
        "     0  fork     @2",
        "     1  return",
        "     2  dispatch t2, 5ms, @3",
        "     3  idle     5ms",
        "     4  idle     10ms",
        "     5  fork     @2",
        "     6  return",
    ];
    assert_eq!(schedule.collect::<Vec<_>>(), expected, "{said}");
    let frame = said.lines().skip_while(|line| *line != "Bus").nth(3).unwrap_or_default();
    let words: Vec<_> = frame.split_whitespace().collect();
    assert_eq!(words, ["h2", "15090us", "20ms", "20ms", "10", "Two.t2.p2", "to", "h1"], "{said}");
}

#[test]
fn figure_14_runs_as_figure_15_draws_it_on_two_simulated_nodes() {
    let _lock = lock(NAME);
    let folder = system("mps2-an385").display().to_string();
    beryl(&["sim", &folder, "--for", "79ms", "--costs", "worst"]).ended(0);
    assert_eq!(seen("sim.recording"), SEEN);
    let slots =
        |from: u64, period: u64, long: u64| (0..).map(move |n| [from + n * period, from + n * period + long]);
    // A job of 8 ms goes into the second of its slots; one of 4 ms, with its kernel, stays in its own.
    assert_eq!(ran("h1", "sim.trace", "t1"), slots(0, 20, 9).take(4).collect::<Vec<_>>());
    assert_eq!(ran("h2", "sim.trace", "t2"), slots(0, 10, 5).take(8).collect::<Vec<_>>());
}

#[test]
fn two_boards_that_carry_out_figure_14_write_what_the_simulation_writes() {
    for board in ["mps2-an385", "virt"] {
        let _lock = lock(NAME);
        let folder = system(board).display().to_string();
        let said = beryl(&["run", &folder, "--for", "79ms"]).ended(0);
        assert!(said.contains("identical on sim and"), "{said}");
        assert_eq!(seen("mps2-an385.recording"), SEEN);
        let jobs = ran("h2", &format!("{board}.trace"), "t2");
        assert_eq!(jobs.len(), 8, "{board}: {jobs:?}");
        for (number, [begin, end]) in (0..).zip(jobs) {
            assert!(begin == 10 * number && end > begin + 1 && end <= begin + 5, "{board}: {begin} to {end}");
        }
        let jobs = ran("h1", "mps2-an385.trace", "t1");
        assert!(
            jobs.len() == 4 && jobs.iter().all(|[begin, end]| begin % 20 == 0 && *end > begin + 3),
            "{jobs:?}"
        );
    }
}
