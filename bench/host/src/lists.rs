//! Response times of lists of tasks, here and by the crate response-time-analysis. Both must say the same.

use anyhow::{Context, Result, anyhow, ensure};
use beryl_analysis::{Sporadic, edf, fixed_priority};
use response_time_analysis::arrival::Sporadic as TheirSporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf as their_edf, fixed_priority as their_fixed};

use crate::random::tasks;
use crate::time::{Aim, Row, median};

const LISTS: u64 = 40;
const TASKS: u64 = 20;
/// Longer than any response.
const LIMIT: u64 = 100_000_000;

fn lists() -> Vec<Vec<Sporadic>> {
    (0..LISTS).map(|seed| tasks(seed, TASKS, 70)).collect()
}

fn arrivals(task: &Sporadic) -> TheirSporadic {
    TheirSporadic::new(Duration::from(task.period.get()), Duration::from(task.jitter.get()))
}

fn bound(task: &Sporadic) -> RBF<TheirSporadic, Scalar> {
    RBF::new(arrivals(task), Scalar::new(Service::from(task.worst.get())))
}

/// All response times under preemptive fixed priorities.
pub fn fixed_priorities() -> Result<Row> {
    let what = format!("response times of {LISTS} lists of {TASKS} tasks, fixed priorities");
    compared(what, |list| Ok(ticks(fixed_priority::response_times(list, &[])?)), their_fixed_priorities)
}

fn their_fixed_priorities(list: &[Sporadic]) -> Result<Vec<u64>> {
    let bounds: Vec<_> = list.iter().map(bound).collect();
    let responses = bounds.iter().enumerate().map(|(index, own)| {
        let above = bounds.get(..index).context("within the list")?;
        let limit = Duration::from(LIMIT);
        let found = their_fixed::fully_preemptive::dedicated_uniproc_rta(own, above, limit);
        Ok(found.map_err(|_| anyhow!("they found no bound"))?.into())
    });
    responses.collect()
}

/// All response times under preemptive earliest deadline first.
pub fn earliest_deadline() -> Result<Row> {
    let what = format!("response times of {LISTS} lists of {TASKS} tasks, earliest deadline first");
    compared(what, |list| Ok(ticks(edf::response_times(list)?)), their_earliest_deadline)
}

fn their_earliest_deadline(list: &[Sporadic]) -> Result<Vec<u64>> {
    use their_edf::fully_preemptive::{Task, dedicated_uniproc_rta};
    let bounds: Vec<_> = list.iter().map(bound).collect();
    let task = |index: usize| {
        let (own, rbf) = (list.get(index)?, bounds.get(index)?);
        Some(Task { deadline: Duration::from(own.deadline.get()), rbf })
    };
    let responses = (0..list.len()).map(|index| {
        let others: Vec<_> = (0..list.len()).filter(|other| *other != index).filter_map(task).collect();
        let own = task(index).context("within the list")?;
        let found = dedicated_uniproc_rta(&own, &others, Duration::from(LIMIT));
        Ok(found.map_err(|_| anyhow!("they found no bound"))?.into())
    });
    responses.collect()
}

fn ticks(times: Vec<beryl_analysis::Ticks>) -> Vec<u64> {
    times.into_iter().map(beryl_analysis::Ticks::get).collect()
}

type Way = fn(&[Sporadic]) -> Result<Vec<u64>>;

fn compared(what: String, ours: Way, theirs: Way) -> Result<Row> {
    let lists = lists();
    for list in &lists {
        ensure!(ours(list)? == theirs(list)?, "the analyses differ on {list:?}");
    }
    let all = |way: Way| lists.iter().map(|list| way(list)).collect::<Result<Vec<_>>>();
    let (took, theirs) = (median(|| all(ours))?, median(|| all(theirs))?);
    Ok(Row { what, took, theirs: Some(theirs), aim: Aim::NoSlower })
}
