//! Slack stealing as a thread in user mode reckons it: it is told of ends and of soft work, knows all releases, and
//! follows the schedule by itself. (Davis, *Approximate slack stealing algorithms for fixed priority pre-emptive
//! systems*, York 1993, the dynamic form.)
//!
//! ```text
//!              released(1)         told its end(2)         has run to its wait(3)
//!   task: Done ----------> Pending ---------------> Ending ----------------------> Done
//!
//!             came, slack(4)          came, none(5); slack is used up(6)
//!   soft: Asleep -----------> served ------------------------------------> below all
//!         at the top <-------         <------------------------------------
//!                     gone(7)             an end leaves slack(8)
//! ```
//! 1 and 3 are `pass`, 2 is `ended`; 4 to 8 are `placed`.

use super::overheads::Overheads;

/// Where soft work stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before all hard tasks.
    Top,
    /// Behind the task that has told its end but may not wait yet, as urgent as it; before all less urgent ones.
    Behind(usize),
    /// Below all hard tasks.
    Below,
}

/// What was told since the last turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// A bit for each task with a job that ended.
    pub ends: u32,
    /// Soft work is there.
    pub came: bool,
    /// It is done.
    pub gone: bool,
}

impl Told {
    /// Whose bits these are, by task.
    pub fn ends(bits: u32, tasks: impl Iterator<Item = u32>) -> u32 {
        tasks.enumerate().map(|(task, bit)| if bits & bit != 0 { 1 << task } else { 0 }).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Done,
    Pending,
    Ending,
}

/// A hard task, as far as it is known. Times are in ticks.
#[derive(Clone, Debug)]
struct Task {
    period: u64,
    /// What a job takes at most, with what it costs the kernel in its own place.
    worst: u64,
    next: u64,
    state: State,
    /// What it may still take.
    left: u64,
    /// What its last job left, if that isn't given away.
    kept: u64,
}

/// The scheduler's knowledge.
#[derive(Clone, Debug)]
pub struct Stealing {
    tasks: Vec<Task>,
    /// By task: how long others may go before it.
    slack: Vec<u64>,
    has_gain: bool,
    overheads: Overheads,
    is_working: bool,
    place: Place,
    now: u64,
    /// What the kernel may still take for what has happened, and nobody runs meanwhile.
    debt: u64,
}

impl Stealing {
    /// At instant 0, for periods and worst cases in the order of priorities.
    pub fn new(tasks: &[(u64, u64)], has_gain: bool, overheads: Overheads) -> Stealing {
        let task = |&(period, worst): &(u64, u64)| Task {
            period,
            worst: worst.saturating_add(overheads.job()),
            next: 0,
            state: State::Done,
            left: 0,
            kept: 0,
        };
        let mut made = Stealing {
            tasks: tasks.iter().map(task).collect(),
            slack: vec![0; tasks.len()],
            has_gain,
            overheads,
            is_working: false,
            place: Place::Top,
            now: 0,
            debt: 0,
        };
        made.look();
        made
    }

    /// What it makes of all that was told until now: whether slack was worked out, and where soft work stands.
    pub fn turn(&mut self, now: u64, told: Told) -> (bool, Place) {
        // Passed before this turn, and wasn't of who ran.
        self.debt = self.debt.saturating_add(self.overheads.before(told));
        self.pass(now);
        (0..self.tasks.len()).filter(|task| told.ends & (1 << task) != 0).for_each(|task| self.ended(task));
        self.is_working = (self.is_working && !told.gone) || told.came;
        let looks = told.ends != 0 || told.gone;
        if looks {
            self.look();
        }
        self.debt = self.debt.saturating_add(self.overheads.turn);
        if told.gone {
            self.debt = self.debt.saturating_add(self.overheads.sleep);
        }
        self.place = self.placed();
        (looks, self.place)
    }

    /// How long places stay as they are if nothing is told; `None`: until something is. Counted from where the thread
    /// waits, which may be later by what it does before.
    pub fn limit(&self) -> Option<u64> {
        let used_up = self.slack.iter().copied().min().unwrap_or(u64::MAX);
        let used_up = used_up.saturating_sub(self.overheads.before_wait);
        let limit = match self.place {
            _ if !self.is_working => return None,
            Place::Below => return None,
            Place::Top => used_up,
            Place::Behind(task) => used_up.min(self.overtaken(task)?),
        };
        Some(limit.max(1))
    }

    /// Until a more urgent task comes before soft work that stands behind this one. `None` where that is before soft work
    /// could run: then there is an end to be told first. Nobody wakes for it, so this task comes to its wait undisturbed.
    fn overtaken(&self, task: usize) -> Option<u64> {
        let before = &self.tasks[..task];
        if before.iter().any(|task| task.state == State::Pending) {
            return None;
        }
        let ending = self.tasks[..=task].iter().filter(|task| task.state == State::Ending);
        let runs_from = ending.map(|task| task.left).sum::<u64>() + self.debt;
        let next = before.iter().map(|task| task.next.saturating_sub(self.now)).min().unwrap_or(u64::MAX);
        (next > runs_from).then_some(next)
    }

    /// How long soft work may go before all, with what the kernel still takes.
    fn at_hand(&self) -> u64 {
        self.slack.iter().copied().min().unwrap_or(u64::MAX).saturating_sub(self.debt)
    }

    fn placed(&self) -> Place {
        let ending = self.tasks.iter().rposition(|task| task.state == State::Ending);
        match ending {
            _ if !self.is_working => Place::Top,
            _ if self.at_hand() == 0 => Place::Below,
            Some(task) => Place::Behind(task),
            None => Place::Top,
        }
    }

    fn ended(&mut self, task: usize) {
        let task = &mut self.tasks[task];
        task.kept = if self.has_gain { 0 } else { task.left };
        task.state = State::Ending;
        task.left = self.overheads.end;
    }

    /// Follows the schedule up to an instant.
    fn pass(&mut self, until: u64) {
        while self.now < until {
            self.release();
            let next = self.tasks.iter().map(|task| task.next).fold(until, u64::min);
            let span = next - self.now;
            let length = match self.runs() {
                _ if self.debt > 0 => self.owed(span),
                Some(task) => self.ran(task, span),
                None => self.idle(span),
            };
            self.now += length;
        }
    }

    fn release(&mut self) {
        for task in self.tasks.iter_mut().filter(|task| task.next <= self.now) {
            (task.state, task.left, task.kept) = (State::Pending, task.worst, 0);
            task.next = task.next.saturating_add(task.period);
            self.debt = self.debt.saturating_add(self.overheads.release);
        }
    }

    /// The task that runs, if it isn't soft work's turn or nobody's.
    fn runs(&self) -> Option<usize> {
        let first = self.tasks.iter().position(|task| task.state != State::Done)?;
        let is_before = match self.place {
            _ if !self.is_working => true,
            Place::Below => true,
            Place::Top => false,
            Place::Behind(task) => first < task || first == task && self.tasks[task].state == State::Ending,
        };
        is_before.then_some(first)
    }

    fn owed(&mut self, span: u64) -> u64 {
        let length = span.min(self.debt);
        self.debt -= length;
        self.idle(length)
    }

    fn ran(&mut self, task: usize, span: u64) -> u64 {
        let row = &mut self.tasks[task];
        let is_ending = row.state == State::Ending;
        let length = if is_ending { span.min(row.left) } else { span };
        row.left = row.left.saturating_sub(length);
        if is_ending && row.left == 0 {
            row.state = State::Done;
        }
        self.slack.iter_mut().take(task).for_each(|slack| *slack = slack.saturating_sub(length));
        length
    }

    /// No task ran.
    fn idle(&mut self, length: u64) -> u64 {
        self.slack.iter_mut().for_each(|slack| *slack = slack.saturating_sub(length));
        length
    }

    fn look(&mut self) {
        let narrow = |ticks: u64| u32::try_from(ticks).unwrap_or(u32::MAX);
        let task = |task: &Task| {
            let at_work = if task.state == State::Done { 0 } else { task.left };
            beryl_slack::Task {
                period: narrow(task.period),
                worst: narrow(task.worst),
                next: narrow(task.next - self.now),
                left: narrow(at_work + task.kept),
                is_pending: task.state == State::Pending,
            }
        };
        let tasks: Vec<beryl_slack::Task> = self.tasks.iter().map(task).collect();
        let Overheads { release, .. } = self.overheads;
        let kernel =
            beryl_slack::Kernel { release: narrow(release), at_once: narrow(self.overheads.at_once()) };
        let mut slack = vec![0; tasks.len()];
        beryl_slack::look(&tasks, &kernel, &mut slack);
        self.slack = slack.into_iter().map(u64::from).collect();
    }
}
