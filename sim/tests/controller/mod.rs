//! A small controller, its tables written by hand: a fast task every 100 ticks, a slow one every 200.
//!
//! ```text
//! sensor --getter--> 00 --> 08 [fast] 10 --> 18 --> 20 [slow] 28 --> 30 --setter--> 38 --> actuator
//! ```
//! `fast` adds one, `slow` doubles; outputs become visible at the end of the period.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod application;
pub mod records;

use beryl_abi::environment::Channel;
use beryl_abi::{BandId, DriverId, Duration, Instant, ProcessId, Range, ThreadId};
use beryl_kernel::{
    Band, Condition, Driver, DriverKind, Endpoint, Interrupt, Lines, Mailbox, Notification, OnFault, Place,
    Policy, Port, Process, Program, ProgramSlot, Rank, Semaphore, StateMessage, System, Thread, ThreadKind,
    sizes,
};
use beryl_sim::{
    ConsoleLines, Environment, ExecutionTimes, Memory, Nanoseconds, Options, Outcome, Simulation,
    SimulationError, ThreadCode, Tick, run,
};
use beryl_syscode::Instruction::{self, Call, Future, Release, Return};

sizes! {
    /// The controller's tables.
    pub struct Controller {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 6, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1
    }
}

pub const FAST: ThreadId = ThreadId(0);
pub const SLOW: ThreadId = ThreadId(1);
pub const BASE: u32 = 0x2000_0000;
pub const SENSOR: Channel = Channel::new(0);
pub const ACTUATOR: Channel = Channel::new(1);

const fn call(driver: u16) -> u32 {
    Instruction::encode(Call { driver: DriverId(driver) })
}

const fn release(task: ThreadId, deadline: u8) -> u32 {
    Instruction::encode(Release { task, deadline })
}

/// Starts at 3; a whole period is two instants, at 0 and at 10.
const CODE: &[u32] = &[
    call(2),
    call(4),
    call(5),
    call(0),
    call(1),
    release(FAST, 0),
    call(3),
    release(SLOW, 1),
    Instruction::encode(Future { delay: 0, address: 10 }),
    Instruction::encode(Return {}),
    call(2),
    call(0),
    call(1),
    release(FAST, 0),
    Instruction::encode(Future { delay: 0, address: 0 }),
    Instruction::encode(Return {}),
];

const PERIODS: &[Duration] = &[Duration::from_ticks(100), Duration::from_ticks(200)];

const fn copy(task: ThreadId, from: u32, to: u32) -> Driver {
    Driver {
        kind: DriverKind::Copy,
        process: ProcessId(0),
        task,
        from: BASE + from,
        to: BASE + to,
        length: 4,
        others: [ThreadId::NONE; 2],
        is_own_word: false,
    }
}

const fn native(kind: DriverKind, from: u32, to: u32) -> Driver {
    let (process, task) = (ProcessId(1), ThreadId::NONE);
    Driver {
        kind,
        process,
        task,
        from: BASE + from,
        to: BASE + to,
        length: 4,
        others: [ThreadId::NONE; 2],
        is_own_word: false,
    }
}

const fn task(slot: u8) -> Thread {
    let place = Place::Dynamic { slot };
    Thread {
        kind: ThreadKind::Task,
        process: ProcessId(0),
        place,
        rank: Rank::dynamic(0),
        level: 1,
        ..words(slot)
    }
}

/// A row with nothing but the shared words of thread number `number`, out of the ports' way.
const fn words(number: u8) -> Thread {
    Thread { words: BASE + 0x80 + 8 * number as u32, ..Thread::NONE }
}

const BUDGET: Duration = Duration::from_ticks(5);

pub static SYSTEM: System<Controller> = System {
    threads: [
        task(0),
        task(1),
        Thread { kind: ThreadKind::Drivers, process: ProcessId(1), band: BandId(1), ..words(2) },
        Thread { kind: ThreadKind::Idle, process: ProcessId(1), band: BandId(1), ..words(3) },
    ],
    processes: [
        Process { on_fault: OnFault::StopThread, ..Process::NONE },
        Process { driver_thread: ThreadId(2), on_fault: OnFault::StopThread, ..Process::NONE },
    ],
    bands: [Band { policy: Policy::Dynamic { base: 0, leaves: 2 } }, Band { policy: Policy::Fixed }],
    slots: [FAST, SLOW],
    drivers: [
        native(DriverKind::Getter { function: 0, shared: 0, budget: BUDGET }, 0x40, 0x00),
        copy(FAST, 0x00, 0x08),
        copy(FAST, 0x10, 0x18),
        copy(SLOW, 0x18, 0x20),
        copy(SLOW, 0x28, 0x30),
        native(DriverKind::Setter { function: 1, budget: BUDGET }, 0x30, 0x38),
    ],
    programs: [Program { code: CODE, durations: PERIODS, start: 3, ..Program::NONE }],
    semaphores: [Semaphore::NONE],
    conditions: [Condition::NONE],
    mailboxes: [Mailbox::NONE],
    endpoints: [Endpoint::NONE],
    notifications: [Notification::NONE],
    interrupts: [Interrupt::NONE],
    lines: Lines::NONE,
    event_groups: [beryl_kernel::EventGroup::NONE],
    state_messages: [StateMessage::NONE],
    program_slots: [ProgramSlot::NONE],
    ports: [Port::NONE],
    budgets: beryl_kernel::row::Absent,
    rules: beryl_kernel::row::Absent,
    pools: beryl_kernel::row::Absent,
    gates: beryl_kernel::row::Absent,
    doors: beryl_kernel::row::Absent,
    limits: beryl_kernel::row::Absent,
    clients: beryl_kernel::row::Absent,
    depths: beryl_kernel::row::Absent,
    watched: beryl_kernel::row::Absent,
    tellings: beryl_kernel::row::Absent,
    watchdogs: beryl_kernel::row::Absent,
    watchdog_of: beryl_kernel::row::Absent,
    windows: beryl_kernel::row::Absent,
    fed: beryl_kernel::row::Absent,
    restarts: beryl_kernel::row::Absent,
    replaceable: beryl_kernel::row::Absent,
};

/// The thread table's code, to be changed by tests.
pub fn threads() -> [ThreadCode; 4] {
    let times = |ticks| Duration::from_ticks(ticks);
    let thread = |name, entry, best, worst| ThreadCode {
        name,
        entry,
        best: times(best),
        worst: times(worst),
        stack: 1024,
        memory: Range::EMPTY,
        hold: Duration::FOREVER,
        section: None,
        drivers: &[],
    };
    const DRIVERS: &[(Duration, Duration)] =
        &[(Duration::from_ticks(1), Duration::from_ticks(2)), (Duration::ZERO, Duration::from_ticks(3))];
    [
        thread("fast", Some(application::fast), 5, 30),
        thread("slow", Some(application::slow), 10, 90),
        ThreadCode { drivers: DRIVERS, ..thread("drivers", Some(application::drivers), 0, 0) },
        thread("idle", None, 0, 0),
    ]
}

/// The same with fixed times of both tasks, and drivers that take no time.
pub fn threads_taking(fast: u64, slow: u64) -> [ThreadCode; 4] {
    let mut threads = threads();
    for (thread, ticks) in threads.iter_mut().zip([fast, slow]) {
        (thread.best, thread.worst) = (Duration::from_ticks(ticks), Duration::from_ticks(ticks));
    }
    threads[2].drivers = &[(Duration::ZERO, Duration::ZERO); 2];
    threads
}

/// A sensor that tells logical time in tens of nanoseconds.
pub struct Clock;

impl Environment for Clock {
    fn read(&mut self, instant: Nanoseconds, _channel: Channel, value: &mut [u8]) {
        let number = u32::try_from(instant.count() / 10).unwrap();
        value.copy_from_slice(&number.to_le_bytes());
    }

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("ended at {} ns", instant.count()))
    }
}

/// Runs the controller with this code until `ticks`.
pub fn simulate(
    threads: &[ThreadCode],
    times: ExecutionTimes,
    ticks: u64,
) -> Result<Outcome, SimulationError> {
    let options = Options { times, ..Options::until(Instant::from_ticks(ticks)) };
    run(simulation(&SYSTEM, threads), &options)
}

/// The controller with these tables and this code.
pub fn simulation<'a>(
    system: &'static System<Controller>,
    threads: &'a [ThreadCode],
) -> Simulation<'a, Controller> {
    let memory = Memory { base: BASE, size: 256, image: &[] };
    Simulation {
        system,
        threads,
        memory,
        tick: Tick::of_nanoseconds(1),
        console: ConsoleLines::default(),
        environment: Box::new(Clock),
    }
}

/// The records of a run with worst-case times.
pub fn recorded(threads: &[ThreadCode], ticks: u64) -> Vec<String> {
    records::lines(&simulate(threads, ExecutionTimes::Worst, ticks).unwrap().trace)
}
