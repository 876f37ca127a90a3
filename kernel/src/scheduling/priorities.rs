//! Priorities: a thread of a fixed band becomes more or less urgent, within the range that its row declares.
//!
//! The step that changes a thread's rank also moves everything that depends on it, so a place always stands
//! where its rank says:
//!
//! | its place is | what changes |
//! |---|---|
//! | in its band: it is ready, or lends it | leaves the ring of the old rank for the end of the new one's; a decision |
//! | out of it: it sleeps, is dormant or has stopped | the rank; the place enters its band at the new one, if it does |
//! | out of it: a server that runs in a client's place | the rank; its urgency stays until it runs in its own place |
//! | parked at the end of its chain | the rank; the place returns at the new one |
//!
//! If the thread also waits in a queue, it now stands behind the waiters that are at least as urgent, unless
//! the queue is first come, first served. A thread that runs in a lent place follows the place. A thread that
//! holds a ceiling lock keeps the ceiling, which is above all priorities that any user of the lock may have;
//! its own priority counts again once it has lowered itself.
//!
//! Ranks of a fixed band have no gaps over a thread's range, and neither have levels: a priority one higher
//! has the next lower rank and the next higher level (`rows::rank`). So the rank is all that is kept.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::rank::Rank;
use crate::rows::threads::{Place, ThreadKind};
use crate::scheduling::thread::{Standing, Wait};
use crate::sizes::Sizes;
use crate::table::{Optional, Table};
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Gives a thread of the caller's process another priority. If the priority doesn't change, the thread
    /// keeps its turn. One whose budget is used up has its new priority once that is back.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_priority(&mut self, operand: Operand, priority: u32) -> Outcome {
        let thread = ThreadId(Self::number(Any::UNDER_WAY, operand, S::Threads::LENGTH)?);
        let row = self.machine.system().threads.at(thread.index());
        if row.kind == ThreadKind::None || row.process != self.caller().process {
            return Err(CallError::NoSuchObject);
        }
        let rank = match row.place {
            Place::Fixed { priority: first, least, most }
                if priority >= least.into() && priority <= most.into() =>
            {
                Rank::fixed(row.rank.number().wrapping_add(first).wrapping_sub(priority as u8))
            }
            _ => return Err(CallError::OutOfRange),
        };
        if self.is_kept_low(thread, rank) || rank == self.state.threads.at(thread.index()).rank() {
            return Ok(Next::Stay);
        }
        Ok(self.change_rank(thread, rank))
    }

    /// Gives a thread of a fixed band another rank. Ranks change only here.
    fn change_rank(&mut self, thread: ThreadId, rank: Rank) -> Next {
        let system = self.machine.system();
        let is_in = self.state.threads.at(thread.index()).standing() == Standing::In;
        if is_in {
            self.state.bands.remove(system, &mut self.state.threads, thread);
        }
        self.state.threads.at_mut(thread.index()).be_of(rank);
        self.queue_anew(thread);
        if !is_in {
            return Next::Stay;
        }
        self.stand_in_band(thread);
        Next::Decide
    }

    /// Puts a thread whose urgency has changed where it belongs in the queue in which it waits, if any.
    pub(crate) fn queue_anew(&mut self, thread: ThreadId) {
        let system = self.machine.system();
        let state = self.state.threads.at(thread.index());
        let is_mailbox = matches!(state.wait(), Wait::Send | Wait::Receive);
        if is_mailbox && system.mailboxes.at(state.object().into()).first_come {
            return;
        }
        self.in_its_queue(thread, |queue, threads| {
            queue.remove(threads, thread);
            queue.insert(&system.threads, threads, thread);
        });
    }

    /// A thread that was stopped, or whose job was, begins anew at its first priority. Its place isn't in its
    /// band.
    pub(crate) fn forget_priority(&mut self, thread: ThreadId) {
        let rank = self.machine.system().threads.at(thread.index()).rank;
        if !(S::BUDGETED && self.is_kept_low(thread, rank)) {
            self.state.threads.at_mut(thread.index()).be_of(rank);
        }
    }

    /// A place is in the background until its budget comes back.
    pub(crate) fn lower(&mut self, place: ThreadId, background: Rank) {
        let rank = self.state.threads.at(place.index()).rank();
        if rank.as_fixed().is_none() {
            return;
        }
        if let Some(budget) = self.state.budgets.get_mut(place.index()) {
            budget.returns_to = rank;
        }
        if S::RANGED && background != rank {
            let _decided_later = self.change_rank(place, background);
        }
    }

    /// Whether a place is in the background.
    pub(crate) fn is_lowered(&self, place: ThreadId) -> bool {
        let budget = if S::BUDGETED { self.state.budgets.get(place.index()) } else { None };
        budget.is_some_and(|budget| budget.returns_to != Rank::NONE)
    }

    /// Whether a place is to be of another rank, but is in the background until its budget is back.
    pub(crate) fn is_kept_low(&mut self, place: ThreadId, rank: Rank) -> bool {
        let budget = self.state.budgets.get_mut(place.index());
        let Some(budget) = budget.filter(|budget| budget.returns_to != Rank::NONE) else { return false };
        budget.returns_to = rank;
        true
    }

    /// The budget of a place that was lowered is back.
    pub(crate) fn return_to_rank(&mut self, place: ThreadId) {
        let next = if self.is_pooled(place) { self.comes_back_behind(place) } else { ThreadId::NONE };
        if let Some(payment) = self.state.payment.get_mut(0) {
            payment.raised = next;
        }
        if self.is_pooled(place) {
            self.be_whole_with_its_pool(place);
        }
        let Some(budget) = self.state.budgets.get_mut(place.index()) else { return };
        let rank = core::mem::replace(&mut budget.returns_to, Rank::NONE);
        if S::RANGED && rank != Rank::NONE && rank != self.state.threads.at(place.index()).rank() {
            let _decided_later = self.change_rank(place, rank);
        }
    }
}
