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

use beryl_abi::call::{FOREVER, OWNER_DIED, Operand, POLL, SUCCESS};
use beryl_abi::{CallError, Note, SemaphoreId, ThreadId};

use crate::calls::{Outcome, is_allowed, is_short, plain_number};
use crate::event::{Machine, Switch};
use crate::handle::{Kernel, Next};
use crate::queues::Queue;
use crate::sizes::{Sizes, Table};
use crate::state::{Phase, Wait};
use crate::system::{Semaphore, SemaphoreKind, ThreadKind};

/// The bit of a user's word that sends everybody to the kernel.
const ASK_KERNEL: u32 = 1 << 31;

/// What a thread writes to a semaphore's word to own it.
const fn owned_by(thread: ThreadId) -> u32 {
    thread.0 as u32 + 1
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Takes a binary semaphore of the kernel's or a unit of a counting one, or waits for it.
    #[inline(always)]
    pub(crate) fn take_at_once(&mut self, operand: Operand, timeout: u32) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let semaphore = SemaphoreId(plain_number(operand, S::Semaphores::LENGTH)?);
        let row = self.machine.system().semaphores.at(semaphore.index());
        is_allowed(row.processes, process)?;
        let running = self.state.running;
        let state = self.state.semaphores.at_mut(semaphore.index());
        match row.kind {
            SemaphoreKind::Binary { word } => {
                if word != 0 || state.owner.is_some() || state.died || !is_short(timeout) {
                    return self.take_or_lend(semaphore, row, word, timeout);
                }
                state.owner = running;
            }
            SemaphoreKind::Counting { .. } if state.units > 0 && is_short(timeout) => state.units -= 1,
            SemaphoreKind::Counting { .. } => {
                if !state.queue.is_empty() || timeout != FOREVER {
                    return None;
                }
                let rank = self.own_rank()?;
                self.state.semaphores.at_mut(semaphore.index()).queue =
                    Queue::of(&mut self.state.threads, running);
                return Some(self.sleep_at_once(Wait::Semaphore, operand, rank));
            }
        }
        self.succeed();
        Some(Switch::Stay)
    }

    /// Gives a semaphore back for which nobody waits, or a unit for which somebody does.
    #[inline(always)]
    pub(crate) fn give_back_at_once(&mut self, operand: Operand) -> Option<Switch> {
        let process = self.state.caller.process()?;
        let semaphore = SemaphoreId(plain_number(operand, S::Semaphores::LENGTH)?);
        let row = self.machine.system().semaphores.at(semaphore.index());
        is_allowed(row.processes, process)?;
        let state = self.state.semaphores.at_mut(semaphore.index());
        match row.kind {
            SemaphoreKind::Binary { word } => {
                if word != 0 || state.owner != self.state.running || !state.queue.is_empty() {
                    return self.free_or_pass_on(semaphore, word);
                }
                state.owner = ThreadId::NONE;
            }
            SemaphoreKind::Counting { most, .. } => match state.queue.take(&self.state.threads) {
                Some(thread) => {
                    self.succeed();
                    self.machine.status(thread, SUCCESS);
                    return Some(self.wake_at_once(thread));
                }
                None if state.units < most => state.units += 1,
                None => return None,
            },
        }
        self.succeed();
        Some(Switch::Stay)
    }

    /// Takes a semaphore, or waits for it.
    #[inline(never)]
    pub(crate) fn semaphore_wait(&mut self, operand: Operand, timeout: u32) -> Outcome {
        self.must_be_able_to_wait()?;
        let (semaphore, row) = self.semaphore(operand.number())?;
        let running = self.state.running;
        match row.kind {
            SemaphoreKind::Binary { word } => {
                self.must_not_be_raised()?;
                Self::must_be_short(timeout)?;
                let owner = self.owner(semaphore, row, word);
                if owner.is_some() {
                    return self.wait_for_owner(semaphore, word, owner, timeout);
                }
                let status = self.take_free(semaphore, word, running);
                self.note(Note::hold(running, semaphore));
                self.machine.status(running, status);
                Ok(Next::Stay)
            }
            SemaphoreKind::Counting { .. } => {
                self.must_be_a_wait(operand, timeout)?;
                let state = self.state.semaphores.at_mut(semaphore.index());
                if state.units > 0 {
                    state.units -= 1;
                    self.succeed();
                    return Ok(self.keep_promise(operand, Next::Stay));
                }
                let next = self.sleep_unless_polling(Wait::Semaphore, operand, timeout)?;
                let queue = &mut self.state.semaphores.at_mut(semaphore.index()).queue;
                queue.insert(self.machine.system(), &mut self.state.threads, running);
                Ok(next)
            }
        }
    }

    /// Gives a semaphore back.
    #[inline(never)]
    pub(crate) fn semaphore_signal(&mut self, operand: Operand) -> Outcome {
        let (semaphore, row) = self.semaphore(operand.number())?;
        match row.kind {
            SemaphoreKind::Binary { word } => {
                if self.owner(semaphore, row, word) != self.state.running {
                    return Err(CallError::NotOwner);
                }
                self.succeed();
                self.note(Note::free(self.state.running, semaphore));
                if self.state.semaphores.at(semaphore.index()).queue.is_empty() {
                    self.set_free(semaphore, word);
                    return Ok(Next::Stay);
                }
                let next = self.pass_on(semaphore, word, SUCCESS);
                self.note(Note::hold(next, semaphore));
                Ok(Next::Decide)
            }
            SemaphoreKind::Counting { most, .. } => {
                let state = self.state.semaphores.at_mut(semaphore.index());
                if let Some(thread) = state.queue.take(&self.state.threads) {
                    self.machine.status(thread, SUCCESS);
                    self.succeed();
                    return Ok(Next::Wake(thread));
                }
                if state.units >= most {
                    return Err(CallError::Overflow);
                }
                state.units += 1;
                self.succeed();
                Ok(Next::Stay)
            }
        }
    }

    /// The semaphore with a number, if the caller may name it.
    #[inline(always)]
    pub(crate) fn semaphore(&self, number: u8) -> Result<(SemaphoreId, &'static Semaphore), CallError> {
        let semaphore = SemaphoreId(number);
        if semaphore.index() >= S::Semaphores::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        let row = self.machine.system().semaphores.at(semaphore.index());
        self.must_be_allowed(row.processes)?;
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
        let has_stopped = self.state.threads.at(owner.index()).phase == Phase::Stopped;
        match can_name && !has_stopped && thread.kind != ThreadKind::None {
            true => owner,
            false => ThreadId::NONE,
        }
    }

    /// Somebody takes a binary semaphore that nobody owns. Answers the status of the call.
    #[inline(always)]
    pub(crate) fn take_free(&mut self, semaphore: SemaphoreId, word: u32, thread: ThreadId) -> u32 {
        let state = self.state.semaphores.at_mut(semaphore.index());
        let died = core::mem::replace(&mut state.died, false);
        match word {
            0 => state.owner = thread,
            word => self.machine.store(word, owned_by(thread)),
        }
        if died { OWNER_DIED } else { SUCCESS }
    }

    /// A binary semaphore for which nobody waits is free.
    #[inline(always)]
    pub(crate) fn set_free(&mut self, semaphore: SemaphoreId, word: u32) {
        self.state.semaphores.at_mut(semaphore.index()).owner = ThreadId::NONE;
        if word != 0 {
            self.machine.store(word, 0);
        }
    }

    /// The caller takes a binary semaphore, or waits as long as it takes for an owner that is ready, and
    /// lends its own place to it.
    #[inline(never)]
    fn take_or_lend(
        &mut self,
        semaphore: SemaphoreId,
        row: &Semaphore,
        word: u32,
        timeout: u32,
    ) -> Option<Switch> {
        if !is_short(timeout) {
            return None;
        }
        let running = self.state.running;
        let known = self.state.semaphores.at(semaphore.index()).owner;
        let is_known = known.is_some() || word == 0;
        let owner = if is_known { known } else { self.named_owner(word) };
        if !owner.is_some() {
            let status = self.take_free(semaphore, word, running);
            self.machine.status(running, status);
            return Some(Switch::Stay);
        }
        let is_ready = self.state.threads.at(owner.index()).phase == Phase::Ready;
        if owner == running || !is_ready || timeout != FOREVER || self.state.place != running {
            return None;
        }
        if !is_known && !self.may_name(row, owner) {
            return None;
        }
        self.lend(running, semaphore, word, owner);
        Some(self.lend_place_at_once(running, owner))
    }

    /// The thread that a user's word names: there may be none with the number.
    #[inline(always)]
    fn named_owner(&mut self, word: u32) -> ThreadId {
        ThreadId((self.machine.load(word) as u8).wrapping_sub(1))
    }

    #[inline(always)]
    fn may_name(&self, row: &Semaphore, thread: ThreadId) -> bool {
        let exists = thread.index() < S::Threads::LENGTH;
        let process = self.machine.system().threads.at(thread.index()).process;
        exists && row.processes >> (process.0 & 31) & 1 == 1
    }

    /// Whether the running thread, whose process may name it, owns a binary semaphore.
    #[inline(always)]
    pub(crate) fn is_callers(&mut self, semaphore: SemaphoreId, word: u32) -> bool {
        let known = self.state.semaphores.at(semaphore.index()).owner;
        let owner = if known.is_some() || word == 0 { known } else { self.named_owner(word) };
        owner == self.state.running
    }

    /// The caller gives a binary semaphore of its own back.
    #[inline(never)]
    fn free_or_pass_on(&mut self, semaphore: SemaphoreId, word: u32) -> Option<Switch> {
        if !self.is_callers(semaphore, word) {
            return None;
        }
        self.succeed();
        if self.state.semaphores.at(semaphore.index()).queue.is_empty() {
            self.set_free(semaphore, word);
            return Some(Switch::Stay);
        }
        let _ = self.pass_on(semaphore, word, SUCCESS);
        Some(self.decide_at_once(self.state.running))
    }

    /// The caller waits for a semaphore's owner and lends its place to it.
    #[inline(never)]
    fn wait_for_owner(
        &mut self,
        semaphore: SemaphoreId,
        word: u32,
        owner: ThreadId,
        timeout: u32,
    ) -> Outcome {
        let running = self.state.running;
        let end = self.state.end_of_chain(self.machine.system(), owner);
        if end == running {
            return Err(CallError::Deadlock);
        }
        if timeout == POLL {
            return Err(CallError::WouldBlock);
        }
        self.lend(running, semaphore, word, owner);
        self.trace_lend(running, owner);
        self.state.threads.at_mut(running.index()).then = 0;
        if timeout != FOREVER {
            self.wait_at_most(running, timeout);
        }
        Ok(Next::Lend(end))
    }

    /// A ready thread waits for a binary semaphore. From now on the kernel keeps its owner.
    #[inline(always)]
    pub(crate) fn lend(&mut self, thread: ThreadId, semaphore: SemaphoreId, word: u32, owner: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.phase = Phase::Lent;
        state.wait = Wait::Semaphore;
        state.object = semaphore.0;
        let semaphore = self.state.semaphores.at_mut(semaphore.index());
        semaphore.owner = owner;
        match semaphore.queue.is_empty() {
            true => semaphore.queue = Queue::of(&mut self.state.threads, thread),
            false => semaphore.queue.insert(self.machine.system(), &mut self.state.threads, thread),
        }
        if word != 0 {
            self.machine.store(word, owned_by(owner) | ASK_KERNEL);
        }
    }

    /// A binary semaphore for which somebody waits gets its next owner, which is answered.
    #[inline(never)]
    pub(crate) fn pass_on(&mut self, semaphore: SemaphoreId, word: u32, status: u32) -> ThreadId {
        let next = self.next_owner(semaphore);
        let state = self.state.semaphores.at_mut(semaphore.index());
        match state.queue.first() == next {
            true => drop(state.queue.take(&self.state.threads)),
            false => state.queue.remove(&mut self.state.threads, next),
        }
        state.owner = next;
        if word != 0 {
            let ask = if state.queue.is_empty() { 0 } else { ASK_KERNEL };
            self.machine.store(word, owned_by(next) | ask);
            if ask == 0 {
                self.state.semaphores.at_mut(semaphore.index()).owner = ThreadId::NONE;
            }
        }
        let thread = self.state.threads.at_mut(next.index());
        (thread.phase, thread.wait, thread.timed) = (Phase::Ready, Wait::Nothing, false);
        // Who was promised the semaphore has its answer already.
        let has_answer = core::mem::replace(&mut thread.then, 0) != 0;
        if !has_answer || status != SUCCESS {
            self.machine.status(next, status);
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
            let state = self.state.threads.at(thread.index());
            if state.wait == Wait::Semaphore && state.object == semaphore.0 {
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
            let next = self.pass_on(semaphore, word, OWNER_DIED);
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
