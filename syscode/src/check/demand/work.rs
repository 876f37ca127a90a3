//! How much work may come, and be due, in a length of time; and the words that keep what is known of each
//! task.

use super::super::time::Loss;
use super::{Pace, WORDS};

/// The words of each task: see `walk`.
pub(super) struct Paces<'m>(pub &'m mut [u32]);

impl Paces<'_> {
    pub(super) fn word(&self, task: u8, field: usize) -> u32 {
        self.0.get(usize::from(task) * WORDS + field).copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, task: u8, field: usize, value: u32) {
        if let Some(word) = self.0.get_mut(usize::from(task) * WORDS + field) {
            *word = value;
        }
    }

    /// Keeps the smaller of a value and the known one.
    pub(super) fn lower(&mut self, task: u8, field: usize, value: u32) {
        self.set(task, field, self.word(task, field).min(value));
    }

    /// Nothing is known of a task.
    pub(super) fn clear(&mut self, task: u8) {
        // bound: 5, the words of a task
        for (field, value) in [0, u32::MAX, u32::MAX, 0, 0].into_iter().enumerate() {
            self.set(task, field, value);
        }
    }

    pub(super) fn pace(&self, task: u8) -> Pace {
        let period = Some(self.word(task, 1)).filter(|period| *period < u32::MAX);
        Pace { period, deadline: self.word(task, 2) }
    }
}

/// The work of a task that may come in this many ticks.
#[must_use]
pub fn coming(pace: Pace, bound: u32, ticks: u32) -> u64 {
    let jobs = pace.period.map_or(u32::from(ticks > 0), |period| ticks.div_ceil(period.max(1)));
    u64::from(jobs) * u64::from(bound)
}

/// The work of a task that may come and be due in this many ticks.
#[must_use]
pub fn due(pace: Pace, bound: u32, ticks: u32) -> u64 {
    let jobs = ticks
        .checked_sub(pace.deadline)
        .map_or(0, |rest| u64::from(pace.period.map_or(0, |period| rest / period.max(1))) + 1);
    jobs * u64::from(bound)
}

/// The most that may be lost in this many ticks, wherever they begin: the loss of each period that overlaps
/// them.
#[must_use]
pub fn lost(loss: Loss, ticks: u32) -> u64 {
    let periods = if ticks == 0 { 0 } else { u64::from(ticks.div_ceil(loss.period.max(1))) + 1 };
    periods.saturating_mul(loss.worst.into())
}

/// The last deadline of a task before this many ticks, if its releases begin at 0.
#[must_use]
pub fn last_before(pace: Pace, ticks: u32) -> Option<u32> {
    let rest = ticks.checked_sub(1)?.checked_sub(pace.deadline)?;
    Some(pace.deadline + pace.period.map_or(0, |period| rest - rest % period.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_lost_as_where_the_periods_lie_worst() {
        for (period, worst) in [(1, 1), (3, 2), (7, 7), (10, 1)] {
            let loss = Loss { period, worst, is_in_step: false };
            for ticks in 0..40 {
                assert_eq!(lost(loss, ticks), loss.between(0, ticks.into()), "{ticks} of {loss:?}");
                let in_step = Loss { is_in_step: true, ..loss };
                let most = (0..period).map(|from| in_step.between(from.into(), (from + ticks).into())).max();
                assert!(most.unwrap_or(0) <= lost(loss, ticks), "{ticks} of {loss:?}");
            }
        }
    }
}
