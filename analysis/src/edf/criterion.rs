//! The processor-demand criterion: in each window, all work that can be both released and due in it must be
//! done.
//!
//! ```text
//!     shortest        x 16            x 16                  last
//!        |--------------|---------------|-----------...-------|
//!         <-------------  <-------------  <------------------       each range is visited backwards
//! ```
//! Most failures are in short windows, and near a full processor there are very many long ones. So ranges of
//! windows are visited from the shortest on, and each range backwards as in QPA. That is at most one window
//! more per range than a single walk from the last window, since the windows of the two walks interleave.

use super::horizon::{self, Horizon};
use super::{due, last_deadline_before};
use crate::demand::{Demand, Patience, Rest, Stream, finish_by, requested};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::ticks::Ticks;

/// The demand criterion's verdict on a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds,
    /// This window has more work due than it can do.
    FailsIn(Ticks),
    /// There is more work than time, whatever the deadlines.
    Overload,
}

/// A range of windows ends at this many times its start.
const GROWTH: u64 = 16;

/// The criterion of Baruah, Rosier and Howell (1990), each range of windows visited as in QPA (Zhang and
/// Burns, 2009).
///
/// Deviation from both papers: the band has only the time that the streams above leave, so the due work of a
/// window is compared by the time at which it is *finished* below them. That time never falls as the window
/// grows, which is all that QPA needs. Blocking depends on the window's length, in steps; within a range it
/// is constant.
///
/// Windows are visited up to the least of three bounds: by utilisation, by the hyperperiod (`horizon.rs`),
/// and the end of the busy period, as far as that is known by then. All steps for one answer count against
/// [`Patience`]: if utilisation is so near one that no bound is reached by then, the answer is
/// [`Failure::TooLong`]. No method is known that always decides in few steps (Eisenbrand and Rothvoß,
/// *EDF-schedulability of synchronous periodic task systems is coNP-hard*, 2010).
pub(crate) fn demand_verdict(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Verdict, Failure> {
    verdict(band, above, blocking, &mut Patience::default())
}

/// The same as part of a larger question.
pub(crate) fn verdict(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
    patience: &mut Patience,
) -> Result<Verdict, Failure> {
    let Some(shortest) = band.iter().map(Demand::lead).min() else { return Ok(Verdict::Holds) };
    let mut last = match horizon::horizon(band, above, blocking)? {
        Horizon::Window(last) => last,
        Horizon::Overload => return Ok(Verdict::Overload),
    };
    let mut busy = Busy::of(band, above, blocking.most())?;
    let mut walk = Walk { band, above, rest: Rest::beneath(above), patience };
    let mut start = shortest;
    while start <= last {
        let grown = start.get().max(1).saturating_mul(GROWTH);
        let change = blocking.changes().find(|change| *change > start);
        let mut end = change.map_or(Ticks::new(grown), |change| change.min(Ticks::new(grown)));
        if busy.ends_before(end, walk.patience)? {
            last = last.min(busy.at);
        }
        end = end.min(last.plus(Ticks::new(1))?);
        if let Some(window) = walk.fails_in(Range { start, end, in_the_way: blocking.within(start) })? {
            return Ok(Verdict::FailsIn(window));
        }
        start = end;
    }
    Ok(Verdict::Holds)
}

/// Windows from `start` up to `end`, exclusive, with the same blocking.
#[derive(Clone, Copy)]
struct Range {
    start: Ticks,
    end: Ticks,
    in_the_way: Ticks,
}

struct Walk<'a> {
    band: &'a [Demand],
    above: &'a [Stream],
    rest: Rest,
    patience: &'a mut Patience,
}

impl Walk<'_> {
    /// The first failing window of a range, from its end on.
    fn fails_in(&mut self, range: Range) -> Result<Option<Ticks>, Failure> {
        let mut window = last_deadline_before(self.band, range.end).max(range.start);
        loop {
            self.patience.step()?;
            let work = due(self.band, window)?.plus(range.in_the_way)?;
            let earliest = self.rest.earliest(work);
            let Some(finished) = finish_by(work, self.above, earliest, window, self.patience)? else {
                return Ok(Some(window));
            };
            if finished <= range.start || window <= range.start {
                // The work due in this window is done within the range's shortest one, so shorter windows
                // hold.
                return Ok(None);
            }
            let shorter = if finished < window { finished } else { last_deadline_before(self.band, window) };
            window = shorter.max(range.start);
        }
    }
}

/// The busy period in which all start together, after the longest blocking, as far as it has been computed.
struct Busy {
    streams: Vec<Stream>,
    in_the_way: Ticks,
    /// It doesn't end before this.
    at: Ticks,
    ended: bool,
}

impl Busy {
    /// Late releases of the band are covered by the leads; without them, the busy period ends even on a full
    /// processor.
    fn of(band: &[Demand], above: &[Stream], in_the_way: Ticks) -> Result<Busy, Failure> {
        let on_time = band.iter().map(|task| Stream::new(task.stream.period, task.stream.cost));
        let streams: Vec<Stream> = on_time.chain(above.iter().copied()).collect();
        let at = requested(&streams, Ticks::new(1))?.plus(in_the_way)?;
        Ok(Busy { streams, in_the_way, at, ended: false })
    }

    /// Whether it ends before `end`.
    fn ends_before(&mut self, end: Ticks, patience: &mut Patience) -> Result<bool, Failure> {
        while !self.ended && self.at < end {
            patience.step()?;
            let next = requested(&self.streams, self.at)?.plus(self.in_the_way)?;
            self.ended = next <= self.at;
            self.at = self.at.max(next);
        }
        Ok(self.ended)
    }
}
