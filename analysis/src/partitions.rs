//! Partitions: bands that have the processor in windows of a frame only, each proved by itself.
//!
//! To who is in a partition, all that isn't its windows is work above everybody that comes once a frame. So a partition is
//! proved as a system of its own, its *view*: its bands, those of the background that are as urgent, and that work. Jobs of
//! other partitions aren't in it, whatever they do; only what the kernel does to release them is. To the background a
//! partition with a band above it is work, too, which comes once a frame in each of its windows, whether it is needed or not.
//!
//! ```text
//!   all bands ---+--> a view for each partition:             its bands | background above | other windows, as work
//!                +--> one for each band of the background:   it and background above | windows of partitions above, as work
//! ```
//!
//! **What a window costs.** Just before one begins, somebody of another partition may have called the kernel, which
//! finishes that ([`KernelCosts::under_way`](crate::KernelCosts)), and timers that he has set may go off later
//! ([`KernelCosts::timers`](crate::KernelCosts)). Both count with the work that stands for the time before the window. That
//! windows begin at all is the kernel's work above all bands: interference of the system.
//!
//! *Safe*, if no place is lent, and no lock shared, across partitions. Several windows of one partition are counted as if
//! the times between them might come in any order and all at once; [`table`](crate::servers::table) has the exact supply.

use crate::demand::{self, Load};
use crate::failure::{Failure, Fault};
use crate::locks::Lock;
use crate::model::{Band, Interference, System, Task};
use crate::proof::{BandProof, Proof, prove_band};
use crate::ticks::{Ticks, TimesTooLarge};

/// A frame that repeats, and whose each of its windows is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// How long it is; positive.
    pub length: Ticks,
    /// The windows, each a beginning and a length, in order and apart from each other, with the position of its partition.
    pub windows: Vec<(Ticks, Ticks, usize)>,
    /// The partitions.
    pub partitions: Vec<Partition>,
}

/// Bands that have the processor in the same windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// For messages.
    pub name: String,
    /// Its bands that are in the system, by position.
    pub bands: Vec<usize>,
    /// The position behind all bands that are more urgent than all of its own.
    pub first: usize,
    /// The locks that its threads use, by position.
    pub locks: Vec<usize>,
}

/// A system in which some of its bands are proved.
pub(crate) struct View {
    pub(crate) system: System,
    /// Which bands.
    pub(crate) bands: Vec<usize>,
}

impl Frame {
    /// The partition to which a band belongs.
    fn of_band(&self, band: usize) -> Option<usize> {
        self.partitions.iter().position(|partition| partition.bands.contains(&band))
    }

    /// How long a partition hasn't the processor, before each of its windows.
    fn gaps(&self, partition: usize) -> Result<Vec<Ticks>, TimesTooLarge> {
        let own: Vec<_> = self.windows.iter().filter(|(_, _, whose)| *whose == partition).collect();
        let Some((last_begin, last_length, _)) = own.last() else { return Ok(vec![self.length]) };
        let mut ended = last_begin.plus(*last_length)?;
        let mut gaps = Vec::new();
        for (index, (begin, length, _)) in own.iter().enumerate() {
            let begins = if index == 0 { begin.plus(self.length)? } else { *begin };
            gaps.push(begins.less(ended));
            ended = begin.plus(*length)?;
        }
        Ok(gaps)
    }

    pub(crate) fn fault(&self) -> Option<Fault> {
        let mut end = Ticks::ZERO;
        for (begin, length, partition) in &self.windows {
            if *begin < end || *length == Ticks::ZERO || *partition >= self.partitions.len() {
                return Some(Fault::TableOutOfRange);
            }
            end = begin.plus(*length).ok()?;
        }
        (end > self.length || self.length == Ticks::ZERO).then_some(Fault::TableOutOfRange)
    }
}

/// The views of a system with a frame: each band is proved in one.
pub(crate) fn views(system: &System, frame: &Frame) -> Result<Vec<View>, TimesTooLarge> {
    let mut views = Vec::new();
    for (partition, row) in frame.partitions.iter().enumerate().filter(|(_, row)| !row.bands.is_empty()) {
        let gaps = frame.gaps(partition)?;
        views.push(view(system, frame, Some(partition), &row.bands, &gaps)?);
    }
    for band in (0..system.bands.len()).filter(|band| frame.of_band(*band).is_none()) {
        let above = |whose: &usize| frame.partitions.get(*whose).is_some_and(|row| row.first <= band);
        let taken = frame.windows.iter().filter(|(_, _, whose)| above(whose)).map(|(_, length, _)| *length);
        views.push(view(system, frame, None, &[band], &taken.collect::<Vec<_>>())?);
    }
    Ok(views)
}

/// The system with these bands, the background above them, and the times that others take of each frame.
fn view(
    system: &System,
    frame: &Frame,
    partition: Option<usize>,
    bands: &[usize],
    taken: &[Ticks],
) -> Result<View, TimesTooLarge> {
    let last = bands.iter().copied().max().unwrap_or(0);
    let is_in = |band: usize| {
        let of = frame.of_band(band);
        band <= last && (of.is_none() || of == partition)
    };
    let (mut kept, mut interference) = (Vec::new(), system.interference.clone());
    for (index, band) in system.bands.iter().enumerate() {
        let tasks = if is_in(index) { band.tasks.clone() } else { Vec::new() };
        if !is_in(index) {
            interference.extend(band.tasks.iter().map(|task| release(system, task)));
        }
        kept.push(Band { name: band.name.clone(), policy: band.policy, tasks });
    }
    let costs = system.costs;
    let around = costs.under_way.plus(costs.timers)?;
    for length in taken {
        interference.push(Interference {
            name: "windows of others".to_owned(),
            period: frame.length,
            worst: length.plus(around)?,
            is_sporadic: true,
            ..Interference::default()
        });
    }
    let locks = locks(system, frame, partition, last);
    let system = System { bands: kept, interference, locks, frame: None, costs, pools: system.pools.clone() };
    Ok(View { system, bands: bands.to_vec() })
}

/// What the kernel does above all bands for a job that isn't in a view.
fn release(system: &System, task: &Task) -> Interference {
    Interference {
        name: format!("releases of {}", task.name),
        period: task.period.less(task.jitter).max(Ticks::new(1)),
        offset: task.offset,
        worst: system.costs.release,
        is_sporadic: task.is_sporadic,
    }
}

/// The locks that matter to a view: its own and the background's, and for the background those of partitions below, which
/// run where it is ready.
fn locks(system: &System, frame: &Frame, partition: Option<usize>, last: usize) -> Vec<Lock> {
    let matters = |lock: &usize| {
        let of = frame.partitions.iter().position(|row| row.locks.contains(lock));
        match (of, partition) {
            (None, _) => true,
            (of, Some(_)) => of == partition,
            (Some(of), None) => frame.partitions[of].first > last,
        }
    };
    system
        .locks
        .iter()
        .enumerate()
        .filter(|(index, _)| matters(index))
        .map(|(_, lock)| lock.clone())
        .collect()
}

/// Proves each band in its view.
pub(crate) fn prove(system: &System, frame: &Frame) -> Result<Proof, Failure> {
    let load = Load::of(system)?;
    let total = load.utilisation()?;
    if total.exceeds_one() {
        return Err(Failure::Overload { utilisation: total });
    }
    let mut bands: Vec<Option<BandProof>> = vec![None; system.bands.len()];
    for View { system: view, bands: proved } in views(system, frame)? {
        let load = Load::of(&view)?;
        let utilisation = load.utilisation()?;
        if utilisation.exceeds_one() {
            return Err(Failure::Overload { utilisation });
        }
        for band in proved {
            bands[band] = Some(prove_band(&view, &load, band, None)?);
        }
    }
    Ok(Proof {
        bands: bands.into_iter().flatten().collect(),
        drivers: load.driver_utilisation()?,
        total,
        hyperperiod: system.hyperperiod().ok(),
        busy_period: demand::busy_period(&load.all(), Ticks::ZERO)?,
    })
}
