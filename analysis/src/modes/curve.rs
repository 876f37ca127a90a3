//! Curves: the most work of a module in windows of all lengths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::failure::Failure;
use crate::modes::steps::{Step, Steps};
use crate::ticks::{Ticks, TimesTooLarge};

/// The most partial paths to follow for one curve.
const MOST: usize = 200_000;

/// A step function: lengths of windows, and the work from there on; both increase.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    stairs: Vec<(Ticks, Ticks)>,
}

impl Curve {
    /// The most work that is released in a window, excluding its end.
    pub(super) fn requested(&self, window: Ticks) -> Ticks {
        self.at(self.stairs.partition_point(|(length, _)| *length < window))
    }

    /// The most work that is both released and due in a window, including its end.
    pub(super) fn due(&self, window: Ticks) -> Ticks {
        self.at(self.stairs.partition_point(|(length, _)| *length <= window))
    }

    /// The lengths at which the work increases.
    pub(super) fn lengths(&self) -> impl Iterator<Item = Ticks> {
        self.stairs.iter().map(|(length, _)| *length)
    }

    fn at(&self, stairs: usize) -> Ticks {
        stairs.checked_sub(1).map_or(Ticks::ZERO, |last| self.stairs[last].1)
    }

    /// Adds a step if it increases the work.
    pub(super) fn climb(&mut self, length: Ticks, work: Ticks) {
        match self.stairs.last_mut() {
            None if work == Ticks::ZERO => {}
            Some((_, most)) if *most >= work => {}
            Some((last, most)) if *last == length => *most = work,
            _ => self.stairs.push((length, work)),
        }
    }
}

/// The work that a module requests from any of its instants on, in windows shorter than `end`. `work` gives
/// that of a step, whose instant lies a given time after the window's start. From `settled` on it must not
/// depend on that time.
pub(super) fn curve(
    steps: &Steps,
    end: Ticks,
    settled: Ticks,
    work: impl Fn(&Step, Ticks) -> Result<Ticks, TimesTooLarge>,
) -> Result<Curve, Failure> {
    let mut curve = Curve::default();
    let reach = |at: Ticks, so_far: Ticks| curve.climb(at, so_far);
    walk(steps, settled, work, |_, _, _| Ok(()), reach, |then, _| Ok(then < end))?;
    Ok(curve)
}

/// Follows all paths from any instant on, in time order, except those with no more work than another one that
/// reached their state earlier. `visit` gets each step, its instant, and the work up to it; `reach` the
/// instants and the work up to them, in time order; `goes_on` decides by the next instant and the work before
/// it.
pub(super) fn walk(
    steps: &Steps,
    settled: Ticks,
    work: impl Fn(&Step, Ticks) -> Result<Ticks, TimesTooLarge>,
    mut visit: impl FnMut(&Step, Ticks, Ticks) -> Result<(), Failure>,
    mut reach: impl FnMut(Ticks, Ticks),
    mut goes_on: impl FnMut(Ticks, Ticks) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut open = Open::default();
    for step in steps.all() {
        let own = work(step, Ticks::ZERO)?;
        visit(step, Ticks::ZERO, own)?;
        open.push(Reverse((Ticks::ZERO, step.to, Reverse(own))));
    }
    let mut most: Vec<Option<Ticks>> = vec![None; steps.after.len()];
    let mut waiting: Vec<Option<(Ticks, Ticks)>> = vec![None; steps.after.len()];
    let mut count = 0;
    let mut last = None;
    while let Some(Reverse((at, state, Reverse(so_far)))) = open.pop() {
        reach(at, so_far);
        // Of paths that are at the same state at the same time, the one with the most work comes first and is
        // enough.
        if last.replace((at, state)) == Some((at, state)) {
            continue;
        }
        if at >= settled {
            // A path that reached this state earlier with as much work will never have less.
            if most[state].is_some_and(|most| most >= so_far) {
                continue;
            }
            most[state] = Some(so_far);
        }
        for step in &steps.after[state] {
            let then = at.plus(step.wait)?;
            if goes_on(then, so_far)? {
                let so_far = so_far.plus(work(step, then)?)?;
                visit(step, then, so_far)?;
                // The same for paths still to be followed, as far as the last one of a state shows.
                let before = &mut waiting[step.to];
                if before.is_none_or(|(at, work)| at < settled || at > then || work < so_far) {
                    *before = Some((then, so_far));
                    open.push(Reverse((then, step.to, Reverse(so_far))));
                }
            }
        }
        count += 1;
        if count > MOST {
            return Err(Failure::TooLong);
        }
    }
    Ok(())
}

/// Paths still to be followed, the earliest first: the instant, the state, and the work up to it, the most
/// first.
type Open = BinaryHeap<Reverse<(Ticks, usize, Reverse<Ticks>)>>;

/// The work that a module requests after a release, within the logical execution time, in which there is no
/// switch.
pub(super) fn behind(
    steps: &Steps,
    works: &[Ticks],
    mut state: usize,
    length: Ticks,
) -> Result<Curve, Failure> {
    let (mut at, mut work, mut curve) = (Ticks::ZERO, Ticks::ZERO, Curve::default());
    while let Some(step) = steps.after[state].first() {
        at = at.plus(step.wait)?;
        if at >= length {
            break;
        }
        work = work.plus(works[step.number])?;
        curve.climb(at, work);
        state = step.to;
    }
    Ok(curve)
}
