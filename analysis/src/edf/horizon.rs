//! The horizon: the longest window whose demand must be checked.

use crate::demand::{Demand, Stream};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::ticks::Ticks;
use crate::utilisation::{PARTS, exceed_one, parts};

/// How far the demand criterion must look.
pub(super) enum Horizon {
    /// Up to this window.
    Window(Ticks),
    /// No windows: there is more work than time.
    Overload,
}

/// The last window that can fail, regardless of the busy period: by utilisation if that leaves something, or
/// by the hyperperiod.
pub(super) fn horizon(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<Horizon, Failure> {
    let by_utilisation = by_utilisation(band, above, blocking.most());
    if by_utilisation.is_none() {
        let of_band = band.iter().map(|task| (task.stream.cost, task.stream.period));
        let shares = of_band.chain(above.iter().map(|stream| (stream.cost, stream.period)));
        if exceed_one(shares)? {
            return Ok(Horizon::Overload);
        }
        if above.is_empty()
            && blocking.most() == Ticks::ZERO
            && band.iter().all(|task| task.lead() >= task.stream.period)
        {
            // Liu and Layland (1973): if no deadline is before its period, utilisation decides.
            return Ok(Horizon::Window(Ticks::ZERO));
        }
    }
    let bounds = by_utilisation.into_iter().chain(by_hyperperiod(band, above, blocking));
    // Keep windows short enough that a longer one can still be represented.
    Ok(Horizon::Window(bounds.fold(Ticks::new(u64::MAX - 1), Ticks::min)))
}

/// One hyperperiod after the longest lead, if utilisation doesn't exceed one. From there on, a window longer
/// by a hyperperiod has just a hyperperiod's work more due in it and released above it; so it holds if the
/// shorter one does, finished a hyperperiod later. Blocking must be the same, so its last change counts as a
/// lead.
fn by_hyperperiod(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Option<Ticks> {
    let periods = band.iter().map(|task| task.stream.period);
    let mut periods = periods.chain(above.iter().map(|stream| stream.period));
    let hyperperiod = periods.try_fold(Ticks::new(1), Ticks::common_multiple).ok()?;
    let from = band.iter().map(Demand::lead).chain(blocking.changes()).max()?;
    hyperperiod.plus(from).ok()
}

/// Shares are rounded up, which is safe. With `u` the share of everything, the work due in a window `t` below
/// the streams above is at most `u t + K`, where `K` sums `cost (1 + jitter / period)` of the streams above,
/// `cost (1 - lead / period)` of the band, where positive, and the blocking: so every window from `K / (1 -
/// u)` on holds. After Baruah, Rosier and Howell (1990) and George, Rivierre and Spuri (*Preemptive and
/// non-preemptive real-time uniprocessor scheduling*, 1996), with streams above added.
fn by_utilisation(band: &[Demand], above: &[Stream], in_the_way: Ticks) -> Option<Ticks> {
    let mut slack = PARTS;
    let mut constant = u128::from(in_the_way.get()).checked_mul(PARTS)?;
    for stream in above {
        let share = parts(stream.cost, stream.period);
        slack = slack.checked_sub(share)?;
        let late = share.checked_mul(stream.jitter.get().into())?;
        let once = u128::from(stream.cost.get()).checked_mul(PARTS)?;
        constant = constant.checked_add(once)?.checked_add(late)?;
    }
    for task in band {
        let share = parts(task.stream.cost, task.stream.period);
        slack = slack.checked_sub(share)?;
        let early = task.stream.period.less(task.lead());
        constant = constant.checked_add(share.checked_mul(early.get().into())?)?;
    }
    let window = constant.checked_add(slack)?.checked_div(slack)?;
    u64::try_from(window).ok().map(Ticks::new)
}
