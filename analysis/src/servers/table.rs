//! A table: a partition's windows in a major frame, which repeats.
//!
//! The tasks inside arrive at any instants of the frame. So the least supply of a window is over all its
//! beginnings, of which those where a window of the table ends are enough: beginning sooner has whatever is had
//! until then beforehand, and gives up no more at the other end.

use super::supply::Supply;
use super::under;
use crate::failure::{Failure, Fault};
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, TimesTooLarge, sum};
use crate::utilisation::Utilisation;

/// The windows of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    frame: Ticks,
    /// Beginning and length, in order.
    windows: Vec<(Ticks, Ticks)>,
    total: Ticks,
}

/// The supply from one instant of the frame on.
#[derive(Clone, Copy, Debug)]
pub struct From<'a> {
    table: &'a Table,
    /// The window of the table that has just ended.
    ended: usize,
}

impl Table {
    /// A frame with windows, each a beginning and a length; at least one, in order, apart from each other or
    /// side by side, and within the frame.
    ///
    /// # Errors
    /// [`Failure::Invalid`] names the table; [`Failure::TimesTooLarge`].
    pub fn new(frame: Ticks, windows: &[(Ticks, Ticks)]) -> Result<Table, Failure> {
        let mut last = Ticks::ZERO;
        let mut is_in_order = !windows.is_empty();
        for (begin, length) in windows {
            is_in_order &= *begin >= last && *length > Ticks::ZERO;
            last = begin.plus(*length)?;
        }
        if !is_in_order || last > frame {
            return Err(Failure::Invalid { name: "the table".to_owned(), fault: Fault::TableOutOfRange });
        }
        let total = sum(windows.iter().map(|(_, length)| Ok::<_, TimesTooLarge>(*length)))?;
        Ok(Table { frame, windows: windows.to_vec(), total })
    }

    /// The supplies from the end of each of its windows on. Each of all others has more in every window.
    pub fn starts(&self) -> impl Iterator<Item = From<'_>> {
        (0..self.windows.len()).map(|ended| From { table: self, ended })
    }

    /// The longest response of each task in the partition, by fixed priorities in the order of the list: over
    /// all instants at which its busy period can begin. `None` for a task whose deadline isn't certain.
    ///
    /// *Exact* for independent preemptive sporadic tasks with arbitrary deadlines and jitter, without blocking,
    /// that arrive at any instants. [`under::responses`] beneath the table itself is only *safe*: it takes the
    /// least of each length, from different beginnings. Cost: that, for each window of the table.
    ///
    /// # Errors
    /// Those of [`under::responses`].
    pub fn responses(&self, tasks: &[Sporadic]) -> Result<Vec<Option<Ticks>>, Failure> {
        sporadic::validate(tasks, Deadlines::Arbitrary)?;
        let mut longest = vec![Some(Ticks::ZERO); tasks.len()];
        for start in self.starts() {
            for (longest, response) in longest.iter_mut().zip(under::responses(tasks, &[], &start)?) {
                *longest = longest.zip(response).map(|(one, other)| one.max(other));
            }
        }
        Ok(longest)
    }

    /// Whether all deadlines are met in the partition under earliest deadline first.
    ///
    /// *Exact* for sporadic tasks with arbitrary deadlines and jitter that arrive at any instants. Cost: the
    /// deadlines of a busy period, each for each window of the table.
    ///
    /// # Errors
    /// Those of [`under::dynamic`].
    pub fn holds_dynamic(&self, tasks: &[Sporadic]) -> Result<bool, Failure> {
        under::dynamic(tasks, self)
    }
}

impl From<'_> {
    /// From its beginning on: gaps and windows until the frame has gone round, each as a wait and a length.
    fn rounds(&self) -> impl Iterator<Item = (Ticks, Ticks)> + '_ {
        let Table { frame, windows, .. } = self.table;
        let count = windows.len();
        (0..count).map(move |step| {
            let (last, next) = ((self.ended + step) % count, (self.ended + step + 1) % count);
            let (begin, length) = windows[next];
            let end = windows[last].0.later(windows[last].1);
            let begin = if next <= last { begin.later(*frame) } else { begin };
            (begin.less(end), length)
        })
    }
}

impl Supply for From<'_> {
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        let frames = window.whole(self.table.frame);
        let mut left = window.less(self.table.frame.times(frames)?);
        let mut had = self.table.total.times(frames)?;
        for (wait, length) in self.rounds() {
            left = left.less(wait);
            had = had.plus(left.min(length))?;
            left = left.less(length);
        }
        Ok(had)
    }

    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge> {
        if work == Ticks::ZERO {
            return Ok(Ticks::ZERO);
        }
        let frames = work.covered_by(self.table.total).saturating_sub(1);
        let mut left = work.less(self.table.total.times(frames)?);
        let mut passed = self.table.frame.times(frames)?;
        for (wait, length) in self.rounds() {
            if left == Ticks::ZERO {
                break;
            }
            passed = passed.plus(wait)?.plus(left.min(length))?;
            left = left.less(length);
        }
        Ok(passed)
    }

    fn share(&self) -> Utilisation {
        Utilisation::new(self.table.total, self.table.frame)
    }

    fn cycle(&self) -> Option<Ticks> {
        Some(self.table.frame)
    }
}

/// The least over all instants of the frame. *Exact* for each length.
impl Supply for Table {
    fn least(&self, window: Ticks) -> Result<Ticks, TimesTooLarge> {
        self.starts().try_fold(window, |least, start| Ok(least.min(start.least(window)?)))
    }

    fn longest(&self, work: Ticks) -> Result<Ticks, TimesTooLarge> {
        self.starts().try_fold(work, |longest, start| Ok(longest.max(start.longest(work)?)))
    }

    fn share(&self) -> Utilisation {
        Utilisation::new(self.total, self.frame)
    }

    fn cycle(&self) -> Option<Ticks> {
        Some(self.frame)
    }
}
