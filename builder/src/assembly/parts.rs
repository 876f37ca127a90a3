//! What a system needs of the kernel: its parts, and how much room some of them take.

use beryl_abi::{Duration, ThreadId};
use beryl_kernel::{Followed, Held, Rule};
use beryl_timing::Element;

use super::objects::State;
use super::{Assembly, OnOverrun, Port, Reaction, Role, Thread};
use crate::description::{Use, Waits};

impl Assembly {
    /// The most triggers on anything but time at one time: one for each asynchronous task. If there are such tasks, or
    /// ports that programs may look at, there is also one for each slot.
    #[must_use]
    pub fn event_triggers(&self) -> usize {
        match self.asynchronous.len() + self.ports.len() {
            0 => 0,
            _ => self.asynchronous.len() + self.objects.slots.len(),
        }
    }

    /// What a port holds as the kernel compares it: a single value of up to four bytes is a number, anything else is bytes.
    #[must_use]
    pub fn held(&self, port: &Port) -> Held {
        let kind = &self.cells.get(port.cell).kind;
        match (kind.size(), matches!(kind.element, Element::Basic(_)) && kind.length.is_none()) {
            (1, true) => Held::Byte,
            (2, true) => Held::Half,
            (4, true) => Held::Word,
            (size, _) => Held::Bytes(u8::try_from(size).unwrap_or(u8::MAX)),
        }
    }

    /// The words of the longest port that is looked at and is no number; none if all are.
    #[must_use]
    pub fn longest_port(&self) -> usize {
        let words = self.ports.iter().filter_map(|port| {
            // Cells begin at whole words, and parts of them where their offsets say.
            let address = self.cells.get(port.cell).offset;
            match self.held(port) {
                holds @ Held::Bytes(_) => Some(beryl_kernel::Port { address, holds }.words()),
                Held::Byte | Held::Half | Held::Word => None,
            }
        });
        words.max().unwrap_or(0)
    }

    /// Whether some task's reaction is more than to stop its job. Then programs have handlers, or ask which task was
    /// late.
    #[must_use]
    pub fn has_reactions(&self) -> bool {
        self.tasks().any(|(_, task)| task.reaction != Reaction::default())
    }

    /// Whether some thread has a budget: its `worst`, or one that comes back every period.
    #[must_use]
    pub fn has_budgets(&self) -> bool {
        self.threads.iter().any(|thread| thread.on_overrun != OnOverrun::Counts || thread.budget.is_some())
            || self.has_policed()
    }

    /// Whether some thread is stopped if it stays inside a lock for too long, or takes too long for a request.
    #[must_use]
    pub fn has_policed(&self) -> bool {
        self.threads.iter().any(|thread| self.is_policed(thread) || self.has_to_answer(thread))
    }

    /// Whether a thread is stopped if it stays inside a lock for too long, and uses one.
    #[must_use]
    pub fn is_policed(&self, thread: &Thread) -> bool {
        thread.is_policed && self.longest_inside(thread) > Duration::ZERO
    }

    /// Whether a thread is stopped if it takes too long for a request, and serves any.
    #[must_use]
    pub fn has_to_answer(&self, thread: &Thread) -> bool {
        thread.is_policed && self.longest_answer(thread) > Duration::ZERO
    }

    /// How long each thread may keep others out; zero if nobody polices that. Nothing if nobody polices any.
    #[must_use]
    pub fn policed(&self) -> Vec<Duration> {
        self.of_policed(|thread| self.longest_inside(thread))
    }

    /// The same of how long each may work for a request.
    #[must_use]
    pub fn answering(&self) -> Vec<Duration> {
        self.of_policed(|thread| self.longest_answer(thread))
    }

    fn of_policed(&self, hold: impl Fn(&Thread) -> Duration) -> Vec<Duration> {
        let enforced = |thread: &Thread| if thread.is_policed { hold(thread) } else { Duration::ZERO };
        let all: Vec<Duration> = self.threads.iter().map(enforced).collect();
        if all.iter().any(|hold| *hold > Duration::ZERO) { all } else { Vec::new() }
    }

    /// Whether some budget comes back by another rule than the deferrable one.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.threads.iter().filter_map(|thread| thread.budget).any(|budget| budget.rule != Rule::Deferrable)
    }

    /// Whether some budget is one of constant bandwidth.
    #[must_use]
    pub fn has_bandwidth(&self) -> bool {
        self.threads.iter().filter_map(|thread| thread.budget).any(|budget| budget.is_bandwidth())
    }

    /// Whether some thread mayn't wait for all that it likes.
    #[must_use]
    pub fn has_prompt(&self) -> bool {
        self.threads.iter().any(Thread::is_prompt)
    }

    /// What each thread may wait for; nothing if all do as they like.
    #[must_use]
    pub fn waits(&self) -> Vec<Waits> {
        let threads = self.threads.iter().filter(|_| self.has_prompt());
        threads.map(|thread| thread.waits).collect()
    }

    /// Whether some budget is shared.
    #[must_use]
    pub fn has_pools(&self) -> bool {
        self.threads.iter().any(Thread::is_purse)
    }

    /// The threads that share a budget, with their numbers.
    pub fn pool(&self, shared: usize) -> impl Iterator<Item = (usize, &Thread)> {
        let pays =
            move |thread: &Thread| thread.budget?.pool.filter(|pool| pool.shared == shared).map(|_| ());
        self.threads.iter().enumerate().filter(move |(_, thread)| pays(thread).is_some())
    }

    /// All who pay from a thread's budget: mostly the thread alone.
    #[must_use]
    pub fn payers<'a>(&'a self, thread: &'a Thread) -> Vec<&'a Thread> {
        match thread.budget.and_then(|budget| budget.pool) {
            Some(pool) => self.pool(pool.shared).map(|(_, member)| member).collect(),
            None => vec![thread],
        }
    }

    /// Whether some place may be in the background.
    #[must_use]
    pub fn has_background(&self) -> bool {
        self.threads.iter().any(Thread::is_ever_lowered)
    }

    /// Whether something has a gate.
    #[must_use]
    pub fn has_gates(&self) -> bool {
        !self.objects.gates.is_empty()
    }

    /// Whether some process begins anew after a fault.
    #[must_use]
    pub fn has_restarts(&self) -> bool {
        self.processes.iter().any(|process| process.restarts.is_some())
    }

    /// Whether a thread uses floating point in hardware: those of a process that is compiled for it, but not who waits when
    /// nothing runs.
    #[must_use]
    pub fn is_floating(&self, thread: &Thread) -> bool {
        !matches!(thread.role, Role::Idle)
            && self.processes.get(thread.process).is_some_and(|row| row.is_floating)
    }

    /// How many threads do.
    #[must_use]
    pub fn floating(&self) -> usize {
        self.threads.iter().filter(|thread| self.is_floating(thread)).count()
    }

    /// Whether some process can be replaced.
    #[must_use]
    pub fn has_replaceable(&self) -> bool {
        !self.objects.replaceable.is_empty()
    }

    /// The state messages that are told in the trace, by their writers.
    #[must_use]
    pub fn followed(&self) -> Vec<Followed> {
        let traced = self.objects.states.iter().filter(|row| row.is_traced);
        let of = |row: &State| {
            Some(Followed { writer: ThreadId(u8::try_from(row.writer).ok()?), message: row.id? })
        };
        let mut followed: Vec<Followed> = traced.filter_map(of).collect();
        followed.sort_by_key(|row| row.writer);
        followed
    }

    /// The most of them that one thread writes.
    #[must_use]
    pub fn most_followed(&self) -> usize {
        let followed = self.followed();
        followed.chunk_by(|one, next| one.writer == next.writer).map(<[_]>::len).max().unwrap_or(0)
    }

    /// How many events the largest journal has room for; 0 if there is none.
    #[must_use]
    pub fn largest_journal(&self) -> u32 {
        self.processes.iter().map(|process| process.journal).max().unwrap_or(0)
    }

    /// The ceiling that a thread takes for a critical section of its process: 0 if that keeps nobody out, none if it may
    /// enter none. A process that is a single thread needs no lock for that.
    #[must_use]
    pub fn section_ceiling(&self, thread: &Thread) -> Option<u8> {
        let applications = |row: &&Thread| row.role.is_applications();
        let process = self.processes.get(thread.process)?;
        match process.critical_section {
            Some(lock) if thread.uses.contains(&Use::Lock(lock)) => Some(self.objects.locks[lock].ceiling),
            Some(_) => None,
            None => {
                let is_alone = process.driver_thread.is_none()
                    && self.threads_of(thread.process).filter(applications).count() == 1;
                (is_alone && thread.role.is_applications()).then_some(0)
            }
        }
    }
}
