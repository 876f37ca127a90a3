//! Deadlines that count from releases: compared with simulated arrivals, other people's analyses, and the
//! order of arrivals.

use beryl_testing::{Draw, SplitMix64 as Random};

use response_time_analysis::arrival::Sporadic as TheirSporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::edf::fully_preemptive::{Task as TheirTask, dedicated_uniproc_rta};
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;

use super::jobs::{self, Activation, START, always, dense, longest, misses};
use super::*;
use crate::edf::late::response_times;

const SEEDS: std::ops::Range<u64> = 0..300;

/// Which job goes first: the deadline counts from the release.
fn by_turn(tasks: &[Sporadic]) -> impl Fn(&Activation, u64) -> u64 {
    |job, _| job.release + tasks[job.task].deadline.get()
}

/// The longest response of one task that comes as late as it may, over all its releases in a busy interval
/// that all others start together; equal deadlines of others go first.
fn seen(tasks: &[Sporadic], index: usize) -> u64 {
    let (own, jitter) = (&tasks[index], tasks[index].jitter.get());
    let others = || tasks.iter().enumerate().filter(|(other, _)| *other != index);
    let mut seen = 0;
    for release in START..START + 60 {
        let mut activations: Vec<_> =
            others().flat_map(|(other, of)| dense(other, of, START, START + 120)).collect();
        let before = (0..).map(|jobs| release - jobs * own.period.get());
        for release in before.take_while(|release| *release >= START) {
            let arrival = release - jitter;
            let deadline = arrival + own.deadline.get();
            activations.push(Activation { task: index, arrival, release, deadline, work: own.worst.get() });
        }
        let turn = by_turn(tasks);
        let ends = jobs::run(&activations, |job, done| (turn(job, done), job.task == index), always);
        seen = seen.max(longest(tasks.len(), &activations, &ends)[index]);
    }
    seen
}

#[test]
fn late_releases_take_as_long_as_their_runs() {
    for seed in 0..60 {
        let tasks = jobs::tasks(&mut Random(seed));
        let responses = response_times(&tasks).unwrap();
        for (index, response) in responses.iter().enumerate() {
            assert_eq!(response.get(), seen(&tasks, index), "seed {seed}, task {index}: {tasks:?}");
        }
    }
}

/// Negative control: with the order of arrivals instead, some bounds are exceeded.
#[test]
fn random_late_releases_never_take_longer() {
    let mut beyond_arrivals = 0;
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let responses = response_times(&tasks).unwrap();
        let by_arrival = edf::response_times(&tasks).unwrap();
        for _ in 0..4 {
            let activations = jobs::random(&tasks, 300, &mut random);
            let ends = jobs::run(&activations, by_turn(&tasks), always);
            let longest = longest(tasks.len(), &activations, &ends);
            let exceeds =
                |bounds: &[Ticks]| longest.iter().zip(bounds).any(|(seen, bound)| *seen > bound.get());
            assert!(!exceeds(&responses), "seed {seed}: {longest:?} beyond {responses:?}: {tasks:?}");
            beyond_arrivals += u32::from(exceeds(&by_arrival));
        }
    }
    assert!(beyond_arrivals > 20, "{beyond_arrivals}");
}

/// Two small tasks: every phase, and every lateness of each of three jobs.
#[test]
fn no_pattern_of_small_systems_takes_longer_and_one_takes_as_long() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let tasks = [0; 2].map(|_| {
            let period = random.within(5, 6);
            let task = Sporadic::implicit(ticks(period), ticks(random.within(1, 2)));
            task.due(ticks(random.within(3, 6))).released_within(ticks(random.within(0, 2)))
        });
        let mut seen = [0; 2];
        for pattern in patterns(&tasks) {
            let ends = jobs::run(&pattern, by_turn(&tasks), always);
            let found = longest(2, &pattern, &ends);
            seen.iter_mut().zip(found).for_each(|(seen, found)| *seen = found.max(*seen));
        }
        let responses = response_times(&tasks).unwrap();
        // These runs break ties one way, the analysis either way.
        let reached = responses.iter().zip(seen).filter(|(bound, seen)| bound.get() == *seen).count();
        assert!(
            responses.iter().zip(seen).all(|(bound, seen)| seen <= bound.get()),
            "seed {seed}: {tasks:?}"
        );
        assert!(reached > 0, "seed {seed}: {seen:?} {responses:?} {tasks:?}");
    }
}

/// Three jobs of each of two tasks, a period apart.
fn patterns(tasks: &[Sporadic; 2]) -> Vec<Vec<Activation>> {
    let choices = tasks.each_ref().map(|task| task.jitter.get() + 1);
    let count = (choices[0] * choices[1]).pow(3);
    let mut all = Vec::new();
    for phase in 0..tasks[1].period.get() {
        for number in 0..count {
            let (mut rest, mut jobs) = (number, Vec::new());
            for (task, of) in tasks.iter().enumerate() {
                let mut last = 0;
                for job in 0..3 {
                    let late = rest % choices[task];
                    rest /= choices[task];
                    let arrival = START + phase * task as u64 + job * of.period.get();
                    last = last.max(arrival + late);
                    let deadline = arrival + of.deadline.get();
                    jobs.push(Activation { task, arrival, release: last, deadline, work: of.worst.get() });
                }
            }
            all.push(jobs);
        }
    }
    all
}

/// The task under test comes on time, since their responses are measured from releases; all others come late.
#[test]
fn late_releases_of_others_have_their_response_times() {
    let arrivals = |task: &Sporadic| {
        TheirSporadic::new(Duration::from(task.period.get()), Duration::from(task.jitter.get()))
    };
    for seed in 0..3_000 {
        let mut tasks = jobs::tasks(&mut Random(seed));
        tasks[0].jitter = ticks(0);
        let cost = |task: &Sporadic| Scalar::new(Service::from(task.worst.get()));
        let bounds: Vec<_> = tasks.iter().map(|task| RBF::new(arrivals(task), cost(task))).collect();
        let theirs = |index: usize| TheirTask {
            rbf: &bounds[index],
            deadline: Duration::from(tasks[index].deadline.get()),
        };
        let others: Vec<_> = (1..tasks.len()).map(theirs).collect();
        let found = dedicated_uniproc_rta(&theirs(0), &others, Duration::from(100_000)).unwrap();
        assert_eq!(response_times(&tasks).unwrap()[0].get(), found.into(), "seed {seed}: {tasks:?}");
    }
}

#[test]
fn who_comes_on_time_takes_as_long_in_either_order() {
    for seed in 0..3_000 {
        let tasks = jobs::tasks(&mut Random(seed));
        let on_time: Vec<_> = tasks.iter().map(|task| task.released_within(ticks(0))).collect();
        assert_eq!(response_times(&on_time), edf::response_times(&on_time), "seed {seed}: {tasks:?}");
    }
}

/// By hand: the first comes 5 late together with the second, which then goes before it.
fn late_one() -> [Sporadic; 2] {
    let first = Sporadic::implicit(ticks(20), ticks(3)).due(ticks(10)).released_within(ticks(5));
    [first, Sporadic::implicit(ticks(20), ticks(3)).due(ticks(8))]
}

/// Negative control: the demand criterion accepts the task, and it is late.
#[test]
fn who_comes_late_may_be_late_though_all_demand_fits() {
    let tasks = late_one();
    assert_eq!(edf::holds(&tasks), Ok(true));
    assert_eq!(edf::response_times(&tasks), Ok(vec![ticks(8), ticks(6)]));
    // The second waits for the rest of the first if that came 2 earlier.
    assert_eq!(response_times(&tasks), Ok(vec![ticks(5 + 6), ticks(1 + 3)]));
    let job = |task: usize, arrival: u64, release: u64| {
        let of = &tasks[task];
        Activation { task, arrival, release, deadline: arrival + of.deadline.get(), work: of.worst.get() }
    };
    let run = [job(0, START, START + 5), job(1, START + 5, START + 5)];
    let ends = jobs::run(&run, by_turn(&tasks), always);
    assert!(misses(&run, &ends) && ends == [START + 11, START + 8], "{ends:?}");
}

/// The same in a band of a system, for all questions about it.
#[test]
fn a_band_counts_late_releases() {
    let of = |task: &Sporadic| Task {
        deadline: task.deadline,
        jitter: task.jitter,
        is_sporadic: true,
        ..super::task("late", task.period.get(), task.worst.get())
    };
    let mut system = dynamic(late_one().iter().map(of).collect());
    let refused = Failure::NotProved { task: "late".into(), deadline: ticks(10), response: ticks(11) };
    assert_eq!(prove(&system), Err(refused));
    let modal = |system: &System| crate::modes::Modal { system: system.clone(), modules: Vec::new() };
    assert!(crate::modes::prove(&modal(&system)).is_err());
    assert!(crate::sensitivity::speed(&system).is_err());
    system.bands[0].tasks[0].jitter = ticks(4);
    let proof = prove(&system).unwrap();
    assert_eq!(responses(&proof), [10, 4]);
    assert_eq!(responses(&crate::modes::prove(&modal(&system)).unwrap())[0], 10);
    let speed = crate::sensitivity::speed(&system).unwrap();
    assert_eq!(speed.breaks_first, Some(TaskIndex { band: 0, task: 0 }));
    assert_eq!(crate::sensitivity::longest(&system).unwrap(), [[ticks(3), ticks(3)]]);
    // The blocking applies to both.
    let urgency = |deadline| {
        Some(Urgency { shortest: ticks(deadline), longest: ticks(deadline), ..Urgency::default() })
    };
    let below = Some(Urgency { band: 1, ..Urgency::default() });
    let user = |thread, urgency, hold| User { thread, urgency, hold: ticks(hold) };
    let users = vec![user(0, urgency(10), 1), user(1, urgency(8), 1), user(2, below, 2)];
    system.locks = vec![Lock { users, ..Lock::default() }];
    system.bands[0].tasks[0].jitter = ticks(2);
    assert_eq!(responses(&prove(&system).unwrap()), [2 + 6 + 2, 4 + 2]);
}
