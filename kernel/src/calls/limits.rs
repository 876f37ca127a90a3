//! Limits: how much a client may ask of a mailbox or an endpoint.
//!
//! A process has so many credits for an object. Each of its requests takes one, which comes back a stretch of time
//! later; while none is here, its requests are refused and counted. So in any stretch of that length, wherever it
//! begins, there are at most as many requests as credits. That is asked before anything else of the request is looked
//! at, and takes as long however many credits there are. A request that is refused for another reason takes none.

use beryl_abi::{CallError, Instant, Note, Passed, ProcessId};

use crate::clients::client;
use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::limits::{Asked, Limit, LimitId};
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::Optional;
use crate::ways::Way;

/// A request for which there is a credit, or that needs none.
#[derive(Clone, Copy)]
pub(crate) struct Allowed(Option<(LimitId, Instant)>);

impl<S: Sizes> State<S> {
    /// How often a client was refused by the limit with this number since the start: at most 65,535.
    pub fn refused(&self, limit: usize) -> u16 {
        self.limits.get(limit).map_or(0, |state| state.refused())
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Refuses a request of a client that has no credit left.
    #[inline(always)]
    pub(crate) fn must_have_credit<W: Way>(&mut self, way: W, of: Asked) -> Result<Allowed, CallError> {
        if !S::LIMITED {
            return Ok(Allowed(None));
        }
        let process = match W::IS_ORDINARY {
            true => ProcessId(self.state.processor.caller().number()),
            false => self.caller().process,
        };
        let limit = self.machine.system().clients.get(client::<S>(of, process)).copied();
        let Some(limit) = limit.filter(|limit| *limit != LimitId::NONE) else { return Ok(Allowed(None)) };
        let now = self.machine.now();
        let next = self.credit_of(limit);
        if self.state.credits.get(next).is_some_and(|credit| credit.is_here(now)) {
            return Ok(Allowed(Some((limit, now))));
        }
        way.rare()?;
        Err(self.refuse_beyond(limit))
    }

    /// The request comes to its object: it takes its credit.
    #[inline(always)]
    pub(crate) fn take_credit(&mut self, allowed: Allowed) {
        if !S::LIMITED {
            return;
        }
        let Allowed(Some((limit, now))) = allowed else { return };
        let (next, row) = (self.credit_of(limit), self.limit(limit));
        if let Some(credit) = self.state.credits.get_mut(next) {
            credit.take(now, row.within);
        }
        if let Some(state) = self.state.limits.get_mut(limit.index()) {
            state.pass_on(row.requests);
        }
    }

    #[inline(always)]
    fn limit(&self, limit: LimitId) -> &'static Limit {
        self.machine.system().limits.get(limit.index()).unwrap_or(&Limit::NONE)
    }

    /// The place of the credit that is taken next.
    #[inline(always)]
    fn credit_of(&self, limit: LimitId) -> usize {
        let next = self.state.limits.get(limit.index()).map_or(0, |state| state.next());
        usize::from(self.limit(limit).first) + usize::from(next)
    }

    /// A client asks more than it may: that is counted and told.
    #[cold]
    #[inline(never)]
    fn refuse_beyond(&mut self, limit: LimitId) -> CallError {
        if let Some(state) = self.state.limits.get_mut(limit.index()) {
            state.refuse_one();
        }
        let refused = match self.limit(limit).of {
            Asked::Mailbox(mailbox) => Some((Passed::SentBeyond, mailbox.0)),
            Asked::Endpoint(endpoint) => Some((Passed::AskedBeyond, endpoint.0)),
            Asked::Nothing => None,
        };
        if let Some((passed, object)) = refused {
            self.note(Note::message(self.state.running(), passed, object));
        }
        CallError::OverLimit
    }
}
