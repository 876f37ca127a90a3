//! Tasks that interrupts and changes of ports release: their programs, their rows, what the proof counts, and
//! what is refused.

#[path = "asynchronous/completions.rs"]
mod completions;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use beryl_analysis::{Interference, Method, System, Ticks, prove, responses_with_offsets};
use beryl_builder::emit::tables;
use beryl_builder::placement::Order;
use beryl_builder::proof::Kind;
use beryl_builder::{BuildError, Project, Variant, proof};
use miette::Diagnostic as _;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/meter")
}

/// The example with some of its texts changed: file, from, to.
fn with(name: &str, changes: &[(&str, &str, &str)]) -> Result<Project, BuildError> {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("beryl-asynchronous-{name}-{}-{copy}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder");
    for file in ["beryl.toml", "meter.tdl"] {
        let mut text = std::fs::read_to_string(folder().join(file)).expect("a text");
        for (_, from, to) in changes.iter().filter(|(changed, ..)| *changed == file) {
            assert!(text.contains(from), "{file} has no {from}");
            text = text.replacen(from, to, 1);
        }
        std::fs::write(place.join(file), text).expect("written");
    }
    let project = Project::load(&place, Variant::default());
    std::fs::remove_dir_all(&place).expect("removed");
    project
}

fn meter() -> Project {
    with("meter", &[]).expect("the example is right")
}

/// A program's listing, with single spaces.
fn listing(project: &Project, name: &str) -> Vec<String> {
    let program = project.programs.iter().find(|program| program.module == name).expect("a program");
    let listing = tables::listing(&project.assembly, program, project.tick());
    listing.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn each_activity_has_a_program_of_its_own() {
    let project = meter();
    let expected = [
        "0 when interrupt(10), @2",
        "1 return",
        "2 phase releases",
        "3 release count, 6ms",
        "4 future 6ms, @0",
        "5 return",
        "6 call publish count",
        "7 return",
    ];
    assert_eq!(listing(&project, "Meter count"), expected, "the line is open again after its separation");
    let expected = [
        "0 when change(control.alarm), @2",
        "1 return",
        "2 phase releases",
        "3 call valve",
        "4 call is_shown",
        "5 branch @8",
        "6 call control.alarm to warn",
        "7 release warn, 40ms",
        "8 when change(control.alarm), @2",
        "9 return",
        "10 call publish warn",
        "11 return",
    ];
    assert_eq!(listing(&project, "Meter warn"), expected, "whatever the guard says, it is asked again");
}

/// What is done about late jobs of `warn`, which has a guard and an input, behind its program's first ten lines.
fn late_warnings(reaction: &str) -> Vec<String> {
    let line = format!("[task.warn]\non_miss = {reaction}");
    let driver = "[driver.hoot]\nprocess = \"office\"\nworst = \"50us\"\n\n[driver.set_lamp]";
    let mut changes = vec![("beryl.toml", "[task.warn]", line.as_str())];
    if reaction.contains("call") {
        changes.push(("beryl.toml", "[driver.set_lamp]", driver));
    }
    let project = with("late", &changes).expect("it is right");
    let text = tables::tables(&project).text;
    let has_handlers = reaction != "\"stop\"";
    assert_eq!(text.contains("handlers: true"), has_handlers, "{reaction}: {text}");
    let program = project.programs.iter().find(|row| row.module == "Meter warn").expect("a program");
    let row = program.handler.map(|at| format!("handlers: [{at}, Program::NO_HANDLER], conditions: "));
    assert!(row.is_none_or(|row| text.contains(&row)), "{reaction}: {text}");
    assert_eq!(program.handler.is_some(), has_handlers);
    // The module's own program has nothing to do with it.
    let own = project.programs.iter().find(|row| row.module == "Meter").expect("a program");
    assert_eq!((own.handler, own.completions.len()), (None, 0), "{reaction}");
    listing(&project, "Meter warn").split_off(10)
}

#[test]
fn late_jobs_of_events_are_stopped_skipped_or_made_up_for() {
    let done = ["10 call publish warn", "11 return"];
    assert_eq!(late_warnings("\"stop\""), done);
    assert_eq!(late_warnings("\"skip\""), [&done[..], &["12 resume"]].concat());
    let made_up = [
        "10 call publish warn",
        "11 owed warn, @14",
        "12 call control.alarm to warn",
        "13 release warn, 40ms",
        "14 return",
        "15 postpone 2",
    ];
    assert_eq!(late_warnings("{ catch_up = 2 }"), made_up);
    // It is the next release that meets the job: that comes after all.
    let instead = ["12 call hoot", "13 call initial warn.shown", "14 call pump", "15 terminate", "16 retry"];
    let reaction = "{ outputs = \"initial\", set = \"pump\", call = \"hoot\", with = \"control.alarm\" }";
    assert_eq!(late_warnings(reaction), [&done[..], &instead].concat());
}

#[test]
fn a_task_without_outputs_is_made_up_for_at_its_completion() {
    let project = with(
        "silent",
        &[
            ("beryl.toml", "[task.count]", "[task.count]\non_miss = { catch_up = 3 }"),
            ("meter.tdl", "output int total := 0; uses count_impl(pulses, total)", "uses count_impl(pulses)"),
            ("meter.tdl", "    input  int total;\n", ""),
            ("meter.tdl", "control_impl(total, valve", "control_impl(valve"),
            ("meter.tdl", "control(count.total, valve)", "control(valve)"),
        ],
    );
    let project = project.expect("it is right");
    let expected = ["6 owed count, @8", "7 release count, 6ms", "8 return", "9 postpone 3"];
    assert_eq!(listing(&project, "Meter count").split_off(6), expected);
    let program = project.programs.iter().find(|row| row.module == "Meter count").expect("a program");
    assert_eq!(program.completions.iter().map(|(_, address)| *address).collect::<Vec<_>>(), [6]);
    let names: Vec<_> = proof::system(&project).interference.into_iter().map(|row| row.name).collect();
    assert!(names.iter().any(|name| name == "completions of count"), "{names:?}");
}

#[test]
fn the_kernels_tables_have_the_port_the_places_and_no_owner_of_the_line() {
    let project = meter();
    let text = tables::tables(&project).text;
    for line in [
        "trigger_places: 4, event_triggers: 2, ports: 1,",
        "/* pulse */ Interrupt { line: Line(10), thread: ThreadId::NONE, bits: 0x0 },",
        "static CONDITIONS_1: [Until; 1] = [Until::Interrupt(Line(10))];",
        "static CONDITIONS_2: [Until; 1] = [Until::Changed(PortId(0))];",
    ] {
        assert!(text.lines().any(|own| own.trim() == line), "{line} isn't in\n{text}");
    }
    let cell = project.assembly.ports[0].cell;
    let address = project.places.address(&project.assembly.cells, cell);
    let row = format!("/* control.alarm */ Port {{ address: {address:#010x}, holds: Held::Word }},");
    assert!(text.contains(&row), "{row} isn't in\n{text}");
    assert!(text.contains("on_completion: Some((ProgramId(1), 6))"), "{text}");
}

/// What the port's row says, and how many words are kept for each wait, if the warning waits for more than a number: the type of
/// another output, its first value, and what of it is the trigger.
fn looked_at(kind: &str, initial: &str, part: &str) -> (String, Option<u32>) {
    let records = "module Meter {\n  struct Point { float x; float y; }\n  \
                   struct Alarm { double flow; Point place; short code; byte[2] tried; int level; byte[40] rest; }\n";
    let output = format!("output int interval := 0;\n    output {kind} more := {initial};");
    let trigger = format!("trigger = control.more{part}");
    let project = with(
        "looked_at",
        &[
            ("meter.tdl", "module Meter {\n", records),
            ("meter.tdl", "output int interval := 0;", &output),
            ("meter.tdl", "before, interval, alarm)", "before, interval, alarm, more)"),
            ("meter.tdl", "trigger = control.alarm", &trigger),
        ],
    );
    let project = project.unwrap_or_else(|error| panic!("{kind}{part}: {error:?}"));
    let text = tables::tables(&project).text;
    let name = format!("/* control.more{part} */ Port {{ address: ");
    let row = text.lines().find_map(|line| line.trim().strip_prefix(&name)).expect("a row");
    let (address, row) = row.split_once(", ").expect("two fields");
    let address = u32::from_str_radix(address.trim_start_matches("0x"), 16).expect("an address");
    let is_more = |cell: &&beryl_builder::assembly::Driver| cell.name == "publish control";
    let outputs = project.assembly.drivers.iter().find(is_more).expect("a driver").to;
    let behind = address - project.places.address(&project.assembly.cells, outputs);
    let sizes = text.lines().find(|line| line.contains("event_triggers: 2, ports: 1")).expect("the sizes");
    let kept = sizes.split_once("kept: ").and_then(|(_, kept)| kept.trim_end_matches(',').parse().ok());
    assert!(listing(&project, "Meter warn")[0].contains(&format!("when change(control.more{part})")));
    (format!("{behind} {row}"), kept)
}

#[test]
fn a_port_is_a_number_or_bytes_and_a_field_lies_in_its_record() {
    let all = format!("{{0, {{0, 0}}, 0, {{0, 0}}, 0, {{{}}}}}", ["0"; 40].join(", "));
    let record = |part: &str| looked_at("Alarm", &all, part);
    let expected = |row: &str, kept: Option<u32>| (row.to_owned(), kept);
    assert_eq!(looked_at("short", "0", ""), expected("4 holds: Held::Half },", None));
    assert_eq!(looked_at("boolean", "false", ""), expected("4 holds: Held::Byte },", None));
    assert_eq!(looked_at("float", "0", ""), expected("4 holds: Held::Word },", None));
    assert_eq!(looked_at("long", "0", ""), expected("8 holds: Held::Bytes(8) },", Some(2)));
    assert_eq!(looked_at("byte[3]", "{0, 0, 0}", ""), expected("4 holds: Held::Bytes(3) },", Some(1)));
    assert_eq!(record(""), expected("8 holds: Held::Bytes(64) },", Some(16)));
    assert_eq!(record(".place"), expected("16 holds: Held::Bytes(8) },", Some(2)));
    assert_eq!(record(".place.y"), expected("20 holds: Held::Word },", None));
    assert_eq!(record(".code"), expected("24 holds: Held::Half },", None));
    assert_eq!(record(".tried"), expected("26 holds: Held::Bytes(2) },", Some(1)));
}

/// The control task and the warning need the valve, and where a period of the first ends both come at one instant.
#[test]
fn a_sensor_that_two_programs_read_has_a_bit_by_which_it_is_read_once() {
    let row = |project: &Project, name: &str| {
        let text = tables::tables(project).text;
        let row = text.lines().find(|line| line.contains(&format!("/* {name} */ Driver"))).map(str::to_owned);
        row.unwrap_or_else(|| panic!("{name} isn't in\n{text}"))
    };
    assert!(
        row(&meter(), "valve").contains("Getter { function: 0, shared: 0x1, budget: "),
        "{}",
        row(&meter(), "valve")
    );
    let alone = with(
        "alone",
        &[
            ("meter.tdl", "if is_shown(valve) then ", ""),
            ("beryl.toml", "[driver.is_shown]\nprocess = \"office\"\nworst = \"50us\"\n", ""),
        ],
    );
    let alone = alone.expect("it is right");
    assert!(row(&alone, "valve").contains("shared: 0x0, budget: "), "{}", row(&alone, "valve"));
}

/// By task: how far apart releases are at least, and the deadline, in ms.
fn released(project: &Project) -> Vec<(String, u64, u64)> {
    let system = proof::system(project);
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    tasks.map(|task| (task.name.clone(), task.period.get() / 25_000, task.deadline.get() / 25_000)).collect()
}

#[test]
fn the_proof_counts_jobs_drivers_and_instants_as_often_as_they_can_come() {
    let named = |rows: &[(&str, u64, u64)]| -> Vec<(String, u64, u64)> {
        rows.iter().map(|(name, period, deadline)| ((*name).to_owned(), *period, *deadline)).collect()
    };
    let project = meter();
    assert_eq!(released(&project), named(&[("control", 40, 40), ("count", 6, 6), ("warn", 40, 40)]));
    let system = proof::system(&project);
    let drivers = |period: u64| {
        let rows = system.interference.iter().filter(|row| row.period.get() == period * 25_000);
        rows.map(|row| row.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(drivers(6), ["publish count", "Meter count"]);
    let slow = drivers(40);
    let own = ["valve", "is_shown", "control.alarm to warn", "publish warn", "Meter warn"];
    assert!(slow.ends_with(&own), "{slow:?}");
    // Two instants and the interrupt: more than one instant has.
    let row = system.interference.iter().find(|row| row.name == "Meter count").expect("a row");
    assert!(row.worst.get() > 2 * system.costs.instant.get());
    assert!(prove(&system).is_ok());
    let shorter = [("beryl.toml", "worst = \"0.2ms\"", "worst = \"0.2ms\"\ndeadline = \"5.5ms\"")];
    let project = with("deadline", &shorter).expect("it is right");
    assert_eq!(proof::system(&project).bands[1].tasks[0].deadline.get(), 137_500);
    assert!(listing(&project, "Meter count")[3].ends_with("release count, 5500us"));
}

#[test]
fn whatever_bands_are_proposed_they_stay_last() {
    let project = meter();
    let bands = |dynamic: &[usize]| -> Vec<Vec<String>> {
        let bands = Order::of(&project).placement(dynamic).bands;
        bands.iter().map(|band| band.members.iter().map(|member| member.name.clone()).collect()).collect()
    };
    assert_eq!(bands(&[]), [["control", "count", "warn"]], "though the deadline of `count` is the shortest");
    assert_eq!(bands(&[1]), [vec!["control"], vec!["count", "warn"]]);
}

#[test]
fn every_instant_is_longer_where_ports_are_looked_at() {
    let project = meter();
    let instant = |project: &beryl_builder::Project, before: u64| {
        let [step, look] = [Kind::EMachine, Kind::Decision].map(|kind| kind.instructions(&project.assembly));
        ((before * step + look) << project.description.board.speed).div_ceil(project.tick().into())
    };
    // Two triggers that don't wait for time, and three steps to begin, to end and for the place that nobody
    // has, beside ten and the last look.
    assert_eq!(proof::system(&project).costs.instant.get(), instant(&project, 15));
    let project = project.with(|system| Arc::make_mut(&mut system.costed.assembly).asynchronous.clear());
    assert_eq!(proof::system(&project).costs.instant.get(), instant(&project, 10));
}

/// Logical execution times say when outputs become visible; a deadline before that is who runs first.
#[test]
fn a_deadline_before_the_end_of_the_logical_execution_time_is_released_and_proved() {
    let earlier = [("beryl.toml", "worst = \"2ms\"", "worst = \"2ms\"\ndeadline = \"6ms\"")];
    let project = with("earlier", &earlier).expect("it is right");
    assert_eq!(released(&project)[0], ("control".to_owned(), 40, 6));
    assert!(listing(&project, "Meter").iter().any(|line| line.ends_with("release control, 6ms")));
    assert!(listing(&project, "Meter").iter().any(|line| line.ends_with("future 20ms, @1")));
    let proof = prove(&proof::system(&project)).expect("it holds");
    assert_eq!(proof.bands[0].method, Method::ProcessorDemand);
    let too_early = [("beryl.toml", "worst = \"2ms\"", "worst = \"2ms\"\ndeadline = \"3ms\"")];
    let project = with("too_early", &too_early).expect("it is a system");
    assert!(prove(&proof::system(&project)).is_err(), "drivers and kernel take more than a millisecond");
}

#[test]
fn what_nobody_could_keep_is_refused_with_a_proposal() {
    let zeros = format!("{{{}}}", ["0"; 65].join(", "));
    let pulse = "separation = \"6ms\"              # after a pulse the line is closed for so long";
    for (name, file, from, to, message, help) in [
        (
            "unknown",
            "meter.tdl",
            "trigger = pulse",
            "trigger = pulses",
            "has no interrupt `pulses`",
            "`pulse`",
        ),
        ("separation", "beryl.toml", pulse, "", "nobody uses interrupt `pulse`", "separation = \"10ms\""),
        (
            "dynamic",
            "beryl.toml",
            "policy = \"fixed\"",
            "policy = \"dynamic\"",
            "its band has none",
            "below those",
        ),
        (
            "above",
            "beryl.toml",
            "[task.control]\nprocess = \"office\"\nband = \"flow\"",
            "[task.control]\nprocess = \"office\"\npriority = 0\nband = \"pulses\"",
            "`control`, which isn't, could have to wait",
            "a band below",
        ),
        (
            "order",
            "meter.tdl",
            "priority = 2]",
            "priority = 0]",
            "as urgent as `warn` or more",
            "a lower priority",
        ),
        (
            "long",
            "beryl.toml",
            "worst = \"0.2ms\"",
            "worst = \"0.2ms\"\ndeadline = \"7ms\"",
            "beyond its next release",
            "up to the separation",
        ),
        (
            "mode",
            "beryl.toml",
            "[task.warn]",
            "[task.warn]\non_miss = { mode = \"flow\" }",
            "task `warn` is released by an event, whichever mode its module is in",
            "test one of its outputs in a guard of the mode",
        ),
        (
            "wide",
            "meter.tdl",
            "output int alarm := 0;  ",
            "output byte[65] alarm := ZEROS;  ",
            "output `control.alarm` of type `byte[65]` can't be looked at: it has 65 bytes, and the kernel compares up to 64",
            "take a field of it that is shorter, or let the task have an output that counts",
        ),
        (
            "chain",
            "meter.tdl",
            "trigger = control.alarm",
            "trigger = count.total",
            "outputs of task `count` become visible when it completes, and it may take until it is released again",
            "`deadline = \"1ms\"` in [task.count]",
        ),
        (
            "circle",
            "meter.tdl",
            "trigger = pulse",
            "trigger = warn.shown",
            "task `count` waits for what this one gives",
            "be released by an interrupt",
        ),
        ("unused", "meter.tdl", "trigger = pulse", "trigger = control.interval", "nobody uses it", "trigger"),
        (
            "completion",
            "beryl.toml",
            "environment = \"pipe\"",
            "environment = \"pipe\"\noutputs = \"completion\"",
            "outputs of task `control` become visible when it completes, and it may take until it is released again",
            "`deadline = \"1ms\"` in [task.control]",
        ),
    ] {
        let mut changes = vec![(file, from, to)];
        match name {
            "wide" => {
                changes.push(("meter.tdl", "input  int alarm", "input  byte[65] alarm"));
                changes.push(("meter.tdl", "ZEROS", &zeros));
            }
            "circle" => changes.push(("meter.tdl", "trigger = control.alarm", "trigger = count.total")),
            "dynamic" => {
                changes.extend(["priority = 2\n", "priority = 1\n"].map(|line| ("beryl.toml", line, "")))
            }
            _ => {}
        }
        let error = with(name, &changes).expect_err(name);
        let mut words = String::new();
        miette::NarratableReportHandler::new().render_report(&mut words, &error).expect("words");
        assert!(words.contains(message) && words.contains(help), "{name}: {words}");
        assert!(error.code().is_some() || error.related().is_some(), "{name}");
    }
}

/// Two fixed bands in which threads hold by their offsets only; in the second it is the asynchronous task
/// that they keep from being late.
#[test]
fn every_band_that_was_decided_by_offsets_is_doubted() {
    let project = with("bands", &TWO_BANDS).expect("it is right");
    let found = prove(&proof::system(&project)).expect("it holds");
    let methods: Vec<_> = found.bands.iter().map(|band| (band.name.as_str(), band.method)).collect();
    let expected =
        [("flow", Method::ProcessorDemand), ("slow", Method::Schedule), ("pulses", Method::Schedule)];
    assert_eq!(methods, expected);
    let names = |doubt: &proof::Doubt| -> Vec<String> {
        doubt.whom.iter().map(|index| project.assembly.threads[*index].name.clone()).collect()
    };
    let doubts = proof::out_of_step(&project.assembly, &found);
    let mut whom: Vec<String> = doubts.iter().flat_map(names).collect();
    whom.sort();
    assert_eq!(whom, ["count", "other", "p", "q", "warn"]);
    assert!(doubts.iter().zip(["slow", "pulses"]).all(|(doubt, band)| {
        doubt.said.starts_with(&format!("band `{band}` was decided by its schedule"))
            && doubt.said.contains("task `count` is asynchronous")
    }));
}

/// An asynchronous task may come at any distance from a thread, so its place in a period changes no bound.
#[test]
fn offsets_save_nothing_between_threads_and_what_is_asynchronous() {
    let project = with("any_distance", &TWO_BANDS).expect("it is right");
    let mut system = proof::system(&project);
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    let out_of_step: Vec<_> = tasks.filter(|task| task.is_out_of_step).cloned().collect();
    assert_eq!(out_of_step.iter().map(|task| &task.name).collect::<Vec<_>>(), ["count", "warn"]);
    // So that the kernel is entered at the same instants, wherever the task is.
    let (period, offset) = (out_of_step[0].period, Ticks::new(out_of_step[0].period.get() / 2));
    system.interference.push(Interference { period, offset, ..Interference::default() });
    let bounds = responses_with_offsets(&system).expect("bounds");
    assert_eq!(responses_with_offsets(&moved(&system, "count", offset)).expect("bounds"), bounds);
    // Negative control: between threads distances count.
    let of_p = system.bands.iter().flat_map(|band| &band.tasks).find(|task| task.name == "p");
    let together = moved(&system, "q", of_p.expect("p").offset);
    assert_ne!(responses_with_offsets(&together).expect("bounds"), bounds);
}

fn moved(system: &System, name: &str, offset: Ticks) -> System {
    let mut moved = system.clone();
    let tasks = moved.bands.iter_mut().flat_map(|band| &mut band.tasks);
    tasks.filter(|task| task.name == name).for_each(|task| task.offset = offset);
    moved
}

const TWO_BANDS: [(&str, &str, &str); 6] = [
    (
        "beryl.toml",
        "[[band]]\nname = \"pulses\"",
        "[[band]]\nname = \"slow\"\npolicy = \"fixed\"\n\n[[band]]\nname = \"pulses\"",
    ),
    ("beryl.toml", "worst = \"2ms\"", "worst = \"0.1ms\""),
    ("beryl.toml", "worst = \"0.2ms\"", "worst = \"1.5ms\"\ndeadline = \"4.9ms\""),
    ("beryl.toml", "worst = \"1ms\"", "worst = \"0.1ms\""),
    (
        "beryl.toml",
        "[interrupt.pulse]",
        "[thread.other]\nprocess = \"office\"\nband = \"pulses\"\npriority = 9\nentry = \"other\"\nstack = \"512\"\n\
         period = \"10ms\"\noffset = \"5ms\"\nworst = \"0.8ms\"\n\n[interrupt.pulse]",
    ),
    (
        "beryl.toml",
        "[interrupt.pulse]",
        "[thread.p]\nprocess = \"office\"\nband = \"slow\"\npriority = 9\nentry = \"p\"\nstack = \"512\"\nperiod = \"20ms\"\n\
         offset = \"8ms\"\nworst = \"0.7ms\"\n\n[thread.q]\nprocess = \"office\"\nband = \"slow\"\npriority = 8\nentry = \"q\"\n\
         stack = \"512\"\nperiod = \"20ms\"\noffset = \"14ms\"\ndeadline = \"2.2ms\"\nworst = \"0.3ms\"\n\n[interrupt.pulse]",
    ),
];
