//! Periodic tasks with drivers for their inputs and outputs, as text, as a world, and as the checker's image.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fmt::Write;

use beryl_assembler::Program;
use beryl_reference::{Counterexample, Driver, Execution, Policy, Task, World};
use beryl_syscode::Container;
use beryl_syscode::check::time::{self, Breach, Loss, Parts, Proof, Time};
use beryl_syscode::check::{Rights, Structure};
use beryl_testing::{Draw, XorShiftStar as Random};

/// A task: its period, which is also when its outputs are read, and its longest execution time.
#[derive(Clone, Copy, Debug)]
pub struct Periodic {
    pub period: u64,
    pub bound: u32,
}

/// The instant after which everything repeats.
pub fn hyperperiod(tasks: &[Periodic]) -> u64 {
    let step = tasks.iter().map(|task| task.period).max().unwrap_or(1);
    (1..)
        .map(|count| count * step)
        .find(|instant| tasks.iter().all(|task| instant % task.period == 0))
        .expect("one")
}

/// Names of tasks and their drivers.
pub fn names(tasks: &[Periodic]) -> String {
    (0..tasks.len()).map(|index| format!("task t{index}\ndriver in{index}, out{index}\n")).collect()
}

/// Names, E code with a block for each instant, and whatever is to begin at the start.
pub fn e_code(tasks: &[Periodic], begin: &str) -> String {
    let own: Vec<_> = (0..tasks.len()).collect();
    e_code_of(tasks, &own, begin)
}

/// The same for some of the tasks: a module of several.
pub fn e_code_of(tasks: &[Periodic], own: &[usize], begin: &str) -> String {
    let mut text = names(tasks);
    let own: Vec<_> = own.iter().map(|task| (*task, tasks[*task])).collect();
    let rows: Vec<_> = own.iter().map(|(_, row)| *row).collect();
    let hyperperiod = hyperperiod(&rows);
    let instants: Vec<_> =
        (0..hyperperiod).filter(|instant| rows.iter().any(|task| instant % task.period == 0)).collect();
    let _ = writeln!(text, "{begin}\njump first");
    for (index, instant) in instants.iter().enumerate() {
        let _ = writeln!(text, "e{index}:");
        let due = || own.iter().filter(|(_, task)| instant % task.period == 0);
        due().for_each(|(task, _)| writeln!(text, "call out{task}").expect("text"));
        if index == 0 {
            text += "first:\n";
        }
        for (task, row) in due() {
            let _ = writeln!(text, "call in{task}\nrelease t{task}, {}", row.period);
        }
        let next = instants.get(index + 1).copied().unwrap_or(hyperperiod);
        let _ = writeln!(text, "future {}, e{}\nreturn", next - instant, (index + 1) % instants.len());
    }
    text
}

/// The same with one block for all instants.
pub fn folded(tasks: &[Periodic], begin: &str) -> String {
    let mut text = names(tasks);
    let _ = writeln!(text, "{begin}\njump first\nblock:");
    let asked = |text: &mut String, task: usize, label: &str, what: &str| {
        let _ = writeln!(text, "beat {}, {label}{task}\n{what}\n{label}{task}:", tasks[task].period);
    };
    (0..tasks.len()).for_each(|task| asked(&mut text, task, "o", &format!("call out{task}")));
    text += "first:\n";
    for (task, row) in tasks.iter().enumerate() {
        asked(&mut text, task, "i", &format!("call in{task}\nrelease t{task}, {}", row.period));
    }
    let beats: String = tasks.iter().map(|task| format!(", {}", task.period)).collect();
    let _ = writeln!(text, "next round({}{beats}), block\nreturn", hyperperiod(tasks));
    text
}

/// The world of those tasks; a job takes what `execution` says.
pub fn world(tasks: &[Periodic], policy: Policy, execution: Execution) -> World {
    let count = tasks.len();
    // Ports: the environment, then an input and an output for each task, then the actuators.
    let row = |task: usize| Task { reads: vec![1 + 2 * task], writes: vec![2 + 2 * task] };
    let drivers =
        |task: usize| [Driver::copy(0, 1 + 2 * task), Driver::copy(2 + 2 * task, 1 + 2 * count + task)];
    World {
        tasks: (0..count).map(row).collect(),
        drivers: (0..count).flat_map(drivers).collect(),
        ports: vec![0; 1 + 3 * count],
        policy,
        execution,
        ..World::of_times(&[])
    }
}

/// The matrix of bits of a world.
pub fn touches(world: &World) -> Vec<u8> {
    let width = world.tasks.len().div_ceil(8);
    let mut bits = vec![0; width * world.drivers.len()];
    for (number, driver) in world.drivers.iter().enumerate() {
        for (task, row) in world.tasks.iter().enumerate() {
            if driver.touches(row) {
                bits[number * width + task / 8] |= 1 << (task % 8);
            }
        }
    }
    bits
}

/// What the checker of time says.
pub fn check(program: &Program, world: &World, bounds: &[u32]) -> Result<Proof, Breach> {
    check_all(std::slice::from_ref(program), world, bounds, &[])
}

/// What it says of programs side by side, with what is lost.
pub fn check_all(
    programs: &[Program],
    world: &World,
    bounds: &[u32],
    losses: &[Loss],
) -> Result<Proof, Breach> {
    let bytes: Vec<_> = programs.iter().map(Program::to_bytes).collect();
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    let touches = touches(world);
    let policy = match world.policy {
        Policy::None => time::Policy::None,
        Policy::EarliestDeadline => time::Policy::EarliestDeadline,
        Policy::FixedPriority => time::Policy::FixedPriority,
        Policy::EarliestDeadlineToCompletion => panic!("the checker doesn't know this policy"),
    };
    let task = |(task, bound): (usize, &u32)| time::Task { bound: *bound, rank: world.rank(task) };
    let tasks: Vec<_> = bounds.iter().enumerate().map(task).collect();
    let policies = vec![policy; 1 + tasks.iter().map(|task| usize::from(task.rank)).max().unwrap_or(0)];
    let image =
        Parts { programs: &containers, tasks: &tasks, touches: &touches, policies: &policies, losses };
    let check = Time::new(&image, 24, 500);
    // What is in the memory before doesn't matter.
    let mut memory = vec![0xA5A5_A5A5; check.words(8)];
    check.run(&image, &mut memory)
}

/// Whether the checker of structure accepts.
pub fn is_well_formed(program: &Program) -> bool {
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).expect("a fresh container");
    let mut marks = vec![0; program.code.len()];
    Structure::new(container, Rights::ALL, &mut marks).run().is_ok()
}

/// Execution times that break a program up to an instant.
pub fn counterexample(
    program: &Program,
    tasks: &[Periodic],
    policy: Policy,
    at: u64,
    tries: u64,
) -> Option<Counterexample> {
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).expect("a fresh container");
    let bounds: Vec<_> = tasks.iter().map(|task| u64::from(task.bound)).collect();
    let world = |execution: Execution| world(tasks, policy, execution);
    beryl_reference::counterexample(&[container], &world, &bounds, at, tries)
}

/// All times in random programs are multiples of so many ticks: jobs that take one tick take nearly nothing,
/// as the exact class of the checker has it.
pub const UNIT: u64 = 10;

/// Two or three tasks.
pub fn random_tasks(random: &mut Random) -> Vec<Periodic> {
    let count = 2 + random.below(2);
    let periods = *random.one_of(&[[4, 8, 8], [6, 12, 6], [8, 16, 4], [6, 4, 12], [5, 10, 10]]);
    let task = |period: u64, random: &mut Random| Periodic {
        period,
        bound: UNIT as u32 * (1 + random.below(period as usize * 2 / 3) as u32),
    };
    let task = |period: u64, random: &mut Random| {
        let task = task(period, random);
        Periodic { period: UNIT * task.period, ..task }
    };
    periods.into_iter().take(count).map(|period| task(period, random)).collect()
}
