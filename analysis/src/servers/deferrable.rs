//! Deferrable: a budget that waits for work, but no longer than to the next period.
//!
//! **Rule.** At each multiple of the period the budget is whole, whatever was left. It is used by running at
//! the server's place. (Strosnider, Lehoczky and Sha, *The deferrable server algorithm for enhanced aperiodic
//! responsiveness in hard real-time environments*, IEEE Transactions on Computers, 1995.)

use super::Server;
use super::supply::Pulses;
use crate::failure::Failure;
use crate::ticks::Ticks;

/// How much later in its period a budget is used at most, as a task's release jitter.
pub const fn jitter(server: &Server) -> Ticks {
    Ticks::new(server.period.get().saturating_sub(server.budget.get()))
}

/// The most that the server runs in any window, at any place: a whole budget that was kept to the end of a
/// period, the next one right behind it, and so on.
///
/// *Exact* above all tasks, where it is reached; *safe* beneath others.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn interference(server: &Server, window: Ticks) -> Result<Ticks, Failure> {
    server.validate()?;
    let kept = window.min(server.budget);
    Ok(kept.plus(server.at_once(window.less(kept))?)?)
}

/// The least that the server's work has: nothing until the period ends whose budget was used at its beginning,
/// then a budget in each period, at its end.
///
/// *Exact* above all tasks. Beneath tasks *safe*: those would have to be out of the way at the first beginning
/// and in the way at each other one.
///
/// # Errors
/// [`Failure::Invalid`] names the server, also where `served` isn't between budget and period;
/// [`Failure::TimesTooLarge`].
pub fn supply(server: &Server, served: Ticks) -> Result<Pulses, Failure> {
    server.pulses(server.period.less(server.budget), served)
}
