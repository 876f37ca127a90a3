//! Chains in the most naive way: tick by tick, all choices of switches at once, with a mark on the relevant
//! values.

use std::collections::BTreeSet;

use crate::chain::{Chain, Longest, Times};
use crate::rhythm::Rhythm;
use crate::ticks::Ticks;

/// One run, after an instant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    /// The mode of each module, and the time since its period began.
    at: Vec<(usize, u64)>,
    /// Whether the start modes begin at this instant.
    begins: bool,
    /// Whether the published value of each stage is marked.
    published: Vec<bool>,
    /// Whether the value read by each stage's job is marked; `None` if it has no job.
    read: Vec<Option<bool>>,
    /// Whether the value read by each stage's last job is marked, whether that is at work or not.
    last: Vec<bool>,
}

/// The value that the sensor delivers.
#[derive(Clone, Copy, PartialEq)]
enum Sensor {
    Marked,
    Unmarked,
}

/// The outcome of an instant.
struct Next {
    run: Run,
    /// Whether the sensor was read.
    sampled: bool,
    /// Whether the actuator was updated with a marked value.
    marked: bool,
}

/// The times of a chain, from every run.
pub fn times(chain: &Chain) -> Times {
    let idle = Run {
        at: chain.modules.iter().map(|module| (module.start, 0)).collect(),
        begins: true,
        published: vec![false; chain.stages()],
        read: vec![None; chain.stages()],
        last: vec![false; chain.stages()],
    };
    let (mut known, mut open) = (BTreeSet::new(), Vec::new());
    let mut latency = Longest::Never;
    let mut age = ages(chain, instant(chain, &idle, Sensor::Marked));
    let mut nexts = instant(chain, &idle, Sensor::Unmarked);
    loop {
        open.extend(nexts.into_iter().map(|next| next.run).filter(|run| known.insert(run.clone())));
        let Some(run) = open.pop() else { return Times { latency, age } };
        if latency != Longest::Unbounded {
            latency = latency.max(latencies(chain, &run));
        }
        if age != Longest::Unbounded {
            age = age.max(ages(chain, instant(chain, &later(&run), Sensor::Marked)));
        }
        nexts = instant(chain, &later(&run), Sensor::Unmarked);
    }
}

/// The same one tick later, before anything happens.
fn later(run: &Run) -> Run {
    let at = run.at.iter().map(|(mode, since)| (*mode, since + 1)).collect();
    Run { at, ..run.clone() }
}

/// From a change after a run so far, until an update is marked in all its continuations.
fn latencies(chain: &Chain, run: &Run) -> Longest {
    let mut runs = Runs::new(BTreeSet::from([run.clone()]));
    loop {
        let next = runs.all.iter().flat_map(|run| instant(chain, &later(run), Sensor::Marked));
        runs.follow(next.filter(|next| !next.marked).map(|next| next.run).collect());
        if runs.all.is_empty() {
            return Longest::Within(Ticks::new(runs.time));
        } else if runs.repeats() {
            return Longest::Unbounded;
        }
    }
}

/// From a sample that has just been marked to the last marked update.
fn ages(chain: &Chain, sampled: Vec<Next>) -> Longest {
    let marked = sampled.iter().any(|next| next.marked);
    let mut age = if marked { Longest::Within(Ticks::ZERO) } else { Longest::Never };
    let runs = sampled.into_iter().filter(|next| next.sampled).map(|next| next.run);
    let mut runs = Runs::new(runs.collect());
    let has_marks = |run: &Run| {
        run.published.contains(&true) || run.read.contains(&Some(true)) || run.last.contains(&true)
    };
    loop {
        let next = runs.all.iter().flat_map(|run| instant(chain, &later(run), Sensor::Unmarked));
        let next: Vec<_> = next.collect();
        let marked = next.iter().any(|next| next.marked);
        runs.follow(next.into_iter().map(|next| next.run).filter(has_marks).collect());
        if marked {
            age = Longest::Within(Ticks::new(runs.time));
        }
        if runs.all.is_empty() {
            return age;
        } else if runs.repeats() {
            // A leftover value that is never used again doesn't count.
            let is_used = age > Longest::Within(Ticks::new(runs.anchored));
            return if is_used { Longest::Unbounded } else { age };
        }
    }
}

/// All runs at one time, and those of an earlier time: if they are the same, everything repeats.
struct Runs {
    time: u64,
    all: BTreeSet<Run>,
    anchored: u64,
    anchor: BTreeSet<Run>,
}

impl Runs {
    fn new(all: BTreeSet<Run>) -> Runs {
        Runs { time: 0, anchored: 0, anchor: all.clone(), all }
    }

    fn follow(&mut self, all: BTreeSet<Run>) {
        if self.time.is_power_of_two() {
            (self.anchored, self.anchor) = (self.time, self.all.clone());
        }
        (self.time, self.all) = (self.time + 1, all);
    }

    fn repeats(&self) -> bool {
        self.all == self.anchor
    }
}

/// Whether a rhythm has an instant since the beginning of a mode; at instant 0, those of a period's end.
fn is_due(rhythm: &Rhythm, since: u64, period: Ticks) -> bool {
    match rhythm {
        Rhythm::Every(every) => since.is_multiple_of(every.get()),
        Rhythm::At(instants) => instants.iter().any(|at| at.get() == since || since == 0 && *at == period),
    }
}

/// All possible outcomes of an instant, by the rules of the language.
fn instant(chain: &Chain, run: &Run, sensor: Sensor) -> Vec<Next> {
    let mut run = run.clone();
    // Outputs.
    for (module, (mode, since)) in run.at.clone().into_iter().enumerate() {
        let mode = &chain.modules[module].modes[mode];
        for jobs in &mode.jobs {
            if jobs.windows.iter().any(|(_, end)| end.get() == since)
                && let Some(marked) = run.read[jobs.stage].take()
            {
                run.published[jobs.stage] = marked;
            }
        }
    }
    // Actuators.
    let is_marked = |run: &Run, stage: usize| match stage {
        0 => sensor == Sensor::Marked,
        stage => run.published[stage - 1],
    };
    let mut updated = false;
    for (module, (mode, since)) in run.at.iter().enumerate() {
        let mode = &chain.modules[module].modes[*mode];
        let updates = mode.updates.as_ref().filter(|updates| updates.carries);
        updated |= updates.is_some_and(|updates| is_due(&updates.come, *since, mode.period));
    }
    // Switches: to which mode, when in it, and whether it begins.
    let mut ways = vec![Vec::new()];
    for (module, (mode, since)) in run.at.iter().enumerate() {
        let row = &chain.modules[module].modes[*mode];
        let mut targets = Vec::new();
        let mut stays = true;
        for switch in &row.switches {
            if stays && is_due(&switch.tested, *since, row.period) {
                targets.push((switch.target, 0, true));
                stays = !switch.always;
            }
        }
        if stays {
            targets.push((*mode, since % row.period.get(), run.begins));
        }
        ways = ways
            .iter()
            .flat_map(|way: &Vec<_>| targets.iter().map(|to| [way.as_slice(), &[*to]].concat()))
            .collect();
    }
    // Releases.
    let releases = |way: Vec<(usize, u64, bool)>| {
        let enters = |(module, (mode, _, begins)): (usize, &(usize, u64, bool))| {
            *begins && chain.modules[module].modes[*mode].enters
        };
        let updated = updated || way.iter().enumerate().any(enters);
        let marked = updated && is_marked(&run, chain.stages());
        let at = way.into_iter().map(|(mode, since, _)| (mode, since)).collect();
        let mut run = Run { at, begins: false, ..run.clone() };
        let mut sampled = updated && chain.stages() == 0;
        let at = run.at.clone();
        let due = at.iter().zip(&chain.modules).flat_map(|((mode, since), module)| {
            module.modes[*mode].jobs.iter().map(move |jobs| (jobs, *since))
        });
        let due: Vec<_> = due.collect();
        for stage in 0..chain.stages() {
            for (jobs, since) in due.iter().filter(|(jobs, _)| jobs.stage == stage) {
                if jobs.windows.iter().any(|(start, _)| start.get() == *since) {
                    assert_eq!(run.read[jobs.stage], None, "a job at a time");
                    let marked = if jobs.at_once { run.last[stage - 1] } else { is_marked(&run, stage) };
                    let marked = jobs.carries && marked;
                    (run.read[stage], run.last[stage]) = (Some(marked), marked);
                    sampled |= jobs.carries && jobs.stage == 0;
                }
            }
        }
        Next { run, sampled, marked }
    };
    ways.into_iter().map(releases).collect()
}
