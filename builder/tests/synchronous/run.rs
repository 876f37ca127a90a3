//! A run of a drawn system on the kernel, with jobs that preempt each other.
//!
//! As the models do it: from a job's first tick to its last its output holds rubbish, and it looks at its inputs twice, at
//! its first tick and at its last. A kernel that isn't recorded goes beside, by its short ways, and has the same memory.

use std::collections::BTreeMap;

use beryl_abi::{CallNumber, Instant, Line, Moment, Record, ThreadId};
use beryl_analysis::synchronous::zero_time::{Reads, initial};
use beryl_builder::Project;
use beryl_builder::assembly::Role;
use beryl_builder::rows::Rows;
use beryl_kernel::{Call, Event, Kernel, Machine, Program, Switch, System};
use beryl_testing::{Draw, SplitMix64 as Random};

use crate::drawn::{Drawn, mixed};

beryl_kernel::sizes! {
    struct Graphs {
        threads: 9, processes: 2, bands: 2, slots: 2, drivers: 128, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, rounds: true, links: 40
    }
}

/// What is in an output that is being written.
const RUBBISH: u64 = 0xDEAD_0000_DEAD;
/// More steps than any event has.
const STEPS: usize = 5000;

/// What each job has read at its first tick and at its last, how often an input was fed when a job was done, and what came in
/// and went out.
pub struct Seen {
    pub first: Reads,
    pub last: Reads,
    pub fed: usize,
    /// When the sample was taken that each job had at its first tick, of the node that reads the sensor; in ticks of the graph.
    pub samples: Vec<u64>,
    /// Updates of the actuator: when, and the value.
    pub updates: Vec<(u64, u64)>,
}

/// A clock, an alarm and memory.
#[derive(Clone)]
struct Host {
    system: &'static System<Graphs>,
    now: u64,
    alarm: Instant,
    memory: BTreeMap<u32, u32>,
    released: Vec<usize>,
    /// Whether a completion is under way, and how many copies were made in such ones.
    completes: bool,
    fed: usize,
    /// The address with which each process's driver thread was last asked to do something, until it is done.
    asked: [Option<u32>; 2],
}

impl Host {
    /// A value of so many numbers, which are all the same.
    fn value(&self, address: u32, numbers: u32) -> Option<u64> {
        let word = |at: u32| u64::from(self.memory.get(&at).copied().unwrap_or(0));
        let number = |index: u32| word(address + 8 * index) | word(address + 8 * index + 4) << 32;
        (0..numbers).all(|index| number(index) == number(0)).then(|| number(0))
    }

    fn put(&mut self, address: u32, numbers: u32, value: u64) {
        for at in (0..numbers).map(|index| address + 8 * index) {
            self.memory.insert(at, value as u32);
            self.memory.insert(at + 4, (value >> 32) as u32);
        }
    }
}

impl Host {
    /// The process whose drivers a thread carries out.
    fn process_driven_by(&self, thread: ThreadId) -> Option<usize> {
        self.system.processes.iter().position(|process| process.driver_thread == thread)
    }
}

impl Machine<Graphs> for Host {
    fn system(&self) -> &'static System<Graphs> {
        self.system
    }
    fn now(&mut self) -> Instant {
        Instant::from_ticks(self.now)
    }
    fn arm(&mut self, moment: Moment) {
        self.alarm = Instant::from_ticks(self.now).nearest(moment);
    }
    fn copy(&mut self, from: u32, to: u32, length: u32) {
        assert!(length <= 64, "a step copies little");
        for offset in (0..length).step_by(4) {
            let word = self.memory.get(&(from + offset)).copied().unwrap_or(0);
            self.memory.insert(to + offset, word);
        }
        self.fed += usize::from(self.completes);
    }
    fn load(&mut self, address: u32) -> u32 {
        self.memory.get(&address).copied().unwrap_or(0)
    }
    fn store(&mut self, address: u32, value: u32) {
        self.memory.insert(address, value);
    }
    fn result(&mut self, thread: ThreadId, values: [u32; 2]) {
        if let Some(process) = self.process_driven_by(thread) {
            self.asked[process] = Some(values[1]);
        }
    }
    fn status(&mut self, _thread: ThreadId, _status: u32) {}
    fn restart(&mut self, _thread: ThreadId) {}
    fn mask(&mut self, _line: Line) {}
    fn unmask(&mut self, _line: Line) {}
    fn trace(&mut self, record: Record) {
        match record {
            Record::Release { task, .. } => self.released.push(task.index()),
            Record::Miss { .. } | Record::Violation { .. } | Record::Skip { .. } => {
                panic!("a job is late, or something is left out: {record:?}")
            }
            _ => {}
        }
    }
}

/// The kernel's tables.
fn system(project: &Project) -> &'static System<Graphs> {
    let rows = Rows::of(project);
    let mut system = System::<Graphs>::empty();
    for (index, row) in rows.threads.iter().enumerate() {
        system.threads[index] = row.row;
    }
    for (index, row) in rows.processes.iter().enumerate() {
        system.processes[index] = row.row;
    }
    for (index, row) in rows.bands.iter().enumerate() {
        system.bands[index] = row.row;
    }
    for (index, row) in rows.drivers.iter().enumerate() {
        system.drivers[index] = row.row;
    }
    for (index, row) in rows.fed.iter().enumerate() {
        system.fed[index] = row.row;
    }
    let (row, program) = (&rows.programs[0].row, &project.programs[0]);
    system.programs[0] = Program {
        code: program.code.clone().leak(),
        durations: program.durations.clone().leak(),
        conditions: program.conditions.clone().leak(),
        ..*row
    };
    Box::leak(Box::new(system.ranked()))
}

/// A node's thread, and where its inputs and its output are.
struct Placed {
    thread: usize,
    inputs: Vec<u32>,
    output: u32,
}

fn placed(project: &Project, drawn: &Drawn) -> Vec<Placed> {
    let address = |cell| project.places.address(&project.assembly.cells, cell);
    let node = |node: usize| {
        let name = format!("t{node}");
        let thread =
            project.assembly.threads.iter().position(|thread| thread.name == name).expect("its thread");
        let Role::Task(task) = &project.assembly.threads[thread].role else { panic!("{name} is a task") };
        let (output, inputs) = task.arguments.split_last().expect("it has an output");
        Placed {
            thread,
            inputs: inputs.iter().map(|(cell, _)| address(*cell)).collect(),
            output: address(output.0),
        }
    };
    (0..drawn.graph.nodes.len()).map(node).collect()
}

struct Job {
    left: u64,
    first: Option<Vec<u64>>,
}

struct Run<'a> {
    drawn: &'a Drawn,
    seed: u64,
    /// Kernel ticks of a tick of the graph.
    unit: u64,
    places: Vec<Placed>,
    kernels: [Kernel<Graphs, Host>; 2],
    jobs: Vec<Option<Job>>,
    seen: Seen,
}

/// Runs a drawn system until its end. Jobs take their longest times, or any shorter ones.
pub fn run(project: &Project, drawn: &Drawn, random: &mut Random, seed: u64) -> Seen {
    let system = system(project);
    let memory = BTreeMap::new();
    let alarm = Instant::NEVER;
    let host = Host {
        system,
        now: 0,
        alarm,
        memory,
        released: Vec::new(),
        completes: false,
        fed: 0,
        asked: [None; 2],
    };
    let quiet = Kernel::new(host);
    let mut told = quiet.clone();
    told.state.set_tracing(true);
    let nodes = drawn.graph.nodes.len();
    let mut run = Run {
        drawn,
        seed,
        unit: 1_000_000 / u64::from(project.tick()),
        places: placed(project, drawn),
        kernels: [told, quiet],
        jobs: (0..nodes).map(|_| None).collect(),
        seen: Seen {
            first: vec![Vec::new(); nodes],
            last: vec![Vec::new(); nodes],
            fed: 0,
            samples: Vec::new(),
            updates: Vec::new(),
        },
    };
    run.begin(project);
    run.go_on(random);
    run.seen.fed = run.kernels[0].machine.fed;
    run.seen
}

impl Run<'_> {
    /// All ports have their initial values: also those that others see, and inputs, which have none, rubbish.
    fn begin(&mut self, project: &Project) {
        let visible = |node: usize| {
            let thread = &project.assembly.threads[self.places[node].thread];
            let Role::Task(task) = &thread.role else { panic!("a task") };
            project.places.address(&project.assembly.cells, task.outputs[0].1)
        };
        for node in 0..self.places.len() {
            for address in [self.places[node].output, visible(node)] {
                for kernel in &mut self.kernels {
                    kernel.machine.put(address, self.drawn.numbers(node), initial(node));
                }
            }
        }
    }

    fn raise(&mut self, event: Event) {
        for kernel in &mut self.kernels {
            kernel.machine.completes = matches!(event, Event::Call(_));
            let mut next = event;
            let ends = (0..STEPS).any(|_| {
                let ends = kernel.handle(next) != Switch::Again;
                next = Event::Continue;
                ends
            });
            assert!(ends, "seed {}: an instant never ends", self.seed);
            kernel.machine.completes = false;
        }
        let [told, quiet] = &self.kernels;
        let seen = |kernel: &Kernel<Graphs, Host>| (kernel.state.running(), kernel.machine.alarm);
        assert_eq!(seen(told), seen(quiet), "seed {}: short and long ways differ", self.seed);
        assert!(told.machine.memory == quiet.machine.memory, "seed {}: their memory differs", self.seed);
    }

    fn go_on(&mut self, random: &mut Random) {
        let end = self.drawn.end().get() * self.unit;
        let mut event = Event::Start;
        loop {
            self.raise(event);
            for thread in std::mem::take(&mut self.kernels[0].machine.released) {
                let node = self.places.iter().position(|place| place.thread == thread).expect("a node");
                let worst = self.drawn.worst[node] * self.unit;
                let left = if random.chance(50) { worst } else { random.within(1, worst) };
                self.jobs[node] = Some(Job { left, first: None });
            }
            match self.pass(end) {
                Some(next) => event = next,
                None => return,
            }
        }
    }

    /// What has the processor works until its job is done or the alarm comes.
    fn pass(&mut self, end: u64) -> Option<Event> {
        let machine = &self.kernels[0].machine;
        let (now, alarm) = (machine.now, machine.alarm.ticks());
        let running = self.kernels[0].state.running();
        if let Some(process) = machine.process_driven_by(running) {
            self.drive(process);
            return Some(Event::Call(Call { number: CallNumber::DriverDone as u32, arguments: [0; 4] }));
        }
        let running = running.index();
        let node = self.places.iter().position(|place| place.thread == running);
        let left = node.map(|node| {
            self.begin_job(node);
            self.jobs[node].as_ref().expect("a job").left
        });
        let done = left.map_or(u64::MAX, |left| now + left);
        let next = done.min(alarm);
        if next >= end {
            return None;
        }
        self.kernels.iter_mut().for_each(|kernel| kernel.machine.now = next);
        if let Some(job) = node.and_then(|node| self.jobs[node].as_mut()) {
            job.left -= next - now;
        }
        if next == done
            && let Some(node) = node
        {
            self.end_job(node);
            return Some(Event::Call(Call { number: CallNumber::Complete as u32, arguments: [0; 4] }));
        }
        Some(Event::Alarm)
    }

    /// A driver thread does what it was asked for, in no time: that of the first process is the sensor's, which tells the
    /// time, that of the second one the actuator's.
    fn drive(&mut self, process: usize) {
        let machine = &self.kernels[0].machine;
        let now = machine.now / self.unit;
        match (process, machine.asked[process]) {
            (_, None) => return,
            (0, Some(address)) => {
                self.kernels.iter_mut().for_each(|kernel| kernel.machine.put(address, 1, now));
            }
            (_, Some(address)) => {
                let value = machine.value(address, 1).expect("one number is itself");
                self.seen.updates.push((now, value));
            }
        }
        self.kernels.iter_mut().for_each(|kernel| kernel.machine.asked[process] = None);
    }

    fn inputs(&self, node: usize) -> Vec<u64> {
        let links = self.drawn.graph.inputs(node);
        let value = |(link, address): (usize, &u32)| {
            let numbers = self.drawn.numbers(self.drawn.graph.links[link].writer);
            let value = self.kernels[0].machine.value(*address, numbers);
            value.unwrap_or_else(|| panic!("seed {}: node {node} reads half of a value", self.seed))
        };
        links.zip(&self.places[node].inputs).map(value).collect()
    }

    fn begin_job(&mut self, node: usize) {
        let inputs = self.inputs(node);
        let Some(job) = &mut self.jobs[node] else { panic!("seed {}: no job of {node}", self.seed) };
        if job.first.is_none() {
            job.first = Some(inputs);
            if self.drawn.ends.is_some_and(|ends| ends.first == node) {
                let sample = self.places[node].inputs.last().expect("it reads the sensor");
                let sample = self.kernels[0].machine.value(*sample, 1).expect("one number is itself");
                self.seen.samples.push(sample);
            }
            self.write(node, RUBBISH);
        }
    }

    fn end_job(&mut self, node: usize) {
        let last = self.inputs(node);
        let first = self.jobs[node].take().and_then(|job| job.first).expect("it has begun");
        let value = mixed(node, self.seen.first[node].len(), &first);
        self.write(node, value);
        self.seen.first[node].push(first);
        self.seen.last[node].push(last);
    }

    fn write(&mut self, node: usize, value: u64) {
        let (output, numbers) = (self.places[node].output, self.drawn.numbers(node));
        self.kernels.iter_mut().for_each(|kernel| kernel.machine.put(output, numbers, value));
    }
}
