//! Send and receive phases, and who runs after them (EURASIP 2008, sections 3.4 and 4.4).
//!
//! A thread that takes the message of a waiting sender lets that go on with its own IPC. The paper's kernels do so in the
//! sender's context; here the message is taken at once, and what follows is decided as there:
//!
//! - a sender that is through stands where the table says *from* or *anythread*
//! - one that goes on to receive (a client's `Call`) blocks, and hands control to whom it had called
use beryl_abi::ThreadId;
use beryl_kernel::Table;

use crate::WORDS;
use crate::counted::Count;
use crate::rules::{Rules, Sending, Served};
use crate::scheduler::{Hint, L4};
use crate::thread::Phase;

/// From whom something is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum From {
    /// Whoever sends: an open receive.
    Anybody,
    /// This thread.
    Thread(ThreadId),
}

/// The system call: a phase that sends, then one that receives; each may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipc {
    /// To whom.
    pub to: Option<ThreadId>,
    /// Whether it waits until that takes the message.
    pub is_patient: bool,
    /// From whom.
    pub from: Option<From>,
    /// The words of the message, at most 16.
    pub words: u8,
}

impl Ipc {
    /// `Send`: waits until the message is taken.
    #[must_use]
    pub const fn send(to: ThreadId) -> Ipc {
        Ipc { to: Some(to), is_patient: true, from: None, words: 0 }
    }

    /// `Receive`.
    #[must_use]
    pub const fn receive(from: ThreadId) -> Ipc {
        Ipc { to: None, is_patient: true, from: Some(From::Thread(from)), words: 0 }
    }

    /// `Wait`: from whoever sends.
    #[must_use]
    pub const fn wait() -> Ipc {
        Ipc { to: None, is_patient: true, from: Some(From::Anybody), words: 0 }
    }

    /// `Call`: a question and its answer.
    #[must_use]
    pub const fn call(to: ThreadId) -> Ipc {
        Ipc { from: Some(From::Thread(to)), ..Ipc::send(to) }
    }

    /// `ReplyWait`: an answer, and the next request. It never waits for the client, which could keep the server.
    #[must_use]
    pub const fn reply_wait(to: ThreadId) -> Ipc {
        Ipc { to: Some(to), is_patient: false, from: Some(From::Anybody), words: 0 }
    }

    /// With a message of so many words.
    #[must_use]
    pub const fn of(self, words: u8) -> Ipc {
        Ipc { words, ..self }
    }
}

/// The partner wasn't ready, and the caller doesn't wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotReady;

impl<R: Rules, C: Count> L4<R, C> {
    /// The running thread's IPC.
    ///
    /// # Errors
    /// If a partner isn't ready for whom it doesn't wait: nothing has changed.
    #[inline(always)]
    pub fn ipc(&mut self, ipc: Ipc) -> Result<(), NotReady> {
        self.begin_step();
        let running = self.running();
        self.threads.at_mut(running.index()).words = ipc.words;
        if let Some(to) = ipc.to {
            if !self.threads.at(to.index()).receives_from(running) {
                return self.wait_to_send(to, ipc);
            }
            self.hand_over(running, to);
            self.wake(to);
        }
        match (ipc.to, ipc.from) {
            (Some(to), None) => self.after_send(to),
            (to, Some(from)) => self.receive(to, from),
            (None, None) => {}
        }
        self.settle();
        Ok(())
    }

    /// Sets bits of a thread's notification, which wakes it from an open receive. Never waits; switches as a send.
    pub fn notify(&mut self, to: ThreadId, bits: u32) {
        self.begin_step();
        let state = self.threads.at_mut(to.index());
        state.bits |= bits;
        if state.phase == Phase::Receiving(From::Anybody) {
            self.wake(to);
            self.after_send(to);
            self.settle();
        }
    }

    /// Takes the bits of the running thread's notification.
    pub fn take_bits(&mut self) -> u32 {
        core::mem::take(&mut self.threads.at_mut(self.running().index()).bits)
    }

    #[inline(never)]
    fn wait_to_send(&mut self, to: ThreadId, ipc: Ipc) -> Result<(), NotReady> {
        if !ipc.is_patient {
            return Err(NotReady);
        }
        let running = self.running();
        self.threads.at_mut(running.index()).then = ipc.from;
        self.block(Phase::Sending(to));
        self.queue_at(to, running);
        self.schedule(Hint::Highest, ThreadId::NONE);
        self.settle();
        Ok(())
    }

    /// A sender waits behind all others.
    pub(crate) fn queue_at(&mut self, to: ThreadId, sender: ThreadId) {
        let mut queue = self.threads.at(to.index()).senders;
        queue.append(&mut self.threads, sender);
        self.threads.at_mut(to.index()).senders = queue;
    }

    #[inline(always)]
    pub(crate) fn after_send(&mut self, to: ThreadId) {
        match R::POLICY.sending {
            Sending::MostUrgent => self.schedule(Hint::CurrentOrNew, to),
            Sending::Receiver => self.schedule(Hint::Donated, to),
            Sending::Sender => self.put_by(to),
        }
    }

    /// The phase that receives; `sent` has got a message in the one before.
    #[inline(always)]
    fn receive(&mut self, sent: Option<ThreadId>, from: From) {
        let running = self.running();
        match self.take_sender(running, from) {
            None => {
                self.block(Phase::Receiving(from));
                match sent {
                    None => self.schedule(Hint::Highest, ThreadId::NONE),
                    Some(to) if from == From::Thread(to) => self.schedule(Hint::Donated, to),
                    Some(to) => self.schedule(Hint::New, to),
                }
            }
            Some(sender) => self.after_taking(sent, sender),
        }
    }

    /// A message was taken from a sender that waited; the receiver goes on if nobody else does.
    #[inline(never)]
    fn after_taking(&mut self, sent: Option<ThreadId>, sender: ThreadId) {
        self.hand_over(sender, self.running());
        let is_through = self.go_on(sender);
        let running = self.running();
        let Some(sent) = sent else {
            if is_through {
                self.schedule(Hint::Donated, sender);
            }
            return;
        };
        let is_answered_first = match R::POLICY.served {
            Served::Next => self.is_before(sent, sender),
            Served::Answered => !self.is_before(sender, sent),
        };
        let (chosen, other) = match (is_answered_first, is_through) {
            (true, true) => (sent, Some(sender)),
            (true, false) => (sent, None),
            (false, true) => (sender, Some(sent)),
            (false, false) => (running, Some(sent)),
        };
        if let Some(other) = other {
            self.put_by(other);
        }
        self.schedule(Hint::New, chosen);
    }

    /// A sender whose message was taken goes on. Returns whether it is ready.
    fn go_on(&mut self, mut sender: ThreadId) -> bool {
        // bound: THREADS, each round takes one out of a queue
        loop {
            let Some(from) = self.threads.at_mut(sender.index()).then.take() else {
                self.wake(sender);
                return true;
            };
            let Some(next) = self.take_sender(sender, from) else {
                self.threads.at_mut(sender.index()).phase = Phase::Receiving(from);
                return false;
            };
            self.hand_over(next, sender);
            self.wake(sender);
            self.put_by(sender);
            sender = next;
        }
    }

    /// Takes the first who waits to send to a thread and is wanted there.
    #[inline(always)]
    pub(crate) fn take_sender(&mut self, to: ThreadId, from: From) -> Option<ThreadId> {
        let mut queue = self.threads.at(to.index()).senders;
        if queue.is_empty() {
            return None;
        }
        let taken = match from {
            From::Anybody => queue.take(&self.threads),
            From::Thread(sender) => {
                let waits = self.threads.at(sender.index()).phase == Phase::Sending(to);
                waits.then(|| queue.remove(&mut self.threads, sender)).map(|()| sender)
            }
        };
        self.threads.at_mut(to.index()).senders = queue;
        taken
    }

    /// Whose message a thread took last.
    pub fn heard(&self, thread: ThreadId) -> ThreadId {
        self.threads.at(thread.index()).heard
    }

    /// Copies a message.
    #[inline(always)]
    pub(crate) fn hand_over(&mut self, sender: ThreadId, to: ThreadId) {
        self.threads.at_mut(to.index()).heard = sender;
        let words = usize::from(self.threads.at(sender.index()).words).min(WORDS);
        self.counts.tell(|counts| {
            counts.messages += 1;
            counts.words += words as u64;
        });
        for word in 0..words {
            *self.messages.at_mut(to.index()).at_mut(word) = *self.messages.at(sender.index()).at(word);
        }
    }
}
