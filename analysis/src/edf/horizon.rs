//! The horizon: beyond which window no demand needs to be looked at.

use crate::demand::{Demand, Stream, busy_period};
use crate::failure::Failure;
use crate::ticks::Ticks;
use crate::utilisation::{PARTS, exceed_one, parts};

/// How far the demand criterion must look.
pub(super) enum Horizon {
    /// Up to this window.
    Window(Ticks),
    /// Nowhere: there is more work than time.
    Overload,
}

/// The last window that can fail, if so much else is in the way at most: by utilisation where that leaves something, else
/// the busy period.
pub(super) fn horizon(band: &[Demand], above: &[Stream], in_the_way: Ticks) -> Result<Horizon, Failure> {
    if let Some(window) = by_utilisation(band, above, in_the_way) {
        return Ok(Horizon::Window(window));
    }
    // Late releases are in the leads; without them, a processor that is full has a busy period that ends.
    let on_time = band.iter().map(|task| Stream::new(task.stream.period, task.stream.cost));
    let streams: Vec<Stream> = on_time.chain(above.iter().copied()).collect();
    if exceed_one(streams.iter().map(|stream| (stream.cost, stream.period)))? {
        return Ok(Horizon::Overload);
    }
    if above.is_empty()
        && in_the_way == Ticks::ZERO
        && band.iter().all(|task| task.lead() >= task.stream.period)
    {
        // Liu and Layland (1973): without deadlines before periods, utilisation decides.
        return Ok(Horizon::Window(Ticks::ZERO));
    }
    Ok(Horizon::Window(busy_period(&streams, in_the_way)?))
}

/// Shares are rounded up, to the safe side. With `u` the share of everything, the work due in a window `t`
/// beneath the streams above is at most `u t + K`, where `K` sums `cost (1 + jitter / period)` of the streams
/// above, `cost (1 - lead / period)` of the band, where positive, and what is in the way: so every window from `K / (1 - u)` on
/// holds. After Baruah, Rosier and Howell (1990) and George, Rivierre and Spuri (*Preemptive and
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
