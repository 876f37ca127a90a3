//! Demands: what the clients of an object may ask together, and what it takes its server.

use beryl_abi::Duration;

use crate::assembly::objects::Limit;
use crate::assembly::{Assembly, Use, lenders};

/// An object with clients that have limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand<'a> {
    /// The object's name.
    pub object: &'a str,
    /// The clients that have limits: their names, the most that each may ask, and within what.
    pub clients: Vec<(&'a str, u8, Duration)>,
    /// The clients that have none.
    pub others: Vec<&'a str>,
    /// How long a server works at most for requests that come within the longest of the stretches, if all clients have
    /// limits and it is declared how long it works for one.
    pub work: Option<(Duration, Duration)>,
}

/// The demand on each object with clients that have limits, in the order of the description.
#[must_use]
pub fn demands(assembly: &Assembly) -> Vec<Demand<'_>> {
    let limits = &assembly.objects.limits;
    let is_first =
        |(index, limit): &(usize, &Limit)| limits[..*index].iter().all(|other| other.of != limit.of);
    limits.iter().enumerate().filter(is_first).map(|(_, limit)| demand(assembly, limit)).collect()
}

fn demand<'a>(assembly: &'a Assembly, one: &'a Limit) -> Demand<'a> {
    let own: Vec<_> = assembly.objects.limits.iter().filter(|limit| limit.of == one.of).collect();
    let name = |process: usize| assembly.processes.get(process).map_or("", |row| row.name.as_str());
    let users = lenders::users(assembly, one.of);
    let users = users.iter().filter_map(|user| Some(assembly.threads.get(*user)?.process));
    let mut others: Vec<_> =
        users.filter(|process| own.iter().all(|limit| limit.client != *process)).collect();
    others.dedup();
    Demand {
        object: &one.name,
        clients: own.iter().map(|limit| (name(limit.client), limit.requests, limit.within)).collect(),
        others: others.into_iter().map(name).collect(),
        work: work(assembly, one.of),
    }
}

/// How long the server of an endpoint works at most for what its clients ask within the longest of their stretches. In
/// any time t, a client asks at most its requests for each stretch that fits into t, rounded up.
fn work(assembly: &Assembly, of: Use) -> Option<(Duration, Duration)> {
    let Use::Call(index) = of else { return None };
    let hold = assembly.objects.endpoints.get(index)?.hold?;
    let demand = assembly.demand(of)?;
    let within = demand.clients.iter().map(|limit| limit.within).max()?;
    let asked = demand.clients.iter().map(|limit| {
        let stretches = within.ticks().div_ceil(limit.within.ticks().max(1));
        u64::from(limit.requests).saturating_mul(stretches)
    });
    let asked = asked.fold(0, u64::saturating_add);
    Some((Duration::from_ticks(hold.ticks().saturating_mul(asked)), within))
}
