//! Deadlines that differ from job to job: jobs with longer ones wait longer, and each job meets its
//! guarantee.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs::{self, Activation, START, always};
use super::*;

/// A task whose jobs may have deadlines of up to `latest`.
fn spread(task: Task, deadline: u64, latest: u64) -> Task {
    Task { deadline: ticks(deadline), spread: ticks(latest - deadline), is_out_of_step: true, ..task }
}

/// By hand: with 6 the long one may go before the second of the others, with 20 it goes after it.
#[test]
fn a_response_is_that_of_the_longest_deadline_and_a_margin_of_the_tightest() {
    let often = task("often", 4, 3);
    let of = |latest| {
        let long = spread(task("long", 40, 2), 6, latest);
        let proof = prove(&dynamic(vec![often.clone(), long])).unwrap();
        let row = &proof.bands[0].tasks[1];
        (row.deadline.get(), row.response.get(), row.margin.get())
    };
    assert_eq!(of(6), (6, 6, 0));
    assert_eq!(of(20), (6, 8, 0));
}

/// Four tasks, some of them late, some with other deadlines now and then.
fn drawn(random: &mut Random) -> Vec<Task> {
    let draw = |index: u64| {
        let period = *random.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
        let worst = random.within(1, (period / 3).max(1));
        let deadline = random.within(worst.max(period / 3), period);
        let latest = deadline + *random.one_of(&[0, 1, period, 3 * period]);
        let jitter = ticks(*random.one_of(&[0, 0, random.0 % (deadline - worst + 1)]));
        let of = task(&index.to_string(), period, worst);
        spread(Task { jitter, is_sporadic: true, ..of }, deadline, latest)
    };
    (0..4).map(draw).collect()
}

/// Jobs that mostly come as soon as they may; each after the deadline of the one before.
fn arrivals(tasks: &[Task], random: &mut Random) -> Vec<Activation> {
    let mut all = Vec::new();
    for (index, of) in tasks.iter().enumerate() {
        let mut arrival = START + random.within(0, of.period.get());
        while arrival < START + 300 {
            let release = arrival + *random.one_of(&[0, of.jitter.get()]);
            let length = of.deadline.get() + *random.one_of(&[0, of.spread.get()]);
            let deadline = arrival + length;
            all.push(Activation { task: index, arrival, release, deadline, work: of.worst.get() });
            arrival += of.period.get().max(length) + *random.one_of(&[0, 0, 0, 1, 2, 7]);
        }
    }
    all
}

/// Negative control: the responses for the shortest deadlines alone are exceeded.
#[test]
fn whatever_deadlines_jobs_have_they_take_no_longer() {
    let (mut proved, mut beyond_shortest) = (0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let tasks = drawn(&mut random);
        let Ok(proof) = prove(&dynamic(tasks.clone())) else { continue };
        let alike = tasks.iter().map(|task| Task { spread: ticks(0), ..task.clone() }).collect();
        let shortest = responses(&prove(&dynamic(alike)).unwrap());
        proved += 1;
        for _ in 0..8 {
            let run = arrivals(&tasks, &mut random);
            let turn = |job: &Activation, _| job.deadline + (job.release - job.arrival);
            let ends = jobs::run(&run, turn, always);
            for (job, end) in run.iter().zip(ends) {
                let (row, took) = (&proof.bands[0].tasks[job.task], end - job.arrival);
                assert!(took <= row.response.get(), "seed {seed}: {took} of {row:?}: {tasks:?}");
                let left = job.deadline.checked_sub(end);
                assert!(left.is_some_and(|left| left >= row.margin.get()), "seed {seed}: {row:?}: {tasks:?}");
                beyond_shortest += u32::from(took > shortest[job.task]);
            }
        }
    }
    assert!(proved > 50 && beyond_shortest > 20, "{proved} proved, {beyond_shortest} beyond");
}
