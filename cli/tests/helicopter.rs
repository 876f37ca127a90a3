//! The helicopter from timing program to protected microcontroller: it flies, and the same on every machine.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::LazyLock;

use beryl_path::forbidden_symbols;
use common::{TWIN, assert_recorded, beryl, change, example, folder, left, left_text, lock, masked, root};

mod common;

const FLASH: usize = 64 * 1024;
const RAM: u32 = 24 * 1024;
const RAM_BASE: u32 = 0x2000_0000;
const LAST_LINE: &str = "helicopter: 500 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
const HELD: &str = "hover held for 10.000 s";

/// What a run of ten seconds left, on one machine.
#[derive(PartialEq, Eq)]
struct Flight {
    recording: String,
    trace: Vec<u8>,
}

/// What the main job left.
struct MainJob {
    simulated: Flight,
    flown: Flight,
    timeline: String,
    image: Vec<u8>,
    kernel: Vec<u8>,
    regions: String,
}

/// The main job, once for all tests: simulated, built, flown and compared.
static MAIN_JOB: LazyLock<MainJob> = LazyLock::new(|| {
    let _lock = lock("helicopter");
    let said = beryl(&["run", &example("helicopter"), "--board", "mps2-an385"]).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let built = |file: &str| fs::read(folder().join("build/helicopter").join(file)).expect(file);
    MainJob {
        simulated: flight("helicopter", TWIN),
        flown: flight("helicopter", "mps2-an385"),
        timeline: left_text("helicopter", "timeline.svg"),
        image: built("image.bin"),
        kernel: built("kernel.elf"),
        regions: String::from_utf8(built("regions.txt")).expect("text"),
    }
});

fn flight(system: &str, machine: &str) -> Flight {
    Flight {
        recording: left_text(system, &format!("{machine}.recording")),
        trace: left(system, &format!("{machine}.trace")),
    }
}

/// A simulated flight of ten seconds that holds hover.
fn simulated(system: &str, options: &[&str]) -> Flight {
    let path = match system {
        "helicopter" => example(system),
        variant => variant_folder(variant).display().to_string(),
    };
    let said = beryl(&[&["sim", &path], options].concat()).ended(0);
    assert!(said.contains(HELD), "{system} {options:?}: {said}");
    flight(system, "sim")
}

fn variant_folder(name: &str) -> PathBuf {
    folder().join("systems").join(name)
}

/// A copy of the example under another name, with the same crates, for a test to change.
fn variant(name: &str) -> PathBuf {
    let system = variant_folder(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "helicopter.tdl", "gust.csv"] {
        fs::copy(root().join("examples/helicopter").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"helicopter\"", &format!("name = {name:?}"));
    for name in ["app", "plant"] {
        change(
            &description,
            &format!("= {name:?}"),
            &format!("= \"../../../../examples/helicopter/{name}\""),
        );
    }
    system
}

#[test]
fn check_proves_it() {
    let said = beryl(&["check", &example("helicopter")]).ended(0);
    let lines: Vec<_> = said.lines().map(str::trim).collect();
    assert_eq!(lines[0], "helicopter on mps2-an385");
    let tables = [
        "Response times",
        "From sensors to actuators",
        "System code",
        "Memory (of flash, the kernel has at most this; text of the processes is placed when it is linked)",
    ];
    let found: Vec<_> = lines.iter().filter(|line| tables.contains(line)).collect();
    assert_eq!(found, tables.iter().collect::<Vec<_>>());
    assert!(lines.contains(&"time-safe: every job completes within its logical execution time"), "{said}");
    // 62.51 % of the processor are taken, and nothing but the processor is in the way.
    let reach = "it would still hold if everything, the kernel too, took 1.5977 times as long; `navigate` would be late first";
    assert!(lines.contains(&reach), "{said}");
    let chain = "50.000 ms    30.000 ms   gps -> navigate -> control -> rotor";
    assert!(lines.contains(&chain), "{said}");
    let row = |name: &str| {
        let row = lines.iter().find(|line| line.starts_with(name)).expect(name);
        row.split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(row("navigate ")[..6], ["navigate", "navigation", "10.000", "ms", "3.000", "ms"]);
    assert_eq!(row("control ")[..6], ["control", "control", "20.000", "ms", "5.000", "ms"]);
}

#[test]
fn the_main_job_is_the_same_on_both_machines() {
    let job = &*MAIN_JOB;
    assert_eq!(job.simulated.recording, job.flown.recording);
    assert!(job.simulated.trace != job.flown.trace, "the machines differ in when things are done");
}

/// Every sensor value and every actuator write of ten seconds, at the instants of the timing program.
#[test]
fn the_recording_has_every_instant_once() {
    let text = &MAIN_JOB.flown.recording;
    let happened = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let happened = happened.map(|line| line.splitn(3, ',').take(2).collect::<Vec<_>>().join(","));
    let sensed = (0..1000_u64).map(|step| step * 10_000_000);
    let sensed = sensed.flat_map(|instant| ["gps", "attitude"].map(|name| format!("{instant},{name}")));
    let told = (0..500_u64).map(|step| format!("{},rotor", step * 20_000_000));
    assert_eq!(happened.collect::<Vec<_>>(), sensed.chain(told).collect::<Vec<_>>());
}

#[test]
fn the_timeline_is_a_picture() {
    let picture = &MAIN_JOB.timeline;
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    let mut open = Vec::new();
    for tag in picture.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag has its end");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().expect("a tag has a name")),
        }
    }
    assert!(open.is_empty(), "{open:?} isn't closed");
    for name in ["navigate", "control", "rotor", "gps", "attitude"] {
        assert!(picture.contains(&format!(">{name}<")), "{name}");
    }
}

/// The addresses at the beginning of a line of the region plan.
fn interval(line: &str) -> Option<Range<u32>> {
    let (base, limit) = line.split_whitespace().next()?.split_once("..")?;
    let number = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).expect("an address");
    Some(number(base)..number(limit))
}

#[test]
fn the_image_keeps_its_limits() {
    let job = &*MAIN_JOB;
    assert!(job.image.len() <= FLASH, "{} bytes", job.image.len());
    let intervals = job.regions.lines().filter_map(interval);
    let mut stretches: Vec<_> = intervals.filter(|stretch| stretch.start >> 24 == RAM_BASE >> 24).collect();
    stretches.sort_by_key(|stretch| stretch.start);
    assert!(stretches.len() >= 8, "kernel, five stacks, two processes, published values: {}", job.regions);
    let mut end = RAM_BASE;
    for stretch in stretches {
        assert!(stretch.start >= end, "{stretch:x?} overlaps what is before it");
        end = stretch.end;
    }
    assert!(end <= RAM_BASE + RAM, "{end:#x}");
}

/// Stack pointer, then reset, the two handlers of faults, system call and tick, in the kernel's own memory.
#[test]
fn the_image_begins_with_the_kernels_vectors() {
    let job = &*MAIN_JOB;
    let word = |index: usize| {
        u32::from_le_bytes(job.image[index * 4..index * 4 + 4].try_into().expect("four bytes"))
    };
    let kernel = job.regions.lines().filter(|line| line.contains(" kernel ")).filter_map(interval);
    let [flash, ram] = kernel.collect::<Vec<_>>().try_into().expect("flash and RAM of the kernel");
    assert!(word(0) > ram.start && word(0) <= ram.end, "the kernel's stack at {:#x}", word(0));
    for vector in [1, 2, 3, 11, 15] {
        let address = word(vector);
        assert!(address % 2 == 1 && flash.contains(&address), "vector {vector} is {address:#x}");
    }
}

#[test]
fn the_kernel_can_not_panic() {
    let symbols = ["panic", "unwrap_failed", "expect_failed", "slice_index", "bounds_check"];
    assert_eq!(forbidden_symbols(&MAIN_JOB.kernel, &symbols).expect("an image"), Vec::<String>::new());
    let handlers = forbidden_symbols(&MAIN_JOB.kernel, &["SVCall"]).expect("an image");
    assert!(!handlers.is_empty(), "symbols are found where there are some");
}

/// The promise of logical execution time: values and instants don't depend on how long jobs take.
#[test]
fn execution_times_do_not_show() {
    let expected = &MAIN_JOB.simulated;
    let _lock = lock("helicopter");
    let options: [&[&str]; 4] = [
        &["--times", "best"],
        &["--times", "random", "--seed", "1"],
        &["--times", "random", "--seed", "2"],
        &["--times", "random", "--seed", "3"],
    ];
    let mut traces = BTreeSet::from([expected.trace.clone()]);
    for options in options {
        let flight = simulated("helicopter", options);
        assert!(flight.recording == expected.recording, "{options:?}: another recording");
        assert!(traces.insert(flight.trace), "{options:?}: nothing was different, so nothing was tried");
    }
}

/// The same promise on the board, made slower and faster.
#[test]
fn the_processors_speed_does_not_show() {
    let expected = &MAIN_JOB.flown;
    let _lock = lock("helicopter");
    for speed in ["4", "6"] {
        let said = beryl(&["run", &example("helicopter"), "--speed", speed]).ended(0);
        assert_eq!(said.lines().last(), Some(LAST_LINE));
        let flight = flight("helicopter", "mps2-an385");
        assert!(flight.recording == expected.recording, "speed {speed}: another recording");
        assert!(flight.trace != expected.trace, "speed {speed}: nothing was different");
    }
}

/// The negative control of the promise: with outputs visible at completion, the recording is another one.
#[test]
fn outputs_at_completion_show() {
    let expected = &MAIN_JOB.simulated;
    let _lock = lock("helicopter");
    for times in ["worst", "random"] {
        let flight = simulated("helicopter", &["--times", times, "--outputs", "completion"]);
        assert!(flight.recording != expected.recording, "{times}");
    }
}

/// And it depends on how long jobs take, where control may complete before navigation's second job or after it
/// (always after it: that one recording is right by chance).
#[test]
fn outputs_at_completion_make_execution_times_show() {
    let system = variant("slow");
    change(&system.join("beryl.toml"), "worst = \"5ms\"", "worst = \"9ms\"");
    change(&system.join("beryl.toml"), "\"control\"\nmost = \"10ms\"", "\"control\"\nmost = \"20ms\"");
    let _lock = lock("slow");
    let [mut ends, mut completions] = [BTreeSet::new(), BTreeSet::new()];
    for times in [&["best"][..], &["worst"], &["random", "--seed", "1"], &["random", "--seed", "2"]] {
        let options = [&["--times"], times].concat();
        ends.insert(simulated("slow", &options).recording);
        completions
            .insert(simulated("slow", &[&options[..], &["--outputs", "completion"]].concat()).recording);
    }
    assert_eq!((ends.len(), completions.len()), (1, 4), "recordings of four flights");
    assert!(ends.contains(&MAIN_JOB.simulated.recording), "a slower controller flies the same");
}

/// The negative control of the controller: with the rotor kept at its first command the helicopter is lost.
#[test]
fn without_control_hover_is_lost() {
    let system = variant("uncontrolled");
    let program = system.join("helicopter.tdl");
    // An output that `uses` doesn't name keeps its value.
    let output = "output float[2] command := {9.81, 0.0};";
    change(&program, output, &format!("{output}\n    output float[2] still := {{9.81, 0.0}};"));
    change(&program, "rotor := control.command", "rotor := control.still");

    let _lock = lock("uncontrolled");
    let said = beryl(&["sim", &system.display().to_string()]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let report = said.out.lines().skip_while(|line| *line != "Simulation").nth(1).expect("a report");
    assert_recorded("helicopter/without_control.txt", &masked(report));
}
