//! The robot: the map that it draws is the room, on the board as in the simulator; a box that was taken away is gone from it;
//! and each job has the processor when the paper's schedule says.

use std::fs;

use beryl_trace::{Happening, Names, decode};
use common::{TWIN, assert_recorded, beryl, example, folder, left, left_text, lock, root};
use robot_room::{Map, Room, TOLERANCE, maps, picture};
use serde_json::Value as Json;

mod common;

const LAST_LINE: &str = "robot: 120 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// Ticks of a millisecond.
const MILLISECOND: u64 = 25_000;
/// How much later than in the paper a job may begin on an emulated board: drivers and the kernel's steps at 64 ns an
/// instruction.
const LATER: u64 = 3;

/// What is heard in 500 ms, in the order of the schedule.
const SCAN: [&str; 7] = ["sonar1", "sonar2", "sonar3", "sonar4", "sonar5", "sonar6", "update"];

/// The lines of what was said that are a map and what it comes to.
fn drawn(said: &str) -> String {
    let lines: Vec<_> = said.lines().map(str::trim_end).collect();
    let end = lines.iter().position(|line| line.starts_with("  map ")).expect("a map");
    let begin = lines[..end].iter().rposition(|line| line.ends_with("imulation") || line.starts_with("On "));
    lines[begin.expect("a heading") + 1..=end].iter().map(|line| format!("{line}\n")).collect()
}

/// The maps that the simulation sent which a board was compared with.
fn sent() -> Vec<Map> {
    maps(&left("robot", &format!("{TWIN}/accesses.bin"))).expect("maps")
}

#[test]
fn the_map_is_the_room_on_both_machines_and_the_box_is_gone() {
    let _lock = lock("robot");
    let said = beryl(&["run", &example("robot"), "--for", "60s", "--live"]).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    // What came over the board's line, as text.
    assert_recorded("robot/map.txt", &drawn(&said));
    let maps = sent();
    let [first, second] = &maps[..] else { panic!("two maps, not {}", maps.len()) };
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (on_board, own) = (lines(&drawn(&said)), lines(&second.text()));
    assert_eq!(on_board[..own.len()], own, "the board's map is the simulation's");
    let (before, after) = (first.compare(&Room::USUAL), second.compare(&Room::USUAL));
    assert!(before.of_obstacle > 0 && before.farthest > 5.0 * TOLERANCE, "the box was seen: {before}");
    assert!(after.is_the_room(), "{after}");
    // The map of another room isn't taken for this one's: a wall that is nearer, and one that is farther.
    for (side, moved) in [(0, 200.0), (1, 200.0), (0, -200.0), (1, -200.0)] {
        let mut room = Room::USUAL;
        room.walls[side][0] += moved;
        let verdict = second.compare(&room);
        assert!(!verdict.is_the_room(), "wall {side} moved by {moved} mm: {verdict}");
    }
    drawing("map.svg", &picture(second, &Room::USUAL));
    drawing("before.svg", &picture(first, &Room::USUAL));
    the_schedule_is_the_papers();
    the_readme_says_what_is_measured();
}

/// Compares a picture with that beside the example; `BERYL_BLESS=1` records it anew: look at it.
fn drawing(file: &str, svg: &str) {
    let path = root().join("examples/robot").join(file);
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, svg).expect("written");
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == svg, "{file} is another picture");
}

/// Jobs without a pause between them, from when on, in ms: worked out from the paper's numbers.
fn bursts() -> Vec<(u64, Vec<&'static str>)> {
    let (odometers, forget) = (["odo1", "odo2"].as_slice(), ["antisensor"].as_slice());
    let scan = SCAN.as_slice();
    let rows = [
        (0, vec![scan, odometers, forget]),
        (500, vec![scan]),
        // The odometers' instant comes while the map is updated: they wait for its end.
        (1000, vec![scan, odometers]),
        (1500, vec![scan]),
        (2000, vec![scan, forget]),
        (2400, vec![odometers]),
        (2500, vec![scan]),
        (3000, vec![scan]),
        (3500, vec![scan, odometers]),
        (4000, vec![scan, forget]),
        (4500, vec![scan]),
        (4800, vec![odometers]),
        (5000, vec![scan]),
        (5500, vec![scan]),
    ];
    rows.into_iter().map(|(begin, jobs)| (begin, jobs.concat())).collect()
}

/// In each hyperperiod of ten jobs begin in the paper's order and, on the board, at most so much later.
fn the_schedule_is_the_papers() {
    let mut expected = Vec::new();
    for hyperperiod in 0..10 {
        for (begin, jobs) in bursts() {
            let mut now = 6_000 * hyperperiod + begin;
            for job in jobs {
                expected.push((job.to_owned(), now));
                now += if job == "update" { 100 } else { 20 };
            }
        }
    }
    for (machine, later) in [(TWIN, 1), ("mps2-an385", LATER)] {
        let begun = begun(machine);
        let names = |jobs: &[(String, u64)]| jobs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&begun), names(&expected), "{machine}");
        for ((name, at), (_, expected)) in begun.iter().zip(&expected) {
            assert!(
                (*expected..=expected + later).contains(at),
                "{machine}: {name} at {at}, not {expected} ms"
            );
        }
    }
}

/// The jobs of the schedule in the order in which they begin, with the ms in which they do.
fn begun(machine: &str) -> Vec<(String, u64)> {
    let names = Names::parse(&left_text("robot", "names.json")).expect("names");
    let events = decode(&left("robot", &format!("{machine}.trace"))).expect("a whole trace");
    let mut released = std::collections::BTreeSet::new();
    let mut begun = Vec::new();
    for event in &events {
        match &event.happening {
            Happening::Release { task, .. } => {
                released.insert(names.thread(*task));
            }
            Happening::Switch { to, .. } if released.remove(&names.thread(*to)) => {
                begun.push((names.thread(*to), event.time.ticks() / MILLISECOND));
            }
            Happening::Miss { .. } | Happening::Violation { .. } | Happening::Overrun { .. } => {
                panic!("{machine}: {event:?}")
            }
            _ => {}
        }
    }
    begun.retain(|(name, _)| name != "send");
    begun
}

/// Instructions are those of the recorded bench, sizes those of the image.
fn the_readme_says_what_is_measured() {
    let page = fs::read_to_string(root().join("examples/robot/README.md")).expect("the page");
    let recorded = fs::read_to_string(root().join("docs/measurements/recorded.jsonl")).expect("the record");
    let rows: Vec<Json> = recorded.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let marked: Vec<_> = page.split("<!-- = ").collect();
    assert_eq!(marked.len(), 6, "five figures");
    for pair in marked.windows(2) {
        let figure = pair[0].rsplit(' ').next().unwrap_or_default();
        let (mark, _) = pair[1].split_once(" -->").expect("its end");
        assert_eq!(figure, value(mark, &rows), "{mark}");
    }
}

/// What a mark stands for: `max BENCH, CASE`, or `kB` of `flash` or `RAM`.
fn value(mark: &str, rows: &[Json]) -> String {
    match mark {
        "kB flash" => {
            let image = fs::metadata(folder().join("build/robot/image.bin")).expect("an image");
            (image.len().div_ceil(1024)).to_string()
        }
        "kB RAM" => {
            let said = beryl(&["check", &example("robot")]).ended(0);
            let line = said.lines().find(|line| line.starts_with("  RAM: ")).expect("its line");
            let used: u64 = line.split(' ').nth(3).and_then(|used| used.parse().ok()).expect("bytes");
            used.div_ceil(1024).to_string()
        }
        _ => {
            let (bench, case) = mark.strip_prefix("max ").and_then(|row| row.split_once(", ")).expect(mark);
            let row = rows
                .iter()
                .find(|row| row["bench"] == bench && row["case"] == case && row["subject"] == "beryl");
            row.expect(mark)["max"].to_string()
        }
    }
}
