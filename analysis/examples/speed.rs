//! How long the analysis takes on this machine: placements, margins, and response times beside those of the crate
//! `response-time-analysis` for the same lists.
//!
//!     cargo run --release -p beryl-analysis --example speed

use std::time::{Duration, Instant};

use beryl_analysis::csd::placement::{Test, cheapest};
use beryl_analysis::{
    Band, Failure, KernelCosts, Policy, Sporadic, System, Task, Ticks, edf, fixed_priority, prove,
    sensitivity,
};
use beryl_testing::{Draw, SplitMix64};
use response_time_analysis::arrival::Sporadic as TheirSporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::time::{Duration as TheirDuration, Service};
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf as their_edf, fixed_priority as their_fixed};

const LISTS: u64 = 20;

fn main() -> Result<(), Failure> {
    for tasks in [20, 50, 100] {
        for load in [70, 85, 95, 99, 110] {
            let lists: Vec<_> = (0..LISTS).map(|seed| list(tasks, load, seed)).collect();
            let mut found = 0;
            let longest = longest(&lists, |list| {
                found += usize::from(cheapest(list, 2, &costs, Test::Sound)?.is_some());
                Ok(())
            })?;
            println!(
                "CSD-3 placement, {tasks} tasks, load {load} %: at most {longest:?}; {found} of {LISTS} fit"
            );
        }
    }
    for tasks in [100, 1000] {
        let system = system(&list(tasks, 60, 1));
        println!("proof of {tasks} tasks in two bands: {:?}", timed(|| prove(&system).map(|_| ()))?);
        println!(
            "slowdown of {tasks} tasks in two bands: {:?}",
            timed(|| sensitivity::speed(&system).map(|_| ()))?
        );
        if tasks <= 100 {
            println!(
                "longest jobs of {tasks} tasks: {:?}",
                timed(|| sensitivity::longest(&system).map(|_| ()))?
            );
        }
    }
    for tasks in [10, 50, 100] {
        let lists: Vec<_> = (0..LISTS).map(|seed| list(tasks, 80, seed)).collect();
        let ours = total(&lists, |list| fixed_priority::response_times(list, &[]).map(|_| ()))?;
        let theirs = total(&lists, their_fixed_priorities)?;
        println!("response times, fixed priorities, {tasks} tasks: ours {}", ratio(ours, theirs));
        let ours = total(&lists, |list| edf::response_times(list).map(|_| ()))?;
        let theirs = total(&lists, their_earliest_deadlines)?;
        println!("response times, earliest deadline first, {tasks} tasks: ours {}", ratio(ours, theirs));
    }
    Ok(())
}

/// Periods of one to three digits of milliseconds in microseconds, a random load; in the order of periods.
fn list(tasks: u64, load: u64, seed: u64) -> Vec<Sporadic> {
    let mut random = SplitMix64(seed);
    let mut next = || random.next();
    let mut list: Vec<_> = (0..tasks)
        .map(|_| {
            let digits = next() % 3;
            let period = [next() % 5 + 5, next() % 90 + 10, next() % 900 + 100].into_iter().zip(0..);
            let period =
                period.filter(|(_, class)| *class == digits).map(|(period, _)| period * 1_000).sum::<u64>();
            let worst = (period * load * (next() % 100 + 50) / (100 * 100 * tasks)).max(1);
            Sporadic::implicit(Ticks::new(period), Ticks::new(worst))
        })
        .collect();
    list.sort_by_key(|task| task.period);
    list
}

/// Like those of the paper, in microseconds.
fn costs(sizes: &[usize], band: usize) -> Ticks {
    let members = u64::try_from(sizes[band]).unwrap_or(u64::MAX);
    let fixed = band + 1 == sizes.len();
    Ticks::new(if fixed { 7 + members * 54 / 100 } else { 8 + members * 75 / 100 })
}

fn system(list: &[Sporadic]) -> System {
    let task = |(index, task): (usize, &Sporadic)| Task {
        name: format!("t{index}"),
        period: task.period,
        deadline: task.deadline,
        worst: task.worst,
        priority: u32::try_from(list.len() - index).unwrap_or(1),
        ..Task::default()
    };
    let mut tasks: Vec<_> = list.iter().enumerate().map(task).collect();
    let fixed = tasks.split_off(list.len() / 3);
    let band = |policy, tasks| Band { name: format!("{policy:?}"), policy, tasks };
    let costs = KernelCosts { release: Ticks::new(1), switch: Ticks::new(1), ..KernelCosts::default() };
    System {
        bands: vec![band(Policy::Dynamic, tasks), band(Policy::Fixed, fixed)],
        costs,
        ..System::default()
    }
}

fn timed(mut work: impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

fn longest(
    lists: &[Vec<Sporadic>],
    mut work: impl FnMut(&[Sporadic]) -> Result<(), Failure>,
) -> Result<Duration, Failure> {
    let each = lists.iter().map(|list| timed(|| work(list)));
    Ok(each.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or_default())
}

fn total(
    lists: &[Vec<Sporadic>],
    mut work: impl FnMut(&[Sporadic]) -> Result<(), Failure>,
) -> Result<Duration, Failure> {
    lists.iter().map(|list| timed(|| work(list))).sum()
}

fn ratio(ours: Duration, theirs: Duration) -> String {
    let per_mille = theirs.as_nanos() * 10 / ours.as_nanos().max(1);
    format!("{ours:?}, theirs {theirs:?}, {}.{} times as long", per_mille / 10, per_mille % 10)
}

fn bound(task: &Sporadic) -> RBF<TheirSporadic, Scalar> {
    let arrivals = TheirSporadic::new_zero_jitter(TheirDuration::from(task.period.get()));
    RBF::new(arrivals, Scalar::new(Service::from(task.worst.get())))
}

fn their_fixed_priorities(list: &[Sporadic]) -> Result<(), Failure> {
    let bounds: Vec<_> = list.iter().map(bound).collect();
    let limit = TheirDuration::from(100_000_000);
    for index in 0..list.len() {
        let answer =
            their_fixed::fully_preemptive::dedicated_uniproc_rta(&bounds[index], &bounds[..index], limit);
        std::hint::black_box(&answer);
    }
    Ok(())
}

fn their_earliest_deadlines(list: &[Sporadic]) -> Result<(), Failure> {
    use their_edf::fully_preemptive::{Task, dedicated_uniproc_rta};
    let bounds: Vec<_> = list.iter().map(bound).collect();
    let task = |index: usize| Task {
        rbf: &bounds[index],
        deadline: TheirDuration::from(list[index].deadline.get()),
    };
    for index in 0..list.len() {
        let others: Vec<_> = (0..list.len()).filter(|other| *other != index).map(task).collect();
        let answer = dedicated_uniproc_rta(&task(index), &others, TheirDuration::from(100_000_000));
        std::hint::black_box(&answer);
    }
    Ok(())
}
