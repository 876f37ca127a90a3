//! The promise: what an example writes to its actuators depends neither on who schedules it nor on how fast
//! the board is.
//!
//! Tests try one example of each kind. All of them, and at all speeds:
//! `cargo test -p beryl --test promise -- --ignored --nocapture`, which prints what can't be tried, and why,
//! in a minute or two. With `BERYL_BLESS=1` it is recorded in `docs/measurements/promise.md`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use toml::{Table, Value};

use common::{Ran, beryl, example, folder, left_text, lock, root};

mod common;

/// Examples with a timing program, and how long they run. Of the others nothing is promised: what their
/// threads write depends on when they run.
const EXAMPLES: [(&str, &str); 8] = [
    ("helicopter", "1s"),
    ("idle", "1s"),
    ("landing", "1s"),
    ("lift", "6s"),
    ("limp", "400ms"),
    ("meter", "1s"),
    ("sampler", "1s"),
    ("stray", "200ms"),
];

/// Late on purpose, by so many instructions: which jobs are depends on the speed, and nothing is promised of
/// a violation.
const LATE: &str = "limp";

/// Who decides which task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheduler {
    /// One band by deadline.
    Dynamic,
    /// One band by priority, the shortest deadline first.
    Fixed,
    /// The shorter half of the deadlines by deadline, the others by priority.
    Csd,
    /// A program.
    Code,
}

const SCHEDULERS: [Scheduler; 4] = [Scheduler::Dynamic, Scheduler::Fixed, Scheduler::Csd, Scheduler::Code];

/// What can't be: an example, a scheduler, and a part of the reason that the program gives.
const REFUSED: [(&str, Scheduler, &str); 5] = [
    ("idle", Scheduler::Fixed, "can't be offered: it isn't a dynamic one"),
    ("idle", Scheduler::Code, "can't be offered: it isn't a dynamic one"),
    ("landing", Scheduler::Code, "no mode of the image releases task `land`"),
    ("lift", Scheduler::Code, "belongs to module `Cabin`, which switches"),
    ("limp", Scheduler::Code, "belongs to module `Drive`, which switches"),
];

/// The same system with another scheduler, in a folder of its own; nothing if it has no tasks to schedule so.
fn scheduled(name: &str, scheduler: Scheduler) -> PathBuf {
    let system = folder().join("systems/promise").join(format!("{name}_{scheduler:?}").to_lowercase());
    let from = PathBuf::from(example(name));
    fs::create_dir_all(&system).expect("a folder");
    for entry in fs::read_dir(&from).expect("the example") {
        let path = entry.expect("readable").path();
        if path.is_file() {
            fs::copy(&path, system.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    // The landing looks for its gust where the helicopter has it.
    let beside = system.join("../helicopter");
    fs::create_dir_all(&beside).expect("a folder");
    fs::copy(Path::new(&example("helicopter")).join("gust.csv"), beside.join("gust.csv")).expect("a copy");
    let text = fs::read_to_string(from.join("beryl.toml")).expect("a description");
    let mut description: Table = text.parse().expect("TOML");
    let here = Path::new("../../../../../examples").join(name);
    let part = |value: &mut Value| {
        if let Value::String(path) = value {
            *path = here.join(&*path).display().to_string();
        }
    };
    let row = table(&mut description, "system");
    row.insert("name".into(), format!("{name}_{scheduler:?}").to_lowercase().into());
    ["application", "environment"].iter().for_each(|key| row.get_mut(*key).into_iter().for_each(part));
    row["timing"].as_array_mut().expect("a timing program").iter_mut().for_each(part);
    reschedule(&mut description, scheduler, &deadlines(name));
    fs::write(system.join("beryl.toml"), description.to_string()).expect("written");
    system
}

fn table<'a>(of: &'a mut Table, key: &str) -> &'a mut Table {
    of.get_mut(key).and_then(Value::as_table_mut).unwrap_or_else(|| panic!("no [{key}]"))
}

/// Each task's deadline in ns, as `check` says it.
fn deadlines(name: &str) -> Vec<(String, u64)> {
    let said = beryl(&["--json", "check", &example(name)]).out;
    let rows = said.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    rows.filter_map(|row| Some((row["task"].as_str()?.to_owned(), row["deadline_ns"].as_u64()?))).collect()
}

/// Puts tasks that are in a dynamic band into bands as the scheduler has them. What events release stays
/// below, by priority.
fn reschedule(description: &mut Table, scheduler: Scheduler, deadlines: &[(String, u64)]) {
    let bands = description["band"].as_array_mut().expect("bands");
    let place =
        bands.iter().position(|band| band["policy"].as_str() == Some("dynamic")).expect("a dynamic band");
    let band = bands[place]["name"].as_str().expect("a name").to_owned();
    let long = format!("{band}_by_priority");
    let row = |name: &str, policy: &str| {
        Value::Table(Table::from_iter([
            ("name".to_owned(), name.into()),
            ("policy".to_owned(), policy.into()),
        ]))
    };
    let new = match scheduler {
        Scheduler::Dynamic => vec![row(&band, "dynamic")],
        Scheduler::Fixed => vec![row(&band, "fixed")],
        Scheduler::Csd => vec![row(&band, "dynamic"), row(&long, "fixed")],
        Scheduler::Code => vec![row(&band, "code")],
    };
    bands.splice(place..=place, new);
    let tasks = table(description, "task");
    let in_band = |name: &str| tasks[name].get("band").is_none_or(|of| of.as_str() == Some(&band));
    let deadline =
        |name: &str| deadlines.iter().find(|(task, _)| task == name).map_or(u64::MAX, |(_, ns)| *ns);
    let mut names: Vec<_> = tasks.keys().filter(|name| in_band(name)).cloned().collect();
    names.sort_by_key(|name| deadline(name));
    for (position, name) in names.iter().enumerate() {
        let is_long = scheduler == Scheduler::Csd && position >= names.len().div_ceil(2);
        let task = table(tasks, name);
        task.insert("band".into(), if is_long { long.as_str() } else { &band }.into());
        if is_long || scheduler == Scheduler::Fixed {
            task.insert("priority".into(), (30 - i64::try_from(position).expect("few")).into());
        }
    }
}

/// What is found where the promise holds.
const SAME: &str = "the same writes";

/// What a reason has in it: a refusal, or what went wrong in a run.
const REASONS: [&str; 6] = ["can't complete", "budget used up", "violates", "misses", "×", "error:"];

/// Why a command didn't come to its end: the first line that says so.
fn reason(ran: &Ran) -> String {
    let said = format!("{}\n{}", ran.err, ran.out);
    let line = REASONS.iter().find_map(|part| said.lines().find(|line| line.contains(part)));
    line.unwrap_or("no reason").trim_start_matches([' ', '×']).trim().to_owned()
}

/// What was written to actuators.
fn writes(system: &str, machine: &str) -> String {
    let recording = left_text(system, &format!("{machine}.recording"));
    recording.split_once("[actuators]").expect("actuators").1.to_owned()
}

/// What came of the tries of an example, and what of that should not be.
#[derive(Default)]
struct Tried {
    found: Vec<(String, String)>,
    wrong: Vec<String>,
}

impl Tried {
    fn note(&mut self, what: String, found: &str) {
        println!("{what}: {found}");
        self.found.push((what, found.to_owned()));
    }
}

/// Under each scheduler an example writes what it writes as it is.
fn whoever_schedules(name: &str, length: &str) -> Tried {
    let expected = {
        let _lock = lock(name);
        beryl(&["sim", &example(name), "--for", length, "--unchecked"]);
        writes(name, "sim")
    };
    assert!(expected.lines().count() > 5, "{name}: {expected}");
    let mut tried = Tried::default();
    for scheduler in &SCHEDULERS {
        let system = format!("{name}_{scheduler:?}").to_lowercase();
        let _lock = lock(&system);
        let path = scheduled(name, *scheduler).display().to_string();
        fs::remove_dir_all(folder().join("out").join(&system)).ok();
        let ran = beryl(&["sim", &path, "--for", length]);
        let is_simulated = folder().join("out").join(&system).join("sim.recording").exists();
        let refused = REFUSED.iter().find(|(example, by, _)| (*example, by) == (name, scheduler));
        let found = match is_simulated {
            true if writes(&system, "sim") == expected => SAME.to_owned(),
            true => "other writes".to_owned(),
            false => reason(&ran),
        };
        tried.note(format!("{name}, {scheduler:?}"), &found);
        if !refused.map_or(found == SAME, |(_, _, part)| found.contains(part)) {
            tried.wrong.push(format!("{name}, {scheduler:?}: {ran:?}"));
        }
    }
    tried
}

/// At so many speeds the emulated board writes what the simulation does. Speeds at which the example doesn't
/// fit are told with the reason.
fn however_fast(name: &str, length: &str, enough: usize) -> Tried {
    let _lock = lock(name);
    let (mut tried, mut same) = (Tried::default(), 0);
    for speed in (0..=10_u8).rev() {
        if same == enough {
            break;
        }
        let ran = beryl(&["run", &example(name), "--for", length, "--speed", &speed.to_string()]);
        let is_same = ran.out.contains("identical on sim and mps2-an385; 0 deadline misses");
        let found = if is_same { SAME.to_owned() } else { reason(&ran) };
        tried.note(format!("{name} at speed {speed}"), &found);
        assert!(found != "no reason", "{name} at speed {speed}: {ran:?}");
        same += usize::from(is_same);
    }
    assert_eq!(same, enough, "{name}");
    tried
}

/// Writes what was found into its table, if that is asked for.
fn record(table: &str, tried: &[Tried]) {
    if std::env::var_os("BERYL_BLESS").is_none() {
        return;
    }
    let rows = tried.iter().flat_map(|tried| &tried.found);
    let rows: String = rows.map(|(what, found)| format!("| {what} | {found} |\n")).collect();
    let path = root().join("docs/measurements/promise.md");
    let page = fs::read_to_string(&path).expect("the page");
    let begin = format!("<!-- table: {table} -->\n| try | found |\n|---|---|\n");
    let (before, rest) = page.split_once(&begin).expect("the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("its end");
    fs::write(&path, format!("{before}{begin}{rows}<!-- end -->{after}")).expect("written");
}

#[test]
fn the_helicopter_flies_the_same_whoever_schedules_it() {
    assert_eq!(whoever_schedules("helicopter", "1s").wrong, [""; 0]);
}

#[test]
fn the_helicopter_flies_the_same_however_fast_the_board_is() {
    however_fast("helicopter", "200ms", 5);
}

#[test]
#[ignore = "the whole matrix takes minutes; a cut of it is always run: see the top of this file"]
fn every_example_writes_the_same_whoever_schedules_it() {
    let tried = EXAMPLES.map(|(name, length)| whoever_schedules(name, length));
    let wrong: Vec<_> = tried.iter().flat_map(|tried| &tried.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    record("schedulers", &tried);
}

#[test]
#[ignore = "the whole matrix takes minutes; a cut of it is always run: see the top of this file"]
fn every_example_writes_the_same_however_fast_the_board_is() {
    let examples = EXAMPLES.into_iter().filter(|(name, _)| *name != LATE);
    let tried: Vec<_> = examples.map(|(name, length)| however_fast(name, length, 5)).collect();
    record("speeds", &tried);
}

/// An example that isn't in the list has no timing program, or isn't time-safe, or a job of it is ended for what it
/// has used, or is about a process, or has bands in windows, which other bands wouldn't have.
#[test]
fn no_example_is_forgotten() {
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path.join("beryl.toml")).expect("a description");
        let is_promised = text.contains("\ntiming = ")
            && !["avionics", "graft", "overload", "phoenix", "runaway", "shell", "warden"]
                .contains(&name.as_str());
        assert_eq!(EXAMPLES.iter().any(|(example, _)| *example == name), is_promised, "{name}");
    }
}
