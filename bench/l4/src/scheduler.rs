//! Lazy, eager and later queues behind the interface of the paper's Listing 1 (OSPERT 2007).
//!
//! The listing's `enqueue`, `dequeue` and `swap` are [`wake`](L4::wake) and [`block`](L4::block); its `sched` with a hint is
//! [`schedule`](L4::schedule), told who woke last. Of two who woke, who isn't to run is [put by](L4::put_by) before.

use core::marker::PhantomData;

use beryl_abi::ThreadId;
use beryl_kernel::{Rank, Table};

use crate::counted::Count;
use crate::interrupts::Line;
use crate::ready::Ready;
use crate::rules::{Donating, Queueing, Rules, Switching};
use crate::slices::Slice;
use crate::thread::{Phase, ThreadState};
use crate::{IDLE, LINES, THREADS, WORDS};

/// What the scheduler is told (Listing 1). A kernel with full scheduling ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The most urgent thread runs.
    Highest,
    /// Who woke last runs, on a slice of its own.
    New,
    /// Who woke last runs, on the slice in use: the listing doesn't tell these two apart.
    Donated,
    /// Who woke last runs if it is more urgent than the running thread.
    CurrentOrNew,
}

/// A kernel with L4's rules.
#[derive(Clone, Debug)]
pub struct L4<R, C> {
    pub(crate) threads: [ThreadState; THREADS],
    pub(crate) messages: [[u32; WORDS]; THREADS],
    pub(crate) lines: [Line; LINES],
    ready: Ready,
    running: ThreadId,
    /// Whose slice is in use.
    slice_of: ThreadId,
    pub(crate) counts: C,
    rules: PhantomData<R>,
}

impl<R: Rules, C: Count> Default for L4<R, C> {
    fn default() -> L4<R, C> {
        L4::new()
    }
}

impl<R: Rules, C: Count> L4<R, C> {
    /// A kernel in which only the idle thread runs.
    #[must_use]
    pub fn new() -> L4<R, C> {
        let mut kernel = L4 {
            threads: [ThreadState::HALTED; THREADS],
            messages: [[0; WORDS]; THREADS],
            lines: [Line::FREE; LINES],
            ready: Ready::EMPTY,
            running: IDLE,
            slice_of: IDLE,
            counts: C::default(),
            rules: PhantomData,
        };
        kernel.threads.at_mut(IDLE.index()).phase = Phase::Ready;
        if R::POLICY.queueing != Queueing::WithoutRunning {
            kernel.ready.push(&mut kernel.threads, IDLE);
        }
        kernel
    }

    /// A thread begins, ready, with a priority from 0, the most urgent, to 30. It runs if it is more urgent than whoever does.
    pub fn start(&mut self, thread: ThreadId, rank: Rank, slice: Slice) {
        self.begin_step();
        let state = self.threads.at_mut(thread.index());
        (state.rank, state.slice, state.left) = (rank, slice, slice.whole());
        self.wake(thread);
        self.put_by(thread);
        self.schedule(Hint::Highest, thread);
        self.settle();
    }

    /// Who has the processor.
    #[inline(always)]
    pub fn running(&self) -> ThreadId {
        self.running
    }

    /// Where a thread is.
    pub fn phase(&self, thread: ThreadId) -> Phase {
        self.threads.at(thread.index()).phase
    }

    /// Whether a thread stands in the queue of ready threads.
    pub fn is_queued(&self, thread: ThreadId) -> bool {
        self.threads.at(thread.index()).is_queued
    }

    /// A thread's priority: 0 is the most urgent.
    pub fn rank(&self, thread: ThreadId) -> u8 {
        self.threads.at(thread.index()).rank.number()
    }

    /// Whose slice is in use.
    pub fn slice_of(&self) -> ThreadId {
        self.slice_of
    }

    /// What was counted.
    pub fn counts(&self) -> &C {
        &self.counts
    }

    /// Nobody has blocked in this step.
    #[inline(always)]
    pub(crate) fn begin_step(&mut self) {
        self.threads.at_mut(self.running.index()).has_just_blocked = false;
    }

    /// Whether a thread is strictly more urgent than another.
    #[inline(always)]
    pub(crate) fn is_before(&self, one: ThreadId, other: ThreadId) -> bool {
        self.rank(one) < self.rank(other)
    }

    /// A thread is ready from now on. Eager queues take it in; others see first whether it runs at once.
    #[inline(always)]
    pub(crate) fn wake(&mut self, thread: ThreadId) {
        self.threads.at_mut(thread.index()).phase = Phase::Ready;
        self.counts.tell(|counts| counts.eager_enqueues += 1);
        if R::POLICY.queueing == Queueing::Eager {
            self.stand_last(thread, false);
        }
    }

    /// The running thread isn't ready any more: `phase` says why. Lazy queues keep it if they have it.
    #[inline(always)]
    pub(crate) fn block(&mut self, phase: Phase) {
        let running = self.running;
        let state = self.threads.at_mut(running.index());
        (state.phase, state.has_just_blocked) = (phase, true);
        self.counts.tell(|counts| counts.eager_dequeues += 1);
        if R::POLICY.queueing == Queueing::Eager {
            self.take_out(running);
        }
    }

    /// A ready thread doesn't run now, so it has to be in the queue.
    #[inline(always)]
    pub(crate) fn put_by(&mut self, thread: ThreadId) {
        if R::POLICY.queueing != Queueing::Eager && !self.is_queued(thread) {
            self.stand_last(thread, false);
        }
    }

    /// The running thread, if it is ready, waits in front of its equals.
    #[inline(always)]
    fn put_running_by(&mut self) {
        let state = self.threads.at(self.running.index());
        if R::POLICY.queueing == Queueing::Eager || state.is_queued || !state.is_ready() {
            return;
        }
        self.ready.push_front(&mut self.threads, self.running);
        self.counts.tell(|counts| {
            counts.enqueues += 1;
            counts.deferred_enqueues += 1;
        });
    }

    #[inline(always)]
    pub(crate) fn stand_last(&mut self, thread: ThreadId, is_deferred: bool) {
        self.ready.push(&mut self.threads, thread);
        self.counts.tell(|counts| {
            counts.enqueues += 1;
            counts.deferred_enqueues += u64::from(is_deferred);
        });
    }

    #[inline(always)]
    pub(crate) fn take_out(&mut self, thread: ThreadId) {
        self.ready.remove(&mut self.threads, thread);
        self.counts.tell(|counts| counts.dequeues += 1);
    }

    /// Decides who runs. `new` woke last, or is nobody.
    #[inline(always)]
    pub(crate) fn schedule(&mut self, hint: Hint, new: ThreadId) {
        self.counts.tell(|counts| counts.decisions += 1);
        match (R::POLICY.switching, hint) {
            (Switching::Direct, Hint::New) => self.run(new, new),
            (Switching::Direct, Hint::Donated) => self.donate(new),
            (Switching::Direct, Hint::CurrentOrNew) if self.is_before(new, self.running) => {
                self.run(new, new)
            }
            (Switching::Direct, Hint::CurrentOrNew) => self.put_by(new),
            (Switching::Full, _) | (_, Hint::Highest) => self.run_most_urgent(hint, new),
        }
    }

    /// A thread runs on the slice in use.
    #[inline(always)]
    pub(crate) fn donate(&mut self, to: ThreadId) {
        let payer = match R::POLICY.donating {
            Donating::ByTheBook => self.slice_of,
            Donating::AsImplemented => to,
        };
        self.run(to, payer);
    }

    /// The most urgent of all runs. If the queue has no running thread, it is asked only for its most urgent priority where
    /// the candidates beside it are more urgent than that.
    #[inline(always)]
    fn run_most_urgent(&mut self, hint: Hint, new: ThreadId) {
        let is_new = new.is_some() && !self.is_queued(new) && self.threads.at(new.index()).is_ready();
        let runs = self.threads.at(self.running.index()).is_ready() && !self.is_queued(self.running);
        if R::POLICY.queueing == Queueing::WithoutRunning {
            let best = match (runs, is_new) {
                (true, true) if !self.is_before(new, self.running) => self.running,
                (_, true) => new,
                (true, false) => self.running,
                (false, false) => ThreadId::NONE,
            };
            let first = self.ready.first_rank();
            // The running thread comes before its equals, and who woke behind them.
            let is_best = best.is_some()
                && (self.rank(best) < first || best == self.running && self.rank(best) == first);
            if is_best {
                if is_new && best != new {
                    self.put_by(new);
                }
                return self.run_chosen(hint, new, best);
            }
        }
        if is_new {
            self.put_by(new);
        }
        self.put_running_by();
        let first = self.look_up();
        self.run_chosen(hint, new, first);
    }

    /// By the book a donation counts where the scheduler chooses the same thread.
    #[inline(always)]
    fn run_chosen(&mut self, hint: Hint, new: ThreadId, chosen: ThreadId) {
        match chosen == new && hint == Hint::Donated {
            true => self.donate(chosen),
            false => self.run(chosen, chosen),
        }
    }

    /// The most urgent ready thread of the queue. Whoever is there and isn't ready leaves it.
    #[inline(always)]
    fn look_up(&mut self) -> ThreadId {
        self.counts.tell(|counts| counts.lookups += 1);
        // bound: THREADS, and the idle thread is always ready
        loop {
            let first = self.ready.first();
            let state = self.threads.at(first.index());
            if R::POLICY.queueing != Queueing::Lazy || state.is_ready() {
                return first;
            }
            let is_deferred = !(state.has_just_blocked && first == self.running);
            self.take_out(first);
            self.counts.tell(|counts| counts.deferred_dequeues += u64::from(is_deferred));
        }
    }

    /// The processor goes to a ready thread, which uses up the slice of `payer`.
    #[inline(always)]
    pub(crate) fn run(&mut self, next: ThreadId, payer: ThreadId) {
        self.slice_of = payer;
        if next != self.running {
            self.put_running_by();
            self.running = next;
            self.counts.tell(|counts| counts.switches += 1);
        }
        if R::POLICY.queueing == Queueing::WithoutRunning && self.is_queued(next) {
            self.take_out(next);
        }
    }
}
