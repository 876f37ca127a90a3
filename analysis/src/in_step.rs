//! Fixed bands with the given offsets: tasks of the same period that are released at known distances never
//! all arrive at once.
//!
//! There are two methods, and the smaller bound counts. Either tasks of equal periods form a transaction
//! (Palencia and González Harbour, 1998; see [`offsets`](crate::fixed_priority::offsets)), and transactions
//! of different periods meet in any way. Or the releases of a whole hyperperiod are tried, if there aren't
//! too many (`hyperperiod.rs`). Everything without known releases, drivers, and the kernel's work may come at
//! any time.

use crate::demand::{Load, Stream};
use crate::failure::Failure;
use crate::fixed_priority::offsets::{Member, response_of_last};
use crate::model::{Band, Policy, System, Task};
use crate::proof::analyse;
use crate::sporadic::Sporadic;
use crate::ticks::{Ticks, TimesTooLarge};

mod hyperperiod;

use hyperperiod::Row;

/// The worst-case response time of each task, by band, with the given offsets: in a fixed band they may
/// reduce it, elsewhere it is the value for any offsets. *Safe* as [`prove`](crate::prove) is, but it says
/// nothing about deadlines. Cost: for each task of a fixed band a fixed point for each task that is as urgent
/// and has its period, and for each of up to 128 releases of those with the longest periods.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`].
pub fn responses_with_offsets(system: &System) -> Result<Vec<Vec<Ticks>>, Failure> {
    system.validate()?;
    let load = Load::of(system)?;
    let utilisation = load.utilisation()?;
    if utilisation.exceeds_one() {
        return Err(Failure::Overload { utilisation });
    }
    let of_band = |(index, band): (usize, &Band)| {
        let with = match band.policy {
            Policy::Dynamic => None,
            Policy::Fixed => response_times(system, &load, index)?,
        };
        Ok(match with {
            Some(responses) => responses,
            None => analyse(&load, index, band.policy)?.responses,
        })
    };
    system.bands.iter().enumerate().map(of_band).collect()
}

/// The worst-case response time of each task of a fixed band with the given offsets. *Safe*. `None` if no two
/// tasks are at a known distance: then offsets don't help. Each method has a patience of its own for each
/// task, and one success is enough.
pub(crate) fn response_times(
    system: &System,
    load: &Load,
    index: usize,
) -> Result<Option<Vec<Ticks>>, Failure> {
    let mut others = Transactions::default();
    for stream in load.above_jobs() {
        others.add(None, stream);
    }
    for (band, members) in system.bands.iter().zip(&load.bands).take(index) {
        band.tasks.iter().zip(members).for_each(|(task, row)| others.add(Some(task), row.stream));
    }
    let (tasks, rows) = (&system.bands[index].tasks, &load.bands[index]);
    let (mut responses, mut shares) = (Vec::new(), false);
    for (own, task) in tasks.iter().enumerate() {
        let mut members = others.clone();
        for (other, row) in rows.iter().enumerate() {
            if other != own && row.priority >= task.priority {
                members.add(Some(&tasks[other]), row.stream);
            }
        }
        members.add(Some(task), rows[own].stream);
        let in_the_way = load.blocking[index].of_task(own);
        let by_period = response_of_last(&members.all, in_the_way);
        let over_all = match hyperperiod::response_of_last(&members.rows(), in_the_way) {
            Err(Failure::TooLong) => None,
            over_all => over_all?,
        };
        shares |= over_all.is_some() || members.last_shares();
        responses.push(match (by_period, over_all) {
            (Err(Failure::TooLong), Some(over_all)) => over_all,
            (by_period, None) => by_period?,
            (by_period, Some(over_all)) => over_all.min(by_period?),
        });
    }
    Ok(shares.then_some(responses))
}

/// Members, each in the transaction of its period or in one of its own.
#[derive(Clone, Default)]
struct Transactions {
    all: Vec<Member>,
    periods: Vec<Option<Ticks>>,
}

impl Transactions {
    fn add(&mut self, task: Option<&Task>, stream: Stream) {
        let known =
            task.filter(|task| !task.is_sporadic && !task.is_out_of_step && task.jitter == Ticks::ZERO);
        let period = known.map(|task| task.period);
        let before = period.and_then(|_| self.periods.iter().position(|other| *other == period));
        let transaction = before.unwrap_or(self.periods.len());
        self.periods.extend(before.is_none().then_some(period));
        let offset = known.map_or(Ticks::ZERO, |task| within_period(task).unwrap_or(Ticks::ZERO));
        // That it may come later isn't used: it may come at any time.
        let Stream { period, jitter, cost, .. } = stream;
        let task = Sporadic { period, deadline: period, jitter, worst: cost };
        self.all.push(Member { transaction, offset, task });
    }

    fn rows(&self) -> Vec<Row> {
        let row = |member: &Member| {
            let Sporadic { period, jitter, worst, .. } = member.task;
            let is_known = self.periods.get(member.transaction).is_some_and(Option::is_some);
            Row {
                stream: Stream { jitter, ..Stream::new(period, worst) },
                offset: is_known.then_some(member.offset),
            }
        };
        self.all.iter().map(row).collect()
    }

    fn last_shares(&self) -> bool {
        self.all.split_last().is_some_and(|(last, others)| {
            others.iter().any(|other| other.transaction == last.transaction && other.offset != last.offset)
        })
    }
}

/// The offset modulo the period.
fn within_period(task: &Task) -> Result<Ticks, TimesTooLarge> {
    Ok(task.offset.less(task.period.times(task.offset.whole(task.period))?))
}
