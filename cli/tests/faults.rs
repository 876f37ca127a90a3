//! The system of faults on emulated boards: each is stopped and told by its name, and nobody else is disturbed.

use std::fs;
use std::ops::Range;
use std::sync::LazyLock;

use beryl_abi::{DriverId, FaultKind, Instant, ThreadId};
use beryl_builder::board::Board;
use beryl_builder::plan::Plan;
use beryl_builder::{Project, Variant};
use beryl_trace::{DriverKind, Event, Happening, Names, ThreadKind, decode};
use common::places::{millisecond, places};
use common::{beryl, folder, left, left_text, root};

mod common;

use FaultKind::{Bus, Data, Execute, Instruction, Panic, Privilege, StackOverflow, StackPointer, Usage};

/// The run ends between two instants, so that all of the last one is in the trace.
const LENGTH: &str = "29500us";
const LAST_MILLISECOND: u64 = 29;
/// Below its stack a thread's access counts as overflow up to this distance, in bytes.
const GUARD: u32 = 256;
/// Where a frame would begin under the wild stack pointer, at which there is no memory.
const NOWHERE: u32 = 0x7000_0000 - 32;
/// Where boards have the kernel's alarm, and something to reset the processor with.
const DEVICES: [(&str, u32, u32); 6] = [
    ("mps2-an385", 0x4000_1000, 0xE000_ED0C),
    ("mps2-an386", 0x4000_1000, 0xE000_ED0C),
    ("mps2-an505", 0x5000_1000, 0xE000_ED0C),
    ("mps2-an521", 0x5000_1000, 0xE000_ED0C),
    ("stm32f405", 0x4000_0000, 0xE000_ED0C),
    ("virt", 0x0200_4000, 0x0010_0000),
];

/// What a run left.
struct Run {
    board: &'static Board,
    plan: Plan,
    names: Names,
    events: Vec<Event>,
    console: String,
    /// Where the code of all processes is: behind the kernel's.
    text: Range<u32>,
}

/// The runs, one on a board, for all tests.
static RUNS: LazyLock<Vec<Run>> =
    LazyLock::new(|| places("the crowd of faults", &[]).into_iter().map(Run::on).collect());

impl Run {
    fn on(board: &'static Board) -> Run {
        let system = root().join("kernel/boards/mps2-an385/faults");
        let described = system.display().to_string();
        // It is also compared with the simulation, in which the steady task is alone: the actuator is told the same.
        // Faults make the exit code 1.
        let said = beryl(&["run", &described, "--board", board.name, "--for", LENGTH]).ended(1);
        let last = format!(
            "30 actuator writes, identical on sim and {}; 0 deadline misses, 12 skipped; 26 faults",
            board.name
        );
        assert!(said.contains(&last), "{said}");
        let variant = Variant { board: Some(board), ..Variant::default() };
        let regions = fs::read_to_string(folder().join("build/faults/regions.txt"));
        Run {
            board,
            plan: Project::load(&system, variant).expect("a project").plan,
            names: Names::parse(&left_text("faults", "names.json")).expect("names"),
            events: decode(&left("faults", &format!("{}.trace", board.name))).expect("a whole trace"),
            console: left_text("faults", &format!("{}/console.txt", board.name)),
            text: text(&regions.expect("the regions as they were linked")),
        }
    }

    /// Whether registers are stored through a thread's stack pointer, by calls and interrupts.
    fn stores_through_stack_pointers(&self) -> bool {
        self.board.processor.name != "RV32IMAC"
    }

    /// What this board tells of what user mode may not do: by an address, or of the instruction that there is for it.
    fn refused(&self, address: u32) -> (FaultKind, Range<u32>) {
        if self.stores_through_stack_pointers() { (Privilege, at(address)) } else { (Instruction, NONE) }
    }

    fn milliseconds(&self, instant: Instant) -> u64 {
        instant.ticks() / millisecond(self.board)
    }

    fn thread(&self, name: &str) -> ThreadId {
        let index = self.names.threads.iter().position(|thread| thread.name == name).expect(name);
        ThreadId(u8::try_from(index).expect("a thread's number"))
    }

    /// Where a thread's stack is.
    fn stack(&self, thread: &str) -> Range<u32> {
        let plan = self.plan.stacks.iter().find(|stack| stack.thread == thread).expect(thread);
        plan.block.region.interval.base..plan.block.region.interval.limit
    }

    /// Whether a stack pointer may not go below its stack: then the last place before is told.
    fn has_limits(&self) -> bool {
        self.board.processor.name == "Armv8-M"
    }

    /// Where its own overflow takes a thread: just below its stack.
    fn overflown(&self, thread: &str) -> Range<u32> {
        let bottom = self.stack(thread).start;
        if self.has_limits() { at(bottom) } else { bottom - GUARD..bottom }
    }

    /// Where a frame would begin when the stack has eight bytes left.
    fn used_up(&self, thread: &str) -> Range<u32> {
        let bottom = self.stack(thread).start;
        at(if self.has_limits() { bottom } else { bottom + 8 - 32 })
    }

    fn memory(&self, process: &str) -> Range<u32> {
        let plan = self.plan.processes.iter().find(|plan| plan.name == process).expect(process);
        plan.memory.region.interval.base..plan.memory.region.interval.limit
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

/// Where the text of all processes is, from what was linked.
fn text(regions: &str) -> Range<u32> {
    let line = regions.lines().find(|line| line.ends_with("read, execute")).expect("the text");
    let (base, limit) = line.split_whitespace().next().and_then(|place| place.split_once("..")).expect(line);
    let address = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).expect(line);
    address(base)..address(limit)
}

const fn at(address: u32) -> Range<u32> {
    address..address + 1
}

/// The processor doesn't tell an address.
const NONE: Range<u32> = at(0);

#[test]
fn every_fault_is_stopped_and_told_in_order() {
    for run in &*RUNS {
        let (_, alarm, reset) =
            DEVICES.into_iter().find(|(name, ..)| *name == run.board.name).expect("a row");
        let kernel = at(run.board.flash.base + 0x100);
        // What there is on Arm alone: registers in memory, a trap for a division by zero, and a frame on the thread's stack.
        let is_arm = run.stores_through_stack_pointers();
        let wild = if is_arm { (StackPointer, at(NOWHERE)) } else { (Instruction, NONE) };
        let low = |thread| if is_arm { (StackOverflow, run.used_up(thread)) } else { (Instruction, NONE) };
        let expected = [
            ("write_kernel", (Data, at(run.plan.kernel.ram.base))),
            ("write_neighbour", (Data, run.memory("steady"))),
            ("write_published", (Data, run.published())),
            ("write_stack", (Data, run.stack("write_text"))),
            ("write_text", (Data, run.text.clone())),
            ("read_kernel_text", (Data, kernel.clone())),
            ("execute_kernel", (Execute, kernel)),
            ("execute_stack", (Execute, run.stack("execute_stack"))),
            ("overflow", (StackOverflow, run.overflown("overflow"))),
            ("undefined", (Instruction, NONE)),
            ("breakpoint", (Instruction, NONE)),
            ("divide", (if is_arm { Usage } else { Instruction }, NONE)),
            ("panics", (Panic, NONE)),
            ("exception_return", if is_arm { (Execute, at(0xFFFF_FFF0)) } else { (Instruction, NONE) }),
            ("switch_off_protection", run.refused(0xE000_ED94)),
            ("mask_alarm", run.refused(0xE000_E180)),
            ("reset", (if is_arm { Privilege } else { Data }, at(reset))),
            ("set_alarm", (Data, at(alarm))),
            ("set_clock", (Data, at(run.board.count))),
            ("take_privileges", run.refused(0xE000_ED94)),
            ("call_without_stack", wild.clone()),
            ("call_below_stack", low("call_below_stack")),
            ("wait_without_stack", wild.clone()),
            ("wait_below_stack", low("wait_below_stack")),
            ("wild_caller", wild),
            ("low_caller", low("low_caller")),
        ];
        let faults = run.faults();
        for (told, (name, (kind, addresses))) in faults.iter().zip(&expected) {
            assert!(
                told.0 == *name && told.1 == *kind && addresses.contains(&told.2),
                "{name} on {}: {kind:?} at {addresses:#x?} is expected, {told:#x?} was told",
                run.board.name
            );
        }
        assert_eq!(faults.len(), expected.len(), "{faults:#x?}");
        assert!(faults.iter().all(|fault| fault.1 != Bus), "what is refused doesn't reach the bus");
    }
}

#[test]
fn whoever_was_stopped_never_runs_again() {
    for run in &*RUNS {
        let mut stopped = Vec::new();
        for event in &run.events {
            match event.happening {
                Happening::Fault { thread, .. } => stopped.push(thread),
                Happening::Switch { to, .. } => {
                    assert!(
                        !stopped.contains(&to),
                        "{} runs again at {:?}",
                        run.names.thread(to),
                        event.time
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn who_did_nothing_wrong_comes_to_its_end() {
    for run in &*RUNS {
        let lines: Vec<_> = run.console.lines().collect();
        assert_eq!(
            lines,
            ["unknown_call: refused", "interrupts_off: without effect", "bystander: undisturbed"]
        );
    }
}

#[test]
fn free_threads_come_in_the_order_of_their_priorities() {
    for run in &*RUNS {
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
    for run in &*RUNS {
        let steady = run.thread("steady");
        let program = run.names.programs.iter().position(|name| name == "Steady").expect("a program");
        let milliseconds = |instant: Instant| {
            let begun = instant.ticks() % millisecond(run.board);
            assert_eq!(begun, 0, "instants of the steady task are whole milliseconds");
            run.milliseconds(instant)
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
            Happening::Miss { task, .. }
            | Happening::Violation { task, .. }
            | Happening::Overrun { task }
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
}

#[test]
fn only_what_went_wrong_is_left_out() {
    for run in &*RUNS {
        let skips = run.events.iter().filter_map(|event| match event.happening {
            Happening::Skip { program, instant } => {
                Some((run.names.program(program), run.milliseconds(instant)))
            }
            Happening::Violation { .. } | Happening::Miss { .. } | Happening::Overrun { .. } => {
                panic!("{event:?}")
            }
            Happening::Stray { .. } => panic!("{event:?}"),
            _ => None,
        });
        // From 16 ms on one of the two tasks, from 20 ms on both.
        let expected =
            [16, 18, 20, 20, 22, 22, 24, 24, 26, 26, 28, 28].map(|time| ("Crowd".to_owned(), time));
        assert_eq!(skips.collect::<Vec<_>>(), expected);
    }
}

/// The call that couldn't be made must not become the call of whoever goes on: `bystander` is always about to make
/// one that would end it.
#[test]
fn a_call_without_a_stack_is_nobodys_call() {
    for run in &*RUNS {
        let bystander = run.thread("bystander");
        for caller in ["wild_caller", "low_caller"] {
            let is_note = |event: &&Event| matches!(event.happening, Happening::Note(_));
            let behind = run.events.iter().skip(run.fault(caller) + 1);
            let behind: Vec<&Event> = behind.filter(|event| !is_note(event)).take(2).collect();
            let switch = Happening::Switch { from: run.thread(caller), to: bystander };
            assert_eq!(behind[0].happening, switch, "after {caller}");
            let after = behind[1].time.since(behind[0].time);
            let half = millisecond(run.board) / 2;
            assert!(after.ticks() > half, "bystander goes on until the next instant, not for {after:?}");
        }
    }
}

/// The interrupt that broke the thread isn't lost: its instant follows at once. Where registers are stored elsewhere, nothing
/// is broken.
#[test]
fn an_alarm_without_a_stack_is_not_lost() {
    for run in RUNS.iter().filter(|run| run.stores_through_stack_pointers()) {
        for waiter in ["wait_without_stack", "wait_below_stack"] {
            let fault = run.fault(waiter);
            let released = run.events[fault..].iter().find_map(|event| match event.happening {
                Happening::Release { instant, .. } => Some(instant),
                _ => None,
            });
            let (time, instant) = (run.events[fault].time, released.expect("a release"));
            assert!(instant.is_due(time), "{waiter} is stopped at {time:?}, before the alarm at {instant:?}");
            let late = time.since(instant).ticks();
            assert!(
                late < millisecond(run.board) / 10,
                "{waiter} is stopped by the alarm, not {late} ticks later"
            );
        }
    }
}

#[test]
fn the_alarm_preempts_who_tried_to_switch_off_interrupts() {
    for run in &*RUNS {
        let thread = run.thread("interrupts_off");
        let drivers = run.thread("steady drivers");
        let is_its = |event: &&Event| match event.happening {
            Happening::Switch { from, to } => from == thread || to == thread,
            _ => false,
        };
        let its: Vec<_> = run.events.iter().filter(is_its).collect();
        let [first, .., last] = its.as_slice() else { panic!("{its:?}") };
        // It waits for three of them, and says so, which takes as long as the console takes.
        let instants = run.milliseconds(last.time) - run.milliseconds(first.time);
        assert!((3..=4).contains(&instants), "{instants} instants pass while it waits");
        let preempted = Happening::Switch { from: thread, to: drivers };
        let count = its.iter().filter(|event| event.happening == preempted).count();
        assert_eq!(u64::try_from(count).expect("few"), instants, "each of them comes while it waits");
    }
}
