//! Systems of a few native threads that share objects, their tables written by hand.

use beryl_abi::environment::Channel;
use beryl_abi::{BandId, Duration, Instant, Line, ProcessId, Range, ThreadId};
use beryl_kernel::{Band, OnFault, Place, Policy, Process, System, Thread, ThreadKind, sizes};
use beryl_sim::{
    ConsoleLines, Costs, Environment, ExecutionTimes, Memory, Nanoseconds, Nobody, Options, Outcome, Peer,
    Silent, Simulation, SimulationError, ThreadCode, Tick, run_with,
};
use beryl_user::time::{self, Wait};
use beryl_user::{call, platform};

sizes! {
    /// Room for a few of everything.
    pub struct Few {
        threads: 8, processes: 2, bands: 3, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 4, conditions: 2, mailboxes: 2, endpoints: 1, notifications: 2, interrupts: 2,
        state_messages: 1, event_groups: 1
    }
}

/// The first address. What threads share is from here on, their stacks are from [`STACKS`] on.
pub const BASE: u32 = 0x2000_0000;
const STACKS: u32 = BASE + 0x800;
const STACK: u32 = 0x100;
const THREADS: u32 = 8;
const IDLE: usize = 7;

/// All processes, as the owners of an object.
pub const ALL: u32 = 0b11;

/// The address of the two words that thread number `thread` shares with the kernel.
pub const fn words(thread: u32) -> u32 {
    STACKS + STACK * (thread + 1) - 8
}

/// The preemption level of threads of the fixed band with `priority`.
pub const fn level(priority: u8) -> u8 {
    priority + 1
}

/// A system and its code, both still to be changed.
pub struct Scenario {
    pub system: System<Few>,
    pub environment: Box<dyn Environment>,
    pub peer: Box<dyn Peer>,
    pub times: ExecutionTimes,
    pub costs: Costs,
    pub codes: Vec<ThreadCode>,
}

/// Has the most urgent band to itself but for one other; each time it wakes up, `deadline` ticks from then.
pub const fn urgent(slot: u8, deadline: u64) -> Thread {
    Thread {
        kind: ThreadKind::Free,
        band: BandId(0),
        place: Place::Dynamic { slot },
        deadline: Duration::from_ticks(deadline),
        level: 40 + slot,
        ..Thread::NONE
    }
}

/// Runs from the start on with a priority.
pub const fn free(priority: u8) -> Thread {
    Thread {
        kind: ThreadKind::Free,
        band: BandId(1),
        place: Place::fixed(priority),
        level: level(priority),
        ..Thread::NONE
    }
}

/// Is released every `period` ticks from `offset` on, with a priority.
pub const fn periodic(priority: u8, offset: u64, period: u64) -> Thread {
    Thread {
        kind: ThreadKind::Periodic,
        offset: Duration::from_ticks(offset),
        period: Duration::from_ticks(period),
        deadline: Duration::from_ticks(period),
        ..free(priority)
    }
}

/// The same row in the other process.
pub const fn elsewhere(row: Thread) -> Thread {
    Thread { process: ProcessId(1), ..row }
}

impl Scenario {
    pub fn new() -> Scenario {
        let idle = Place::fixed(0);
        let mut threads = [Thread::NONE; 8];
        threads[IDLE] = Thread { kind: ThreadKind::Idle, band: BandId(2), place: idle, ..Thread::NONE };
        threads[IDLE].words = words(7);
        let memory = [Range::new(BASE, STACKS - BASE), Range::EMPTY, Range::EMPTY];
        let process = Process { on_fault: OnFault::StopThread, memory, ..Process::NONE };
        let system = System {
            threads,
            processes: [process; 2],
            bands: [Policy::Dynamic { base: 0, leaves: 2 }, Policy::Fixed, Policy::Fixed]
                .map(|policy| Band { policy }),
            ..System::empty()
        };
        Scenario {
            system,
            environment: Box::new(Silent),
            peer: Box::new(Nobody),
            times: ExecutionTimes::Worst,
            costs: Costs::None,
            codes: Vec::new(),
        }
    }

    /// Adds the next thread. Its code takes the time that it spends.
    pub fn thread(self, row: Thread, entry: extern "C" fn() -> !) -> Scenario {
        self.thread_taking(0, 0, row, entry)
    }

    /// Adds the next thread, whose jobs take from `best` to `worst` ticks.
    pub fn thread_taking(
        mut self,
        best: u64,
        worst: u64,
        row: Thread,
        entry: extern "C" fn() -> !,
    ) -> Scenario {
        let number = u8::try_from(self.codes.len()).unwrap();
        if let Place::Dynamic { slot, .. } = row.place {
            self.system.slots[usize::from(slot)] = ThreadId(number);
        }
        let memory = Range::new(STACKS + STACK * u32::from(number), STACK);
        let row = Thread { stack: memory, words: words(number.into()), ..row };
        self.system.threads[usize::from(number)] = row;
        let [best, worst] = [best, worst].map(Duration::from_ticks);
        let entry = Some(entry);
        self.codes.push(ThreadCode {
            name: "thread",
            entry,
            best,
            worst,
            stack: 1024,
            memory,
            hold: Duration::FOREVER,
            section: None,
            drivers: &[],
        });
        self
    }

    /// Changes the tables.
    pub fn with(mut self, change: impl FnOnce(&mut System<Few>)) -> Scenario {
        change(&mut self.system);
        self
    }

    /// Raises these lines at these instants.
    pub fn interrupts(mut self, interrupts: &'static [(u64, u16)]) -> Scenario {
        self.environment = Box::new(Interrupts(interrupts));
        self
    }

    /// Jobs take times that follow from `seed`.
    pub fn seed(mut self, seed: u64) -> Scenario {
        self.times = ExecutionTimes::Random { seed };
        self
    }

    /// Steps of the kernel take such times.
    pub fn costs(mut self, costs: Costs) -> Scenario {
        self.costs = costs;
        self
    }

    /// Runs until `ticks`.
    pub fn outcome(self, ticks: u64) -> Result<Outcome, SimulationError> {
        let mut codes = self.codes;
        let idle = ThreadCode { name: "idle", entry: None, ..codes[0] };
        codes.resize(8, idle);
        let simulation = Simulation {
            system: Box::leak(Box::new(self.system.ranked())),
            threads: &codes,
            memory: Memory { base: BASE, size: STACKS - BASE + STACK * THREADS, image: &[] },
            tick: Tick::of_nanoseconds(1),
            console: ConsoleLines::default(),
            environment: self.environment,
        };
        let options =
            Options { times: self.times, costs: self.costs, ..Options::until(Instant::from_ticks(ticks)) };
        run_with(simulation, self.peer, &options)
    }

    /// Runs until `ticks`; what was noted.
    pub fn notes(self, ticks: u64) -> Vec<String> {
        notes(&self.outcome(ticks).unwrap())
    }
}

/// Lines that are raised at given instants, in order.
struct Interrupts(&'static [(u64, u16)]);

impl Environment for Interrupts {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let next = self.0.iter().find(|(instant, _)| *instant > after.count());
        next.map(|(instant, line)| (Nanoseconds::new(*instant), Line(*line)))
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(String::new())
    }
}

/// Notes that something happened now; takes no time, and nothing that is due comes in between.
pub fn note(text: &str) {
    platform::environment_write(Channel::new(0), text.as_bytes());
}

/// What was noted, with the instant before it.
pub fn notes(outcome: &Outcome) -> Vec<String> {
    let line = |access: &beryl_sim::Access| {
        format!("{} {}", access.instant.count(), String::from_utf8_lossy(&access.value))
    };
    outcome.accesses.iter().map(line).collect()
}

/// Uses up `ticks` of processor time.
pub fn spend(ticks: u64) {
    platform::spend(Duration::from_ticks(ticks));
}

/// Sleeps until `instant`.
pub fn sleep_until(instant: u64) {
    time::sleep_until(Instant::from_ticks(instant)).unwrap();
}

/// Sleeps for `ticks`.
pub fn pause(ticks: u64) {
    time::sleep(Duration::from_ticks(ticks)).unwrap();
}

/// Waits for `ticks` at most.
pub fn at_most(ticks: u64) -> Wait {
    Wait::AtMost(Duration::from_ticks(ticks))
}

/// Notes that it happened, and ends the thread.
pub fn end(text: &str) -> ! {
    note(text);
    call::stop()
}
