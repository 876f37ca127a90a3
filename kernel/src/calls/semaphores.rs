//! Semaphores: binary ones with owner and inheritance, counting ones with neither.
//!
//! ```text
//!            wait (1)             wait of others (2)
//!    free ------------> owned ------------------------> owned, queue
//!     ^                  |  ^                              |    |
//!     +------------------+  +------------------------------+    |
//!          signal (3)           signal: the next owner (4)  <---+
//!     owner stops: free and died, or the next owner, who is told
//! ```
//! (1) `take`, `take_free`, (2) `wait_for_owner`, (3) `semaphore_signal`, (4) `pass_on`.
//!
//! While no thread waits, threads of one process may take a binary semaphore and give it back by its word
//! alone: 0 if it is free, one more than the owner's number, bit 31 if the kernel has to be called. The
//! kernel doesn't trust a word that names an impossible owner.

use beryl_abi::call::{FOREVER, OWNER_DIED, Operand, POLL};
use beryl_abi::{CallError, Note, SemaphoreId, ThreadId};

use crate::arguments::is_short;
use crate::event::Machine;
use crate::exits::Exit;
use crate::kernel::{Kernel, Next, Outcome, Tried};
use crate::objects::owner::Owner;
use crate::objects::queue::Queue;
use crate::objects::semaphore::Given;
use crate::rows::threads::ThreadKind;
use crate::scheduling::thread::{Phase, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

/// The state in which the last owner left what the semaphore protects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The owner gave the semaphore back.
    Whole,
    /// The owner stopped.
    HalfDone,
}

/// The bit of a user's word that sends every thread to the kernel.
const ASK_KERNEL: u32 = 1 << 31;

/// The value that a thread writes to a semaphore's word to own it.
const fn owned_by(thread: ThreadId) -> u32 {
    thread.0 as u32 + 1
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Takes a semaphore, or waits for it.
    #[inline(always)]
    pub(crate) fn semaphore_wait<W: Exit<S, M>>(
        &mut self,
        way: W,
        operand: Operand,
        timeout: u32,
    ) -> W::Answer {
        match self.take_semaphore(way, operand, timeout) {
            Ok(Some(next)) => self.come_to(way, Ok(next)),
            Ok(None) => self.wait_for_semaphore(way, operand, timeout),
            Err(error) => self.come_to(way, Err(error)),
        }
    }

    /// Takes a semaphore, if that needs no wait.
    #[inline(always)]
    fn take_semaphore<W: Way>(&mut self, way: W, operand: Operand, timeout: u32) -> Tried {
        self.must_be_able_to_wait(way)?;
        let semaphore = self.semaphore(way, operand)?;
        match W::IS_ORDINARY {
            true => way.only_if(is_short(timeout))?,
            false => self.must_be_a_semaphores_wait(semaphore, operand, timeout)?,
        }
        let running = self.state.running();
        let state = self.state.semaphores.at_mut(semaphore.index());
        if state.take(running) {
            return match W::IS_ORDINARY {
                true => Ok(Some(Next::Stay)),
                false => Ok(Some(self.have_taken(semaphore, operand))),
            };
        }
        match state.is_counting() && self.granted(timeout) == POLL {
            true => Err(CallError::WouldBlock),
            false => Ok(None),
        }
    }

    /// Checks a wait that isn't ordinary.
    fn must_be_a_semaphores_wait(
        &mut self,
        semaphore: SemaphoreId,
        operand: Operand,
        timeout: u32,
    ) -> Result<(), CallError> {
        if self.state.semaphores.at(semaphore.index()).is_counting() {
            return self.must_be_any_wait(operand, timeout);
        }
        self.must_not_be_raised(Any::UNDER_WAY)?;
        Self::must_be_short(timeout)
    }

    /// The caller has taken the semaphore without a wait.
    fn have_taken(&mut self, semaphore: SemaphoreId, operand: Operand) -> Next {
        if self.state.semaphores.at(semaphore.index()).is_counting() {
            return self.keep_promise(Any::UNDER_WAY, operand, Next::Stay);
        }
        self.note(Note::hold(self.state.running(), semaphore));
        Next::Stay
    }

    /// Waits for a semaphore that can't be taken at once.
    #[inline(never)]
    fn wait_for_semaphore<W: Exit<S, M>>(&mut self, way: W, operand: Operand, timeout: u32) -> W::Answer {
        let semaphore = SemaphoreId(operand.number());
        let outcome = match self.state.semaphores.at(semaphore.index()).is_counting() {
            true => self.wait_for_unit(way, semaphore, operand, timeout),
            false => self.wait_for_owner(way, semaphore, timeout),
        };
        self.come_to(way, outcome)
    }

    /// Waits for a unit of a counting semaphore.
    #[inline(always)]
    fn wait_for_unit<W: Way>(
        &mut self,
        way: W,
        semaphore: SemaphoreId,
        operand: Operand,
        timeout: u32,
    ) -> Outcome {
        let running = self.state.running();
        self.must_want_to_wait(way, timeout)?;
        let queue = &mut self.state.semaphores.at_mut(semaphore.index()).queue;
        way.only_if(queue.is_empty())?;
        queue.join(way, &self.machine.system().threads, &mut self.state.threads, running);
        Ok(self.sleep(way, Wait::Semaphore, operand, timeout))
    }

    /// Gives a semaphore back.
    #[inline(always)]
    pub(crate) fn semaphore_signal<W: Exit<S, M>>(&mut self, way: W, operand: Operand) -> W::Answer {
        let semaphore = match self.semaphore(way, operand) {
            Ok(semaphore) => semaphore,
            Err(error) => return way.give_up(self, error),
        };
        let running = self.state.running();
        let state = self.state.semaphores.at_mut(semaphore.index());
        if state.is_counting() {
            let outcome = match state.give_unit(&self.state.threads) {
                Given::To(thread) => Ok(Next::Wake(thread)),
                Given::Kept => Ok(Next::Stay),
                Given::Full => Err(CallError::Overflow),
            };
            return self.come_to(way, outcome);
        }
        if W::IS_ORDINARY && state.give_up(running) {
            return way.stay();
        }
        self.give_back(way, semaphore)
    }

    /// Gives a binary semaphore back.
    #[inline(never)]
    fn give_back<W: Exit<S, M>>(&mut self, way: W, semaphore: SemaphoreId) -> W::Answer {
        if self.owner(semaphore) != self.state.running() {
            return way.give_up(self, CallError::NotOwner);
        }
        self.note_on(way, Note::free(self.state.running(), semaphore));
        if self.state.semaphores.at(semaphore.index()).queue.is_empty() {
            self.set_free(semaphore);
            return way.stay();
        }
        let next = self.pass_on(semaphore, Left::Whole);
        self.note_on(way, Note::hold(next, semaphore));
        self.decide(way)
    }

    /// The semaphore with a number, if the caller may name it.
    #[inline(always)]
    pub(crate) fn semaphore<W: Way>(&self, way: W, operand: Operand) -> Result<SemaphoreId, CallError> {
        let semaphore = SemaphoreId(Self::number(way, operand, S::Semaphores::LENGTH)?);
        self.must_be_allowed(way, self.state.semaphores.at(semaphore.index()).processes)?;
        Ok(semaphore)
    }

    /// As above, if it is a binary one.
    #[inline(always)]
    pub(crate) fn lock<W: Way>(&self, way: W, operand: Operand) -> Result<SemaphoreId, CallError> {
        let semaphore = self.semaphore(way, operand)?;
        match self.state.semaphores.at(semaphore.index()).is_counting() {
            false => Ok(semaphore),
            true => Err(CallError::NoSuchObject),
        }
    }

    /// The owner of a binary semaphore; none if its word names a thread that can't be the owner.
    #[inline(always)]
    pub(crate) fn owner(&mut self, semaphore: SemaphoreId) -> ThreadId {
        let state = self.state.semaphores.at(semaphore.index());
        match state.owner.is_by_word() {
            false => state.owner.thread(),
            true => self.owner_by_word(semaphore),
        }
    }

    #[inline(never)]
    fn owner_by_word(&mut self, semaphore: SemaphoreId) -> ThreadId {
        let state = self.state.semaphores.at(semaphore.index());
        let number = self.machine.load(state.word) & 0xFF;
        let Some(index) = number.checked_sub(1) else { return ThreadId::NONE };
        let owner = ThreadId(index as u8);
        if owner.index() >= S::Threads::LENGTH {
            return ThreadId::NONE;
        }
        let thread = self.machine.system().threads.at(owner.index());
        let can_name = state.processes >> (thread.process.0 & 31) & 1 == 1;
        let has_stopped = self.state.threads.at(owner.index()).phase() == Phase::Stopped;
        match can_name && !has_stopped && thread.kind != ThreadKind::None {
            true => owner,
            false => ThreadId::NONE,
        }
    }

    /// A thread takes a binary semaphore without an owner, and is told if the last owner stopped.
    #[inline(always)]
    pub(crate) fn take_free(&mut self, semaphore: SemaphoreId, thread: ThreadId) {
        let state = self.state.semaphores.at_mut(semaphore.index());
        let (has_died, word) = (state.claim(thread), state.word);
        if word != 0 {
            self.machine.store(word, owned_by(thread));
        }
        if has_died {
            self.machine.status(thread, OWNER_DIED);
        }
    }

    /// A binary semaphore without waiters becomes free.
    #[inline(always)]
    pub(crate) fn set_free(&mut self, semaphore: SemaphoreId) {
        let state = self.state.semaphores.at_mut(semaphore.index());
        state.owner = Owner::nobody(state.word != 0);
        if state.word != 0 {
            self.machine.store(state.word, 0);
        }
    }

    /// The caller waits for a semaphore and lends its place to the owner; if there is no owner, the caller
    /// gets it.
    #[inline(always)]
    fn wait_for_owner<W: Way>(&mut self, way: W, semaphore: SemaphoreId, timeout: u32) -> Outcome {
        let running = self.state.running();
        let owner = self.owner(semaphore);
        if !owner.is_some() {
            self.take_free(semaphore, running);
            self.note_on(way, Note::hold(running, semaphore));
            return Ok(Next::Stay);
        }
        let end = match self.state.threads.at(owner.index()).phase() {
            Phase::Ready => owner,
            _ => {
                way.rare()?;
                self.state.end_of_chain(self.machine.system(), owner)
            }
        };
        if end == running {
            return Err(CallError::Deadlock);
        }
        self.must_want_to_wait(way, timeout)?;
        self.must_take_turns()?;
        self.lend(running, semaphore, owner);
        self.trace_lend(way, running, owner);
        self.state.threads.at_mut(running.index()).then = 0;
        if !W::IS_ORDINARY && timeout != FOREVER {
            self.wait_at_most(running, timeout);
        }
        Ok(Next::Lend(end))
    }

    /// A ready thread waits for a binary semaphore. From now on the kernel keeps its owner.
    #[inline(always)]
    pub(crate) fn lend(&mut self, thread: ThreadId, semaphore: SemaphoreId, owner: ThreadId) {
        let state = self.state.semaphores.at_mut(semaphore.index());
        match state.queue.is_empty() {
            true => return self.lend_alone(thread, semaphore, owner),
            false => state.queue.insert(&self.machine.system().threads, &mut self.state.threads, thread),
        }
        self.lend_in_queue(thread, semaphore, owner);
    }

    /// As above, for the first waiter.
    #[inline(always)]
    pub(crate) fn lend_alone(&mut self, thread: ThreadId, semaphore: SemaphoreId, owner: ThreadId) {
        self.state.semaphores.at_mut(semaphore.index()).queue = Queue::of(&mut self.state.threads, thread);
        self.lend_in_queue(thread, semaphore, owner);
        self.begins_to_be_waited_for(owner);
    }

    #[inline(always)]
    fn lend_in_queue(&mut self, thread: ThreadId, semaphore: SemaphoreId, owner: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.lend(Wait::Semaphore, semaphore.0);
        let semaphore = self.state.semaphores.at_mut(semaphore.index());
        semaphore.owner = Owner::of(owner);
        if semaphore.word != 0 {
            self.machine.store(semaphore.word, owned_by(owner) | ASK_KERNEL);
        }
    }

    /// Whoever owns a binary semaphore by its word has to call the kernel to give it back.
    pub(crate) fn have_it_given_back_by_call(&mut self, semaphore: SemaphoreId) {
        let word = self.state.semaphores.at(semaphore.index()).word;
        if word != 0 {
            let owner = self.machine.load(word);
            self.machine.store(word, owner | ASK_KERNEL);
        }
    }

    /// A binary semaphore with waiters gets its next owner, which is returned.
    #[inline(never)]
    pub(crate) fn pass_on(&mut self, semaphore: SemaphoreId, left: Left) -> ThreadId {
        let next = self.next_owner(semaphore);
        let last = self.policed_owner(semaphore);
        let state = self.state.semaphores.at_mut(semaphore.index());
        state.pass_to(next, &mut self.state.threads);
        if state.word != 0 {
            let ask = if state.queue.is_empty() { 0 } else { ASK_KERNEL };
            self.machine.store(state.word, owned_by(next) | ask);
            if ask == 0 {
                state.owner = Owner::BY_WORD;
            }
        }
        let thread = self.state.threads.at_mut(next.index());
        thread.go_on();
        thread.then = 0;
        if left == Left::HalfDone {
            self.machine.status(next, OWNER_DIED);
        }
        self.hands_on(last, next, semaphore);
        next
    }

    /// The waiter through which the most urgent place of all leads here; if there is none, the most urgent
    /// waiter.
    #[inline(always)]
    fn next_owner(&self, semaphore: SemaphoreId) -> ThreadId {
        let first = self.state.semaphores.at(semaphore.index()).queue.first();
        match first == self.state.bands.first() {
            true => first,
            false => self.next_owner_along_chain(semaphore),
        }
    }

    #[inline(never)]
    fn next_owner_along_chain(&self, semaphore: SemaphoreId) -> ThreadId {
        let mut thread = self.state.bands.first();
        // bound: LOCKS
        for _ in 0..S::Semaphores::LENGTH + S::Endpoints::LENGTH {
            let Some(owner) = self.state.lender_to(self.machine.system(), thread) else { break };
            if self.state.threads.at(thread.index()).waits_for(Wait::Semaphore, semaphore.0) {
                return thread;
            }
            thread = owner;
        }
        self.state.semaphores.at(semaphore.index()).queue.first()
    }

    /// A thread has left the queue of a binary semaphore. Once no other waits, the owner keeps nobody out with it, and its
    /// word names the owner.
    pub(crate) fn leave_owner(&mut self, semaphore: SemaphoreId) {
        let last = self.policed_owner(semaphore);
        let state = self.state.semaphores.at_mut(semaphore.index());
        if state.word != 0 && state.queue.is_empty() {
            let owner = core::mem::replace(&mut state.owner, Owner::BY_WORD);
            self.machine.store(state.word, owned_by(owner.thread()));
        }
        self.gives_up_waiting(last, semaphore);
    }

    /// Takes a semaphore from a thread that has stopped, if that owns it: the next owner is told.
    pub(crate) fn take_from_stopped(&mut self, semaphore: SemaphoreId, thread: ThreadId) -> bool {
        let state = self.state.semaphores.at_mut(semaphore.index());
        let is_its = match state.owner.is_by_word() {
            true => self.machine.load(state.word) & 0xFF == owned_by(thread),
            false => state.owner == Owner::of(thread),
        };
        if !is_its {
            return false;
        }
        if !state.queue.is_empty() {
            let next = self.pass_on(semaphore, Left::HalfDone);
            self.note(Note::free(thread, semaphore));
            self.note(Note::hold(next, semaphore));
            return true;
        }
        state.owner = Owner::left(state.word != 0);
        if state.word != 0 {
            self.machine.store(state.word, ASK_KERNEL);
        }
        self.note(Note::free(thread, semaphore));
        true
    }
}
