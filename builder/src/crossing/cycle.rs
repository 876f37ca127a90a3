//! The cycle of the bus: how long its schedule is, and which values in it are for nobody.
//!
//! A module whose start mode has no switch stays there, and does the same in every period. Of such modules the schedule
//! can list each job, over as many periods as the cycle has; and a value that its reader doesn't look at before there is
//! a newer one isn't sent. Other modules may begin another mode at each of their tests, so of them it lists what each mode
//! may send within a cycle that is no longer than the time between two tests.

use std::collections::BTreeSet;

use beryl_timing::{Activity, Mode, Model, Module, Operand};

use super::links::{output, read_by};
use super::{Link, nanoseconds};

/// How often something may happen in a cycle, or in a period, of which each time is looked at.
pub(super) const MOST_LOOKS: u32 = 4096;

/// The mode in which a module stays, if it does.
pub(super) fn only(module: &Module) -> Option<&Mode> {
    module.modes.get(module.start).filter(|mode| mode.switches.is_empty())
}

/// The modes in which a module may be.
pub(super) fn modes(module: &Module) -> Vec<&Mode> {
    only(module).map_or_else(|| module.modes.iter().collect(), |mode| vec![mode])
}

/// The cycle for what crosses, in nanoseconds.
pub(super) fn cycle(model: &Model, links: &[Link]) -> u64 {
    let senders: BTreeSet<usize> = links.iter().map(|link| link.module).collect();
    let senders: Vec<&Module> = senders.iter().filter_map(|index| model.modules.get(*index)).collect();
    let readers =
        model.modules.iter().filter(|module| links.iter().any(|link| looks(module, link) != Looks::Never));
    let period = |mode: &Mode| nanoseconds(mode.period).get();
    let steady: Vec<&Mode> = senders.iter().copied().filter_map(only).collect();
    let restless = senders.iter().filter(|module| only(module).is_none()).flat_map(|module| &module.modes);
    let between = restless.map(between_tests).fold(0, gcd);
    let whole = steady.iter().try_fold(1, |cycle, mode| lcm(cycle, period(mode)));
    let is_listed = |cycle: u64| {
        steady.iter().all(|mode| (cycle / period(mode)).saturating_mul(often(mode)) <= MOST_LOOKS.into())
    };
    match whole.filter(|whole| is_listed(*whole)) {
        Some(whole) if between == 0 => {
            // What readers look at is known for as many of their periods as fit.
            let with_readers = readers.filter_map(only).map(period).try_fold(whole, lcm);
            with_readers.filter(|cycle| is_listed(*cycle)).unwrap_or(whole)
        }
        Some(whole) if between % whole == 0 && is_listed(between) => between,
        _ => steady.into_iter().map(period).fold(between, gcd),
    }
}

/// How often what comes most often comes in a period.
fn often(mode: &Mode) -> u64 {
    mode.activities.iter().map(|activity| activity.frequency().into()).max().unwrap_or(1)
}

/// For how long a mode surely goes on.
fn between_tests(mode: &Mode) -> u64 {
    let period = nanoseconds(mode.period).get();
    mode.switches.iter().map(|switch| period / u64::from(switch.frequency.max(1))).fold(period, gcd)
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

fn lcm(one: u64, other: u64) -> Option<u64> {
    (one / gcd(one, other).max(1)).checked_mul(other)
}

/// When a module looks at a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Looks {
    /// Never.
    Never,
    /// At any time, as far as is known.
    Anytime,
    /// At these instants of each period, in nanoseconds from its start.
    At { period: u64, instants: Vec<u64> },
}

/// Whether somebody looks at a value of a link from `end`, when it counts, until `next`, when there is a newer one; both
/// count from the start of the cycle.
pub(super) fn is_read(model: &Model, link: &Link, cycle: u64, end: u64, next: u64) -> bool {
    model.modules.iter().any(|module| match looks(module, link) {
        Looks::Never => false,
        Looks::Anytime => true,
        Looks::At { period, .. } if !cycle.is_multiple_of(period) => true,
        // The first look at or behind the end, in whichever period that is.
        Looks::At { period, instants } => {
            instants.into_iter().any(|look| end + (look + period - end % period) % period < next)
        }
    })
}

fn looks(module: &Module, link: &Link) -> Looks {
    let is_it = |operand: &Operand| output(operand) == Some((link.module, link.task, link.port));
    if !read_by(module).contains(&(link.module, link.task, link.port)) {
        return Looks::Never;
    }
    let Some(mode) = only(module).filter(|mode| mode.entering.is_empty()) else { return Looks::Anytime };
    if !module.asynchronous.is_empty()
        || mode.activities.iter().any(|activity| activity.frequency() > MOST_LOOKS)
    {
        return Looks::Anytime;
    }
    let period = nanoseconds(mode.period).get();
    let asks = |activity: &Activity| {
        activity.guard().is_some_and(|guard| guard.arguments.iter().any(|argument| is_it(&argument.operand)))
    };
    let instants = mode.activities.iter().flat_map(|activity| {
        let looks = match activity {
            Activity::Task { inputs, .. } => inputs.iter().any(is_it),
            Activity::Actuator { source, .. } => is_it(source),
        };
        let windows = activity.windows(mode.period).filter(move |_| looks || asks(activity));
        windows.map(|window| match activity {
            Activity::Task { .. } => nanoseconds(window.start).get(),
            Activity::Actuator { .. } => nanoseconds(window.end).get(),
        })
    });
    Looks::At { period, instants: instants.map(|instant| instant % period).collect() }
}
