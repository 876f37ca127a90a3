//! Priorities: a thread of a fixed band becomes more or less urgent.

use beryl_abi::CallError;
use beryl_kernel::{Budget, Place, Sizes, Table, ThreadKind};

use super::{Answer, Index, Model, Outcome, Phase, Reason};

impl<S: Sizes> Model<'_, S> {
    /// A thread of the caller's process gets another priority, and comes behind its new equals wherever it
    /// stands or waits.
    pub fn set_priority(&mut self, me: Index, thread: Index, priority: u32) -> Outcome {
        if thread >= self.threads.len() || self.row(thread).kind == ThreadKind::None {
            return Err(CallError::NoSuchObject);
        }
        if self.row(thread).process != self.row(me).process {
            return Err(CallError::NoSuchObject);
        }
        let Place::Fixed { least, most, .. } = self.row(thread).place else {
            return Err(CallError::OutOfRange);
        };
        if priority < least.into() || priority > most.into() {
            return Err(CallError::OutOfRange);
        }
        if let Some(answer) = self.keep_low(thread, priority as u8) {
            return Ok(Some(answer));
        }
        self.change_priority(thread, priority as u8);
        Ok(Some(Answer::success()))
    }

    /// A thread comes behind its new equals, unless its priority stays.
    pub fn change_priority(&mut self, thread: Index, priority: u8) {
        if self.threads[thread].priority == priority {
            return;
        }
        self.threads[thread].priority = priority;
        self.be_behind_its_equals(thread);
    }

    /// A thread whose urgency has changed comes behind its new equals.
    pub fn be_behind_its_equals(&mut self, thread: Index) {
        if self.threads[thread].turn.is_some() {
            self.enter_band(thread);
        }
        self.wait_anew(thread);
    }

    /// Who is served by urgency comes behind its equals; who is served as it came keeps its turn.
    fn wait_anew(&mut self, thread: Index) {
        let now = self.turn();
        let is_in_order = |mailbox: Index| self.system.mailboxes.at(mailbox).first_come;
        let Phase::Waiting(waiting) = &mut self.threads[thread].phase else { return };
        match waiting.reason {
            Reason::Send(mailbox, _) | Reason::Receive(mailbox, _) if is_in_order(mailbox) => {}
            _ => waiting.since = now,
        }
    }

    /// The threads that wait together with others of the same queue.
    pub fn crowd(&self) -> Vec<Index> {
        let queue = |thread: Index| match self.threads[thread].waiting()?.reason {
            Reason::Semaphore(object) => Some((0, object)),
            Reason::Condition(object, _) => Some((1, object)),
            Reason::Send(object, _) => Some((2, object)),
            Reason::Receive(object, _) => Some((3, object)),
            Reason::Queue(object, ..) => Some((4, object)),
            Reason::Group(object, _) => Some((5, object)),
            _ => None,
        };
        let threads = || (0..self.threads.len()).filter_map(|thread| Some((thread, queue(thread)?)));
        let has_company =
            |of: &(Index, (u8, Index))| threads().filter(|(_, queue)| *queue == of.1).count() > 1;
        threads().filter(has_company).map(|(thread, _)| thread).collect()
    }

    /// The priority of a thread's row; none outside of fixed bands.
    pub fn first_priority(&self, thread: Index) -> u8 {
        match self.row(thread).place {
            Place::Fixed { priority, .. } => priority,
            _ => 0,
        }
    }

    /// The preemption level of a thread's place.
    pub fn level(&self, thread: Index) -> u32 {
        if self.threads[thread].account.is_lowered {
            return Budget::BACKGROUND.into();
        }
        let own = u32::from(self.row(thread).level) + u32::from(self.threads[thread].priority);
        own - u32::from(self.first_priority(thread))
    }
}
