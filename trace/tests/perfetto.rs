//! The export, decoded by the classes that Perfetto itself publishes (Python's package `perfetto`).
//!
//! Where they aren't installed, the tests say so and hold nothing; `./x setup` installs them.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use beryl_abi::{DriverId, Instant};
use beryl_trace::jobs::{History, Outcome};
use beryl_trace::modes::Modes;
use beryl_trace::{Event, Happening, Names, perfetto};
use common::workload;
use serde_json::Value;

/// Decodes a file and prints tracks and events as JSON.
const DECODER: &str = r#"
import json, sys
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
trace = Trace()
trace.ParseFromString(open(sys.argv[1], 'rb').read())
unknown, tracks, events = 0, {}, []
def count(message):
    inner = [value for field, value in message.ListFields() if field.message_type]
    flat = [one for value in inner for one in (value if hasattr(value, '__len__') and not hasattr(value, 'ListFields') else [value])]
    return len(UnknownFieldSet(message)) + sum(map(count, flat))
for packet in trace.packet:
    unknown += count(packet)
    if packet.HasField('track_descriptor'):
        track = packet.track_descriptor
        name = track.thread.thread_name or track.process.process_name or track.name
        unit = track.counter.unit_name if track.HasField('counter') else None
        tracks[track.uuid] = [name, track.thread.pid, track.thread.tid, track.parent_uuid, unit]
    else:
        event = packet.track_event
        details = {detail.name: detail.string_value or detail.uint_value for detail in event.debug_annotations}
        number = event.counter_value if event.HasField('counter_value') else event.double_counter_value
        events.append([packet.timestamp, TrackEvent.Type.Name(event.type), event.track_uuid, event.name, details, number, list(event.flow_ids)])
print(json.dumps({'unknown': unknown, 'tracks': tracks, 'events': events}))
"#;

/// A Python that has the classes.
fn python() -> Option<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/python/bin/python");
    let has = |python: &PathBuf| {
        let tried = Command::new(python)
            .args(["-c", "import perfetto.protos.perfetto.trace.perfetto_trace_pb2"])
            .output();
        tried.is_ok_and(|output| output.status.success())
    };
    [own, PathBuf::from("python3")].into_iter().find(has)
}

fn decoded(name: &str, events: &[Event], names: &Names) -> Option<Value> {
    let Some(python) = python() else {
        eprintln!("{name}: not tried, Perfetto's classes aren't there; `./x setup` installs them");
        return None;
    };
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.perfetto"));
    std::fs::write(&file, perfetto::export(events, names, None)).expect("writable");
    let output = Command::new(python).args(["-c", DECODER]).arg(file).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn perfettos_own_classes_read_every_run_and_job() {
    let (names, events) = (workload::names(), workload::events(20_000, 3));
    let Some(decoded) = decoded("workload", &events, &names) else { return };
    assert_eq!(decoded["unknown"], 0, "a field that the schema doesn't have");
    let history = History::of(&events);
    let at = |instant| names.tick.logical(instant).nanoseconds();
    let mut slices = slices(&decoded);
    for (thread, known) in names.identified() {
        let runs = history.runs.iter().filter(|run| run.thread == thread && known.name != "idle");
        let expected: Vec<_> = runs.map(|run| (at(run.from), at(run.to))).collect();
        let told = slices.remove(known.name.as_str()).unwrap_or_default();
        assert_eq!(
            told.iter().map(|slice| (slice.0, slice.1)).collect::<Vec<_>>(),
            expected,
            "{}",
            known.name
        );
        let ended: Vec<_> = history.jobs_of(thread).filter(|job| job.end.is_some()).collect();
        let told = slices.remove(format!("{}: jobs", known.name).as_str()).unwrap_or_default();
        assert_eq!(told.len(), ended.len(), "{}", known.name);
        for (slice, job) in told.iter().zip(ended) {
            assert_eq!(Some(slice.1), job.end.map(at));
            assert_eq!(slice.3["release (ns)"].as_u64(), Some(at(job.release)));
            assert_eq!(slice.2.ends_with(", late"), job.outcome == Outcome::Missed);
        }
    }
    let modes = slices.remove("Flight").unwrap_or_default();
    let told: Vec<_> = modes.iter().map(|slice| (slice.0, slice.1, slice.2.clone())).collect();
    let expected = Modes::of(&events, &names).stretches.into_iter();
    let expected: Vec<_> = expected
        .map(|stretch| (at(stretch.from), at(stretch.to), names.mode(stretch.program, stretch.mode)))
        .collect();
    assert!(told.len() > 10 && told == expected, "{told:?}");
    assert!(slices.is_empty(), "{slices:?}");
}

#[test]
fn waits_locks_interrupts_and_ports_have_tracks() {
    let (mut names, mut events) = (workload::names(), workload::waiting());
    names.objects.semaphores = vec!["store".to_owned()];
    let publish = Happening::Driver {
        driver: DriverId(2),
        instant: Instant::from_ticks(25_000),
        value: vec![7, 0, 0, 0, 9, 0],
    };
    events.push(Event { time: Instant::from_ticks(25_002), happening: publish });
    let Some(decoded) = decoded("waits", &events, &names) else { return };
    assert_eq!(decoded["unknown"], 0, "a field that the schema doesn't have");
    let told = slices(&decoded);
    let of = |track: &str| {
        let slices = told.get(track).map(Vec::as_slice).unwrap_or_default();
        slices
            .iter()
            .map(|slice| format!("{} {} {} {}", slice.0, slice.1, slice.2, slice.3))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("task 0: waits")[..2],
        [r#"2000 5600 semaphore store {"owner":"task 1"}"#, "6400 8000 a message in mailbox 3 {}",]
    );
    assert_eq!(of("task 2: waits")[..2], ["0 3200 a notification {}", "4000 6200 a notification {}"]);
    assert_eq!(
        of("semaphore store")[..2],
        [r#"400 5600 task 1 {"what":"held by task 1"}"#, r#"5600 6000 task 0 {"what":"held by task 0"}"#]
    );
    assert_eq!(of("line 10")[..1], [r#"3200 4000 task 2 {"what":"served by task 2"}"#]);
    let parents: Vec<_> = ["task 0: waits", "semaphore store", "line 10", "task 0.height"]
        .map(|name| {
            let tracks = decoded["tracks"].as_object().expect("tracks");
            let own = tracks.values().find(|track| track[0] == name).expect("the track");
            tracks[&own[3].to_string()][0].as_str().expect("a name").to_owned()
        })
        .to_vec();
    assert_eq!(parents, ["task 0", "locks", "interrupts", "sensors, actuators and ports"]);
    let instants = decoded["events"].as_array().expect("a list").iter();
    let ports: Vec<_> = instants
        .filter(|event| event[3].as_str().is_some_and(|name| name.starts_with("task 0.")))
        .map(|event| format!("{} {} {}", event[0], event[3], event[4]))
        .collect();
    assert_eq!(
        ports,
        [
            r#"1000000 "task 0.speed" {"carried out (ns)":1000080,"value":"7"}"#,
            r#"1000000 "task 0.height" {"carried out (ns)":1000080,"value":"not in the trace"}"#,
        ]
    );
}

#[test]
fn troubles_and_values_are_told() {
    let names = common::names();
    let Some(decoded) = decoded("troubled", &common::troubled(), &names) else { return };
    let instants = |decoded: &Value| -> Vec<String> {
        let events = decoded["events"].as_array().expect("a list");
        let instants = events.iter().filter(|event| event[1] == "TYPE_INSTANT");
        instants.map(|event| format!("{} {} {}", event[0], event[3], event[4])).collect()
    };
    assert_eq!(
        instants(&decoded),
        [
            "10000000 \"deadline missed\" {\"what\":\"deadline missed, completed 1.5 ms late\"}",
            "14000000 \"fault\" {\"what\":\"stopped: access to memory that isn't its own (address 0x20000010, instruction 0x00001234)\"}",
            "20000000 \"violation\" {\"what\":\"time-safety violation: its result was needed, its job was stopped\"}",
            "20000000 \"skipped\" {\"what\":\"Control: a driver or release was left out\"}",
            "20000000 \"skipped\" {\"what\":\"Control: a driver or release was left out\"}",
            "21000000 \"stray interrupt\" {\"what\":\"stray interrupt on line 7, now masked\"}",
        ]
    );
    let Some(decoded) = self::decoded("helicopter", &common::helicopter(), &names) else { return };
    assert!(
        instants(&decoded)
            .contains(&"0 \"Navigation.gps\" {\"carried out (ns)\":180000,\"value\":\"1.5\"}".to_owned())
    );
}

type Slice = (u64, u64, String, Value);

/// The slices of each track, by the track's name. Each must end before the next begins.
fn slices(decoded: &Value) -> BTreeMap<&str, Vec<Slice>> {
    let mut slices: BTreeMap<&str, Vec<Slice>> = BTreeMap::new();
    let mut open: BTreeMap<u64, Slice> = BTreeMap::new();
    let mut reached = 0;
    for event in decoded["events"].as_array().expect("a list") {
        let (at, track) = (event[0].as_u64().expect("a time"), event[2].as_u64().expect("a track"));
        assert!(at >= reached, "packets are in the order of time");
        reached = at;
        let name = decoded["tracks"][track.to_string()][0].as_str().expect("a known track");
        match event[1].as_str() {
            Some("TYPE_SLICE_BEGIN") => {
                let slice = (at, at, event[3].as_str().expect("a name").to_owned(), event[4].clone());
                assert!(open.insert(track, slice).is_none(), "{name}: slices overlap at {at}");
            }
            Some("TYPE_SLICE_END") => {
                let slice = open.remove(&track).unwrap_or_else(|| panic!("{name}: nothing is open at {at}"));
                slices.entry(name).or_default().push((slice.0, at, slice.2, slice.3));
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    slices
}

/// Each number of a value is a counter with its unit, and nothing is on a track without a descriptor.
#[test]
fn numbers_are_counters_and_every_track_has_a_descriptor() {
    let (mut names, mut events) = (workload::names(), workload::waiting());
    names.units = [("task 0.speed".to_owned(), "m/s".to_owned())].into_iter().collect();
    names.drivers[1].value = beryl_trace::ValueType::Float;
    let moved = |driver, ticks, value: &[u8]| {
        let at = Instant::from_ticks(ticks);
        let happening = Happening::Driver { driver: DriverId(driver), instant: at, value: value.to_vec() };
        Event { time: Instant::from_ticks(ticks + 2), happening }
    };
    events.push(moved(2, 25_000, &[7, 0, 0, 0, 9, 0]));
    events.push(moved(2, 26_000, &[0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]));
    events.push(moved(1, 27_000, &2.5_f32.to_le_bytes()));
    // A thread that never runs misses what it has to do.
    let at = Instant::from_ticks;
    let miss = Happening::Miss { task: beryl_abi::ThreadId(7), deadline: at(28_000) };
    events.push(Event { time: at(28_000), happening: miss });
    let Some(decoded) = decoded("counters", &events, &names) else { return };
    assert_eq!(decoded["unknown"], 0, "a field that the schema doesn't have");
    let mut counted = Vec::new();
    for event in decoded["events"].as_array().expect("a list") {
        let track = &decoded["tracks"][event[2].to_string()];
        assert!(track.is_array(), "{event} is on a track without a descriptor");
        if event[1] == "TYPE_COUNTER" {
            counted.push(format!("{} {} {} {}", event[0], track[0], track[4], event[5]));
        }
    }
    let expected = [
        r#"1000000 "task 0.speed" "m/s" 7"#,
        r#"1040000 "task 0.speed" "m/s" -2"#,
        r#"1040000 "task 0.height" "" 1"#,
        r#"1080000 "rotor" "" 2.5"#,
    ];
    let (load, counted): (Vec<_>, Vec<_>) = counted.into_iter().partition(|told| told.contains("\"load"));
    assert_eq!(counted, expected);
    // In two windows: a millisecond, and what is left of the run. In the first the processor is busy for 600 ticks of 25,000.
    let expected = [
        r#"0 "load" "%" 2.4"#,
        r#"0 "load of task 0" "%" 0.94"#,
        r#"0 "load of task 1" "%" 1.2"#,
        r#"0 "load of task 2" "%" 0.26"#,
        r#"1000000 "load" "%" 0.0"#,
        r#"1000000 "load of task 0" "%" 0.0"#,
        r#"1000000 "load of task 1" "%" 0.0"#,
        r#"1000000 "load of task 2" "%" 0.0"#,
    ];
    assert_eq!(load, expected);
}

/// An arrow leads from the run in which a thread was woken to its next run; who waits for an interrupt has none.
#[test]
fn wake_ups_are_flows() {
    let names = workload::names();
    let Some(decoded) = decoded("flows", &workload::waiting(), &names) else { return };
    let mut arrows: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for event in decoded["events"].as_array().expect("a list") {
        for flow in event[6].as_array().expect("flows") {
            let flow = flow.as_u64().expect("a number");
            arrows.entry(flow).or_default().push(format!(
                "{} {}",
                event[0],
                event[3].as_str().unwrap_or_default()
            ));
        }
    }
    let arrows: Vec<_> = arrows.into_values().take(2).collect();
    // The lock is given back by task 1; then task 0 sets the notification.
    assert_eq!(arrows, [["4000 task 1", "5600 task 0"], ["5600 task 0", "6200 task 2"]]);
}

#[test]
fn what_was_lost_has_a_track() {
    let Some(decoded) = decoded("lossy", &common::lossy(), &common::names()) else { return };
    let slices = slices(&decoded);
    let told: Vec<_> = slices["lost notes"].iter().map(|slice| (slice.1, slice.2.as_str())).collect();
    let expected = [
        (12_000_000, "7 notes were lost"),
        (25_000_000, "1 note was lost"),
        (33_000_000, "2 notes were lost"),
        (36_000_000, "1 note was lost"),
        (38_000_000, "1 note was lost"),
    ];
    assert_eq!(told, expected);
}
