//! Every kind of fault crossed with every kind of stack pointer, at seeded instants around releases,
//! interrupts and calls, on emulated boards: each is told of who did it and as what it is, and nobody else
//! stops, misses, or is named.
//!
//! `BERYL_CROSSED=n` runs n seeds instead of one.

use std::fs;
use std::path::PathBuf;

use beryl_abi::{FaultKind, Instant, ThreadId};
use beryl_builder::board::Board;
use beryl_builder::emit::names::names_of;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::image::{self, Built};
use beryl_builder::quantity::Bytes;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_trace::{Event, Happening, Names, Tick, decode};
use common::places::{millisecond, places};
use common::{folder, lock, root};

use FaultKind::{Data, Execute, Instruction, Panic, Privilege, StackOverflow, StackPointer, Usage};

mod common;

/// Threads that go wrong in a run, and as many as a chip with less memory has room for.
const CULPRITS: usize = 200;
const CULPRITS_ON_A_CHIP: usize = 100;
/// When the first of them does, and the time from one to the next, in microseconds.
const FIRST: u32 = 10_000;
const DISTANCE: u32 = 400;
/// Below its stack a thread's accesses count as overflow up to this distance, in bytes.
const GUARD: u32 = 256;
const FRAME: u32 = 32;
/// Where nothing is on any board.
const NOWHERE: u32 = 0x7000_0000;
const NO_DEVICE: u32 = 0x4800_0000;
/// A register of Arm's protection unit.
const PROTECTION: u32 = 0xE000_ED94;

/// What goes wrong, by its number in `thumb.rs` and `riscv.rs` of `kernel/boards/mps2-an385/crossed/app/src`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum What {
    Undefined = 0,
    Panic = 1,
    Breakpoint = 2,
    Divide = 3,
    LoadTwo = 4,
    Load = 5,
    Store = 6,
    Jump = 7,
    Call = 8,
    Wait = 9,
    Protection = 10,
    Return = 11,
}

/// A fault as it is to be told: kind and address.
type Told = (FaultKind, u32);
/// Whatever the address is.
const ANYWHERE: u32 = u32::MAX;

/// How processors take a stack pointer that isn't on the thread's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// Registers are stored through it, which fails.
    Armv7,
    /// The same; and it may not go below a limit.
    Armv8,
    /// The kernel stores them elsewhere, so it does no harm.
    Riscv,
}

/// What goes wrong with which stack pointer, and what is to be told of it.
#[derive(Clone, Copy, Debug)]
struct Case {
    what: What,
    stack_pointer: u32,
    address: u32,
    told: Option<Told>,
}

/// The system with its culprits, built for a board.
struct System {
    project: Project,
    names: Names,
    built: Built,
    family: Family,
    culprits: usize,
}

/// Describes the system with so many culprits.
fn described(culprits: usize) -> PathBuf {
    let source = root().join("kernel/boards/mps2-an385/crossed");
    let system = folder().join("crossed");
    fs::create_dir_all(&system).expect("a folder for the system");
    let text = fs::read_to_string(source.join("beryl.toml")).expect("the description");
    // From `target/e2e/crossed`, or what it is called.
    let application = "application = \"../../../kernel/boards/mps2-an385/crossed/app\"";
    let mut text = text.replace("application = \"app\"", application);
    for number in 0..culprits {
        text += &format!(
            "\n[thread.culprit_{number:03}]\nprocess = \"culprits\"\npriority = 16\nentry = \"culprit\"\nstack = \"512\"\n"
        );
    }
    fs::write(system.join("beryl.toml"), text).expect("the description");
    fs::copy(source.join("crossed.tdl"), system.join("crossed.tdl")).expect("the timing program");
    system
}

impl System {
    fn new(board: &'static Board) -> System {
        let has_room = board.ram.length() >= Bytes::new(256 << 10);
        let culprits = if has_room { CULPRITS } else { CULPRITS_ON_A_CHIP };
        let system = &described(culprits);
        let variant = Variant { board: Some(board), ..Variant::default() };
        let project = Project::load(system, variant).unwrap_or_else(|error| panic!("{error:#?}"));
        let built = image::build(&project, &Workshop::new(&folder()), |_| ())
            .unwrap_or_else(|error| panic!("{error:#?}"));
        let names = names_of(&project, Tick::new(project.tick(), 1).expect("a tick"));
        let family = match board.processor.name {
            "Armv7-M" => Family::Armv7,
            "Armv8-M" => Family::Armv8,
            _ => Family::Riscv,
        };
        System { project, names, built, family, culprits }
    }

    /// Milliseconds of a run: the last culprit has gone wrong some time before.
    fn length(&self) -> u32 {
        FIRST / 1000 + self.culprits as u32 * DISTANCE / 1000 + 12
    }

    fn board(&self) -> &'static Board {
        self.project.description.board.board.value
    }

    /// Where a device of the board begins.
    fn device(&self, name: &str) -> u32 {
        self.board().device(name).expect(name).interval.base
    }

    /// In a device that is a culprit's own.
    fn own_device(&self) -> u32 {
        self.device(self.board().console) + 0x80
    }

    /// In the window through which it sees the environment.
    fn window(&self) -> u32 {
        self.device(self.board().environment) + 0x8_0000
    }

    /// Ticks in so many microseconds.
    fn ticks(&self, microseconds: u32) -> u32 {
        microseconds * u32::try_from(millisecond(self.board()) / 1000).expect("a small number")
    }

    fn stack(&self, thread: &str) -> (u32, u32) {
        let stack = self.project.plan.stacks.iter().find(|stack| stack.thread == thread).expect(thread);
        (stack.block.region.interval.base, stack.block.region.interval.limit)
    }

    fn memory(&self, process: &str) -> u32 {
        let plan = self.built.plan.processes.iter().find(|plan| plan.name == process).expect(process);
        plan.memory.region.interval.base
    }

    fn thread(&self, name: &str) -> ThreadId {
        let index = self.names.threads.iter().position(|thread| thread.name == name).expect(name);
        ThreadId(u8::try_from(index).expect("a thread's number"))
    }

    /// What can go wrong where a frame fits: with an address, and how it is told.
    fn wrongs(&self, bottom: u32) -> Vec<(What, u32, Told)> {
        let text = self.built.plan.text.region.interval.base;
        let (ram, neighbour) = (self.memory("steady"), self.stack("steady").0 + 0x80);
        if self.family == Family::Riscv {
            return vec![
                (What::Undefined, 0, (Instruction, 0)),
                (What::Panic, 0, (Panic, 0)),
                (What::Breakpoint, 0, (Instruction, 0)),
                (What::Divide, 1, (Instruction, 0)),
                (What::LoadTwo, bottom + 1, (Instruction, 0)),
                (What::Load, 0x100, (Data, 0x100)),
                (What::Load, NO_DEVICE, (Data, NO_DEVICE)),
                (What::Load, neighbour, (Data, neighbour)),
                (What::Store, NOWHERE, (Data, NOWHERE)),
                (What::Store, ram, (Data, ram)),
                (What::Store, text, (Data, text)),
                (What::Protection, 0, (Instruction, 0)),
                (What::Return, 0, (Instruction, 0)),
                (What::Jump, bottom, (Execute, bottom)),
                (What::Jump, 0x100, (Execute, 0x100)),
            ];
        }
        vec![
            (What::Undefined, 0, (Instruction, 0)),
            (What::Panic, 0, (Panic, 0)),
            (What::Breakpoint, 0, (Instruction, 0)),
            (What::Divide, 1, (Usage, 0)),
            (What::LoadTwo, bottom + 1, (Usage, 0)),
            (What::Load, 0x100, (Data, 0x100)),
            (What::Load, NO_DEVICE, (Data, NO_DEVICE)),
            (What::Load, neighbour, (Data, neighbour)),
            (What::Store, NOWHERE, (Data, NOWHERE)),
            (What::Store, ram, (Data, ram)),
            (What::Store, PROTECTION, (Privilege, PROTECTION)),
            // to Arm state, to what may not be executed, into the kernel
            (What::Jump, text, (Usage, 0)),
            (What::Jump, bottom | 1, (Execute, bottom)),
            (What::Jump, 0x101, (Execute, 0x100)),
        ]
    }

    /// Stack pointers of all kinds, for a thread with this stack.
    fn stack_pointers(&self, (bottom, top): (u32, u32)) -> Vec<u32> {
        let plan = &self.built.plan;
        let edges = [0, 4, 8, 16, 24, 28, 32, 36, 64].map(|above| bottom + above);
        // A stack begins below the two words that its thread shares with the kernel.
        let ends = [0, 16, 24, 32, 40].map(|above| top - 8 + above);
        let guard = [4, 8, 32, 128, GUARD - 32, GUARD - 24, GUARD, 700].map(|below| bottom - below);
        let elsewhere = [
            0,
            0x20,
            0x140,
            NOWHERE,
            NO_DEVICE + 0x40,
            // a device that is its own, and its edges; one that it may only read; one that it may not
            self.own_device(),
            self.device(self.board().console) + 0x10,
            self.device(self.board().console) + 0x1010,
            self.device(self.board().clock) + 0x40,
            self.device(self.board().clock) + 0x1040,
            self.window(),
            PROTECTION,
            0xFFFF_FFFC,
            plan.text.region.interval.base + 0x40,
            plan.published.region.interval.base + 0x20,
            plan.kernel.ram.base + 0x100,
            self.memory("steady") + 0x20,
            self.memory("culprits") + 0x40,
            self.stack("steady").1,
        ];
        [&edges[..], &ends, &guard, &elsewhere].concat()
    }

    /// What is to be told where a stack pointer has no place for a frame.
    fn bad(&self, (bottom, top): (u32, u32), stack_pointer: u32) -> Option<Told> {
        if self.family == Family::Riscv {
            return None;
        }
        let frame = stack_pointer.wrapping_sub(FRAME) & !7;
        let is_in = |base: u32, limit: u32| frame >= base && frame.saturating_add(FRAME) <= limit;
        // The limit is looked at first: by the instruction that sets the stack pointer, or when registers are stored.
        if self.family == Family::Armv8 && (stack_pointer < bottom || frame < bottom && stack_pointer < top) {
            return Some((StackOverflow, ANYWHERE));
        }
        if is_in(bottom, top) {
            return None;
        }
        let kind = if (bottom - GUARD..bottom).contains(&frame) { StackOverflow } else { StackPointer };
        Some((kind, frame))
    }

    /// On RISC-V what is refused between the stack pointer and the stack is an overflow.
    fn as_overflow(&self, (kind, address): Told, stack_pointer: u32, bottom: u32) -> Told {
        let is_between = (stack_pointer..bottom).contains(&address) && self.family == Family::Riscv;
        (if kind == Data && is_between { StackOverflow } else { kind }, address)
    }

    /// Whether a frame has a place: in what a culprit may write to, which may follow its stack.
    fn has_a_frame(&self, (bottom, top): (u32, u32), stack_pointer: u32) -> bool {
        let frame = stack_pointer.wrapping_sub(FRAME) & !7;
        let plan = self.built.plan.processes.iter().find(|plan| plan.name == "culprits").expect("culprits");
        let memory = plan.memory.region.interval;
        let is_own = |word: u32| (bottom..top).contains(&word) || (memory.base..memory.limit).contains(&word);
        stack_pointer == self.window() || (0..FRAME / 4).all(|word| is_own(frame.wrapping_add(4 * word)))
    }

    /// All cases of a thread, or of the driver, whose stack this is.
    fn cases(&self, stack: (u32, u32), call: Option<Told>) -> Vec<Case> {
        let mut cases = Vec::new();
        for stack_pointer in self.stack_pointers(stack) {
            let bad = self.bad(stack, stack_pointer);
            for (what, address, told) in self.wrongs(stack.0) {
                let told = self.as_overflow(told, stack_pointer, stack.0);
                cases.push(Case { what, stack_pointer, address, told: bad.or(Some(told)) });
            }
            // Its own memory is no stack, but calls and interrupts find there what they have left; so is the
            // window here.
            if bad.is_some() && self.has_a_frame(stack, stack_pointer) {
                continue;
            }
            cases.push(Case { what: What::Call, stack_pointer, address: 0, told: bad.or(call) });
            if bad.is_some() {
                cases.push(Case { what: What::Wait, stack_pointer, address: 0, told: bad });
            }
        }
        cases
    }
}

/// When culprit `number` goes wrong: just before a release, or anywhere.
fn instant(system: &System, random: &mut Random, number: usize) -> u32 {
    let slot = system.ticks(FIRST + number as u32 * DISTANCE);
    let period = system.ticks([1000, 700, 0][random.below(3)]);
    match period {
        0 => slot + random.under(u64::from(system.ticks(DISTANCE))) as u32,
        period => slot.next_multiple_of(period) - random.under(u64::from(system.ticks(20))) as u32,
    }
}

/// A channel's values in the form of a simulation's exchange.
fn channel(number: u32, cases: impl Iterator<Item = [u32; 4]>) -> Vec<u8> {
    let value = |words: [u32; 4]| [[number, 16, 0, 0], words].concat();
    cases.flat_map(value).flat_map(u32::to_le_bytes).collect()
}

/// A run: what the threads do, and the driver, at one instant after the other.
struct Run<'a> {
    system: &'a System,
    threads: Vec<Case>,
    driver: Vec<Case>,
    events: Vec<Event>,
}

/// What was told, without the address where that may be any.
fn as_asked((kind, address): Told, case: &Case) -> Told {
    let is_any = case.told.is_some_and(|(_, address)| address == ANYWHERE);
    (kind, if is_any { ANYWHERE } else { address })
}

impl<'a> Run<'a> {
    fn new(system: &'a System, threads: Vec<Case>, driver: Vec<Case>, random: &mut Random) -> Run<'a> {
        let words = |case: &Case, at| [case.what as u32, case.stack_pointer, at, case.address];
        let of_threads =
            threads.iter().enumerate().map(|(number, case)| (instant(system, random, number), case));
        let mut window = channel(1, of_threads.map(|(at, case)| words(case, at)));
        let delay = |case| words(case, random.under(u64::from(system.ticks(60))) as u32);
        window.extend(channel(2, driver.iter().map(delay).chain([[u32::MAX, 0, 0, 0]])));
        let stop = Instant::from_ticks(u64::from(system.ticks(system.length() * 1000 + 500)));
        let board = system.board();
        let window =
            Accesses::parse(&window).and_then(|accesses| accesses.window(board, stop)).expect("a window");
        let folder: PathBuf = folder().join("out/crossed");
        fs::create_dir_all(&folder).expect("a folder for the run");
        let speed = system.project.description.board.speed;
        let left = emulator::run(board, &system.built.image, &window, speed, &folder)
            .unwrap_or_else(|error| panic!("{error:#?}"));
        Run { system, threads, driver, events: decode(&left.trace).expect("a whole trace") }
    }

    fn faults(&self, thread: &str) -> Vec<Told> {
        let thread = self.system.thread(thread);
        let fault = |event: &Event| match event.happening {
            Happening::Fault { thread: who, fault } if who == thread => Some((fault.kind, fault.address)),
            _ => None,
        };
        self.events.iter().filter_map(fault).collect()
    }

    /// Each is told once, of who did it and as what it is.
    fn check_culprits(&self) {
        for (number, case) in self.threads.iter().enumerate() {
            let told = self.faults(&format!("culprit_{number:03}"));
            let told: Vec<_> = told.into_iter().map(|told| as_asked(told, case)).collect();
            assert_eq!(told, Vec::from_iter(case.told), "thread {number}: {case:#x?}");
        }
        let told = self.faults("culprits drivers");
        for (told, case) in told.iter().zip(&self.driver) {
            assert_eq!(Some(as_asked(*told, case)), case.told, "the driver: {case:#x?}");
        }
        assert_eq!(told.len(), self.driver.len(), "each instant's driver");
    }

    fn is_of_culprits(&self, thread: ThreadId) -> bool {
        self.system.names.thread(thread).starts_with("culprit")
    }

    /// Nobody else is named, and nothing but what the driver was asked for is left out.
    fn check_others(&self) {
        let wild = self.system.names.programs.iter().position(|name| name == "Wild").expect("a program");
        for event in &self.events {
            match &event.happening {
                Happening::Fault { thread, .. } => assert!(self.is_of_culprits(*thread), "{event:x?}"),
                Happening::Skip { program, .. } => assert_eq!(program.index(), wild, "{event:?}"),
                Happening::Violation { .. }
                | Happening::Miss { .. }
                | Happening::Overrun { .. }
                | Happening::Stray { .. } => panic!("{event:?}"),
                _ => {}
            }
        }
    }

    /// Whoever is beside them goes on to the end; the longest pause in microseconds.
    fn check_goes_on(&self, name: &str, pause: u32) {
        let thread = self.system.thread(name);
        let is_its = |event: &&Event| matches!(event.happening, Happening::Switch { to, .. } if to == thread);
        let end = Instant::from_ticks(u64::from(self.system.ticks(self.system.length() * 1000)));
        let times = self.events.iter().filter(is_its).map(|event| event.time).chain([end]);
        let mut last = Instant::START;
        for time in times {
            let ticks = time.since(last).ticks();
            assert!(ticks <= u64::from(self.system.ticks(pause)), "{name} pauses from {last:?} to {time:?}");
            last = time;
        }
    }

    fn check_the_steady_task(&self) {
        let steady = self.system.thread("steady");
        let completed =
            |event: &&Event| matches!(event.happening, Happening::Complete { task } if task == steady);
        let released =
            |event: &&Event| matches!(event.happening, Happening::Release { task, .. } if task == steady);
        let counts =
            [self.events.iter().filter(released).count(), self.events.iter().filter(completed).count()];
        assert_eq!(counts, [self.system.length() as usize + 1; 2]);
    }
}

#[test]
fn a_fault_ends_with_who_caused_it() {
    let _lock = lock("crossed");
    for board in places("faults crossed with stack pointers", &[]) {
        ends_with_its_thread(&System::new(board));
    }
}

fn ends_with_its_thread(system: &System) {
    let seeds = std::env::var("BERYL_CROSSED").map_or(1, |seeds| seeds.parse().expect("a number of seeds"));
    for seed in 1..=seeds {
        let mut random = Random(seed);
        // A case is for whoever comes to its turn, whose stack lies elsewhere.
        let stacks: Vec<_> =
            (0..system.culprits).map(|number| system.stack(&format!("culprit_{number:03}"))).collect();
        let count = system.cases(stacks[0], None).len();
        let mut order: Vec<usize> = (0..count).collect();
        random.shuffle(&mut order);
        let mut of_driver = system.cases(system.stack("culprits drivers"), Some((Instruction, 0)));
        // Where a device takes its registers it is stopped when its budget is used up.
        of_driver.retain(|case| (case.what, case.stack_pointer) != (What::Wait, system.own_device()));
        random.shuffle(&mut of_driver);
        let mut of_driver = of_driver.into_iter().cycle();
        let runs = count.div_ceil(system.culprits);
        println!("seed {seed}: {count} cases in {runs} runs");
        for run in 0..runs {
            let threads = stacks.iter().zip(order.iter().cycle().skip(run * system.culprits));
            let threads = threads.map(|(stack, case)| system.cases(*stack, None)[*case]).collect();
            let driver = of_driver.by_ref().take(system.length() as usize - 5).collect();
            let run = Run::new(system, threads, driver, &mut random);
            run.check_culprits();
            run.check_others();
            run.check_the_steady_task();
            let paused = [
                ("fast", 1_400),
                ("ringer", 1_200),
                ("slow", 18_000),
                ("caller", 20_000),
                ("about_to_stop", 20_000),
            ];
            for (name, pause) in paused {
                run.check_goes_on(name, pause);
            }
        }
    }
}
