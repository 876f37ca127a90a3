//! The model: the work to be scheduled, and the kernel's costs.

use crate::demand::Load;
use crate::failure::{Failure, Fault};
use crate::locks::Lock;
use crate::partitions::Frame;
use crate::servers::pools::Pool;
use crate::ticks::{Ticks, TimesTooLarge};
use crate::utilisation::Utilisation;

/// Everything that runs on one processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The bands, most urgent first; each preempts all that follow.
    pub bands: Vec<Band>,
    /// The drivers, which run above all bands.
    pub interference: Vec<Interference>,
    /// The kernel's costs.
    pub costs: KernelCosts,
    /// The locks of threads.
    pub locks: Vec<Lock>,
    /// Tasks that aren't in the bands, since they share budgets: in each of these there stands one for all.
    pub pools: Vec<Pool>,
    /// In which windows bands have the processor, if some belong to partitions.
    pub frame: Option<Frame>,
}

/// One level of the scheduler's list of queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// For messages.
    pub name: String,
    /// Which task goes first within the band.
    pub policy: Policy,
    /// The members.
    pub tasks: Vec<Task>,
}

/// How a band chooses among its ready tasks. Both policies preempt. Of equally urgent jobs any may go first,
/// and another one later: no proof relies on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    Dynamic,
    /// Highest [`Task::priority`] first.
    Fixed,
}

/// A task, released at `offset + k * period` for k = 0, 1, ...; a sporadic one at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// For messages.
    pub name: String,
    /// The time between releases; positive.
    pub period: Ticks,
    /// The first release.
    pub offset: Ticks,
    /// From a release to the end of the shortest logical execution time, or less; positive, and at most the
    /// period unless the task may have a backlog.
    pub deadline: Ticks,
    /// How much longer the deadlines of some jobs may be, for example if modes differ. In a dynamic band
    /// their turn comes later by as much, so they may take longer. All jobs hold if they all do with the
    /// shortest deadlines: with longer ones they delay others no more.
    pub spread: Ticks,
    /// How many releases may come while a job is at work, to be made up for in order. More would be skipped,
    /// so a job must be done when the next one comes, whatever its deadline.
    pub backlog: u64,
    /// Best-case execution time, at most the worst. No result depends on it, since shorter runs do no harm.
    pub best: Ticks,
    /// Worst-case execution time, without kernel costs; positive.
    pub worst: Ticks,
    /// For [`Policy::Fixed`]: higher is more urgent.
    pub priority: u32,
    /// The kernel's work for each job in addition to its [`KernelCosts`], as urgent as the job.
    pub overhead: Ticks,
    /// Whether its jobs come at any time, at least a period apart; system code isn't entered for them.
    pub is_sporadic: bool,
    /// Whether its jobs are only known to come at least a period apart: then its offset means nothing.
    /// Otherwise it is like any other task; system code is entered for it. A schedule releases it at its
    /// offset and each period.
    pub is_out_of_step: bool,
    /// How late a job may be released; less than the deadline, which counts from the earliest instant. In a
    /// dynamic band its turn goes by a deadline that counts from the release.
    pub jitter: Ticks,
    /// In a dynamic band: it stands for a constant bandwidth server, whose budget is its worst and whose deadlines are put
    /// off. By any deadlines in a window no more is asked of it than its share, whatever comes when
    /// ([`crate::servers::bandwidth`]); the kernel's work for it counts once for each period begun, and once more.
    pub is_share: bool,
}

/// A driver, getter, setter or guard: called at `offset + k * period`, in logical zero time, above all bands.
/// Publishing a task's outputs at the end of its logical execution time also counts as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    /// For messages.
    pub name: String,
    /// The time between calls; positive.
    pub period: Ticks,
    /// The first call.
    pub offset: Ticks,
    /// Worst-case execution time, without kernel costs; may be zero.
    pub worst: Ticks,
    /// Whether it comes at any time, at least a period apart; system code isn't entered for it.
    pub is_sporadic: bool,
}

/// The kernel's costs; all may be zero.
///
/// The demand on the processor is made up of these, from the most to the least urgent:
///
/// | once for each | costs | runs |
/// |---|---|---|
/// | instant at which a task is released or a driver called | `alarm + instant` | above all bands |
/// | call of a driver | `driver + worst` | above all bands |
/// | release of a job, of whatever band | `release` | above all bands |
/// | job | `2 * switch + worst + completion + overhead` | at the job's urgency |
///
/// A preempted job pays for no switch: the job that preempts it pays for both ways.
///
/// The kernel finishes what it has begun for a less urgent thread: a call with its deferred steps, or the end
/// of a job. That delays a busy period of some urgency once, before it begins: from then on no less urgent
/// thread runs, except inside a lock, where its calls are part of the lock's time. So `under_way` counts like
/// blocking on locks, once for each job and window, and not at each instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// Releasing one job.
    pub release: Ticks,
    /// Recording one job's completion.
    pub completion: Ticks,
    /// One switch between threads.
    pub switch: Ticks,
    /// Entering system code.
    pub instant: Ticks,
    /// Calling one driver; for a native one, including the switches to its thread and back.
    pub driver: Ticks,
    /// Handling the alarm and setting the next one.
    pub alarm: Ticks,
    /// The longest that the kernel may be at work for a less urgent thread when a job's turn comes.
    pub under_way: Ticks,
    /// The timers of less urgent threads: each fires at most once until the thread that set it runs again. So
    /// this counts like `under_way`, in addition to it.
    pub timers: Ticks,
}

impl KernelCosts {
    /// The demand of one job of `task` at its own urgency.
    pub(crate) fn job(&self, task: &Task) -> Result<Ticks, TimesTooLarge> {
        self.switch.times(2)?.plus(task.worst)?.plus(self.completion)?.plus(task.overhead)
    }

    /// The kernel's work for what a constant bandwidth server does with one budget.
    pub(crate) fn of_share(&self, task: &Task) -> Result<Ticks, TimesTooLarge> {
        self.switch.times(2)?.plus(self.release)?.plus(self.completion)?.plus(task.overhead)
    }

    /// The demand of one call of `driver`.
    pub(crate) fn call(&self, driver: &Interference) -> Result<Ticks, TimesTooLarge> {
        self.driver.plus(driver.worst)
    }

    /// The demand of one instant before anything is done at it.
    pub(crate) fn entry(&self) -> Result<Ticks, TimesTooLarge> {
        self.alarm.plus(self.instant)
    }
}

impl System {
    /// The share of the processor that is required, including drivers and kernel; see
    /// [`crate::Proof::total`].
    ///
    /// # Errors
    /// [`TimesTooLarge`] if a job's costs don't fit into 64 bits, or the whole is far too much.
    pub fn utilisation(&self) -> Result<Utilisation, TimesTooLarge> {
        Load::of(self)?.utilisation()
    }

    /// All tasks, by band.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.bands.iter().flat_map(|band| &band.tasks)
    }

    /// Period and first instant of everything periodic.
    pub(crate) fn sequences(&self) -> impl Iterator<Item = (Ticks, Ticks)> {
        let tasks = self.tasks().map(|task| (task.period, task.offset));
        tasks.chain(self.interference.iter().map(|driver| (driver.period, driver.offset)))
    }

    /// Period and first instant of everything for which system code is entered.
    pub(crate) fn instants(&self) -> impl Iterator<Item = (Ticks, Ticks)> {
        let tasks = self.tasks().filter(|task| !task.is_sporadic).map(|task| (task.period, task.offset));
        let drivers = self.interference.iter().filter(|driver| !driver.is_sporadic);
        tasks.chain(drivers.map(|driver| (driver.period, driver.offset)))
    }

    /// Whether each job's release is known from the start.
    pub(crate) fn has_known_releases(&self) -> bool {
        self.tasks().all(|task| !task.is_sporadic && task.jitter == Ticks::ZERO)
            && self.interference.iter().all(|driver| !driver.is_sporadic)
    }

    /// The least common multiple of all periods.
    pub(crate) fn hyperperiod(&self) -> Result<Ticks, TimesTooLarge> {
        self.sequences().try_fold(Ticks::new(1), |all, (period, _)| all.common_multiple(period))
    }

    /// Refuses invalid values.
    pub(crate) fn validate(&self) -> Result<(), Failure> {
        let members = self.pools.iter().flat_map(|pool| &pool.members).map(|member| &member.task);
        let task_faults = self.tasks().chain(members).map(|task| (&task.name, task.fault()));
        let driver_faults = self.interference.iter().map(|driver| (&driver.name, driver.fault()));
        match task_faults.chain(driver_faults).find_map(|(name, fault)| Some((name, fault?))) {
            Some((name, fault)) => Err(Failure::Invalid { name: name.clone(), fault }),
            None => match self.frame.as_ref().and_then(Frame::fault) {
                Some(fault) => Err(Failure::Invalid { name: "the frame".to_owned(), fault }),
                None => Ok(()),
            },
        }
    }
}

impl Task {
    /// The time within which a job must be done: its deadline, or the time at which a release would be
    /// skipped.
    pub(crate) fn limit(&self) -> Ticks {
        match self.backlog {
            0 => self.deadline,
            backlog => self
                .period
                .times(backlog.saturating_add(1))
                .map_or(self.deadline, |end| end.min(self.deadline)),
        }
    }

    fn fault(&self) -> Option<Fault> {
        if self.period == Ticks::ZERO {
            Some(Fault::NoPeriod)
        } else if self.deadline == Ticks::ZERO || self.deadline > self.period && self.backlog == 0 {
            Some(Fault::DeadlineOutOfRange)
        } else if self.jitter >= self.deadline {
            Some(Fault::JitterTooLong)
        } else if self.worst == Ticks::ZERO {
            Some(Fault::NoWorst)
        } else if self.best > self.worst {
            Some(Fault::BestAboveWorst)
        } else {
            None
        }
    }
}

impl Interference {
    fn fault(&self) -> Option<Fault> {
        (self.period == Ticks::ZERO).then_some(Fault::NoPeriod)
    }
}
