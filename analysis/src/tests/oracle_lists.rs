//! The tests for lists compared with other people's analyses: the crate `response-time-analysis`, on
//! thousands of random lists.

use beryl_testing::{Draw, SplitMix64 as Random};

use response_time_analysis::arrival::Sporadic as TheirSporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf as their_edf, fixed_priority as their_fixed};

use super::jobs;
use super::*;
use crate::fixed_priority::limited::{self, Chunked};

const SEEDS: std::ops::Range<u64> = 0..3_000;
const LIMIT: u64 = 100_000;

type Bound = RBF<TheirSporadic, Scalar>;

fn arrivals(task: &Sporadic) -> TheirSporadic {
    TheirSporadic::new(Duration::from(task.period.get()), Duration::from(task.jitter.get()))
}

fn cost(task: &Sporadic) -> Scalar {
    Scalar::new(Service::from(task.worst.get()))
}

fn bound(task: &Sporadic) -> Bound {
    RBF::new(arrivals(task), cost(task))
}

fn deadline(task: &Sporadic) -> Duration {
    Duration::from(task.deadline.get())
}

/// The tasks before one without jitter: they measure from releases, we from arrivals.
fn on_time(tasks: &[Sporadic], index: usize) -> Vec<Sporadic> {
    let mut tasks = tasks.to_vec();
    tasks[index].jitter = ticks(0);
    tasks
}

#[test]
fn fixed_priorities_have_their_response_times() {
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let index = tasks.len() - 1;
        let tasks = on_time(&tasks, index);
        let above: Vec<_> = tasks[..index].iter().map(bound).collect();
        let theirs = their_fixed::fully_preemptive::dedicated_uniproc_rta(
            &bound(&tasks[index]),
            &above,
            Duration::from(LIMIT),
        );
        let ours = fixed_priority::response_times(&tasks, &[]).unwrap()[index].get();
        assert_eq!(ours, theirs.unwrap().into(), "seed {seed}: {tasks:?}");
    }
}

/// A last chunk of random length, blocked by the longest of the less urgent tasks.
#[test]
fn chunks_have_their_response_times() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let index = tasks.len() - 2;
        let tasks = on_time(&tasks, index);
        let chunked: Vec<_> = tasks
            .iter()
            .map(|task| {
                let longest = random.within(1, task.worst.get());
                Chunked { task: *task, longest: ticks(longest), last: ticks(random.within(1, longest)) }
            })
            .collect();
        let above: Vec<_> = tasks[..index].iter().map(bound).collect();
        let their_task = their_fixed::limited_preemptive::TaskUnderAnalysis {
            wcet: cost(&tasks[index]),
            arrivals: &arrivals(&tasks[index]),
            last_np_segment: Service::from(chunked[index].last.get()),
            blocking_bound: Service::from(chunked[index + 1].longest.get() - 1),
        };
        let theirs = their_fixed::limited_preemptive::dedicated_uniproc_rta(
            &their_task,
            &above,
            Duration::from(LIMIT),
        );
        let ours = limited::response_times(&chunked).unwrap()[index].get();
        assert_eq!(ours, theirs.unwrap().into(), "seed {seed}: {chunked:?}");
    }
}

#[test]
fn earliest_deadlines_have_their_response_times() {
    use their_edf::fully_preemptive::{Task, dedicated_uniproc_rta};
    for seed in SEEDS {
        let tasks: Vec<_> =
            jobs::tasks(&mut Random(seed)).iter().map(|task| task.released_within(ticks(0))).collect();
        let responses = edf::response_times(&tasks).unwrap();
        let bounds: Vec<_> = tasks.iter().map(bound).collect();
        for (index, task) in tasks.iter().enumerate() {
            let theirs = |other: usize| Task { rbf: &bounds[other], deadline: deadline(&tasks[other]) };
            let others: Vec<_> = (0..tasks.len()).filter(|other| *other != index).map(theirs).collect();
            let found = dedicated_uniproc_rta(&theirs(index), &others, Duration::from(LIMIT)).unwrap();
            assert_eq!(responses[index].get(), found.into(), "seed {seed}: {task:?} of {tasks:?}");
        }
    }
}

/// Theirs bounds response times, ours answers yes or no: if all of theirs are in time, ours must hold;
/// otherwise ours may hold only if their bound isn't reached.
#[test]
fn what_is_not_preempted_has_their_verdict() {
    use their_edf::fully_nonpreemptive::{Task, dedicated_uniproc_rta};
    let (mut agreed, mut only_ours) = (0, 0);
    for seed in SEEDS {
        let tasks: Vec<_> =
            jobs::tasks(&mut Random(seed)).iter().map(|task| task.released_within(ticks(0))).collect();
        let arrivals: Vec<_> = tasks.iter().map(arrivals).collect();
        let in_time = |index: usize| {
            let theirs = |other: usize| Task {
                wcet: cost(&tasks[other]),
                arrivals: &arrivals[other],
                deadline: deadline(&tasks[other]),
            };
            let others: Vec<_> = (0..tasks.len()).filter(|other| *other != index).map(theirs).collect();
            let found = dedicated_uniproc_rta(&theirs(index), &others, Duration::from(LIMIT)).unwrap();
            found <= deadline(&tasks[index])
        };
        let theirs = (0..tasks.len()).all(in_time);
        let ours = edf::non_preemptive::holds(&tasks).unwrap();
        assert!(ours || !theirs, "seed {seed}: {tasks:?}");
        agreed += u32::from(ours == theirs);
        only_ours += u32::from(ours != theirs);
    }
    assert!(agreed == 3_000, "{agreed} agreed, {only_ours} only ours");
}
