//! Four processes, three of which go wrong: each is stopped and told by name, kind and address, the fourth goes on.

use std::ops::Range;
use std::sync::LazyLock;

use beryl_abi::{Fault, FaultKind, Instant};
use beryl_builder::{Project, Variant};
use beryl_trace::{Event, Happening, Names, Recording, decode};
use common::{Ran, beryl, example, left, left_text, lock};

use FaultKind::{Data, Instruction, Privilege, StackOverflow};

mod common;

const BOARD: &str = "mps2-an385";
const LAST_LINE: &str =
    "stray: 10 actuator writes, identical on sim and mps2-an385; 0 deadline misses, 30 skipped; 3 faults";
const PERIOD: u64 = 10;
/// The tasks, each the only one of its process, and the job in which it goes wrong.
const TASKS: [(&str, Option<u64>); 4] =
    [("steady", None), ("pointer", Some(3)), ("privilege", Some(5)), ("overflow", Some(7))];
const JOBS: u64 = 10;
/// Below its stack a thread's access counts as overflow up to this distance, in bytes.
const GUARD: u32 = 256;
const KERNEL_MEMORY: u32 = 0x2000_0000;
const PROTECTION_CONTROL: u32 = 0xE000_ED94;

/// What a run of a tenth of a second left.
struct Run {
    ran: Ran,
    names: Names,
    events: Vec<Event>,
}

static SIMULATED: LazyLock<Run> = LazyLock::new(|| Run::of("sim", "sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| Run::of("run", BOARD));

fn both() -> [(&'static str, &'static Run); 2] {
    [("sim", &SIMULATED), (BOARD, &ON_BOARD)]
}

impl Run {
    fn of(command: &str, machine: &str) -> Run {
        let _lock = lock("stray");
        let ran = beryl(&[command, &example("stray"), "--for", "100ms"]);
        assert_eq!(ran.code, Some(1), "faults make the exit code 1: {ran:?}");
        Run {
            ran,
            names: Names::parse(&left_text("stray", "names.json")).expect("names"),
            events: decode(&left("stray", &format!("{machine}.trace"))).expect("a whole trace"),
        }
    }

    /// The faults, in order: who and what.
    fn faults(&self) -> Vec<(String, Fault)> {
        let fault = |event: &Event| match event.happening {
            Happening::Fault { thread, fault } => Some((self.names.thread(thread), fault)),
            _ => None,
        };
        self.events.iter().filter_map(fault).collect()
    }

    fn milliseconds(&self, instant: Instant) -> u64 {
        let nanoseconds = self.names.tick.logical(instant).nanoseconds();
        assert_eq!(nanoseconds % 1_000_000, 0, "instants of this timing program are whole milliseconds");
        nanoseconds / 1_000_000
    }

    /// What happened to the jobs of a task, in order.
    fn jobs(&self, name: &str) -> Vec<Job> {
        let happened = |event: &Event| {
            let (thread, job) = match event.happening {
                Happening::Release { task, instant, deadline } => {
                    (task, Job::Released(self.milliseconds(instant), self.milliseconds(deadline)))
                }
                Happening::Complete { task } => (task, Job::Completed),
                Happening::Fault { thread, .. } => (thread, Job::Stopped),
                Happening::Miss { task, .. }
                | Happening::Violation { task, .. }
                | Happening::Overrun { task } => (task, Job::Late),
                _ => return None,
            };
            (self.names.thread(thread) == name).then_some(job)
        };
        self.events.iter().filter_map(happened).collect()
    }
}

/// What can happen to a job; instants in milliseconds.
#[derive(Debug, PartialEq, Eq)]
enum Job {
    Released(u64, u64),
    Completed,
    Stopped,
    Late,
}

/// Whether the faults are those expected, in order, each at one of its addresses.
fn assert_faults(run: &Run, expected: &[(&str, FaultKind, Range<u32>)]) {
    let faults = run.faults();
    for ((name, fault), (wanted, kind, addresses)) in faults.iter().zip(expected) {
        assert!(
            name == wanted && fault.kind == *kind && addresses.contains(&fault.address),
            "{wanted}: {kind:?} at {addresses:#x?} is expected, {name}: {fault:#x?} was told"
        );
    }
    assert_eq!(faults.len(), expected.len(), "{faults:#x?}");
}

const fn at(address: u32) -> Range<u32> {
    address..address + 1
}

/// Where the machine doesn't tell an address.
const NONE: Range<u32> = at(0);

/// Just below a thread's stack on the board.
fn guard(thread: &str) -> Range<u32> {
    let plan = Project::load(example("stray").as_ref(), Variant::default()).expect("a project").plan;
    let stack = plan.stacks.iter().find(|stack| stack.thread == thread).expect(thread);
    let bottom = stack.block.region.interval.base;
    bottom - GUARD..bottom
}

#[test]
fn the_simulator_stops_each_in_order() {
    let run = &*SIMULATED;
    // How other processors than x86-64 refuse a privileged access is theirs.
    let (_, privilege) = run.faults().get(1).expect("a second fault").clone();
    let privilege = if cfg!(target_arch = "x86_64") {
        ("privilege", Instruction, NONE)
    } else {
        ("privilege", privilege.kind, at(privilege.address))
    };
    assert_faults(run, &[("pointer", Data, at(KERNEL_MEMORY)), privilege, ("overflow", StackOverflow, NONE)]);
}

#[test]
fn the_board_stops_each_in_order() {
    assert_faults(
        &ON_BOARD,
        &[
            ("pointer", Data, at(KERNEL_MEMORY)),
            ("privilege", Privilege, at(PROTECTION_CONTROL)),
            ("overflow", StackOverflow, guard("overflow")),
        ],
    );
}

#[test]
fn both_commands_tell_what_the_trace_has() {
    for (machine, run) in both() {
        // The timeline shows the first fault, too.
        let is_told = |line: &&str| line.contains(" stopped: ") && !line.starts_with('│');
        let told: Vec<_> = run.ran.out.lines().filter(is_told).collect();
        let faults = run.faults();
        assert_eq!(told.len(), faults.len(), "{machine}: {told:#?}");
        for (line, (name, fault)) in told.iter().zip(&faults) {
            let mut words = format!(" ms: {name} of process {name} stopped: {}", fault.kind.words());
            if fault.address != 0 {
                words += &format!(" at address {:#010x}", fault.address);
            }
            assert!(line.contains(&words), "{machine}: {line:?} doesn't say {words:?}");
        }
    }
}

#[test]
fn the_board_does_what_the_simulator_does() {
    assert_eq!(ON_BOARD.ran.out.lines().last(), Some(LAST_LINE));
}

/// Every job completes before the next one is released, up to the one that goes wrong; after it there is none.
#[test]
fn nobody_else_is_disturbed() {
    for (machine, run) in both() {
        for (task, wrong) in TASKS {
            let jobs = (1..=wrong.unwrap_or(JOBS)).flat_map(|job| {
                let end = if Some(job) == wrong { Job::Stopped } else { Job::Completed };
                [Job::Released((job - 1) * PERIOD, job * PERIOD), end]
            });
            assert_eq!(run.jobs(task), jobs.collect::<Vec<_>>(), "{task} on {machine}");
        }
        let stray = run.events.iter().find(|event| matches!(event.happening, Happening::Stray { .. }));
        assert_eq!(stray, None, "{machine}");
    }
}

/// The counts of those that were stopped stand still; that of `steady` goes on.
#[test]
fn the_actuator_shows_who_is_alive() {
    let expected = [
        (0, [0, 0, 0, 0]),
        (10, [1, 0, 0, 0]),
        (20, [2, 1, 1, 1]),
        (30, [3, 2, 2, 2]),
        (40, [4, 2, 3, 3]),
        (50, [5, 2, 4, 4]),
        (60, [6, 2, 4, 5]),
        (70, [7, 2, 4, 6]),
        (80, [8, 2, 4, 6]),
        (90, [9, 2, 4, 6]),
    ];
    for (machine, run) in both() {
        let recording = Recording::of(&run.events, &run.names);
        let shown = recording.actuators.iter().map(|sample| {
            assert_eq!(sample.name, "alive");
            let (words, rest) = sample.value.as_chunks::<4>();
            assert!(rest.is_empty(), "{sample:?}");
            let counts: Vec<_> = words.iter().map(|word| i32::from_le_bytes(*word)).collect();
            (sample.instant.nanoseconds(), counts)
        });
        let expected = expected.map(|(milliseconds, counts)| (milliseconds * 1_000_000, counts.to_vec()));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{machine}");
    }
}

#[test]
fn on_the_board_a_fault_has_a_function_a_file_and_a_line() {
    let said = &ON_BOARD.ran.out;
    let after = |name: &str| {
        let lines: Vec<_> = said.lines().collect();
        let at =
            lines.iter().position(|line| line.trim() == format!("{name} of process {name}:")).expect(name);
        (lines[at + 1].trim().to_owned(), lines.get(at + 2).map_or("", |line| line.trim()).to_owned())
    };
    let source = |name: &str| {
        let path = format!("{}/app/src/{name}.rs", example("stray"));
        let text = std::fs::read_to_string(&path).expect("a source");
        move |wanted: &str| text.lines().position(|line| line.contains(wanted)).expect("its line") + 1
    };
    // The store itself, perhaps in a function of the language's own that was inlined there.
    let (place, advice) = after("pointer");
    let line = source("pointer")("stray.write_volatile");
    assert!(place.starts_with("in `") && place.ends_with(&format!("app/src/pointer.rs:{line}")), "{place}");
    assert_eq!(advice, "0x20000000 is in RAM, in none of the memory of process `pointer`");
    let (place, _) = after("privilege");
    let line = source("privilege")("control.write_volatile");
    assert!(place.ends_with(&format!("app/src/privilege.rs:{line}")), "{place}");
}

#[test]
fn who_may_not_touch_an_address_is_told_what_it_is() {
    let project = Project::load(example("stray").as_ref(), Variant::default()).expect("a project");
    let advice = |address| beryl_builder::faulted::advice(&project, "pointer", address);
    let told = |address: u32, words: &str| {
        assert_eq!(advice(address), Some(format!("{address:#010x} {words}")));
    };
    told(0x4000_2000, "is device `dualtimer`: add it to `devices` of [process.pointer]");
    told(0x2100_0000, "is device `environment`: add it to `devices` of [process.pointer]");
    let stack = project.plan.stacks.iter().find(|stack| stack.thread == "steady").expect("a stack");
    told(stack.block.region.interval.base, "is in the stack of thread `steady`");
    let privilege =
        project.assembly.processes.iter().position(|row| row.name == "privilege").expect("a process");
    let memory = project.places.memories[privilege][0];
    told(
        memory.address,
        "is memory of process `privilege`: pass values by ports, messages or a [region.name]",
    );
    assert_eq!(advice(PROTECTION_CONTROL), None, "nothing of a process is there");
}

/// What `beryl trace crashes` says of the board's trace, and what `beryl run` said of the same.
#[test]
fn a_crash_record_says_who_where_and_what_came_before() {
    let run = &ON_BOARD.ran.out;
    let told = beryl(&["trace", "crashes", &example("stray"), &format!("out/stray/{BOARD}.trace")]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let records = told.out.split_once("Crash records\n").expect("records").1.trim_end();
    assert!(run.contains(records), "{run}\ndoesn't say\n{records}");
    let lines: Vec<_> = records.lines().map(str::trim).collect();
    let after =
        |title: &str| lines.iter().position(|line| line.contains(title)).map(|at| at + 1).expect(title);

    // A wild pointer: where it was, through what function, and all of its stack.
    let pointer = after("1. 20.24");
    assert!(
        lines[pointer - 1]
            .ends_with("pointer of process pointer: access to memory that isn't its own at 0x20000000")
    );
    assert!(lines[pointer].starts_with("in `"), "{}", lines[pointer]);
    let line = |name: &str, wanted: &str| {
        let text =
            std::fs::read_to_string(format!("{}/app/src/{name}.rs", example("stray"))).expect("a source");
        let line = text.lines().position(|line| line.contains(wanted)).expect(wanted) + 1;
        format!("app/src/{name}.rs:{line}")
    };
    assert!(lines[pointer].ends_with(&line("pointer", "stray.write_volatile")));
    assert!(
        lines[pointer + 3].starts_with("`pointer_impl`") || lines[pointer + 3].contains("::pointer_impl`")
    );
    assert!(lines[pointer + 3].ends_with(&line("pointer", "write_astray();")), "{}", lines[pointer + 3]);
    assert!(
        lines[pointer + 4].starts_with("r0 ") && lines[pointer + 4].contains("deadbeef"),
        "{}",
        lines[pointer + 4]
    );
    assert!(
        lines[pointer..]
            .iter()
            .any(|line| line.ends_with("switch to pointer") || line.ends_with("to pointer"))
    );

    // A stack that is used up: the function that calls itself, and no frame.
    let overflow = after("3. 60.25");
    let call = line("overflow", "deeper(level.wrapping_add(1))");
    for deeper in [lines[overflow], lines[overflow + 3]] {
        assert!(deeper.contains("deeper`") && deeper.contains(&call), "{deeper}");
    }
    let advice = lines[overflow + 1];
    assert!(advice.starts_with("the stack of `overflow` has 512 bytes"), "{advice}");
    assert!(lines[overflow + 4].starts_with("r4 "), "{}", lines[overflow + 4]);
}

#[test]
fn crash_records_are_objects_for_machines() {
    assert!(!ON_BOARD.events.is_empty());
    let told = beryl(&["trace", "crashes", &example("stray"), &format!("out/stray/{BOARD}.trace"), "--json"]);
    let objects: Vec<serde_json::Value> =
        told.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let who: Vec<_> =
        objects.iter().map(|object| (object["crash"].clone(), object["thread"].clone())).collect();
    let expected = ["pointer", "privilege", "overflow"].iter().zip(1..);
    let expected: Vec<_> = expected.map(|(name, number)| (number.into(), (*name).into())).collect();
    assert_eq!(who, expected);
    for object in &objects {
        let registers = object["registers"].as_object().expect("registers");
        assert_eq!(registers.len(), if object["thread"] == "overflow" { 9 } else { 17 }, "{object}");
        let (sp, regions) = (&registers["sp"], object["regions"].as_array().expect("regions"));
        let stack = &regions[0];
        assert!(
            stack["base"].as_u64() <= sp.as_u64() && sp.as_u64() < stack["limit"].as_u64()
                || object["thread"] == "overflow"
        );
        assert_eq!(object["before"].as_array().map(Vec::len), Some(8));
    }
}
