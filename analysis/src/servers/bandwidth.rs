//! Constant bandwidth: a budget with a deadline, in a dynamic band.
//!
//! **Rule.** The server has a budget and a deadline, by which it takes its turn.
//!
//! 1. *Waking.* Where work comes and none waited, budget and deadline are kept if what is left of the budget is
//!    less than the server's share of the time to the deadline. Otherwise the budget is whole and the deadline
//!    a period away.
//! 2. *Using.* Running takes from the budget.
//! 3. *Used up.* Without budget the server waits until its deadline. There the budget is whole again, and the
//!    deadline is postponed by a period. (*Hard*: a soft server would go on at once with the later deadline,
//!    and take whatever time others leave.)
//!
//! Abeni and Buttazzo, *Integrating multimedia applications in hard real-time systems* (RTSS 1998); rule 3 as in
//! Marzario, Lipari, Balbastre and Crespo, *IRIS: a new reclaiming algorithm for server-based real-time systems*
//! (RTAS 2004).

use super::supply::{Linear, Pulses};
use super::{Server, under};
use crate::demand::Patience;
use crate::failure::Failure;
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;
use crate::utilisation::{self, Utilisation};

/// The most that the server can be asked to run by deadlines in a window, of what comes in it: its share.
///
/// That isn't a task's demand, which comes in steps: after rule 1 a rest of the budget may be due sooner than
/// a period. *Safe*. Such a rest reaches it in windows shorter than a period, but for a tick where the share is
/// whole ticks.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn demand(server: &Server, window: Ticks) -> Result<Ticks, Failure> {
    server.validate()?;
    Ok(server.utilisation().rest().rest_of(window)?)
}

/// The most that the server runs in any window: what is left of one budget, its share, and another budget.
/// *Safe*.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn interference(server: &Server, window: Ticks) -> Result<Ticks, Failure> {
    Ok(server.budget.times(2)?.plus(demand(server, window)?)?.min(window))
}

/// The least that the server's work has where the band holds: that of a periodic resource. *Safe*; *exact*
/// where the rest of the band can fill the processor.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn supply(server: &Server) -> Result<Pulses, Failure> {
    server.validate()?;
    Pulses::of_resource(server)
}

/// Whether all deadlines are met, of tasks and of servers, under earliest deadline first.
///
/// *Safe* for sporadic tasks with arbitrary deadlines and jitter, beside any work in the servers; *exact* where
/// deadlines are periods and there is no jitter: then it is that no more than the processor is asked for.
/// Cost: the deadlines of a busy period.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`].
pub fn holds(servers: &[Server], tasks: &[Sporadic]) -> Result<bool, Failure> {
    servers.iter().try_for_each(Server::validate)?;
    let shares = utilisation::sum(servers.iter().map(|server| Ok(server.utilisation())))?;
    if shares.exceeds_one() || shares.plus(crate::sporadic::utilisation(tasks)?)?.exceeds_one() {
        return Ok(false);
    }
    if tasks.iter().all(|task| task.deadline == task.period && task.jitter == Ticks::ZERO) {
        crate::sporadic::validate(tasks, crate::sporadic::Deadlines::Implicit)?;
        return Ok(true);
    }
    if shares == Utilisation::ONE {
        return Ok(tasks.is_empty());
    }
    under::dynamic_within(tasks, &Linear::new(Ticks::ZERO, shares.rest()), &mut Patience::default())
}
