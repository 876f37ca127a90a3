//! No run of a server costs others more, or leaves its work less, than the bounds say.

use beryl_testing::cases;

use super::*;
use crate::fixed_priority;
use crate::servers::supply::Whole;
use crate::servers::{self, Supply};

const LENGTH: u64 = 160;

/// Compares one run with the bounds. `served` is by when a budget is served.
fn compare(case: &str, policy: Policy, of: &Server, above: usize, served: Ticks, given: &Workload) -> Run {
    let run = model::run(given, &mut *server(policy, *of, above));
    let begins = beginnings(given, &run, above, LENGTH);
    let anywhere = above == 0 || policy == Policy::Deferrable;
    let most = most(&run, LENGTH, |start| anywhere || begins[start as usize]);
    let supply = policy.supply(of, served).unwrap();
    for (length, (most, least)) in most.iter().zip(least(given, &run, LENGTH)).enumerate() {
        let window = ticks(length as u64);
        let bound = policy.interference(of, window).unwrap();
        assert!(*most <= bound.get(), "{case}: {policy:?} {of:?} took {most} in {window}, not {bound}");
        let bound = supply.least(window).unwrap();
        assert!(
            least.is_none_or(|least| bound.get() <= least),
            "{case}: {policy:?} {of:?} gave {least:?} in {window}, not {bound}"
        );
    }
    run
}

/// Interference, supply, and the responses of tasks above and below.
#[test]
fn no_server_takes_more_or_gives_less_than_its_bounds() {
    let (mut compared, mut beneath) = (0, 0);
    for seed in 0..cases(400, 4000) {
        let mut random = Random(seed);
        let (tasks, of, above) = system(&mut random);
        let Some(served) = of.served(&Whole, &tasks[..above]).unwrap() else { continue };
        for policy in FIXED {
            let mut all = tasks.clone();
            all.insert(above, policy.as_task(&of));
            let Ok(responses) = fixed_priority::response_times(&all, &[]) else { continue };
            let work = work(&of, LENGTH, &mut random);
            let given = workload(tasks.clone(), arrivals(&tasks, LENGTH, &mut random), work);
            let run = compare(&format!("seed {seed}"), policy, &of, above, served, &given);
            for (job, end) in given.jobs.iter().zip(&run.ends) {
                let response = responses[if job.task < above { job.task } else { job.task + 1 }];
                let took = end.less(job.release);
                assert!(took <= response, "seed {seed}: {policy:?} task {} took {took}", job.task);
            }
            compared += 1;
            beneath += u32::from(above > 0);
        }
    }
    assert!(compared > 1000 && beneath > 500, "lopsided: {compared}, {beneath} of them beneath tasks");
}

/// Responses of streams of work, beneath tasks and above.
#[test]
fn no_served_job_takes_longer_than_its_bound() {
    let mut reached = 0;
    for seed in 0..cases(300, 3000) {
        let mut random = Random(seed);
        let (tasks, of, above) = system(&mut random);
        let Some(served) = of.served(&Whole, &tasks[..above]).unwrap() else { continue };
        let stream = task(random.within(of.period.get(), 40), random.within(1, of.budget.get()))
            .due(ticks(10_000))
            .released_within(ticks(random.within(0, 6)));
        for policy in FIXED {
            let supply = policy.supply(&of, served).unwrap();
            let bound = crate::servers::under::responses(&[stream], &[], &supply).unwrap()[0].unwrap();
            let first = random.within(0, of.period.get());
            let mut arrivals_of: Vec<u64> = vec![first];
            while arrivals_of.last().unwrap() + stream.period.get() < 400 {
                let more = *random.one_of(&[0, 0, 0, 1, 5]);
                arrivals_of.push(arrivals_of.last().unwrap() + stream.period.get() + more);
            }
            let released = |arrival: &u64| arrival + *random.one_of(&[0, stream.jitter.get()]);
            let mut releases: Vec<u64> = arrivals_of.iter().map(released).collect();
            releases.sort_unstable();
            let work = releases.iter().map(|release| (*release, stream.worst.get())).collect::<Vec<_>>();
            let given = workload(tasks.clone(), arrivals(&tasks, 500, &mut random), soft(&work));
            let run = model::run(&given, &mut *server(policy, of, above));
            for (arrival, end) in arrivals_of.iter().zip(&run.served) {
                let took = end.get() - arrival;
                assert!(took <= bound.get(), "seed {seed}: {policy:?} {stream:?} took {took}, not {bound}");
                reached += u32::from(took == bound.get());
            }
        }
    }
    assert!(reached > 20, "only {reached} are reached");
}

/// All work of up to two ticks an instant, for all servers of up to four ticks, alone and beneath a task.
#[test]
fn no_pattern_of_small_servers_takes_more_or_gives_less() {
    let instants = cases(6, 8) as u32;
    let mut compared = 0;
    for period in 2..=4 {
        for budget in 1..=period {
            let of = Server::new(ticks(budget), ticks(period));
            for above in 0..=1 {
                let tasks = vec![task(5, 1)];
                let Some(served) = of.served(&Whole, &tasks[..above]).unwrap() else { continue };
                for pattern in 0..3_u64.pow(instants) {
                    let at = |instant: u32| (u64::from(instant), pattern / 3_u64.pow(instant) % 3);
                    let work: Vec<_> = (0..instants).map(at).filter(|(_, takes)| *takes > 0).collect();
                    for first in 0..=above as u64 * 2 {
                        let jobs = dense(&tasks, &[first], 25);
                        let given = workload(tasks.clone(), jobs, soft(&work));
                        for policy in FIXED {
                            let run = model::run(&given, &mut *server(policy, of, above));
                            compared += 1;
                            small(policy, &of, above, served, &given, &run);
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 50_000, "only {compared}");
}

fn small(policy: Policy, of: &Server, above: usize, served: Ticks, given: &Workload, run: &Run) {
    const SHORT: u64 = 24;
    let begins = beginnings(given, run, above, SHORT);
    let most = most(run, SHORT, |start| above == 0 || begins[start as usize]);
    let supply = policy.supply(of, served).unwrap();
    for (length, (most, least)) in most.iter().zip(least(given, run, SHORT)).enumerate() {
        let window = ticks(length as u64);
        let (cost, had) = (policy.interference(of, window).unwrap(), supply.least(window).unwrap());
        assert!(*most <= cost.get(), "{policy:?} {of:?} took {most} in {window}: {given:?}");
        assert!(least.is_none_or(|least| had.get() <= least), "{policy:?} {of:?} in {window}: {given:?}");
    }
}

/// A stream that finds the whole budget of a sporadic server each time doesn't wait for it: reached where all above
/// come with it.
#[test]
fn a_stream_alone_takes_as_long_as_at_the_servers_place() {
    let mut reached = 0;
    for seed in 0..cases(300, 3000) {
        let mut random = Random(seed);
        let (tasks, of, above) = system(&mut random);
        let jitter = *random.one_of(&[0, 0, 3]);
        let stream = task(of.period.get() + jitter + random.within(0, 4), random.within(1, of.budget.get()))
            .due(ticks(10_000))
            .released_within(ticks(jitter));
        let alone =
            |stream: &Sporadic| servers::sporadic::alone(&of, stream, &Whole, &tasks[..above]).unwrap();
        let Some(bound) = alone(&stream) else { continue };
        assert_eq!(alone(&Sporadic { worst: of.budget.later(ticks(1)), ..stream }), None);
        assert_eq!(
            alone(&Sporadic { period: of.period.later(stream.jitter).less(ticks(1)), ..stream }),
            None
        );
        for (pending, first) in [(1, 0), (2, 7), (usize::MAX, random.within(0, 20))] {
            // From the critical instant on, or at any.
            let jobs = match first {
                0 => dense(&tasks, &[jitter; 3][..tasks.len()], 400),
                _ => arrivals(&tasks, 400, &mut random),
            };
            let comes: Vec<u64> = (0..10).map(|job| first + job * stream.period.get()).collect();
            let late = |(job, arrival): (usize, &u64)| match job {
                0 => arrival + jitter,
                _ => arrival + *random.clone().one_of(&[0, jitter]),
            };
            let releases: Vec<u64> = comes.iter().enumerate().map(late).collect();
            let work: Vec<_> = releases.iter().map(|release| (*release, stream.worst.get())).collect();
            let given = workload(tasks.clone(), jobs, soft(&work));
            let run = model::run(&given, &mut *server(Policy::Sporadic { pending }, of, above));
            let took = run.served.iter().zip(&comes).map(|(end, arrival)| end.get() - arrival);
            let longest = took.max().unwrap();
            assert!(longest <= bound.get(), "seed {seed}: {stream:?} took {longest}, not {bound}");
            assert!(
                first > 0 || longest == bound.get(),
                "seed {seed}: {stream:?} took {longest}, not {bound}"
            );
            reached += u32::from(longest == bound.get());
        }
    }
    assert!(reached > 250, "only {reached} are reached");
}
