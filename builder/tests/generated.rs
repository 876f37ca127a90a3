//! What is generated from small systems: system code, cells, driver rows, and the question to the analysis.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use beryl_abi::ThreadId;
use beryl_builder::assembly::{CellId, DriverKind, Home, Role};
use beryl_builder::code::{Apart, CodeError};
use beryl_builder::emit::tables;
use beryl_builder::proof::Kind;
use beryl_builder::{Project, Variant, proof};
use beryl_syscode::instruction::{Instruction, phase};
use common::{described, listing, project, try_project};

fn helicopter() -> Project {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/helicopter");
    Project::load(&folder, Variant::default()).expect("the example is right")
}

#[test]
fn the_helicopters_system_code_is_the_papers() {
    let expected = [
        ("0 jump @3", "at the start no task has ended yet: there is nothing to publish"),
        ("1 call publish navigate", "its second logical execution time ends"),
        ("2 call publish control", "its logical execution time ends"),
        ("3 phase actuators", "actuators see the outputs of all modules"),
        ("4 call rotor", "the actuator takes the command that has just become visible"),
        ("5 phase releases", "tasks see what all modules have published"),
        ("6 call gps", "the sensor is read at its first use"),
        ("7 call gps to navigate", "navigate's first input"),
        ("8 call attitude", "the sensor is read at its first use"),
        ("9 call attitude to navigate", "navigate's second input"),
        ("10 call control.command to navigate", "navigate's third input"),
        ("11 release navigate, 10ms", "all its inputs are there; twice a period of 20ms"),
        ("12 call navigate.motion to control", "control's first input"),
        ("13 call attitude to control", "its second input; the sensor has been read at this instant"),
        ("14 release control, 20ms", "all its inputs are there; once a period"),
        ("15 future 10ms, @17", "the middle of the period"),
        ("16 return", "the instant is complete"),
        ("17 call publish navigate", "its first logical execution time ends; control's doesn't"),
        ("18 phase releases", "no actuator is due here"),
        ("19 call gps", "a new instant, a new reading"),
        ("20 call gps to navigate", "navigate's first input"),
        ("21 call attitude", "a new instant, a new reading"),
        ("22 call attitude to navigate", "navigate's second input"),
        ("23 call control.command to navigate", "navigate's third input: still the last period's"),
        ("24 release navigate, 10ms", "until the end of the period"),
        ("25 future 10ms, @1", "the next period, where both tasks have ended: behind the jump"),
        ("26 return", "the instant is complete"),
    ];
    let found = listing(&helicopter(), 0);
    for (line, (expected, reason)) in found.iter().zip(expected) {
        assert_eq!(line, expected, "{reason}");
    }
    assert_eq!(found.len(), expected.len());
}

const THREE_FREQUENCIES: &str = "module Three {
  task once   { output int value := 0; uses once_impl(value); }
  task twice  { output int value := 0; uses twice_impl(value); }
  task thrice { output int value := 0; uses thrice_impl(value); }
  start mode only [period = 12ms] {
    task [freq = 1] once();
    task [freq = 2] twice();
    task [freq = 3] thrice();
  }
}";

#[test]
fn each_frequency_has_its_instants() {
    let tasks = [("one", "once"), ("one", "twice"), ("one", "thrice")];
    let expected = "0 jump @4, 1 call publish once, 2 call publish twice, 3 call publish thrice, \
        4 phase releases, 5 release once, 12ms, 6 release twice, 6ms, 7 release thrice, 4ms, 8 future 4ms, @10, \
        9 return, \
        10 call publish thrice, 11 phase releases, 12 release thrice, 4ms, 13 future 2ms, @15, 14 return, \
        15 call publish twice, 16 phase releases, 17 release twice, 6ms, 18 future 2ms, @20, 19 return, \
        20 call publish thrice, 21 phase releases, 22 release thrice, 4ms, 23 future 4ms, @1, 24 return";
    assert_eq!(listing(&project(THREE_FREQUENCIES, &tasks, &[]), 0).join(", "), expected);
}

#[test]
fn outputs_at_completion_are_published_by_code_of_their_own() {
    let tasks = [("one", "once"), ("one", "twice"), ("one", "thrice")];
    let description = described("outputs = \"completion\"", &tasks, &[]);
    let project = try_project(THREE_FREQUENCIES, description).expect("the system can be expressed");
    let expected = "0 jump @1, \
        1 phase releases, 2 release once, 12ms, 3 release twice, 6ms, 4 release thrice, 4ms, 5 future 4ms, @7, \
        6 return, \
        7 phase releases, 8 release thrice, 4ms, 9 future 2ms, @11, 10 return, \
        11 phase releases, 12 release twice, 6ms, 13 future 2ms, @15, 14 return, \
        15 phase releases, 16 release thrice, 4ms, 17 future 4ms, @1, 18 return, \
        19 call publish thrice, 20 return, 21 call publish twice, 22 return, 23 call publish once, 24 return";
    assert_eq!(listing(&project, 0).join(", "), expected);
    assert_eq!(project.programs[0].completions, [(0, 19), (1, 21), (2, 23)]);
    let text = tables::tables(&project).text;
    let entries: Vec<_> = text.lines().filter_map(|line| line.split_once("on_completion: ")).collect();
    let entries: Vec<_> = entries.iter().map(|(_, entry)| entry.trim_end_matches([' ', '}', ','])).collect();
    let expected =
        ["Some((ProgramId(0), 19))", "Some((ProgramId(0), 21))", "Some((ProgramId(0), 23))", "None"];
    assert_eq!(entries, expected, "the tasks' and the idle thread's");
}

/// A slow module that publishes, and a fast one that reads it and moves an actuator.
const TWO_MODULES: &str = "module Slow {
  sensor int level uses read_level;
  public task measure { input int level; output int mean := 7; uses measure_impl(level, mean); }
  start mode only [period = 10ms] { task [freq = 1] measure(level); }
}
module Fast {
  import Slow;
  actuator int valve := 3 uses set_valve;
  task steer { input int mean; output int angle := 0; uses steer_impl(mean, angle); }
  start mode only [period = 4ms] {
    task [freq = 1] steer(Slow.measure.mean);
    actuator [freq = 2] valve := steer.angle;
  }
}";

fn two_modules(outputs: &str) -> Project {
    let tasks = [("one", "measure"), ("two", "steer")];
    let drivers = [("one", "read_level"), ("two", "set_valve")];
    try_project(TWO_MODULES, described(outputs, &tasks, &drivers)).expect("the system can be expressed")
}

#[test]
fn a_completion_enters_the_program_of_its_module() {
    let project = two_modules("outputs = \"completion\"");
    let completions: Vec<_> = project.programs.iter().map(|program| program.completions.clone()).collect();
    assert_eq!(completions, [[(0, 7)], [(1, 12)]]);
}

#[test]
fn each_module_has_a_program_with_its_own_period() {
    let project = two_modules("");
    let names: Vec<_> = project.programs.iter().map(|program| program.module.as_str()).collect();
    assert_eq!(names, ["Slow", "Fast"]);
    let slow = "0 jump @2, 1 call publish measure, 2 phase releases, 3 call level, 4 call level to measure, \
        5 release measure, 10ms, 6 future 10ms, @1, 7 return";
    assert_eq!(listing(&project, 0).join(", "), slow);
    let fast = "0 jump @2, 1 call publish steer, 2 phase actuators, 3 call valve, 4 phase releases, \
        5 call measure.mean to steer, 6 release steer, 4ms, 7 future 2ms, @9, 8 return, \
        9 phase actuators, 10 call valve, 11 future 2ms, @1, 12 return";
    assert_eq!(listing(&project, 1).join(", "), fast);
    let driver = |name: &str| driver(&project, name);
    let (publish, copy) = (driver("publish measure"), driver("measure.mean to steer"));
    assert_eq!(copy.from, publish.to, "what one module publishes the other one reads");
    assert_eq!(project.assembly.cells.get(copy.to).home, Home::Process(1));
}

fn driver<'a>(project: &'a Project, name: &str) -> &'a beryl_builder::assembly::Driver {
    project.assembly.drivers.iter().find(|driver| driver.name == name).expect("there is such a driver")
}

#[test]
fn a_sensor_is_read_once_an_instant_at_its_first_use() {
    let timing = "module Shared {
      sensor int level uses read_level;
      sensor int other uses read_other;
      actuator int valve := 0 uses set_valve;
      task first  { input int a; output int x := 0; uses first_impl(a, x); }
      task second { input int a; input int b; output int x := 0; uses second_impl(a, b, x); }
      start mode only [period = 4ms] {
        task [freq = 2] first(level);
        task [freq = 2] second(other, level);
        actuator [freq = 1] valve := level;
      }
    }";
    let drivers = [("one", "read_level"), ("one", "read_other"), ("two", "set_valve")];
    let project = project(timing, &[("one", "first"), ("one", "second")], &drivers);
    let expected = "0 jump @3, 1 call publish first, 2 call publish second, \
        3 phase actuators, 4 call level, 5 call valve, \
        6 phase releases, 7 call level to first, 8 release first, 2ms, \
        9 call other, 10 call other to second, 11 call level to second, 12 release second, 2ms, \
        13 future 2ms, @15, 14 return, \
        15 call publish first, 16 call publish second, \
        17 phase releases, 18 call level, 19 call level to first, 20 release first, 2ms, \
        21 call other, 22 call other to second, 23 call level to second, 24 release second, 2ms, \
        25 future 2ms, @1, 26 return";
    assert_eq!(listing(&project, 0).join(", "), expected);
    let (getter, setter) = (driver(&project, "level"), driver(&project, "valve"));
    assert_eq!(setter.from, getter.to, "the actuator takes the published value of the sensor");
}

#[test]
fn two_actuators_share_the_reading_of_a_sensor() {
    let timing = "module Through {
      sensor int level uses read_level;
      actuator int left := 1 uses set_left;
      actuator int right := 2 uses set_right;
      start mode only [period = 4ms] { actuator [freq = 1] left := level; actuator [freq = 2] right := level; }
    }";
    let drivers = [("one", "read_level"), ("one", "set_left"), ("two", "set_right")];
    let project = project(timing, &[], &drivers);
    let expected = "0 jump @1, 1 phase actuators, 2 call level, 3 call left, 4 call right, 5 future 2ms, @7, \
        6 return, 7 phase actuators, 8 call level, 9 call right, 10 future 2ms, @1, 11 return";
    assert_eq!(listing(&project, 0).join(", "), expected);
}

/// Two tasks with frequencies `n` and `n + 1` in a period of `n * (n + 1)` units: neighbouring instants lie 1
/// to `n` units apart, and the shorter logical execution time is `n`, the longer `n + 1`. A third one has the
/// first half of the period as its slot, so that each instant has code of its own.
fn distances(n: u32) -> Result<Project, CodeError> {
    let timing = format!(
        "module Many {{
           task rare  {{ output int x := 0; uses rare_impl(x); }}
           task often {{ output int x := 0; uses often_impl(x); }}
           task half  {{ output int x := 0; uses half_impl(x); }}
           start mode only [period = {}us] {{ task [freq = {n}] rare(); task [freq = {}] often(); task [freq = 2, slots = 1] half(); }}
         }}",
        n * (n + 1),
        n + 1
    );
    try_project(&timing, described("", &[("one", "rare"), ("one", "often"), ("one", "half")], &[]))
}

#[test]
fn a_program_has_at_most_255_different_durations() {
    let most = distances(253).expect("this many can be expressed");
    let different: BTreeSet<_> = most.programs[0].durations.iter().map(|known| known.ticks()).collect();
    assert_eq!((most.programs[0].durations.len(), different.len()), (255, 255), "each once");
    let micro = u64::from(1000 / most.tick());
    let half = 253 * 254 / 2;
    assert!(different.into_iter().eq((1..=254).chain([half]).map(|distance| distance * micro)));
    for n in [254, 255, 256, 300] {
        let refused = distances(n).expect_err("one too many");
        let durations = usize::try_from(n + 2).expect("it is small");
        let [module, mode] = ["Many", "only"].map(str::to_owned);
        let apart = Some(Apart::Slots(2));
        assert_eq!(refused, CodeError::TooManyDurations { module, mode, apart, durations });
    }
}

const WIDE: &str = "module Wide {
  public task make {
    input int seed;
    output byte a := 1; output double b := 1.5; output short c := -2; output long d := 3;
    state int kept := 9; state short mark := 4;
    uses make_impl(seed, a, b, c, d, kept, mark);
  }
  task take {
    input byte a; input double b; input short c; input long d; input int limit;
    output int sum := 77;
    uses take_impl(a, b, c, d, limit, sum);
  }
  start mode only [period = 4ms] {
    task [freq = 1] take(make.a, make.b, make.c, make.d, 258);
    task [freq = 1] make(5);
  }
}";

fn arguments(project: &Project, task: &str) -> Vec<CellId> {
    let thread = project.assembly.threads.iter().find(|thread| thread.name == task);
    match &thread.expect("there is such a task").role {
        Role::Task(task) => task.arguments.iter().map(|(cell, _)| *cell).collect(),
        _ => panic!("{task} is no task"),
    }
}

#[test]
fn outputs_lie_alike_in_private_and_published_memory() {
    let project = project(WIDE, &[("one", "make"), ("one", "take")], &[]);
    let cells = &project.assembly.cells;
    let publish = driver(&project, "publish make");
    let relative = |cell: CellId, first: CellId| cells.get(cell).offset - cells.get(first).offset;
    let private: Vec<_> =
        arguments(&project, "make")[1..5].iter().map(|cell| relative(*cell, publish.from)).collect();
    let published = ["a", "b", "c", "d"].map(|port| driver(&project, &format!("make.{port} to take")).from);
    let published = published.map(|cell| relative(cell, publish.to));
    assert_eq!(private, [0, 8, 16, 24], "in whole words, at multiples of the type's alignment");
    assert_eq!(published[..], private, "one copy publishes them all");
    assert_eq!(publish.length, 32);
    for first in [publish.from, publish.to] {
        assert_eq!(project.places.address(cells, first) % 8, 0);
    }
}

#[test]
fn memory_starts_with_initial_values_and_constants() {
    let project = project(WIDE, &[("one", "make"), ("one", "take")], &[]);
    let words = |home| {
        let image = project.assembly.cells.image(home);
        let words = image.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)));
        words.collect::<Vec<_>>()
    };
    let minus_two = 0xFFFE;
    let one_and_a_half = [0, 0x3FF8_0000];
    let outputs = [1, 0, one_and_a_half[0], one_and_a_half[1], minus_two, 0, 3, 0];
    assert_eq!(words(Home::Published), [&outputs[..], &[77]].concat());
    let (make, take) = ([5, 9, 4, 0], [0, 0, 0, 0, 0, 0, 0, 0, 258, 0]);
    assert_eq!(words(Home::Process(0)), [&make[..], &outputs, &take, &[77]].concat());
    assert!(words(Home::Process(1)).is_empty());
    let input = project.assembly.cells.get(arguments(&project, "take")[4]);
    assert_eq!(input.initial, 258_u32.to_le_bytes(), "a constant is the input's initial value");
    let moved: Vec<_> = project.assembly.drivers.iter().map(|driver| driver.name.as_str()).collect();
    assert!(!moved.iter().any(|name| name.contains("constant")), "no driver copies a constant: {moved:?}");
}

#[test]
fn every_driver_row_names_its_process_and_its_task() {
    let project = two_modules("");
    let text = tables::tables(&project).text;
    let rows = text.lines().filter(|line| line.contains("*/ Driver {"));
    let rows: Vec<_> = rows.filter_map(|row| Some(row.trim().split_once(", from:")?.0)).collect();
    let budget = "budget: Duration::from_ticks(1250)";
    let expected = [
        "/* publish measure */ Driver { kind: DriverKind::Copy, process: ProcessId(0), task: ThreadId(0)".to_owned(),
        "/* publish steer */ Driver { kind: DriverKind::Copy, process: ProcessId(1), task: ThreadId(1)".to_owned(),
        format!(
            "/* level */ Driver {{ kind: DriverKind::Getter {{ function: 0, shared: 0x0, {budget} }}, process: ProcessId(0), \
             task: ThreadId::NONE"
        ),
        "/* level to measure */ Driver { kind: DriverKind::Input, process: ProcessId(0), task: ThreadId(0)".to_owned(),
        "/* measure.mean to steer */ Driver { kind: DriverKind::Input, process: ProcessId(1), task: ThreadId(1)"
            .to_owned(),
        format!(
            "/* valve */ Driver {{ kind: DriverKind::Setter {{ function: 0, {budget} }}, process: ProcessId(1), \
             task: ThreadId::NONE"
        ),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_driver_stays_between_published_memory_and_its_process() {
    for project in [helicopter(), two_modules("")] {
        for driver in &project.assembly.drivers {
            let home = |cell| project.assembly.cells.get(cell).home;
            let own = Home::Process(driver.process);
            let expected = match driver.kind {
                DriverKind::Publish | DriverKind::Getter { .. } => (own, Home::Published),
                DriverKind::Input | DriverKind::Setter { .. } => (Home::Published, own),
                // Constants, guards, and what the kernel knows of links.
                _ => (Home::Published, Home::Published),
            };
            assert_eq!((home(driver.from), home(driver.to)), expected, "{}", driver.name);
            let native = !matches!(driver.kind, DriverKind::Publish | DriverKind::Input);
            assert_eq!(driver.task.is_none(), native, "{}", driver.name);
            if let Some(task) = driver.task {
                assert_eq!(project.assembly.threads[task].process, driver.process, "{}", driver.name);
            }
        }
    }
}

#[test]
fn ports_lie_in_the_memory_region_of_their_process() {
    for project in [helicopter(), two_modules("")] {
        let published = project.plan.published.region.interval;
        assert_eq!(project.places.home(Home::Published), published.base);
        let mut regions = vec![published];
        for (index, process) in project.plan.processes.iter().enumerate() {
            let region = process.memory.region.interval;
            assert!(region.contains(process.ports), "{}", process.name);
            assert_eq!(project.places.home(Home::Process(index)), process.ports.base);
            assert!(!regions.iter().any(|other| other.overlaps(region)), "{}", process.name);
            regions.push(region);
        }
        for driver in &project.assembly.drivers {
            for cell in [driver.from, driver.to] {
                let base = project.places.address(&project.assembly.cells, cell);
                let region = match project.assembly.cells.get(cell).home {
                    Home::Published => published,
                    Home::Process(process) => project.plan.processes[process].ports,
                    Home::State(_) | Home::Kernel => panic!("{} moves no port", driver.name),
                };
                assert!(region.base <= base && base + driver.length <= region.limit, "{}", driver.name);
            }
        }
    }
}

#[test]
fn the_analysis_is_told_the_steps_of_every_driver() {
    let timing = "module Copies {
      sensor byte[65] wide uses read_wide;
      actuator byte[65] mirror := {ZEROS} uses set_mirror;
      sensor byte[64] brief uses read_brief;
      task look { input byte[65] wide; input byte[64] brief; output int x := 0; uses look_impl(wide, brief, x); }
      start mode only [period = 8ms] {
        task [freq = 2] look(wide, brief);
        actuator [freq = 1] mirror := wide;
      }
    }";
    let drivers = [("one", "read_wide"), ("two", "set_mirror"), ("one", "read_brief")];
    let timing = timing.replace("ZEROS", &["0"; 65].join(", "));
    let project = project(&timing, &[("one", "look")], &drivers);
    assert_eq!(project.tick(), 40);
    let of = |kind: Kind, count: u64| (count * kind.instructions(&project.assembly) * 32).div_ceil(40);
    let (steps, alarm) = (|count| of(Kind::EMachine, count), of(Kind::Alarm, 1));
    let native = 50_000 / 40;
    let (half, whole) = (100_000, 200_000);
    let expected = [
        ("publish look", half, steps(2)),
        // The alarm of its budget may go off behind it.
        ("wide", half, native + steps(6) + alarm),
        ("wide to look", half, steps(3)),
        ("brief", half, native + steps(5) + alarm),
        ("brief to look", half, steps(2)),
        ("wide", whole, native + steps(6) + alarm),
        ("mirror", whole, native + steps(6) + alarm),
    ];
    let system = proof::system(&project);
    let found: Vec<_> = system
        .interference
        .iter()
        .map(|row| (row.name.as_str(), row.period.get(), row.worst.get()))
        .collect();
    assert_eq!(found, expected);
    let tasks: Vec<_> = system.bands.iter().flat_map(|band| &band.tasks).collect();
    assert_eq!(tasks.len(), 1);
    assert_eq!((tasks[0].period.get(), tasks[0].deadline.get(), tasks[0].worst.get()), (half, half, 250));
}

fn of_many_tasks(count: usize) -> Project {
    let names: Vec<_> = (0..count).map(|number| format!("t{number}")).collect();
    let tasks: String = names.iter().map(|name| format!("task {name} {{ uses {name}_impl(); }}\n")).collect();
    let calls: String = names.iter().map(|name| format!("task [freq = 1] {name}();\n")).collect();
    let timing = format!("module Many {{ {tasks} start mode only [period = 100ms] {{ {calls} }} }}");
    let rows: Vec<_> = names.iter().map(|name| ("one", name.as_str())).collect();
    project(&timing, &rows, &[])
}

#[test]
fn a_release_grows_with_the_band_and_no_further_than_a_step_looks() {
    let of = |kind: Kind| [2, 8, 100].map(|count| kind.instructions(&of_many_tasks(count).assembly));
    let levels = [2, 4, 7];
    // From four looks from either end for eight tasks on a release is the longer for them; all bands above 15
    // have eight.
    assert_eq!(of(Kind::EMachine), levels.map(|count| 445 + 12 * count));
    let [few, eight, many] = of(Kind::Release);
    assert_eq!([few, eight, many], [445 + 12 * 2, 370 + 17 * 4 + 31 * 3, 370 + 17 * 7 + 31 * 7]);
    assert_eq!(of(Kind::Job), [few, eight, many], "no step of a job is longer");
    assert_eq!(of(Kind::Decision), [215; 3]);
}

#[test]
fn a_task_without_outputs_has_nothing_to_publish() {
    let project = of_many_tasks(100);
    assert!(project.assembly.drivers.is_empty());
    let code = project.programs[0].code.iter().map(|word| Instruction::decode(*word).expect("it is checked"));
    let code: Vec<_> = code.collect();
    let [jump, releases, tasks, future, end] = code.as_slice() else { panic!("{code:?}") };
    assert_eq!(*jump, Instruction::Jump { address: 1 });
    assert_eq!(*releases, Instruction::Phase { phase: phase::RELEASES });
    assert_eq!(*tasks, Instruction::Releases { first: ThreadId(0), deadline: 0, count: 100 });
    assert_eq!((*future, *end), (Instruction::Future { delay: 0, address: 1 }, Instruction::Return {}));
}

/// Five tasks, four of them with the same logical execution time; each reads the sensor and writes an output.
#[test]
fn long_sequences_become_runs_and_many_tasks_get_their_inputs_first() {
    let names = ["a", "b", "c", "d", "e"];
    let task =
        |name: &str| format!("task {name} {{ input int i; output int o := 0; uses {name}_impl(i, o); }}\n");
    let tasks: String = names.iter().map(|name| task(name)).collect();
    let timing = format!(
        "module Many {{ sensor int s uses read_s; {tasks} start mode only [period = 10ms] {{
           task [freq = 1] a(s); task [freq = 1] b(s); task [freq = 1] c(s); task [freq = 1] d(s);
           task [freq = 2] e(s); }} }}"
    );
    let rows = names.map(|name| ("one", name));
    let project = project(&timing, &rows, &[("one", "read_s")]);
    let expected = [
        "0 jump @2",
        // all five end at the end of a period; the fastest has the lowest number
        "1 calls publish e, 5",
        "2 phase releases",
        // the sensor, then the five inputs
        "3 calls s, 6",
        "4 release e, 5ms",
        "5 releases a, 10ms, 4",
        "6 future 5ms, @8",
        "7 return",
        // one alone stays as it was
        "8 call publish e",
        "9 phase releases",
        "10 call s",
        "11 call s to e",
        "12 release e, 5ms",
        "13 future 5ms, @1",
        "14 return",
    ];
    assert_eq!(listing(&project, 0), expected);
}

/// What its kernel leaves out is known by the description.
#[test]
fn a_kernel_has_periodic_threads_where_the_description_has_some() {
    for (example, has_some) in
        [("helicopter", false), ("landing", false), ("console", true), ("engine", true)]
    {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
        let project = Project::load(&folder, Variant::default()).expect("the example is right");
        let text = tables::tables(&project).text;
        assert_eq!(text.contains("kind: ThreadKind::Periodic"), has_some, "{example}");
        assert_eq!(text.contains("periodic: false"), !has_some, "{example}");
    }
}
