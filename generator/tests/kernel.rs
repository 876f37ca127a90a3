//! Generated programs on the kernel and on the reference machine: the same tasks run at the same ticks.

use beryl_abi::{BandId, CallNumber, DriverId, Instant, Line, Moment, ProgramId, Record, ThreadId};
use beryl_assembler::{Program, assemble};
use beryl_generator::{Scheme, Task, TaskSet, generate, schedule};
use beryl_kernel::{
    Band, Call, Driver, DriverKind, Event, Kernel, Machine, Place, Policy, Rank, Switch, System, Thread,
    ThreadKind,
};
use beryl_machine_model::{
    Driver as ModelDriver, Machine as Model, Policy as ModelPolicy, Task as ModelTask, World,
};
use beryl_syscode::check::time::{self, Parts, Time};
use beryl_syscode::{Container, Instruction};

use common::{random_set, who_runs};

mod common;

beryl_kernel::sizes! {
    struct Small {
        threads: 8, processes: 1, bands: 1, slots: 4, drivers: 16, programs: 2, triggers: 16,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, schedules: 7,
    }
}

const IDLE: usize = 7;

/// A clock, an alarm, and what was released.
#[derive(Clone)]
struct Host {
    system: &'static System<Small>,
    now: Instant,
    alarm: Instant,
    released: Vec<usize>,
    left_out: usize,
    looks: u32,
}

impl Machine<Small> for Host {
    fn system(&self) -> &'static System<Small> {
        self.system
    }
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, moment: Moment) {
        self.alarm = self.now.nearest(moment);
    }
    fn copy(&mut self, _from: u32, _to: u32, _length: u32) {}
    fn load(&mut self, _address: u32) -> u32 {
        0
    }
    fn store(&mut self, _address: u32, _value: u32) {}
    fn result(&mut self, _thread: ThreadId, _values: [u32; 2]) {}
    fn status(&mut self, _thread: ThreadId, _status: u32) {}
    fn restart(&mut self, _thread: ThreadId) {}
    /// Now and then, so that the kernel does some steps in a row.
    fn is_pending(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(5)
    }
    fn mask(&mut self, _line: Line) {}
    fn unmask(&mut self, _line: Line) {}
    fn trace(&mut self, record: Record) {
        match record {
            Record::Release { task, .. } => self.released.push(task.index()),
            Record::Skip { .. } | Record::Violation { .. } => self.left_out += 1,
            _ => {}
        }
    }
}

fn leak<T: Clone>(values: &[T]) -> &'static [T] {
    Vec::leak(values.to_vec())
}

/// The tables of programs that run side by side. The first `named` tasks are dispatched by the last of them, the others
/// stand in a fixed band below.
fn system(programs: &[Program], tasks: usize, named: usize) -> System<Small> {
    let mut threads = [Thread::NONE; 8];
    let last = ProgramId((programs.len() - 1) as u8);
    for (number, task) in threads.iter_mut().enumerate().take(tasks) {
        let (place, rank) = match number < named {
            true => (Place::Coded { program: last }, Rank::dynamic(0)),
            false => (Place::fixed(31 - number as u8), Rank::fixed(1 + number as u8)),
        };
        *task = Thread { kind: ThreadKind::Task, place, rank, level: 1, ..Thread::NONE };
    }
    threads[IDLE] = Thread { kind: ThreadKind::Idle, band: BandId(0), rank: Rank::fixed(10), ..Thread::NONE };
    let mut drivers = [Driver::NONE; 16];
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
fn by_deadline(programs: &[Program], tasks: usize) -> System<Small> {
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
const LONGEST: u64 = u64::MAX;

/// How long a task's job of that number takes: up to its bound.
fn execution(seed: u64, bound: u64, task: usize, number: usize) -> u64 {
    if seed == LONGEST {
        return bound;
    }
    let mixed = (seed ^ (task as u64) << 8 ^ (number as u64) << 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1 + mixed % bound
}

/// Lets a kernel do all steps of an event.
fn raise(kernel: &mut Kernel<Small, Host>, mut event: Event, seed: u64) {
    let mut steps = 0;
    while kernel.handle(event) == Switch::Again {
        event = Event::Continue;
        steps += 1;
        assert!(steps < 1000, "seed {seed}: the instant never ends");
    }
}

/// Who runs at each tick on the kernel.
fn on_kernel(programs: &[Program], named: usize, set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    carried_out(system(programs, set.tasks.len(), named), set, seed, until)
}

fn carried_out(system: System<Small>, set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    let system: &'static System<Small> = Box::leak(Box::new(system));
    let host = Host {
        system,
        now: Instant::START,
        alarm: Instant::NEVER,
        released: Vec::new(),
        left_out: 0,
        looks: 0,
    };
    let mut kernel = Kernel::new(host);
    // What isn't recorded takes the short ways.
    let mut quiet = kernel.clone();
    kernel.state.set_tracing(true);
    let (mut left, mut numbers) = (vec![0; set.tasks.len()], vec![0; set.tasks.len()]);
    let mut ran = Vec::new();
    let mut event = Event::Start;
    loop {
        raise(&mut kernel, event, seed);
        raise(&mut quiet, event, seed);
        let mut same = quiet.state.clone();
        same.set_tracing(true);
        assert!(same == kernel.state, "seed {seed}: short and long ways differ at {:?}", kernel.machine.now);
        for task in std::mem::take(&mut kernel.machine.released) {
            left[task] = execution(seed, set.tasks[task].bound, task, numbers[task]);
            numbers[task] += 1;
        }
        let running = Some(kernel.state.running().index()).filter(|thread| *thread != IDLE);
        let (now, alarm) = (kernel.machine.now.ticks(), kernel.machine.alarm.ticks());
        let done = running.map_or(u64::MAX, |task| now + left[task]);
        // A job that is done at the instant of an alarm comes first (Algorithm 6).
        let next = done.min(alarm).min(until);
        ran.extend((now..next).map(|_| running));
        if next == until {
            assert_eq!(kernel.machine.left_out, 0, "seed {seed}: a violation");
            return ran;
        }
        if let Some(task) = running {
            left[task] -= next - now;
        }
        (kernel.machine.now, quiet.machine.now) = (Instant::from_ticks(next), Instant::from_ticks(next));
        event = match next == done {
            true => Event::Call(Call { number: CallNumber::Complete as u32, arguments: [0; 4] }),
            false => {
                kernel.machine.alarm = Instant::NEVER;
                Event::Alarm
            }
        };
    }
}

/// Who runs at each tick on the reference machine.
fn on_model(programs: &[Program], set: &TaskSet, seed: u64, until: u64) -> Vec<Option<usize>> {
    let count = set.tasks.len();
    let bounds: Vec<_> = set.tasks.iter().map(|task| task.bound).collect();
    let outputs = (0..count).map(|task| ModelDriver::copy(2 * task + 1, 2 * count + task));
    let inputs = (0..count).map(|task| ModelDriver::copy(3 * count, 2 * task));
    let world = World {
        tasks: (0..count)
            .map(|task| ModelTask { reads: vec![2 * task], writes: vec![2 * task + 1] })
            .collect(),
        drivers: outputs.chain(inputs).collect(),
        ports: vec![0; 3 * count + 1],
        policy: ModelPolicy::FixedPriority,
        execution: Box::new(move |task, number| execution(seed, bounds[task], task, number)),
        ..World::of_times(&[])
    };
    let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    let trace = Model::new(&containers, world).run(until).expect("no trap");
    who_runs(&trace, until)
}

#[test]
fn the_kernel_runs_what_the_reference_machine_runs() {
    const SLICE: u64 = 2;
    let schemes = [
        Scheme::PreemptiveEdf,
        Scheme::NonPreemptiveEdf,
        Scheme::TimeSliced(SLICE),
        Scheme::ThreadPerTask(SLICE),
    ];
    for scheme in schemes {
        let mut count = 0;
        for seed in 1..=500 {
            let set = random_set(seed);
            let Ok(program) = generate(&set, scheme) else { continue };
            let until = 3 * set.hyperperiod().expect("it can be counted");
            let (named, programs) = (set.tasks.len(), [program]);
            let expected = on_model(&programs, &set, seed, until);
            assert_eq!(on_kernel(&programs, named, &set, seed, until), expected, "seed {seed}, {scheme:?}");
            assert!(expected.iter().any(Option::is_some));
            count += 1;
        }
        assert!(count > 100, "{scheme:?}: only {count} systems");
    }
}

#[test]
fn tasks_that_no_program_names_run_where_the_schedule_idles() {
    let (mut count, mut shared) = (0, 0);
    for seed in 1..=500 {
        let set = random_set(seed);
        // Half of the utilisation for those below, who may need it all at the wrong time.
        let tasks = set.tasks.iter().map(|task| Task { bound: task.bound.div_ceil(3), ..task.clone() });
        let set = TaskSet::new("m", tasks.collect());
        let named = 1 + seed as usize % (set.tasks.len() - 1);
        let some = TaskSet::new("s", set.tasks[..named].to_vec());
        let Ok(reactions) = generate(&set, Scheme::Bands) else { continue };
        let Ok(schedule) = schedule(&some, Scheme::PreemptiveEdf) else { continue };
        let programs = [reactions, schedule];
        let until = 3 * set.hyperperiod().expect("it can be counted");
        let expected = on_model(&programs, &set, seed, until);
        if !fits(&set, &expected, seed) {
            continue;
        }
        assert_eq!(on_kernel(&programs, named, &set, seed, until), expected, "seed {seed}, {named} named");
        count += 1;
        shared += usize::from((named..set.tasks.len()).any(|task| expected.contains(&Some(task))));
    }
    assert!(count > 100 && shared > 100, "only {count} systems, {shared} with others below");
}

#[test]
fn a_task_that_is_given_up_stands_aside_while_the_thread_idles() {
    let task = |name: &str, bound| Task { name: name.into(), period: 20, bound };
    let set = TaskSet::new("m", vec![task("held", 6), task("below", 3)]);
    let reactions = generate(&set, Scheme::Bands).expect("two tasks");
    let text = "module s\ntask held, below\ntriggers 1\nthreads 1\nstart a0\n\n\
                a0:     fork     a2\n        return\n\
                a2:     dispatch held, clock(4), a3\n\
                a3:     idle     clock(10)\n        fork     a2\n        return\n";
    let programs = [reactions, assemble(text).expect("a program")];
    // With this seed, the jobs take all of their bounds.
    let (seed, until) = (118, 20);
    assert_eq!([execution(seed, 6, 0, 0), execution(seed, 3, 1, 0)], [6, 3]);
    let ran = on_kernel(&programs, 1, &set, seed, until);
    let runs = |task, ticks| std::iter::repeat_n(task, ticks);
    let first = runs(Some(0), 4).chain(runs(Some(1), 3)).chain(runs(None, 3));
    let expected: Vec<_> = first.chain(runs(Some(0), 2)).chain(runs(None, 8)).collect();
    assert_eq!(ran, expected);
    assert_eq!(on_model(&programs, &set, seed, until), expected);
}

#[test]
fn threads_that_wait_for_releases_go_on_at_each_of_them() {
    let task = |name: &str, period, bound| Task { name: name.into(), period, bound };
    let set = TaskSet::new("m", vec![task("one", 10, 3), task("two", 20, 4)]);
    let reactions = generate(&set, Scheme::Bands).expect("two tasks");
    // Both wait at once, for different tasks that are released together every second time.
    let text = "module s\ntask one, two\ntriggers 1\nthreads 2\nstart a0\n\n\
                a0:     fork     a3\n        fork     a7\n        return\n\
                a3:     idle     release(one)\n        dispatch one\n        fork     a3\n        return\n\
                a7:     idle     release(two)\n        fork     a10\n        return\n\
                a10:    idle     clock(5)\n        dispatch two\n        fork     a7\n        return\n";
    let programs = [reactions, assemble(text).expect("a program")];
    let (seed, until) = (7, 60);
    let mut expected = vec![None; until as usize];
    for (task, row, offset) in [(0, &set.tasks[0], 0), (1, &set.tasks[1], 5)] {
        for number in 0..(until / row.period) as usize {
            let begin = number * row.period as usize + offset;
            let length = execution(seed, row.bound, task, number) as usize;
            expected[begin..begin + length].fill(Some(task));
        }
    }
    assert_eq!(on_kernel(&programs, 2, &set, seed, until), expected);
    assert_eq!(on_model(&programs, &set, seed, until), expected);
}

/// What a thread would have done when its time was up isn't done once its task is complete: neither where the thread ends nor where
/// it waits for the next task without an end.
#[test]
fn a_thread_whose_task_is_complete_has_no_timeout_any_more() {
    let task = |name: &str, bound| Task { name: name.into(), period: 30, bound };
    let tasks = [task("one", 3), task("two", 12), task("three", 4)];
    let (seed, until) = (5, 30);
    let lengths = [(0, 3), (1, 12)].map(|(task, bound)| execution(seed, bound, task, 0) as usize);
    assert!(lengths[0] + lengths[1] > 8, "two is at work when the time of one is up: {lengths:?}");
    let cases = [(2, "return", "dispatch two", None), (3, "dispatch two", "dispatch three", Some(1))];
    for (count, next, otherwise, follows) in cases {
        let set = TaskSet::new("m", tasks[..count].to_vec());
        let names = &["one, two", "one, two, three"][count - 2];
        let text = format!(
            "module s\ntask {names}\ntriggers 1\nthreads 1\nstart a0\n\n\
             a0:     fork     a2\n        return\n\
             a2:     dispatch one, clock(8), a5\n        {next}\n        return\n\
             a5:     {otherwise}\n        return\n"
        );
        let reactions = generate(&set, Scheme::Bands).expect("tasks");
        let programs = [reactions, assemble(&text).expect("a program")];
        let mut expected = vec![None; until as usize];
        expected[..lengths[0]].fill(Some(0));
        expected[lengths[0]..lengths[0] + lengths[1]].fill(follows);
        assert_eq!(on_kernel(&programs, count, &set, seed, until), expected, "{next}");
        assert_eq!(on_model(&programs, &set, seed, until), expected, "{next}");
    }
}

/// Whether the checker of time accepts a program.
fn is_accepted(program: &Program, set: &TaskSet, policy: time::Policy) -> bool {
    let bytes = program.to_bytes();
    let programs = [Container::read(&bytes).expect("a fresh container")];
    let task = |task: &Task| time::Task { bound: task.bound as u32, rank: 0 };
    let tasks: Vec<_> = set.tasks.iter().map(task).collect();
    let touches: Vec<u8> = (0..2 * tasks.len()).map(|driver| 1 << (driver % tasks.len())).collect();
    let policies = [policy];
    let image =
        Parts { programs: &programs, tasks: &tasks, touches: &touches, policies: &policies, losses: &[] };
    let check = Time::new(&image, 16, 500);
    check.run(&image, &mut vec![0; check.words(0)]).is_ok()
}

/// `on_kernel` fails where a driver meets a task at work, or a task is released before its last job is done.
#[test]
fn what_is_accepted_is_never_late_on_the_kernel() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=600 {
        let set = random_set(seed);
        let Ok(program) = generate(&set, Scheme::RateMonotonic) else { continue };
        if !is_accepted(&program, &set, time::Policy::None) {
            refused += 1;
            continue;
        }
        accepted += 1;
        let until = 3 * set.hyperperiod().expect("it can be counted");
        for times in 0..4 {
            let ran =
                on_kernel(std::slice::from_ref(&program), set.tasks.len(), &set, seed ^ times << 32, until);
            assert!(ran.iter().any(Option::is_some), "seed {seed}");
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}

/// The same in a dynamic band, with deadlines that aren't when ports are touched: then it matters which of equal ones goes first.
#[test]
fn what_is_accepted_is_never_late_whatever_its_deadlines_are() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=3000 {
        let mut set = random_set(seed);
        let Ok(program) = generate(&set, Scheme::Bands) else { continue };
        let mut program = with_other_deadlines(program, seed);
        if seed % 2 == 0 {
            (set, program) = reversed(set, program);
        }
        if !is_accepted(&program, &set, time::Policy::EarliestDeadline) {
            refused += 1;
            continue;
        }
        accepted += 1;
        let until = 3 * set.hyperperiod().expect("it can be counted");
        for times in [LONGEST, seed, seed ^ 1 << 32] {
            let system = by_deadline(std::slice::from_ref(&program), set.tasks.len());
            carried_out(system, &set, times, until);
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

/// Each release has some duration of the program as its deadline.
fn with_other_deadlines(mut program: Program, seed: u64) -> Program {
    let durations = program.durations.len() as u64;
    for (number, word) in program.code.iter_mut().enumerate() {
        let deadline = (execution(seed, durations, 7, number) - 1) as u8;
        let changed = match Instruction::decode(*word) {
            Some(Instruction::Release { task, .. }) => Instruction::Release { task, deadline },
            Some(Instruction::Releases { first, count, .. }) => {
                Instruction::Releases { first, deadline, count }
            }
            _ => continue,
        };
        *word = changed.encode();
    }
    program
}

/// The same with the last task as the first.
fn reversed(mut set: TaskSet, mut program: Program) -> (TaskSet, Program) {
    let all = set.tasks.len() as u16;
    set.tasks.reverse();
    // The first of a row becomes the last: of tasks, of drivers for outputs, of drivers for inputs behind them.
    let row = |first: u16, count: u8| match first < all {
        true => all - first - u16::from(count),
        false => 3 * all - first - u16::from(count),
    };
    let task = |first: ThreadId, count| ThreadId(row(first.0.into(), count) as u8);
    for word in &mut program.code {
        let changed = match Instruction::decode(*word).expect("it was generated") {
            Instruction::Release { task: first, deadline } => {
                Instruction::Release { task: task(first, 1), deadline }
            }
            Instruction::Releases { first, deadline, count } => {
                Instruction::Releases { first: task(first, count), deadline, count }
            }
            Instruction::Call { driver } => Instruction::Call { driver: DriverId(row(driver.0, 1)) },
            Instruction::Calls { first, count } => {
                Instruction::Calls { first: DriverId(row(first.0, count)), count }
            }
            other => other,
        };
        *word = changed.encode();
    }
    (set, program)
}

/// Whether every job gets its time in its period: what happens to late ones is another test's.
fn fits(set: &TaskSet, ran: &[Option<usize>], seed: u64) -> bool {
    set.tasks.iter().enumerate().all(|(task, row)| {
        ran.chunks(row.period as usize).enumerate().all(|(number, job)| {
            let got = job.iter().filter(|running| **running == Some(task)).count() as u64;
            got == execution(seed, row.bound, task, number)
        })
    })
}
