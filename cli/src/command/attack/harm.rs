//! What became of everybody else in a run with a hostile process, beside the same run without one.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use beryl_abi::{Fault, FaultKind, Range, ThreadId};
use beryl_builder::Project;
use beryl_builder::assembly::{Home, Role};
use beryl_builder::plan::SHARED_WORDS;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::{History, Outcome};
use beryl_trace::{Event, Happening, Names, decode};

use super::linked::Linked;

/// A run, as far as it is looked at.
pub struct Run {
    events: Vec<Event>,
    history: History,
    /// The system's memory at the end.
    memory: Vec<u8>,
    /// The raw records.
    pub trace: Vec<u8>,
    /// What the hostile process did, if there was one.
    pub misdeeds: Misdeeds,
}

/// What was done, as the simulation program writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misdeeds {
    /// How often, by kind.
    pub counts: BTreeMap<String, u64>,
    /// The faults, in their order.
    pub faults: Vec<(ThreadId, FaultKind, u32)>,
}

/// A thread that a hostile process made late, or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmed {
    /// Who, if anybody.
    pub thread: Option<ThreadId>,
    /// What, in words.
    pub what: String,
}

/// What the kernel tells of a job that has used more than it may.
const OVERRUN: &str = "overrun";

/// Who, and what.
type Trouble = (ThreadId, &'static str);

/// The system and who is hostile in it.
pub struct Scene<'a> {
    /// The system.
    pub project: &'a Project,
    /// Its names.
    pub names: &'a Names,
    /// Which processes have to do with each other.
    pub linked: &'a Linked,
    /// The hostile process.
    pub hostile: usize,
    /// Whether steps of the kernel take time. Then part of it is charged to whose job they belong to, or to whoever
    /// goes on behind them, so that jobs look longer than they are: with and without anybody hostile.
    pub has_costs: bool,
}

impl Misdeeds {
    /// Reads what the simulation program has written.
    pub fn parse(text: &str) -> Option<Misdeeds> {
        let mut misdeeds = Misdeeds::default();
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["did", name, count] => {
                    misdeeds.counts.insert(name.to_owned(), count.parse().ok()?);
                }
                ["fault", thread, kind, address] => {
                    let kind = FaultKind::decode(kind.parse().ok()?)?;
                    misdeeds.faults.push((ThreadId(thread.parse().ok()?), kind, address.parse().ok()?));
                }
                _ => return None,
            }
        }
        Some(misdeeds)
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }
}

impl Run {
    /// A run by its records.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn new(trace: Vec<u8>, memory: Vec<u8>, misdeeds: Misdeeds) -> Result<Run> {
        let events = decode(&trace).context("the trace of the simulation is damaged")?;
        Ok(Run { history: History::of(&events), events, memory, trace, misdeeds })
    }

    /// Faults as they were told.
    fn faults(&self) -> impl Iterator<Item = (ThreadId, Fault)> {
        self.events.iter().filter_map(|event| match event.happening {
            Happening::Fault { thread, fault } => Some((thread, fault)),
            _ => None,
        })
    }
}

impl Scene<'_> {
    /// Everything that the others suffer in a run, and don't in the usual one.
    pub fn harmed(&self, run: &Run, usual: &Run) -> Vec<Harmed> {
        let mut harmed = self.late(run, usual);
        harmed.extend(self.untold_late(run, usual));
        harmed.extend(self.misnamed(run));
        harmed.extend(self.untold_faults(run));
        harmed.extend(self.changed_values(run, usual));
        harmed.extend(self.changed_memory(run, usual));
        harmed
    }

    /// What the kernel tells of them: misses, violations, overruns.
    fn late(&self, run: &Run, usual: &Run) -> Vec<Harmed> {
        let (now, before) = (self.troubles(run), self.troubles(usual));
        let overran: BTreeSet<ThreadId> =
            now.keys().filter(|(_, label)| *label == OVERRUN).map(|(thread, ..)| *thread).collect();
        let more =
            now.into_iter().filter(|(what, count)| before.get(what).is_none_or(|before| before < count));
        let more = more.filter(|((thread, ..), _)| !self.has_costs || !overran.contains(thread));
        let harmed = |((thread, label), count): (Trouble, usize)| {
            let often = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            Harmed { thread: Some(thread), what: format!("{label} {often}") }
        };
        more.map(harmed).collect()
    }

    fn troubles(&self, run: &Run) -> BTreeMap<Trouble, usize> {
        let mut troubles = BTreeMap::new();
        let told = run.events.iter().filter(|event| !matches!(event.happening, Happening::Fault { .. }));
        let told = told.filter_map(|event| Incident::of(event, &run.history, self.names));
        for told in told.filter(|told| told.is_trouble) {
            let Some(thread) = told.thread.filter(|thread| !self.is_hostile(*thread)) else { continue };
            *troubles.entry((thread, told.label)).or_default() += 1;
        }
        troubles
    }

    /// Jobs whose deadline is over, of which nothing is told; and jobs that never were.
    fn untold_late(&self, run: &Run, usual: &Run) -> Vec<Harmed> {
        let mut harmed = Vec::new();
        for (index, thread) in self.threads() {
            let jobs = run.history.jobs_of(thread);
            let open =
                jobs.filter(|job| job.outcome == Outcome::Open && job.deadline < run.history.span.1).count();
            if open > 0 {
                harmed.push(Harmed { thread: Some(thread), what: "late, and nothing told of it".to_owned() });
            }
            let count = |run: &Run| run.history.jobs_of(thread).count();
            let is_its_own = self.is_independent(self.project.assembly.threads[index].process);
            if is_its_own && count(run) != count(usual) {
                let what = format!("released {} times instead of {}", count(run), count(usual));
                harmed.push(Harmed { thread: Some(thread), what });
            }
        }
        harmed
    }

    /// Faults that are told of somebody who did nothing.
    fn misnamed(&self, run: &Run) -> Vec<Harmed> {
        let wrong = run.faults().filter(|(thread, _)| !self.is_hostile(*thread));
        wrong
            .map(|(thread, fault)| Harmed {
                thread: None,
                what: format!(
                    "{} is told to have faulted: {}",
                    self.names.thread(thread),
                    fault.kind.words()
                ),
            })
            .collect()
    }

    /// Faults that aren't told as what they were, of who did them.
    fn untold_faults(&self, run: &Run) -> Vec<Harmed> {
        let mut told: BTreeMap<ThreadId, Vec<(FaultKind, u32)>> = BTreeMap::new();
        for (thread, fault) in run.faults() {
            told.entry(thread).or_default().push((fault.kind, fault.address));
        }
        let mut harmed = Vec::new();
        let mut next: BTreeMap<ThreadId, usize> = BTreeMap::new();
        for (thread, kind, address) in &run.misdeeds.faults {
            let from = next.entry(*thread).or_default();
            let rest = told.get(thread).and_then(|told| told.get(*from..)).unwrap_or_default();
            match rest.iter().position(|told| *told == (*kind, *address)) {
                Some(place) => *from += place + 1,
                None => harmed.push(Harmed {
                    thread: None,
                    what: format!("a fault of {} isn't told: {}", self.names.thread(*thread), kind.words()),
                }),
            }
        }
        harmed
    }

    /// What the drivers of processes moved that have nothing to do with the hostile one.
    fn changed_values(&self, run: &Run, usual: &Run) -> Vec<Harmed> {
        let assembly = &self.project.assembly;
        let moved = |run: &Run, process: usize| -> Vec<(usize, Vec<u8>)> {
            let events = run.events.iter().filter_map(|event| match &event.happening {
                Happening::Driver { driver, value, .. } => Some((driver.index(), value.clone())),
                _ => None,
            });
            let is_its =
                |driver: usize| assembly.drivers.get(driver).is_some_and(|row| row.process == process);
            events.filter(|(driver, _)| is_its(*driver)).collect()
        };
        let differs = |process: &usize| moved(run, *process) != moved(usual, *process);
        let changed = self.unharmed(run, usual).into_iter().filter(differs);
        changed.map(|process| self.of_process(process, "other values were moved")).collect()
    }

    /// The memory of the same processes, where no job is at work.
    fn changed_memory(&self, run: &Run, usual: &Run) -> Vec<Harmed> {
        let rest = |process: &usize| self.is_at_rest(*process, run) && self.is_at_rest(*process, usual);
        let differs = |process: &usize| {
            let ranges = self.memory_of(*process);
            ranges.into_iter().any(|range| self.bytes(range, run) != self.bytes(range, usual))
        };
        let changed = self.unharmed(run, usual).into_iter().filter(rest).filter(differs);
        changed.map(|process| self.of_process(process, "its memory changed")).collect()
    }

    /// The memory of a process, its state messages, and the stacks of its threads without the words that they share
    /// with the kernel.
    fn memory_of(&self, process: usize) -> Vec<Range> {
        let (assembly, places) = (&self.project.assembly, &self.project.places);
        let own = places.memories.get(process).and_then(|memories| memories.first()).copied();
        let size = assembly.cells.size(Home::State(process));
        let states = Range::new(places.home(Home::State(process)), size);
        let stacks = assembly.threads.iter().zip(&places.stacks);
        let stacks = stacks.filter(|(thread, _)| thread.process == process && thread.role.is_applications());
        let stacks =
            stacks.map(|(_, stack)| Range::new(stack.address, stack.length.saturating_sub(SHARED_WORDS)));
        own.into_iter().chain([states]).chain(stacks).collect()
    }

    fn bytes<'a>(&self, range: Range, run: &'a Run) -> &'a [u8] {
        let base = self.project.description.board.board.ram.base;
        let start = range.address.saturating_sub(base);
        let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
        run.memory.get(at(start)..at(start.saturating_add(range.length))).unwrap_or_default()
    }

    /// Whether no thread of a process is at work at the end.
    fn is_at_rest(&self, process: usize, run: &Run) -> bool {
        self.threads().filter(|(index, _)| self.project.assembly.threads[*index].process == process).all(
            |(index, thread)| match self.project.assembly.threads[index].role {
                Role::Free { .. } => false,
                _ => run.history.jobs_of(thread).all(|job| job.end.is_some()),
            },
        )
    }

    /// The processes that have nothing to do with the hostile one, and aren't late.
    fn unharmed(&self, run: &Run, usual: &Run) -> Vec<usize> {
        let late: BTreeSet<ThreadId> =
            self.late(run, usual).into_iter().filter_map(|harmed| harmed.thread).collect();
        let is_late = |process: usize| {
            self.threads().any(|(index, thread)| {
                self.project.assembly.threads[index].process == process && late.contains(&thread)
            })
        };
        let processes = 0..self.project.assembly.processes.len();
        processes.filter(|process| self.is_independent(*process) && !is_late(*process)).collect()
    }

    fn is_independent(&self, process: usize) -> bool {
        process != self.hostile && !self.linked.are(self.hostile, process)
    }

    fn of_process(&self, process: usize, what: &str) -> Harmed {
        let name = self.project.assembly.processes.get(process).map_or("", |process| process.name.as_str());
        Harmed { thread: None, what: format!("process {name}: {what}") }
    }

    /// The threads of the others, with their indices.
    fn threads(&self) -> impl Iterator<Item = (usize, ThreadId)> {
        let threads = self.project.assembly.threads.iter().enumerate();
        let others = threads.filter(|(_, row)| row.process != self.hostile && row.role.is_applications());
        others.filter_map(|(index, _)| u8::try_from(index).ok().map(|number| (index, ThreadId(number))))
    }

    fn is_hostile(&self, thread: ThreadId) -> bool {
        let row = self.project.assembly.threads.get(thread.index());
        row.is_some_and(|row| row.process == self.hostile && !matches!(row.role, Role::Idle))
    }
}
