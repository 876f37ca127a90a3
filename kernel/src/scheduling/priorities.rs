//! Priorities: a thread of a fixed band becomes more or less urgent, within the range that its row declares.
//!
//! Whatever goes by a thread's rank is moved in the step in which the rank changes, so nobody ever stands where its rank doesn't say:
//!
//! | its place is | what changes |
//! |---|---|
//! | in its band: it is ready, or lends it | out of the ring of the old rank, to the end of that of the new one; a decision |
//! | out of it: it sleeps, is dormant or has stopped | the rank; the place goes in at the new one, if it does |
//! | out of it: a server that runs in a client's place | the rank; it runs as urgently as before until it runs in its own |
//! | parked at the end of its chain | the rank; the place comes back at the new one |
//!
//! If it waits in a queue besides, it stands behind those that are at least as urgent from now on, unless they are served as they
//! came. Who runs in a place that is lent goes along with it. Who holds a ceiling lock keeps the ceiling, which is above all
//! priorities that any user of the lock may have; its own counts again when it has lowered itself.
//!
//! Ranks of a fixed band have no gaps over a thread's range, and neither have levels: one that is more urgent by one has the rank
//! below and the level above (`rows::rank`). So the rank is all that is kept.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::rank::Rank;
use crate::rows::threads::{Place, ThreadKind};
use crate::scheduling::thread::{Standing, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// A thread of the caller's process has another priority from now on. With the one that it has it keeps its turn.
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
        if rank == self.state.threads.at(thread.index()).rank() {
            return Ok(Next::Stay);
        }
        Ok(self.change_rank(thread, rank))
    }

    /// A thread of a fixed band has another rank from now on. Only here a rank changes.
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

    /// A thread, whose urgency is another now, stands where it belongs in the queue in which it waits, if it waits in one.
    fn queue_anew(&mut self, thread: ThreadId) {
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

    /// A thread that has stopped, or a job of which has, is as urgent as in the beginning when it begins anew. Its place isn't in its band.
    pub(crate) fn forget_priority(&mut self, thread: ThreadId) {
        let rank = self.machine.system().threads.at(thread.index()).rank;
        self.state.threads.at_mut(thread.index()).be_of(rank);
    }
}
