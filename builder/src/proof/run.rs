//! The shortest run in which a slot's program misses a deadline: instant by instant, with the longest times, and
//! with all that may be lost.
//!
//! The check of time names the instruction and the instant. Here the program is carried out once more in the
//! plainest way, the earliest instant first, and the instants that led there are kept. If the same may follow from
//! several instants, only the first of them is followed: they have the same jobs, and the periods of what is lost
//! stand alike. So the search ends even if no run breaks the program, or if the fault lies behind many instants. An
//! event comes at the tick after the program begins to wait for it. It may come that early; but if nothing breaks
//! then, that proves nothing. All this is for people to read; no program is accepted because of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use beryl_syscode::check::admission::Alone;
use beryl_syscode::check::time::{Image, Policy};
use beryl_syscode::round::is_beat;
use beryl_syscode::{Container, Instruction, Round};

use crate::certificate::in_slot;
use crate::load::common;
use crate::project::Project;

/// A run that ends where a job isn't done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its instants.
    pub instants: Vec<Visit>,
    /// The task that may still be at work at the last instruction.
    pub task: usize,
    /// The most ticks of work that are left of its job.
    pub left: u32,
}

/// What is done at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The instant, in ticks from when the program takes over.
    pub at: u64,
    /// The instructions, in their order.
    pub addresses: Vec<u16>,
}

/// A job: what is left of it, and when it's due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Job {
    left: u32,
    due: u64,
}

/// An instant that a run comes to, and what is left of jobs then; with the number of the instant before.
struct Node {
    at: u64,
    address: u16,
    jobs: Vec<Job>,
    /// How far the program's round has come.
    position: u32,
    before: usize,
}

/// A way through the code of an instant.
#[derive(Clone)]
struct Path {
    address: u16,
    jobs: Vec<Job>,
    next: Option<(u16, u64)>,
    position: u32,
    addresses: Vec<u16>,
}

/// The most jobs that are kept, over all instants that differ: some hundred megabytes. Programs with many tasks and
/// guards may have more.
const MOST: usize = 2_000_000;

/// What a search for a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// The shortest run.
    Found(Run),
    /// No run breaks the program.
    None,
    /// None of so many instants that differ breaks it. There may be more.
    GivenUp(usize),
}

/// The shortest run that breaks a program, which is given in its container, with what its module has of the
/// processor.
#[must_use]
pub fn shortest_run(project: &Project, slot: usize, bytes: &[u8]) -> Searched {
    let Ok(container) = Container::read(bytes) else { return Searched::GivenUp(0) };
    in_slot(project, slot, |slot| search(&Alone { container, slot }, MOST))
}

fn search(image: &impl Image, most: usize) -> Searched {
    let tasks = usize::from(image.tasks());
    let most = most / tasks.max(1);
    let begin =
        Node { at: 0, address: image.start(0), jobs: vec![Job::default(); tasks], position: 0, before: 0 };
    let mut nodes = vec![begin];
    let mut known = Known::of(image);
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((at, number))) = open.pop() {
        let Some(node) = nodes.get(number).filter(|node| known.is_new(node)) else { continue };
        match instant(image, node) {
            Some(Instant::Broken(path, task)) => {
                return Searched::Found(run(image, &nodes, number, &path, task));
            }
            Some(Instant::Ends(paths)) => {
                for path in paths {
                    let Some(next) = follow(image, at, number, path) else { continue };
                    if nodes.len() >= most {
                        return Searched::GivenUp(nodes.len());
                    }
                    open.push(Reverse((next.at, nodes.len())));
                    nodes.push(next);
                }
            }
            None => return Searched::GivenUp(nodes.len()),
        }
    }
    match waits_for_events(image) {
        true => Searched::GivenUp(nodes.len()),
        false => Searched::None,
    }
}

/// Whether a program waits for something that may come at any time: then there are more runs than those that
/// were followed.
fn waits_for_events(image: &impl Image) -> bool {
    let mut code = (0..=u16::MAX).map_while(|address| image.instruction(0, address));
    code.any(|instruction| matches!(instruction, Instruction::When { .. }))
}

/// What has been followed: for instants with one phase and address, their jobs. None of these is at least as bad as
/// another.
struct Known {
    /// The common multiple of all periods that begin with the program. If it can't be counted, no phase comes again.
    hyperperiod: u64,
    jobs: HashMap<(u64, u16, u32), Vec<Vec<FromNow>>>,
}

impl Known {
    fn of(image: &impl Image) -> Known {
        let losses = (0..=u8::MAX).map_while(|row| image.loss(row));
        let periods = losses.filter(|loss| loss.is_in_step).map(|loss| u64::from(loss.period.max(1)));
        let together = |all: u64, period: u64| all.saturating_mul(period / common(all, period));
        Known { hyperperiod: periods.fold(1, together), jobs: HashMap::new() }
    }

    /// Whether an instant isn't one that is known, or better than one.
    fn is_new(&mut self, node: &Node) -> bool {
        let from_now: Vec<_> = node.jobs.iter().map(|job| job.seen_from(node.at)).collect();
        let known = self.jobs.entry((node.at % self.hyperperiod, node.address, node.position)).or_default();
        if known.iter().any(|other| is_worse(other, &from_now)) {
            return false;
        }
        known.retain(|other| !is_worse(&from_now, other));
        known.push(from_now);
        true
    }
}

/// A job with its deadline from now; none at all if nothing is left.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct FromNow {
    left: u32,
    /// A deadline may lie behind.
    due: i64,
}

impl Job {
    fn seen_from(self, now: u64) -> FromNow {
        let due = self.due.checked_signed_diff(now).unwrap_or(i64::MAX);
        match self.left {
            0 => FromNow::default(),
            left => FromNow { left, due },
        }
    }
}

/// Whether jobs are at least as bad as others: as much is left of each, due at the same time.
fn is_worse(jobs: &[FromNow], others: &[FromNow]) -> bool {
    jobs.iter()
        .zip(others)
        .all(|(job, other)| other.left == 0 || job.left >= other.left && job.due == other.due)
}

/// What an instant comes to.
enum Instant {
    /// The way on which it is broken, and the task.
    Broken(Path, usize),
    /// The ways on which it ends.
    Ends(Vec<Path>),
}

/// Carries out an instant, with both answers of each guard, the lowest address first. If two ways meet with the same
/// jobs and the same next instant, one stands for both. Nothing if an instruction is one that programs of slots
/// don't have.
fn instant(image: &impl Image, node: &Node) -> Option<Instant> {
    let Node { address, position, .. } = *node;
    let begin = Path { address, jobs: node.jobs.clone(), next: None, position, addresses: Vec::new() };
    let mut paths = BTreeMap::from([(node.address, vec![begin])]);
    let mut ends = Vec::new();
    while let Some((_, met)) = paths.pop_first() {
        for mut path in met {
            let mut others = Vec::new();
            match step(image, node.at, &mut path, &mut others)? {
                Step::Broken(task) => return Some(Instant::Broken(path, task)),
                Step::On => others.push(path),
                Step::End => ends.push(path),
            }
            for path in others {
                let beside: &mut Vec<Path> = paths.entry(path.address).or_default();
                let comes_to = |path: &Path| (path.jobs.clone(), path.next, path.position);
                if !beside.iter().any(|other| comes_to(other) == comes_to(&path)) {
                    beside.push(path);
                }
            }
        }
    }
    Some(Instant::Ends(ends))
}

/// The next instant of a way that has ended.
fn follow(image: &impl Image, at: u64, before: usize, mut path: Path) -> Option<Node> {
    let (address, delay) = path.next?;
    pass(image, at, delay, &mut path.jobs);
    let Path { jobs, position, .. } = path;
    Some(Node { at: at.saturating_add(delay), address, jobs, position, before })
}

enum Step {
    On,
    End,
    Broken(usize),
}

/// An instruction; nothing if it's one that programs of slots don't have.
fn step(image: &impl Image, at: u64, path: &mut Path, others: &mut Vec<Path>) -> Option<Step> {
    let address = path.address;
    path.addresses.push(address);
    path.address = address.checked_add(1)?;
    let touched = |first: u16, count: u16, jobs: &[Job]| {
        let drivers = first..first.saturating_add(count);
        let is_touched = |task: usize| {
            drivers.clone().any(|driver| image.touched(driver, word(task)) >> (task % 32) & 1 == 1)
        };
        (0..jobs.len()).find(|task| jobs.get(*task).is_some_and(|job| job.left > 0) && is_touched(*task))
    };
    let broken = match image.instruction(0, address)? {
        Instruction::Call { driver } => touched(driver.0, 1, &path.jobs),
        Instruction::Calls { first, count } => touched(first.0, count.into(), &path.jobs),
        Instruction::Release { task, deadline } => release(image, at, path, (task.0, 1), deadline)?,
        Instruction::Releases { first, deadline, count } => {
            release(image, at, path, (first.0, count), deadline)?
        }
        Instruction::Future { delay, address } => {
            path.next = Some((address, image.duration(0, delay)?.ticks()));
            None
        }
        Instruction::When { address, .. } => {
            path.next = Some((address, 1));
            None
        }
        Instruction::Next { round, address } => {
            let round = Round::of(image.condition(0, round)?, |number| image.duration(0, number))?;
            let next = round.next(path.position);
            (path.next, path.position) = (Some((address, next.ahead.into())), next.position);
            None
        }
        Instruction::Beat { beat, address } => {
            if !is_beat(path.position, image.duration(0, beat)?) {
                path.address = address;
            }
            None
        }
        Instruction::Round {} => {
            path.position = 0;
            None
        }
        Instruction::Phase { .. } | Instruction::Period {} => None,
        Instruction::Jump { address } => {
            path.address = address;
            None
        }
        Instruction::Branch { address } | Instruction::Late { address, .. } => {
            others.push(Path { address, ..path.clone() });
            None
        }
        Instruction::Return {} => return Some(Step::End),
        _ => return None,
    };
    Some(broken.map_or(Step::On, Step::Broken))
}

fn word(task: usize) -> u8 {
    u8::try_from(task / 32).unwrap_or(u8::MAX)
}

/// Releases tasks; answers the first that is still at work.
fn release(
    image: &impl Image,
    at: u64,
    path: &mut Path,
    (first, count): (u8, u8),
    deadline: u8,
) -> Option<Option<usize>> {
    let due = at.saturating_add(image.duration(0, deadline)?.ticks());
    for task in first..first.checked_add(count)? {
        let job = path.jobs.get_mut(usize::from(task))?;
        if job.left > 0 {
            return Some(Some(task.into()));
        }
        *job = Job { left: image.task(task).bound, due };
    }
    Some(None)
}

/// What is left of jobs after a time. What is lost goes first, then the ranks in their order.
fn pass(image: &impl Image, at: u64, delay: u64, jobs: &mut [Job]) {
    let losses = (0..=u8::MAX).map_while(|row| image.loss(row));
    let lost = losses.map(|loss| loss.between(at, at.saturating_add(delay))).fold(0, u64::saturating_add);
    let mut time = delay.saturating_sub(lost);
    let last = image.ranks().saturating_sub(1);
    let mut order: Vec<_> = (0..image.tasks()).collect();
    order.sort_by_key(|task| {
        let rank = image.task(*task).rank.min(last);
        let job = jobs.get(usize::from(*task)).copied().unwrap_or_default();
        match image.policy(rank) {
            Policy::EarliestDeadline => (rank, job.due, *task),
            _ => (rank, 0, *task),
        }
    });
    for task in order {
        let is_run = image.policy(image.task(task).rank.min(last)) != Policy::None;
        if let Some(job) = jobs.get_mut(usize::from(task)).filter(|_| is_run) {
            let done = u32::try_from(time).unwrap_or(u32::MAX).min(job.left);
            job.left -= done;
            time -= u64::from(done);
        }
    }
}

/// The run that ends in a path of a node. What was done at the instants before is found once more.
fn run(image: &impl Image, nodes: &[Node], number: usize, path: &Path, task: usize) -> Run {
    let left = path.jobs.get(task).map_or(0, |job| job.left);
    let mut numbers = vec![number];
    while let Some(node) = numbers.last().filter(|number| **number > 0).and_then(|number| nodes.get(*number))
    {
        numbers.push(node.before);
    }
    numbers.reverse();
    let chain: Vec<_> = numbers.iter().filter_map(|number| nodes.get(*number)).collect();
    let done = |pair: &[&Node]| match pair {
        [node, next] => Visit { at: node.at, addresses: between(image, node, next).unwrap_or_default() },
        _ => Visit { at: 0, addresses: Vec::new() },
    };
    let mut instants: Vec<_> = chain.windows(2).map(done).collect();
    let at = chain.last().map_or(0, |node| node.at);
    instants.push(Visit { at, addresses: path.addresses.clone() });
    Run { instants, task, left }
}

/// What is done at an instant, if this is the next.
fn between(image: &impl Image, node: &Node, next: &Node) -> Option<Vec<u16>> {
    let Instant::Ends(paths) = instant(image, node)? else { return None };
    paths.into_iter().find_map(|path| {
        let addresses = path.addresses.clone();
        let came = follow(image, node.at, next.before, path)?;
        let is_next = (came.at, came.address, came.position) == (next.at, next.address, next.position);
        (is_next && came.jobs == next.jobs).then_some(addresses)
    })
}

#[cfg(test)]
mod tests;
