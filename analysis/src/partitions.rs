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
//! **Where in the frame.** Nothing says where a job comes in it. So a view is proved from each beginning of such work, from
//! which on all of it comes at known times (`taken.rs` says why these are enough), and the longest response of all counts.
//!
//! **Budgets.** Who has one is in a view by the task that stands for it, wherever it is used up: a budget says how much, a
//! window when. Beneath one that several share all that isn't the partition's window comes at any time, as work that
//! nobody pays for; only what the kernel does around windows may be paid by who runs there.
//!
//! *Safe*, if no place is lent, and no lock or budget shared, across partitions. *Exact* by priority without costs, background and
//! blocking: then it is what [`table`](crate::servers::table) says of these windows.

mod taken;

use crate::demand::{self, Load, Stream};
use crate::failure::{Failure, Fault, Whose};
use crate::locks::Lock;
use crate::model::{Band, Interference, System, Task};
use crate::proof::{BandProof, Method, Proof, TaskProof, add_members, prove_band};
use crate::servers::pools::{self, Outside};
use crate::ticks::{Ticks, TimesTooLarge, sum};
use crate::utilisation::Utilisation;
use taken::{Stretch, beginnings};

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
    whose: Whose,
    /// What others leave of each frame.
    left: Utilisation,
    /// What the kernel does around their times in it: once for each in a frame.
    around: Vec<Stream>,
    /// What it does to release jobs of others that come at any time.
    releases: Vec<Stream>,
    /// From each beginning that counts, the work that others are.
    taken: Vec<Vec<Stream>>,
}

impl Frame {
    /// The partition to which a band belongs.
    fn of_band(&self, band: usize) -> Option<usize> {
        self.partitions.iter().position(|partition| partition.bands.contains(&band))
    }

    /// When a partition hasn't the processor: from each of its windows to the next one.
    fn others(&self, partition: usize) -> Result<Vec<Stretch>, TimesTooLarge> {
        let own: Vec<_> = self.windows.iter().filter(|(_, _, whose)| *whose == partition).collect();
        if own.is_empty() {
            return Ok(vec![Stretch { begin: Ticks::ZERO, lasts: self.length }]);
        }
        let mut stretches = Vec::new();
        for (index, (begin, length, _)) in own.iter().enumerate() {
            let end = begin.plus(*length)?;
            let next = match own.get(index + 1) {
                Some((next, ..)) => *next,
                None => own[0].0.plus(self.length)?,
            };
            let begin = if end < self.length { end } else { end.less(self.length) };
            stretches.push(Stretch { begin, lasts: next.less(end) });
        }
        Ok(stretches)
    }

    /// The windows of partitions with a band above this one.
    fn above(&self, band: usize) -> Vec<Stretch> {
        let is_above = |whose: usize| self.partitions.get(whose).is_some_and(|row| row.first <= band);
        let windows = self.windows.iter().filter(|(.., whose)| is_above(*whose));
        windows.map(|(begin, lasts, _)| Stretch { begin: *begin, lasts: *lasts }).collect()
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
        views.push(view(system, frame, Some(partition), &row.bands, &frame.others(partition)?)?);
    }
    for band in (0..system.bands.len()).filter(|band| frame.of_band(*band).is_none()) {
        views.push(view(system, frame, None, &[band], &frame.above(band))?);
    }
    Ok(views)
}

/// The system with these bands, the background above them, and the times that others take of each frame.
fn view(
    system: &System,
    frame: &Frame,
    partition: Option<usize>,
    bands: &[usize],
    others: &[Stretch],
) -> Result<View, TimesTooLarge> {
    let last = bands.iter().copied().max().unwrap_or(0);
    let is_in = |band: usize| {
        let of = frame.of_band(band);
        band <= last && (of.is_none() || of == partition)
    };
    let (mut kept, mut interference, mut releases) = (Vec::new(), system.interference.clone(), Vec::new());
    for (index, band) in system.bands.iter().enumerate() {
        let tasks = if is_in(index) { band.tasks.clone() } else { Vec::new() };
        for task in band.tasks.iter().filter(|_| !is_in(index)) {
            match task.is_sporadic {
                true => releases.push(sporadic_release(system, task)?),
                false => interference.push(release(system, task)),
            }
        }
        kept.push(Band { name: band.name.clone(), policy: band.policy, tasks });
    }
    let costs = system.costs;
    // As all work above the bands it counts as a call.
    let around = costs.under_way.plus(costs.timers)?.plus(costs.driver)?;
    let taken = beginnings(frame.length, others, around)?;
    let whose = match partition.and_then(|partition| frame.partitions.get(partition)) {
        Some(row) => Whose::Partition(row.name.clone()),
        None => Whose::Band(system.bands[last].name.clone()),
    };
    let all = sum(others.iter().map(|stretch| Ok::<_, TimesTooLarge>(stretch.lasts)))?;
    let left = Utilisation::new(frame.length.less(all), frame.length);
    let around = others.iter().map(|_| Stream::new(frame.length, around)).collect();
    let locks = locks(system, frame, partition, last);
    let system = System { bands: kept, interference, locks, frame: None, costs, pools: system.pools.clone() };
    Ok(View { system, bands: bands.to_vec(), whose, left, around, releases, taken })
}

impl View {
    /// All that there is to do in it, from each beginning on.
    pub(crate) fn loads(&self) -> Result<Vec<Load>, TimesTooLarge> {
        self.taken.iter().map(|taken| Ok(self.load()?.beneath(taken))).collect()
    }

    /// The same without what others take.
    fn load(&self) -> Result<Load, TimesTooLarge> {
        Ok(Load::of(&self.system)?.beneath(&self.releases))
    }

    /// Asks about members of pools in these bands. What others take comes at any time.
    pub(crate) fn members<T>(&self, ask: impl FnOnce(&Outside) -> Result<T, Failure>) -> Result<T, Failure> {
        let taken = self.taken.first().into_iter().flatten();
        let taken: Vec<_> = taken.map(|stream| Stream { delay: Ticks::ZERO, ..*stream }).collect();
        let (load, kernels) = (self.load()?.beneath(&taken), self.load()?.beneath(&self.around));
        ask(&Outside { kernels: &kernels, bands: Some(&self.bands), ..Outside::of(&self.system, &load) })
    }

    /// What is asked for, if that is more than others leave.
    pub(crate) fn overload(&self) -> Result<Option<Utilisation>, TimesTooLarge> {
        let asked = self.load()?.beneath(&self.around).utilisation()?;
        Ok((asked > self.left).then_some(asked))
    }

    /// Proves one of its bands from each beginning; what takes longest counts.
    fn prove(&self, loads: &[Load], band: usize) -> Result<Option<BandProof>, Failure> {
        let mut all: Option<BandProof> = None;
        for load in loads {
            let proof = prove_band(&self.system, load, band, None).map_err(|failure| self.named(failure))?;
            all = Some(match all {
                Some(before) => longest(before, proof),
                None => proof,
            });
        }
        Ok(all)
    }

    /// Who is late in windows is told so.
    fn named(&self, failure: Failure) -> Failure {
        match failure {
            Failure::NotProved { task, deadline, response } => {
                Failure::LateInWindows { whose: self.whose.clone(), task, deadline, response }
            }
            other => other,
        }
    }
}

/// Of two proofs of a band, the longer response of each task. If one of them needs the given offsets, so does the whole.
fn longest(one: BandProof, other: BandProof) -> BandProof {
    let method = if other.method == Method::Offsets { other.method } else { one.method };
    let tasks = one.tasks.into_iter().zip(other.tasks).map(|(one, other)| {
        let (response, margin) = (one.response.max(other.response), one.margin.min(other.margin));
        TaskProof { response, margin, ..one }
    });
    BandProof { method, tasks: tasks.collect(), ..other }
}

/// The same of one that may come at any time, as late as it may: a budget is kept for most of its period.
fn sporadic_release(system: &System, task: &Task) -> Result<Stream, TimesTooLarge> {
    let cost = system.costs.call(&release(system, task))?;
    Ok(Stream { jitter: task.jitter, ..Stream::new(task.period, cost) })
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
    let (mut bands, mut members) = (vec![None; system.bands.len()], Vec::new());
    for view in views(system, frame)? {
        if let Some(asked) = view.overload()? {
            return Err(Failure::Crowded { whose: view.whose, asked, left: view.left });
        }
        let loads = view.loads()?;
        for band in &view.bands {
            bands[*band] = view.prove(&loads, *band)?;
        }
        members.extend(view.members(pools::prove).map_err(|failure| view.named(failure))?);
    }
    let mut bands: Vec<BandProof> = bands.into_iter().flatten().collect();
    add_members(&mut bands, members);
    let load = Load::of(system)?;
    let total = load.utilisation()?;
    if total.exceeds_one() {
        return Err(Failure::Overload { utilisation: total });
    }
    Ok(Proof {
        bands,
        drivers: load.driver_utilisation()?,
        total,
        hyperperiod: system.hyperperiod().ok(),
        busy_period: demand::busy_period(&load.all(), Ticks::ZERO)?,
    })
}
