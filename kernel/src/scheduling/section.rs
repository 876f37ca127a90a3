//! The state of a section: how long a thread may go on keeping a more urgent place out.

use beryl_abi::Duration;

use crate::scheduling::allowance::Allowance;
use crate::table::Blank;

/// A section, as far as the kernel knows of it.
///
/// ```text
///            keeps a place out (1)                    found past its end, still inside
///    None ---------------------------> Policed ------------------------------------> a fault
///     ^                                   |
///     +---- lets it in, or has no place --+
/// ```
/// (1) [`begin`](Section::begin). While its thread is preempted, its clock stands still, and so does the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// How much longer its thread may keep somebody out, if it does.
    allowance: Allowance,
    /// The semaphores that its thread owns and others wait for.
    wanted: u8,
}

impl Section {
    /// Nobody is kept out.
    pub(crate) const NONE: Section = Section { allowance: Allowance::NONE, wanted: 0 };

    /// Whether anybody is kept out.
    #[inline(always)]
    pub(crate) fn is_policed(self) -> bool {
        self.allowance.is_some()
    }

    /// It keeps somebody out from now on, if it didn't before: for this many ticks more at most. It is over with the
    /// tick that is too much.
    pub(crate) fn begin(&mut self, clock: Duration, hold: u32) {
        if !self.is_policed() {
            self.allowance = Allowance::of(hold, clock);
        }
    }

    /// Somebody waits for one more semaphore of its thread.
    pub(crate) fn want(&mut self) {
        self.wanted = self.wanted.saturating_add(1);
    }

    /// Nobody waits for one of these any more, or it has another owner.
    pub(crate) fn want_no_more(&mut self) {
        self.wanted = self.wanted.saturating_sub(1);
    }

    /// Whether somebody waits for a semaphore that its thread owns.
    pub(crate) fn is_wanted(self) -> bool {
        self.wanted > 0
    }

    /// How many semaphores of its thread others wait for.
    #[cfg(test)]
    pub(crate) fn wanted(self) -> usize {
        self.wanted.into()
    }

    /// Nobody is kept out any more.
    pub(crate) fn end(&mut self) {
        self.allowance = Allowance::NONE;
    }

    /// Whether it has kept somebody out for too long when its thread's clock says this.
    #[inline(always)]
    pub(crate) fn is_over(self, clock: Duration) -> bool {
        self.allowance.is_used_up(clock)
    }

    /// Its thread's clock, which says this, is about to begin anew.
    pub(crate) fn carry_over(&mut self, clock: Duration) {
        self.allowance.carry_over(clock);
    }

    /// The ticks that are left when its thread's clock says this; none if it is over.
    #[inline(always)]
    pub(crate) fn left(self, clock: Duration) -> u32 {
        self.allowance.left(clock)
    }
}

impl Blank for Section {
    const BLANK: Section = Section::NONE;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_so_long_after_it_began_to_keep_somebody_out_and_not_after_the_last_one_came() {
        let clock = Duration::from_ticks;
        let mut section = Section::NONE;
        assert!(!section.is_policed());
        section.begin(clock(100), 30);
        section.begin(clock(120), 30);
        assert!(section.is_policed());
        assert_eq!([130, 131].map(|now| section.is_over(clock(now))), [false, true]);
    }
}
