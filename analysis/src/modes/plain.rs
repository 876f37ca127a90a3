//! The same proof in the most naive way, for comparison: tables of every tick and state, with nothing
//! omitted.

use super::steps::{Step, Steps};
use super::{Job, Modal};
use crate::demand::{Load, Stream, requested};
use crate::failure::Failure;
use crate::model::{Band, Policy, Task};
use crate::modes::row::Row;
use crate::proof::{BandProof, Method, Proof, TaskProof};
use crate::schedule::TaskIndex;
use crate::sensitivity::{Factor, largest_factor};
use crate::ticks::Ticks;
use crate::utilisation::{self, Utilisation};

/// Which jobs count.
type Whose<'a> = &'a dyn Fn(TaskIndex) -> bool;

struct Plain<'a> {
    modal: &'a Modal,
    modules: Vec<Steps>,
    /// Without the modules' tasks.
    rest: Load,
    /// The positions of the remaining tasks in their bands.
    positions: Vec<Vec<usize>>,
    longest: u64,
}

/// The requests of all modules and streams.
struct Requests {
    curves: Vec<Vec<u64>>,
    streams: Vec<Stream>,
}

impl Requests {
    fn in_window(&self, window: u64, but: Option<usize>) -> u64 {
        let curves = self.curves.iter().enumerate().filter(|(module, _)| Some(*module) != but);
        let of_modules: u64 = curves.map(|(_, curve)| curve[index(window)]).sum();
        of_modules + requested(&self.streams, Ticks::new(window)).unwrap().get()
    }
}

fn index(time: u64) -> usize {
    usize::try_from(time).unwrap()
}

/// Like [`super::prove`], for valid systems with short times.
pub(crate) fn prove(modal: &Modal) -> Result<Proof, Failure> {
    let plain = Plain::of(modal);
    let all = |_: TaskIndex| true;
    let busy = plain
        .busy_period()
        .ok_or_else(|| Failure::Overload { utilisation: plain.share(&all, true, &plain.rest.all()) })?;
    let mut bands = Vec::new();
    for (index, band) in modal.system.bands.iter().enumerate() {
        let (method, rows) = match band.policy {
            Policy::Dynamic => (Method::ProcessorDemand, plain.dynamic(index, band, busy)?),
            Policy::Fixed => (Method::ResponseTime, plain.fixed(index, band, busy)?),
        };
        let own: Vec<_> = plain.rest.bands[index].iter().map(|row| row.stream).collect();
        let tasks =
            rows.into_iter().zip(&band.tasks).map(|(Row { deadline, margin, response }, task)| TaskProof {
                name: task.name.clone(),
                response,
                // The systems compared have no locks.
                blocking: Ticks::ZERO,
                observed: None,
                deadline,
                margin,
            });
        bands.push(BandProof {
            name: band.name.clone(),
            policy: band.policy,
            method,
            utilisation: plain.share(&|task| task.band == index, false, &own),
            tasks: tasks.collect(),
        });
    }
    let total = plain.share(&all, true, &plain.rest.all());
    let drivers = plain.share(&|_| false, true, &plain.rest.above(0));
    Ok(Proof { bands, drivers, total, hyperperiod: None, busy_period: Ticks::new(busy) })
}

/// Like [`crate::sensitivity::speed_in_modes`], by a search over all factors with a whole proof for each.
pub(crate) fn speed(
    modal: &Modal,
    slower: impl Fn(Factor) -> Result<Modal, Failure>,
) -> Result<(Factor, Option<String>), Failure> {
    prove(modal)?;
    let factor = largest_factor(|factor| Ok(prove(&slower(factor)?).is_ok()))?.unwrap_or(Factor::ONE);
    let first = match prove(&slower(Factor::ten_thousandths(factor.get() + 1))?) {
        Err(Failure::NotProved { task, .. }) => Some(task),
        _ => None,
    };
    Ok((factor, first))
}

impl<'a> Plain<'a> {
    fn of(modal: &'a Modal) -> Plain<'a> {
        let modules: Vec<_> = modal.modules.iter().map(|module| Steps::of(module).unwrap()).collect();
        let (mut rest, mut positions) = (modal.system.clone(), Vec::new());
        for (band, row) in rest.bands.iter_mut().enumerate() {
            let is_rest = |task: &usize| !modal.is_modal(TaskIndex { band, task: *task });
            let kept: Vec<usize> = (0..row.tasks.len()).filter(is_rest).collect();
            row.tasks = kept.iter().map(|task| row.tasks[*task].clone()).collect();
            positions.push(kept);
        }
        let modes = modal.modules.iter().flat_map(|module| &module.modes).map(|mode| mode.period);
        let longest = modes.chain(modal.system.sequences().map(|(period, _)| period)).max().unwrap();
        let rest = Load::of(&rest).unwrap();
        Plain { modal, modules, rest, positions, longest: longest.get() }
    }

    fn task(&self, task: TaskIndex) -> &Task {
        &self.modal.system.bands[task.band].tasks[task.task]
    }

    fn cost(&self, task: TaskIndex) -> u64 {
        self.modal.system.costs.job(self.task(task)).unwrap().get()
    }

    fn released(&self, step: &Step, whose: Whose<'_>, with_kernel: bool) -> u64 {
        let costs = &self.modal.system.costs;
        let jobs: u64 =
            step.releases.iter().filter(|job| whose(job.task)).map(|job| self.cost(job.task)).sum();
        let releases = u64::try_from(step.releases.len()).unwrap() * costs.release.get();
        let kernel = costs.entry().unwrap().get() + step.calls.get() + releases;
        if with_kernel { jobs + kernel } else { jobs }
    }

    fn due(&self, step: &Step, band: usize, after: u64) -> u64 {
        let within = |job: &&Job| job.task.band == band && job.length().get() <= after;
        step.ends.iter().filter(within).map(|job| self.cost(job.task)).sum()
    }

    /// The most work at instants up to each tick after the first instant, over all paths.
    fn ways(steps: &Steps, until: u64, work: impl Fn(&Step, u64) -> u64) -> Vec<u64> {
        let mut table = vec![vec![None; steps.after.len()]; index(until) + 1];
        let reach = |at: u64, state: usize, work: u64, table: &mut Vec<Vec<Option<u64>>>| {
            if let Some(row) = table.get_mut(index(at)) {
                row[state] = row[state].max(Some(work));
            }
        };
        steps.all().for_each(|step| reach(0, step.to, work(step, 0), &mut table));
        let (mut most, mut sums) = (0, Vec::new());
        for at in 0..=until {
            for state in 0..steps.after.len() {
                let Some(so_far) = table[index(at)][state] else { continue };
                most = so_far.max(most);
                for step in &steps.after[state] {
                    let then = at + step.wait.get();
                    reach(then, step.to, so_far + work(step, then), &mut table);
                }
            }
            sums.push(most);
        }
        sums
    }

    fn requests(&self, whose: Whose<'_>, with_kernel: bool, streams: &[Stream], until: u64) -> Requests {
        let of = |steps| {
            // Excluding the window's end.
            let sums = Plain::ways(steps, until, |step, _| self.released(step, whose, with_kernel));
            std::iter::once(0).chain(sums).collect()
        };
        Requests { curves: self.modules.iter().map(of).collect(), streams: streams.to_vec() }
    }

    fn busy_period(&self) -> Option<u64> {
        let mut until = self.longest;
        while until <= 64 * self.longest {
            let requests = self.requests(&|_| true, true, &self.rest.all(), until);
            if let Some(busy) = (1..=until).find(|window| requests.in_window(*window, None) <= *window) {
                return Some(busy);
            }
            until *= 2;
        }
        None
    }

    fn share(&self, whose: Whose<'_>, with_kernel: bool, streams: &[Stream]) -> Utilisation {
        let window = 16 * self.longest;
        let requests = self.requests(whose, with_kernel, &[], window);
        let streams = streams.iter().map(|row| Ok(Utilisation::new(row.cost, row.period)));
        let asked = Utilisation::new(Ticks::new(requests.in_window(window, None)), Ticks::new(window));
        utilisation::sum(streams).unwrap().plus(asked).unwrap()
    }

    /// The lengths of a task's logical execution times.
    fn deadlines(&self, own: TaskIndex) -> Vec<u64> {
        let jobs = self.modal.modules.iter().flat_map(|module| &module.modes).flat_map(|mode| &mode.jobs);
        let mut lengths: Vec<u64> =
            jobs.filter(|job| job.task == own).map(|job| job.length().get()).collect();
        if lengths.is_empty() {
            lengths.push(self.task(own).deadline.get());
        }
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn dynamic(&self, band: usize, row: &Band, busy: u64) -> Result<Vec<Row>, Failure> {
        let deadlines: Vec<_> =
            (0..row.tasks.len()).map(|task| self.deadlines(TaskIndex { band, task })).collect();
        let end = busy + deadlines.iter().flatten().copied().max().unwrap_or(0) + 1;
        let above = self.requests(&|task| task.band < band, true, &self.rest.above(band), end);
        let released = self.requests(&|task| task.band == band, false, &[], end);
        let due = |steps| Plain::ways(steps, end, |step, after| self.due(step, band, after));
        let due: Vec<_> = self.modules.iter().map(due).collect();
        let asked = |window: u64, beginning: u64| {
            let modules = due.iter().zip(&released.curves);
            let of_modules =
                modules.map(|(due, released)| due[index(window)].min(released[index(beginning)]));
            let of_rest = self.rest.bands[band].iter().map(|row| {
                let jobs = row.jobs_due(Ticks::new(window));
                jobs.min(row.stream.releases(Ticks::new(beginning)).unwrap()) * row.stream.cost.get()
            });
            of_modules.chain(of_rest).sum::<u64>() + above.in_window(beginning, None)
        };
        let is_anything_due = |window: u64| {
            let of_rest = self.rest.bands[band].iter().any(|row| row.jobs_due(Ticks::new(window)) > 0);
            of_rest || due.iter().any(|due| due[index(window)] > 0)
        };
        let mut left = vec![u64::MAX];
        for window in 1..end {
            if !is_anything_due(window) {
                left.push(u64::MAX);
                continue;
            }
            match (1..=window).find(|beginning| asked(window, *beginning) <= *beginning) {
                Some(done) => left.push(window - done),
                None => return Err(late(row, &deadlines, window)),
            }
        }
        let margin = |deadline: u64| left[index(deadline)..].iter().copied().min().unwrap().min(deadline);
        let row = |deadline: &u64| row_of(*deadline, deadline - margin(*deadline));
        let rows = deadlines.iter().map(|own| own.iter().map(row).reduce(Row::and).unwrap());
        Ok(rows.collect())
    }

    fn fixed(&self, band: usize, row: &Band, busy: u64) -> Result<Vec<Row>, Failure> {
        let tasks = row.tasks.iter().enumerate();
        tasks.map(|(task, _)| self.fixed_task(TaskIndex { band, task }, busy)).collect()
    }

    fn fixed_task(&self, own: TaskIndex, busy: u64) -> Result<Row, Failure> {
        let task = self.task(own);
        let is_as_urgent = |other: TaskIndex| {
            let is_beside =
                other.band == own.band && other != own && self.task(other).priority >= task.priority;
            other.band < own.band || is_beside
        };
        let mut streams = self.rest.above(own.band);
        let rows = self.rest.bands[own.band].iter().zip(&self.positions[own.band]);
        let beside = rows.filter(|(_, position)| is_as_urgent(TaskIndex { task: **position, ..own }));
        streams.extend(beside.map(|(row, _)| row.stream));
        let until = busy + 2 * self.longest;
        let requests = self.requests(&is_as_urgent, true, &streams, until);
        let is_home = |steps: &Steps| steps.all().any(|step| step.releases.iter().any(|job| job.task == own));
        match self.modules.iter().position(is_home) {
            Some(home) => {
                self.way_by_way(own, home, &requests, |step| self.released(step, &is_as_urgent, true))
            }
            None => {
                let deadline = task.deadline.get();
                let asked = |window: u64| self.cost(own) + requests.in_window(window, None);
                let done = (1..=deadline).find(|window| asked(*window) <= *window);
                done.map(|done| row_of(deadline, done)).ok_or_else(|| not_proved(task, deadline))
            }
        }
    }

    /// The longest response and the least margin, on all paths while equally urgent work keeps the processor
    /// busy.
    fn way_by_way(
        &self,
        own: TaskIndex,
        home: usize,
        requests: &Requests,
        work: impl Fn(&Step) -> u64,
    ) -> Result<Row, Failure> {
        let steps = &self.modules[home];
        let mut open = std::collections::BTreeMap::<(u64, usize), u64>::new();
        let mut worst: Option<Row> = None;
        let mut visit = |step: &Step, at: u64, so_far: u64| {
            for job in step.releases.iter().filter(|job| job.task == own) {
                let length = job.length().get();
                let asked = |window: u64| {
                    let behind = behind(steps, step.to, window - at, length, &work);
                    self.cost(own) + so_far + behind + requests.in_window(window, Some(home))
                };
                let done = (at + 1..=at + length).find(|window| asked(*window) <= *window);
                let done = done.ok_or_else(|| not_proved(self.task(own), length))?;
                let row = row_of(length, done - at);
                worst = worst.take().map(|worst| worst.and(row_of(length, done - at))).or(Some(row));
            }
            Ok::<(), Failure>(())
        };
        for step in steps.all() {
            visit(step, 0, work(step))?;
            let known = open.entry((0, step.to)).or_default();
            *known = work(step).max(*known);
        }
        while let Some(((at, state), so_far)) = open.pop_first() {
            for step in &steps.after[state] {
                let then = at + step.wait.get();
                if so_far + requests.in_window(then, Some(home)) > then {
                    let so_far = so_far + work(step);
                    visit(step, then, so_far)?;
                    let known = open.entry((then, step.to)).or_default();
                    *known = so_far.max(*known);
                }
            }
        }
        Ok(worst.unwrap())
    }
}

/// The work that a module requests after a release, within a window and the logical execution time.
fn behind(steps: &Steps, mut state: usize, window: u64, length: u64, work: &impl Fn(&Step) -> u64) -> u64 {
    let (mut at, mut sum) = (0, 0);
    loop {
        let step = &steps.after[state][0];
        at += step.wait.get();
        if at >= window.min(length) {
            return sum;
        }
        sum += work(step);
        state = step.to;
    }
}

fn late(band: &Band, deadlines: &[Vec<u64>], window: u64) -> Failure {
    let fits = |own: &Vec<u64>| own.iter().copied().filter(|own| *own <= window).max();
    let rows = band.tasks.iter().zip(deadlines).filter_map(|(task, own)| Some((task, fits(own)?)));
    let (task, deadline) = rows.max_by_key(|(_, deadline)| *deadline).unwrap();
    not_proved(task, deadline)
}

fn not_proved(task: &Task, deadline: u64) -> Failure {
    let (deadline, response) = (Ticks::new(deadline), Ticks::new(deadline + 1));
    Failure::NotProved { task: task.name.clone(), deadline, response }
}

fn row_of(deadline: u64, response: u64) -> Row {
    Row::of(Ticks::new(deadline), Ticks::new(response))
}
