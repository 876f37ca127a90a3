//! Sporadic: what is used of the budget comes back a period later.
//!
//! **Rule.** The budget is a list of *chunks*, whose sum never changes. A chunk has an amount and an instant
//! from which it may be used.
//!
//! 1. *Waking.* Where work comes and none waited, all chunks that may be used become one, dated to that
//!    instant. A chunk whose instant comes while work waits keeps that instant as its date.
//! 2. *Using.* Running at the server's place takes from the chunk with the earliest date. What is taken comes
//!    back as a chunk a period after that **date**: not after the date of another chunk, and not after the
//!    first of several dates. So what was used since the server became active comes back at that instant and a
//!    period, unless it came back itself only later.
//! 3. *Waiting.* Without a chunk that may be used, nothing runs at the server's place.
//! 4. *Few replenishments.* Where as many are pending as there is room for, the last one takes the new one in,
//!    at the **later** of both instants.
//! 5. *Too much.* What runs on with nothing to use, inside a section that runs on, is taken from the
//!    chunk that comes next, which then comes a period later.
//! 6. *Background.* What runs at a lower place is charged to that place.
//!
//! Sprunt, Sha and Lehoczky, *Aperiodic task scheduling for hard real-time systems* (Real-Time Systems, 1989),
//! with the corrections of Stanovich, Baker, Wang and González Harbour, *Defects of the POSIX sporadic server
//! and how to correct them* (RTAS 2010). In POSIX's `SCHED_SPORADIC` rule 2 takes the instant of activation
//! for everything that is used until the thread waits, even for what came back after it: that is used again
//! too early. By rule 5 nothing is owed there: what is used beyond the budget is forgotten. And instead of rule 3
//! a thread without a budget goes on at a low priority, where no bound of others counts it.

use super::Server;
use super::supply::{Pulses, Supply};
use crate::failure::Failure;
use crate::sporadic::{Deadlines, Sporadic, validate};
use crate::ticks::Ticks;

/// The most that the server runs in a window: a whole budget at the beginning of each period.
///
/// Windows are those of [`super::Policy::interference`], so what is used in one is dated in it. Each tick of
/// the budget has dates a period apart, and is used at or after them. *Exact*: reached by work that never ends.
/// What a section runs on by rule 5 comes on top once, however often there are such sections: it is owed before
/// anything may be used again.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn interference(server: &Server, window: Ticks) -> Result<Ticks, Failure> {
    server.validate()?;
    server.at_once(window)
}

/// The least that the server's work has, with so many replenishments pending at a time; at least one.
///
/// With as many as the budget has ticks: as much as a deferrable server's. With fewer, all of the budget may
/// come back as late as a period after it was last used, and it is polling's. *Exact* above all tasks, with
/// that many or with one; *safe* otherwise.
///
/// # Errors
/// [`Failure::Invalid`] names the server, also where `served` isn't between budget and period;
/// [`Failure::TimesTooLarge`].
pub fn supply(server: &Server, served: Ticks, pending: usize) -> Result<Pulses, Failure> {
    let is_room = u64::try_from(pending).is_ok_and(|pending| pending < server.budget.get());
    let used = if is_room { Ticks::new(1) } else { server.budget };
    server.pulses(server.period.less(used), served)
}

/// The longest response, from its arrival, of a stream of work that the server serves alone and that finds the
/// whole budget each time: its jobs are released at least the server's period apart, and take no more than the
/// budget. `None` if that isn't so, or isn't certain with these tasks above, beneath this supply; then
/// [`super::under::responses`] beneath [`supply`] has a bound.
///
/// *Exact* for sporadic tasks above, and supplies that can be as late as they are said to be; with room for any
/// number of replenishments. Cost: a fixed point.
///
/// # Errors
/// [`Failure::Invalid`] names the server, the stream or a task above; [`Failure::TimesTooLarge`];
/// [`Failure::TooLong`].
pub fn alone(
    server: &Server,
    stream: &Sporadic,
    place: &impl Supply,
    above: &[Sporadic],
) -> Result<Option<Ticks>, Failure> {
    server.validate()?;
    validate([stream], Deadlines::Arbitrary)?;
    if stream.worst > server.budget || stream.period < server.period.plus(stream.jitter)? {
        return Ok(None);
    }
    let served = Server::new(stream.worst, server.period).served(place, above)?;
    Ok(served.map(|served| served.plus(stream.jitter)).transpose()?)
}
