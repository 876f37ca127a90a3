//! Dual priorities with gain time, as a thread in user mode reckons them: it is told of ends and of soft work, knows all
//! releases, and follows the schedule by itself, as who steals slack does.
//!
//! ```text
//!              released(1)       told its end(2)       has run to its wait(3)
//!   task: Done ---------> Pending -------------> Ending ---------------------> Done
//!
//!             its promotion(4), later by its own gain(5) or that of others(6)
//!   place: below <-------------------------------------------------------> above
//!             a release(7), or gain of others(6)
//! ```
//! 1 and 3 are `pass`, 2 is `ended`, 5 is `ran`, 6 is `propagate`; 4 and 7 are `placed`.
//!
//! Two things are never known: what the kernel took of what it may take, and whether who has told its end waits already. So
//! what a job *has* run is what is left beside all that, and its own gain no more than that; what it *may* have run is all
//! of it, and what it passes on no more than what is left then.

use beryl_analysis::servers::model::dual::Gain;

use super::overheads::Overheads;
use super::stealing::Told;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Done,
    Pending,
    Ending,
}

/// What is known of a hard task from the start. Times are in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub period: u64,
    pub worst: u64,
    /// From its release to its promotion.
    pub promotion: u64,
    /// Before its promotion: a greater one goes first; two tasks may have the same.
    pub below: usize,
}

/// A hard task, as far as it is known.
#[derive(Clone, Debug)]
struct Task {
    known: Known,
    next: u64,
    state: State,
    /// Until it waits, once it has told its end.
    left: u64,
    /// When it is promoted, but for the gain of others.
    window: u64,
    /// Until when it isn't, for that.
    held: u64,
    /// What its job may have run.
    most: u64,
    is_above: bool,
}

impl Task {
    fn promoted_at(&self) -> u64 {
        self.window.max(self.held)
    }

    /// The next instant at which its place may be another one.
    fn event(&self) -> u64 {
        match (self.is_above, self.state) {
            (true, _) => self.next,
            (false, State::Done) => self.next.saturating_add(self.known.promotion),
            (false, _) => self.promoted_at(),
        }
    }
}

/// The scheduler's knowledge.
#[derive(Clone, Debug)]
pub struct Promoting {
    tasks: Vec<Task>,
    gain: Gain,
    overheads: Overheads,
    is_working: bool,
    now: u64,
    /// What the kernel may still take for what has happened, and nobody runs meanwhile.
    debt: u64,
    /// Until it waits, from where it has read the clock.
    before_wait: u64,
}

impl Promoting {
    /// At instant 0, in the order of priorities.
    pub fn new(tasks: &[Known], gain: Gain, overheads: Overheads) -> Promoting {
        let task = |known: &Known| Task {
            known: *known,
            next: 0,
            state: State::Done,
            left: 0,
            window: 0,
            held: 0,
            most: 0,
            is_above: false,
        };
        let tasks = tasks.iter().map(task).collect();
        Promoting { tasks, gain, overheads, is_working: false, now: 0, debt: 0, before_wait: overheads.call }
    }

    /// What it makes of all that was told until now: by task, whether it goes above soft work or below, if that is another
    /// place than before.
    pub fn turn(&mut self, now: u64, told: Told) -> Vec<(usize, bool)> {
        // Passed before this turn, and wasn't of who ran.
        self.debt = self.debt.saturating_add(self.overheads.before(told));
        self.pass(now);
        (0..self.tasks.len()).filter(|task| told.ends & (1 << task) != 0).for_each(|task| self.ended(task));
        self.is_working = (self.is_working && !told.gone) || told.came;
        let changes = self.placed();
        // A turn has one change at most as it is counted.
        let more = u64::try_from(changes.len().saturating_sub(1)).unwrap_or(u64::MAX);
        self.debt = self.debt.saturating_add(self.overheads.turn + more * self.overheads.call);
        if told.gone {
            self.debt = self.debt.saturating_add(self.overheads.sleep);
        }
        let calls = u64::try_from(changes.len()).unwrap_or(u64::MAX).saturating_add(1);
        self.before_wait = calls.saturating_mul(self.overheads.call);
        changes
    }

    /// How long places stay as they are if nothing is told, counted from where the thread waits.
    pub fn limit(&self) -> u64 {
        let running = self.running();
        let event = |(index, task): (usize, &Task)| match running {
            Some((runs, event)) if runs == index => event,
            _ => task.event(),
        };
        let next = self.tasks.iter().enumerate().map(event).min().unwrap_or(u64::MAX);
        next.saturating_sub(self.now).saturating_sub(self.before_wait).max(1)
    }

    /// Who runs below until something is told or released, and when it is promoted if it goes on until that release: while it
    /// runs, its promotion moves along. Otherwise each look would find one that is a little later.
    fn running(&self) -> Option<(usize, u64)> {
        let index = self.first(|task| task.state == State::Pending)?;
        let task = &self.tasks[index];
        if task.is_above || !self.has_own_gain() || self.shares(index) {
            return None;
        }
        let ending: u64 =
            self.tasks.iter().filter(|task| task.state == State::Ending).map(|task| task.left).sum();
        let from = self.now.saturating_add(self.debt).saturating_add(ending);
        let release = self.tasks.iter().map(|task| task.next).min()?;
        let moves = task.window > from && release > from;
        moves.then(|| (index, task.held.max(task.window.saturating_add(release - from))))
    }

    fn has_own_gain(&self) -> bool {
        matches!(self.gain, Gain::Own | Gain::Both)
    }

    /// Takes tasks where they should be. What is due before it could wait is due now: a promotion is sooner then, and who
    /// waits for its release goes down a little before.
    fn placed(&mut self) -> Vec<(usize, bool)> {
        let due = self.now.saturating_add(self.overheads.call);
        let mut changes = Vec::new();
        for (index, task) in self.tasks.iter_mut().enumerate() {
            let is_above = match task.state {
                State::Done => task.is_above && task.next > due,
                State::Pending | State::Ending => task.promoted_at() <= due,
            };
            if is_above != task.is_above {
                task.is_above = is_above;
                changes.push((index, is_above));
            }
        }
        changes
    }

    fn ended(&mut self, ending: usize) {
        let task = &mut self.tasks[ending];
        task.state = State::Ending;
        task.left = self.overheads.end;
        let unused = task.known.worst.saturating_sub(task.most);
        if task.is_above && matches!(self.gain, Gain::Propagated | Gain::Both) {
            self.propagate(ending, unused);
        }
    }

    /// So much of a promoted job's worst case is left over: for so long nobody less urgent has to be above.
    fn propagate(&mut self, ending: usize, unused: u64) {
        let now = self.now;
        let lower = self.tasks.iter_mut().skip(ending + 1).filter(|task| task.state == State::Pending);
        for task in lower {
            let from = if task.window <= now { task.held.max(now) } else { now };
            task.held = task.held.max(from.saturating_add(unused));
        }
    }

    /// Follows the schedule up to an instant.
    fn pass(&mut self, until: u64) {
        while self.now < until {
            self.release();
            let next = self.tasks.iter().map(|task| task.next).fold(until, u64::min);
            let span = next - self.now;
            let length = match self.first(|task| task.state != State::Done) {
                _ if self.debt > 0 => span.min(self.debt),
                Some(task) if self.tasks[task].state == State::Ending && !self.shares(task) => {
                    span.min(self.tasks[task].left)
                }
                _ => span,
            };
            self.ran(length);
            self.now += length;
        }
        self.release();
    }

    fn release(&mut self) {
        for task in self.tasks.iter_mut().filter(|task| task.next <= self.now) {
            (task.state, task.held, task.most) = (State::Pending, 0, 0);
            task.window = task.next.saturating_add(task.known.promotion);
            task.next = task.next.saturating_add(task.known.period);
            self.debt = self.debt.saturating_add(self.overheads.release);
        }
    }

    /// For so long the same one ran, or the kernel.
    fn ran(&mut self, length: u64) {
        let may_run = self.first(|task| task.state == State::Pending);
        if let Some(first) = may_run {
            let below = self.tasks[first].known.below;
            let is_above = self.tasks[first].is_above;
            let alike = |task: &&mut Task| !is_above && !task.is_above && task.known.below == below;
            self.tasks.iter_mut().filter(alike).for_each(|task| task.most += length);
            if is_above {
                self.tasks[first].most += length;
            }
        }
        if self.debt > 0 {
            self.debt -= length;
            return;
        }
        let Some(runs) = self.first(|task| task.state != State::Done) else { return };
        if self.shares(runs) {
            return;
        }
        let is_own = self.has_own_gain();
        let task = &mut self.tasks[runs];
        match task.state {
            State::Pending if is_own && !task.is_above => task.window += length,
            State::Pending | State::Done => {}
            State::Ending => {
                task.left -= length;
                if task.left == 0 {
                    task.state = State::Done;
                }
            }
        }
    }

    /// The first of some tasks, if it isn't soft work's turn: those above in the order of priorities, then those below.
    fn first(&self, is_one: impl Fn(&Task) -> bool) -> Option<usize> {
        let above = self.tasks.iter().position(|task| task.is_above && is_one(task));
        if above.is_some() || self.is_working {
            return above;
        }
        let below = self.tasks.iter().enumerate().filter(|(_, task)| !task.is_above && is_one(task));
        below.max_by_key(|(index, task)| (task.known.below, usize::MAX - index)).map(|(index, _)| index)
    }

    /// Whether another one has its place and may run instead: who came first isn't known.
    fn shares(&self, runs: usize) -> bool {
        let task = &self.tasks[runs];
        let is_alike = |(index, other): (usize, &Task)| {
            index != runs
                && !other.is_above
                && other.state != State::Done
                && other.known.below == task.known.below
        };
        !task.is_above && self.tasks.iter().enumerate().any(is_alike)
    }
}
