//! Clients: how much each may ask of an object, where that is limited.

use beryl_abi::Duration;

use super::objects::Limit;
use super::{Assembly, Use, lenders};
use crate::description::{self, Limited, Objects};
use crate::quantity::Nanoseconds;

/// All limits of clients. A client is known by its place among the names of processes.
pub(super) fn limits(
    rows: &Objects,
    tick: Nanoseconds,
    process: impl Fn(&str) -> Option<usize>,
) -> Vec<Limit> {
    let limit = |row: &description::Limit| {
        let (name, of) = match row.of {
            Limited::Mailbox(index) => (&rows.mailboxes.get(index)?.name, Use::Send(index)),
            Limited::Endpoint(index) => (&rows.endpoints.get(index)?.name, Use::Call(index)),
        };
        // At least as long as it was declared.
        let within = row.within.value.rounded_up(tick);
        let client = process(&row.client.value)?;
        Some(Limit { name: name.value.clone(), of, client, requests: row.credits(rows), within })
    };
    rows.limits.iter().filter_map(limit).collect()
}

/// What the clients of an object may ask together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand<'a> {
    /// By what the clients use it.
    pub of: Use,
    /// The limit of each client.
    pub clients: Vec<&'a Limit>,
}

impl Assembly {
    /// Whether some client has a limit.
    #[must_use]
    pub fn has_limits(&self) -> bool {
        !self.objects.limits.is_empty()
    }

    /// The credits of all limits.
    #[must_use]
    pub fn credits(&self) -> usize {
        self.objects.limits.iter().map(|limit| usize::from(limit.requests)).sum()
    }

    /// What the clients of an object may ask together, if all of them have limits.
    #[must_use]
    pub fn demand(&self, of: Use) -> Option<Demand<'_>> {
        let limits = || self.objects.limits.iter().filter(|limit| limit.of == of);
        let users = lenders::users(self, of);
        let is_limited = |user: &usize| {
            self.threads.get(*user).is_some_and(|thread| limits().any(|limit| limit.client == thread.process))
        };
        let demand = Demand { of, clients: limits().collect() };
        (!users.is_empty() && users.iter().all(is_limited)).then_some(demand)
    }
}

impl Demand<'_> {
    /// The most messages or requests at once.
    #[must_use]
    pub fn at_once(&self) -> u64 {
        self.clients.iter().map(|limit| u64::from(limit.requests)).sum()
    }

    /// Whether what comes is never more than what comes so far apart, each up to `jitter` late.
    ///
    /// In any time t, a client asks at most `requests` for each stretch that has begun: at most t / within + 1 times
    /// that. All of them together stay below what is so far apart if they do so at once, and in the long run.
    #[must_use]
    pub fn keeps(&self, separation: Duration, jitter: Duration) -> bool {
        let [separation, jitter] = [separation, jitter].map(|time| u128::from(time.ticks()));
        let at_once = u128::from(self.at_once());
        if separation == 0 || jitter < at_once.saturating_sub(1).saturating_mul(separation) {
            return false;
        }
        let Some(all) = self.common_stretch() else { return false };
        let asked = self.clients.iter().map(|limit| {
            let stretches = all / u128::from(limit.within.ticks()).max(1);
            u128::from(limit.requests).saturating_mul(stretches).saturating_mul(separation)
        });
        asked.fold(0, u128::saturating_add) <= all
    }

    /// The shortest time in which the stretches of all clients end together, if it can be counted.
    fn common_stretch(&self) -> Option<u128> {
        self.clients
            .iter()
            .map(|limit| u128::from(limit.within.ticks()))
            .try_fold(1_u128, |all, within| (all / gcd(all, within).max(1)).checked_mul(within))
    }
}

fn gcd(one: u128, other: u128) -> u128 {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}
