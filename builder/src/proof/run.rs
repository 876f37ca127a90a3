//! The shortest run that breaks a program for a slot: instant by instant, with the longest times, and with all that may be lost.
//!
//! The check of time tells the instruction and the instant. Here the program is carried out once more in the plainest way, both ways of
//! each guard one after the other, and the instants that led there are kept. It is for people: nothing is accepted by it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use beryl_syscode::check::time::{Image, Parts, Policy};
use beryl_syscode::{Container, Instruction};

use super::arrival::with;
use crate::Project;

/// A run that ends where a job isn't done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its instants.
    pub instants: Vec<Visit>,
    /// The task that may still be at work at the last instruction.
    pub task: usize,
    /// The ticks of work that are left of its job, at most.
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

/// A job: what is left of it, when it's due, when it was released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Job {
    left: u32,
    due: u64,
    released: u64,
}

/// An instant that is come to, and what is left then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    at: u64,
    address: u16,
    jobs: Vec<Job>,
}

/// A state, with the instants before it: the one that led there, by its number, and what was done then.
struct Node {
    state: State,
    before: Option<(usize, Vec<u16>)>,
}

/// A way through the code of an instant.
#[derive(Clone)]
struct Path {
    address: u16,
    jobs: Vec<Job>,
    next: Option<(u16, u64)>,
    addresses: Vec<u16>,
}

/// So many instants are looked at: programs with many guards may have more.
const MOST: usize = 50_000;

/// The shortest run of a program, in its container, that breaks it in what its module has of the processor. Nothing if there is none that can be found.
#[must_use]
pub fn shortest_run(project: &Project, slot: usize, bytes: &[u8]) -> Option<Run> {
    let container = Container::read(bytes).ok()?;
    with(project, slot, container, search)
}

fn search(image: &Parts<'_>) -> Option<Run> {
    let jobs = vec![Job::default(); image.tasks().into()];
    let mut nodes = vec![Node { state: State { at: 0, address: image.start(0), jobs }, before: None }];
    let mut known = HashSet::new();
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    while let Some(Reverse((at, number))) = open.pop() {
        let state = nodes.get(number)?.state.clone();
        let mut paths =
            vec![Path { address: state.address, jobs: state.jobs, next: None, addresses: Vec::new() }];
        while let Some(mut path) = paths.pop() {
            loop {
                match step(image, at, &mut path, &mut paths)? {
                    Step::On => {}
                    Step::Broken(task) => return Some(run(&nodes, number, at, &path, task)),
                    Step::End => break,
                }
            }
            let Some((address, delay)) = path.next else { continue };
            pass(image, at, delay, &mut path.jobs);
            let state = State { at: at.saturating_add(delay), address, jobs: path.jobs };
            if nodes.len() < MOST && known.insert(state.clone()) {
                open.push(Reverse((state.at, nodes.len())));
                nodes.push(Node { state, before: Some((number, path.addresses)) });
            }
        }
    }
    None
}

enum Step {
    On,
    End,
    Broken(usize),
}

/// An instruction; nothing if it's one that programs of slots don't have.
fn step(image: &Parts<'_>, at: u64, path: &mut Path, others: &mut Vec<Path>) -> Option<Step> {
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
    image: &Parts<'_>,
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
        *job = Job { left: image.task(task).bound, due, released: at };
    }
    Some(None)
}

/// What is left of jobs after a time: what is lost goes first, then ranks in their order.
fn pass(image: &Parts<'_>, at: u64, delay: u64, jobs: &mut [Job]) {
    let losses = (0..=u8::MAX).map_while(|row| image.loss(row));
    let lost = losses.map(|loss| loss.between(at, at.saturating_add(delay))).fold(0, u64::saturating_add);
    let mut time = delay.saturating_sub(lost);
    let last = image.ranks().saturating_sub(1);
    let mut order: Vec<_> = (0..image.tasks()).collect();
    order.sort_by_key(|task| {
        let rank = image.task(*task).rank.min(last);
        let job = jobs.get(usize::from(*task)).copied().unwrap_or_default();
        match image.policy(rank) {
            Policy::EarliestDeadline => (rank, job.due, Reverse(job.released), *task),
            _ => (rank, 0, Reverse(0), *task),
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

/// The run that ends in a path of a node.
fn run(nodes: &[Node], number: usize, at: u64, path: &Path, task: usize) -> Run {
    let mut instants = vec![Visit { at, addresses: path.addresses.clone() }];
    let mut next = nodes.get(number).and_then(|node| node.before.as_ref());
    while let Some((before, addresses)) = next {
        let Some(node) = nodes.get(*before) else { break };
        instants.push(Visit { at: node.state.at, addresses: addresses.clone() });
        next = node.before.as_ref();
    }
    instants.reverse();
    Run { instants, task, left: path.jobs.get(task).map_or(0, |job| job.left) }
}
