//! Polling: a budget for whoever is there when the period begins.
//!
//! **Rule.** At each multiple of the period the budget is whole if work waits, else zero. It is used by
//! running at the server's place, and is zero as soon as no work waits. (Lehoczky, Sha and Strosnider,
//! *Enhanced aperiodic responsiveness in hard real-time environments*, RTSS 1987.)
//!
//! Work that comes at an instant is there at that instant, also where other work ends at it.

use super::Server;
use super::supply::Pulses;
use crate::failure::Failure;
use crate::ticks::Ticks;

/// The most that the server runs in a window: a whole budget at the beginning of each period.
///
/// Windows are those of [`super::Policy::interference`]. *Exact*: reached by work that waits at every period
/// and takes whole budgets.
///
/// # Errors
/// [`Failure::Invalid`] names the server; [`Failure::TimesTooLarge`].
pub fn interference(server: &Server, window: Ticks) -> Result<Ticks, Failure> {
    server.validate()?;
    server.at_once(window)
}

/// The least that the server's work has: nothing for the rest of a period, if it came a tick after the
/// beginning; from then on a budget in each period, at its end.
///
/// *Exact* above all tasks. Beneath tasks *safe*: those would have to be in the way at each beginning.
///
/// # Errors
/// [`Failure::Invalid`] names the server, also where `served` isn't between budget and period;
/// [`Failure::TimesTooLarge`].
pub fn supply(server: &Server, served: Ticks) -> Result<Pulses, Failure> {
    server.pulses(server.period.less(Ticks::new(1)), served)
}
