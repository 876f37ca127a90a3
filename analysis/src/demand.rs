//! Demand: how much work can require the processor in a window of time.

use crate::failure::Failure;
use crate::locks::Blocking;
use crate::model::{System, Task};
use crate::ticks::{Ticks, TimesTooLarge, sum};
use crate::utilisation::{self, Utilisation};

/// Work that arrives at most once a period, and is released up to `jitter` later.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stream {
    pub(crate) period: Ticks,
    pub(crate) jitter: Ticks,
    pub(crate) cost: Ticks,
    /// How long after the beginning of a window it comes first, if that is known; less than the period.
    pub(crate) delay: Ticks,
}

/// A stream whose work has a deadline and a priority.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) stream: Stream,
    /// Measured from the arrival.
    pub(crate) deadline: Ticks,
    /// The longest deadline of its jobs; `deadline` is the shortest.
    pub(crate) latest: Ticks,
    /// The shortest deadline, or less: by when a job must be done, regardless of its turn.
    pub(crate) limit: Ticks,
    pub(crate) priority: u32,
    /// Whether it is a share of each window, in whole ticks, instead of jobs.
    pub(crate) is_share: bool,
}

/// The whole system's demand, including kernel costs.
pub(crate) struct Load {
    /// Drivers and instants, above all bands.
    drivers: Vec<Stream>,
    /// The kernel's part of each release, by band; it also runs above all bands.
    releases: Vec<Vec<Stream>>,
    /// The jobs, by band, most urgent first.
    pub(crate) bands: Vec<Vec<Demand>>,
    /// Blocking by less urgent work, by band.
    pub(crate) blocking: Vec<Blocking>,
}

impl Stream {
    /// Released on arrival.
    pub(crate) fn new(period: Ticks, cost: Ticks) -> Stream {
        Stream { period, cost, ..Stream::default() }
    }

    /// How many times work can be released in a window, excluding its end.
    pub(crate) fn releases(&self, window: Ticks) -> Result<u64, TimesTooLarge> {
        match window {
            Ticks::ZERO => Ok(0),
            _ => Ok(window.plus(self.jitter)?.less(self.delay).covered_by(self.period)),
        }
    }

    /// The request-bound function: the most work that is released in a window, excluding its end.
    pub(crate) fn requested(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        self.cost.times(self.releases(window)?)
    }

    fn utilisation(&self) -> Utilisation {
        Utilisation::new(self.cost, self.period)
    }
}

impl Demand {
    /// The shortest time from a release to the deadline.
    pub(crate) fn lead(&self) -> Ticks {
        self.deadline.less(self.stream.jitter)
    }

    /// How many jobs can be both released and due in a window.
    pub(crate) fn jobs_due(&self, window: Ticks) -> u64 {
        match window < self.lead() {
            true => 0,
            false => window.less(self.lead()).whole(self.stream.period).saturating_add(1),
        }
    }

    /// The demand-bound function: the most work that can be both released and due in a window (Baruah, Rosier
    /// and Howell, 1990).
    pub(crate) fn due(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        if self.is_share {
            return Utilisation::new(self.stream.cost, self.stream.period).rest().rest_of(window);
        }
        self.stream.cost.times(self.jobs_due(window))
    }
}

impl Load {
    pub(crate) fn of(system: &System) -> Result<Load, TimesTooLarge> {
        let costs = &system.costs;
        let mut drivers = instants(system, costs.entry()?);
        for driver in &system.interference {
            drivers.push(Stream::new(driver.period, costs.call(driver)?));
        }
        let mut releases = Vec::new();
        let mut bands = Vec::new();
        for band in &system.bands {
            let release = |task: &Task| {
                let own = Stream { jitter: task.jitter, ..Stream::new(task.period, costs.release) };
                match task.is_share {
                    true => Ok(Stream { jitter: task.period, cost: costs.of_share(task)?, ..own }),
                    false => Ok(own),
                }
            };
            releases.push(band.tasks.iter().map(release).collect::<Result<_, TimesTooLarge>>()?);
            let demand = |task: &Task| {
                let Task { period, jitter, deadline, spread, priority, is_share, .. } = *task;
                let cost = if is_share { task.worst } else { costs.job(task)? };
                let stream = Stream { jitter, ..Stream::new(period, cost) };
                let latest = deadline.plus(spread)?;
                Ok(Demand { stream, deadline, latest, limit: task.limit(), priority, is_share })
            };
            bands.push(band.tasks.iter().map(demand).collect::<Result<_, TimesTooLarge>>()?);
        }
        Ok(Load { drivers, releases, bands, blocking: Blocking::of(system)? })
    }

    /// The same load with more above all bands.
    pub(crate) fn beneath(mut self, more: &[Stream]) -> Load {
        self.drivers.extend_from_slice(more);
        self
    }

    /// Everything that can delay a band: drivers, instants, all releases, and the jobs of the bands above it.
    pub(crate) fn above(&self, band: usize) -> Vec<Stream> {
        let jobs = self.bands.iter().take(band).flatten().map(|demand| demand.stream);
        self.drivers.iter().copied().chain(self.releases.iter().flatten().copied()).chain(jobs).collect()
    }

    /// Everything that runs above all jobs: drivers, instants, and all releases.
    pub(crate) fn above_jobs(&self) -> impl Iterator<Item = Stream> {
        self.drivers.iter().copied().chain(self.releases.iter().flatten().copied())
    }

    /// All streams of the system.
    pub(crate) fn all(&self) -> Vec<Stream> {
        self.above(self.bands.len())
    }

    /// The share of one band's jobs, including the kernel's work for them.
    pub(crate) fn band_utilisation(&self, band: usize) -> Result<Utilisation, TimesTooLarge> {
        let jobs = self.bands.iter().skip(band).take(1).flatten().map(|demand| demand.stream);
        let releases = self.releases.iter().skip(band).take(1).flatten().copied();
        utilisation_of(jobs.chain(releases))
    }

    /// The share of drivers and instants.
    pub(crate) fn driver_utilisation(&self) -> Result<Utilisation, TimesTooLarge> {
        utilisation_of(self.drivers.iter().copied())
    }

    /// Whether everything together exceeds the processor.
    pub(crate) fn is_too_much(&self) -> Result<bool, TimesTooLarge> {
        let all = self.all();
        utilisation::exceed_one(all.iter().map(|stream| (stream.cost, stream.period)))
    }

    /// The share of everything together.
    pub(crate) fn utilisation(&self) -> Result<Utilisation, TimesTooLarge> {
        utilisation_of(self.all().into_iter())
    }
}

fn utilisation_of(streams: impl Iterator<Item = Stream>) -> Result<Utilisation, TimesTooLarge> {
    utilisation::sum(streams.map(|stream| Ok(stream.utilisation())))
}

/// The instants at which the kernel enters system code. A sequence of instants contained in another one costs
/// nothing extra; if sequences only overlap, common instants are counted twice, which is safe.
fn instants(system: &System, cost: Ticks) -> Vec<Stream> {
    let mut kept: Vec<(Ticks, Ticks)> = Vec::new();
    let mut sequences: Vec<_> = system.instants().collect();
    sequences.sort();
    for sequence in sequences {
        if !kept.iter().any(|&other| lies_within(sequence, other)) {
            kept.push(sequence);
        }
    }
    kept.into_iter().map(|(period, _)| Stream::new(period, cost)).collect()
}

/// Whether each instant of one sequence (period, first instant) is also one of the other.
fn lies_within((period, first): (Ticks, Ticks), (other_period, other_first): (Ticks, Ticks)) -> bool {
    let multiple = |time: Ticks| time.get().checked_rem(other_period.get()) == Some(0);
    first >= other_first && multiple(period) && multiple(first.less(other_first))
}

/// The work that several streams release in a window.
pub(crate) fn requested(streams: &[Stream], window: Ticks) -> Result<Ticks, TimesTooLarge> {
    #[cfg(test)]
    crate::tests::look();
    sum(streams.iter().map(|stream| stream.requested(window)))
}

/// When `work` that arrives all at once is done below the streams `above`, which all start together with it.
pub(crate) fn finish(work: Ticks, above: &[Stream]) -> Result<Ticks, Failure> {
    least_fixed_point(work, &mut Patience::of(Failure::JOB_LIMIT), |window| {
        Ok(work.plus(requested(above, window)?)?)
    })
}

/// Like [`finish`], if the end is at or before `limit`; it must not be before `earliest`.
pub(crate) fn finish_by(
    work: Ticks,
    above: &[Stream],
    earliest: Ticks,
    limit: Ticks,
    patience: &mut Patience,
) -> Result<Option<Ticks>, Failure> {
    let mut window = work.max(earliest);
    while window <= limit {
        patience.step()?;
        let next = work.plus(requested(above, window)?)?;
        if next <= window {
            return Ok(Some(window));
        }
        window = next;
    }
    Ok(None)
}

/// How many steps to spend on an answer before giving up; one step looks at the demand in one window. All
/// loops of one question share it, even nested ones, so that their counts add up instead of multiplying.
pub(crate) struct Patience {
    left: u32,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::of(Failure::STEP_LIMIT)
    }
}

impl Patience {
    pub(crate) fn of(steps: u32) -> Patience {
        Patience { left: steps }
    }

    /// Uses up one step.
    ///
    /// # Errors
    /// [`Failure::TooLong`] when it is used up.
    pub(crate) fn step(&mut self) -> Result<(), Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::TooLong)?;
        Ok(())
    }
}

/// The most that streams leave of the processor, in [`utilisation::PARTS`].
pub(crate) struct Rest {
    share: u128,
    /// What they leave besides, since some of them come later.
    once: u128,
}

impl Rest {
    /// Shares are rounded down.
    pub(crate) fn beneath(above: &[Stream]) -> Rest {
        let (mut share, mut once) = (utilisation::PARTS, 0_u128);
        for stream in above {
            let taken = utilisation::parts_at_least(stream.cost, stream.period);
            share = share.saturating_sub(taken);
            once = once.saturating_add(taken.saturating_mul(stream.delay.get().into()));
        }
        Rest { share, once }
    }

    /// A lower bound on when this much work is done if it arrives all at once: in any window the streams
    /// require at least their shares of what is behind their delays.
    pub(crate) fn earliest(&self, work: Ticks) -> Ticks {
        let scaled = (u128::from(work.get()) * utilisation::PARTS).saturating_sub(self.once);
        let earliest = scaled.div_ceil(self.share.max(1));
        Ticks::new(u64::try_from(earliest).unwrap_or(u64::MAX))
    }
}

/// How long the processor stays busy when all streams start together, after some blocking. Their utilisation
/// must not exceed one.
pub(crate) fn busy_period(streams: &[Stream], in_the_way: Ticks) -> Result<Ticks, Failure> {
    let start = requested(streams, Ticks::new(1))?.plus(in_the_way)?;
    least_fixed_point(start, &mut Patience::of(Failure::JOB_LIMIT), |window| {
        Ok(requested(streams, window)?.plus(in_the_way)?)
    })
}

/// Iterates a monotonic function from below until it reaches a fixed point. Each step adds at least one job.
pub(crate) fn least_fixed_point(
    start: Ticks,
    patience: &mut Patience,
    function: impl Fn(Ticks) -> Result<Ticks, Failure>,
) -> Result<Ticks, Failure> {
    let mut window = start;
    loop {
        patience.step()?;
        let next = function(window)?;
        if next <= window {
            return Ok(window);
        }
        window = next;
    }
}
