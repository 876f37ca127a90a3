//! Events that processes write down by themselves: the same stories on simulator and board, whoever dies in
//! the middle, is preempted there or forges what counts.

use std::sync::LazyLock;

use beryl_trace::{DecodedNote, Event, Happening, Names, decode};
use common::{beryl, left, left_text, lock, root};

mod common;

/// An event: who told it, what, and with which value.
type Telling = (String, u16, u32);

const UNFINISHED: u16 = 3;
const FORGING: u16 = 5;
const BURST: u16 = 6;
const OF_A_BURST: u32 = 7;
const OF_MANY: u32 = 8000;

static SIMULATED: LazyLock<Vec<Telling>> = LazyLock::new(|| told("sim", "sim"));
static ON_BOARD: LazyLock<Vec<Telling>> = LazyLock::new(|| told("run", "mps2-an385"));

fn both() -> [(&'static str, &'static [Telling]); 2] {
    [("sim", &SIMULATED), ("mps2-an385", &ON_BOARD)]
}

/// What a run of a tenth of a second tells.
fn told(command: &str, machine: &str) -> Vec<Telling> {
    let _lock = lock("journals");
    let system = root().join("cli/tests/journals").display().to_string();
    // One thread is stopped.
    beryl(&[command, &system, "--for", "100ms"]).ended(1);
    let names = Names::parse(&left_text("journals", "names.json")).expect("names");
    let events = decode(&left("journals", &format!("{machine}.trace"))).expect("a whole trace");
    let telling = |event: &Event| match event.happening {
        Happening::Note(DecodedNote::Event { thread, event, value }) => {
            Some((names.threads[thread.index()].name.clone(), event, value))
        }
        _ => None,
    };
    events.iter().filter_map(telling).collect()
}

fn of<'a>(story: &'a [Telling], threads: &'a [&str]) -> impl Iterator<Item = Telling> + 'a {
    story.iter().filter(|(thread, ..)| threads.contains(&thread.as_str())).cloned()
}

#[test]
fn the_story_is_the_same_on_both_without_what_a_dying_thread_left() {
    let telling = |thread: &str, event, value| (thread.to_owned(), event, value);
    let mut expected = Vec::new();
    for round in 0..5 {
        expected.push(telling("steady", 1, 2 * round));
        expected.push(telling("steady", 1, 2 * round + 1));
        if round < 2 {
            expected.push(telling("dying", 2, round));
        }
        expected.push(telling("tail", 4, round));
        let burst = (0..OF_A_BURST).map(|number| telling("burst", BURST, round * OF_A_BURST + number));
        expected.extend(burst);
    }
    for (machine, story) in both() {
        let story: Vec<_> = of(story, &["steady", "dying", "tail", "burst"]).collect();
        assert_eq!(story, expected, "{machine}");
    }
}

/// What it has forged is told as its own, at most as much as has room; and what it tells rightly comes through.
#[test]
fn a_forger_spoils_its_own_story_only() {
    for (machine, story) in both() {
        let forger: Vec<_> = of(story, &["forger"]).collect();
        let own = |(_, event, _): &&Telling| [0, FORGING, BURST].contains(event);
        assert_eq!(forger.iter().filter(own).count(), forger.len(), "{machine}: {forger:?}");
        // Five jobs, of which the second and the fourth forge.
        assert!(forger.len() <= 3 + 2 * 4, "{machine}: {forger:?}");
        let mut told: Vec<_> = forger.iter().filter(|row| row.1 == FORGING).map(|row| row.2).collect();
        told.dedup();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told, [0, 2, 4], "{machine}: {forger:?}");
        assert!(!story.iter().any(|row| row.1 == UNFINISHED), "{machine}");
    }
}

/// It is preempted over and over by another thread that writes into the same journal.
#[test]
fn who_is_preempted_while_it_writes_loses_nothing_and_spoils_nothing() {
    for (machine, story) in both() {
        let many: Vec<_> = of(story, &["many"]).map(|(_, event, value)| (event, value)).collect();
        let ticks: Vec<_> = of(story, &["tick"]).map(|(_, event, value)| (event, value)).collect();
        assert!(many.len() >= OF_MANY as usize && ticks.len() > 400, "{machine}");
        assert!(
            many.iter().copied().eq((0..OF_MANY).cycle().map(|value| (7, value)).take(many.len())),
            "{machine}"
        );
        assert!(ticks.iter().copied().eq((0..).map(|value| (8, value)).take(ticks.len())), "{machine}");
        let is_many = |row: &Telling| row.0 == "many";
        let preempted =
            story.windows(3).filter(|rows| is_many(&rows[0]) && rows[1].0 == "tick" && is_many(&rows[2]));
        // In the simulator a thread's events come between its parts, of which worst times have few.
        let least = if machine == "sim" { 0 } else { 51 };
        assert!(preempted.count() >= least, "{machine}");
    }
}
