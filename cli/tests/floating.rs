//! Floating point in hardware: threads of several processes keep their values whoever preempts them, none sees another's, and
//! who has no right to it is stopped.

use std::path::{Path, PathBuf};

use beryl_abi::{Fault, FaultKind};
use beryl_trace::{DecodedNote, Event, Happening, Names, decode};
use common::{beryl, change, copy, folder, left, left_text, lock, root};

mod common;

/// What its threads tell: see `cli/tests/floating/app`.
const KEPT: u16 = 1;
const BEGAN: u16 = 2;
const FOUND: u16 = 3;
const BEFORE: u16 = 4;
const AFTER: u16 = 5;
const LONGER: u16 = 6;

/// Boards that have it.
const BOARDS: [&str; 2] = ["mps2-an386", "mps2-an505"];

/// The system under another name.
fn copied(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    copy(&root().join("cli/tests/floating"), &system);
    change(&system.join("beryl.toml"), "name = \"floating\"", &format!("name = {name:?}"));
    change(&system.join("beryl.toml"), "\"app\"", "\"../../../../cli/tests/floating/app\"");
    system
}

/// What a run has left: who told what, and who was stopped.
struct Told {
    values: Vec<(String, u16, u32)>,
    faults: Vec<(String, Fault)>,
    said: String,
}

fn told(name: &str, system: &Path, board: &str, time: &str) -> Told {
    let said = beryl(&["run", &system.display().to_string(), "--board", board, "--for", time, "--unchecked"])
        .ended(1);
    let names = Names::parse(&left_text(name, "names.json")).expect("names");
    let events = decode(&left(name, &format!("{board}.trace"))).expect("a whole trace");
    let value = |event: &Event| match event.happening {
        Happening::Note(DecodedNote::Event { thread, event, value }) => {
            Some((names.thread(thread), event, value))
        }
        _ => None,
    };
    let fault = |event: &Event| match event.happening {
        Happening::Fault { thread, fault } => Some((names.thread(thread), fault)),
        _ => None,
    };
    Told {
        values: events.iter().filter_map(value).collect(),
        faults: events.iter().filter_map(fault).collect(),
        said,
    }
}

impl Told {
    /// The values of an event of a thread.
    fn of(&self, thread: &str, event: u16) -> Vec<u32> {
        let told = self.values.iter().filter(|(who, what, _)| who == thread && *what == event);
        told.map(|(_, _, value)| *value).collect()
    }

    /// That at least so many jobs kept their values, and the spy saw nothing in any of its lives.
    fn assert_kept(&self, board: &str, speed: u32) {
        for (thread, least) in [("quick", 60), ("middle", 30), ("slow", 15)] {
            let kept = self.of(thread, KEPT);
            assert!(kept.len() >= least, "{board}, {speed}: {thread} told only {}", kept.len());
            assert!(kept.iter().all(|wrong| *wrong == 0), "{board}, {speed}: {thread} lost {kept:?}");
        }
        assert_eq!(self.of("spy", BEGAN), [0; 5], "{board}, {speed}: its first life and four more");
        let found = self.of("spy", FOUND);
        assert!(found.len() > 65 && found.iter().all(|word| *word == 0), "{board}, {speed}: {found:x?}");
        assert_eq!(self.of("stranger", BEFORE), [0], "{board}, {speed}");
        assert_eq!(self.of("stranger", AFTER), [0; 0], "{board}, {speed}: it had no right to");
        let stopped = self.faults.iter().map(|(who, fault)| (who.as_str(), fault.kind));
        // What becomes of that one is its own affair, and nobody else's.
        let (longer, stopped): (Vec<_>, Vec<_>) = stopped.partition(|(who, _)| *who == "longer");
        match board {
            "mps2-an505" => {
                assert_eq!(self.of("longer", LONGER).first(), Some(&1), "{speed}: it can be done")
            }
            _ => assert_eq!(longer, [("longer", FaultKind::Instruction)], "{board}, {speed}: no instruction"),
        }
        let spy = ("spy", FaultKind::Instruction);
        assert_eq!(stopped, [spy, spy, ("stranger", FaultKind::Instruction), spy, spy], "{board}, {speed}");
    }
}

#[test]
fn threads_keep_their_values_and_see_no_others_at_five_speeds() {
    let _lock = lock("floating_kept");
    let system = copied("floating_kept");
    let all = [5, 0, 2, 3, 4].into_iter().flat_map(|speed| BOARDS.map(|board| (speed, board)));
    let mut before = 5;
    for (speed, board) in beryl_testing::whose_turn(all, 2) {
        change(&system.join("beryl.toml"), &format!("speed = {before}"), &format!("speed = {speed}"));
        before = speed;
        told("floating_kept", &system, board, "700ms").assert_kept(board, speed);
    }
}

#[test]
fn who_has_no_right_to_floating_point_is_told_how_to_get_it() {
    let _lock = lock("floating_stranger");
    let system = copied("floating_stranger");
    for board in BOARDS {
        let Told { said, .. } = told("floating_stranger", &system, board, "400ms");
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let advice = "computes with floating point: add `floating = \"hardware\"` to [process.stranger]";
        assert!(words.contains(advice), "{board}: {said}");
        // Those who may are told nothing of it.
        assert_eq!(words.matches("with floating point").count(), 1, "{board}: {said}");
    }
}
