//! Slack as a scheduler in user mode reckons it: how long other work may go before all hard tasks. (Davis, *Approximate
//! slack stealing algorithms for fixed priority pre-emptive systems*, York 1993, the dynamic form.) The campaign's
//! scheduler works with it in the simulator, and the board counts what it takes.
#![no_std]
#![forbid(unsafe_code)]

/// A hard task, as far as it is known. Times are in ticks, each less than [`LONGEST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Between its releases; not zero.
    pub period: u32,
    /// What a job takes at most, with what it costs the kernel in its own place; at most the period.
    pub worst: u32,
    /// Until its next release.
    pub next: u32,
    /// What its job may still take: of one that is done, what it left and isn't given away.
    pub left: u32,
    /// Whether it has a job that isn't done, which is due at the next release.
    pub is_pending: bool,
}

/// What the kernel may take. All are nothing where it takes no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// For each release.
    pub release: u32,
    /// Once in a window, what begins without slack.
    pub at_once: u32,
}

/// With periods up to this one, sums over 16 tasks don't wrap: each runs for a window at most, which is two periods, and
/// one job more.
pub const LONGEST: u32 = 1 << 26;

/// Works the slack of all tasks out, which are in the order of their priorities; returns the least.
pub fn look(tasks: &[Task], kernel: &Kernel, slack: &mut [u32]) -> u32 {
    let mut smallest = u32::MAX;
    for (index, slack) in (0..tasks.len()).zip(slack) {
        *slack = least(tasks, index, kernel);
        smallest = smallest.min(*slack);
    }
    smallest
}

/// The slack of a task, at least: the time to its next deadline, less what all as urgent may run and what the kernel may
/// take, for releases of less urgent ones, too.
fn least(tasks: &[Task], index: usize, kernel: &Kernel) -> u32 {
    let Some((as_urgent, others)) = tasks.split_at_checked(index.wrapping_add(1)) else { return 0 };
    let Some(task) = as_urgent.last() else { return 0 };
    let window = if task.is_pending { task.next } else { task.next.wrapping_add(task.period) };
    let mut taken = kernel.at_once;
    let mut releases: u32 = 0;
    for task in as_urgent {
        let (whole, begun) = task.within(window);
        releases = releases.wrapping_add(whole).wrapping_add(u32::from(begun > 0));
        let jobs = whole.wrapping_mul(task.worst).wrapping_add(begun.min(task.worst));
        taken = taken.wrapping_add(task.left).wrapping_add(jobs);
    }
    for task in others {
        let (whole, begun) = task.within(window);
        releases = releases.wrapping_add(whole).wrapping_add(u32::from(begun > 0));
    }
    window.saturating_sub(taken.wrapping_add(releases.wrapping_mul(kernel.release)))
}

impl Task {
    /// How many of its periods are within a window from its next release on, and what is left of that.
    fn within(&self, window: u32) -> (u32, u32) {
        let after = window.saturating_sub(self.next);
        let whole = after.checked_div(self.period).unwrap_or(0);
        (whole, after.wrapping_sub(whole.wrapping_mul(self.period)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Periods of 10 and 30, and jobs of 3 and 9. The kernel takes 1 for each release and 2 at once.
    #[test]
    fn slack_is_what_is_left_of_the_time_to_each_deadline() {
        let first = Task { period: 10, worst: 3, next: 4, left: 2, is_pending: true };
        let second = Task { period: 30, worst: 9, next: 14, left: 5, is_pending: true };
        let mut slack = [0; 2];
        // Of 4, the first runs for 2. Of 14, both run for 2 and 5, and the first again for 3.
        assert_eq!(look(&[first, second], &Kernel::default(), &mut slack), 2);
        assert_eq!(slack, [2, 4]);
        // Within 14 the first is released once; both take 2 at once.
        let kernel = Kernel { release: 1, at_once: 2 };
        assert_eq!(look(&[first, second], &kernel, &mut slack), 0);
        assert_eq!(slack, [0, 1]);
        // Once the first is done, its next deadline is at 14, and its next job is before that.
        let done = Task { left: 0, is_pending: false, ..first };
        assert_eq!(look(&[done, second], &Kernel::default(), &mut slack), 6);
        assert_eq!(slack, [11, 6]);
    }
}
