//! The screen after key presses, character by character.

use beryl_abi::{Instant, ThreadId};
use beryl_trace::log::{Entry, Level, Statements};
use beryl_trace::{Event, Happening, Names};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;
use crate::command::trace::show::keys::{Answer, press};

const FAST: ThreadId = ThreadId(0);
const SLOW: ThreadId = ThreadId(1);
const IDLE: ThreadId = ThreadId(2);

/// Fast takes 2 of 10, slow takes 6 of 20 and overruns once, at 39. Instants are in milliseconds.
fn model() -> Model {
    let names = r#"{"system": "pair", "tick": {"nanoseconds": 1000000, "ticks": 1000}, "processes": ["one"], "threads": [
        {"name": "fast", "process": "one", "kind": "task"}, {"name": "slow", "process": "one", "kind": "task"},
        {"name": "idle", "process": "", "kind": "idle"}], "drivers": [], "programs": []}"#;
    let at = |milliseconds: u64| Instant::from_ticks(milliseconds * 1000);
    let event = |ticks, happening| Event { time: at(ticks), happening };
    let release = |ticks, task, deadline| {
        event(ticks, Happening::Release { task, instant: at(ticks), deadline: at(deadline) })
    };
    let switch = |ticks, from, to| event(ticks, Happening::Switch { from, to });
    let mut events = Vec::new();
    for start in [0, 20] {
        events.extend([
            release(start, FAST, start + 10),
            release(start, SLOW, start + 20),
            switch(start, IDLE, FAST),
            event(start + 2, Happening::Complete { task: FAST }),
            switch(start + 2, FAST, SLOW),
            event(start + 8, Happening::Complete { task: SLOW }),
            switch(start + 8, SLOW, IDLE),
        ]);
    }
    events.extend([
        event(39, Happening::Overrun { task: SLOW }),
        event(40, Happening::Stray { line: beryl_abi::Line(3) }),
    ]);
    Model::of(&Names::parse(names).expect("names"), events, Statements::default())
}

/// A module that goes from rest to work at 10 and back at 30, a lock that is held from 12 to 18, an interrupt
/// that is served from 22 to 24, an output that is published at 20.
fn lasting() -> Model {
    use beryl_abi::{DriverId, Line, ProgramId, SemaphoreId};
    use beryl_trace::DecodedNote;
    let names = r#"{"system": "work", "tick": {"nanoseconds": 1000000, "ticks": 1000}, "processes": ["one"], "threads": [
        {"name": "fast", "process": "one", "kind": "task"}], "drivers": [{"name": "publish", "kind": "copy", "value": "int"}],
        "programs": ["Plant"], "objects": {"semaphores": ["store"], "interrupts": [{"name": "edge", "line": 3}]},
        "modes": [{"program": 0, "tasks": [0], "start": 0, "modes": [{"name": "rest", "from": 1}, {"name": "work", "from": 9}]}],
        "ports": [{"name": "fast.out", "value": "int", "writers": [{"driver": 0, "offset": 0}]}]}"#;
    let at = |milliseconds: u64| Instant::from_ticks(milliseconds * 1000);
    let note = |time, told| Event { time: at(time), happening: Happening::Note(told) };
    let react =
        |time, address| note(time, DecodedNote::React { program: ProgramId(0), address, instant: at(time) });
    let (thread, lock, line) = (FAST, SemaphoreId(0), Line(3));
    let publish = Happening::Driver { driver: DriverId(0), instant: at(20), value: vec![1, 0, 0, 0] };
    let events = vec![
        react(0, 0),
        react(10, 1),
        note(12, DecodedNote::Hold { thread, lock }),
        note(18, DecodedNote::Free { thread, lock }),
        react(20, 9),
        Event { time: at(20), happening: publish },
        note(22, DecodedNote::Interrupt { thread, line }),
        note(24, DecodedNote::Acknowledge { thread, line }),
        react(30, 9),
        react(40, 1),
    ];
    Model::of(&Names::parse(names).expect("names"), events, Statements::default())
}

#[test]
fn modes_stand_above_and_keys_show_what_lasts() {
    let expected = [
        "work              0 ms to 40.001 ms",
        "                  ┬ 0 ms              ┬ 20 ms",
        "modes             ╷rest      ╷work                ╷rest",
        " Plant            ██████████████████████████████████████████",
    ];
    assert_eq!(shown(lasting(), &[], 9)[..4], expected);
    assert_eq!(shown(lasting(), &[], 9)[7], "0 ms  Plant: in mode rest from 0 ms to 10 ms");
    let keys = ['o', 'l', 'i', 'm'].map(KeyCode::Char);
    let expected = [
        "work              0 ms to 40.001 ms",
        "                  ┬ 0 ms              ┬ 20 ms",
        "ports                                  ●",
        " fast.out",
        "locks                         ╷fast",
        " semaphore store              ▌██████",
        "interrupts                               ╷fa",
        " edge                                    ██▎",
    ];
    let shown_now = shown(lasting(), &keys, 12);
    assert_eq!(shown_now[..8], expected);
    assert_eq!(shown_now[11], "without modes");
    assert_eq!(shown(model(), &[KeyCode::Char('l')], 9)[8], "the trace tells nothing of locks");
    let twice = [KeyCode::Char('l'), KeyCode::Char('l')];
    assert_eq!(shown(lasting(), &twice, 9)[..7], shown(lasting(), &[], 9)[..7]);
    let next = shown(lasting(), &[KeyCode::Char(']')], 9);
    assert_eq!(next[7], "10 ms  Plant: in mode work from 10 ms to 30 ms");
}

/// The screen after key presses.
fn screen(keys: &[KeyCode]) -> Vec<String> {
    shown(model(), keys, 9)
}

/// Slow waits from 2 on; fast wakes it at 4 and goes on until 6; slow is interrupted by fast from 8 to 9.
#[test]
fn the_foot_says_who_woke_the_thread_that_runs() {
    use beryl_abi::Awaited;
    use beryl_trace::DecodedNote;
    let names = r#"{"system": "pair", "tick": {"nanoseconds": 1000000, "ticks": 1000}, "processes": ["one"], "threads": [
        {"name": "fast", "process": "one", "kind": "task"}, {"name": "slow", "process": "one", "kind": "task"},
        {"name": "idle", "process": "", "kind": "idle"}], "drivers": [], "programs": []}"#;
    let at = |milliseconds: u64| Instant::from_ticks(milliseconds * 1000);
    let event = |time, happening| Event { time: at(time), happening };
    let block = DecodedNote::Block { thread: SLOW, awaited: Awaited::Receive, object: 0 };
    let events = vec![
        event(0, Happening::Switch { from: IDLE, to: SLOW }),
        event(2, Happening::Note(block)),
        event(2, Happening::Switch { from: SLOW, to: FAST }),
        event(4, Happening::Note(DecodedNote::Wake { thread: SLOW })),
        event(6, Happening::Switch { from: FAST, to: SLOW }),
        event(8, Happening::Switch { from: SLOW, to: FAST }),
        event(9, Happening::Switch { from: FAST, to: SLOW }),
        event(10, Happening::Switch { from: SLOW, to: IDLE }),
    ];
    let model = Model::of(&Names::parse(names).expect("names"), events, Statements::default());
    let slow = model.lanes.iter().find(|lane| lane.name == "slow").expect("a lane");
    assert_eq!(
        [1, 3, 7, 9].map(|time| tell(&model, slow, at(time))),
        [
            "slow has the processor from 0 ms to 2 ms",
            "slow has nothing to do",
            "slow has the processor from 6 ms to 8 ms, woken by fast at 4 ms",
            "slow has the processor from 9 ms to 10 ms",
        ]
    );
}

fn shown(mut model: Model, keys: &[KeyCode], height: u16) -> Vec<String> {
    let mut view = View::of(&model, false);
    let mut terminal = Terminal::new(TestBackend::new(60, height)).expect("a terminal");
    terminal.draw(|frame| draw(frame, &model, &mut view, false)).expect("drawn");
    for key in keys {
        assert_eq!(press(&mut view, &mut model, KeyEvent::new(*key, KeyModifiers::NONE)), Answer::Stay);
        terminal.draw(|frame| draw(frame, &model, &mut view, false)).expect("drawn");
    }
    let buffer = terminal.backend().buffer();
    let line = |y| (0..60).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect()
}

fn typed(text: &str) -> Vec<KeyCode> {
    [KeyCode::Char('/')].into_iter().chain(text.chars().map(KeyCode::Char)).chain([KeyCode::Enter]).collect()
}

#[test]
fn the_whole_run_is_drawn() {
    let expected = [
        "pair              0 ms to 40.001 ms",
        "                  ┬ 0 ms              ┬ 20 ms",
        "one               ▲         ▼          ▲         ▼",
        " fast             ██▏                  ██▏",
        "                  ▲                    ◆                  ✕▼",
        " slow             ░░██████▌            ░░██████▌",
    ];
    assert_eq!(screen(&[])[..6], expected);
    assert_eq!(screen(&[])[7], "0 ms  fast has the processor from 0 ms to 2 ms; job released");
}

#[test]
fn keys_zoom_search_and_ask() {
    let zoomed = screen(&[KeyCode::Char('+')]);
    assert_eq!(zoomed[0], "pair              0 ms to 20 ms");
    let closest = screen(&[KeyCode::Char('+'); 30]);
    assert_eq!(closest[0], "pair              0 ms to 0.042 ms", "no closer than a tick a column");
    let found = screen(&typed("slow@21ms"));
    assert_eq!(found[7], "21 ms  slow has a job and not the processor; job released at");
    assert_eq!(screen(&typed("nobody"))[8], "nothing is called `nobody`");
    assert_eq!(screen(&typed("5parsecs"))[8].split(';').next(), Some("`parsecs` is no unit of it"));
    let trouble = screen(&[KeyCode::Char('n')]);
    assert_eq!(trouble[8], "used more processor time than its job may");
    assert!(trouble[7].starts_with("39 ms  slow has nothing to do"), "{}", trouble[7]);
    assert_eq!(
        screen(&[KeyCode::Char('n'), KeyCode::Char('n'), KeyCode::Char('n')])[8],
        "nothing went wrong in this direction"
    );
    let why = screen(&[KeyCode::Down, KeyCode::Enter]).join("\n");
    assert!(why.contains("slow, job 1") && why.contains("in time: done after 8 ms"), "{why}");
    assert_eq!(screen(&[KeyCode::Down, KeyCode::Enter, KeyCode::Esc])[3], screen(&[KeyCode::Down])[3]);
}

/// Slow says something at 24: a mark in its lane, words at the foot from there on, and keys that lead there.
#[test]
fn what_a_thread_said_is_marked_and_told() {
    let talkative = || {
        let mut model = model();
        let at = Instant::from_ticks(24_000);
        let text = "the tank is low".to_owned();
        model.said = vec![Entry { time: at, thread: SLOW, level: Level::Warn, text }];
        let lane = model.lanes.iter_mut().find(|lane| lane.thread == Some(SLOW)).expect("its lane");
        lane.said = vec![at];
        model
    };
    let quiet = shown(talkative(), &[KeyCode::Down], 9);
    assert_eq!(quiet[4], "                  ▲                    ◆   \u{201c}              ✕▼");
    assert!(!quiet[7].contains("said"), "{}", quiet[7]);
    let found = shown(talkative(), &[KeyCode::Down, KeyCode::Char('s')], 9);
    assert!(found[7].starts_with("24 ms  slow has the processor from 22 ms"), "{}", found[7]);
    assert_eq!(found[8], "warn  the tank is low");
    let back = [KeyCode::Down, KeyCode::End, KeyCode::Char('S')];
    assert_eq!(shown(talkative(), &back, 9)[8], "warn  the tank is low");
    let none = [KeyCode::Down, KeyCode::Char('s'), KeyCode::Char('s')];
    assert_eq!(shown(talkative(), &none, 9)[8], "slow: it said nothing in this direction");
    assert_eq!(shown(talkative(), &[KeyCode::Char('s')], 9)[8], "fast: it said nothing in this direction");
    let entry = talkative();
    let lane = entry.lanes.iter().find(|lane| lane.thread == Some(SLOW)).expect("its lane");
    let told = tell(&entry, lane, Instant::from_ticks(30_000));
    assert!(told.ends_with("; said at 24 ms: warn  the tank is low"), "{told}");
}

#[test]
fn any_keys_on_any_screen_draw_something() {
    let mut model = lasting();
    let codes = [
        KeyCode::Char('m'),
        KeyCode::Char('o'),
        KeyCode::Char('l'),
        KeyCode::Char('i'),
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Char('+'),
        KeyCode::Char('-'),
        KeyCode::Char('0'),
        KeyCode::Char('['),
        KeyCode::Char(']'),
        KeyCode::Char('n'),
        KeyCode::Char('p'),
        KeyCode::Char('s'),
        KeyCode::Char('S'),
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::End,
        KeyCode::Home,
        KeyCode::Char('/'),
        KeyCode::Char('f'),
        KeyCode::Char('?'),
        KeyCode::PageDown,
        KeyCode::Backspace,
    ];
    for (width, height) in [(1, 1), (30, 6), (28, 7), (200, 50)] {
        for seed in 0..20_usize {
            let mut view = View::of(&model, false);
            let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
            for step in 0..60_usize {
                let key = codes[(seed * 7919 + step * step * 31 + step * seed) % codes.len()];
                press(&mut view, &mut model, KeyEvent::new(key, KeyModifiers::NONE));
                terminal.draw(|frame| draw(frame, &model, &mut view, true)).expect("drawn");
                assert!(view.from < view.to, "seed {seed}, step {step}");
            }
        }
    }
}
