//! Constant rows of the schema: which ranks may have the processor in which window of the frame.

use crate::rows::budgets::{Budget, OnSpent};
use crate::rows::threads::{Place, Thread};

/// One window. They follow each other without gaps, and behind the last comes the first again: all of them are the frame.
/// A stretch that belongs to no partition is a window, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// How long it is, in ticks: 1 to [`Window::LONGEST`].
    pub lasts: u32,
    /// A bit for each rank whose places may have the processor in it; rank 0 is the highest bit. Those of the
    /// background (whatever belongs to no partition, and the idle thread) are in every window.
    pub eligible: u32,
}

impl Window {
    /// A row that isn't used.
    pub const NONE: Window = Window { lasts: 0, eligible: u32::MAX };

    /// The longest window: as far as a timer reaches.
    pub const LONGEST: u32 = beryl_abi::call::LONGEST_WAIT;

    /// The ranks that may have the processor while these bands (a bit for each, band 0 the lowest) may not. A place that is
    /// lowered stays in its band's windows, so the rank that it has then is left out with the others. No place of another
    /// partition may have that one; below the idle thread nobody runs in any window.
    #[must_use]
    pub fn eligible_without(closed: u32, threads: &[Thread], budgets: &[Budget]) -> u32 {
        let is_in = |row: &Thread| {
            row.kind.is_scheduled() && closed.checked_shr(row.band.0.into()).is_some_and(|bits| bits & 1 != 0)
        };
        let own = threads.iter().filter(|row| is_in(row)).map(ranks_of);
        let lowered =
            threads.iter().zip(budgets).filter(|(row, budget)| is_in(row) && may_be_lowered(budget));
        let lowered = lowered.map(|(_, budget)| 1 << 31 >> budget.background.number());
        !own.chain(lowered).fold(0, |ranks, more| ranks | more)
    }
}

fn may_be_lowered(budget: &Budget) -> bool {
    budget.is_some() && budget.reaction == OnSpent::Lower
}

/// The ranks that a thread has or may have.
fn ranks_of(row: &Thread) -> u32 {
    let [above, below] = match row.place {
        Place::Fixed { priority, least, most } => {
            [most.saturating_sub(priority), priority.saturating_sub(least)]
        }
        Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => [0, 0],
    };
    let own = row.rank.number();
    let (first, last) = (own.saturating_sub(above), own.saturating_add(below));
    let behind = |rank: u8| u32::MAX.checked_shr(rank.into()).unwrap_or(0);
    behind(first) & !behind(last.saturating_add(1))
}

/// Names a window; it is an index into the table of windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowId(pub(crate) u8);

#[cfg(test)]
mod tests {
    use beryl_abi::BandId;

    use super::*;
    use crate::rows::rank::Rank;
    use crate::rows::threads::ThreadKind;

    #[test]
    fn all_ranks_of_a_closed_band_are_left_out_and_no_others() {
        let row = |kind, band, place, rank| Thread { kind, band: BandId(band), place, rank, ..Thread::NONE };
        let ranged = Place::Fixed { priority: 3, least: 2, most: 5 };
        let rows = [
            row(ThreadKind::Task, 0, Place::Dynamic { slot: 0 }, Rank::dynamic(0)),
            row(ThreadKind::Free, 1, ranged, Rank::fixed(3)),
            row(ThreadKind::Free, 2, Place::fixed(7), Rank::fixed(5)),
            row(ThreadKind::Drivers, 2, Place::fixed(0), Rank::fixed(31)),
            row(ThreadKind::Idle, 3, Place::fixed(0), Rank::fixed(31)),
        ];
        let left_out = |closed| (!Window::eligible_without(closed, &rows, &[])).reverse_bits();
        assert_eq!([0b0, 0b1, 0b10, 0b100, 0b111].map(left_out), [0, 0b1, 0b1_1110, 0b10_0000, 0b11_1111]);
    }

    #[test]
    fn who_is_lowered_is_left_out_with_its_band_and_who_is_only_told_of_is_not() {
        let row = |band, rank| Thread {
            kind: ThreadKind::Free,
            band: BandId(band),
            place: Place::fixed(1),
            rank: Rank::fixed(rank),
            ..Thread::NONE
        };
        let rows = [row(0, 0), row(1, 1), row(1, 2)];
        let budget =
            |reaction, rank| Budget { amount: 5, reaction, background: Rank::fixed(rank), ..Budget::NONE };
        let budgets = [budget(OnSpent::Lower, 7), budget(OnSpent::Tell, 9), budget(OnSpent::Lower, 8)];
        let left_out = |closed| (!Window::eligible_without(closed, &rows, &budgets)).reverse_bits();
        assert_eq!([0b1, 0b10].map(left_out), [0b1000_0001, 0b1_0000_0110]);
    }
}
