//! Periodic threads in Beryl's simulator: the kernel that ships, on tables of this program's own.

use anyhow::{Context, Result};
use beryl_abi::call::{CallNumber, Operand};
use beryl_abi::{BandId, Duration, Instant, Range, ThreadId};
use beryl_kernel::{Band, Place, Policy, Process, System, Thread, ThreadKind, sizes};
use beryl_sim::{ConsoleLines, Memory, Options, Silent, Simulation, ThreadCode, Tick, run};
use beryl_user::platform;

sizes! {
    /// Up to thirty periodic threads and the idle thread.
    pub struct Thirty {
        threads: 31, processes: 1, bands: 3, slots: 32, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1
    }
}

/// The most threads that a system may have.
pub const MOST: usize = 30;
/// A tick is a millisecond: both simulators count in the same steps.
const TICK: u32 = 1_000_000;
const BASE: u32 = 0x2000_0000;
const STACK: u32 = 0x100;
const MEMORY: u32 = 0x2000;

/// Who runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// The earliest deadline.
    EarliestDeadline,
    /// The shortest period.
    ShortestPeriod,
}

/// Threads that are released together at 0, with their periods as deadlines and no cost but their work; the
/// shortest period first.
#[derive(Clone, Debug)]
pub struct Periodic {
    /// Who runs.
    pub scheduler: Scheduler,
    /// Periods and work in ticks; at most [`MOST`].
    pub threads: Vec<(u64, u64)>,
    /// How long, in ticks.
    pub until: u64,
}

/// The body of each thread: nothing but ends of jobs, before which the simulator lets their time pass.
extern "C" fn jobs() -> ! {
    loop {
        let operand = Operand::object(Operand::NO_OBJECT).0;
        platform::call(CallNumber::WaitPeriod, [Some(operand), None, None, None]);
    }
}

impl Periodic {
    /// Runs it; answers the records, none if they aren't asked for.
    pub fn run(
        &self,
        system: &'static System<Thirty>,
        codes: &[ThreadCode],
        records: bool,
    ) -> Result<Vec<u8>> {
        let simulation = Simulation {
            system,
            threads: codes,
            memory: Memory { base: BASE, size: MEMORY, image: &[] },
            tick: Tick::of_nanoseconds(TICK),
            console: ConsoleLines::default(),
            environment: Box::new(Silent),
        };
        let options = Options { records, ..Options::until(Instant::from_ticks(self.until)) };
        Ok(run(simulation, &options).context("the simulation")?.trace)
    }

    /// The kernel's tables, which stay for as long as this program runs.
    pub fn tables(&self) -> Result<&'static System<Thirty>> {
        let mut system = empty();
        for (index, (period, _)) in self.threads.iter().enumerate() {
            let number = u8::try_from(index)?;
            let row = system.threads.get_mut(index).context("too many threads")?;
            *row = Thread {
                kind: ThreadKind::Periodic,
                period: Duration::from_ticks(*period),
                deadline: Duration::from_ticks(*period),
                words: words(number),
                stack: stack(number),
                ..self.place(number)
            };
            if let Some(slot) = system.slots.get_mut(index) {
                *slot = ThreadId(number);
            }
        }
        if let Some(idle) = system.threads.last_mut() {
            let band = BandId(2);
            *idle =
                Thread { kind: ThreadKind::Idle, band, words: words(u8::try_from(MOST)?), ..Thread::NONE };
        }
        Ok(Box::leak(Box::new(system.ranked())))
    }

    fn place(&self, number: u8) -> Thread {
        match self.scheduler {
            Scheduler::EarliestDeadline => Thread {
                band: BandId(0),
                place: Place::Dynamic { slot: number },
                level: 1 + number,
                ..Thread::NONE
            },
            Scheduler::ShortestPeriod => Thread {
                band: BandId(1),
                place: Place::fixed(31 - number),
                level: 32 - number,
                ..Thread::NONE
            },
        }
    }

    /// The code of all rows of the thread table.
    pub fn codes(&self) -> Result<Vec<ThreadCode>> {
        let code = |(index, (_, work)): (usize, &(u64, u64))| {
            let (memory, work) = (stack(u8::try_from(index)?), Duration::from_ticks(*work));
            Ok(ThreadCode { best: work, worst: work, entry: Some(jobs), memory, ..IDLE })
        };
        let mut codes = self.threads.iter().enumerate().map(code).collect::<Result<Vec<_>>>()?;
        codes.resize(MOST + 1, IDLE);
        Ok(codes)
    }
}

const IDLE: ThreadCode = ThreadCode {
    name: "thread",
    entry: None,
    best: Duration::ZERO,
    worst: Duration::ZERO,
    stack: 1024,
    memory: Range::EMPTY,
    hold: Duration::FOREVER,
    section: None,
    drivers: &[],
};

/// Tables without a thread.
fn empty() -> System<Thirty> {
    let memory = [Range::new(BASE, MEMORY), Range::EMPTY, Range::EMPTY];
    System {
        processes: [Process { memory, ..Process::NONE }],
        bands: [Policy::Dynamic { base: 0, leaves: 32 }, Policy::Fixed, Policy::Fixed]
            .map(|policy| Band { policy }),
        ..System::empty()
    }
}

fn stack(number: u8) -> Range {
    Range::new(BASE + STACK * u32::from(number), STACK)
}

/// The address of the two words that a thread shares with the kernel.
fn words(number: u8) -> u32 {
    BASE + STACK * (u32::from(number) + 1) - 8
}
