//! Assertions about points of two nodes, each with a trace and a tick of its own.
//!
//! Nodes have one time. What happens on the other node is told in the ticks of the one that decides: that of the first
//! point for a latency, that of the second for an age and an order. Logical instants are whole ticks of both.

use super::point::Occurrence;
use super::stated::{Says, Stated, ticks};
use super::{Evidence, Point, Verdict, followed, fresh, preceded};
use crate::lookup::NotOne;

impl Stated {
    /// Checks a latency, an age or an order whose points are on two nodes; of others nothing can be checked.
    ///
    /// # Errors
    /// If a name is unknown or ambiguous where it should be.
    pub fn across(&self, [first, second]: [Evidence; 2]) -> Result<Verdict, NotOne> {
        let point =
            |text: &str, on: Evidence| Point::named(text, on.names).map(|point| point.occurrences(on));
        Ok(match &self.says {
            Says::Latency { first: from, second: to, most } => {
                let (causes, effects) = (point(from, first)?, point(to, second)?);
                let most = ticks(*most, first.names);
                followed(causes.into_iter(), &told(effects, second, first), most, first)
            }
            Says::Age { first: of, second: at, most } => {
                let (sources, users) = (point(of, first)?, point(at, second)?);
                let most = ticks(*most, second.names);
                fresh(&told(sources, first, second), users.into_iter(), most, second)
            }
            Says::Order { first: of, second: at } => {
                let (firsts, seconds) = (point(of, first)?, point(at, second)?);
                preceded(&told(firsts, first, second), seconds, |_| true)
            }
            Says::Response { .. } | Says::Jitter { .. } | Says::Never { .. } => Verdict::default(),
        })
    }
}

/// What happened on one node, in the ticks of another.
fn told(all: Vec<Occurrence>, from: Evidence, to: Evidence) -> Vec<Occurrence> {
    let instant = |at| to.names.tick.instant(from.names.tick.logical(at));
    let told = |Occurrence { at, logical }| Occurrence { at: instant(at), logical: instant(logical) };
    all.into_iter().map(told).collect()
}
