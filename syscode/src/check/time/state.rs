//! What the check keeps: triggers, the places at which threads may stand, and what may be left of each job.

/// The most triggers at one time.
const TRIGGERS: usize = 32;
/// No thread.
pub(super) const NOBODY: u8 = u8::MAX;

/// What happens at a place where a thread may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Nothing: there is no such place.
    Free,
    /// It goes on at this instant.
    Go,
    /// It is going on.
    Going,
    /// It holds a task at the next instant.
    Held(u8),
    /// It holds a task.
    Dispatch(u8),
    /// It idles.
    Idle,
    /// It goes on at the next instant, when triggers have been carried out, and holds a task or [`NOBODY`] up to then.
    Due(u8),
    /// It has ended, perhaps before its jobs.
    Ended,
}

/// A place at which a thread may stand, with what may be left of its jobs then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position<const TASKS: usize> {
    pub wait: Wait,
    /// Which thread: places of one exclude each other. A thread that another begins in its own place counts as the same.
    pub thread: u8,
    pub address: u16,
    /// Its reference time.
    pub reference: u64,
    /// The most that may be left of each task's job.
    pub left: [u32; TASKS],
    /// Tasks that are certainly released and not complete here.
    pub certain: [bool; TASKS],
}

impl<const TASKS: usize> Position<TASKS> {
    pub const FREE: Position<TASKS> = Position {
        wait: Wait::Free,
        thread: NOBODY,
        address: 0,
        reference: 0,
        left: [0; TASKS],
        certain: [false; TASKS],
    };

    pub fn left_of(&self, task: usize) -> u32 {
        self.left.get(task).copied().unwrap_or_default()
    }

    pub fn is_certain(&self, task: usize) -> bool {
        self.certain.get(task).copied().unwrap_or_default()
    }

    pub fn set_certain(&mut self, task: usize, certain: bool) {
        if let Some(place) = self.certain.get_mut(task) {
            *place = certain;
        }
    }

    /// Whether one of the two has at least as much left of every task.
    fn is_comparable(&self, other: &Position<TASKS>) -> bool {
        let mut pairs = self.left.iter().zip(&other.left);
        pairs.clone().all(|(one, two)| one >= two) || pairs.all(|(one, two)| one <= two)
    }

    /// Becomes as bad as both.
    fn join(&mut self, other: &Position<TASKS>) {
        self.left.iter_mut().zip(other.left).for_each(|(left, other)| *left = (*left).max(other));
        self.certain.iter_mut().zip(other.certain).for_each(|(certain, other)| *certain &= other);
    }

    pub fn set_left(&mut self, task: usize, left: u32) {
        if let Some(place) = self.left.get_mut(task) {
            *place = left;
        }
    }
}

/// Everything that the future depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<const TASKS: usize, const PLACES: usize> {
    /// Triggers: when and where to.
    pub triggers: [Option<(u64, u16)>; TRIGGERS],
    pub positions: [Position<TASKS>; PLACES],
    /// The thread that dispatches each task.
    pub owners: [u8; TASKS],
    /// Tasks that are released and that nobody can have run yet.
    pub fresh: [bool; TASKS],
    /// What may be left of tasks that no thread dispatches, and when they are due.
    pub left: [u32; TASKS],
    pub due: [u64; TASKS],
    /// When they were released.
    pub since: [u64; TASKS],
}

impl<const TASKS: usize, const PLACES: usize> State<TASKS, PLACES> {
    pub const BLANK: State<TASKS, PLACES> = State {
        triggers: [None; TRIGGERS],
        positions: [Position::FREE; PLACES],
        owners: [NOBODY; TASKS],
        fresh: [false; TASKS],
        left: [0; TASKS],
        due: [0; TASKS],
        since: [0; TASKS],
    };

    pub fn begin(&mut self, start: u16) {
        self.add_trigger(0, start);
    }

    /// Answers whether there was a place.
    pub fn add_trigger(&mut self, due: u64, address: u16) -> bool {
        let free = self.triggers.iter_mut().find(|place| place.is_none());
        free.map(|place| *place = Some((due, address))).is_some()
    }

    /// Takes the first trigger that is due.
    pub fn take_trigger(&mut self, now: u64) -> Option<u16> {
        let due = self.triggers.iter_mut().find(|place| place.is_some_and(|(due, _)| due <= now))?;
        due.take().map(|(_, address)| address)
    }

    /// Keeps a position. Where one at the same place is worse in every task, or better in every task, the worse one stands
    /// for both; where neither is, and no place is free, one that is as bad as both. Answers whether there was a place.
    pub fn put(&mut self, position: Position<TASKS>) -> bool {
        let is_like = |other: &Position<TASKS>| {
            let is_there = (other.thread, other.address) == (position.thread, position.address);
            is_there && (other.wait, other.reference) == (position.wait, position.reference)
        };
        let mut like = self.positions.iter_mut().filter(|other| is_like(other));
        if let Some(known) = like.find(|other| other.is_comparable(&position)) {
            known.join(&position);
            return true;
        }
        if let Some(place) = self.positions.iter_mut().find(|other| other.wait == Wait::Free) {
            *place = position;
            return true;
        }
        let known = self.positions.iter_mut().find(|other| is_like(other));
        known.map(|known| known.join(&position)).is_some()
    }

    /// A number for another thread.
    pub fn new_thread(&self) -> Option<u8> {
        let is_used = |thread: u8| self.positions.iter().any(|position| position.thread == thread);
        (0..PLACES).filter_map(|thread| u8::try_from(thread).ok()).find(|thread| !is_used(*thread))
    }

    pub fn owner(&self, task: usize) -> u8 {
        self.owners.get(task).copied().unwrap_or(NOBODY)
    }

    /// A thread may have run a task: no other sees it fresh any more.
    pub fn run(&mut self, task: usize, thread: u8) {
        let others = self.positions.iter_mut().filter(|position| position.thread != thread);
        others.for_each(|position| position.set_certain(task, false));
        if let Some(fresh) = self.fresh.get_mut(task) {
            *fresh = false;
        }
    }

    /// A task is released whose last job has ended; no thread can have seen the new one.
    pub fn release(&mut self, task: usize, bound: u32, now: u64, due: u64) {
        let used = self.positions.iter_mut().filter(|position| position.wait != Wait::Free);
        used.for_each(|position| {
            position.set_left(task, bound);
            position.set_certain(task, true);
        });
        let times = self.due.get_mut(task).zip(self.since.get_mut(task));
        let places = self.left.get_mut(task).zip(self.fresh.get_mut(task)).zip(times);
        if let Some(((left, fresh), (deadline, since))) = places {
            (*left, *fresh, *deadline, *since) = (bound, true, due, now);
        }
        if let Some(owner) = self.owners.get_mut(task) {
            *owner = NOBODY;
        }
    }

    /// How much may be left of a task's job, wherever its thread stands.
    pub fn most_left(&self, task: usize) -> u32 {
        let owner = self.owner(task);
        if owner == NOBODY {
            return self.left.get(task).copied().unwrap_or_default();
        }
        let positions = self.positions.iter().filter(|position| position.thread == owner);
        positions.map(|position| position.left_of(task)).max().unwrap_or_default()
    }

    /// Threads of which nothing is left make room; what they dispatched is anybody's again.
    pub fn free_ended(&mut self) {
        for index in 0..PLACES {
            let Some(position) = self.positions.get(index).copied() else { return };
            let owns = |task: usize| self.owner(task) == position.thread;
            let has_left = position.left.iter().enumerate().any(|(task, left)| *left > 0 && owns(task));
            if position.wait == Wait::Ended && !has_left {
                if let Some(place) = self.positions.get_mut(index) {
                    *place = Position::FREE;
                }
                self.free_thread(position.thread);
            }
        }
    }

    fn free_thread(&mut self, thread: u8) {
        if self.positions.iter().any(|position| position.thread == thread) {
            return;
        }
        for (owner, left) in self.owners.iter_mut().zip(&mut self.left) {
            if *owner == thread {
                // Every way that this thread took has ended its jobs.
                (*owner, *left) = (NOBODY, 0);
            }
        }
    }

    /// How many threads may be alive.
    pub fn threads(&self) -> usize {
        let is_alive = |thread: usize| {
            self.positions.iter().any(|position| {
                usize::from(position.thread) == thread
                    && !matches!(position.wait, Wait::Free | Wait::Going | Wait::Ended)
            })
        };
        (0..PLACES).filter(|thread| is_alive(*thread)).count()
    }

    /// Whether the future of this state at `now` is that of another at another instant. No thread waits for longer than `longest`.
    pub fn is_like(&self, now: u64, other: &Self, then: u64, longest: u64) -> bool {
        let ahead = |due: u64, now: u64| due.wrapping_sub(now);
        let triggers = self.triggers.iter().zip(&other.triggers).all(|(one, two)| {
            one.map(|(due, address)| (ahead(due, now), address))
                == two.map(|(due, address)| (ahead(due, then), address))
        });
        let age = |reference: u64, now: u64| now.saturating_sub(reference).min(longest);
        let positions = self.positions.iter().zip(&other.positions).all(|(one, two)| {
            let is_old = age(one.reference, now) == age(two.reference, then);
            let reference = one.reference;
            (one.wait == Wait::Free && two.wait == Wait::Free)
                || (is_old && *one == Position { reference, ..*two })
        });
        let dues = (0..TASKS).all(|task| {
            let [one, two] = [self, other].map(|state| state.due.get(task).copied().unwrap_or_default());
            let [since, ever] = [self, other].map(|state| state.since.get(task).copied().unwrap_or_default());
            let is_alike = (ahead(one, now), ahead(since, now)) == (ahead(two, then), ahead(ever, then));
            self.left.get(task) == Some(&0) || is_alike
        });
        let is_same = (self.owners, self.fresh, self.left) == (other.owners, other.fresh, other.left);
        triggers && positions && dues && is_same
    }
}
