//! `beryl trace` in all its ways, as its users run it, on a small trace written here.

mod common;

use std::fs;
use std::path::PathBuf;

use beryl_abi::{Fault, FaultKind, Instant, Record, ThreadId};
use beryl_trace::file::{Sealer, sealed};
use common::{Ran, beryl, folder};

mod terminal;

const FAST: ThreadId = ThreadId(0);
const SLOW: ThreadId = ThreadId(1);
const IDLE: ThreadId = ThreadId(2);

const NAMES: &str = r#"{"form": 1, "system": "pair", "tick": {"nanoseconds": 1000, "ticks": 1}, "processes": ["one"],
  "threads": [
    {"name": "fast", "process": "one", "kind": "task", "declared": {"best_ns": 1000000, "worst_ns": 2000000}},
    {"name": "slow", "process": "one", "kind": "task", "declared": {"best_ns": 1000000, "worst_ns": 6000000}},
    {"name": "idle", "process": "", "kind": "idle"}],
  "drivers": [], "programs": []}"#;

fn at(milliseconds: u64) -> Instant {
    Instant::from_ticks(milliseconds * 1000)
}

/// Fast takes 2 of 10 ms, slow 6 of 20; the last slow one takes 9 and more than it may.
fn records() -> Vec<(Instant, Record)> {
    let mut records = Vec::new();
    for start in [0, 20, 40] {
        for release in [start, start + 10] {
            records.push((
                at(release),
                Record::Release { task: FAST, instant: at(release), deadline: at(release + 10) },
            ));
            if release == start {
                records.push((
                    at(start),
                    Record::Release { task: SLOW, instant: at(start), deadline: at(start + 20) },
                ));
            }
            let before = if start == 40 && release > start { SLOW } else { IDLE };
            records.push((at(release), Record::Switch { from: before, to: FAST }));
            records.push((at(release + 2), Record::Complete { task: FAST }));
            let next = if release == start || start == 40 { SLOW } else { IDLE };
            records.push((at(release + 2), Record::Switch { from: FAST, to: next }));
            if next == SLOW && !(start == 40 && release == start) {
                let end = if start == 40 { release + 11 } else { start + 8 };
                records.push((at(end), Record::Complete { task: SLOW }));
                if start == 40 {
                    records.push((at(end), Record::Miss { task: SLOW, deadline: at(60) }));
                    records.push((at(end), Record::Overrun { task: SLOW }));
                }
                records.push((at(end), Record::Switch { from: SLOW, to: IDLE }));
            }
        }
    }
    records
}

fn bytes(records: &[(Instant, Record)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    records.iter().for_each(|(time, record)| {
        record.encode(*time, |word| bytes.extend_from_slice(&word.to_le_bytes()), |_| 0);
    });
    bytes
}

/// A folder with the names and a trace; answers the trace's path.
fn written(name: &str, names: &str, trace: &[u8]) -> String {
    let folder = folder().join("traces").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("names.json"), names).expect("names");
    fs::write(folder.join("pair.trace"), trace).expect("a trace");
    folder.join("pair.trace").display().to_string()
}

fn whole(name: &str) -> String {
    written(name, NAMES, &sealed(&bytes(&records())))
}

fn json(said: &str) -> serde_json::Value {
    said.lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_else(|| panic!("no JSON: {said}"))
}

#[test]
fn statistics_hold_execution_times_against_what_is_declared() {
    let file = whole("stats");
    let ran = beryl(&["trace", "stats", &file]);
    assert!(
        ran.err.contains("warning: slow: a job took 17 ms, the description says at most 6 ms"),
        "{ran:?}"
    );
    let said = ran.ended(0);
    let row = |start: &str| {
        let row = said
            .lines()
            .filter(|line| line.trim().starts_with(start))
            .nth(2)
            .unwrap_or_else(|| panic!("{said}"));
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let slow = "slow 1 ms to 6 ms 6 ms 6 ms 17 ms 17 ms -183.3 %";
    assert_eq!(row("slow ")[..16], slow.split(' ').collect::<Vec<_>>());
    let value = json(&beryl(&["--json", "trace", "stats", &file]).ended(0));
    assert_eq!(value["tasks"][1]["execution"]["observed"]["most_ns"], 17_000_000);
    assert_eq!(value["tasks"][1]["response"]["most_ns"], 21_000_000);
    assert_eq!(value["warnings"].as_array().map(Vec::len), Some(1));
    let histogram = beryl(&["trace", "stats", &file, "--task", "slow"]).ended(0);
    assert!(histogram.contains("slow: response times\n") && histogram.contains("█  2\n"), "{histogram}");
    let ran = beryl(&["trace", "stats", &file, "--task", "nobody"]);
    assert!(ran.err.contains("there is no task `nobody`; there are fast, slow"), "{ran:?}");
    assert_eq!(ran.code, Some(1));
}

/// An instant that the trace doesn't reach is no instant of it, in whichever way it is asked for.
#[test]
fn an_instant_behind_the_end_is_refused_with_the_end() {
    let file = whole("behind");
    let asked: [&[&str]; 4] = [
        &["trace", &file, "--from", "70ms"],
        &["trace", &file, "--to", "70ms"],
        &["trace", &file, "--from", "10ms", "--to", "1s"],
        &["trace", "why", "fast@70ms", &file],
    ];
    for command in asked {
        let ran = beryl(command);
        assert!(ran.code == Some(1) && ran.err.contains("the trace ends at 61 ms"), "{command:?}: {ran:?}");
        assert!(ran.err.contains("ask for an instant up to 61 ms"), "{command:?}: {ran:?}");
    }
    for command in
        [&["trace", &file, "--from", "50ms", "--to", "61ms"][..], &["trace", "why", "fast@61ms", &file]]
    {
        assert_eq!(beryl(command).code, Some(0), "what is proposed is taken");
    }
}

#[test]
fn two_runs_are_compared_by_task() {
    let first = written("first", NAMES, &sealed(&bytes(&records()[..22])));
    let said = beryl(&["trace", "stats", &first, "--compare", &whole("second")]).ended(0);
    let slow = said.lines().find(|line| line.trim().starts_with("slow")).expect("a row");
    assert!(slow.contains("8 ms → 21 ms +162.5 %") && slow.contains("0 → 1"), "{said}");
}

#[test]
fn why_names_who_was_in_the_way() {
    let file = whole("why");
    let said = beryl(&["trace", "why", "slow@miss", &file]).ended(0);
    let told = [
        "slow, job 3",
        "late: done after 21 ms, 1 ms after its deadline; usual are 8 ms",
        "40 ms        released, to be done by 60 ms",
        "40 ms  2 ms  waits for fast: released at 40 ms, due earlier, at 50 ms",
        "42 ms  8 ms  gets the processor for the first time",
        "50 ms  2 ms  preempted by fast: released at 50 ms, due at the same time, at 60 ms",
        "52 ms  9 ms  goes on",
        "61 ms        done, too late",
        "it took 17 ms itself, more than the 6 ms that are declared",
        "longer than usual above all by 11 ms of itself",
    ];
    for line in told {
        assert!(said.lines().any(|said| said.trim() == line), "{line:?} isn't in\n{said}");
    }
    let value = json(&beryl(&["--json", "trace", "why", "slow@45ms", &file]).ended(0));
    assert_eq!((&value["job"], &value["steps"][2]["cause"]), (&3.into(), &"fast".into()));
    for (job, reason) in [
        ("nobody@1ms", "there is no task `nobody`; there are fast, slow"),
        ("fast@miss", "none of its jobs missed its deadline or was stopped; ask for @worst"),
        ("slow@#9", "it hasn't that many jobs"),
    ] {
        let ran = beryl(&["trace", "why", job, &file]);
        assert!(ran.code == Some(1) && ran.err.contains(reason), "{job}: {ran:?}");
    }
    assert_eq!(beryl(&["trace", "why", "slow", &file]).code, Some(2));
}

#[test]
fn page_and_perfetto_file_lie_beside_the_trace() {
    let file = whole("page");
    for (command, extension, begins) in
        [("html", "html", "<!doctype html>"), ("perfetto", "perfetto-trace", "\n")]
    {
        let said = beryl(&["trace", command, &file]).ended(0);
        let path = PathBuf::from(&file).with_extension(extension);
        let made = fs::read(&path).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        assert!(made.starts_with(begins.as_bytes()), "{command}");
        assert!(said.contains(&format!("{}: {} events", path.display(), records().len())), "{said}");
    }
}

#[test]
fn assertions_hold_or_say_where_they_were_broken() {
    let file = whole("check");
    let assertions = PathBuf::from(&file).with_file_name("assertions.toml");
    let path = assertions.display().to_string();
    let text =
        "[assert.quick]\nresponse = \"fast\"\nmost = \"2ms\"\n[assert.order]\norder = [\"fast\", \"slow\"]\n";
    fs::write(&assertions, text).expect("written");
    let said = beryl(&["trace", "check", &path, &file]).ended(0);
    assert!(said.contains("quick       holds        6       0  2 ms"), "{said}");
    fs::write(&assertions, format!("{text}[assert.slow]\nresponse = \"slow\"\nmost = \"20ms\"\n"))
        .expect("written");
    let said = beryl(&["trace", "check", &path, &file, &file]).ended(1);
    assert_eq!(
        said.matches("slow: first at 40 ms: the job took 21 ms, more than 20 ms").count(),
        2,
        "{said}"
    );
    assert!(
        said.contains("slow, job 3: late: done after 21 ms, 1 ms after its deadline"),
        "the chain: {said}"
    );
    let value = json(&beryl(&["--json", "trace", "check", &path, &file]).out);
    assert_eq!(
        (&value["assertion"], &value["holds"], &value["checked"]),
        (&"quick".into(), &true.into(), &6.into())
    );
    fs::write(&assertions, "[assert.x]\nresponse = \"nobody\"\nmost = \"1s\"").expect("written");
    let ran = beryl(&["trace", "check", &path, &file]);
    assert!(
        ran.code == Some(1)
            && ran.err.contains("there is no task `nobody`")
            && ran.err.contains("assertions.toml:2:12]")
            && ran.err.contains("the known ones: `fast`, `slow`"),
        "{ran:?}"
    );
    let empty = written("check_empty", NAMES, &sealed(&[]));
    fs::write(&assertions, text).expect("written");
    assert!(beryl(&["trace", "check", &path, &empty]).ended(1).contains("never tried"));
}

/// The assertions of the example's description hold on a run of it, each of them is tried, and its trace
/// knows them. One that doesn't hold is an exit code and a chain, from `sim` and from the trace.
#[test]
fn the_helicopters_assertions_hold() {
    let _lock = common::lock("helicopter");
    let system = common::example("helicopter");
    let said = beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(said.matches(" holds ").count(), 9, "{said}");
    let trace = folder().join("out/helicopter/sim.trace").display().to_string();
    let said = beryl(&["trace", "check", &trace]).ended(0);
    assert_eq!(said.matches(" holds ").count(), 9, "{said}");
}

/// A helicopter of which more is demanded than it gives.
#[test]
fn a_broken_assertion_is_an_exit_code_and_a_chain() {
    let system = folder().join("systems/demanding");
    fs::create_dir_all(&system).expect("a folder");
    let example = PathBuf::from(common::example("helicopter"));
    for file in ["beryl.toml", "helicopter.tdl", "gust.csv"] {
        fs::copy(example.join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    common::change(&description, "name = \"helicopter\"", "name = \"demanding\"");
    for part in ["app", "plant"] {
        let there = example.join(part).display().to_string();
        common::change(
            &description,
            &format!("= \"{part}\""),
            &format!("= \"../../../../examples/helicopter/{part}\""),
        );
        assert!(PathBuf::from(there).is_dir());
    }
    common::change(
        &description,
        "response = \"navigate\"\nmost = \"5ms\"",
        "response = \"navigate\"\nmost = \"2ms\"",
    );
    let folder_name = system.display().to_string();
    let said = beryl(&["sim", &folder_name, "--for", "100ms"]).ended(1);
    let chain = [
        "navigation_is_quick: first at 0 ms: the job took 3.15 ms, more than 2 ms",
        "navigate, job 1: in time",
    ];
    assert!(chain.iter().all(|part| said.contains(part)) && said.matches(" holds ").count() == 8, "{said}");
    let trace = folder().join("out/demanding/sim.trace").display().to_string();
    let again = beryl(&["trace", "check", &trace]).ended(1);
    assert!(chain.iter().all(|part| again.contains(part)), "{again}");
    let said = beryl(&["sim", &folder_name, "--for", "100ms", "--search", "times"]).ended(1);
    assert!(
        said.contains("is the smallest that fails")
            && said.contains("assertion navigation_is_quick broken at 0 ms"),
        "{said}"
    );
}

/// What a command says of a damaged trace: what could be read, then where the damage is; never success.
fn looked(file: &str, command: &[&str]) -> Ran {
    let ran = beryl(&[&["trace"], command, &[file]].concat());
    assert!(!ran.err.contains("panicked"), "{ran:?}");
    ran
}

const WAYS: [&[&str]; 5] = [&[], &["stats"], &["why", "slow@worst"], &["html"], &["perfetto"]];

#[test]
fn of_a_damaged_trace_what_is_readable_is_shown() {
    let records = records();
    let (mut sealer, mut trace) = Sealer::begin();
    trace.extend(sealer.seal(&bytes(&records[..20])));
    let place = trace.len();
    trace.extend(sealer.seal(&bytes(&records[20..])));
    let cut = written("cut", NAMES, &trace[..trace.len() - 5]);
    // A bit in the block's length, one in its checksum, one in a record's length, one in what it tells.
    let flipped = [0, 4, 11, 20].map(|offset| {
        let mut flipped = trace.clone();
        flipped[place + offset] ^= 0x40;
        written(&format!("flipped_{offset}"), NAMES, &flipped)
    });
    for file in [cut].into_iter().chain(flipped) {
        for way in WAYS {
            let ran = looked(&file, way);
            assert_eq!(ran.code, Some(1), "{way:?}: {ran:?}");
            assert!(
                ran.err.contains(&format!("is damaged at byte {place}: "))
                    && ran.err.contains("the 20 records before are shown, up to"),
                "{ran:?}"
            );
            assert!(!ran.out.is_empty(), "{way:?}: {ran:?}");
        }
    }
}

#[test]
fn what_is_no_trace_is_refused_with_a_reason() {
    let trace = sealed(&bytes(&records()));
    let mut later = trace.clone();
    later[4] = 4;
    let cases = [
        (written("unsealed", NAMES, &bytes(&records())), "a `beryl` that knew no checksums wrote it"),
        (written("later", NAMES, &later), "the trace has form 4, and this program reads form 3"),
        (written("nothing", NAMES, &[]), "was the file written to its end?"),
        (
            written("text", NAMES, b"this is not a trace"),
            "it doesn't begin as a trace does: it is something else, its beginning is damaged, or",
        ),
        (
            written("other_form", &NAMES.replace("\"form\": 1", "\"form\": 7"), &trace),
            "the trace has form 7, and this program reads forms up to 3",
        ),
        (written("other_names", "{}", &trace), "missing field `system`"),
        (written("no_names", "[1, 2", &trace), "names.json is damaged"),
        (folder().join("traces/nothing.trace").display().to_string(), "can't read"),
    ];
    for (file, reason) in cases {
        for way in WAYS {
            let ran = looked(&file, way);
            assert_eq!(ran.code, Some(1), "{way:?}: {ran:?}");
            assert!(ran.err.contains(reason) && ran.out.is_empty(), "{way:?}: {reason:?}: {ran:?}");
        }
    }
}

#[test]
fn an_empty_trace_is_shown_as_one() {
    let file = written("empty", NAMES, &sealed(&[]));
    for (way, code) in [(&["stats"][..], 0), (&["html"], 0), (&["perfetto"], 0), (&["why", "slow@worst"], 1)]
    {
        assert_eq!(looked(&file, way).code, Some(code), "{way:?}");
    }
}

/// Lanes by the hundred thousand in the names, threads that can't be: nothing hangs.
#[test]
fn more_names_than_there_can_be_lanes_are_taken() {
    let thread =
        |number: usize| format!(r#"{{"name": "t{number}", "process": "p{number}", "kind": "task"}}"#);
    let threads: Vec<_> = (0..100_000).map(thread).collect();
    let processes: Vec<_> = (0..100_000).map(|number| format!("\"p{number}\"")).collect();
    let names = format!(
        r#"{{"system": "many", "tick": {{"nanoseconds": 1000, "ticks": 1}}, "processes": [{}], "threads": [{}], "drivers": [], "programs": []}}"#,
        processes.join(","),
        threads.join(",")
    );
    let mut records = records();
    let last = ThreadId(254);
    let fault = Fault { kind: FaultKind::Data, address: 0, instruction: 0 };
    records.push((at(70), Record::Fault { thread: last, fault }));
    let file = written("many", &names, &sealed(&bytes(&records)));
    for way in [&["stats"][..], &["html"], &["perfetto"], &["why", "t1@worst"], &[]] {
        let ran = looked(&file, way);
        assert_eq!(ran.code, Some(0), "{way:?}: {}", ran.err);
    }
}

#[test]
fn every_way_to_look_has_its_help() {
    for way in ["stats", "why", "html", "perfetto", "curves", "csv", "show", "check"] {
        let help = beryl(&["trace", way, "--help"]).ended(0);
        assert!(help.contains("Example") && help.contains(&format!("beryl trace {way} ")), "{help}");
    }
}
