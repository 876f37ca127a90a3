//! The system of faults on the emulated board: each is stopped and told by its name, and nobody else is disturbed.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use beryl_abi::{DriverId, FaultKind, Instant, ThreadId};
use beryl_builder::plan::Plan;
use beryl_builder::{Project, Variant};
use beryl_trace::{DriverKind, Event, Happening, Names, ThreadKind, decode};

use FaultKind::{Bus, Data, Execute, Instruction, Panic, Privilege, StackOverflow, StackPointer, Usage};

const TICKS_A_MILLISECOND: u64 = 25_000;
/// The run ends between two instants, so that all of the last one is in the trace.
const LENGTH: &str = "29500us";
const LAST_MILLISECOND: u64 = 29;
/// Below its stack a thread's access counts as overflow up to this distance, in bytes.
const GUARD: u32 = 256;
/// Where a frame would begin under the wild stack pointer, at which there is no memory.
const NOWHERE: u32 = 0x1000_0000 - 32;

/// What a run left.
struct Run {
    plan: Plan,
    names: Names,
    events: Vec<Event>,
    console: String,
}

/// One run for all tests.
static RUN: LazyLock<Run> = LazyLock::new(|| {
    let folder = beryl_testing::folder(&root()).join("faults");
    let system = root().join("kernel/boards/mps2-an385/faults");
    fs::create_dir_all(&folder).expect("a folder for the run");
    let output = Command::new(env!("CARGO_BIN_EXE_beryl"))
        .current_dir(&folder)
        .arg("run")
        .arg(&system)
        .args(["--for", LENGTH])
        .output()
        .expect("the program starts");
    // It is also compared with the simulation, in which the steady task is alone: the actuator is told the same.
    let said = String::from_utf8_lossy(&output.stdout);
    // Faults make the exit code 1.
    assert_eq!(output.status.code(), Some(1), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        said.contains(
            "30 actuator writes, identical on sim and mps2-an385; 0 deadline misses, 12 skipped; 26 faults"
        ),
        "{said}"
    );
    let out = folder.join("out/faults");
    let text = |path: &str| fs::read_to_string(out.join(path)).expect(path);
    Run {
        plan: Project::load(&system, Variant::default()).expect("a project").plan,
        names: Names::parse(&text("names.json")).expect("names"),
        events: decode(&fs::read(out.join("mps2-an385.trace")).expect("a trace")).expect("a whole trace"),
        console: text("mps2-an385/console.txt"),
    }
});

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

impl Run {
    fn thread(&self, name: &str) -> ThreadId {
        let index = self.names.threads.iter().position(|thread| thread.name == name).expect(name);
        ThreadId(u8::try_from(index).expect("a thread's number"))
    }

    /// Where a thread's stack is.
    fn stack(&self, thread: &str) -> Range<u32> {
        let plan = self.plan.stacks.iter().find(|stack| stack.thread == thread).expect(thread);
        plan.block.region.interval.base..plan.block.region.interval.limit
    }

    /// Just below a thread's stack.
    fn guard(&self, thread: &str) -> Range<u32> {
        let bottom = self.stack(thread).start;
        bottom - GUARD..bottom
    }

    /// Where a frame would begin when the stack has eight bytes left.
    fn used_up(&self, thread: &str) -> Range<u32> {
        at(self.stack(thread).start + 8 - 32)
    }

    fn memory(&self, process: &str) -> Range<u32> {
        let plan = self.plan.processes.iter().find(|plan| plan.name == process).expect(process);
        plan.memory.region.interval.base..plan.memory.region.interval.limit
    }

    /// Where the code of all processes is: behind the kernel's.
    fn text(&self) -> Range<u32> {
        let regions =
            fs::read_to_string(beryl_testing::folder(&root()).join("faults/build/faults/regions.txt"));
        let regions = regions.expect("the regions as they were linked");
        let line = regions.lines().find(|line| line.ends_with("read, execute")).expect("the text");
        let (base, limit) =
            line.split_whitespace().next().and_then(|place| place.split_once("..")).expect(line);
        let address = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).expect(line);
        address(base)..address(limit)
    }

    fn published(&self) -> Range<u32> {
        self.plan.published.region.interval.base..self.plan.published.region.interval.limit
    }

    fn is_actuator(&self, driver: DriverId) -> bool {
        self.names.known_driver(driver).is_some_and(|driver| driver.kind == DriverKind::Actuator)
    }

    /// The faults, in order: who, what, and the address.
    fn faults(&self) -> Vec<(String, FaultKind, u32)> {
        let fault = |event: &Event| match event.happening {
            Happening::Fault { thread, fault } => {
                Some((self.names.thread(thread), fault.kind, fault.address))
            }
            _ => None,
        };
        self.events.iter().filter_map(fault).collect()
    }

    /// The position of a thread's fault among the events.
    fn fault(&self, name: &str) -> usize {
        let wanted = self.thread(name);
        let is_it =
            |event: &Event| matches!(event.happening, Happening::Fault { thread, .. } if thread == wanted);
        self.events.iter().position(is_it).expect(name)
    }
}

const fn at(address: u32) -> Range<u32> {
    address..address + 1
}

/// The processor doesn't tell an address.
const NONE: Range<u32> = at(0);

#[test]
fn every_fault_is_stopped_and_told_in_order() {
    let run = &*RUN;
    let expected = [
        ("write_kernel", Data, at(0x2000_0000)),
        ("write_neighbour", Data, run.memory("steady")),
        ("write_published", Data, run.published()),
        ("write_stack", Data, run.stack("write_text")),
        ("write_text", Data, run.text()),
        ("read_kernel_text", Data, at(0x100)),
        ("execute_kernel", Execute, at(0x100)),
        ("execute_stack", Execute, run.stack("execute_stack")),
        ("overflow", StackOverflow, run.guard("overflow")),
        ("undefined", Instruction, NONE),
        ("breakpoint", Instruction, NONE),
        ("divide", Usage, NONE),
        ("panics", Panic, NONE),
        ("exception_return", Execute, at(0xFFFF_FFF0)),
        ("switch_off_protection", Privilege, at(0xE000_ED94)),
        ("mask_alarm", Privilege, at(0xE000_E180)),
        ("reset", Privilege, at(0xE000_ED0C)),
        ("set_alarm", Data, at(0x4000_1000)),
        ("set_clock", Data, at(0x4000_0000)),
        ("take_privileges", Privilege, at(0xE000_ED94)),
        ("call_without_stack", StackPointer, at(NOWHERE)),
        ("call_below_stack", StackOverflow, run.used_up("call_below_stack")),
        ("wait_without_stack", StackPointer, at(NOWHERE)),
        ("wait_below_stack", StackOverflow, run.used_up("wait_below_stack")),
        ("wild_caller", StackPointer, at(NOWHERE)),
        ("low_caller", StackOverflow, run.used_up("low_caller")),
    ];
    let faults = run.faults();
    for (told, (name, kind, addresses)) in faults.iter().zip(&expected) {
        assert!(
            told.0 == *name && told.1 == *kind && addresses.contains(&told.2),
            "{name}: {kind:?} at {addresses:#x?} is expected, {told:#x?} was told"
        );
    }
    assert_eq!(faults.len(), expected.len(), "{faults:#x?}");
    assert!(faults.iter().all(|fault| fault.1 != Bus), "what is refused doesn't reach the bus");
}

#[test]
fn whoever_was_stopped_never_runs_again() {
    let run = &*RUN;
    let mut stopped = Vec::new();
    for event in &run.events {
        match event.happening {
            Happening::Fault { thread, .. } => stopped.push(thread),
            Happening::Switch { to, .. } => {
                assert!(!stopped.contains(&to), "{} runs again at {:?}", run.names.thread(to), event.time);
            }
            _ => {}
        }
    }
}

#[test]
fn who_did_nothing_wrong_comes_to_its_end() {
    let lines: Vec<_> = RUN.console.lines().collect();
    assert_eq!(lines, ["unknown_call: refused", "interrupts_off: without effect", "bystander: undisturbed"]);
}

#[test]
fn free_threads_come_in_the_order_of_their_priorities() {
    let run = &*RUN;
    let free: Vec<_> = run
        .names
        .threads
        .iter()
        .filter(|thread| thread.kind == ThreadKind::Free)
        .map(|thread| &thread.name)
        .collect();
    let mut seen = Vec::new();
    for event in &run.events {
        let Happening::Switch { to, .. } = event.happening else { continue };
        let name = run.names.thread(to);
        if free.contains(&&name) && !seen.contains(&name) {
            seen.push(name);
        }
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), free);
}

/// What happens to the steady task and its actuator, by logical instants in milliseconds.
#[derive(Debug, PartialEq, Eq)]
enum Steady {
    Shown(u64, i32),
    Released(u64, u64),
    Completed,
    Skipped(u64),
    Late,
}

#[test]
fn the_steady_task_does_what_it_would_do_alone() {
    let run = &*RUN;
    let steady = run.thread("steady");
    let program = run.names.programs.iter().position(|name| name == "Steady").expect("a program");
    let milliseconds = |instant: Instant| {
        assert_eq!(
            instant.ticks() % TICKS_A_MILLISECOND,
            0,
            "instants of the steady task are whole milliseconds"
        );
        instant.ticks() / TICKS_A_MILLISECOND
    };
    let happened = run.events.iter().filter_map(|event| match &event.happening {
        Happening::Driver { driver, instant, value } if run.is_actuator(*driver) => {
            let bytes = value.as_slice().try_into().expect("four bytes");
            Some(Steady::Shown(milliseconds(*instant), i32::from_le_bytes(bytes)))
        }
        Happening::Release { task, instant, deadline } if *task == steady => {
            Some(Steady::Released(milliseconds(*instant), milliseconds(*deadline)))
        }
        Happening::Complete { task } if *task == steady => Some(Steady::Completed),
        Happening::Miss { task, .. } | Happening::Violation { task, .. } | Happening::Overrun { task }
            if *task == steady =>
        {
            Some(Steady::Late)
        }
        Happening::Skip { program: skipped, instant } if skipped.index() == program => {
            Some(Steady::Skipped(milliseconds(*instant)))
        }
        _ => None,
    });
    let expected = (0..=LAST_MILLISECOND).flat_map(|time| {
        let count = i32::try_from(time).expect("a short run");
        [Steady::Shown(time, count), Steady::Released(time, time + 1), Steady::Completed]
    });
    assert_eq!(happened.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn only_what_went_wrong_is_left_out() {
    let run = &*RUN;
    let skips = run.events.iter().filter_map(|event| match event.happening {
        Happening::Skip { program, instant } => {
            Some((run.names.program(program), instant.ticks() / TICKS_A_MILLISECOND))
        }
        Happening::Violation { .. } | Happening::Miss { .. } | Happening::Overrun { .. } => {
            panic!("{event:?}")
        }
        Happening::Stray { .. } => panic!("{event:?}"),
        _ => None,
    });
    // From 16 ms on one of the two tasks, from 20 ms on both.
    let expected = [16, 18, 20, 20, 22, 22, 24, 24, 26, 26, 28, 28].map(|time| ("Crowd".to_owned(), time));
    assert_eq!(skips.collect::<Vec<_>>(), expected);
}

/// The call that couldn't be made must not become the call of whoever goes on: `bystander` is always about to make
/// one that would end it.
#[test]
fn a_call_without_a_stack_is_nobodys_call() {
    let run = &*RUN;
    let bystander = run.thread("bystander");
    for caller in ["wild_caller", "low_caller"] {
        let is_note = |event: &&Event| matches!(event.happening, Happening::Note(_));
        let behind = run.events.iter().skip(run.fault(caller) + 1);
        let behind: Vec<&Event> = behind.filter(|event| !is_note(event)).take(2).collect();
        let switch = Happening::Switch { from: run.thread(caller), to: bystander };
        assert_eq!(behind[0].happening, switch, "after {caller}");
        let after = behind[1].time.since(behind[0].time);
        let half = TICKS_A_MILLISECOND / 2;
        assert!(after.ticks() > half, "bystander goes on until the next instant, not for {after:?}");
    }
}

/// The interrupt that broke the thread isn't lost: its instant follows at once.
#[test]
fn an_alarm_without_a_stack_is_not_lost() {
    let run = &*RUN;
    for waiter in ["wait_without_stack", "wait_below_stack"] {
        let fault = run.fault(waiter);
        let released = run.events[fault..].iter().find_map(|event| match event.happening {
            Happening::Release { instant, .. } => Some(instant),
            _ => None,
        });
        let (time, instant) = (run.events[fault].time, released.expect("a release"));
        assert!(instant.is_due(time), "{waiter} is stopped at {time:?}, before the alarm at {instant:?}");
        let late = time.since(instant).ticks();
        assert!(late < TICKS_A_MILLISECOND / 10, "{waiter} is stopped by the alarm, not {late} ticks later");
    }
}

#[test]
fn the_alarm_preempts_who_tried_to_switch_off_interrupts() {
    let run = &*RUN;
    let thread = run.thread("interrupts_off");
    let drivers = run.thread("steady drivers");
    let is_it = |event: &&Event| event.happening == Happening::Switch { from: thread, to: drivers };
    assert_eq!(run.events.iter().filter(is_it).count(), 3, "three periods pass while it waits");
}
