//! Generated programs on the kernel and on the reference machine, on hosts that have a clock, an alarm, and
//! jobs of known lengths.

use beryl_abi::{BandId, Instant, ProgramId, Record, ThreadId};
use beryl_assembler::Program;
use beryl_generator::TaskSet;
use beryl_kernel::{
    Band, Driver, DriverKind, Event, Kernel, Place, Policy, Rank, System, Thread, ThreadKind,
};
use beryl_reference::Policy as ModelPolicy;
use beryl_syscode::Container;

use crate::common::host::{self, Around, Host};
use crate::common::jobs::{self, Jobs};
use crate::common::leak;
use crate::common::periodic::{self, who_runs};

beryl_kernel::sizes! {
    pub struct Small {
        threads: 16, processes: 1, bands: 1, slots: 4, drivers: 32, programs: 2, triggers: 16,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 7,
    }
}

const IDLE: usize = 15;

/// What was released and left out, and now and then something that is pending.
#[derive(Clone, Default)]
struct Scene {
    released: Vec<usize>,
    left_out: usize,
    looks: u32,
}

impl Around for Scene {
    /// Now and then, so that the kernel does some steps in a row.
    fn is_pending(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(5)
    }
    fn trace(&mut self, _now: Instant, record: Record) {
        match record {
            Record::Release { task, .. } => self.released.push(task.index()),
            Record::Skip { .. } | Record::Violation { .. } => self.left_out += 1,
            _ => {}
        }
    }
}

/// The tables of programs that run side by side. The first `named` tasks are dispatched by the last of them, the others
/// stand in a fixed band below.
fn system(programs: &[Program], tasks: usize, named: usize) -> System<Small> {
    let mut threads = [Thread::NONE; 16];
    let last = ProgramId((programs.len() - 1) as u8);
    for (number, task) in threads.iter_mut().enumerate().take(tasks) {
        let (place, rank) = match number < named {
            true => (Place::Coded { program: last }, Rank::dynamic(0)),
            false => (Place::fixed(31 - number as u8), Rank::fixed(1 + number as u8)),
        };
        *task = Thread { kind: ThreadKind::Task, place, rank, level: 1, ..Thread::NONE };
    }
    threads[IDLE] = Thread { kind: ThreadKind::Idle, band: BandId(0), rank: Rank::fixed(10), ..Thread::NONE };
    let mut drivers = [Driver::NONE; 32];
    for (number, driver) in drivers.iter_mut().enumerate().take(2 * tasks) {
        let kind = if number < tasks { DriverKind::Copy } else { DriverKind::Input };
        *driver = Driver { kind, task: ThreadId((number % tasks) as u8), length: 4, ..Driver::NONE };
    }
    let mut rows = [beryl_kernel::Program::NONE; 2];
    for (index, (row, program)) in rows.iter_mut().zip(programs).enumerate() {
        let bytes = program.to_bytes();
        let container = Container::read(&bytes).expect("a fresh container");
        *row = beryl_kernel::Program {
            code: leak(&container.code().collect::<Vec<_>>()),
            durations: leak(&container.durations().collect::<Vec<_>>()),
            start: container.start(),
            conditions: leak(&container.conditions().collect::<Vec<_>>()),
            first_trigger: index as u8,
            first_schedule: 0,
            schedules: container.thread_places(),
            rank: Rank::dynamic(0),
            ..beryl_kernel::Program::NONE
        };
    }
    let drivers = Driver::noted(drivers, &threads);
    System { threads, drivers, programs: rows, ..System::empty() }
}

/// The same with all tasks in a dynamic band, in the order of their numbers.
pub fn by_deadline(programs: &[Program], tasks: usize) -> System<Small> {
    let mut system = system(programs, tasks, 0);
    let (base, leaves) = (0, 4);
    system.bands[0] = Band { policy: Policy::Dynamic { base, leaves } };
    for number in 0..tasks {
        let slot = number as u8;
        system.slots[number] = ThreadId(slot);
        system.threads[number].place = Place::Dynamic { slot };
        system.threads[number].rank = Rank::dynamic(0);
    }
    system
}

/// With this seed all jobs take as long as they may.
pub const LONGEST: u64 = u64::MAX;

/// How long a task's job of that number takes: up to its bound.
pub fn execution(seed: u64, bound: u64, task: usize, number: usize) -> u64 {
    if seed == LONGEST {
        return bound;
    }
    jobs::execution(seed, bound, task, number)
}

/// Who runs at each tick on the kernel.
pub fn on_kernel(
    programs: &[Program],
    named: usize,
    set: &TaskSet,
    seed: u64,
    until: u64,
) -> Vec<Option<usize>> {
    carried_out(system(programs, set.tasks.len(), named), set, seed, until)
}

pub fn carried_out(system: System<Small>, set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    let system: &'static System<Small> = Box::leak(Box::new(system));
    let mut kernel = Kernel::new(Host::new(system, Scene::default()));
    // What isn't recorded takes the short ways.
    let mut quiet = kernel.clone();
    kernel.state.set_tracing(true);
    let mut jobs = Jobs::of(set.tasks.len());
    let mut ran = Vec::new();
    let mut event = Event::Start;
    loop {
        host::raise(&mut kernel, event, 1000, &format_args!("seed {seed}"));
        host::raise(&mut quiet, event, 1000, &format_args!("seed {seed}, by short ways"));
        let mut same = quiet.state.clone();
        same.set_tracing(true);
        assert!(same == kernel.state, "seed {seed}: short and long ways differ at {:?}", kernel.machine.now);
        for task in std::mem::take(&mut kernel.machine.around.released) {
            jobs.release(task, |task, number| execution(seed, set.tasks[task].bound, task, number));
        }
        let running = Some(kernel.state.running().index()).filter(|thread| *thread != IDLE);
        let now = kernel.machine.now.ticks();
        let next = jobs.pass(&mut kernel.machine, running, None, until);
        ran.extend((now..kernel.machine.now.ticks()).map(|_| running));
        quiet.machine.now = kernel.machine.now;
        match next {
            Some(next) if kernel.machine.now.ticks() < until => event = next,
            _ => break,
        }
    }
    assert_eq!(kernel.machine.around.left_out, 0, "seed {seed}: a violation");
    ran
}

/// Who runs at each tick on the reference machine.
pub fn on_model(programs: &[Program], set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    let times = move |bound, task, number| execution(seed, bound, task, number);
    let world = periodic::world(set, ModelPolicy::FixedPriority, times);
    let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
    who_runs(&periodic::run(&bytes, world, until), until)
}
