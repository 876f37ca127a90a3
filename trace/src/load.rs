//! Load: how much of the processor's time was used, in windows that follow each other; of all threads together and of each.

use beryl_abi::{Instant, ThreadId};

use crate::clock::{LogicalInstant, Nanoseconds, Tick};
use crate::curve::{Curve, Step};
use crate::jobs::History;
use crate::names::{Names, ThreadKind};
use crate::track::Track;
use crate::value::Number;

/// What the curve of all threads is called; those of threads have ` of ` and their name behind it.
pub const LOAD: &str = "load";
/// What it is called where that name is another curve's: no name of a description has a star.
pub const LOAD_OF_ALL: &str = "load of *";
/// Its unit.
pub const UNIT: &str = "%";

/// When the processor was used.
#[derive(Clone, Debug)]
pub struct Load {
    tick: Tick,
    span: (Instant, Instant),
    /// All threads but those that are idle together, then each of them that ran.
    used: Vec<Used>,
}

/// When a thread had the processor, or all of them.
#[derive(Clone, Debug)]
struct Used {
    name: String,
    thread: Option<ThreadId>,
    track: Track,
}

impl Load {
    /// The load of a run.
    #[must_use]
    pub fn of(history: &History, names: &Names) -> Load {
        let mut of_thread = vec![Vec::new(); usize::from(u8::MAX) + 1];
        let mut together = Vec::new();
        let is_idle = |thread| names.known_thread(thread).is_some_and(|known| known.kind == ThreadKind::Idle);
        for run in history.runs.iter().filter(|run| !is_idle(run.thread)) {
            of_thread[run.thread.index()].push((run.from, run.to));
            together.push((run.from, run.to));
        }
        let all = Used { name: LOAD.to_owned(), thread: None, track: Track::of(together) };
        let own = (0..=u8::MAX).map(ThreadId).zip(of_thread).filter(|(_, runs)| !runs.is_empty());
        let own = own.map(|(thread, runs)| Used {
            name: format!("{LOAD} of {}", names.thread(thread)),
            thread: Some(thread),
            track: Track::of(runs),
        });
        Load { tick: names.tick, span: history.span, used: [all].into_iter().chain(own).collect() }
    }

    /// The same, beside some curves of values: if one of them is called as the curve of all threads, this one has its longer
    /// name.
    #[must_use]
    pub fn beside(self, values: &[Curve]) -> Load {
        match values.iter().any(|curve| curve.is_meant(LOAD)) {
            true => self.in_full(),
            false => self,
        }
    }

    /// The same; the curve of all threads has its longer name.
    #[must_use]
    pub fn in_full(mut self) -> Load {
        self.used
            .iter_mut()
            .filter(|used| used.thread.is_none())
            .for_each(|used| used.name = LOAD_OF_ALL.to_owned());
        self
    }

    /// The end of the run.
    #[must_use]
    pub fn end(&self) -> LogicalInstant {
        self.tick.logical(self.span.1)
    }

    /// The threads that the curves are of, in their order; the first is of all.
    pub fn threads(&self) -> impl Iterator<Item = Option<ThreadId>> {
        self.used.iter().map(|used| used.thread)
    }

    /// The curves between two instants, in percent of each window. Windows are so long, and begin at multiples of that; those
    /// at the ends of the run are as long as the run is in them.
    #[must_use]
    pub fn curves(&self, every: Nanoseconds, from: LogicalInstant, to: LogicalInstant) -> Vec<Curve> {
        let windows = self.windows(every, from, to);
        let curve = |used: &Used| Curve {
            name: used.name.clone(),
            unit: Some(UNIT.to_owned()),
            steps: windows.iter().map(|window| used.step(*window, self.tick)).collect(),
            end: self.end(),
            is_beside: false,
        };
        self.used.iter().map(curve).collect()
    }

    /// The windows that are between two instants, at least in part.
    fn windows(
        &self,
        every: Nanoseconds,
        from: LogicalInstant,
        to: LogicalInstant,
    ) -> Vec<(Instant, Instant)> {
        let every = every.number().max(1);
        let last = to.nanoseconds().min(self.end().nanoseconds());
        let at = |multiple: u64| {
            let instant = self.tick.instant(LogicalInstant::from_nanoseconds(multiple.saturating_mul(every)));
            instant.clamp(self.span.0, self.span.1)
        };
        let all = from.nanoseconds() / every..last.div_ceil(every);
        all.map(|window| (at(window), at(window.saturating_add(1)))).filter(|(from, to)| from < to).collect()
    }
}

impl Used {
    fn step(&self, (from, to): (Instant, Instant), tick: Tick) -> Step {
        let part = self.track.covered(from, to).ticks() as f64 / to.since(from).ticks() as f64;
        Step { at: tick.logical(from), number: Number::Double((part * 1e4).round() / 100.0) }
    }
}

/// A round length of windows of which a time has at most so many: 1, 2 or 5 times a power of ten, and no less than `least`.
#[must_use]
pub fn round(time: Nanoseconds, most: u64, least: Nanoseconds) -> Nanoseconds {
    let enough = time.number().div_ceil(most.max(1)).max(least.number());
    let steps = (0..=19)
        .flat_map(|power| [1, 2, 5].map(|factor| 10_u64.saturating_pow(power).saturating_mul(factor)));
    Nanoseconds::new(steps.into_iter().find(|step| *step >= enough).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
