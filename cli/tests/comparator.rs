//! The example of Farcas and Pree, *A deterministic infrastructure for real-time distributed systems*: a
//! filter of 5 ms, a reference and a comparator of 10 ms, a module each. What their section 5 says of the
//! first rounds happens, at its instants, on every machine.
//!
//! Both of the paper's machines are here: one node with all three modules, where the comparator's first job begins when the
//! other two are done and takes 1.5 ms; and two nodes, where it has a processor for itself for 7.

use std::fs;

use beryl_trace::{Happening, Names, decode};
use common::{TWIN, assert_recorded, beryl, change, copy, folder, left, left_text, lock, root};

mod common;

/// Four rounds of 10 ms.
const TIME: [&str; 2] = ["--for", "40ms"];
const LAST_LINE: &str = "comparator: 4 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// Ticks of a millisecond, and of a tenth of one.
const MILLISECOND: u64 = 25_000;
const TENTH: u64 = MILLISECOND / 10;

fn system() -> String {
    root().join("cli/tests/comparator").display().to_string()
}

/// What E code did in a machine's last run, a line each: logical instant in ms, driver and value, or release
/// and deadline.
fn logical(machine: &str) -> Vec<String> {
    logical_of("comparator", machine)
}

fn logical_of(system: &str, machine: &str) -> Vec<String> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let line = |happening: &Happening| match happening {
        Happening::Driver { driver, instant, value } => {
            let value =
                value.as_slice().first_chunk().map(|bytes| i32::from_le_bytes(*bytes)).expect("an int");
            Some(format!("{} {} = {value}", instant.ticks() / MILLISECOND, names.driver(*driver)))
        }
        Happening::Release { task, instant, deadline } => {
            let by = deadline.ticks() as f64 / MILLISECOND as f64;
            Some(format!("{} release {} by {by}", instant.ticks() / MILLISECOND, names.thread(*task)))
        }
        Happening::Violation { .. } | Happening::Miss { .. } | Happening::Skip { .. } => {
            Some("late".to_owned())
        }
        _ => None,
    };
    events.iter().filter_map(|event| line(&event.happening)).collect()
}

/// Who had the processor in a machine's last run, from when to when in tenths of a millisecond: what takes
/// less than half of one isn't seen.
fn physical(machine: &str) -> Vec<(String, u64, u64)> {
    physical_of("comparator", machine)
}

fn physical_of(system: &str, machine: &str) -> Vec<(String, u64, u64)> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let switches: Vec<_> = events
        .iter()
        .filter_map(|event| match event.happening {
            Happening::Switch { to, .. } => {
                Some((names.thread(to), (event.time.ticks() + TENTH / 2) / TENTH))
            }
            _ => None,
        })
        .collect();
    let stretches = switches.windows(2).map(|pair| (pair[0].0.clone(), pair[0].1, pair[1].1));
    stretches.filter(|(_, from, to)| from < to).collect()
}

/// One round's and the next's, as the paper tells them.
#[test]
fn logical_instants_and_values_are_those_of_the_paper() {
    let _lock = lock("comparator");
    let said = beryl(&[&["run", &system()], &TIME[..]].concat()).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let expected = [
        // "invokes the E-Machine to initialize the ports of the tasks and release the tasks": nothing ends, all begin.
        "0 deviation = 0",
        "0 reading = 1",
        "0 reading to filter = 1",
        "0 release filter by 4",
        "0 release follow by 9.5",
        "0 filter.filtered to compare = 0",
        "0 follow.level to compare = 0",
        "0 release compare by 10",
        // "first executes the termination drivers of the Filter task and then releases a new instance"
        "5 publish filter = 1",
        "5 reading = 2",
        "5 reading to filter = 2",
        "5 release filter by 9",
        // "termination drivers of both tasks", and in the new cycle "the release drivers of the Comparator
        // task read the correct values": the first output of the reference and the second of the filter go to
        // its second job
        "10 publish filter = 2",
        "10 publish follow = 100",
        "10 publish compare = 0",
        "10 deviation = 0",
        "10 reading = 3",
        "10 reading to filter = 3",
        "10 release filter by 14",
        "10 release follow by 19.5",
        "10 filter.filtered to compare = 2",
        "10 follow.level to compare = 100",
        "10 release compare by 20",
        "15 publish filter = 3",
        "15 reading = 4",
        "15 reading to filter = 4",
        "15 release filter by 19",
        // "then the fourth output of Filter" to its third job
        "20 publish filter = 4",
        "20 publish follow = 200",
        "20 publish compare = 98",
        "20 deviation = 98",
        "20 reading = 5",
        "20 reading to filter = 5",
        "20 release filter by 24",
        "20 release follow by 29.5",
        "20 filter.filtered to compare = 4",
        "20 follow.level to compare = 200",
        "20 release compare by 30",
        "25 publish filter = 5",
        "25 reading = 6",
        "25 reading to filter = 6",
        "25 release filter by 29",
        "30 publish filter = 6",
        "30 publish follow = 300",
        "30 publish compare = 196",
        "30 deviation = 196",
        "30 reading = 7",
        "30 reading to filter = 7",
        "30 release filter by 34",
        "30 release follow by 39.5",
        "30 filter.filtered to compare = 6",
        "30 follow.level to compare = 300",
        "30 release compare by 40",
        "35 publish filter = 7",
        "35 reading = 8",
        "35 reading to filter = 8",
        "35 release filter by 39",
    ];
    for machine in [TWIN, "mps2-an385"] {
        assert_eq!(logical(machine), expected, "{machine}");
    }
}

/// The upper half of the paper's figure 6. "In the second network cycle [...] all tasks complete their
/// execution sooner."
#[test]
fn jobs_run_when_the_paper_says() {
    let _lock = lock("comparator");
    // The board's jobs take what those of the paper do; in the simulator they do where the description's
    // longest times aren't used up.
    beryl(&[&["run", &system()], &TIME[..]].concat()).ended(0);
    beryl(&[&["sim", &system(), "--times", "best"], &TIME[..]].concat()).ended(0);
    let expected = [
        ("filter", 0, 20),
        ("follow", 20, 50),
        ("filter", 50, 65),
        ("follow", 65, 70),
        ("compare", 70, 85),
        ("idle", 85, 100),
        ("filter", 100, 110),
        ("follow", 110, 130),
        ("compare", 130, 135),
        ("idle", 135, 150),
        ("filter", 150, 160),
        ("idle", 160, 200),
    ];
    for machine in ["sim", "mps2-an385"] {
        let physical = physical(machine);
        let round = physical.iter().take_while(|(_, from, _)| *from < 200);
        let round: Vec<_> = round.map(|(name, from, to)| (name.as_str(), *from, *to)).collect();
        assert_eq!(round, expected, "{machine}");
    }
}

/// "Nevertheless, the behavior is still the same [...] It also matches the behavior of the modules on a
/// faster single-node system."
#[test]
fn values_depend_neither_on_times_nor_on_the_scheduler() {
    let _lock = lock("comparator");
    let recording = |options: &[&str]| {
        beryl(&[&["sim", &system()], &TIME[..], options].concat()).ended(0);
        left_text("comparator", "sim.recording")
    };
    let worst = recording(&[]);
    let lines =
        ["0,deviation,00000000,0", "20000000,deviation,62000000,98", "30000000,deviation,c4000000,196"];
    lines.iter().for_each(|line| assert!(worst.lines().any(|found| found == *line), "no {line} in {worst}"));
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "7"], &["--costs", "worst"]] {
        assert_eq!(recording(times), worst, "{times:?}");
    }
    let other = folder().join("systems/comparator_by_code");
    let _other = lock("comparator_by_code");
    copy(&root().join("cli/tests/comparator"), &other);
    let description = other.join("beryl.toml");
    change(&description, "policy = \"dynamic\"", "policy = \"code\"");
    change(&description, "\"app\"", "\"../../../../cli/tests/comparator/app\"");
    change(&description, "name = \"comparator\"", "name = \"comparator_by_code\"");
    // Who follows a schedule has no deadline but that of its logical execution time.
    let text = fs::read_to_string(&description).expect("a text");
    let kept: String =
        text.lines().filter(|line| !line.starts_with("deadline")).map(|line| format!("{line}\n")).collect();
    fs::write(&description, kept).expect("written");
    beryl(&[&["sim", &other.display().to_string()], &TIME[..]].concat()).ended(0);
    assert_eq!(left_text("comparator_by_code", "sim.recording"), worst);
}

/// The same system on the paper's two nodes: a frame takes 300 us, and the comparator's job 7 ms.
fn on_two_nodes() -> String {
    let other = folder().join("systems/comparator_on_two");
    copy(&root().join("cli/tests/comparator"), &other);
    let description = other.join("beryl.toml");
    change(&description, "\"app\"", "\"../../../../cli/tests/comparator/app\"");
    change(&description, "name = \"comparator\"", "name = \"comparator_on_two\"");
    let nodes =
        "[node.first]\n[node.second]\n\n[bus]\nframe = \"140us\"\nbyte = \"10us\"\n\n[process.signal]";
    change(&description, "[process.signal]", nodes);
    for (process, node) in [("signal", "first"), ("reference", "first"), ("process", "second")] {
        let head = format!("[process.{process}]\n");
        change(&description, &head, &format!("{head}node = \"{node}\"\n"));
    }
    change(&description, "worst = \"1.6ms\"", "best = \"7ms\"\nworst = \"7.1ms\"");
    other.display().to_string()
}

/// The lower half of the paper's figure 6. Its packet is sent at 8.5 ms; here it leaves as late as it may.
#[test]
fn two_nodes_do_what_the_paper_says() {
    let _lock = lock("comparator_on_two");
    let system = on_two_nodes();
    let said = beryl(&["check", &system]).ended(0);
    // One frame a round, with the filter's second output alone, since nobody reads the first.
    let bus = said.lines().skip_while(|line| *line != "Bus").skip(1).filter(|line| !line.is_empty());
    let expected = [
        "  every 10ms",
        "  node                from       until      counts at  bytes  values",
        "  first               9700us     10ms       10ms          16  Signal.filter.filtered to second; Reference.follow.level to second",
        "From sensors to actuators, over the bus",
        "       latency          age   chain",
        // Of two samples the later is compared: taken at 5, filtered at 10, written at 20. What changes just behind it is
        // sampled at 10, which nobody reads, and at 15, which is written at 30.
        "     25.000 ms    15.000 ms   reading -> filter -> compare -> deviation",
        "  latency: from a change at the sensor to the first update that follows from it; age: of the sample, at an update",
    ];
    assert_eq!(bus.collect::<Vec<_>>(), expected, "{said}");
    beryl(&[&["sim", &system, "--times", "best"], &TIME[..]].concat()).ended(0);
    let second = [
        "0 deviation = 0",
        "0 Signal.filter.filtered = 0",
        "0 Signal.filter.filtered to compare = 0",
        "0 Reference.follow.level = 0",
        "0 Reference.follow.level to compare = 0",
        "0 release compare by 10",
        // "the release drivers of the Comparator task read the correct values"
        "10 publish compare = 0",
        "10 deviation = 0",
        "10 Signal.filter.filtered = 2",
        "10 Signal.filter.filtered to compare = 2",
        "10 Reference.follow.level = 100",
        "10 Reference.follow.level to compare = 100",
        "10 release compare by 20",
    ];
    let found = logical_of("comparator_on_two_second", "sim");
    assert_eq!(found.iter().take(second.len()).collect::<Vec<_>>(), second.iter().collect::<Vec<_>>());
    assert!(!found.contains(&"late".to_owned()), "{found:#?}");
    let physical =
        [("comparator_on_two_first", "first"), ("comparator_on_two_second", "second")].map(|(system, _)| {
            let all = physical_of(system, "sim").into_iter().take_while(|(_, from, _)| *from < 100);
            all.map(|(name, from, to)| format!("{name} {from} to {to}")).collect::<Vec<_>>()
        });
    let first = ["filter 0 to 20", "follow 20 to 50", "filter 50 to 65", "follow 65 to 70", "idle 70 to 100"];
    assert_eq!(physical[0], first);
    assert_eq!(physical[1], ["compare 0 to 70", "idle 70 to 100"]);
    // All on one axis, with what is sent: the filter's second value, and the reference's.
    let picture = left_text("comparator_on_two", "timeline.svg");
    let arrows = picture.split("<title>").filter_map(|rest| rest.split_once("</title>"));
    let arrows: Vec<_> = arrows.map(|(title, _)| title).filter(|title| title.contains(" sent ")).collect();
    let expected = [
        "filter sent something at 6.5 ms; compare has it from 10 ms on",
        "follow sent something at 7 ms; compare has it from 10 ms on",
    ];
    assert_eq!(arrows, expected, "{picture}");
}

/// "The same modules behave identically": the actuator's values and instants are those of one node, whatever jobs and the
/// kernels' steps take. A frame that is lost leaves the values before it.
#[test]
fn two_nodes_write_what_one_writes() {
    let (_lock, _other) = (lock("comparator"), lock("comparator_on_two"));
    beryl(&[&["sim", &self::system()], &TIME[..]].concat()).ended(0);
    let writes = |text: String| {
        text.lines().skip_while(|line| *line != "[actuators]").map(str::to_owned).collect::<Vec<_>>()
    };
    let one = writes(left_text("comparator", "sim.recording"));
    let system = on_two_nodes();
    for options in [&["--times", "best"][..], &["--times", "random", "--seed", "7"], &["--costs", "worst"]] {
        beryl(&[&["sim", &system], &TIME[..], options].concat()).ended(0);
        assert_eq!(writes(left_text("comparator_on_two_second", "sim.recording")), one, "{options:?}");
    }
    let none_comes = |option: &str, counts: &str| {
        let said = beryl(&[&["sim", &system, option, "1000"], &TIME[..]].concat()).ended(0);
        let counted = said.lines().filter(|line| line.contains("frames")).map(str::trim);
        let of_each = [
            format!("bus: {counts}"),
            format!("of first: {counts}"),
            "of second: 0 frames, 0 lost, 0 corrupt".to_owned(),
        ];
        assert_eq!(counted.collect::<Vec<_>>(), of_each, "{said}");
        writes(left_text("comparator_on_two_second", "sim.recording"))
    };
    let lost = none_comes("--loss", "4 frames, 4 lost, 0 corrupt");
    assert_eq!(none_comes("--corrupt", "4 frames, 0 lost, 4 corrupt"), lost);
    assert!(lost.iter().all(|line| !line.ends_with(",98")) && lost.len() == one.len(), "{lost:?}");
}

/// What is asserted of points on two nodes is looked at on both, and breaks where it doesn't hold.
#[test]
fn assertions_between_nodes_are_held_against_both() {
    let _lock = lock("comparator_on_two");
    let system = on_two_nodes();
    let description = root().join(&system).join("beryl.toml");
    let asserted = "[assert.quick]\nlatency = [\"reading\", \"deviation\"]\nmost = \"10ms\"\n\n\
                    [assert.too_quick]\nlatency = [\"reading\", \"deviation\"]\nmost = \"9ms\"\n\n\
                    [assert.fresh]\nage = [\"reading\", \"deviation\"]\nmost = \"5ms\"\n\n\
                    [assert.in_turn]\norder = [\"release of filter\", \"release of compare\"]\n\n[process.signal]";
    change(&description, "[process.signal]", asserted);
    let said = beryl(&[&["sim", &system], &TIME[..]].concat()).ended(1);
    let (_, held) = said.split_once("\nAssertions between nodes, held against sim\n").expect(&said);
    let lines: Vec<_> = held.lines().take_while(|line| !line.is_empty()).map(str::trim_end).collect();
    assert_recorded("comparator/between.txt", &(lines.join("\n") + "\n"));
}

/// A command about one node says which there are.
#[test]
fn a_command_about_one_node_asks_which() {
    let _lock = lock("comparator_on_two");
    let system = on_two_nodes();
    let refused = |arguments: &[&str]| {
        let ran = beryl(arguments);
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        ran.err.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = refused(&["explore", &system]);
    assert!(said.contains("this system has several nodes, and this command is about one"), "{said}");
    assert!(said.contains("say which by `--node`, if the command has that: `first`, `second`;"), "{said}");
    let said = refused(&["sim", &system, "--search", "seeds"]);
    assert!(said.contains("`--search` is about one node, and comparator_on_two has several"), "{said}");
    let said = refused(&["sim", &system, "--node", "second", "--loss", "20"]);
    assert!(said.contains("`--loss` is about frames between nodes"), "{said}");
    let said = refused(&["sim", &self::system(), "--corrupt", "20"]);
    assert!(said.contains("`--corrupt` is about frames between nodes"), "{said}");
    let said = refused(&["check", &self::system(), "--node", "second"]);
    assert!(said.contains("this system has no nodes, so `second` is none of them"), "{said}");
    let said = refused(&["check", &system, "--node", "third"]);
    assert!(said.contains("this system has no node `third`"), "{said}");
    let said = beryl(&["check", &system, "--node", "second"]).ended(0);
    assert!(said.starts_with("comparator_on_two_second on mps2-an385"), "{said}");
}

/// One E code program a module, each with its own instants; termination drivers come before releases in each of them.
#[test]
fn each_module_has_its_e_code() {
    let said = beryl(&["check", &system()]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
    let code =
        said.lines().skip_while(|line| *line != "System code").skip(1).take_while(|line| !line.is_empty());
    let expected = [
        "  module Signal: 32 bytes",
        "     0  jump     @2",
        "     1  call     publish filter",
        "     2  phase    releases",
        "     3  call     reading",
        "     4  call     reading to filter",
        "     5  release  filter, 4ms",
        "     6  future   5ms, @1",
        "     7  return",
        "  module Reference: 24 bytes",
        "     0  jump     @2",
        "     1  call     publish follow",
        "     2  phase    releases",
        "     3  release  follow, 9500us",
        "     4  future   10ms, @1",
        "     5  return",
        "  module Process: 40 bytes",
        "     0  jump     @2",
        "     1  call     publish compare",
        "     2  phase    actuators",
        "     3  call     deviation",
        "     4  phase    releases",
        "     5  call     filter.filtered to compare",
        "     6  call     follow.level to compare",
        "     7  release  compare, 10ms",
        "     8  future   10ms, @1",
        "     9  return",
    ];
    assert_eq!(code.collect::<Vec<_>>(), expected, "{said}");
}
