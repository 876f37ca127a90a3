//! A campaign: one run after the other, each with one hostile process, and what came of it.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use beryl_abi::ThreadId;
use beryl_builder::Project;
use beryl_builder::proof::{Reliance, relied, stopped};
use beryl_trace::Names;
use serde_json::json;

use super::Attack;
use super::harm::{Harmed, Misdeeds, Run, Scene};
use super::linked::Linked;
use super::ways::{Misdeed, Ways, lines, programs};
use crate::command::sim::{Costs, Program, Recipe, Times};
use crate::console::{Console, Failure};
use crate::files::{Place, keep};

/// What has come of the runs so far.
pub struct Campaign<'a> {
    attack: &'a Attack,
    pub project: &'a Project,
    pub names: &'a Names,
    program: &'a Program,
    ways: Ways,
    linked: Linked,
    /// By process: on what the proofs of the others rest.
    relied: Vec<Vec<Reliance>>,
    /// By process.
    pub tallies: BTreeMap<usize, Tally>,
    /// How often each misdeed was.
    pub counts: BTreeMap<String, u64>,
    /// What was guaranteed and isn't so, with the run that shows it.
    pub broken: Vec<Broken>,
    /// Who was late because of something that is only believed: by process and thread, with how many runs.
    pub believed: BTreeMap<(usize, usize), u64>,
    told: Instant,
}

/// The outcomes of the runs in which a process was hostile.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub runs: u64,
    pub misdeeds: u64,
    pub faults: u64,
    /// Nobody else noticed anything.
    pub quiet: u64,
    /// Somebody was late because of something that is only believed.
    pub believed: u64,
    /// Something that is guaranteed wasn't so.
    pub broken: u64,
}

/// Something guaranteed that isn't so.
pub struct Broken {
    pub process: usize,
    /// In words.
    pub what: String,
    /// The options that repeat the run.
    pub again: String,
}

impl<'a> Campaign<'a> {
    pub fn new(
        attack: &'a Attack,
        project: &'a Project,
        names: &'a Names,
        program: &'a Program,
        ways: Ways,
    ) -> Campaign<'a> {
        let processes = 0..project.assembly.processes.len();
        let stopped = stopped(project);
        Campaign {
            attack,
            project,
            names,
            program,
            ways,
            linked: Linked::of(project),
            relied: processes.map(|process| relied(project, &stopped, process)).collect(),
            tallies: BTreeMap::new(),
            counts: BTreeMap::new(),
            broken: Vec::new(),
            believed: BTreeMap::new(),
            told: Instant::now(),
        }
    }

    /// How many misdeeds there were.
    pub fn misdeeds(&self) -> u64 {
        self.counts.values().sum()
    }

    /// On what in a process the proof of a thread rests.
    pub fn reasons(&self, process: usize, thread: usize) -> impl Iterator<Item = &str> {
        let rows = self.relied.get(process).into_iter().flatten();
        rows.filter(move |row| row.whom.contains(&thread)).map(|row| row.said.as_str())
    }

    /// How many threads of other processes nothing that a process does may make late, and how many there are.
    pub fn guaranteed(&self, process: usize) -> (usize, usize) {
        let threads = self.project.assembly.threads.iter().enumerate();
        let others: Vec<_> = threads
            .filter(|(_, row)| row.process != process && row.role.is_applications())
            .map(|(index, _)| index)
            .collect();
        let sure = others.iter().filter(|thread| self.reasons(process, **thread).next().is_none());
        (sure.count(), others.len())
    }

    /// Lets a process be hostile in one run.
    pub fn attack(
        &mut self,
        number: u64,
        process: usize,
        turn: u64,
        console: &Console,
    ) -> Result<(), Failure> {
        if self.told.elapsed() > Duration::from_secs(1) {
            self.told = Instant::now();
            console.step(format_args!("run {}: {} misdeeds so far", number + 1, self.misdeeds()));
        }
        let seed = self.attack.seed.saturating_add(number);
        let misdeeds: Vec<Misdeed> = self.ways.of(turn).to_vec();
        let costs = self.attack.costs.unwrap_or_else(|| self.ways.costs(number, turn));
        let again = self.again(process, seed, &misdeeds, costs);
        let recipe = Recipe {
            length: self.attack.length.get(),
            times: Times::Random,
            seed,
            costs,
            ..Recipe::of(&self.attack.folder)
        };
        let usual = self.execute(&recipe, None)?;
        let (done, harmed, trace) = match self.execute(&recipe, Some((process, &misdeeds))) {
            Ok(run) => {
                let scene = Scene {
                    project: self.project,
                    names: self.names,
                    linked: &self.linked,
                    hostile: process,
                    has_costs: costs != Costs::None,
                };
                let harmed = scene.harmed(&run, &usual);
                (run.misdeeds, harmed, run.trace)
            }
            Err(reason) => {
                let what = format!("the run didn't come to its end: {reason:#}");
                (Misdeeds::default(), vec![Harmed { thread: None, what }], Vec::new())
            }
        };
        let was_whole = self.broken.is_empty();
        self.note(process, &done, &harmed, &again, console);
        if was_whole && !self.broken.is_empty() {
            keep(&Place::of(self.project, "attack"), self.names, &trace)?;
        }
        Ok(())
    }

    fn execute(&self, recipe: &Recipe, hostile: Option<(usize, &[Misdeed])>) -> Result<Run> {
        let [memory, misdeeds] = ["memory.bin", "misdeeds.txt"].map(|name| self.program.scratch(name));
        let mut options = vec!["--memory".to_owned(), memory.display().to_string()];
        if let Some((process, kinds)) = hostile {
            let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            let lines: Vec<_> = lines(self.project, process).iter().map(u16::to_string).collect();
            let programs = programs(self.project, process, recipe.seed);
            let who = format!("{process}@{}@{}@{}@{programs}", recipe.seed, kinds.join("."), lines.join("."));
            let file = misdeeds.display().to_string();
            options.extend(["--hostile".to_owned(), who, "--misdeeds".to_owned(), file]);
        }
        let raw = self.program.execute_with(recipe, &options)?;
        let left = |path| fs::read(path).context("the simulation left no memory or misdeeds");
        let done = match hostile {
            None => Misdeeds::default(),
            Some(_) => {
                let text = String::from_utf8(left(&misdeeds)?).context("misdeeds aren't text")?;
                Misdeeds::parse(&text).context("misdeeds that aren't known")?
            }
        };
        Run::new(raw.trace, left(&memory)?, done)
    }

    fn note(&mut self, process: usize, done: &Misdeeds, harmed: &[Harmed], again: &str, console: &Console) {
        let is_believed = |harmed: &&Harmed| {
            let thread = harmed.thread;
            let rests = |thread: ThreadId| self.reasons(process, thread.index()).next().is_some();
            thread.is_some_and(rests)
        };
        let (believed, broken): (Vec<_>, Vec<_>) = harmed.iter().partition(is_believed);
        let words = |harmed: &&Harmed| match harmed.thread {
            Some(thread) => format!("{}: {}", self.names.thread(thread), harmed.what),
            None => harmed.what.clone(),
        };
        let [believed_words, broken_words] =
            [&believed, &broken].map(|list| list.iter().map(words).collect::<Vec<_>>());
        console.object(&json!({
            "process": self.project.assembly.processes.get(process).map(|process| &process.name),
            "again": again, "misdeeds": done.counts, "faults": done.faults.len(),
            "believed": believed_words, "broken": broken_words,
        }));
        for (name, count) in &done.counts {
            *self.counts.entry(name.clone()).or_default() += count;
        }
        let threads: std::collections::BTreeSet<_> =
            believed.iter().filter_map(|harmed| harmed.thread).map(|thread| thread.index()).collect();
        for thread in threads {
            *self.believed.entry((process, thread)).or_default() += 1;
        }
        let tally = self.tallies.entry(process).or_default();
        tally.runs += 1;
        tally.misdeeds += done.count();
        tally.faults += u64::try_from(done.faults.len()).unwrap_or(u64::MAX);
        match (broken_words.is_empty(), believed_words.is_empty()) {
            (false, _) => tally.broken += 1,
            (true, false) => tally.believed += 1,
            (true, true) => tally.quiet += 1,
        }
        let broken = broken_words.into_iter().map(|what| Broken { process, what, again: again.to_owned() });
        self.broken.extend(broken);
    }

    /// The options that repeat a run.
    fn again(&self, process: usize, seed: u64, misdeeds: &[Misdeed], costs: Costs) -> String {
        let kinds: Vec<_> = misdeeds.iter().map(|misdeed| misdeed.name()).collect();
        let name = self.project.assembly.processes.get(process).map_or("", |process| process.name.as_str());
        let length = self.attack.length.get();
        format!(
            "--for {length}ns --processes {name} --misdeeds {} --costs {} --seed {seed} --runs 1",
            kinds.join(","),
            costs.name()
        )
    }
}
