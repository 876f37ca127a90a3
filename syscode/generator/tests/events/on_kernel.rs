//! A run of the kernel; also of one that isn't recorded, which takes the short ways.

use beryl_abi::{
    BandId, CallNumber, Duration, Instant, Line, Moment, ProcessId, ProgramId, Record, ThreadId,
};
use beryl_kernel::{
    Call, Driver, Event, Kernel, Machine, Place, Port, Program, Rank, Switch, System, Thread, ThreadKind,
};

use super::drawn::{CONDITIONS, DRIVERS, Drawn};
use super::{PLACES, TASKS, Told, execution};

beryl_kernel::sizes! {
    struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 8, programs: 2, triggers: 16,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 1, program_slots: 1, rooms: 2, check_words: 1,
        trigger_places: 8, event_triggers: 8, ports: 2,
    }
}

const IDLE: usize = 3;
/// Where a sensor is that counts the instants at which it is read.
const SENSOR: u32 = 0x800;

/// The bytes of a model's port on the kernel.
fn address(port: usize) -> u32 {
    0x100 + 4 * port as u32
}

#[derive(Clone)]
struct Host {
    system: &'static System<Two>,
    now: Instant,
    alarm: Instant,
    memory: [u32; 16],
    read: Option<Instant>,
    count: u32,
    released: Vec<usize>,
    stopped: Vec<usize>,
    told: Told,
    looks: u32,
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
        self.memory[((address - 0x100) / 4) as usize]
    }
    fn store(&mut self, address: u32, value: u32) {
        self.memory[((address - 0x100) / 4) as usize] = value;
    }
    fn result(&mut self, _thread: ThreadId, _values: [u32; 2]) {}
    fn status(&mut self, _thread: ThreadId, _status: u32) {}
    fn restart(&mut self, thread: ThreadId) {
        self.stopped.push(thread.index());
    }
    /// Now and then, so that the kernel does some steps in a row.
    fn is_pending(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(5)
    }
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

fn system(drawn: &[Drawn; 2]) -> &'static System<Two> {
    let mut system = System::<Two> {
        ports: [0, 1].map(|port| Port { address: address(port), length: 4 }),
        ..System::empty()
    };
    for (number, task) in system.threads.iter_mut().enumerate().take(TASKS) {
        let place = Place::fixed(31 - number as u8);
        *task = Thread {
            kind: ThreadKind::Task,
            place,
            rank: Rank::fixed(number as u8),
            level: 1,
            ..Thread::NONE
        };
    }
    system.threads[IDLE] =
        Thread { kind: ThreadKind::Idle, band: BandId(0), rank: Rank::fixed(10), ..Thread::NONE };
    for (row, (from, to, task, kind)) in system.drivers.iter_mut().zip(DRIVERS) {
        let task = task.map_or(ThreadId::NONE, |task| ThreadId(task as u8));
        let from = from.map_or(SENSOR, address);
        *row = Driver { kind, process: ProcessId(0), task, from, to: address(to), length: 4, ..Driver::NONE };
    }
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
            schedules: u8::from(index == 0),
            first_schedule: index as u8,
            handlers: [safety, Program::NO_HANDLER],
            ..Program::NONE
        };
    }
    for (index, drawn) in drawn.iter().enumerate() {
        let entry = drawn.makes_up.map(|address| (ProgramId(index as u8), address));
        system.threads[index].on_completion = entry;
    }
    Box::leak(Box::new(system))
}

/// Lets a kernel do all steps of an event.
fn raise(kernel: &mut Kernel<Two, Host>, mut event: Event, seed: u64) {
    let mut steps = 0;
    while kernel.handle(event) == Switch::Again {
        event = Event::Continue;
        steps += 1;
        assert!(steps < 5000, "seed {seed}: the instant never ends");
    }
}

/// What happens on the kernel, and the first tick at which things come together that the reference machine has at one
/// instant and a processor one after the other.
pub fn on_kernel(drawn: &[Drawn; 2], interrupts: &[(u64, u16)], seed: u64, until: u64) -> (Told, u64) {
    let system = system(drawn);
    let (now, alarm) = (Instant::START, Instant::NEVER);
    let mut memory = [0; 16];
    memory[4..8].copy_from_slice(&[0; 4]);
    let host = Host {
        system,
        now,
        alarm,
        memory,
        read: None,
        count: 0,
        released: vec![],
        stopped: vec![],
        told: vec![],
        looks: 0,
    };
    let mut kernel = Kernel::new(host);
    // What isn't recorded takes the short ways.
    let mut quiet = kernel.clone();
    kernel.state.set_tracing(true);
    let (mut left, mut numbers) = ([0; TASKS], [0; TASKS]);
    let mut waiting = interrupts.to_vec();
    waiting.reverse();
    let mut event = Event::Start;
    loop {
        raise(&mut kernel, event, seed);
        raise(&mut quiet, event, seed);
        let seen = |kernel: &Kernel<Two, Host>| {
            let Host { alarm, memory, .. } = kernel.machine;
            (kernel.state.running(), kernel.state.instant(), kernel.state.activity(), alarm, memory)
        };
        assert_eq!(seen(&quiet), seen(&kernel), "seed {seed}: short and long ways differ");
        for task in std::mem::take(&mut kernel.machine.released) {
            left[task] = execution(seed, task, numbers[task]);
            numbers[task] += 1;
        }
        let running = Some(kernel.state.running().index()).filter(|thread| *thread != IDLE);
        let (now, alarm) = (kernel.machine.now.ticks(), kernel.machine.alarm.ticks());
        let done = running.map_or(u64::MAX, |task| now + left[task]);
        let interrupt = waiting.last().map_or(u64::MAX, |(at, _)| *at);
        let next = done.min(alarm).min(interrupt).min(until);
        if next == until {
            return (kernel.machine.told, until);
        }
        if done == interrupt && done == next {
            return (kernel.machine.told, next);
        }
        if let Some(task) = running {
            left[task] -= next - now;
        }
        (kernel.machine.now, quiet.machine.now) = (Instant::from_ticks(next), Instant::from_ticks(next));
        event = if next == done {
            Event::Call(Call { number: CallNumber::Complete as u32, arguments: [0; 4] })
        } else if next == interrupt {
            let (_, line) = waiting.pop().expect("it is due");
            Event::Interrupt(Line(line))
        } else {
            kernel.machine.alarm = Instant::NEVER;
            Event::Alarm
        };
    }
}
