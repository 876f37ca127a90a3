//! The bands below the curves of modules and the streams of everything else.

mod members;
mod windows;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::demand::{Load, Stream, requested};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::model::{Band, Policy, System, Task};
use crate::modes::curve::{Curve, behind, curve, walk};
use crate::modes::row::Row;
use crate::modes::steps::{Step, Steps};
use crate::modes::{Job, Modal};
use crate::proof::{BandProof, Method, Proof, TaskProof, add_members};
use crate::schedule::TaskIndex;
use crate::servers::pools;
use crate::ticks::{Ticks, TimesTooLarge, sum};
use crate::utilisation::{self, Utilisation};

/// Which jobs interfere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Urgency {
    /// Those of all bands before this one.
    Above(usize),
    /// The same, and from this band all with at least this priority, except this task.
    AsUrgent(usize, u32, usize),
    /// Only the jobs of this band, to compute its share.
    Only(usize),
    /// No jobs, but the switches to them.
    Switches,
}

/// The interfering work, by module and step number.
type Works = Rc<[Vec<Ticks>]>;

/// The curves of all modules, and the window up to which they are computed.
type Known = (Ticks, Rc<[Curve]>);

/// The system, prepared for the tests.
struct Bands<'a> {
    system: &'a System,
    modules: Vec<Steps>,
    /// All logical execution times of the modules' tasks.
    jobs: Vec<Job>,
    /// Everything that is released at equal distances.
    rest: Load,
    /// Blocking by less urgent work, by band.
    blocking: Vec<Blocking>,
    /// Positions of those tasks in their bands.
    positions: Vec<Vec<usize>>,
    /// The work of steps, as far as computed.
    works: RefCell<HashMap<Urgency, Works>>,
    /// The curves computed so far.
    curves: RefCell<HashMap<Urgency, Known>>,
    /// The streams computed so far.
    streams: RefCell<HashMap<Urgency, Rc<[Stream]>>>,
}

pub(super) fn prove(modal: &Modal) -> Result<Proof, Failure> {
    let bands = Bands::of(modal)?;
    let all = Urgency::Above(modal.system.bands.len());
    let Some(busy_period) = bands.busy_period()? else {
        return Err(Failure::Overload { utilisation: bands.share(all)? });
    };
    let rows = modal.system.bands.iter().enumerate();
    let rows = rows.map(|(index, band)| bands.prove_band(index, band, busy_period));
    let mut rows = rows.collect::<Result<Vec<_>, Failure>>()?;
    add_members(&mut rows, bands.members(pools::prove)?);
    let (total, drivers) = (bands.share(all)?, bands.share(Urgency::Above(0))?);
    Ok(Proof { bands: rows, drivers, total, hyperperiod: None, busy_period })
}

/// Whether there is a proof, without its details.
pub(super) fn holds(modal: &Modal) -> Result<bool, Failure> {
    match Bands::of(modal).and_then(|bands| bands.hold()) {
        Err(Failure::TimesTooLarge) => Err(Failure::TimesTooLarge),
        verdict => Ok(verdict == Ok(true)),
    }
}

impl<'a> Bands<'a> {
    fn of(modal: &'a Modal) -> Result<Self, Failure> {
        let modules = modal.modules.iter().map(Steps::of).collect::<Result<Vec<_>, _>>()?;
        let jobs = modal.modules.iter().flat_map(|module| &module.modes).flat_map(|mode| &mode.jobs);
        let mut rest = modal.system.clone();
        let mut positions = Vec::new();
        for (index, band) in rest.bands.iter_mut().enumerate() {
            let is_rest = |task: &usize| !modal.is_modal(TaskIndex { band: index, task: *task });
            let kept: Vec<usize> = (0..band.tasks.len()).filter(is_rest).collect();
            band.tasks = kept.iter().map(|position| band.tasks[*position].clone()).collect();
            positions.push(kept);
        }
        Ok(Bands {
            system: &modal.system,
            modules,
            jobs: jobs.copied().collect(),
            rest: Load::of(&rest)?,
            blocking: Blocking::of(&modal.system)?,
            positions,
            works: RefCell::default(),
            curves: RefCell::default(),
            streams: RefCell::default(),
        })
    }

    fn task(&self, index: TaskIndex) -> &Task {
        &self.system.bands[index.band].tasks[index.task]
    }

    /// Whether a task's jobs interfere.
    fn is_in_the_way(&self, task: TaskIndex, urgency: Urgency) -> bool {
        match urgency {
            Urgency::Above(band) => task.band < band,
            Urgency::AsUrgent(band, priority, own) => {
                task.band < band
                    || task.band == band && task.task != own && self.task(task).priority >= priority
            }
            Urgency::Only(band) => task.band == band,
            Urgency::Switches => false,
        }
    }

    /// The interfering work of a step: the parts of the kernel and the drivers always interfere.
    fn request(&self, step: &Step, urgency: Urgency) -> Result<Ticks, TimesTooLarge> {
        let costs = &self.system.costs;
        let is_whole = !matches!(urgency, Urgency::Only(_));
        let mut work = if is_whole { costs.entry()?.plus(step.calls)? } else { Ticks::ZERO };
        for job in &step.releases {
            work = work.plus(if is_whole { costs.release } else { Ticks::ZERO })?;
            work =
                work.plus(if urgency == Urgency::Switches { costs.switch.times(2)? } else { Ticks::ZERO })?;
            if self.is_in_the_way(job.task, urgency) {
                work = work.plus(costs.job(self.task(job.task))?)?;
            }
        }
        Ok(work)
    }

    /// The interfering work of all steps.
    fn works(&self, urgency: Urgency) -> Result<Works, TimesTooLarge> {
        if let Some(works) = self.works.borrow().get(&urgency) {
            return Ok(Rc::clone(works));
        }
        let works =
            self.modules.iter().map(|steps| steps.all().map(|step| self.request(step, urgency)).collect());
        let works: Works = works.collect::<Result<Vec<_>, _>>()?.into();
        self.works.borrow_mut().insert(urgency, Rc::clone(&works));
        Ok(works)
    }

    /// The request curves of all modules, for windows up to a length.
    fn requests(&self, urgency: Urgency, window: Ticks) -> Result<Rc<[Curve]>, Failure> {
        if let Some((known, curves)) = self.curves.borrow().get(&urgency)
            && *known >= window
        {
            return Ok(Rc::clone(curves));
        }
        // Callers ask for ever longer windows.
        let until = window.times(2)?;
        let curves = self.request_curves(urgency, until)?;
        self.curves.borrow_mut().insert(urgency, (until, Rc::clone(&curves)));
        Ok(curves)
    }

    fn request_curves(&self, urgency: Urgency, until: Ticks) -> Result<Rc<[Curve]>, Failure> {
        let works = self.works(urgency)?;
        let rows = self.modules.iter().zip(works.iter());
        let curves =
            rows.map(|(steps, works)| curve(steps, until, Ticks::ZERO, |step, _| Ok(works[step.number])));
        Ok(curves.collect::<Result<Vec<_>, _>>()?.into())
    }

    /// The interfering streams of everything else.
    fn streams(&self, urgency: Urgency) -> Rc<[Stream]> {
        let mut known = self.streams.borrow_mut();
        Rc::clone(known.entry(urgency).or_insert_with(|| self.find_streams(urgency).into()))
    }

    fn find_streams(&self, urgency: Urgency) -> Vec<Stream> {
        let (band, priority, own) = match urgency {
            Urgency::Above(band) => return self.rest.above(band),
            Urgency::Switches => return self.rest.above(0),
            Urgency::Only(band) => return self.rest.bands[band].iter().map(|row| row.stream).collect(),
            Urgency::AsUrgent(band, priority, own) => (band, priority, own),
        };
        let rows = self.rest.bands[band].iter().zip(&self.positions[band]);
        let as_urgent = rows.filter(|(row, position)| row.priority >= priority && **position != own);
        self.rest.above(band).into_iter().chain(as_urgent.map(|(row, _)| row.stream)).collect()
    }

    /// The interfering work in a window, except that of one module.
    fn others(&self, urgency: Urgency, window: Ticks, but: Option<usize>) -> Result<Ticks, Failure> {
        let curves = self.requests(urgency, window)?;
        let others = curves.iter().enumerate().filter(|(module, _)| Some(*module) != but);
        let of_modules = sum(others.map(|(_, curve)| Ok::<_, TimesTooLarge>(curve.requested(window))))?;
        Ok(requested(&self.streams(urgency), window)?.plus(of_modules)?)
    }

    /// When `work` that arrives all at once is done below all interference, if that is by `limit`; it must
    /// not be before `earliest`.
    fn finish_by(
        &self,
        work: Ticks,
        urgency: Urgency,
        earliest: Ticks,
        limit: Ticks,
    ) -> Result<Option<Ticks>, Failure> {
        let asked = |window| Ok(work.plus(self.others(urgency, window, None)?)?);
        least(work.max(earliest), limit, asked)
    }

    /// Whether all bands hold. Most failures are in short windows, and checking these is cheaper than
    /// computing the busy period.
    fn hold(&self) -> Result<bool, Failure> {
        let bands = || self.system.bands.iter().enumerate();
        for (index, band) in bands() {
            self.rows(index, band, Ticks::new(1))?;
        }
        let Some(busy_period) = self.busy_period()? else { return Ok(false) };
        // The test of a fixed band doesn't depend on it.
        for (index, band) in bands().filter(|(_, band)| band.policy == Policy::Dynamic) {
            self.rows(index, band, busy_period)?;
        }
        self.members(pools::hold)
    }

    /// The longest time that the processor can be busy, if it is bounded.
    fn busy_period(&self) -> Result<Option<Ticks>, Failure> {
        let all = Urgency::Above(self.system.bands.len());
        // A busy period this long counts as endless.
        let in_the_way = self.blocking.iter().map(Blocking::most).max().unwrap_or(Ticks::ZERO);
        self.finish_by(in_the_way, all, Ticks::new(1), self.longest().times(MOST_PERIODS)?)
    }

    /// The longest period of anything.
    fn longest(&self) -> Ticks {
        let periods = self.system.sequences().map(|(period, _)| period);
        let modes = self.modules.iter().map(|steps| steps.longest);
        periods.chain(modes).max().unwrap_or(Ticks::ZERO).max(Ticks::new(1))
    }

    /// The required share of the processor; for modules, in a window of many of the longest periods.
    fn share(&self, urgency: Urgency) -> Result<Utilisation, Failure> {
        let window = self.longest().times(LONG)?;
        let curves = self.request_curves(urgency, window)?;
        let of_modules = sum(curves.iter().map(|curve| Ok::<_, TimesTooLarge>(curve.requested(window))))?;
        let streams = self.streams(urgency);
        let of_streams =
            utilisation::sum(streams.iter().map(|row| Ok(Utilisation::new(row.cost, row.period))))?;
        Ok(of_streams.plus(Utilisation::new(of_modules, window))?)
    }

    /// By task.
    fn rows(&self, index: usize, band: &Band, busy_period: Ticks) -> Result<Vec<Row>, Failure> {
        match band.policy {
            Policy::Dynamic => self.dynamic(index, band, busy_period),
            Policy::Fixed => self.fixed(index, band),
        }
    }

    fn prove_band(&self, index: usize, band: &Band, busy_period: Ticks) -> Result<BandProof, Failure> {
        let method = match band.policy {
            Policy::Dynamic => Method::ProcessorDemand,
            Policy::Fixed => Method::ResponseTime,
        };
        let blocking = &self.blocking[index].by_locks;
        let rows = self.rows(index, band, busy_period)?.into_iter().zip(blocking).zip(&band.tasks);
        let tasks = rows.map(|((Row { deadline, margin, response }, blocking), task)| TaskProof {
            name: task.name.clone(),
            response,
            blocking: *blocking,
            observed: None,
            deadline,
            margin,
        });
        let utilisation = self.share(Urgency::Only(index))?;
        let (name, policy) = (band.name.clone(), band.policy);
        Ok(BandProof { name, policy, method, utilisation, tasks: tasks.collect() })
    }

    /// The lengths of a task's logical execution times, each once.
    fn deadlines(&self, index: TaskIndex) -> Vec<Ticks> {
        let own = self.jobs.iter().filter(|job| job.task == index).map(|job| job.length());
        let mut own: Vec<_> = own.collect();
        if own.is_empty() {
            own.push(self.task(index).deadline);
        }
        own.sort();
        own.dedup();
        own
    }

    /// Only one job of a task is at work at a time, so it is done within the shortest window with room for it
    /// and everything as urgent.
    fn fixed(&self, index: usize, band: &Band) -> Result<Vec<Row>, Failure> {
        let row = |(position, task): (usize, &Task)| {
            let own = TaskIndex { band: index, task: position };
            let urgency = Urgency::AsUrgent(index, task.priority, position);
            let releases = |job: &Job| job.task == own;
            if let Some(module) = self
                .modules
                .iter()
                .position(|steps| steps.all().any(|step| step.releases.iter().any(releases)))
            {
                return self.of_module(module, own, urgency);
            }
            let deadline = task.deadline;
            let work = self.system.costs.job(task)?.plus(self.blocking[index].of_task(position))?;
            let limit = deadline.less(task.jitter);
            match self.finish_by(work, urgency, Ticks::ZERO, limit)? {
                Some(done) => Ok(Row::of(deadline, done.plus(task.jitter)?)),
                None => Err(not_proved(task, deadline)),
            }
        };
        band.tasks.iter().enumerate().map(row).collect()
    }

    /// The same for a task of a module, on each path that the module may have taken: from the start of a time
    /// in which the processor runs nothing less urgent, to the release.
    fn of_module(&self, module: usize, own: TaskIndex, urgency: Urgency) -> Result<Row, Failure> {
        let (steps, works) = (&self.modules[module], self.works(urgency)?);
        let works = &works[module];
        let blocking = self.blocking[own.band].of_task(own.task);
        let cost = self.system.costs.job(self.task(own))?.plus(blocking)?;
        let mut worst: Option<Row> = None;
        let visit = |step: &Step, at: Ticks, so_far: Ticks| {
            for job in step.releases.iter().filter(|job| job.task == own) {
                let behind = behind(steps, works, step.to, job.length())?;
                let limit = at.plus(job.length())?;
                let asked = |window: Ticks| {
                    let others = self.others(urgency, window, Some(module))?;
                    Ok(cost.plus(so_far)?.plus(behind.requested(window.less(at)))?.plus(others)?)
                };
                let Some(done) = least(at.plus(Ticks::new(1))?, limit, asked)? else {
                    return Err(not_proved(self.task(own), job.length()));
                };
                let row = Row::of(job.length(), done.less(at));
                worst = Some(match worst.take() {
                    Some(worst) => worst.and(row),
                    None => row,
                });
            }
            Ok(())
        };
        let work = |step: &Step, _: Ticks| Ok(works[step.number]);
        // If all work requested before an instant is done by then, another such time begins.
        let is_busy = |then: Ticks, so_far: Ticks| {
            Ok(so_far.plus(blocking)?.plus(self.others(urgency, then, Some(module))?)? > then)
        };
        walk(steps, Ticks::ZERO, work, visit, |_, _| (), is_busy)?;
        worst.ok_or(Failure::TooLong)
    }

    /// The due work of each window must be done in it. A job due at the window's end is done by then, so it
    /// takes no longer than its own time less the unused part of the window.
    fn dynamic(&self, index: usize, band: &Band, busy_period: Ticks) -> Result<Vec<Row>, Failure> {
        let deadlines: Vec<Vec<Ticks>> =
            (0..band.tasks.len()).map(|task| self.deadlines(TaskIndex { band: index, task })).collect();
        let longest = deadlines.iter().flatten().copied().max().unwrap_or(Ticks::ZERO);
        // A job released in a busy period is due at most this long after it.
        let end = busy_period.plus(longest)?.plus(Ticks::new(1))?;
        let demands = self.demands(index, end)?;
        let mut left: Vec<(Ticks, Ticks)> = Vec::new();
        let mut before = Ticks::new(1);
        for window in self.windows(index, &demands, &deadlines, end)? {
            let asked = |so_far: Ticks| self.due_or_released(index, &demands, window, so_far);
            // A longer window contains no less work, so it isn't done sooner than a shorter one.
            match least(before, window, asked)? {
                Some(done) => {
                    left.push((window, window.less(done)));
                    before = done;
                }
                None => return Err(self.late(band, &deadlines, window)),
            }
        }
        // The least unused time of any window at least this long.
        for position in (1..left.len()).rev() {
            left[position - 1].1 = left[position - 1].1.min(left[position].1);
        }
        // Where only a share grows no window is looked at (`edf/shares.rs`), so nothing is known of what is left there.
        let has_share = self.rest.bands[index].iter().any(|row| row.is_share);
        let margin = |deadline: Ticks| {
            if has_share {
                return Ticks::ZERO;
            }
            let from = left.partition_point(|(window, _)| *window < deadline);
            left.get(from).map_or(Ticks::ZERO, |(_, left)| *left).min(deadline)
        };
        let row = |(own, task): (&Vec<Ticks>, &Task)| {
            let rows = own.iter().map(|deadline| {
                let margin = margin(*deadline);
                // A late release has a deadline that is later by as much, so others may go before it; the
                // guarantee counts from the arrival.
                match margin < task.jitter {
                    true => Err(not_proved(task, *deadline)),
                    false => Ok(Row::of(*deadline, deadline.less(margin).plus(task.jitter)?)),
                }
            });
            let rows = rows.collect::<Result<Vec<Row>, Failure>>()?;
            Ok(rows.into_iter().reduce(Row::and).unwrap_or(Row::of(Ticks::ZERO, Ticks::ZERO)))
        };
        deadlines.iter().zip(&band.tasks).map(row).collect()
    }

    /// The work of a band that is due in a window and released in its first part, with all interference
    /// there. As long as that exceeds the first part, the processor has been busy with it since the window's
    /// start (Spuri, 1996, section 3).
    fn due_or_released(
        &self,
        index: usize,
        demands: &[Curve],
        window: Ticks,
        beginning: Ticks,
    ) -> Result<Ticks, Failure> {
        let released = self.requests(Urgency::Only(index), beginning)?;
        let of_modules = demands.iter().zip(released.iter()).map(|(demand, released)| {
            Ok::<_, TimesTooLarge>(demand.due(window).min(released.requested(beginning)))
        });
        let of_rest = self.rest.bands[index].iter().map(|row| {
            if row.is_share {
                return row.due(window);
            }
            let jobs = row.jobs_due(window).min(row.stream.releases(beginning)?);
            row.stream.cost.times(jobs)
        });
        let own = sum(of_modules.chain(of_rest))?;
        let own = own.plus(self.blocking[index].within(window))?;
        Ok(own.plus(self.others(Urgency::Above(index), beginning, None)?)?)
    }

    /// The demand curves of all modules for a band.
    fn demands(&self, index: usize, end: Ticks) -> Result<Vec<Curve>, Failure> {
        let longest = self.jobs.iter().map(|job| job.length()).max().unwrap_or(Ticks::ZERO);
        let work = |step: &Step, after: Ticks| {
            // Jobs released before the window don't count.
            let within = |job: &&Job| job.task.band == index && job.length() <= after;
            sum(step.ends.iter().filter(within).map(|job| self.system.costs.job(self.task(job.task))))
        };
        self.modules.iter().map(|steps| curve(steps, end, longest, work)).collect()
    }
}

/// The least window, from `start` on, with room for the work requested in it, if that is at or before
/// `limit`.
fn least(
    start: Ticks,
    limit: Ticks,
    asked: impl Fn(Ticks) -> Result<Ticks, Failure>,
) -> Result<Option<Ticks>, Failure> {
    let mut window = start;
    for _ in 0..Failure::JOB_LIMIT {
        if window > limit {
            return Ok(None);
        }
        let next = asked(window)?;
        if next <= window {
            return Ok(Some(window));
        }
        window = next;
    }
    Err(Failure::TooLong)
}

fn not_proved(task: &Task, deadline: Ticks) -> Failure {
    let response = deadline.plus(Ticks::new(1)).unwrap_or(deadline);
    Failure::NotProved { task: task.name.clone(), deadline, response }
}

/// The most of the longest periods that a busy period may have.
const MOST_PERIODS: u64 = 64;

/// Over how many of the longest periods the share is computed.
const LONG: u64 = 16;
