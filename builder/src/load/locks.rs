//! Locks in the terms of the analysis: ceiling locks, binary semaphores, and servers. A call holds its server as
//! if that were a lock.
//!
//! A server works in its client's place, or in its own if that is more urgent. What it does for a call, from one
//! answer to the next, is part of the client's execution time. After its last answer it may go on in its own
//! place. That delays others once at most, whichever client it worked for.

use beryl_analysis::{Lock, Protocol, Ticks, Urgency, User};

use crate::assembly::{Assembly, Policy, Role, Thread, Use, lenders};
use crate::costs::Costed;

/// All locks that several threads use, each thread as urgent as `urgency` says.
pub(super) fn locks(costed: &Costed, urgency: impl Fn(usize) -> Option<Urgency>) -> Vec<Lock> {
    let view = View { costed, urgency: &urgency };
    let objects = &costed.assembly.objects;
    let ceilings = objects.locks.iter().enumerate().map(|(index, row)| view.ceiling(index, &row.name));
    let owned = objects.semaphores.iter().enumerate();
    let owned = owned.filter(|(index, _)| lenders::has_owner(&costed.assembly, *index));
    let owned = owned.map(|(index, row)| view.semaphore(index, &row.name));
    let served = objects.endpoints.iter().enumerate().map(|(index, row)| view.endpoint(index, &row.name));
    ceilings.chain(owned).chain(served).filter(|lock| lock.users.len() > 1).collect()
}

/// The longest section of a thread that may go on in a place that is lent to it, in ticks, with what follows.
pub(super) fn longest_lent(costed: &Costed, thread: &Thread) -> u64 {
    let view = View { costed, urgency: &|_| None };
    let is_lent = |used: &Use| match *used {
        Use::Semaphore(index) => lenders::has_owner(&costed.assembly, index),
        Use::Call(_) => true,
        _ => false,
    };
    let holds = thread.uses.iter().filter(|used| is_lent(used)).filter_map(|used| view.hold(thread, *used));
    holds.max().map_or(0, |hold| hold.saturating_add(costed.costs.end_of_section(true)))
}

struct View<'a, F> {
    costed: &'a Costed,
    urgency: &'a F,
}

impl<F: Fn(usize) -> Option<Urgency>> View<'_, F> {
    fn ceiling(&self, index: usize, name: &str) -> Lock {
        let assembly = &self.costed.assembly;
        // A call follows if a thread has been kept waiting.
        let mut users = self.users(Use::Lock(index), false);
        if users.len() > 1 {
            let lending: Vec<_> = users.iter().flat_map(|user| lenders::of(assembly, user.thread)).collect();
            users.extend(lending.into_iter().map(|thread| self.user(thread, Ticks::ZERO)));
        }
        Lock { name: name.to_owned(), protocol: Protocol::Ceiling, users }
    }

    fn semaphore(&self, index: usize, name: &str) -> Lock {
        // A call passes it on. The steps of waiting are part of the time of the thread that waits.
        let users = self.users(Use::Semaphore(index), true);
        Lock { name: name.to_owned(), protocol: Protocol::Inheritance, users }
    }

    fn endpoint(&self, index: usize, name: &str) -> Lock {
        let mut users = self.users(Use::Call(index), true);
        let longest = users.iter().map(|user| user.hold).max().unwrap_or(Ticks::ZERO);
        for server in lenders::users(&self.costed.assembly, Use::Serve(index)) {
            users.push(self.user(server, Ticks::ZERO));
            let below = Urgency { band: usize::MAX, ..Urgency::default() };
            let thread = server.saturating_add(self.costed.assembly.threads.len());
            users.push(User { thread, urgency: Some(below), hold: longest });
        }
        Lock { name: name.to_owned(), protocol: Protocol::Inheritance, users }
    }

    fn users(&self, used: Use, is_lent: bool) -> Vec<User> {
        let assembly = &self.costed.assembly;
        let kernel = self.costed.costs.end_of_section(is_lent);
        let user = |thread: usize| {
            // Where no time is described it counts as none; `unproved` says whose proof that spoils.
            let hold = assembly.threads.get(thread).and_then(|row| self.hold(row, used));
            let hold = hold.map_or(0, |hold| hold.saturating_add(kernel));
            self.user(thread, Ticks::new(hold))
        };
        let users: Vec<_> = lenders::users(assembly, used).into_iter().map(user).collect();
        let lowered = users.iter().filter(|_| users.len() > 1).filter_map(|user| self.lowered(user));
        users.iter().cloned().chain(lowered).collect()
    }

    /// How long a user holds something. The kernel doesn't know which lock raises a thread, and counts once for all that it
    /// is inside of: one that is policed may stay inside each as long as inside any, and until that is found.
    fn hold(&self, thread: &Thread, used: Use) -> Option<u64> {
        let own = self.costed.assembly.hold(thread, used)?.ticks();
        match used {
            Use::Lock(_) | Use::Semaphore(_) if thread.is_policed => {
                let longest = self.costed.enforced(self.costed.assembly.longest_inside(thread));
                Some(longest.max(own).saturating_add(self.costed.end_of_policed(thread)))
            }
            Use::Call(index) => Some(own.max(self.answered(index))),
            _ => Some(own),
        }
    }

    /// How long a server that is policed may work for a request, whatever is said of its clients, and until that is found;
    /// nothing of one that isn't.
    fn answered(&self, endpoint: usize) -> u64 {
        let assembly = &self.costed.assembly;
        let server =
            assembly.objects.endpoints.get(endpoint).and_then(|row| assembly.threads.get(row.server));
        let Some(server) = server.filter(|server| assembly.has_to_answer(server)) else { return 0 };
        let answer = self.costed.enforced(assembly.longest_answer(server));
        answer.saturating_add(self.costed.end_of_policed(server))
    }

    /// A user whose place may be in the background, as it is there: as if that were another thread.
    fn lowered(&self, user: &User) -> Option<User> {
        let threads = &self.costed.assembly.threads;
        let below = Urgency { band: usize::MAX, ..Urgency::default() };
        let thread = user.thread.saturating_add(threads.len().saturating_mul(2));
        threads.get(user.thread).filter(|row| row.is_ever_lowered()).map(|_| User {
            thread,
            urgency: Some(below),
            hold: user.hold,
        })
    }

    fn user(&self, thread: usize, hold: Ticks) -> User {
        User { thread, urgency: (self.urgency)(thread), hold }
    }
}

/// How urgent a thread is in its place, in a system with only those bands that `kept` keeps.
pub(super) fn urgency(assembly: &Assembly, kept: &[usize], index: usize) -> Option<Urgency> {
    let thread = assembly.threads.get(index)?;
    let band = kept.iter().filter(|band| **band < thread.band).count();
    if !kept.contains(&thread.band) {
        // Between two of them: above all of the second.
        return Some(Urgency { band, priority: u32::MAX, ..Urgency::default() });
    }
    let (shortest, longest) = match assembly.bands.get(thread.band)?.policy {
        Policy::Fixed => (Ticks::ZERO, Ticks::ZERO),
        Policy::Dynamic { .. } | Policy::Code { .. } => deadlines(thread),
    };
    Some(Urgency { band, priority: thread.most().into(), shortest, longest })
}

/// The shortest and the longest deadline of a thread's jobs, as the analysis counts them.
fn deadlines(thread: &Thread) -> (Ticks, Ticks) {
    let ticks = |duration: beryl_abi::Duration| Ticks::new(duration.ticks());
    match &thread.role {
        Role::Task(task) => (ticks(task.due(task.logical)), ticks(task.due(task.longest))),
        Role::Periodic(times) => (ticks(times.deadline), ticks(times.deadline)),
        Role::Free { deadline, sporadic: Some(times), .. } => {
            let due = deadline.unwrap_or(times.separation).min(times.separation);
            (ticks(due), ticks(due))
        }
        // What is left of a budget may be due at once, and what is used inside a section may be put off.
        Role::Free { .. } if thread.has_bandwidth() => (Ticks::ZERO, Ticks::new(u64::MAX)),
        Role::Free { deadline, .. } => {
            let due = deadline.map_or(Ticks::ZERO, ticks);
            (due, due)
        }
        Role::Drivers | Role::Idle => (Ticks::ZERO, Ticks::ZERO),
    }
}
