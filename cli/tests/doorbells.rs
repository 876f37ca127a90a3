//! Doorbells between cores: who rings on one wakes a thread on another, in the simulator and on the emulated board.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::board::{BOARDS, Board};
use beryl_trace::{Event, decode};
use common::places::{millisecond, places};
use common::{beryl, change, left, lock, on_board};

mod common;

/// A thread of the first core rings at one of the second, each time that its period begins; the second answers by another doorbell.
const RINGING: &str = r#"
[system]
name = "NAME"
application = "app"

[board]
name = "virt"
flash = "64k"
ram = "32k"
speed = 4

[core.one]
[core.two]

[[band]]
name = "threads"
policy = "fixed"

[process.left]
core = "one"
memory = "64"
devices = ["environment"]

[process.right]
core = "two"
memory = "64"
devices = ["environment"]

[thread.asks]
process = "left"
band = "threads"
priority = 3
period = "4ms"
worst = "100us"
entry = "asks"
stack = "512"
uses = ["question.ring"]

[thread.hears]
process = "left"
band = "threads"
priority = 4
separation = "1ms"
worst = "100us"
entry = "hears"
stack = "512"
uses = ["answer.hear"]

[thread.answers]
process = "right"
band = "threads"
priority = 3
separation = "1ms"
worst = "100us"
entry = "answers"
stack = "512"
uses = ["question.hear", "answer.ring"]

[doorbell.question]
separation = "1ms"

[doorbell.answer]
separation = "1ms"
"#;

const RINGS: &str = "
#![no_std]
use beryl_user::environment::{self, Channel};
use beryl_user::interrupt::Interrupt;
use beryl_user::notification::Notifier;
use beryl_user::period::Period;
pub fn asks(mut period: Period, mut question: Notifier) {
    let mut n = 0_i32;
    loop {
        n += 1;
        environment::write(Channel::new(0), &n);
        question.notify();
        let _ = period.wait();
    }
}
pub fn answers(mut question: Interrupt, mut answer: Notifier) {
    let mut n = 0_i32;
    loop {
        let _ = question.wait();
        n += 1;
        environment::write(Channel::new(1), &n);
        answer.notify();
    }
}
pub fn hears(mut answer: Interrupt) {
    let mut n = 0_i32;
    loop {
        let _ = answer.wait();
        n += 1;
        environment::write(Channel::new(2), &n);
    }
}
";

/// A process on the first core that nobody has given a doorbell, with a thread that rings the first there is.
const STRANGER: &str = r#"
[process.stranger]
core = "one"
memory = "64"

[thread.rings]
process = "stranger"
band = "threads"
priority = 2
period = "4ms"
worst = "100us"
entry = "rings"
stack = "512"

[thread.asks]"#;

const STRANGERS: &str = "
pub fn rings(mut period: Period) {
    let mut question = unsafe { Notifier::new(beryl_user::notification::NotificationId(0), 0) };
    loop {
        question.notify();
        let _ = period.wait();
    }
}
";

fn system(name: &str) -> PathBuf {
    on_board(name, "", RINGS, RINGING, &[])
}

fn run(system: &Path, board: &str, options: &[&str]) -> String {
    let system = system.display().to_string();
    beryl(&[&["run", &system, "--board", board, "--for", "64ms"], options].concat()).ended(0)
}

/// The boards with several cores, or the one whose turn it is.
fn boards(name: &str) -> Vec<&'static Board> {
    let alone: Vec<_> =
        BOARDS.iter().filter(|board| board.cores.is_empty()).map(|board| board.name).collect();
    places(name, &alone)
}

/// What a run for a board leaves: the trace of the board, and that of the simulator.
fn traces(board: &Board) -> [String; 2] {
    [format!("{}.trace", board.name), format!("{}.sim.trace", board.name)]
}

/// What happened on a core, in its order, as one of the two hosts tells it.
fn events(name: &str, core: &str, file: &str) -> Vec<Event> {
    decode(&left(&format!("{name}_{core}"), file)).expect("a whole trace")
}

/// What each thread of a core has done and what was done to it, in its order. Who has the processor when depends on how long things take.
fn happened(name: &str, core: &str, file: &str) -> [Vec<String>; 2] {
    let all: Vec<_> = events(name, core, file).iter().map(|event| format!("{:?}", event.happening)).collect();
    [0, 1].map(|thread| {
        let own = format!("ThreadId({thread})");
        all.iter().filter(|what| what.contains(&own) && !what.starts_with("Switch")).cloned().collect()
    })
}

/// When a core was told that a doorbell rings, in ticks of the board.
fn told(name: &str, core: &str, file: &str) -> Vec<u64> {
    let told = |event: &&Event| format!("{:?}", event.happening).contains("Interrupt");
    events(name, core, file).iter().filter(told).map(|event| event.time.ticks()).collect()
}

/// The same happens on the board as in the simulator, whatever the seed says of how long bells take; each question is heard and
/// answered once.
#[test]
fn who_rings_on_one_core_wakes_a_thread_on_another() {
    let name = "bells";
    let _lock = lock(name);
    let system = system(name);
    for board in boards(name) {
        for seed in ["1", "7"] {
            let said = run(&system, board.name, &["--seed", seed]);
            for core in ["one", "two"] {
                let [on_board, simulated] = traces(board).map(|file| happened(name, core, &file));
                assert_eq!(on_board, simulated, "{core}: {said}");
                assert_eq!(told(name, core, &traces(board)[0]).len(), 16, "{core}: {on_board:?}");
            }
        }
    }
}

/// However often a thread rings, its doorbell comes once in each separation, and what was rung last is heard. It rings for less than
/// a separation: so it is heard twice in each period.
#[test]
fn a_bell_that_rings_too_often_is_kept_apart() {
    let name = "bells_storm";
    let _lock = lock(name);
    let system = system(name);
    change(&system.join("app/src/lib.rs"), "question.notify();", "for _ in 0..200 { question.notify(); }");
    let file = system.join("beryl.toml");
    change(&file, "worst = \"100us\"\nentry = \"asks\"", "worst = \"2ms\"\nentry = \"asks\"");
    for board in boards(name) {
        run(&system, board.name, &["--unchecked"]);
        // In the simulator calls of a job take no time of their own where it has none left, so all may come before the first is
        // heard.
        for (file, least) in traces(board).iter().zip([17, 16]) {
            let told = told(name, "two", file);
            assert!((least..=33).contains(&told.len()), "{file}: {told:?}");
            assert!(told.windows(2).all(|pair| pair[1] - pair[0] >= millisecond(board)), "{file}: {told:?}");
        }
    }
}

/// Who has no right to ring is refused, and nobody is told.
#[test]
fn a_process_without_the_right_rings_nothing() {
    let name = "bells_stranger";
    let _lock = lock(name);
    let system = system(name);
    let file = system.join("beryl.toml");
    change(&file, "application = \"app\"", "application = \"app\"\nrefusals = \"counted\"");
    change(&file, "[thread.asks]", STRANGER);
    change(&system.join("app/src/lib.rs"), "question.notify();", "let _ = &mut question;");
    let code = fs::read_to_string(system.join("app/src/lib.rs")).expect("readable") + STRANGERS;
    fs::write(system.join("app/src/lib.rs"), code).expect("written");
    for board in boards(name) {
        run(&system, board.name, &["--unchecked"]);
        for file in &traces(board) {
            let is_refused = |event: &&Event| format!("{:?}", event.happening).contains("Lack");
            assert_eq!(events(name, "one", file).iter().filter(is_refused).count(), 16, "{file}");
            assert_eq!(told(name, "two", file), [0; 0], "{file}");
        }
    }
}

/// Where a doorbell leads nowhere, the description is refused at that place, with what helps.
#[test]
fn what_no_doorbell_can_do_is_refused() {
    let name = "bells_refused";
    let _lock = lock(name);
    let system = system(name);
    let file = system.join("beryl.toml");
    let right = fs::read_to_string(&file).expect("readable");
    let refused = |from: &[(&str, &str)], why: &[&str]| {
        let text = from.iter().fold(right.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        fs::write(&file, text).expect("written");
        let ran = beryl(&["check", &system.display().to_string()]);
        let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        assert!(why.iter().all(|why| said.contains(why)), "{}", ran.everything());
    };
    let alone = [("[core.one]\n[core.two]\n", ""), ("core = \"one\"\n", ""), ("core = \"two\"\n", "")];
    refused(&alone, &["this system has one kernel", "write [notification.NAME]"]);
    refused(
        &[("question.hear", "question.wait")],
        &["can't be used as `question.wait`", "\"question.ring\" or"],
    );
    refused(&[("[\"answer.hear\"]", "[\"answer.hear\", \"question.hear\"]")], &["`question` has"]);
    refused(
        &[("[\"answer.hear\"]", "[]"), ("\"answer.ring\"", "\"answer.ring\", \"answer.hear\"")],
        &["this is the core that rings it", "put one end on another core"],
    );
    refused(&[("[doorbell.answer]\nseparation = \"1ms\"", "[doorbell.answer]")], &["`separation`"]);
    refused(&[("name = \"virt\"", "name = \"mps2-an385\"")], &["has one core"]);
}
