//! Locks of a system, and how long what is less urgent may hold up who is more urgent because it is inside of one.
//!
//! Two protocols: a *ceiling* raises its holder above all users at once; under *inheritance* who waits lends its place
//! to the holder, and a lock that is given back goes to the most urgent that waits. In a busy period of some urgency,
//! whoever is less urgent runs only inside a lock that somebody as urgent uses: there it was when the period began, or
//! it waited for the lock then. Behind its section it can't run on, so each such thread counts once, with its longest
//! section. Of sections under ceilings only one counts: no other can have begun above it.
//!
//! Before such a period begins somebody less urgent may have called the kernel, which finishes what it has begun
//! ([`KernelCosts::under_way`](crate::KernelCosts)). That is one thread, the one that ran. If a ceiling is in the way, its holder is that
//! thread: whoever else ran would be above the ceiling, and so more urgent. Its own calls are in its section's time then, so of both the
//! longer counts. A lock under inheritance may be another thread's, or taken by that very call; both count.
//!
//! Within a dynamic band urgency is a matter of the window that is looked at (Baruah, *Resource sharing in EDF-scheduled
//! systems: a closer look*, 2006): those with longer deadlines than the window are less urgent. Under inheritance all are,
//! since a thread may be given a lock when it wakes up, before it is its turn.
//!
//! Sources: Sha, Rajkumar and Lehoczky, *Priority inheritance protocols* (1990), theorem 3; Baker, *Stack-based scheduling
//! of realtime processes* (1991). Their other bound, once for each lock (theorem 4), doesn't hold where a lock is handed to
//! who waits: a user as urgent may hand it to one that isn't.
//!
//! *Safe* where nobody waits inside of a lock for anything but another one, and locks under inheritance nest in the code of one
//! thread at most.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{KernelCosts, Policy, System};
use crate::ticks::{Ticks, TimesTooLarge, sum};

/// What several threads take one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// For messages.
    pub name: String,
    /// What keeps its users apart.
    pub protocol: Protocol,
    /// Who takes it.
    pub users: Vec<User>,
}

/// What keeps the users of a lock apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The holder is as urgent as the most urgent user.
    #[default]
    Ceiling,
    /// Who waits lends its place to the holder.
    Inheritance,
}

/// A user of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// Which thread: the same number in all locks.
    pub thread: usize,
    /// How urgent it is; nothing if that isn't known: then it may be of any urgency.
    pub urgency: Option<Urgency>,
    /// How long it may be inside, all that is nested included; zero for one that only lends its place to others.
    pub hold: Ticks,
}

/// How urgent a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Urgency {
    /// Position of its band; beyond the last for one below all.
    pub band: usize,
    /// In a fixed band: larger is more urgent.
    pub priority: u32,
    /// In a dynamic band: its shortest deadline from a release.
    pub shortest: Ticks,
    /// In a dynamic band: its longest.
    pub longest: Ticks,
}

impl System {
    /// The longest that any task is held up in any window: by what is less urgent and inside of a lock, and by what the kernel is at for it.
    ///
    /// # Errors
    /// Times are too large to count with.
    pub fn longest_blocking(&self) -> Result<Ticks, TimesTooLarge> {
        Ok(Blocking::with(self, self.costs)?.iter().map(Blocking::most).max().unwrap_or(Ticks::ZERO))
    }
}

/// How long the tasks of one band may be held up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blocking {
    /// By task. In a dynamic band: in the window of its own deadline.
    pub(crate) of_tasks: Vec<Ticks>,
    /// How much of that is for locks.
    pub(crate) by_locks: Vec<Ticks>,
    /// In a dynamic band: from which window on how long, in order.
    steps: Vec<(Ticks, Ticks)>,
}

impl Blocking {
    /// Nobody is held up.
    pub(crate) const NONE: Blocking =
        Blocking { of_tasks: Vec::new(), by_locks: Vec::new(), steps: Vec::new() };

    /// By band.
    pub(crate) fn of(system: &System) -> Result<Vec<Blocking>, TimesTooLarge> {
        let by_locks = Self::with(system, KernelCosts::default())?;
        let all = Self::with(system, system.costs)?;
        let rows = all.into_iter().zip(by_locks);
        Ok(rows.map(|(all, by_locks)| Blocking { by_locks: by_locks.of_tasks, ..all }).collect())
    }

    /// The same where the kernel is at work so long for those who are less urgent.
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

    /// Whether locks hold anybody up.
    pub(crate) fn is_by_locks(&self) -> bool {
        self.by_locks.iter().any(|time| *time > Ticks::ZERO)
    }

    /// How long a task may be held up.
    pub(crate) fn of_task(&self, task: usize) -> Ticks {
        self.of_tasks.get(task).copied().unwrap_or(Ticks::ZERO)
    }

    /// How long in a window of a dynamic band.
    pub(crate) fn within(&self, window: Ticks) -> Ticks {
        let behind = self.steps.partition_point(|(from, _)| *from <= window);
        behind.checked_sub(1).map_or(Ticks::ZERO, |step| self.steps[step].1)
    }

    /// The most in the windows from one length to another.
    pub(crate) fn most_between(&self, from: Ticks, to: Ticks) -> Ticks {
        let inside = self.steps.iter().filter(|(step, _)| *step > from && *step <= to);
        inside.map(|(_, most)| *most).fold(self.within(from), Ticks::max)
    }

    /// The most in any window or of any task.
    pub(crate) fn most(&self) -> Ticks {
        let steps = self.steps.iter().map(|(_, most)| *most);
        steps.chain(self.of_tasks.iter().copied()).max().unwrap_or(Ticks::ZERO)
    }

    /// The windows from which on it is another time.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Ticks> {
        self.steps.iter().map(|(from, _)| *from)
    }
}

/// From which urgency of a band one looks.
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

/// The locks, and what the kernel may be at when somebody's turn comes.
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
        // A thread is in one section of either kind; nested ones are in the longer's time.
        let raised = longest.values().map(|of| of.ceiling.less(of.inheritance));
        lent.plus(raised.fold(self.costs.under_way, Ticks::max))?.plus(self.costs.timers)
    }
}

/// The locks in which `holder` would be in the way: those that another as urgent uses, and under inheritance those for which
/// somebody may wait that is in such a one.
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
