//! A reference model of threads and of the objects that they wait for, in the plainest code.
//!
//! It keeps no queues, links or timers: who owns what, and who waits for what since when, is all
//! there is. Whenever somebody has to be chosen it looks at everybody.

#![allow(dead_code, reason = "each test binary uses a part of it")]

mod addresses;
mod answers;
pub mod budgets;
mod calls;
mod ceilings;
mod conditions;
mod decision;
mod endpoints;
mod event_groups;
mod invariants;
mod mailboxes;
mod notifications;
mod periods;
mod priorities;
mod reports;
mod restarts;
pub mod rights;
mod rules;
mod sections;
mod semaphores;
mod stopping;
mod tasks;
mod threads;
mod watchdogs;
mod windows;

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::{CallError, ThreadId};
use beryl_kernel::{SemaphoreKind, Sizes, System, Table, Thread as Row, ThreadKind};

pub use threads::{Phase, Reason, Thread, Waiting};

/// Whoever or whatever is meant, by its position in a table.
pub type Index = usize;
/// An instant or a duration in ticks.
pub type Ticks = u64;

/// What a call returns: its status, and the values that it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    pub status: u32,
    pub values: Vec<u32>,
}

/// What becomes of a call: its answer, or nothing yet.
pub type Outcome = Result<Option<Answer>, CallError>;

/// A semaphore: the units of a counting one; the owner of a binary one, unless the user's word knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Semaphore {
    pub owner: Option<Index>,
    pub died: bool,
    pub units: u16,
}

/// A system under way.
#[derive(Clone)]
pub struct Model<'a, S: Sizes> {
    pub system: &'a System<S>,
    pub threads: Vec<Thread>,
    pub semaphores: Vec<Semaphore>,
    /// The messages of each mailbox, the oldest first.
    pub mailboxes: Vec<Vec<Vec<u32>>>,
    /// Who is being served by each endpoint's server: a client, or one that has stopped.
    pub serving: Vec<Option<Option<Index>>>,
    /// Servers of several endpoints that have lost one of their clients: they have their own places, whoever else they
    /// serve, until the next request.
    pub alone: BTreeSet<Index>,
    /// The bits of each event group.
    pub event_groups: Vec<u32>,
    /// Memory of threads; words that nobody wrote are zero.
    pub memory: BTreeMap<u32, u32>,
    pub unmasked: BTreeSet<u16>,
    pub now: Ticks,
    pub running: Index,
    /// The preempted threads that are raised, the last one last.
    pub raised: Vec<Index>,
    /// How much longer each raised thread may go on that has kept somebody out.
    pub sections: BTreeMap<Index, i64>,
    /// How much longer each server that is policed may work for the request that it has.
    pub answers: BTreeMap<Index, i64>,
    /// How many didn't answer in time, and how many slept instead.
    pub late_answers: usize,
    /// How often a deadline of constant bandwidth was put off, how often while its place was lent, and how often one was kept
    /// when somebody woke.
    pub put_off: usize,
    pub put_off_while_lent: usize,
    pub kept: usize,
    pub slept_over_requests: usize,
    /// Who owns semaphores for which others wait.
    pub wanted: BTreeSet<Index>,
    /// How many have gone on for too long, and how many have slept meanwhile.
    pub overdue: usize,
    pub slept: usize,
    /// The place in which the running thread runs, and until when that is charged.
    pub payer: Option<Index>,
    pub charged: Ticks,
    /// The tasks that are released periodically: period, and the next instant.
    pub tasks: Vec<(Index, Ticks, Ticks)>,
    /// What has happened and wasn't fetched: how often, and when last. And what of it has yet to be sent.
    pub reports: BTreeMap<u8, (u16, Ticks)>,
    pub unsent: Vec<u8>,
    /// What each thread has no right to and asked for.
    pub lacks: Vec<rights::Lacks>,
    /// How many reports were fetched.
    pub heard: usize,
    /// When each watchdog bites that watches, and how often one has bitten.
    pub watched: BTreeMap<Index, Ticks>,
    pub bites: usize,
    /// The open window, and where it ends.
    pub window: (Index, Ticks),
    /// When each process began anew after a fault.
    pub restarts: BTreeMap<Index, Vec<Ticks>>,
    /// Counts whoever comes anywhere: for first come, first served.
    turns: u64,
}

impl<'a, S: Sizes> Model<'a, S> {
    /// The state in which a system starts whose system code releases these tasks, each with its period.
    pub fn new(system: &'a System<S>, tasks: &[(Index, Ticks)]) -> Model<'a, S> {
        let rows = 0..S::Semaphores::LENGTH;
        let semaphores = rows.map(|index| match system.semaphores.at(index).kind {
            SemaphoreKind::Binary { .. } => Semaphore { owner: None, died: false, units: 0 },
            SemaphoreKind::Counting { initial, .. } => Semaphore { owner: None, died: false, units: initial },
        });
        let interrupts = (0..S::Interrupts::LENGTH).map(|index| *system.interrupts.at(index));
        let mut model = Model {
            system,
            threads: (0..S::Threads::LENGTH).map(|_| Thread::dormant()).collect(),
            semaphores: semaphores.collect(),
            mailboxes: vec![Vec::new(); S::Mailboxes::LENGTH],
            serving: vec![None; S::Endpoints::LENGTH],
            alone: BTreeSet::new(),
            event_groups: vec![0; S::EventGroups::LENGTH],
            memory: BTreeMap::new(),
            unmasked: interrupts.filter(|row| row.thread.is_some()).map(|row| row.line.0).collect(),
            now: 0,
            running: 0,
            raised: Vec::new(),
            sections: BTreeMap::new(),
            answers: BTreeMap::new(),
            late_answers: 0,
            put_off: 0,
            put_off_while_lent: 0,
            kept: 0,
            slept_over_requests: 0,
            wanted: BTreeSet::new(),
            overdue: 0,
            slept: 0,
            payer: None,
            charged: 0,
            tasks: tasks.iter().map(|(task, period)| (*task, *period, 0)).collect(),
            reports: BTreeMap::new(),
            unsent: Vec::new(),
            lacks: vec![(0, None); S::Threads::LENGTH],
            heard: 0,
            watched: BTreeMap::new(),
            bites: 0,
            window: (0, 0),
            restarts: BTreeMap::new(),
            turns: 0,
        };
        (0..S::Threads::LENGTH).for_each(|thread| model.begin(thread));
        model.time_passes(0);
        model
    }

    /// A thread as it is at the start.
    fn begin(&mut self, thread: Index) {
        let row = *self.row(thread);
        self.threads[thread].priority = self.first_priority(thread);
        self.begin_account(thread);
        match row.kind {
            ThreadKind::Free | ThreadKind::Idle => {
                self.threads[thread].deadline = row.deadline.ticks();
                self.enter_band(thread);
                self.threads[thread].phase = Phase::Ready;
            }
            ThreadKind::Periodic => {
                self.threads[thread].release = Some(row.offset.ticks());
                let since = self.turn();
                self.threads[thread].phase =
                    Phase::Waiting(Waiting { reason: Reason::Period, since, until: None, then: None });
            }
            ThreadKind::None | ThreadKind::Task | ThreadKind::Drivers => {}
        }
        if row.kind == ThreadKind::Idle {
            self.running = thread;
        }
    }

    pub fn row(&self, thread: Index) -> &Row {
        self.system.threads.at(thread)
    }

    pub fn word(&self, address: u32) -> u32 {
        self.memory.get(&address).copied().unwrap_or_default()
    }

    /// The next number for first come, first served.
    fn turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }

    fn indices(&self) -> std::ops::Range<Index> {
        0..self.threads.len()
    }

    /// Whether a thread's process is one of these.
    fn may_name(&self, thread: Index, processes: u32) -> bool {
        processes >> self.row(thread).process.0 & 1 == 1
    }
}

/// A thread's position.
pub fn index(thread: ThreadId) -> Index {
    thread.index()
}

impl Answer {
    /// An answer without values.
    pub fn status(status: u32) -> Answer {
        Answer { status, values: Vec::new() }
    }

    /// A success with values.
    pub fn values(values: Vec<u32>) -> Answer {
        Answer { status: beryl_abi::call::SUCCESS, values }
    }

    /// A success.
    pub fn success() -> Answer {
        Answer::values(Vec::new())
    }
}
