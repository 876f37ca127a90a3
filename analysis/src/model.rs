//! The model: what is to be scheduled, and what the kernel costs.

use crate::demand::Load;
use crate::failure::{Failure, Fault};
use crate::locks::Lock;
use crate::ticks::{Ticks, TimesTooLarge};
use crate::utilisation::Utilisation;

/// Everything that runs on one processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The bands, most urgent first; each preempts all that follow.
    pub bands: Vec<Band>,
    /// The drivers, which run above all bands.
    pub interference: Vec<Interference>,
    /// What the kernel adds.
    pub costs: KernelCosts,
    /// What threads take one after the other.
    pub locks: Vec<Lock>,
}

/// One level of the scheduler's list of queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// For messages.
    pub name: String,
    /// Who goes first within the band.
    pub policy: Policy,
    /// The members.
    pub tasks: Vec<Task>,
}

/// How a band chooses among its ready tasks. Both policies preempt. Of equally urgent jobs any may go first, and another one
/// later: nothing that is proved rests on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    Dynamic,
    /// Highest [`Task::priority`] first.
    Fixed,
}

/// A task, released at `offset + k * period` for k = 0, 1, ...; a sporadic one whenever something happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// For messages.
    pub name: String,
    /// From one release to the next; positive.
    pub period: Ticks,
    /// The first release.
    pub offset: Ticks,
    /// From a release to the end of the shortest logical execution time, or shorter; positive, at most the period, but for who may have a
    /// backlog.
    pub deadline: Ticks,
    /// By how much longer the deadlines of some jobs are at most, as where modes differ. In a dynamic band their turn comes as much later,
    /// so they may take longer. All hold if all do with the shortest: with longer ones jobs are no more in the way of others.
    pub spread: Ticks,
    /// How many releases may come while a job is at work, to be made up for in their order. More would be skipped, so a job must be
    /// done when the next one comes, whatever its deadline.
    pub backlog: u64,
    /// Best-case execution time, at most the worst. No result depends on it, since shorter runs do no harm.
    pub best: Ticks,
    /// Worst-case execution time, without kernel costs; positive.
    pub worst: Ticks,
    /// For [`Policy::Fixed`]: larger is more urgent.
    pub priority: u32,
    /// What the kernel spends on each job beside its [`KernelCosts`], as urgent as the job.
    pub overhead: Ticks,
    /// Whether its jobs come when they like, a period apart; system code isn't entered for them.
    pub is_sporadic: bool,
    /// Whether its jobs come a period apart at least, and nothing more is known of when: then its offset says nothing. Otherwise as
    /// any other; system code is entered for it. A schedule takes it as one that comes at its offset and each period.
    pub is_out_of_step: bool,
    /// How much later than that a job may be released; less than the deadline, which counts from the earliest instant. In a
    /// dynamic band its turn is by a deadline that counts from the release.
    pub jitter: Ticks,
}

/// A driver, getter, setter or guard: called at `offset + k * period`, in logical zero time, above all bands. What
/// publishes a task's outputs at the end of its logical execution time is one too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interference {
    /// For messages.
    pub name: String,
    /// From one call to the next; positive.
    pub period: Ticks,
    /// The first call.
    pub offset: Ticks,
    /// Worst-case execution time, without kernel costs; may be zero.
    pub worst: Ticks,
    /// Whether it comes when it likes, a period apart; system code isn't entered for it.
    pub is_sporadic: bool,
}

/// What the kernel costs; all may be zero.
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
/// A preempted job pays for no switch: the job that preempts it pays the way in and the way back.
///
/// The kernel finishes what it has begun for somebody who is less urgent: a call with the steps that it leaves over, or the end of a job.
/// That holds up a busy period of some urgency once, before it begins: from then on nobody who is less urgent runs, but inside of a
/// lock, where calls are part of what is counted for that. So `under_way` is counted as what locks hold up is, once for each job and
/// window, and not at each instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelCosts {
    /// Releasing one job.
    pub release: Ticks,
    /// Taking note of one job's completion.
    pub completion: Ticks,
    /// One switch between threads.
    pub switch: Ticks,
    /// Entering system code.
    pub instant: Ticks,
    /// Calling one driver; for a native one with the switches to its thread and back.
    pub driver: Ticks,
    /// Taking the alarm and arming the next.
    pub alarm: Ticks,
    /// The longest that the kernel may be at work for somebody who is less urgent when it is somebody's turn.
    pub under_way: Ticks,
    /// What timers of those who are less urgent take: each goes off once at most until whoever has set it runs again. So it counts as
    /// `under_way` does, beside it.
    pub timers: Ticks,
}

impl KernelCosts {
    /// What one job of `task` demands at its own urgency.
    pub(crate) fn job(&self, task: &Task) -> Result<Ticks, TimesTooLarge> {
        self.switch.times(2)?.plus(task.worst)?.plus(self.completion)?.plus(task.overhead)
    }

    /// What one call of `driver` demands.
    pub(crate) fn call(&self, driver: &Interference) -> Result<Ticks, TimesTooLarge> {
        self.driver.plus(driver.worst)
    }

    /// What one instant demands before anything is done at it.
    pub(crate) fn entry(&self) -> Result<Ticks, TimesTooLarge> {
        self.alarm.plus(self.instant)
    }
}

impl System {
    /// The share of the processor that is asked for, drivers and kernel included; see [`crate::Proof::total`].
    ///
    /// # Errors
    /// [`TimesTooLarge`] if a job's costs do not fit into 64 bits, or the whole is many times too much.
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

    /// Whether it is known from the start on when each job comes.
    pub(crate) fn has_known_releases(&self) -> bool {
        self.tasks().all(|task| !task.is_sporadic && task.jitter == Ticks::ZERO)
            && self.interference.iter().all(|driver| !driver.is_sporadic)
    }

    /// The least common multiple of all periods.
    pub(crate) fn hyperperiod(&self) -> Result<Ticks, TimesTooLarge> {
        self.sequences().try_fold(Ticks::new(1), |all, (period, _)| all.common_multiple(period))
    }

    /// Refuses what makes no sense.
    pub(crate) fn validate(&self) -> Result<(), Failure> {
        let task_faults = self.tasks().map(|task| (&task.name, task.fault()));
        let driver_faults = self.interference.iter().map(|driver| (&driver.name, driver.fault()));
        match task_faults.chain(driver_faults).find_map(|(name, fault)| Some((name, fault?))) {
            Some((name, fault)) => Err(Failure::Invalid { name: name.clone(), fault }),
            None => Ok(()),
        }
    }
}

impl Task {
    /// The time within which a job must be done: its deadline, or when a release would be skipped for it.
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
