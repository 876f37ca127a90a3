//! The real kernel with a drawn system's tables, in the simulation, where it takes no time.

use beryl_abi::{BandId, Duration, Instant, ProcessId, Range, ThreadId};
use beryl_analysis::Policy as Chosen;
use beryl_kernel::{Band, OnFault, Place, Policy, Process, Program, System, Thread, ThreadKind, sizes};
use beryl_sim::{ConsoleLines, ExecutionTimes, Memory, Options, Silent, Simulation, ThreadCode, Tick, run};
use beryl_syscode::Instruction::{self, Future, Release, Return};
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_user::period::Period;
use beryl_user::task;

use crate::drawn::{By, Drawn, LEAVES, Member};
use crate::records::lines;

sizes! {
    /// Room for every drawn system.
    pub struct Room {
        threads: 8, processes: 1, bands: 4, slots: 16, drivers: 1, programs: 8, triggers: 8,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1
    }
}

const BASE: u32 = 0x2000_0000;
const STACK: u32 = 0x100;
const THREADS: u32 = 8;
const IDLE: usize = 7;
/// How many periods of modes a program goes through before it begins anew.
const WAY: usize = 12;

/// A job that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub response: u64,
    /// From the release.
    pub deadline: u64,
}

extern "C" fn periodic() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    loop {
        period.wait();
    }
}

extern "C" fn released() -> ! {
    task::run(|| ())
}

/// What was seen of each member in a run, in their order; nothing of one that had a job left behind its deadline.
pub fn seen(drawn: &Drawn, times: ExecutionTimes, length: u64) -> Vec<Option<Vec<Seen>>> {
    let mut open: Vec<Vec<(u64, u64)>> = vec![Vec::new(); drawn.members.len()];
    let mut seen: Vec<Option<Vec<Seen>>> = vec![Some(Vec::new()); drawn.members.len()];
    for line in lines(&trace(drawn, times, length)) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: usize| words[word].parse::<u64>().unwrap();
        match words[1] {
            "release" => open[usize::try_from(number(2)).unwrap()].push((number(4), number(6))),
            "complete" => {
                let member = usize::try_from(number(2)).unwrap();
                let (release, deadline) = open[member].remove(0);
                let job = Seen { response: number(0) - release, deadline: deadline - release };
                seen[member].iter_mut().for_each(|jobs| jobs.push(job));
            }
            _ => {}
        }
    }
    for (jobs, open) in seen.iter_mut().zip(open) {
        if open.iter().any(|(_, deadline)| *deadline < length) {
            *jobs = None;
        }
    }
    seen
}

fn trace(drawn: &Drawn, times: ExecutionTimes, length: u64) -> Vec<u8> {
    let memory = |number: usize| Range::new(BASE + STACK * u32::try_from(number).unwrap(), STACK);
    let code = |(number, member): (usize, &Member)| ThreadCode {
        name: "member",
        entry: Some(if matches!(member.by, By::Timer(_)) { periodic } else { released }),
        best: Duration::from_ticks(member.best),
        worst: Duration::from_ticks(member.worst),
        stack: 1024,
        memory: memory(number),
        hold: Duration::FOREVER,
        section: None,
        drivers: &[],
    };
    let mut threads: Vec<ThreadCode> = drawn.members.iter().enumerate().map(code).collect();
    let idle = ThreadCode { name: "idle", entry: None, ..threads[0] };
    threads.resize(IDLE + 1, idle);
    let tables = Tables::of(drawn);
    let simulation = Simulation {
        // SAFETY: the tables outlive the run.
        system: unsafe { &*tables.system },
        threads: &threads,
        memory: Memory { base: BASE, size: STACK * THREADS, image: &[] },
        tick: Tick::of_nanoseconds(1),
        console: ConsoleLines::default(),
        environment: Box::new(Silent),
    };
    let options = Options { times, ..Options::until(Instant::from_ticks(length)) };
    run(simulation, &options).unwrap().trace
}

/// Tables that are there for one run: the kernel takes them to be there for ever, and there are many runs.
struct Tables {
    system: *mut System<Room>,
    codes: Vec<(*mut [u32], *mut [Duration])>,
}

impl Tables {
    fn of(drawn: &Drawn) -> Tables {
        let mut codes = Vec::new();
        let system = Box::into_raw(Box::new(tables(drawn, &mut codes)));
        Tables { system, codes }
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        // SAFETY: all were boxes, and the run that looked at them is over.
        unsafe {
            drop(Box::from_raw(self.system));
            self.codes.drain(..).for_each(|(code, durations)| {
                drop((Box::from_raw(code), Box::from_raw(durations)));
            });
        }
    }
}

fn tables(drawn: &Drawn, codes: &mut Vec<(*mut [u32], *mut [Duration])>) -> System<Room> {
    let mut system = System::<Room>::empty();
    system.processes[0] = Process { on_fault: OnFault::StopThread, ..Process::NONE };
    let leaves = u8::try_from(LEAVES).unwrap();
    for (band, policy) in drawn.policies.iter().enumerate() {
        let base = leaves * u8::try_from(band).unwrap();
        let policy = match policy {
            Chosen::Dynamic => Policy::Dynamic { base, leaves },
            Chosen::Fixed => Policy::Fixed,
        };
        system.bands[band] = Band { policy };
    }
    let words = |number: usize| BASE + STACK * (u32::try_from(number).unwrap() + 1) - 8;
    for (number, member) in drawn.members.iter().enumerate() {
        let index = drawn.place(&member.name);
        let band = u8::try_from(index.band).unwrap();
        let place = match system.bands[index.band].policy {
            Policy::Dynamic { base, .. } => {
                let slot = base + u8::try_from(index.task).unwrap();
                system.slots[usize::from(slot)] = ThreadId(u8::try_from(number).unwrap());
                Place::Dynamic { slot }
            }
            Policy::Fixed => Place::fixed(member.priority),
        };
        let row = Thread {
            kind: ThreadKind::Task,
            band: BandId(band),
            place,
            level: 1,
            words: words(number),
            ..Thread::NONE
        };
        system.threads[number] = match member.by {
            By::Timer(catch_up) => Thread {
                kind: ThreadKind::Periodic,
                catch_up,
                period: Duration::from_ticks(member.period),
                offset: Duration::from_ticks(member.offset),
                deadline: Duration::from_ticks(member.deadline),
                ..row
            },
            By::Program | By::Module => row,
        };
    }
    let band = BandId(u8::try_from(drawn.policies.len()).unwrap());
    let idle = Thread { kind: ThreadKind::Idle, band, words: words(IDLE), ..Thread::NONE };
    system.threads[IDLE] = idle;
    let own = drawn.members.iter().enumerate().filter(|(_, member)| member.by == By::Program);
    let own = own.map(|(number, member)| {
        let task = ThreadId(u8::try_from(number).unwrap());
        (vec![(member.period, vec![(task, member.deadline)])], member.offset)
    });
    let module = (!drawn.modes.is_empty()).then(|| (way(drawn), 0));
    for (index, (steps, offset)) in own.chain(module).enumerate() {
        let (code, durations, start) = program(&steps, offset);
        let (code, durations) =
            (Box::into_raw(code.into_boxed_slice()), Box::into_raw(durations.into_boxed_slice()));
        codes.push((code, durations));
        // SAFETY: they outlive the run, as the tables do.
        let (code, durations) = unsafe { (&*code, &*durations) };
        let first_trigger = u8::try_from(index).unwrap();
        system.programs[index] = Program { code, durations, start, first_trigger, ..Program::NONE };
    }
    for thread in &mut system.threads {
        thread.process = ProcessId(0);
    }
    system.ranked()
}

/// An instant: how long until the next one, and what is released at it, each with its deadline.
type Step = (u64, Vec<(ThreadId, u64)>);

/// The module's modes, one after the other as they are drawn.
fn way(drawn: &Drawn) -> Vec<Step> {
    let random = &mut Random(drawn.modes.iter().map(|mode| mode.period).sum());
    let mut way = Vec::new();
    for _ in 0..WAY {
        let mode = &drawn.modes[random.below(drawn.modes.len())];
        let mut starts: Vec<u64> = mode.jobs.iter().map(|(_, start, _)| *start).chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        for (index, start) in starts.iter().enumerate() {
            let next = starts.get(index + 1).copied().unwrap_or(mode.period);
            let own = mode.jobs.iter().filter(|(_, begins, _)| begins == start);
            let release = |(name, start, end): &(String, u64, u64)| {
                let number = drawn.members.iter().position(|member| member.name == *name).unwrap();
                (ThreadId(u8::try_from(number).unwrap()), end - start)
            };
            way.push((next - start, own.map(release).collect()));
        }
    }
    way
}

/// A program that goes through these instants again and again, the first one `offset` after the start.
fn program(steps: &[Step], offset: u64) -> (Vec<u32>, Vec<Duration>, u16) {
    let mut durations: Vec<u64> = vec![offset];
    let mut number = |duration: u64| {
        let known = durations.iter().position(|other| *other == duration);
        let place = known.unwrap_or_else(|| {
            durations.push(duration);
            durations.len() - 1
        });
        u8::try_from(place).unwrap()
    };
    let mut code = Vec::new();
    for (index, (wait, releases)) in steps.iter().enumerate() {
        for (task, deadline) in releases {
            code.push(Release { task: *task, deadline: number(*deadline) });
        }
        let address = if index + 1 == steps.len() { 0 } else { u16::try_from(code.len() + 2).unwrap() };
        code.push(Future { delay: number(*wait), address });
        code.push(Return {});
    }
    let start = if offset == 0 { 0 } else { u16::try_from(code.len()).unwrap() };
    code.push(Future { delay: 0, address: 0 });
    code.push(Return {});
    let code = code.into_iter().map(Instruction::encode).collect();
    (code, durations.into_iter().map(Duration::from_ticks).collect(), start)
}
