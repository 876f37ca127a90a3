//! CMSIS-RTOS2 in C over pools that [cmsis] declares: what its calls answer, in the simulation and on the board alike,
//! beside a controller whose writes don't move.

use std::collections::BTreeMap;
use std::fs;

use beryl_trace::{DecodedNote, Happening, decode};

use common::{beryl, change, copy, folder, left, left_text, lock, root};

mod common;
#[path = "cmsis/validation.rs"]
mod validation;

/// What was told in a simulation, by its number.
fn told(name: &str) -> BTreeMap<u16, Vec<i32>> {
    let mut told: BTreeMap<u16, Vec<i32>> = BTreeMap::new();
    for event in decode(&left("conformance", &format!("{name}/sim.trace"))).expect("a whole trace") {
        if let Happening::Note(DecodedNote::Event { event, value, .. }) = event.happening {
            told.entry(event).or_default().push(value.cast_signed());
        }
    }
    told
}

const OK: i32 = 0;
const ERROR: i32 = -1;
const LATE: i32 = -2;
const RESOURCE: i32 = -3;
const PARAMETER: i32 = -4;
const FLAGS_LATE: i32 = -2;
const FLAGS_RESOURCE: i32 = -3;
const FLAGS_PARAMETER: i32 = -4;

/// What each scene tells, by its number; the scenes are the files beside `application.c`.
const EXPECTED: &[Told] = &[
    // Before osKernelInitialize nothing is made or started; it is done once.
    (1, &[0, 1, ERROR, ERROR, OK, ERROR, 1, OK, 20_010_003, 1, 1000, 1_000_000, 1, 2]),
    // Running; alone, since the thread that began has ended; what can't be made isn't.
    (2, &[2, OK, 1, 2, 1024, 1, 1, 1, 1, 1, 1]),
    (3, &[7, 40, 1]),
    // Ready, and neither suspended, ended nor joined; its priority; blocked; ended.
    (
        4,
        &[
            1, RESOURCE, RESOURCE, RESOURCE, RESOURCE, RESOURCE, PARAMETER, PARAMETER, 8, OK, 32, 3, 1,
            ERROR, ERROR, PARAMETER, PARAMETER, OK, 1,
        ],
    ),
    (5, &[4, 1, OK, PARAMETER, ERROR, OK, OK, ERROR, PARAMETER, 3, 1]),
    (6, &[PARAMETER, OK, OK, 3, OK, 10, PARAMETER, PARAMETER, 1]),
    (
        10,
        &[
            1, 1, OK, OK, 1, RESOURCE, OK, OK, RESOURCE, 1, 1, OK, OK, OK, PARAMETER, PARAMETER, PARAMETER,
            OK, RESOURCE, OK, OK, OK,
        ],
    ),
    // Owned by another: not at once, not released, not in time, then it is.
    (11, &[RESOURCE, RESOURCE, LATE, OK, 1, OK]),
    // While its waiter is the most urgent, the owner goes before who is between them, and after it when it has released.
    (12, &[1, 3, 2, 4, 2, 5]),
    (
        20,
        &[
            1, 1, 105, 1, OK, RESOURCE, 2, OK, OK, RESOURCE, LATE, RESOURCE, OK, OK, 0, OK, OK, PARAMETER,
            PARAMETER, 0,
        ],
    ),
    (21, &[2, 1, 3]),
    (22, &[LATE, 1]),
    // Blocked; what is set is taken by the waiter before the answer is read, until it has ended.
    (
        30,
        &[
            3,
            16,
            20,
            16,
            16,
            64,
            FLAGS_PARAMETER,
            FLAGS_PARAMETER,
            7,
            7,
            5,
            FLAGS_PARAMETER,
            FLAGS_PARAMETER,
            FLAGS_LATE,
            5,
            0,
            1,
        ],
    ),
    (31, &[0, 18, 16, 28, 17, 17, FLAGS_RESOURCE, FLAGS_LATE]),
    (
        32,
        &[
            1,
            101,
            0,
            RESOURCE,
            1,
            3,
            3,
            2,
            2,
            0,
            FLAGS_RESOURCE,
            FLAGS_PARAMETER,
            FLAGS_PARAMETER,
            FLAGS_PARAMETER,
            1,
            OK,
            PARAMETER,
            FLAGS_PARAMETER,
            0,
            OK,
        ],
    ),
    (33, &[1, 3]),
    // What comes at once is had by all who wait for it, and cleared then.
    (34, &[8, 8]),
    // What it can't have; 3 of 12 bytes; empty; full at 3; the most urgent first, and the oldest of these.
    (
        40,
        &[
            1, 1, 113, 1, 3, 12, RESOURCE, LATE, OK, OK, OK, RESOURCE, LATE, 3, 0, 25, OK, 35, 55, 2, 10,
            RESOURCE, OK, OK, OK, OK, OK, OK, RESOURCE, OK, OK, 0, 3, PARAMETER, OK, PARAMETER, 1, OK,
            RESOURCE, OK, 77, OK,
        ],
    ),
    (41, &[11, 21, 31, 41]),
    // A block of twelve takes sixteen bytes; what isn't one of its blocks, or is free, isn't freed.
    (
        50,
        &[
            1, 1, 98, 2, 16, 1, 1, 2, 0, RESOURCE, PARAMETER, PARAMETER, PARAMETER, OK, PARAMETER, OK, 0, OK,
            1, PARAMETER,
        ],
    ),
    (51, &[0, 1, OK]),
    (
        60,
        &[
            1, 1, 111, 2, 0, RESOURCE, PARAMETER, OK, OK, 1, OK, 0, OK, OK, OK, OK, PARAMETER, PARAMETER, OK,
            0,
        ],
    ),
    // At 5 it would have been due, but was started anew at 3; the periodic one starts it a third time, and stops itself.
    (61, &[204, 208, 109, 212, 115, 202, 204]),
    (62, &[OK, OK]),
    // Who is made inside runs when it is unlocked; no waits inside, and what is there is had without one.
    (70, &[0, 3, 1, 1, 3, ERROR, ERROR, OK, OK, OK, ERROR, 71, 1, 2, 0, 1, ERROR, 0, 0, 1, 2, OK, OK]),
    // The one that shows, and the one that calls what timers want.
    (99, &[2]),
];

/// What the controller writes within so many milliseconds: its sequence, a value at the end of each logical execution time.
fn controlled(milliseconds: u64) -> Vec<String> {
    const PERIOD: u64 = 5_370_000;
    let mut step = 0_u8;
    let mut rows = vec!["0,valve,00000000,0".to_owned()];
    for instant in
        (1..).map(|period| period * PERIOD).take_while(|instant| *instant < milliseconds * 1_000_000)
    {
        step = u8::try_from((u32::from(step) * 5 + 3) % 97).expect("less than 97");
        rows.push(format!("{instant},valve,{step:02x}000000,{step}"));
    }
    rows
}

#[test]
fn calls_of_cmsis_answer_what_its_text_says_on_all_hosts() {
    let _lock = lock("cmsis");
    let suite = folder().join("cmsis.toml");
    let system = root().join("cli/tests/c/cmsis");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"1s\"\nshows = \"C\"\ncompare = \"all\"\n",
        system.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    beryl(&["conformance", &suite]).ended(0);
    let told = told("cmsis");
    for (event, values) in EXPECTED {
        assert_eq!(told.get(event).map(Vec::as_slice), Some(*values), "told as {event}");
    }
    assert_eq!(told.len(), EXPECTED.len(), "{told:?}");
    assert_eq!(written("cmsis"), controlled(1000));
}

/// What was written to the valve in a simulation.
fn written(name: &str) -> Vec<String> {
    let recording = left_text("conformance", &format!("{name}/sim.recording"));
    recording.lines().filter(|row| row.contains(",valve,")).map(str::to_owned).collect()
}

/// What is told by a number.
type Told = (u16, &'static [i32]);

/// The applications of `c/ports`: what each tells by number.
const APPLICATIONS: &[(&str, &[Told])] = &[
    // Squares added up; a lamp for every ten milliseconds; nothing at first, then how often the queue was full:
    // four places, a part every millisecond, one taken every three, so parts eight to twelve wait.
    (
        "producer",
        &[
            (1, &[1, 5, 14, 30, 55, 91, 140, 204, 285, 385, 506, 650]),
            (2, &[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]),
            (3, &[1, 5]),
        ],
    ),
    // Values; done or refused, and all blocks are back; what the other process was told.
    ("commands", &[(1, &[7, 42, 100]), (2, &[1, 1, 2, 1, 2, 1, 1, 102]), (3, &[42, 100])]),
    // All records of all writers, none twice, and nobody but who asks is left.
    ("logger", &[(1, &[24, 1]), (2, &[8436])]),
];

#[test]
fn ordinary_applications_do_their_work_and_move_no_write_of_a_controller() {
    let _lock = lock("cmsis_ports");
    let suite = folder().join("cmsis_ports.toml");
    let system = |(name, _): &(&str, _)| {
        let folder = root().join("cli/tests/c/ports").join(name);
        let folder = folder.display();
        format!("[[system]]\nfolder = \"{folder}\"\nfor = \"200ms\"\nshows = \"C\"\ncompare = \"told\"\n\n")
    };
    fs::write(&suite, APPLICATIONS.iter().map(system).collect::<String>()).expect("written");
    let suite = suite.display().to_string();
    for board in ["virt", "stm32f405", "mps2-an385"] {
        beryl(&["conformance", &suite, "--board", board]).ended(0);
        for (name, expected) in APPLICATIONS {
            let expected: BTreeMap<_, _> =
                expected.iter().map(|(event, told)| (*event, told.to_vec())).collect();
            assert_eq!(told(name), expected, "{name}");
            assert_eq!(written(name), controlled(200), "{name}");
        }
    }
}

#[test]
fn a_system_whose_sources_have_no_main_is_told_so() {
    let system = folder().join("systems/cmsis_without_main");
    copy(&root().join("cli/tests/c/cmsis"), &system);
    change(&system.join("beryl.toml"), "name = \"cmsis\"", "name = \"cmsis_without_main\"");
    change(&system.join("beryl.toml"), "\"application.c\", ", "");
    let said = beryl(&["sim", &system.display().to_string()]).everything();
    for part in
        ["no source in C has the `main`", "[cmsis]", "write `int main(void)` into a file of `sources`"]
    {
        assert!(said.contains(part), "{part:?} isn't in\n{said}");
    }
}
