//! Random E code with triggers on interrupts, completions and ports, and with handlers, on the kernel and on the reference
//! machine: the same drivers are carried out and the same tasks released, at the same ticks and in the same order.

use beryl_abi::{
    BandId, CallNumber, Duration, Instant, Line, Moment, ProcessId, ProgramId, Record, ThreadId,
};
use beryl_kernel::{
    Band, Call, Driver, DriverKind, Event, Kernel, Machine, Place, Policy, Port, Process, Program,
    ProgramSlot, Rank, Switch, System, Table, Thread, ThreadKind,
};
use beryl_machine_model::{
    Action, Change, Driver as ModelDriver, Event as ModelEvent, Machine as Model, Policy as ModelPolicy,
    Task as ModelTask, World,
};
use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Exception, Instruction, PortId, Relation};

beryl_kernel::sizes! {
    struct Two {
        threads: 4, processes: 1, bands: 1, slots: 2, drivers: 8, programs: 2, triggers: 8,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, program_slots: 1, rooms: 2, check_words: 1,
        trigger_places: 8, watches: 8, ports: 2,
    }
}

const IDLE: usize = 3;
/// Tasks, in a fixed band, the first before the second.
const TASKS: usize = 2;
/// Where a sensor is that counts the instants at which it is read.
const SENSOR: u32 = 0x800;
const PLACES: u8 = 4;

/// A small seeded generator (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) as usize % bound
    }
}

const CONDITIONS: [Condition; 7] = [
    Condition::Interrupt(Line(0)),
    Condition::Interrupt(Line(1)),
    Condition::Completed(ThreadId(0)),
    Condition::Completed(ThreadId(1)),
    Condition::Changed(PortId(0)),
    Condition::Compare(PortId(1), Relation::AtLeast, 3),
    Condition::Compare(PortId(0), Relation::Less, 5),
];

/// What a driver does: from and to by ports of the model, and the task whose ports it touches.
const DRIVERS: [(Option<usize>, usize, Option<usize>, DriverKind); 6] = [
    // the sensor to each of the ports that triggers look at
    (None, 0, None, DriverKind::Copy),
    (None, 1, None, DriverKind::Copy),
    (Some(0), 1, None, DriverKind::Copy),
    // outputs and inputs of the tasks
    (Some(3), 6, Some(0), DriverKind::Copy),
    (Some(5), 7, Some(1), DriverKind::Copy),
    (Some(1), 2, Some(0), DriverKind::Input),
];

/// Random E code: blocks of a few drivers and releases; each ends with one trigger, on time or on something else.
struct Drawn {
    code: Vec<Instruction>,
    handlers: Vec<(Exception, u16)>,
    /// Where the completion of the program's own task enters, to make up for what is owed to it.
    makes_up: Option<u16>,
    durations: Vec<u64>,
}

fn draw(random: &mut Random, own: ThreadId) -> Drawn {
    const BLOCKS: usize = 4;
    let durations: Vec<u64> = (0..3).map(|_| 2 + random.below(9) as u64).collect();
    let mut drafts: Vec<Vec<Instruction>> = Vec::new();
    for block in 0..BLOCKS {
        let mut code = Vec::new();
        for _ in 0..random.below(4) {
            code.push(match random.below(6) {
                // The next instruction only if somebody was late; the trigger is there in any case.
                5 => Instruction::Late { task: ThreadId(random.below(TASKS) as u8), address: 0 },
                0 => Instruction::Release { task: ThreadId(random.below(TASKS) as u8), deadline: 0 },
                1 => Instruction::Calls { first: beryl_abi::DriverId(random.below(4) as u16), count: 2 },
                _ => Instruction::Call { driver: beryl_abi::DriverId(random.below(DRIVERS.len()) as u16) },
            });
        }
        // One trigger at a time: of several of one program at one instant, the order isn't promised.
        let address = (1 + random.below(BLOCKS - 1)) as u16;
        code.push(match random.below(3) {
            0 => Instruction::Future { delay: random.below(3) as u8, address },
            _ => Instruction::When { condition: random.below(CONDITIONS.len()) as u8, address },
        });
        if block > 0 && random.below(3) == 0 {
            code.insert(0, Instruction::Phase { phase: 1 + random.below(3) as u8 });
        }
        code.push(Instruction::Return {});
        drafts.push(without_last_question(code));
    }
    let mut handlers = Vec::new();
    if random.below(2) == 0 {
        let mut code = Vec::new();
        if random.below(2) == 0 {
            code.push(Instruction::Call { driver: beryl_abi::DriverId(0) });
        }
        if random.below(2) == 0 {
            code.push(Instruction::Terminate {});
        }
        // What comes first then is about one of the tasks only.
        if !code.is_empty() && random.below(2) == 0 {
            code.insert(0, Instruction::Offender { task: ThreadId(random.below(TASKS) as u8), address: 0 });
        }
        code.push(match random.below(6) {
            0 => Instruction::Change { address: 0 },
            4 | 5 => Instruction::Postpone { most: 1 + random.below(3) as u8 },
            1 => Instruction::Retry {},
            _ => Instruction::Resume {},
        });
        drafts.push(code);
    }
    let mut starts = Vec::new();
    let mut length = 0;
    for draft in &drafts {
        starts.push(length as u16);
        length += draft.len();
    }
    let makes_up = (random.below(2) == 0).then_some(length as u16);
    if makes_up.is_some() {
        drafts.push(vec![
            Instruction::Owed { task: own, address: length as u16 + 3 },
            Instruction::Call { driver: beryl_abi::DriverId(0) },
            Instruction::Release { task: own, deadline: 0 },
            Instruction::Return {},
        ]);
    }
    if let Some(handler) = starts.get(BLOCKS) {
        handlers.push((Exception::Safety, *handler));
    }
    let placed = drafts.into_iter().flatten().zip(2..).map(|(instruction, behind)| match instruction {
        Instruction::Late { task, .. } => Instruction::Late { task, address: behind },
        Instruction::Offender { task, .. } => Instruction::Offender { task, address: behind },
        Instruction::Future { delay, address } => {
            Instruction::Future { delay, address: starts[usize::from(address)] }
        }
        Instruction::When { condition, address } => {
            Instruction::When { condition, address: starts[usize::from(address)] }
        }
        other => other,
    });
    Drawn { code: placed.collect(), handlers, makes_up, durations }
}

/// A block that doesn't ask who was late right before its trigger: it would leave that out.
fn without_last_question(mut code: Vec<Instruction>) -> Vec<Instruction> {
    let before_trigger = code.len().checked_sub(3);
    if let Some(place) = before_trigger
        && matches!(code.get(place), Some(Instruction::Late { .. }))
    {
        code.remove(place);
    }
    code
}

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
    told: Vec<(u64, String)>,
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
    fn result(&mut self, _thread: ThreadId, _values: [u32; 3]) {}
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
        threads: [Thread::NONE; 4],
        processes: [Process::NONE],
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
        state_messages: Table::filled(beryl_kernel::StateMessage::NONE),
        program_slots: [ProgramSlot::NONE],
        ports: [0, 1].map(|port| Port { address: address(port), length: 4 }),
    };
    for (number, task) in system.threads.iter_mut().enumerate().take(TASKS) {
        let place = Place::Fixed { priority: 31 - number as u8 };
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

/// How long a task's job of that number takes.
fn execution(seed: u64, task: usize, number: usize) -> u64 {
    let mixed = (seed ^ (task as u64) << 8 ^ (number as u64) << 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1 + mixed % 7
}

/// What happens on the kernel, and the first tick at which things come together that the reference machine has at one
/// Lets a kernel do all steps of an event.
fn raise(kernel: &mut Kernel<Two, Host>, mut event: Event, seed: u64) {
    let mut steps = 0;
    while kernel.handle(event) == Switch::Again {
        event = Event::Continue;
        steps += 1;
        assert!(steps < 5000, "seed {seed}: the instant never ends");
    }
}

/// instant and a processor one after the other.
fn on_kernel(
    drawn: &[Drawn; 2],
    interrupts: &[(u64, u16)],
    seed: u64,
    until: u64,
) -> (Vec<(u64, String)>, u64) {
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

fn on_model(drawn: &[Drawn; 2], interrupts: &[(u64, u16)], seed: u64, until: u64) -> Vec<(u64, String)> {
    let drivers = DRIVERS.map(|(from, to, ..)| ModelDriver {
        action: if from.is_some() { Action::Copy } else { Action::Sensor(0) },
        reads: from.into_iter().collect(),
        writes: vec![to],
    });
    let world = World {
        tasks: vec![
            ModelTask { reads: vec![2], writes: vec![3] },
            ModelTask { reads: vec![4], writes: vec![5] },
        ],
        drivers: drivers.to_vec(),
        ports: vec![0; 8],
        policy: ModelPolicy::FixedPriority,
        changes: interrupts.iter().map(|(at, line)| (*at, Change::Interrupt(Line(*line)))).collect(),
        execution: Box::new(move |task, number| execution(seed, task, number)),
        ..World::of_times(&[])
    };
    let tasks = [0, 1];
    let bytes = tasks.map(|own: u8| {
        let drawn = &drawn[usize::from(own)];
        let completions: Vec<_> = drawn.makes_up.iter().map(|address| (own, *address)).collect();
        let code: Vec<_> = drawn.code.iter().map(|instruction| instruction.encode()).collect();
        let durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let content = Content {
            code: &code,
            durations: &durations,
            conditions: &CONDITIONS,
            handlers: &drawn.handlers,
            completions: &completions,
            trigger_places: PLACES,
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    });
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    let trace = Model::new(&containers, world).run(until).expect("no trap");
    let told = trace.into_iter().filter_map(|entry| {
        let words = match entry.event {
            ModelEvent::Driver(driver) => vec![format!("driver {driver}")],
            ModelEvent::Release(task) => vec![format!("release {task}")],
            ModelEvent::Violation(_, tasks) => tasks.iter().map(|task| format!("violation {task}")).collect(),
            _ => return None,
        };
        Some(words.into_iter().map(move |words| (entry.at, words)))
    });
    told.flatten().collect()
}

#[test]
fn what_programs_wait_for_comes_to_the_same() {
    let (mut events, mut violations, mut ends) = (0, 0, 0);
    for seed in 1..=6000 {
        let mut random = Random::new(seed);
        let drawn = [0, 1].map(|own| draw(&mut random, ThreadId(own)));
        let mut interrupts: Vec<_> =
            (0..random.below(12)).map(|_| (1 + random.below(60) as u64, random.below(2) as u16)).collect();
        interrupts.sort_unstable();
        interrupts.dedup_by_key(|(at, _)| *at);
        let until = 80;
        let (found, end) = on_kernel(&drawn, &interrupts, seed, until);
        let expected = on_model(&drawn, &interrupts, seed, end);
        let found: Vec<_> = found.into_iter().filter(|(at, _)| *at < end).collect();
        let codes = drawn.each_ref().map(|drawn| (&drawn.code, &drawn.handlers, &drawn.durations));
        if let Some(place) =
            (0..found.len().max(expected.len())).find(|place| found.get(*place) != expected.get(*place))
        {
            panic!(
                "seed {seed}, entry {place}: kernel {:?}, model {:?}\nbefore {:?}\n{codes:?}\n{interrupts:?}",
                found.get(place),
                expected.get(place),
                &found[place.saturating_sub(6)..place.min(found.len())]
            );
        }
        events += found.len();
        violations += found.iter().filter(|(_, words)| words.starts_with("violation")).count();
        ends += usize::from(end == until);
    }
    assert!(events > 50_000 && violations > 1000 && ends > 1000, "{events} events, {violations}, {ends}");
}
