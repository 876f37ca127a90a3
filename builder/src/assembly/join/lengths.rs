//! How long a task's logical execution times are, and how close its releases come, over all modes of its module.

use beryl_abi::Duration;
use beryl_timing::{self as timing, Activity, Microseconds, Mode, Window};

use super::{Join, problems};

/// Over all modes that invoke a task.
pub(super) struct Lengths {
    pub(super) shortest: Duration,
    pub(super) longest: Duration,
    /// The least time from one release to the next, also across switches.
    pub(super) separation: Duration,
}

impl Join<'_> {
    /// If only another program invokes the task, or none does, all are [`Duration::FOREVER`], since the image's program
    /// never releases it. If none does, that is worth a warning. Nothing if a mode isn't a whole number of ticks,
    /// which is reported with its activities.
    pub(super) fn lengths(&mut self, module: &timing::Module, task: usize) -> Option<Lengths> {
        if let Some(activity) = module.asynchronous.iter().find(|activity| activity.task == task) {
            return self.asynchronous_lengths(module, activity);
        }
        let invocations = invocations(module, task);
        if invocations.is_empty() {
            if !self.is_invoked_later(module, task) {
                let warning = problems::uninvoked_task(self.model, module, &module.tasks[task]);
                self.assembly.warnings.push(warning);
            }
            let never = Duration::FOREVER;
            return Some(Lengths { shortest: never, longest: never, separation: never });
        }
        self.over(&invocations)
    }

    /// The lengths of a task that time releases, whole ticks. Nothing if no mode invokes it.
    pub(super) fn released_by_modes(&self, module: &timing::Module, task: usize) -> Option<Lengths> {
        self.over(&invocations(module, task))
    }

    fn over(&self, invocations: &[Invocation]) -> Option<Lengths> {
        let shortest = invocations.iter().map(|own| own.shortest).min()?;
        let longest = invocations.iter().map(|own| own.longest).max()?;
        let within = invocations.iter().map(|own| own.separation).min()?;
        let soonest = invocations.iter().map(|own| own.first).min()?;
        let across =
            invocations.iter().filter_map(|own| own.to_switch).map(|until| until.saturating_add(soonest));
        let separation = across.fold(within, u64::min);
        Some(Lengths {
            shortest: self.whole(shortest)?,
            longest: self.whole(longest)?,
            separation: self.whole(separation)?,
        })
    }

    pub(super) fn is_invoked_later(&self, module: &timing::Module, task: usize) -> bool {
        let bodies = self.bodies.iter().filter(|body| body.body.name == module.name);
        let mut activities = bodies.flat_map(|body| &body.body.modes).flat_map(|mode| &mode.activities);
        activities.any(|activity| matches!(activity, Activity::Task { task: own, .. } if *own == task))
    }

    /// The shortest logical execution time of a task in any program of its module, in ticks. Its outputs don't become
    /// visible more often than that. Nothing if no mode invokes it.
    pub(super) fn shortest(&self, module: &timing::Module, task: usize) -> Option<Duration> {
        let others = self.bodies.iter().filter(|body| body.body.name == module.name);
        let modes = others.flat_map(|body| &body.body.modes).chain(&module.modes);
        let lengths = modes.flat_map(|mode| {
            let own = mode.activities.iter();
            let own =
                own.filter(|activity| matches!(activity, Activity::Task { task: own, .. } if *own == task));
            own.map(|activity| Invocation::of(mode, activity).shortest)
        });
        self.whole(lengths.min()?)
    }

    fn whole(&self, microseconds: u64) -> Option<Duration> {
        let tick = self.description.board.board.tick.get().max(1);
        let nanoseconds = microseconds.checked_mul(1000)?;
        nanoseconds.is_multiple_of(tick).then(|| Duration::from_ticks(nanoseconds / tick))
    }
}

fn invocations(module: &timing::Module, task: usize) -> Vec<Invocation> {
    let invoked = |activity: &&Activity| matches!(activity, Activity::Task { task: own, .. } if *own == task);
    let invocations = module.modes.iter().filter_map(|mode| {
        let activity = mode.activities.iter().find(invoked)?;
        Some(Invocation::of(mode, activity))
    });
    invocations.collect()
}

/// A task in one mode, in microseconds.
struct Invocation {
    shortest: u64,
    longest: u64,
    /// Between the starts of its logical execution times, period after period.
    separation: u64,
    /// From the start of the mode to the first release.
    first: u64,
    /// The least time from a release to a switch, if the mode has any.
    to_switch: Option<u64>,
}

impl Invocation {
    fn of(mode: &Mode, activity: &Activity) -> Invocation {
        let windows = windows(mode, activity);
        let lengths = || windows.iter().map(|window| window.length().0);
        let starts = || windows.iter().map(|window| window.start.0);
        let next = starts().skip(1).chain(starts().next().map(|first| first.saturating_add(mode.period.0)));
        let separation = starts().zip(next).map(|(start, next)| next.saturating_sub(start)).min();
        let slot = activity.duration(mode.period).0;
        let is_every_slot = matches!(activity, Activity::Task { slots, .. } if slots.is_empty());
        let until = mode.switches.iter().flat_map(|switch| {
            let every = mode.period.0 / u64::from(switch.frequency);
            windows
                .iter()
                .map(move |window| window.end.0.next_multiple_of(every).saturating_sub(window.start.0))
        });
        Invocation {
            shortest: lengths().min().unwrap_or(slot),
            longest: lengths().max().unwrap_or(slot),
            separation: if is_every_slot { slot } else { separation.unwrap_or(slot) },
            first: starts().next().unwrap_or(0),
            // A switch comes at the end of a slot, and every one is used.
            to_switch: if is_every_slot && !mode.switches.is_empty() { Some(slot) } else { until.min() },
        }
    }
}

/// One stands for all if every slot is used alone.
fn windows(mode: &Mode, activity: &Activity) -> Vec<Window> {
    match activity {
        Activity::Task { slots, .. } if !slots.is_empty() => activity.windows(mode.period).collect(),
        _ => vec![Window { start: Microseconds(0), end: activity.duration(mode.period) }],
    }
}
