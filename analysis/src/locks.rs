//! Locks of a system, and how long less urgent threads may block more urgent ones by holding them.
//!
//! There are two protocols. A *ceiling* raises its holder above all users at once. Under *inheritance* a
//! waiting thread lends its place to the holder, and a lock that is given back goes to the most urgent
//! waiting thread. In a busy period of some urgency, a less urgent thread runs only inside a lock that an
//! equally urgent thread uses: either it was inside when the period began, or it was waiting for the lock
//! then. After its section it can't go on, so each such thread counts once, with its longest section. Of
//! sections under ceilings only one counts: no other can have begun above it.
//!
//! Before such a period begins, a less urgent thread may have called the kernel, which finishes what it has
//! begun ([`KernelCosts::under_way`](crate::KernelCosts)). That is one thread, the one that ran. If a ceiling
//! blocks, its holder is that thread: any other running thread would be above the ceiling, and so more
//! urgent. The holder's own calls are part of its section's time then, so the longer of the two counts. A
//! lock under inheritance may belong to another thread, or be taken by that very call; both count.
//!
//! Within a dynamic band urgency depends on the window under analysis (Baruah, *Resource sharing in
//! EDF-scheduled systems: a closer look*, 2006): threads with deadlines longer than the window are less
//! urgent. Under inheritance all are, since a thread may be given a lock when it wakes up, before its turn.
//!
//! Sources: Sha, Rajkumar and Lehoczky, *Priority inheritance protocols* (1990), theorem 3; Baker,
//! *Stack-based scheduling of realtime processes* (1991). Their other bound, once for each lock (theorem 4),
//! doesn't hold if a lock is handed to a waiting thread: a user as urgent may hand it to one that isn't.
//!
//! *Safe* if no thread inside a lock waits for anything but another lock, and locks under inheritance nest in
//! the code of one thread at most.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{KernelCosts, Policy, System};
use crate::ticks::{Ticks, TimesTooLarge, sum};

/// A resource that several threads use in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// For messages.
    pub name: String,
    /// The locking protocol.
    pub protocol: Protocol,
    /// The threads that take it.
    pub users: Vec<User>,
}

/// A locking protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The holder is as urgent as the most urgent user.
    #[default]
    Ceiling,
    /// A waiting thread lends its place to the holder.
    Inheritance,
}

/// A user of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// The thread: the same number in all locks.
    pub thread: usize,
    /// How urgent it is; `None` if unknown: then it may have any urgency.
    pub urgency: Option<Urgency>,
    /// How long it may be inside, including nested locks; zero if it only lends its place to others.
    pub hold: Ticks,
}

/// How urgent a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Urgency {
    /// Position of its band; past the last for a thread below all bands.
    pub band: usize,
    /// In a fixed band: higher is more urgent.
    pub priority: u32,
    /// In a dynamic band: its shortest deadline from a release.
    pub shortest: Ticks,
    /// In a dynamic band: its longest.
    pub longest: Ticks,
}

impl System {
    /// The longest blocking of any task in any window: by less urgent threads inside locks, and by the kernel
    /// working for them.
    ///
    /// # Errors
    /// If times are too large to compute with.
    pub fn longest_blocking(&self) -> Result<Ticks, TimesTooLarge> {
        Ok(Blocking::with(self, self.costs)?.iter().map(Blocking::most).max().unwrap_or(Ticks::ZERO))
    }
}

/// Blocking of the tasks of one band.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blocking {
    /// By task. In a dynamic band: in the window of its own deadline.
    pub(crate) of_tasks: Vec<Ticks>,
    /// The part of it due to locks.
    pub(crate) by_locks: Vec<Ticks>,
    /// In a dynamic band: blocking as a step function of the window, in order.
    steps: Vec<(Ticks, Ticks)>,
}

impl Blocking {
    /// No blocking.
    pub(crate) const NONE: Blocking =
        Blocking { of_tasks: Vec::new(), by_locks: Vec::new(), steps: Vec::new() };

    /// By band.
    pub(crate) fn of(system: &System) -> Result<Vec<Blocking>, TimesTooLarge> {
        let by_locks = Self::with(system, KernelCosts::default())?;
        let all = Self::with(system, system.costs)?;
        let rows = all.into_iter().zip(by_locks);
        Ok(rows.map(|(all, by_locks)| Blocking { by_locks: by_locks.of_tasks, ..all }).collect())
    }

    /// The same, with these costs for the kernel's work for less urgent threads.
    fn with(system: &System, costs: KernelCosts) -> Result<Vec<Blocking>, TimesTooLarge> {
        let locks = Locks { all: &system.locks, costs };
        let bands = system.bands.iter().enumerate();
        bands
            .map(|(index, band)| {
                let steps = match band.policy {
                    Policy::Dynamic => locks.steps(index)?,
                    Policy::Fixed => Vec::new(),
                };
                let mut blocking = Blocking { steps, ..Blocking::NONE };
                for task in &band.tasks {
                    let most = match band.policy {
                        Policy::Dynamic => blocking.within(task.deadline),
                        Policy::Fixed => locks.held_up(index, Level::Priority(task.priority))?,
                    };
                    blocking.of_tasks.push(most);
                }
                Ok(blocking)
            })
            .collect()
    }

    /// Whether any blocking is due to locks.
    pub(crate) fn is_by_locks(&self) -> bool {
        self.by_locks.iter().any(|time| *time > Ticks::ZERO)
    }

    /// The blocking of a task.
    pub(crate) fn of_task(&self, task: usize) -> Ticks {
        self.of_tasks.get(task).copied().unwrap_or(Ticks::ZERO)
    }

    /// The blocking in a window of a dynamic band.
    pub(crate) fn within(&self, window: Ticks) -> Ticks {
        let behind = self.steps.partition_point(|(from, _)| *from <= window);
        behind.checked_sub(1).map_or(Ticks::ZERO, |step| self.steps[step].1)
    }

    /// The most in windows between two lengths.
    pub(crate) fn most_between(&self, from: Ticks, to: Ticks) -> Ticks {
        let inside = self.steps.iter().filter(|(step, _)| *step > from && *step <= to);
        inside.map(|(_, most)| *most).fold(self.within(from), Ticks::max)
    }

    /// The most in any window or for any task.
    pub(crate) fn most(&self) -> Ticks {
        let steps = self.steps.iter().map(|(_, most)| *most);
        steps.chain(self.of_tasks.iter().copied()).max().unwrap_or(Ticks::ZERO)
    }

    /// The windows at which the blocking changes.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Ticks> {
        self.steps.iter().map(|(from, _)| *from)
    }
}

/// How long less urgent work may keep a thread of a fixed band waiting, with these costs for what the kernel does for it.
pub(crate) fn in_the_way(
    system: &System,
    costs: KernelCosts,
    band: usize,
    priority: u32,
) -> Result<Ticks, TimesTooLarge> {
    Locks { all: &system.locks, costs }.held_up(band, Level::Priority(priority))
}

/// The urgency within a band that the analysis is for.
#[derive(Clone, Copy)]
enum Level {
    Priority(u32),
    Window(Ticks),
}

/// The longest section of a thread under either protocol.
#[derive(Default)]
struct Longest {
    ceiling: Ticks,
    inheritance: Ticks,
}

/// The locks, and the kernel's costs when a job's turn comes.
struct Locks<'a> {
    all: &'a [Lock],
    costs: KernelCosts,
}

impl Locks<'_> {
    fn steps(&self, band: usize) -> Result<Vec<(Ticks, Ticks)>, TimesTooLarge> {
        let members = self.all.iter().flat_map(|lock| &lock.users).filter_map(|user| user.urgency);
        let members = members.filter(|urgency| urgency.band == band);
        let windows = members.flat_map(|urgency| [urgency.shortest, urgency.longest]);
        let windows: BTreeSet<Ticks> = windows.chain([Ticks::ZERO]).collect();
        let mut steps: Vec<(Ticks, Ticks)> = Vec::new();
        for window in windows {
            let most = self.held_up(band, Level::Window(window))?;
            if steps.last().map_or(Ticks::ZERO, |(_, before)| *before) != most {
                steps.push((window, most));
            }
        }
        Ok(steps)
    }

    fn held_up(&self, band: usize, level: Level) -> Result<Ticks, TimesTooLarge> {
        let mut longest: BTreeMap<usize, Longest> = BTreeMap::new();
        for (index, lock) in self.all.iter().enumerate() {
            for holder in lock.users.iter().filter(|user| user.may_be_less(band, level, lock.protocol)) {
                if !reached(self.all, holder.thread, band, level).contains(&index) {
                    continue;
                }
                let known = longest.entry(holder.thread).or_default();
                let known = match lock.protocol {
                    Protocol::Ceiling => &mut known.ceiling,
                    Protocol::Inheritance => &mut known.inheritance,
                };
                *known = holder.hold.max(*known);
            }
        }
        let lent: Ticks = sum(longest.values().map(|of| Ok::<_, TimesTooLarge>(of.inheritance)))?;
        // A thread is in one section of either kind; nested ones are part of the longer one's time.
        let raised = longest.values().map(|of| of.ceiling.less(of.inheritance));
        lent.plus(raised.fold(self.costs.under_way, Ticks::max))?.plus(self.costs.timers)
    }
}

/// The locks in which `holder` would block: those that another thread as urgent uses, and under inheritance
/// those on which a holder of such a lock may wait.
fn reached(locks: &[Lock], holder: usize, band: usize, level: Level) -> BTreeSet<usize> {
    let others = |lock: &Lock| {
        lock.users.iter().copied().filter(move |user| user.thread != holder).collect::<Vec<_>>()
    };
    let is_direct = |lock: &Lock| others(lock).iter().any(|user| user.may_be_as(band, level));
    let direct = locks.iter().enumerate().filter(|(_, lock)| is_direct(lock)).map(|(index, _)| index);
    let mut reached: BTreeSet<usize> = direct.collect();
    for _ in locks {
        let inside = |user: &User| {
            let of = |lock: &&usize| {
                let lock = &locks[**lock];
                lock.protocol == Protocol::Inheritance
                    && lock.users.iter().any(|other| other.thread == user.thread)
            };
            reached.iter().any(|lock| of(&lock))
        };
        let more = locks.iter().enumerate().filter(|(_, lock)| lock.protocol == Protocol::Inheritance);
        let more = more.filter(|(_, lock)| others(lock).iter().any(inside)).map(|(index, _)| index);
        let more: Vec<usize> = more.collect();
        reached.extend(more);
    }
    reached
}

impl User {
    /// Whether it may be as urgent.
    fn may_be_as(&self, band: usize, level: Level) -> bool {
        let Some(own) = self.urgency else { return true };
        let within = match level {
            Level::Priority(priority) => own.priority >= priority,
            Level::Window(window) => own.shortest <= window,
        };
        own.band < band || own.band == band && within
    }

    /// Whether it may be less urgent.
    fn may_be_less(&self, band: usize, level: Level, protocol: Protocol) -> bool {
        let Some(own) = self.urgency else { return true };
        let within = match level {
            Level::Priority(priority) => own.priority < priority,
            Level::Window(window) => protocol == Protocol::Inheritance || own.longest > window,
        };
        own.band > band || own.band == band && within
    }
}
