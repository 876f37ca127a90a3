//! A run of the kernel; also of one that isn't recorded, which takes the short ways.

use beryl_abi::{BandId, Duration, Instant, ProgramId, Record};
use beryl_kernel::{Event, Kernel, Place, Program, Rank, System, Thread, ThreadKind};

use super::common::host::{self, Around, Host};
use super::common::jobs::{Interrupt, Jobs};
use super::common::ports::{self, Ports, Told};
use super::drawn::{CONDITIONS, Drawn};
use super::{PLACES, TASKS, THREADS, execution};

beryl_kernel::sizes! {
    struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 8, programs: 2, triggers: 16,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 2, program_slots: 1, rooms: 2, check_words: 1,
        trigger_places: 8, event_triggers: 8, ports: 4, kept: 3,
    }
}

const IDLE: usize = 3;
/// The ports, and now and then something that is pending, so that the kernel does some steps in a row.
#[derive(Clone, Default)]
struct Busy {
    ports: Ports,
    looks: u32,
}

impl Around for Busy {
    fn copy(&mut self, now: Instant, from: u32, to: u32) {
        self.ports.copy(now, from, to);
    }
    fn load(&mut self, address: u32) -> u32 {
        self.ports.load(address)
    }
    fn store(&mut self, address: u32, value: u32) {
        self.ports.store(address, value);
    }
    fn is_pending(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(5)
    }
    fn trace(&mut self, now: Instant, record: Record) {
        self.ports.trace(now, record);
    }
}

fn system(drawn: &[Drawn; 2]) -> &'static System<Two> {
    let mut system = System::<Two> { ports: ports::looked_at(), ..System::empty() };
    for (number, task) in system.threads.iter_mut().enumerate().take(TASKS) {
        let (place, rank) = match number == 0 && drawn[0].dispatches {
            true => (Place::Coded { program: ProgramId(0) }, Rank::dynamic(0)),
            false => (Place::fixed(31 - number as u8), Rank::fixed(number as u8)),
        };
        *task = Thread { kind: ThreadKind::Task, place, rank, level: 1, ..Thread::NONE };
    }
    system.threads[IDLE] =
        Thread { kind: ThreadKind::Idle, band: BandId(0), rank: Rank::fixed(10), ..Thread::NONE };
    system.drivers = ports::drivers();
    for (index, (row, drawn)) in system.programs.iter_mut().zip(drawn).enumerate() {
        let code: Vec<_> = drawn.code.iter().map(|instruction| instruction.encode()).collect();
        let durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let safety = drawn.handlers.first().map_or(Program::NO_HANDLER, |(_, address)| *address);
        *row = Program {
            code: code.leak(),
            durations: durations.leak(),
            conditions: CONDITIONS.to_vec().leak(),
            first_trigger: PLACES * index as u8,
            triggers: PLACES,
            schedules: if index == 0 { THREADS } else { 0 },
            first_schedule: if index == 0 { 0 } else { THREADS },
            handlers: [safety, Program::NO_HANDLER],
            rank: if drawn.dispatches { Rank::dynamic(0) } else { Program::NONE.rank },
            ..Program::NONE
        };
    }
    for (index, drawn) in drawn.iter().enumerate() {
        let entry = drawn.makes_up.map(|address| (ProgramId(index as u8), address));
        system.threads[index].on_completion = entry;
    }
    Box::leak(Box::new(system))
}

/// What happens on the kernel, and the first tick at which things come together that the reference machine has at one
/// instant and a processor one after the other.
pub fn on_kernel(drawn: &[Drawn; 2], interrupts: &[Interrupt], seed: u64, until: u64) -> (Told, u64) {
    let system = system(drawn);
    let mut kernel = Kernel::new(Host::new(system, Busy::default()));
    // What isn't recorded takes the short ways.
    let mut quiet = kernel.clone();
    kernel.state.set_tracing(true);
    let mut jobs = Jobs::of(TASKS);
    let mut waiting = interrupts.iter().copied().peekable();
    let mut event = Event::Start;
    loop {
        host::raise(&mut kernel, event, 5000, &format_args!("seed {seed}"));
        host::raise(&mut quiet, event, 5000, &format_args!("seed {seed}, by short ways"));
        let seen = |kernel: &Kernel<Two, Host<Two, Busy>>| {
            let (alarm, memory) = (kernel.machine.alarm, kernel.machine.around.ports.memory);
            (kernel.state.running(), kernel.state.instant(), kernel.state.activity(), alarm, memory)
        };
        assert_eq!(seen(&quiet), seen(&kernel), "seed {seed}: short and long ways differ");
        for task in std::mem::take(&mut kernel.machine.around.ports.released) {
            jobs.release(task, |task, number| execution(seed, task, number));
        }
        let running = Some(kernel.state.running().index()).filter(|thread| *thread != IDLE);
        match jobs.pass_alone(&mut kernel.machine, running, &mut waiting, until) {
            Ok(next) => event = next,
            Err(end) => return (kernel.machine.around.ports.told, end),
        }
        quiet.machine.now = kernel.machine.now;
    }
}
