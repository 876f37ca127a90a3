//! Threads: how they begin to wait, and go on.

use beryl_kernel::{Place, Rule, Sizes, ThreadKind};

use super::budgets::Account;
use super::event_groups::Want;
use super::{Answer, Index, Model, Ticks};

/// What changes of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    pub phase: Phase,
    /// When its place came into its band, if it is there.
    pub turn: Option<u64>,
    /// At whom its place is parked, and since when.
    pub parked: Option<(Index, u64)>,
    pub deadline: Ticks,
    /// How urgent it is in a fixed band.
    pub priority: u8,
    /// The bits of its notification that are set.
    pub bits: u32,
    /// Releases that came while it was at work.
    pub missed: u32,
    /// When a periodic thread is released next.
    pub release: Option<Ticks>,
    /// When it was to be released next as it was stopped.
    pub last_release: Ticks,
    /// What its call returns when it runs next.
    pub answer: Option<Answer>,
    /// What its place has of processor time.
    pub account: Account,
}

/// Where a thread is in its life.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    Dormant,
    Ready,
    Waiting(Waiting),
    Stopped,
    /// A task whose job was ended, which its program doesn't know.
    Spent,
}

/// A wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    pub reason: Reason,
    pub since: u64,
    /// When it has waited long enough.
    pub until: Option<Ticks>,
    /// The semaphore that it shall own when it returns.
    pub then: Option<Index>,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Period,
    Time,
    Bits(u32),
    Semaphore(Index),
    /// A condition; the level that was lowered for it.
    Condition(Index, Option<u32>),
    /// Room for a short message, or for a long one at an address.
    Send(Index, Result<Vec<u32>, u32>),
    /// A message, and where a long one goes.
    Receive(Index, u32),
    /// To be served: the request or its address, and where the reply goes.
    Queue(Index, Result<Vec<u32>, u32>, u32),
    /// The reply, and where it goes.
    Reply(Index, u32),
    /// A request, and where it goes.
    Request(Index, u32),
    /// Bits of an event group.
    Group(Index, Want),
}

impl Thread {
    pub fn dormant() -> Thread {
        Thread {
            phase: Phase::Dormant,
            turn: None,
            parked: None,
            deadline: 0,
            priority: 0,
            bits: 0,
            missed: 0,
            release: None,
            last_release: 0,
            answer: None,
            account: Account::none(),
        }
    }

    /// Its wait, if it waits.
    pub fn waiting(&self) -> Option<&Waiting> {
        match &self.phase {
            Phase::Waiting(waiting) => Some(waiting),
            _ => None,
        }
    }
}

impl<S: Sizes> Model<'_, S> {
    /// Its place goes into its band, behind its equals.
    pub fn enter_band(&mut self, thread: Index) {
        self.threads[thread].parked = None;
        self.threads[thread].turn = Some(self.turn());
    }

    pub fn leave_band(&mut self, thread: Index) {
        self.threads[thread].parked = None;
        self.threads[thread].turn = None;
    }

    /// A thread begins to wait. For a lock its place stays where it is.
    pub fn wait(&mut self, thread: Index, reason: Reason, until: Option<Ticks>, then: Option<Index>) {
        let since = self.turn();
        self.threads[thread].phase = Phase::Waiting(Waiting { reason, since, until, then });
        if until.is_some() {
            self.charge();
            self.charge_for_waking(thread);
        }
        if self.lender_to(thread).is_none() {
            self.leave_band(thread);
        }
    }

    /// What a thread waited for has happened: now it wants the semaphore that it asked for, too.
    pub fn wake(&mut self, thread: Index, answer: Answer) {
        let Some(waiting) = self.threads[thread].waiting().cloned() else { return };
        let lent = self.lender_to(thread).is_some();
        self.threads[thread].answer = Some(answer);
        self.threads[thread].phase = Phase::Ready;
        if let Reason::Condition(_, Some(level)) = waiting.reason {
            self.memory.insert(self.row(thread).words, level);
        }
        if !lent {
            self.want_from_now_on(thread);
        }
        if !lent && !self.is_guest(thread) {
            self.return_to_band(thread);
        }
        self.bring_back(thread);
        if let Some(semaphore) = waiting.then {
            self.take_next(thread, semaphore);
        }
    }

    /// Its place goes into its band after a wait for something else than a lock: a free thread of a
    /// dynamic band has its deadline from now on.
    pub fn return_to_band(&mut self, thread: Index) {
        let row = self.row(thread);
        if let (ThreadKind::Free, Place::Dynamic { .. }) = (row.kind, row.place)
            && self.rule(thread) != Rule::ConstantBandwidth
        {
            self.threads[thread].deadline = self.now.saturating_add(row.deadline.ticks());
        }
        self.enter_band(thread);
    }

    /// Places that were parked go back, the first to be parked first.
    pub fn bring_back(&mut self, thread: Index) {
        let mut parked: Vec<_> = self
            .indices()
            .filter_map(|index| self.threads[index].parked.map(|(at, since)| (at, since, index)))
            .filter(|(at, ..)| *at == thread)
            .collect();
        parked.sort();
        for (.., index) in parked {
            self.date(index);
            self.arrive(index);
            self.enter_band(index);
        }
    }
}
