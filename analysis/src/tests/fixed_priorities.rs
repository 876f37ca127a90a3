//! Fixed priorities for sporadic tasks: compared with simulated arrivals, and textbook examples.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs::{self, Activation, START, all_dense, always, dense, longest, misses};
use super::ticks;
use crate::fixed_priority::limited::{self, Chunked};
use crate::fixed_priority::{assignment, holds, response_times};
use crate::{Failure, Fault, Sporadic, Ticks};

const SEEDS: std::ops::Range<u64> = 0..300;
const LENGTH: u64 = 600;

fn sporadic(period: u64, worst: u64) -> Sporadic {
    Sporadic::implicit(ticks(period), ticks(worst))
}

fn by_order(job: &Activation, _: u64) -> usize {
    job.task
}

fn numbers(responses: &[Ticks]) -> Vec<u64> {
    responses.iter().map(|response| response.get()).collect()
}

/// Dense arrivals are the worst case for all tasks at once.
#[test]
fn response_times_are_those_of_dense_arrivals() {
    let mut held = 0;
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let activations = all_dense(&tasks, LENGTH);
        let ends = jobs::run(&activations, by_order, always);
        let responses = response_times(&tasks, &[]).unwrap();
        assert_eq!(numbers(&responses), longest(tasks.len(), &activations, &ends), "seed {seed}: {tasks:?}");
        assert_eq!(holds(&tasks, &[]), Ok(!misses(&activations, &ends)), "seed {seed}: {tasks:?}");
        held += u32::from(holds(&tasks, &[]).unwrap());
    }
    assert!((50..250).contains(&held), "lopsided: {held} hold");
}

/// Where a random task's jobs may be preempted: after these amounts of work.
fn cuts(tasks: &[Sporadic], random: &mut Random) -> Vec<Vec<u64>> {
    let cut = |task: &Sporadic, random: &mut Random| {
        let every = random.within(1, 3);
        (1..task.worst.get()).filter(|_| random.within(0, every) == 0).collect()
    };
    tasks.iter().map(|task| cut(task, random)).collect()
}

/// The chunks between the cuts, each with the work before it.
fn chunks(task: &Sporadic, cuts: &[u64]) -> Vec<(u64, u64)> {
    let begins = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([task.worst.get()]);
    begins.zip(ends).map(|(begin, end)| (begin, end - begin)).collect()
}

fn chunked(tasks: &[Sporadic], cuts: &[Vec<u64>]) -> Vec<Chunked> {
    let of = |(task, cuts): (&Sporadic, &Vec<u64>)| {
        let lengths: Vec<_> = chunks(task, cuts).iter().map(|(_, length)| *length).collect();
        let longest = ticks(*lengths.iter().max().unwrap());
        Chunked { task: *task, longest, last: ticks(*lengths.last().unwrap()) }
    };
    tasks.iter().zip(cuts).map(of).collect()
}

/// The longest response of a task whose busy period begins with any chunk of a less urgent task, or with
/// none.
fn seen(tasks: &[Sporadic], cuts: &[Vec<u64>], index: usize) -> u64 {
    let urgent: Vec<_> =
        (0..=index).flat_map(|task| dense(task, &tasks[task], START, START + LENGTH)).collect();
    let mut blockers = vec![None];
    for (task, cuts) in cuts.iter().enumerate().skip(index + 1) {
        let begins = chunks(&tasks[task], cuts).into_iter().map(|(begin, _)| START - 1 - begin);
        blockers.extend(begins.map(|release| Some((task, release))));
    }
    let respond = |blocker: &Option<(usize, u64)>| {
        let mut activations = urgent.clone();
        activations.extend(blocker.map(|(task, release)| Activation {
            task,
            arrival: release,
            release,
            deadline: u64::MAX,
            work: tasks[task].worst.get(),
        }));
        let ends = jobs::run(&activations, by_order, |task, done| done == 0 || cuts[task].contains(&done));
        longest(tasks.len(), &activations, &ends)[index]
    };
    blockers.iter().map(respond).max().unwrap()
}

#[test]
fn response_times_with_chunks_are_reached() {
    let mut in_time_with_chunks = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let cuts = cuts(&tasks, &mut random);
        let responses = limited::response_times(&chunked(&tasks, &cuts)).unwrap();
        let reached: Vec<_> = (0..tasks.len()).map(|index| seen(&tasks, &cuts, index)).collect();
        assert_eq!(numbers(&responses), reached, "seed {seed}: {tasks:?} cut at {cuts:?}");
        let in_time = tasks.iter().zip(&responses).all(|(task, response)| *response <= task.deadline);
        assert_eq!(limited::holds(&chunked(&tasks, &cuts)), Ok(in_time), "seed {seed}");
        in_time_with_chunks += u32::from(in_time);
    }
    assert!(in_time_with_chunks > 10, "{in_time_with_chunks}");
}

#[test]
fn random_arrivals_never_take_longer() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let cuts = cuts(&tasks, &mut random);
        let responses = numbers(&limited::response_times(&chunked(&tasks, &cuts)).unwrap());
        let activations = jobs::random(&tasks, LENGTH, &mut random);
        let ends = jobs::run(&activations, by_order, |task, done| done == 0 || cuts[task].contains(&done));
        let seen = longest(tasks.len(), &activations, &ends);
        assert!(
            seen.iter().zip(&responses).all(|(seen, bound)| seen <= bound),
            "seed {seed}: {seen:?} {responses:?}"
        );
    }
}

/// Lehoczky's example: of the seven jobs in the busy period the fifth takes longest. Negative control: the
/// first job alone would suggest 114 as the worst.
#[test]
fn a_later_job_can_take_longest() {
    let tasks = [sporadic(70, 26), sporadic(100, 62)];
    assert_eq!(response_times(&tasks, &[]), Ok(vec![ticks(26), ticks(118)]));
    let due = |deadline| [tasks[0], tasks[1].due(ticks(deadline))];
    assert_eq!((holds(&due(118), &[]), holds(&due(117), &[])), (Ok(true), Ok(false)));
}

/// The example by which Davis and others refuted the analysis of CAN: from one job of each, the third message
/// would take 300 and meet 325; its second job takes 350.
#[test]
fn jobs_that_run_to_their_ends_can_push_their_successors() {
    let tasks =
        [sporadic(250, 100), sporadic(350, 100), sporadic(350, 100).due(ticks(325))].map(Chunked::whole);
    assert_eq!(limited::response_times(&tasks).map(|responses| responses[2]), Ok(ticks(350)));
    assert_eq!(limited::holds(&tasks), Ok(false));
}

/// Chunks of one tick equal full preemption; negative control: longer ones block more urgent tasks.
#[test]
fn the_shortest_chunks_are_plain_preemption() {
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let preemptive: Vec<_> = tasks.iter().copied().map(Chunked::preemptive).collect();
        assert_eq!(
            limited::response_times(&preemptive),
            response_times(&tasks, &[]),
            "seed {seed}: {tasks:?}"
        );
    }
    let tasks = [sporadic(10, 2), sporadic(50, 9)];
    assert_eq!(limited::response_times(&tasks.map(Chunked::whole)), Ok(vec![ticks(10), ticks(11)]));
}

/// Negative control: late releases come closer together than periods.
#[test]
fn jitter_counts() {
    let tasks = [sporadic(10, 3), sporadic(20, 5)];
    assert_eq!(response_times(&tasks, &[]), Ok(vec![ticks(3), ticks(8)]));
    let late = [tasks[0].released_within(ticks(5)), tasks[1]];
    assert_eq!(response_times(&late, &[]), Ok(vec![ticks(8), ticks(11)]));
}

/// All orders of a few tasks.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(less) = count.checked_sub(1) else { return vec![vec![]] };
    let inserted = |order: Vec<usize>| {
        (0..count).map(move |place| {
            let mut order = order.clone();
            order.insert(place, less);
            order
        })
    };
    orders(less).into_iter().flat_map(inserted).collect()
}

fn in_order(tasks: &[Sporadic], order: &[usize]) -> Vec<Sporadic> {
    order.iter().map(|&index| tasks[index]).collect()
}

#[test]
fn audsley_finds_an_order_if_there_is_one() {
    let (mut found, mut only_audsley) = (0, 0);
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let meets = |order: &Vec<usize>| holds(&in_order(&tasks, order), &[]).unwrap();
        let best = assignment::best(&tasks).unwrap();
        assert_eq!(best.is_some(), orders(tasks.len()).iter().any(&meets), "seed {seed}: {tasks:?}");
        if let Some(order) = best {
            assert!(meets(&order), "seed {seed}: {order:?} of {tasks:?}");
            found += 1;
            only_audsley += u32::from(!meets(&assignment::deadline_monotonic(&tasks)));
        }
    }
    assert!(found > 100 && only_audsley > 0, "{found} found, {only_audsley} by Audsley only");
}

/// The same for non-preemptive jobs, where shortest deadlines first isn't optimal.
#[test]
fn audsley_serves_other_tests() {
    for seed in SEEDS {
        let tasks: Vec<_> = jobs::tasks(&mut Random(seed)).into_iter().map(Chunked::whole).collect();
        let meets = |order: &Vec<usize>| {
            let ordered: Vec<_> = order.iter().map(|&index| tasks[index]).collect();
            limited::holds(&ordered).unwrap()
        };
        let fits = |task: usize, above: &[usize], below: &[usize]| -> Result<bool, Failure> {
            let order = above.iter().chain([&task]).chain(below);
            let mut ordered: Vec<_> = order.map(|&index| tasks[index]).collect();
            // Only the deadline of the task under test counts.
            for (place, chunked) in ordered.iter_mut().enumerate().filter(|(place, _)| *place != above.len())
            {
                chunked.task.deadline = ticks(100_000 + place as u64);
            }
            limited::holds(&ordered)
        };
        let found = assignment::audsley(tasks.len(), fits).unwrap();
        assert_eq!(found.is_some(), orders(tasks.len()).iter().any(meets), "seed {seed}: {tasks:?}");
    }
}

/// For constrained deadlines, shortest deadlines first is optimal; negative control: shortest periods first
/// isn't.
#[test]
fn deadline_monotonic_is_best_for_constrained_deadlines() {
    let mut worse = 0;
    for seed in SEEDS {
        let constrained =
            |task: &Sporadic| task.due(task.deadline.min(task.period)).released_within(ticks(0));
        let tasks: Vec<_> = jobs::tasks(&mut Random(seed)).iter().map(constrained).collect();
        let meets = |order: Vec<usize>| holds(&in_order(&tasks, &order), &[]).unwrap();
        let best = assignment::best(&tasks).unwrap().is_some();
        assert_eq!(meets(assignment::deadline_monotonic(&tasks)), best, "seed {seed}: {tasks:?}");
        worse += u32::from(best && !meets(assignment::rate_monotonic(&tasks)));
    }
    assert!(worse > 0);
}

#[test]
fn nonsense_and_overload_are_refused() {
    assert_eq!(holds(&[sporadic(4, 3), sporadic(8, 3)], &[]), Ok(false));
    assert!(matches!(response_times(&[sporadic(4, 3), sporadic(8, 3)], &[]), Err(Failure::Overload { .. })));
    assert_eq!(
        response_times(&[sporadic(4, 2), sporadic(8, 4)], &[ticks(0), ticks(1)]),
        Err(Failure::TooLong)
    );
    let wrong = [(3, 0), (2, 3), (6, 1)].map(|(longest, last)| {
        let chunked = Chunked { task: sporadic(10, 5), longest: ticks(longest), last: ticks(last) };
        limited::holds(&[Chunked::whole(sporadic(9, 1)), chunked])
    });
    let refused = || Err(Failure::Invalid { name: "task 1".into(), fault: Fault::ChunkOutOfRange });
    assert_eq!(wrong, [refused(), refused(), refused()]);
}
