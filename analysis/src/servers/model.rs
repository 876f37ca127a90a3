//! A model of one server among tasks, event by event: what runs when, under each policy.
//!
//! Nothing here knows of the bounds beside it. A policy ([`Policy`]) is told what happens and says where its
//! work stands; [`run`] lets whoever is the most urgent run until something happens. Jobs are given one by one, so
//! a test can try any arrivals.
//!
//! At an instant, first jobs end, then others come, and then budgets come back. Work that comes where the last
//! ends has waited without a gap.

use crate::sporadic::Sporadic;
use crate::ticks::Ticks;

pub mod approximate;
pub mod background;
pub mod bandwidth;
pub mod dual;
pub mod each_period;
pub mod slack;
pub mod sporadic;
mod world;

pub use world::{Job, Soft, World};

/// Whose turn it is: the least goes first. Bands, then an order within, then who goes first of equals.
pub type Turn = (u8, u64, u8);

/// The place of what runs where nobody else wants to.
pub const BACKGROUND: Turn = (9, 0, 0);

/// Who runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A job of a task, by its position.
    Hard(usize),
    /// The work that the policy serves, at its place.
    Served,
    /// The same work in the background.
    Behind,
    /// Nobody.
    Nobody,
}

/// How tasks take their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By their positions.
    Fixed,
    /// By their deadlines.
    Deadlines,
}

/// How the work is served that isn't of tasks. What it is told comes in the order of time.
pub trait Policy {
    /// The first work has come.
    fn woke(&mut self, _world: &World) {}

    /// No work waits any more.
    fn slept(&mut self, _world: &World) {}

    /// A job of a task was released.
    fn released(&mut self, _world: &World, _job: usize) {}

    /// A job of a task is done, with so much of its worst case unused.
    fn completed(&mut self, _world: &World, _job: usize, _unused: Ticks) {}

    /// Some work that it serves is done.
    fn served(&mut self, _world: &World) {}

    /// Time has come to where the world is now, or the run begins. Said before each choice.
    fn instant(&mut self, _world: &World) {}

    /// Somebody ran for so long. `world.now` is when that began.
    fn passed(&mut self, world: &World, runner: Runner, length: Ticks);

    /// The place of its work, if that may run at all.
    fn place(&self, world: &World) -> Option<Turn>;

    /// The turn of a job of a task.
    fn turn(&self, world: &World, job: usize) -> Turn {
        world.turn(job)
    }

    /// The next instant at which places change by themselves while this one runs. If it isn't after now, it
    /// doesn't count.
    fn until(&self, world: &World, runner: Runner) -> Option<Ticks>;
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The tasks, in the order of priorities.
    pub tasks: Vec<Sporadic>,
    /// Whether that counts, or deadlines do.
    pub order: Order,
    /// The tasks' jobs, in the order of releases.
    pub jobs: Vec<Job>,
    /// The work to serve, in the order of arrivals; it is served in that order.
    pub soft: Vec<Soft>,
    /// What each dispatch of that work costs, charged to it.
    pub dispatch: Ticks,
}

/// A stretch of time in which somebody ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its beginning.
    pub start: Ticks,
    /// Its end.
    pub end: Ticks,
    /// Who ran.
    pub runner: Runner,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// When each job was done; all are, at the end.
    pub ends: Vec<Ticks>,
    /// The same for the served work.
    pub served: Vec<Ticks>,
    /// Who ran when, without gaps in which nobody did.
    pub pieces: Vec<Piece>,
    /// How often somebody began to run who hadn't just run.
    pub switches: u64,
}

/// Runs everything to its end.
pub fn run(workload: &Workload, policy: &mut dyn Policy) -> Run {
    let mut world = World::new(workload);
    let mut run = Run {
        ends: vec![Ticks::ZERO; workload.jobs.len()],
        served: vec![Ticks::ZERO; workload.soft.len()],
        ..Run::default()
    };
    let mut last = Runner::Nobody;
    loop {
        come(&mut world, policy);
        policy.instant(&world);
        let runner = choose(&world, policy);
        if runner != last && runner != Runner::Nobody {
            run.switches = run.switches.saturating_add(1);
            // From its place to the background and back isn't a dispatch.
            if is_soft(runner) && !is_soft(last) {
                world.charge(workload.dispatch);
            }
        }
        last = runner;
        let Some(next) = next(&world, policy, runner) else { return run };
        let length = next.less(world.now);
        if runner != Runner::Nobody {
            run.pieces.push(Piece { start: world.now, end: next, runner });
        }
        policy.passed(&world, runner, length);
        world.pass(runner, length);
        ended(&mut world, policy, runner, &mut run);
    }
}

fn is_soft(runner: Runner) -> bool {
    matches!(runner, Runner::Served | Runner::Behind)
}

/// Tells of what comes at this instant, and of work that waits or doesn't since.
fn come(world: &mut World, policy: &mut dyn Policy) {
    let did_wait = world.did_wait;
    world.arrive();
    match (did_wait, world.waits()) {
        (false, true) => policy.woke(world),
        (true, false) => policy.slept(world),
        _ => {}
    }
    world.did_wait = world.waits();
    while let Some(job) = world.release() {
        policy.released(world, job);
    }
}

fn choose(world: &World, policy: &dyn Policy) -> Runner {
    let hard = world.ready().iter().map(|job| (policy.turn(world, *job), Runner::Hard(*job)));
    let place = policy.place(world).filter(|_| world.waits());
    let soft = place.map(|turn| (turn, if turn == BACKGROUND { Runner::Behind } else { Runner::Served }));
    let first = hard.chain(soft).min_by_key(|(turn, _)| *turn);
    first.map_or(Runner::Nobody, |(_, runner)| runner)
}

/// When something happens next, if this one runs until then.
fn next(world: &World, policy: &dyn Policy, runner: Runner) -> Option<Ticks> {
    if world.is_over() {
        return None;
    }
    let own = policy.until(world, runner).filter(|instant| *instant > world.now);
    [world.left(runner).map(|left| world.now.later(left)), world.next_arrival(), own]
        .into_iter()
        .flatten()
        .min()
}

fn ended(world: &mut World, policy: &mut dyn Policy, runner: Runner, run: &mut Run) {
    match runner {
        Runner::Hard(job) if world.left(runner) == Some(Ticks::ZERO) => {
            world.complete(job);
            run.ends[job] = world.now;
            policy.completed(world, job, world.jobs[job].worst.less(world.jobs[job].takes));
        }
        Runner::Served | Runner::Behind if world.left(runner) == Some(Ticks::ZERO) => {
            run.served[world.serve()] = world.now;
            policy.served(world);
        }
        _ => {}
    }
}
