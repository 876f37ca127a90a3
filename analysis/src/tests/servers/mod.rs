//! Budget servers and partitions: bounds beside the model, which knows none of them.

mod bandwidth;
mod bounds;
mod breaking;
mod by_hand;
mod drivers;
mod dual;
mod pools;
mod posix;
mod slack;
mod within;

use beryl_testing::{Draw, SplitMix64 as Random};

use super::ticks;
use crate::servers::model::{self, Job, Order, Piece, Run, Runner, Soft, Workload, background::Place};
use crate::servers::{Policy, Server};
use crate::{Sporadic, Ticks, fixed_priority};

/// The model's server, without a background.
fn server(policy: Policy, server: Server, above: usize) -> Box<dyn model::Policy> {
    let place = Place { above, background: false };
    match policy {
        Policy::Polling => Box::new(model::each_period::EachPeriod::polling(server, place)),
        Policy::Deferrable => Box::new(model::each_period::EachPeriod::deferrable(server, place)),
        Policy::Sporadic { pending } => Box::new(model::sporadic::Sporadic::new(server, place, pending)),
        Policy::Bandwidth => Box::new(model::bandwidth::Bandwidth::new(server)),
    }
}

/// Those of a fixed band; sporadic with room for so many and for fewer.
const FIXED: [Policy; 5] = [
    Policy::Polling,
    Policy::Deferrable,
    Policy::Sporadic { pending: usize::MAX },
    Policy::Sporadic { pending: 2 },
    Policy::Sporadic { pending: 1 },
];

fn task(period: u64, worst: u64) -> Sporadic {
    Sporadic::implicit(ticks(period), ticks(worst))
}

fn soft(work: &[(u64, u64)]) -> Vec<Soft> {
    work.iter().map(|(arrival, takes)| Soft { arrival: ticks(*arrival), takes: ticks(*takes) }).collect()
}

fn workload(tasks: Vec<Sporadic>, jobs: Vec<Job>, soft: Vec<Soft>) -> Workload {
    Workload { tasks, order: Order::Fixed, jobs, soft, dispatch: Ticks::ZERO }
}

/// Jobs of tasks from their first releases on, as often as may be, with their worst cases.
fn dense(tasks: &[Sporadic], first: &[u64], until: u64) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (index, (of, first)) in tasks.iter().zip(first).enumerate() {
        let releases = (0..).map(|job| first + job * of.period.get()).take_while(|release| *release < until);
        jobs.extend(releases.map(|release| Job {
            task: index,
            release: ticks(release),
            worst: of.worst,
            takes: of.worst,
        }));
    }
    jobs.sort_by_key(|job| job.release);
    jobs
}

/// Jobs at random: most as often as may be, and some that take less.
fn arrivals(tasks: &[Sporadic], until: u64, random: &mut Random) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (index, of) in tasks.iter().enumerate() {
        let mut release = random.within(0, of.period.get());
        while release < until {
            let least = if random.once_in(3) { 1 } else { of.worst.get() };
            let takes = ticks(random.within(least, of.worst.get()));
            jobs.push(Job { task: index, release: ticks(release), worst: of.worst, takes });
            release += of.period.get() + *random.one_of(&[0, 0, 0, 1, 3]);
        }
    }
    jobs.sort_by_key(|job| job.release);
    jobs
}

/// One to four tasks that hold by fixed priorities, with deadlines up to their periods; in the order of these.
fn that_hold(random: &mut Random, period: impl Fn(&mut Random) -> u64) -> Vec<Sporadic> {
    loop {
        let of = |random: &mut Random| {
            let period = period(random);
            let worst = random.within(1, (period / 3).max(1));
            task(period, worst).due(ticks(random.within(worst, period)))
        };
        let mut tasks: Vec<_> = (0..random.within(1, 4)).map(|_| of(random)).collect();
        tasks.sort_by_key(|task| task.deadline);
        if fixed_priority::holds(&tasks, &[]).unwrap() {
            return tasks;
        }
    }
}

/// The first job that is late.
fn late(given: &Workload, run: &Run) -> Option<usize> {
    let mut all = given.jobs.iter().zip(&run.ends);
    all.position(|(job, end)| end.less(job.release) > given.tasks[job.task].deadline)
}

/// Work at random: single jobs, and now and then more than there is budget for.
fn work(server: &Server, until: u64, random: &mut Random) -> Vec<Soft> {
    let (mut work, mut arrival) = (Vec::new(), random.within(0, server.period.get()));
    while arrival < until {
        let most = if random.once_in(4) { 3 * server.budget.get() } else { server.budget.get() };
        work.push((arrival, random.within(1, most)));
        arrival += random.within(1, 2 * server.period.get());
    }
    soft(&work)
}

/// Tasks that ask for half of the processor at most, in the order of periods, and a server that leaves them in
/// time; with how many are above it.
fn system(random: &mut Random) -> (Vec<Sporadic>, Server, usize) {
    let period = random.within(3, 12);
    let server = Server::new(ticks(random.within(1, period.div_ceil(2))), ticks(period));
    let mut tasks: Vec<Sporadic> = (0..random.within(1, 3))
        .map(|_| {
            let period = random.within(4, 20);
            task(period, random.within(1, (period / 4).max(1)))
        })
        .collect();
    tasks.sort_by_key(|task| task.period);
    let above = random.below(tasks.len() + 1);
    (tasks, server, above)
}

/// By tick: how much of what a run did before it counts.
struct Sums(Vec<u64>);

impl Sums {
    fn of(run: &Run, length: u64, counts: impl Fn(&Piece) -> bool) -> Sums {
        let mut ticks = vec![0; length as usize];
        for piece in run.pieces.iter().filter(|piece| counts(piece)) {
            for tick in piece.start.get()..piece.end.get().min(length) {
                ticks[tick as usize] = 1;
            }
        }
        let sums = ticks.iter().scan(0, |sum, tick| {
            *sum += tick;
            Some(*sum)
        });
        Sums(std::iter::once(0).chain(sums).collect())
    }

    fn between(&self, start: u64, end: u64) -> u64 {
        self.0[end as usize] - self.0[start as usize]
    }
}

fn is_served(piece: &Piece) -> bool {
    piece.runner == Runner::Served
}

/// The most that was served in windows of each length, from these beginnings.
fn most(run: &Run, length: u64, begins: impl Fn(u64) -> bool) -> Vec<u64> {
    let sums = Sums::of(run, length, is_served);
    let mut most = vec![0; length as usize + 1];
    for start in (0..length).filter(|start| begins(*start)) {
        for end in start..=length {
            let most = &mut most[(end - start) as usize];
            *most = sums.between(start, end).max(*most);
        }
    }
    most
}

/// Whether a window begins here in which nothing as urgent as the server is left from before.
fn beginnings(workload: &Workload, run: &Run, above: usize, length: u64) -> Vec<bool> {
    let is_urgent = |piece: &Piece| match piece.runner {
        Runner::Hard(job) => workload.jobs[job].task < above,
        runner => runner == Runner::Served,
    };
    let urgent = Sums::of(run, length, is_urgent);
    (0..length).map(|start| start == 0 || urgent.between(start - 1, start) == 0).collect()
}

/// The least that was served in windows of each length in which work waited all the time; `None` where there
/// was no such window.
fn least(workload: &Workload, run: &Run, length: u64) -> Vec<Option<u64>> {
    let sums = Sums::of(run, length, is_served);
    let waits = |tick: u64| {
        let mut all = workload.soft.iter().zip(&run.served);
        all.any(|(soft, end)| soft.arrival.get() <= tick && tick < end.get())
    };
    let waits: Vec<bool> = (0..length).map(waits).collect();
    let mut least = vec![None; length as usize + 1];
    for start in 0..length {
        for end in start + 1..=length {
            if !waits[end as usize - 1] {
                break;
            }
            let had = sums.between(start, end);
            let least: &mut Option<u64> = &mut least[(end - start) as usize];
            *least = Some(least.map_or(had, |least| least.min(had)));
        }
    }
    least
}
