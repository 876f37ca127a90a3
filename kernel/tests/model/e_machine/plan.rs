//! A random system, described without system code or tables.

use beryl_kernel::OnSpent;
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::host::draft::Queue;

/// What a run is about: who there is, what is due when, and how long jobs take.
#[derive(Clone, Debug)]
pub struct Plan {
    pub bands: Vec<Queue>,
    pub tasks: Vec<Task>,
    pub free: Vec<Free>,
    pub modules: Vec<Module>,
    /// Whether a fault stops one thread only, for each process.
    pub stops_thread_only: Vec<bool>,
    /// Outputs become visible at completion, not at the end of the logical execution time.
    pub publishes_at_completion: bool,
    /// A completion and an alarm at the same tick: which of them comes first.
    pub completion_first: bool,
    /// Decides execution times and fates of jobs.
    pub seed: u64,
    /// What happens to each task's job that has used its worst time, if anything does.
    pub enforced: Vec<Option<OnSpent>>,
}

/// A task, released every `period`. It reads what task `source` has published.
#[derive(Clone, Debug)]
pub struct Task {
    pub module: usize,
    pub process: u8,
    pub band: u8,
    pub priority: u8,
    pub period: u64,
    pub within: u64,
    pub worst: u64,
    pub source: usize,
    /// Bytes of its output.
    pub length: u32,
}

/// A thread that always wants to run, and yields whenever it has run for `quantum`.
#[derive(Clone, Debug)]
pub struct Free {
    pub process: u8,
    pub band: u8,
    pub priority: u8,
    pub quantum: u64,
}

/// A module: its actuators, each updated every so often with what a task has published.
#[derive(Clone, Debug)]
pub struct Module {
    pub period: u64,
    pub actuators: Vec<(u64, usize)>,
}

/// What a job will do.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub time: u64,
    pub faults: bool,
}

impl Plan {
    /// The plan of a seed.
    pub fn random(seed: u64) -> Plan {
        let mut random = Random::from_zero(seed);
        let bands: Vec<_> =
            (0..random.within(1, 4)).map(|_| *random.one_of(&[Queue::Dynamic(16), Queue::Fixed])).collect();
        let units: Vec<_> = (0..random.within(1, 3)).map(|_| *random.one_of(&[10, 20, 30, 50])).collect();
        let count = random.within(1, 10) as usize;
        let tasks: Vec<_> = (0..count).map(|_| task(&mut random, &bands, &units, count)).collect();
        let fixed: Vec<_> =
            (0_u8..).zip(&bands).filter(|(_, queue)| **queue == Queue::Fixed).map(|(band, _)| band).collect();
        let free = (0..if fixed.is_empty() { 0 } else { random.below(3) })
            .map(|_| Free {
                process: random.below(3) as u8,
                band: *random.one_of(&fixed),
                priority: random.below(2) as u8,
                quantum: random.within(1, 9),
            })
            .collect();
        let modules = units.iter().map(|unit| Module {
            period: unit * 4,
            actuators: (0..random.below(3)).map(|_| (unit << random.below(3), random.below(count))).collect(),
        });
        Plan {
            bands,
            free,
            modules: modules.collect(),
            tasks,
            stops_thread_only: (0..3).map(|_| random.once_in(2)).collect(),
            publishes_at_completion: random.once_in(4),
            completion_first: random.once_in(2),
            seed,
            enforced: vec![None; count],
        }
    }

    /// The same, and most tasks have a budget.
    pub fn enforced(seed: u64) -> Plan {
        let plan = Plan::random(seed);
        let mut random = Random::from_zero(seed ^ 0xB0D6E7);
        let reactions = [OnSpent::EndJob, OnSpent::EndJob, OnSpent::EndJob, OnSpent::Tell, OnSpent::Stop];
        let enforced = plan.tasks.iter();
        let enforced = enforced.map(|_| (!random.once_in(4)).then(|| *random.one_of(&reactions))).collect();
        Plan { enforced, ..plan }
    }

    /// What job number `job` (from 1) of a task will do: mostly within its worst time, sometimes
    /// more, and once in a while it faults.
    pub fn job(&self, task: usize, job: u64) -> Job {
        let mut random = Random::from_zero(self.seed ^ (task as u64) << 40 ^ job << 20);
        let worst = self.tasks[task].worst;
        let time = if random.once_in(8) { random.within(worst, 3 * worst) } else { random.within(1, worst) };
        Job { time, faults: random.once_in(150) }
    }

    /// Instants from 0 to `end` at which something of a module is due.
    pub fn is_due(every: u64, instant: u64) -> bool {
        instant.is_multiple_of(every)
    }
}

fn task(random: &mut Random, bands: &[Queue], units: &[u64], count: usize) -> Task {
    let module = random.below(units.len());
    let period = units[module] << random.below(3);
    Task {
        module,
        process: random.below(3) as u8,
        band: random.below(bands.len()) as u8,
        priority: *random.one_of(&[0, 1, 1, 7, 31]),
        period,
        within: if random.once_in(2) { period } else { random.within(1, period) },
        // a little more than the processor can bear when there are many
        worst: random.within(1, (2 * period / count as u64).max(2)),
        source: random.below(count),
        length: *random.one_of(&[4, 8, 36]),
    }
}

/// What a job of a task makes of its input: every job gives another value.
pub fn result_of(task: usize, job: u64, input: u32) -> u32 {
    input.wrapping_mul(3).wrapping_add((job as u32).wrapping_mul(101)).wrapping_add(task as u32 + 1)
}
