//! A run of the kernel, whose background thread loads the program by its slot.

use beryl_abi::{BandId, Duration, Instant, Line, Progress, Range, Record, SlotId, ThreadId};
use beryl_kernel::row::{Costs, Rights, Terms, time};
use beryl_kernel::{
    Band, Event, Kernel, Place, Policy, Process, Program, ProgramSlot, Rank, System, Table, Thread,
    ThreadKind,
};
use beryl_syscode::{Container, Instruction};

use super::common::host::{self, Around, Host};
use super::common::jobs::{Interrupt, Jobs};
use super::common::leak;
use super::common::loading::{BUFFER, Desk, Loading, PART};
use super::common::ports::{self, Ports, Told};
use super::drawn::{CONDITIONS, Drawn};
use super::{PERIOD, execution, times};

beryl_kernel::sizes! {
    struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 8, programs: 2, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, program_slots: 1, rooms: 1024, check_words: 1024,
        trigger_places: 2, event_triggers: 2, ports: 4, kept: 3,
    }
}

const LOADER: usize = 2;
const IDLE: usize = 3;
/// What became of a program.
pub enum Answer {
    /// The slot refused it.
    Refused,
    /// What happened up to an instant.
    Ran(Told, u64),
}

/// The ports, and what the background thread has.
#[derive(Default)]
struct Scene {
    ports: Ports,
    desk: Desk,
}

impl Around for Scene {
    fn copy(&mut self, now: Instant, from: u32, to: u32) {
        self.ports.copy(now, from, to);
    }
    fn load(&mut self, address: u32) -> u32 {
        self.desk.load(address).unwrap_or_else(|| self.ports.load(address))
    }
    fn store(&mut self, address: u32, value: u32) {
        self.ports.store(address, value);
    }
    fn result(&mut self, values: [u32; 2]) {
        self.desk.result(values);
    }
    fn status(&mut self, status: u32) {
        self.desk.status(status);
    }
    fn trace(&mut self, now: Instant, record: Record) {
        self.ports.trace(now, record);
    }
}

/// A module with a slot whose own program does nothing, and a program beside it.
fn system(interface: u32, around: &Drawn) -> &'static System<Two> {
    let mut system = System::<Two> {
        threads: [Thread::NONE; 4],
        processes: [Process {
            memory: [Range { address: BUFFER, length: PART }, Range::EMPTY, Range::EMPTY],
            ..Process::NONE
        }],
        bands: [Band { policy: Policy::Fixed }],
        slots: [ThreadId::NONE; 2],
        drivers: ports::drivers(),
        programs: [Program::NONE; 2],
        semaphores: Table::filled(beryl_kernel::Semaphore::NONE),
        conditions: Table::filled(beryl_kernel::Condition::NONE),
        mailboxes: Table::filled(beryl_kernel::Mailbox::NONE),
        endpoints: Table::filled(beryl_kernel::Endpoint::NONE),
        notifications: Table::filled(beryl_kernel::Notification::NONE),
        interrupts: Table::filled(beryl_kernel::Interrupt::NONE),
        lines: beryl_kernel::Lines::NONE,
        event_groups: Table::filled(beryl_kernel::EventGroup::NONE),
        state_messages: Table::filled(beryl_kernel::StateMessage::NONE),
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
        program_slots: [ProgramSlot {
            processes: 1,
            size: 512,
            terms: Terms {
                interface,
                rights: Rights { tasks: &[3], drivers: &[0x3F] },
                lines: &[Line(0), Line(1)],
                ports: 3,
                times: leak(&times()),
                policies: &[time::Policy::FixedPriority],
                costs: Costs { drivers: &[1; 8], instruction: 1, most: 1000, threads: 0 },
                ..Terms::NONE
            },
            ..ProgramSlot::NONE
        }],
        ports: ports::looked_at(),
    };
    for (number, row) in system.threads.iter_mut().enumerate() {
        let kind = match number {
            LOADER => ThreadKind::Free,
            IDLE => ThreadKind::Idle,
            _ => ThreadKind::Task,
        };
        let place = Place::fixed(31 - number as u8);
        let place = if number == IDLE { Thread::NONE.place } else { place };
        *row = Thread {
            kind,
            band: BandId(0),
            place,
            rank: Rank::fixed(number as u8),
            level: 1,
            ..Thread::NONE
        };
    }
    let own = [Instruction::Period {}, Instruction::Future { delay: 0, address: 0 }, Instruction::Return {}];
    let own = own.map(|instruction| instruction.encode());
    let ticks = |list: &[u64]| list.iter().map(|ticks| Duration::from_ticks(*ticks)).collect::<Vec<_>>();
    let row = |code: &[u32], durations: &[u64], first_trigger| Program {
        code: leak(code),
        durations: leak(&ticks(durations)),
        conditions: leak(&CONDITIONS),
        first_trigger,
        ..Program::NONE
    };
    system.programs =
        [Program { slot: SlotId(0), ..row(&own, &[PERIOD], 0) }, row(&around.code, &around.durations, 1)];
    Box::leak(Box::new(system))
}

struct Run {
    kernel: Kernel<Two, Host<Two, Scene>>,
    seed: u64,
}

impl Loading for Run {
    fn desk(&mut self) -> &mut Desk {
        &mut self.kernel.machine.around.desk
    }

    fn raise(&mut self, event: Event) {
        host::raise(&mut self.kernel, event, 2000, &format_args!("seed {}", self.seed));
    }
}

/// What happens on the kernel, up to the first tick at which things come together that the reference machine has at one
/// instant and a processor one after the other.
pub fn on_kernel(drawn: &Drawn, around: &Drawn, interrupts: &[Interrupt], seed: u64, until: u64) -> Answer {
    let bytes = drawn.container(&drawn.code);
    let interface = Container::read(&bytes).map_or(0, |container| container.interface());
    let system = system(interface, around);
    let mut run = Run { kernel: Kernel::new(Host::new(system, Scene::default())), seed };
    run.kernel.state.set_tracing(true);
    run.raise(Event::Start);
    match run.load(&bytes, seed) {
        Progress::Accepted => {}
        Progress::Refused { .. } => return Answer::Refused,
        other => panic!("seed {seed}: {other:?}"),
    }
    let mut jobs = Jobs::of(2);
    let mut waiting = interrupts.iter().copied().peekable();
    loop {
        for task in std::mem::take(&mut run.kernel.machine.around.ports.released) {
            jobs.release(task, |task, number| execution(seed, task, number));
        }
        let running = Some(run.kernel.state.running().index()).filter(|thread| *thread < LOADER);
        match jobs.pass_alone(&mut run.kernel.machine, running, &mut waiting, until) {
            Ok(event) => run.raise(event),
            Err(end) => return Answer::Ran(run.kernel.machine.around.ports.told, end),
        }
    }
}
