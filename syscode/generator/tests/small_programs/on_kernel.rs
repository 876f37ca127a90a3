//! A small program on the kernel.

use beryl_abi::{BandId, CallNumber, Duration, Instant, ProcessId, ProgramId, Record, ThreadId};
use beryl_kernel::{
    Call, Driver, DriverKind, Event, Kernel, Place, Process, Program, Rank, Switch, System, Thread,
    ThreadKind,
};

use crate::choices::Choices;
use crate::common::host::{Around, Host};
use crate::common::jobs::Jobs;
use crate::observed::{Observed, Weather, Word};
use crate::shape::{GUARD, Small};

beryl_kernel::sizes! {
    pub struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 2, programs: 1, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 2,
    }
}

const TASKS: usize = 2;
const DRIVERS: usize = 2;
const IDLE: usize = 3;
/// How many steps an instant may take: an instruction is one, and so is each that goes on.
const PATIENCE: usize = 100;

/// The tables of a program.
pub fn system(small: &Small) -> &'static System<Two> {
    let task = |number: usize| {
        let (place, rank) = match small.dispatches(number) {
            true => (Place::Coded { program: ProgramId(0) }, Rank::dynamic(0)),
            false => (Place::fixed(31 - number as u8), Rank::fixed(1 + number as u8)),
        };
        Thread { kind: ThreadKind::Task, place, rank, level: 1, ..Thread::NONE }
    };
    let other = |kind, rank| Thread { kind, band: BandId(0), rank: Rank::fixed(rank), ..Thread::NONE };
    let driver = |kind, task| Driver { kind, process: ProcessId(0), task, length: 4, ..Driver::NONE };
    let guard = DriverKind::Guard { function: 0, budget: Duration::from_ticks(1) };
    let mut drivers = [driver(DriverKind::Copy, ThreadId(0)); 2];
    drivers[GUARD.index()] = driver(guard, ThreadId::NONE);
    let threads = [task(0), task(1), other(ThreadKind::Drivers, 0), other(ThreadKind::Idle, 10)];
    let drivers = Driver::noted(drivers, &threads);
    Box::leak(Box::new(System::<Two> {
        threads,
        processes: [Process { driver_thread: ThreadId(DRIVERS as u8), ..Process::NONE }],
        drivers,
        programs: [Program { ..small.row() }],
        ..System::empty()
    }))
}

/// Whether something is pending at every look, and what happened.
#[derive(Clone)]
struct Scene {
    is_busy: bool,
    told: Vec<Observed>,
}

impl Around for Scene {
    fn is_pending(&mut self) -> bool {
        self.is_busy
    }
    fn trace(&mut self, now: Instant, record: Record) {
        let word = match record {
            Record::Release { task, .. } => Word::Release(task.index()),
            Record::Driver { .. } => Word::Output,
            Record::Violation { task, .. } => Word::Violation(task.index()),
            Record::Skip { .. } => Word::Share,
            _ => return,
        };
        self.told.push((now.ticks(), word));
    }
}

/// What happens up to an instant.
pub fn run(system: &'static System<Two>, weather: Weather, choices: &Choices, until: u64) -> Vec<Observed> {
    let host = |is_busy| Host::new(system, Scene { is_busy, told: Vec::new() });
    // What isn't recorded takes the short ways, as many steps in a row as there are.
    let mut quiet = Kernel::new(host(false));
    let mut kernel = Kernel::new(host(true));
    kernel.state.set_tracing(true);
    let mut jobs = Jobs::of(TASKS);
    let (mut event, mut running) = (Event::Start, None);
    let (mut steps, mut seen) = (0, 0);
    loop {
        let first = event;
        while kernel.handle(event) == Switch::Again {
            event = Event::Continue;
            steps += 1;
            assert!(steps < PATIENCE, "the instant {:?} never ends", kernel.machine.now);
        }
        handle_alike(&mut quiet, first, &kernel);
        let now = kernel.machine.now.ticks();
        for (_, word) in &kernel.machine.around.told[seen..] {
            let Word::Release(task) = *word else { continue };
            // A job that the reference machine doesn't know is a difference that shows by itself.
            jobs.release(task, |task, number| choices.known(task, number).unwrap_or(1));
        }
        seen = kernel.machine.around.told.len();
        let thread = kernel.state.running().index();
        if thread == DRIVERS {
            let verdict = weather.says_yes(now).into();
            event =
                Event::Call(Call { number: CallNumber::DriverDone as u32, arguments: [verdict, 0, 0, 0] });
            continue;
        }
        let task = (thread != IDLE).then_some(thread);
        let next = jobs.pass(&mut kernel.machine, task, None, until);
        let at = kernel.machine.now.ticks();
        if at > now && task != running {
            running = task;
            kernel.machine.around.told.push((now, Word::Runs(task)));
            seen += 1;
        }
        let Some(next) = next.filter(|_| at < until) else { return kernel.machine.around.told };
        if at > now {
            steps = 0;
        }
        quiet.machine.now = kernel.machine.now;
        if let (Event::Call(_), Some(task)) = (next, task) {
            running = None;
            kernel.machine.around.told.push((at, Word::Complete(task)));
            seen += 1;
        }
        event = next;
    }
}

/// A kernel by its short ways comes to what the other came to.
fn handle_alike(
    quiet: &mut Kernel<Two, Host<Two, Scene>>,
    mut event: Event,
    loud: &Kernel<Two, Host<Two, Scene>>,
) {
    let mut steps = 0;
    while quiet.handle(event) == Switch::Again {
        event = Event::Continue;
        steps += 1;
        assert!(steps < PATIENCE, "the instant {:?} never ends by its short ways", quiet.machine.now);
    }
    let mut same = quiet.state.clone();
    same.set_tracing(true);
    assert!(same == loud.state, "short and long ways differ at {:?}", quiet.machine.now);
    assert_eq!(quiet.machine.alarm, loud.machine.alarm);
}
