//! A run of the kernel, whose background thread loads the program by its slot.

use beryl_abi::{
    BandId, CallNumber, Duration, Instant, Line, Moment, ProcessId, Progress, Range, Record, SlotId, ThreadId,
};
use beryl_kernel::row::{Costs, Rights, Terms, time};
use beryl_kernel::{
    Band, Call, Driver, Event, Kernel, Machine, Place, Policy, Port, Process, Program, ProgramSlot, Rank,
    Switch, System, Table, Thread, ThreadKind,
};
use beryl_syscode::{Container, Instruction};

use super::drawn::{CONDITIONS, DRIVERS, Drawn};
use super::{PERIOD, Told, execution, times};

beryl_kernel::sizes! {
    struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 8, programs: 2, triggers: 4,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, program_slots: 1, rooms: 1024, check_words: 1024,
        trigger_places: 2, event_triggers: 2, ports: 2,
    }
}

const LOADER: usize = 2;
const IDLE: usize = 3;
/// Where a sensor is that counts the instants at which it is read.
const SENSOR: u32 = 0x800;
/// Where the background thread has the part that it writes next.
const BUFFER: u32 = 0x1000;

/// What became of a program.
pub enum Answer {
    /// The slot refused it.
    Refused,
    /// What happened up to an instant.
    Ran(Told, u64),
}

/// The bytes of a model's port on the kernel.
fn address(port: usize) -> u32 {
    0x100 + 4 * port as u32
}

struct Host {
    system: &'static System<Two>,
    now: Instant,
    alarm: Instant,
    memory: [u32; 16],
    buffer: [u32; 8],
    answer: [u32; 3],
    read: Option<Instant>,
    count: u32,
    released: Vec<usize>,
    told: Told,
}

impl Host {
    fn tell(&mut self, words: String) {
        self.told.push((self.now.ticks(), words));
    }
}

impl Machine<Two> for Host {
    fn system(&self) -> &'static System<Two> {
        self.system
    }
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, moment: Moment) {
        self.alarm = self.now.nearest(moment);
    }
    fn copy(&mut self, from: u32, to: u32, _length: u32) {
        let value = if from == SENSOR {
            if self.read.replace(self.now) != Some(self.now) {
                self.count += 1;
            }
            self.count - 1
        } else {
            self.load(from)
        };
        self.store(to, value);
    }
    fn load(&mut self, address: u32) -> u32 {
        match address.checked_sub(BUFFER) {
            Some(offset) => self.buffer[(offset / 4) as usize],
            None => self.memory[((address - 0x100) / 4) as usize],
        }
    }
    fn store(&mut self, address: u32, value: u32) {
        self.memory[((address - 0x100) / 4) as usize] = value;
    }
    fn result(&mut self, _thread: ThreadId, values: [u32; 2]) {
        self.answer[1..].copy_from_slice(&values);
    }
    fn status(&mut self, _thread: ThreadId, status: u32) {
        self.answer[0] = status;
    }
    fn restart(&mut self, _thread: ThreadId) {}
    fn mask(&mut self, _line: Line) {}
    fn unmask(&mut self, _line: Line) {}
    fn trace(&mut self, record: Record) {
        match record {
            Record::Release { task, .. } => {
                self.released.push(task.index());
                self.tell(format!("release {}", task.0));
            }
            Record::Driver { driver, .. } => self.tell(format!("driver {}", driver.0)),
            Record::Violation { task, .. } => self.tell(format!("violation {}", task.0)),
            _ => {}
        }
    }
}

fn leak<T: Clone>(values: &[T]) -> &'static [T] {
    Vec::leak(values.to_vec())
}

/// A module with a slot whose own program does nothing, and a program beside it.
fn system(interface: u32, around: &Drawn) -> &'static System<Two> {
    let mut system = System::<Two> {
        threads: [Thread::NONE; 4],
        processes: [Process {
            memory: [Range { address: BUFFER, length: 32 }, Range::EMPTY, Range::EMPTY],
            ..Process::NONE
        }],
        bands: [Band { policy: Policy::Fixed }],
        slots: [ThreadId::NONE; 2],
        drivers: [Driver::NONE; 8],
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
        program_slots: [ProgramSlot {
            processes: 1,
            size: 512,
            terms: Terms {
                interface,
                rights: Rights { tasks: &[3], drivers: &[0x3F] },
                lines: &[Line(0), Line(1)],
                ports: 2,
                times: leak(&times()),
                policies: &[time::Policy::FixedPriority],
                costs: Costs { drivers: &[1; 8], instruction: 1, most: 1000, threads: 0 },
                ..Terms::NONE
            },
            ..ProgramSlot::NONE
        }],
        ports: [0, 1].map(|port| Port { address: address(port), length: 4 }),
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
    for (row, (from, to, task, kind)) in system.drivers.iter_mut().zip(DRIVERS) {
        let task = task.map_or(ThreadId::NONE, |task| ThreadId(task as u8));
        let from = from.map_or(SENSOR, address);
        *row = Driver { kind, process: ProcessId(0), task, from, to: address(to), length: 4, ..Driver::NONE };
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
    kernel: Kernel<Two, Host>,
    seed: u64,
}

impl Run {
    /// Lets the kernel do all steps of an event.
    fn raise(&mut self, mut event: Event) {
        for _ in 0..2000 {
            if self.kernel.handle(event) != Switch::Again {
                return;
            }
            event = Event::Continue;
        }
        panic!("seed {}: the instant never ends", self.seed);
    }

    fn call(&mut self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
        self.kernel.machine.answer = [0; 3];
        self.raise(Event::Call(Call { number: number as u32, arguments }));
        self.kernel.machine.answer
    }

    /// The background thread loads a program; answers whether it is accepted.
    fn load(&mut self, bytes: &[u8]) -> bool {
        for (index, part) in bytes.chunks(32).enumerate() {
            for (place, four) in part.chunks(4).enumerate() {
                let mut value = [0; 4];
                value[..four.len()].copy_from_slice(four);
                self.kernel.machine.buffer[place] = u32::from_le_bytes(value);
            }
            let length = part.len().next_multiple_of(4) as u32;
            let [status, ..] = self.call(CallNumber::SlotWrite, [0, 32 * index as u32, BUFFER, length]);
            assert_eq!(status, 0, "seed {}, part {index}", self.seed);
        }
        for _ in 0..20_000 {
            let [_, first, second] = self.call(CallNumber::SlotCheck, [0; 4]);
            match Progress::decode([first, second]) {
                Progress::More => {}
                Progress::Accepted => return true,
                Progress::Refused { .. } => return false,
                other => panic!("seed {}: {other:?}", self.seed),
            }
        }
        panic!("seed {}: the check never ends", self.seed);
    }
}

/// What happens on the kernel, up to the first tick at which things come together that the reference machine has at one
/// instant and a processor one after the other.
pub fn on_kernel(drawn: &Drawn, around: &Drawn, interrupts: &[(u64, u16)], seed: u64, until: u64) -> Answer {
    let bytes = drawn.container(&drawn.code);
    let interface = Container::read(&bytes).map_or(0, |container| container.interface());
    let system = system(interface, around);
    let host = Host {
        system,
        now: Instant::START,
        alarm: Instant::NEVER,
        memory: [0; 16],
        buffer: [0; 8],
        answer: [0; 3],
        read: None,
        count: 0,
        released: vec![],
        told: vec![],
    };
    let mut run = Run { kernel: Kernel::new(host), seed };
    run.kernel.state.set_tracing(true);
    run.raise(Event::Start);
    if !run.load(&bytes) {
        return Answer::Refused;
    }
    let (mut left, mut numbers) = ([0; 2], [0; 2]);
    let mut waiting = interrupts.to_vec();
    waiting.reverse();
    loop {
        for task in std::mem::take(&mut run.kernel.machine.released) {
            left[task] = execution(seed, task, numbers[task]);
            numbers[task] += 1;
        }
        let running = Some(run.kernel.state.running().index()).filter(|thread| *thread < LOADER);
        let (now, alarm) = (run.kernel.machine.now.ticks(), run.kernel.machine.alarm.ticks());
        let done = running.map_or(u64::MAX, |task| now + left[task]);
        let interrupt = waiting.last().map_or(u64::MAX, |(at, _)| *at);
        let next = done.min(alarm).min(interrupt).min(until);
        if next == until || done == interrupt && done == next {
            return Answer::Ran(run.kernel.machine.told, next);
        }
        if let Some(task) = running {
            left[task] -= next - now;
        }
        run.kernel.machine.now = Instant::from_ticks(next);
        let event = if next == done {
            Event::Call(Call { number: CallNumber::Complete as u32, arguments: [0; 4] })
        } else if next == interrupt {
            let (_, line) = waiting.pop().expect("it is due");
            Event::Interrupt(Line(line))
        } else {
            run.kernel.machine.alarm = Instant::NEVER;
            Event::Alarm
        };
        run.raise(event);
    }
}
