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
//! (1) `take_free`, (2) `wait_for_owner`, (3) `semaphore_signal`, (4) `pass_on`.
//!
//! While nobody waits, threads of one process may take a binary semaphore and give it back by its word
//! alone: 0 where it is free, one more than the owner's number, bit 31 where the kernel has to be asked.
//! The kernel believes no owner that couldn't be one.

use beryl_abi::call::{FOREVER, OWNER_DIED, Operand};
use beryl_abi::{CallError, Note, SemaphoreId, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::objects::queue::Queue;
use crate::objects::semaphore::Given;
use crate::rows::objects::{Semaphore, SemaphoreKind};
use crate::rows::threads::ThreadKind;
use crate::scheduling::thread::{Phase, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Way;

/// How the last owner of a semaphore left what it protects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// It gave it back.
    Whole,
    /// It has stopped.
    HalfDone,
}

/// The bit of a user's word that sends everybody to the kernel.
const ASK_KERNEL: u32 = 1 << 31;

/// What a thread writes to a semaphore's word to own it.
const fn owned_by(thread: ThreadId) -> u32 {
    thread.0 as u32 + 1
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Takes a semaphore, or waits for it.
    #[inline(always)]
    pub(crate) fn semaphore_wait<W: Way>(&mut self, way: W, operand: Operand, timeout: u32) -> Outcome {
        self.must_be_able_to_wait(way)?;
        let (semaphore, row) = self.semaphore(way, operand)?;
        match row.kind {
            SemaphoreKind::Binary { word } => self.take(way, semaphore, row, word, timeout),
            SemaphoreKind::Counting { .. } => {
                self.must_be_a_wait(way, operand, timeout)?;
                let running = self.state.running();
                let state = self.state.semaphores.at_mut(semaphore.index());
                if state.take_unit() {
                    return Ok(self.keep_promise(way, operand, Next::Stay));
                }
                self.must_want_to_wait(way, timeout)?;
                way.only_if(self.state.semaphores.at(semaphore.index()).queue.is_empty())?;
                self.state.semaphores.at_mut(semaphore.index()).queue.join(
                    way,
                    &self.machine.system().threads,
                    &mut self.state.threads,
                    running,
                );
                Ok(self.sleep(way, Wait::Semaphore, operand, timeout))
            }
        }
    }

    /// Takes a binary semaphore, or waits for its owner.
    #[inline(always)]
    fn take<W: Way>(
        &mut self,
        way: W,
        semaphore: SemaphoreId,
        row: &Semaphore,
        word: u32,
        timeout: u32,
    ) -> Outcome {
        self.must_not_be_raised(way)?;
        Self::must_be_short(timeout)?;
        let owner = self.owner(semaphore, row, word);
        if owner.is_some() {
            return self.wait_for_owner(way, semaphore, word, owner, timeout);
        }
        way.only_if(!self.state.semaphores.at(semaphore.index()).died)?;
        let running = self.state.running();
        self.take_free(semaphore, word, running);
        self.note_on(way, Note::hold(running, semaphore));
        Ok(Next::Stay)
    }

    /// Gives a semaphore back.
    #[inline(always)]
    pub(crate) fn semaphore_signal<W: Way>(&mut self, way: W, operand: Operand) -> Outcome {
        let (semaphore, row) = self.semaphore(way, operand)?;
        match row.kind {
            SemaphoreKind::Binary { word } => {
                if self.owner(semaphore, row, word) != self.state.running() {
                    return Err(CallError::NotOwner);
                }
                self.note_on(way, Note::free(self.state.running(), semaphore));
                if self.state.semaphores.at(semaphore.index()).queue.is_empty() {
                    self.set_free(semaphore, word);
                    return Ok(Next::Stay);
                }
                let next = self.pass_on(semaphore, word, Left::Whole);
                self.note_on(way, Note::hold(next, semaphore));
                Ok(Next::Decide)
            }
            SemaphoreKind::Counting { most, .. } => {
                let state = self.state.semaphores.at_mut(semaphore.index());
                match state.give_unit(most, &self.state.threads) {
                    Given::To(thread) => Ok(Next::Wake(thread)),
                    Given::Kept => Ok(Next::Stay),
                    Given::Full => Err(CallError::Overflow),
                }
            }
        }
    }

    /// The semaphore with a number, if the caller may name it.
    #[inline(always)]
    pub(crate) fn semaphore<W: Way>(
        &self,
        way: W,
        operand: Operand,
    ) -> Result<(SemaphoreId, &'static Semaphore), CallError> {
        let semaphore = SemaphoreId(Self::number(way, operand, S::Semaphores::LENGTH)?);
        let row = self.machine.system().semaphores.at(semaphore.index());
        self.must_be_allowed(way, row.processes)?;
        Ok((semaphore, row))
    }

    /// Who owns a binary semaphore; nobody if its word names a thread that can't be the owner.
    #[inline(always)]
    pub(crate) fn owner(&mut self, semaphore: SemaphoreId, row: &Semaphore, word: u32) -> ThreadId {
        let known = self.state.semaphores.at(semaphore.index()).owner;
        if known.is_some() || word == 0 {
            return known;
        }
        self.owner_by_word(row, word)
    }

    #[inline(never)]
    fn owner_by_word(&mut self, row: &Semaphore, word: u32) -> ThreadId {
        let number = self.machine.load(word) & 0xFF;
        let Some(index) = number.checked_sub(1) else { return ThreadId::NONE };
        let owner = ThreadId(index as u8);
        if owner.index() >= S::Threads::LENGTH {
            return ThreadId::NONE;
        }
        let thread = self.machine.system().threads.at(owner.index());
        let can_name = row.processes >> (thread.process.0 & 31) & 1 == 1;
        let has_stopped = self.state.threads.at(owner.index()).phase() == Phase::Stopped;
        match can_name && !has_stopped && thread.kind != ThreadKind::None {
            true => owner,
            false => ThreadId::NONE,
        }
    }

    /// Somebody takes a binary semaphore that nobody owns, and is told if its last owner stopped.
    #[inline(always)]
    pub(crate) fn take_free(&mut self, semaphore: SemaphoreId, word: u32, thread: ThreadId) {
        let state = self.state.semaphores.at_mut(semaphore.index());
        let died = match word {
            0 => state.claim(thread),
            _ => state.claim(ThreadId::NONE),
        };
        if word != 0 {
            self.machine.store(word, owned_by(thread));
        }
        if died {
            self.machine.status(thread, OWNER_DIED);
        }
    }

    /// A binary semaphore for which nobody waits is free.
    #[inline(always)]
    pub(crate) fn set_free(&mut self, semaphore: SemaphoreId, word: u32) {
        self.state.semaphores.at_mut(semaphore.index()).owner = ThreadId::NONE;
        if word != 0 {
            self.machine.store(word, 0);
        }
    }

    /// The caller waits for a semaphore's owner and lends its place to it.
    #[inline(always)]
    fn wait_for_owner<W: Way>(
        &mut self,
        way: W,
        semaphore: SemaphoreId,
        word: u32,
        owner: ThreadId,
        timeout: u32,
    ) -> Outcome {
        let running = self.state.running();
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
        self.lend(running, semaphore, word, owner);
        self.trace_lend(way, running, owner);
        self.state.threads.at_mut(running.index()).then = 0;
        if !W::IS_ORDINARY && timeout != FOREVER {
            self.wait_at_most(running, timeout);
        }
        Ok(Next::Lend(end))
    }

    /// A ready thread waits for a binary semaphore. From now on the kernel keeps its owner.
    #[inline(always)]
    pub(crate) fn lend(&mut self, thread: ThreadId, semaphore: SemaphoreId, word: u32, owner: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.lend(Wait::Semaphore, semaphore.0);
        let semaphore = self.state.semaphores.at_mut(semaphore.index());
        semaphore.owner = owner;
        match semaphore.queue.is_empty() {
            true => semaphore.queue = Queue::of(&mut self.state.threads, thread),
            false => semaphore.queue.insert(&self.machine.system().threads, &mut self.state.threads, thread),
        }
        if word != 0 {
            self.machine.store(word, owned_by(owner) | ASK_KERNEL);
        }
    }

    /// A binary semaphore for which somebody waits gets its next owner, which is answered.
    #[inline(never)]
    pub(crate) fn pass_on(&mut self, semaphore: SemaphoreId, word: u32, left: Left) -> ThreadId {
        let next = self.next_owner(semaphore);
        let state = self.state.semaphores.at_mut(semaphore.index());
        state.pass_to(next, &mut self.state.threads);
        if word != 0 {
            let ask = if state.queue.is_empty() { 0 } else { ASK_KERNEL };
            self.machine.store(word, owned_by(next) | ask);
            if ask == 0 {
                self.state.semaphores.at_mut(semaphore.index()).owner = ThreadId::NONE;
            }
        }
        let thread = self.state.threads.at_mut(next.index());
        thread.go_on();
        thread.then = 0;
        if left == Left::HalfDone {
            self.machine.status(next, OWNER_DIED);
        }
        next
    }

    /// The waiter through which the most urgent place of all leads here; if there is none, the most
    /// urgent waiter.
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

    /// If nobody waits for a semaphore any more, its word says who owns it.
    pub(crate) fn leave_to_user(&mut self, semaphore: SemaphoreId) {
        let state = self.state.semaphores.at_mut(semaphore.index());
        if let SemaphoreKind::Binary { word } = self.machine.system().semaphores.at(semaphore.index()).kind
            && word != 0
            && state.queue.is_empty()
        {
            let owner = core::mem::replace(&mut state.owner, ThreadId::NONE);
            self.machine.store(word, owned_by(owner));
        }
    }

    /// Takes a semaphore from a thread that has stopped, if it owns it: whoever owns it next is told.
    pub(crate) fn take_from_stopped(&mut self, semaphore: SemaphoreId, thread: ThreadId) {
        let SemaphoreKind::Binary { word } = self.machine.system().semaphores.at(semaphore.index()).kind
        else {
            return;
        };
        let state = self.state.semaphores.at_mut(semaphore.index());
        let by_word =
            word != 0 && !state.owner.is_some() && self.machine.load(word) & 0xFF == owned_by(thread);
        if state.owner != thread && !by_word {
            return;
        }
        if !state.queue.is_empty() {
            let next = self.pass_on(semaphore, word, Left::HalfDone);
            self.note(Note::free(thread, semaphore));
            return self.note(Note::hold(next, semaphore));
        }
        state.died = true;
        state.owner = ThreadId::NONE;
        if word != 0 {
            self.machine.store(word, ASK_KERNEL);
        }
        self.note(Note::free(thread, semaphore));
    }
}
