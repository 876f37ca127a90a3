//! Whatever comes, in whatever order: no panic, no step that grows, no thread that isn't there.
//! `interference` has what the calls of one process do to another.

mod host;

use beryl_abi::{Duration, Fault, FaultKind, Instant, Line, Moment, ProcessId, Record, ThreadId};
use beryl_kernel::{
    Call, Driver, DriverKind, Event, Kernel, Machine, Sizes, State, Switch, System, ThreadKind,
};
use beryl_syscode::Container;
use beryl_syscode::check::{Rights, Structure};
use beryl_syscode::container::Content;
use beryl_testing::{Draw, XorShiftStar as Random};

use host::draft::{Draft, Large, Queue, Small};

/// A clock that counts what one step asks for. What it reads in memory is nonsense.
struct Counter<S: Sizes> {
    system: &'static System<S>,
    now: Instant,
    threads: usize,
    effects: usize,
    random: Random,
}

impl<S: Sizes> Counter<S> {
    fn kernel(system: &System<S>, threads: usize, seed: u64) -> Kernel<S, Counter<S>> {
        let system = Box::leak(Box::new(system.clone()));
        let random = Random::from_zero(seed ^ 0xC0DE);
        Kernel::new(Counter { system, now: Instant::START, threads, effects: 0, random })
    }

    fn about(&mut self, thread: ThreadId) {
        assert!(thread.index() < self.threads);
        self.effects += 1;
    }
}

impl<S: Sizes> Machine<S> for Counter<S> {
    fn system(&self) -> &'static System<S> {
        self.system
    }
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, _moment: Moment) {
        self.effects += 1;
    }
    fn copy(&mut self, _from: u32, _to: u32, length: u32) {
        assert!(length <= State::<S>::CHUNK);
        self.effects += 1;
    }
    fn load(&mut self, _address: u32) -> u32 {
        self.effects += 1;
        match self.random.below(4) {
            0 => self.random.next() as u32,
            1 => 0,
            _ => self.random.below(20) as u32 | (self.random.below(2) as u32) << 31,
        }
    }
    fn store(&mut self, _address: u32, _value: u32) {
        self.effects += 1;
    }
    fn result(&mut self, thread: ThreadId, _values: [u32; 2]) {
        self.about(thread);
    }
    fn status(&mut self, thread: ThreadId, _status: u32) {
        self.about(thread);
    }
    fn restart(&mut self, thread: ThreadId) {
        self.about(thread);
    }
    fn mask(&mut self, _line: Line) {
        self.effects += 1;
    }
    fn unmask(&mut self, _line: Line) {
        self.effects += 1;
    }
    fn trace(&mut self, _record: Record) {
        self.effects += 1;
    }
}

const TASKS: u8 = 4;
const DRIVERS: u16 = 6;
const DURATIONS: [u64; 4] = [1, 7, 30, 200];

/// Tables that a builder could have written, with programs of the given words.
fn system<S: Sizes>(random: &mut Random, programs: &[Vec<u32>]) -> System<S> {
    let bands = [
        *random.one_of(&[Queue::Dynamic(4), Queue::Fixed]),
        *random.one_of(&[Queue::Dynamic(8), Queue::Fixed]),
    ];
    let mut draft = Draft::<S>::new(&bands);
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| draft.task(random.below(3) as u8, random.below(2) as u8, random.below(32) as u8))
        .collect();
    let free = draft.free(random.below(3) as u8, 1, random.below(32) as u8);
    objects(&mut draft, free, &tasks);
    (0..2).for_each(|process| {
        draft.driver_thread(process);
    });
    if random.once_in(2) {
        draft.stop_only_the_thread(random.below(3) as u8);
    }
    for number in 0..DRIVERS {
        let budget = Duration::from_ticks(random.within(0, 20));
        let kind = match number % 4 {
            0 => DriverKind::Getter { function: 1, shared: 0, budget },
            1 => DriverKind::Setter { function: 2, budget },
            2 => DriverKind::Guard { function: 3, budget },
            _ => DriverKind::Copy,
        };
        let task = if random.once_in(2) { *random.one_of(&tasks) } else { ThreadId::NONE };
        let address = || 4 * u32::from(number);
        let (process, length) = (ProcessId(random.below(2) as u8), random.within(0, 100) as u32);
        draft.driver(Driver { kind, process, task, from: address(), to: address(), length, ..Driver::NONE });
    }
    for code in programs {
        draft.words(&DURATIONS, code.clone());
    }
    if random.once_in(3) {
        draft.on_completion(tasks[0], beryl_abi::ProgramId(0), 0);
    }
    draft.finish().0
}

/// An object of each kind that is in everybody's reach.
fn objects<S: Sizes>(draft: &mut Draft<S>, free: ThreadId, tasks: &[ThreadId]) {
    for thread in tasks {
        draft.row(*thread).highest_ceiling = 3;
    }
    draft.binary();
    draft.word(0, 0x30_0000);
    draft.counting(1, 2);
    draft.condition();
    draft.mailbox(8, 2);
    draft.mailbox(64, 1);
    draft.endpoint(free, 8, 8);
    draft.endpoint(free, 64, 4);
    draft.event_group();
    draft.notification(free, 7);
    draft.interrupt(1, tasks[0], 1);
    draft.state_message(0x30_0000, 0x30_0100, 12, 4);
}

/// Mostly arguments that mean something.
fn call(random: &mut Random) -> Call {
    let mut word = |meant: usize| match random.below(8) {
        0 => random.next() as u32,
        1 => random.below(4) as u32 | (random.below(5) as u32) << 8,
        2 => 0x30_0000 + 4 * random.below(4) as u32,
        _ => random.below(meant) as u32,
    };
    Call { number: word(35), arguments: [word(4), word(8), word(8), word(3).wrapping_sub(1)] }
}

fn event(random: &mut Random) -> Event {
    match random.below(12) {
        0 => Event::Alarm,
        1 => Event::Interrupt(Line(random.next() as u16)),
        2 => Event::Fault(Fault { kind: *random.one_of(&FaultKind::ALL), address: 0, instruction: 0 }),
        3 => Event::Start,
        4..=6 => Event::Continue,
        _ => Event::Call(call(random)),
    }
}

/// Words that are instructions of these tables, mostly.
fn word(random: &mut Random, length: usize) -> u32 {
    let a = random.below(4) as u32;
    let b = match random.below(3) {
        0 => random.below(DURATIONS.len().min(usize::from(DRIVERS))),
        1 => random.below(length),
        _ => random.below(6),
    };
    match random.below(20) {
        0 => random.next() as u32,
        _ => random.within(1, 7) as u32 | a << 8 | (b as u32) << 16,
    }
}

/// Any words; or, so that the checker has something to accept, a block that ends as it should.
fn code(random: &mut Random) -> Vec<u32> {
    let length = random.within(1, 10) as usize;
    let mut words: Vec<_> = (0..length).map(|_| word(random, length)).collect();
    if random.once_in(2) {
        words.retain(|word| matches!(word & 0xFF, 1 | 2 | 4 | 6));
        words.extend([3 | (random.below(4) as u32) << 8, 7]);
    }
    words
}

/// Any event at any time, with steps in between or not.
fn torture<S: Sizes>(system: &System<S>, random: &mut Random, seed: u64, events: usize) {
    let mut kernel = Counter::kernel(system, usize::MAX, seed);
    kernel.state.set_tracing(true);
    for _ in 0..events {
        kernel.machine.now = kernel.machine.now.after(Duration::from_ticks(random.within(0, 5)));
        kernel.machine.effects = 0;
        let _ = kernel.handle(event(random));
        let effects = kernel.machine.effects;
        assert!(effects <= MOST_EFFECTS, "seed {seed}: {effects} effects in one step");
    }
}

/// The most that one step asks for, whatever the system: words of ceilings and semaphores, a message, an
/// answer, a timer, records.
const MOST_EFFECTS: usize = 16;

#[test]
fn any_words_as_system_code_and_any_events_do_not_make_the_kernel_panic() {
    for seed in 0..4000 {
        let mut random = Random::from_zero(seed);
        let programs: Vec<_> = (0..random.within(0, 3)).map(|_| code(&mut random)).collect();
        let small: System<Small> = system(&mut random, &programs);
        torture(&small, &mut random, seed, 150);
        let large: System<Large> = system(&mut random, &programs);
        torture(&large, &mut random, seed, 150);
    }
}

fn is_accepted(code: &[u32]) -> bool {
    let (drivers, tasks) = ([""; DRIVERS as usize], [""; TASKS as usize]);
    let durations = DURATIONS.map(Duration::from_ticks);
    let content =
        Content { durations: &durations, code, drivers: &drivers, tasks: &tasks, ..Content::default() };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    let container = Container::read(&bytes).expect("a fresh container");
    Structure::new(container, Rights::ALL, &mut vec![0; code.len()]).run().is_ok()
}

/// What a host that keeps the rules sees of checked code: instants end, and who runs may run.
#[test]
fn checked_code_and_any_events_leave_a_thread_that_may_run() {
    let mut accepted = 0;
    for seed in 0..40_000 {
        let mut random = Random::from_zero(seed);
        let program = code(&mut random);
        if !is_accepted(&program) {
            continue;
        }
        accepted += 1;
        // an instruction takes a step, and up to four chunks, or a release that stops a job, which has to
        // leave its place and up to six locks; an instant is made up for each tick
        let instant = 14 * program.len() + 5;
        let mut system: System<Small> = system(&mut random, &[program]);
        system.threads.iter_mut().for_each(|thread| thread.on_completion = None);
        let mut kernel = Counter::kernel(&system, 8, seed);
        let mut event_now = Event::Start;
        for _ in 0..60 {
            let behind = kernel.machine.now.since(kernel.state.instant()).ticks() as usize;
            let bound = (behind + 2) * instant + 100;
            let mut steps = 0;
            while kernel.handle(event_now) == Switch::Again {
                steps += 1;
                assert!(steps < bound, "seed {seed}: the instant doesn't end");
                event_now = Event::Continue;
            }
            let running = system.threads[kernel.state.running().index()];
            assert_ne!(running.kind, ThreadKind::None, "seed {seed}");
            let stopped = kernel.state.is_stopped(running.process);
            assert!(running.kind == ThreadKind::Idle || !stopped, "seed {seed}");
            kernel.machine.now = kernel.machine.now.after(Duration::from_ticks(random.within(0, 5)));
            event_now = match event(&mut random) {
                Event::Continue | Event::Start => Event::Alarm,
                other => other,
            };
        }
    }
    assert!(accepted > 1000, "only {accepted} programs were accepted");
}
