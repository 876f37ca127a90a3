//! How much of a stretch of time a band may lose to others. Its schedule must leave them that much.

use beryl_analysis::{self as analysis, Ticks};

use super::interference::interference;
use super::tasks::task;
use crate::costs::Costed;

/// What a band may lose in so many ticks, in ticks: to drivers, to the kernel's steps for every job, and to the
/// bands above.
pub(crate) fn lost(costed: &Costed, band: usize, ticks: u64) -> u64 {
    let above = costed.assembly.threads.iter().filter(|thread| thread.band < band).filter_map(task);
    let above = above.map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together)
            .saturating_add(left_over(&task))
            .saturating_mul(task.worst.get())
    });
    let drivers = interference(costed)
        .into_iter()
        .map(|row| most_in(ticks, row.period.get(), true).saturating_mul(row.worst.get()));
    let costs = costed.costs.kernel;
    let each = [
        costs.release,
        costs.switch,
        costs.switch,
        costs.alarm,
        costs.instant,
        costs.under_way,
        costs.timers,
    ];
    let each = each.map(Ticks::get).into_iter().fold(costed.costs.after_jobs, u64::saturating_add);
    let jobs = costed.assembly.threads.iter().filter_map(task).map(|task| {
        let begin_together = task.offset == Ticks::new(0);
        most_in(ticks, task.period.get(), begin_together)
            .saturating_add(left_over(&task))
            .saturating_mul(each)
    });
    drivers.chain(jobs).chain(above).fold(0, u64::saturating_add)
}

/// How many more jobs may be left over from before, if they may take longer than a period.
fn left_over(task: &analysis::Task) -> u64 {
    let periods = task.deadline.get().div_ceil(task.period.get().max(1));
    if periods > 1 { periods } else { 0 }
}

/// How many jobs of a period can have work in one block of so many ticks. A job may work at any time before its end.
/// If blocks and periods begin together and one is a multiple of the other, only the block's own jobs work there.
/// Otherwise there may be one more, left over from before.
fn most_in(block: u64, period: u64, begin_together: bool) -> u64 {
    let period = period.max(1);
    let is_aligned = begin_together && (block.is_multiple_of(period) || period.is_multiple_of(block.max(1)));
    block.div_ceil(period).saturating_add(u64::from(!is_aligned))
}

#[cfg(test)]
mod tests {
    use super::most_in;

    #[test]
    fn a_block_has_work_of_its_own_jobs_and_of_one_from_before() {
        assert_eq!([most_in(10, 10, true), most_in(10, 5, true), most_in(10, 20, true)], [1, 2, 1]);
        // From 10 to 20, jobs that are released at 0 and 15 every 15 may both have work.
        assert_eq!([most_in(10, 15, true), most_in(10, 4, true)], [2, 4]);
        assert_eq!([most_in(10, 10, false), most_in(10, 20, false)], [2, 2]);
    }
}
