//! Searching: the smallest seed, or the shortest execution times, with which a system fails.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use beryl_builder::Project;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::History;
use beryl_trace::{Names, decode};
use clap::ValueEnum;
use serde_json::json;

use super::program::Program;
use super::{Ending, NAME, Recipe, Sim, Times};
use crate::assertions::first_broken;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::Place;

/// What is searched through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Seeds of random execution times, from --seed on.
    Seeds,
    /// Execution times between best and worst, the same part for all jobs, by halving: longer ones are taken to
    /// fail if shorter ones do.
    Times,
}

/// The result of one try.
struct Tried {
    recipe: Recipe,
    /// The first thing that went wrong, in words; `None` if all was well.
    trouble: Option<String>,
}

impl Sim {
    /// Searches, and keeps the failing run as if it had been asked for.
    pub(super) fn search(
        &self,
        search: Search,
        recipe: Recipe,
        project: &Project,
        names: &Names,
        console: &Console,
    ) -> Result<u8, Failure> {
        let program = Program::build(project, Place::of(project, NAME), console)?;
        let mut attempt = Attempts { program: &program, names, console, count: 0, told: Instant::now() };
        let recipe = Recipe { until: recipe.until.or(Some(Ending::Trouble)), ..recipe };
        let found = match search {
            Search::Seeds => seeds(recipe, self.tries, &mut attempt)?,
            Search::Times => halves(recipe, &mut attempt)?,
        };
        let tries = attempt.count;
        let Some(Tried { recipe, trouble }) = found else {
            console.say(format_args!("nothing failed in {tries} tries"));
            console.object(&json!({ "found": null, "tries": tries }));
            return Ok(WELL);
        };
        let trouble = trouble.unwrap_or_default();
        let (what, option) = match search {
            Search::Seeds => {
                (format!("seed {}", recipe.seed), format!("--times random --seed {}", recipe.seed))
            }
            Search::Times => (
                format!("{} of the way from best to worst times", recipe.times.in_words()),
                format!("--times {}", recipe.times.option()),
            ),
        };
        console.say(format_args!("{what} is the smallest that fails, after {tries} tries: {trouble}"));
        console.say(format_args!("  {option} repeats it"));
        console.object(&json!({
            "found": { "seed": recipe.seed, "times": recipe.times, "trouble": trouble }, "tries": tries,
        }));
        let simulated = program.run(&recipe, names, console)?;
        self.show(&recipe, project, names, &simulated, console)?;
        Ok(REFUSED)
    }
}

/// The tries so far, and where progress is reported.
struct Attempts<'a> {
    program: &'a Program,
    names: &'a Names,
    console: &'a Console,
    count: u64,
    told: Instant,
}

impl Attempts<'_> {
    fn run(&mut self, recipe: Recipe) -> Result<Tried> {
        self.count += 1;
        if self.told.elapsed() > Duration::from_secs(1) {
            self.told = Instant::now();
            self.console.step(format_args!(
                "try {}: seed {}, times {}",
                self.count,
                recipe.seed,
                recipe.times.option()
            ));
        }
        let raw = self.program.execute(&recipe)?;
        let events = decode(&raw.trace).context("the trace of the simulation is damaged")?;
        let names = self.names;
        let history = History::of(&events);
        let mut told = events.iter().filter_map(|event| Incident::of(event, &history, names));
        let first = told.find(|told| told.is_trouble);
        let told = first.map(|told| {
            let thread = told.thread.map(|thread| format!("{}: ", names.thread(thread))).unwrap_or_default();
            format!("{thread}{} at {}", told.words, names.tick.logical(told.at))
        });
        let report =
            || format!("the environment says: {}", raw.report.trim().lines().next().unwrap_or_default());
        let broken = || first_broken(&names.assertions, &events, names);
        // If a run ended at its first trouble, the environment's report means nothing.
        let trouble = told.or_else(broken).or_else(|| (!raw.well).then(report));
        Ok(Tried { recipe, trouble })
    }
}

/// The first seed that fails.
fn seeds(recipe: Recipe, tries: u64, attempts: &mut Attempts) -> Result<Option<Tried>> {
    for seed in (recipe.seed..=u64::MAX).take(usize::try_from(tries).unwrap_or(usize::MAX)) {
        let tried = attempts.run(Recipe { seed, times: Times::Random, ..recipe.clone() })?;
        if tried.trouble.is_some() {
            return Ok(Some(tried));
        }
    }
    Ok(None)
}

/// The fewest thousandths that fail, if the longest times do.
fn halves(recipe: Recipe, attempts: &mut Attempts) -> Result<Option<Tried>> {
    let mut at = |thousandths| attempts.run(Recipe { times: Times::Between(thousandths), ..recipe.clone() });
    let mut smallest = at(1000)?;
    if smallest.trouble.is_none() {
        return Ok(None);
    }
    let (mut low, mut high) = (0, 1000);
    while low < high {
        let middle = (low + high) / 2;
        let tried = at(middle)?;
        match tried.trouble {
            Some(_) => (smallest, high) = (tried, middle),
            None => low = middle + 1,
        }
    }
    Ok(Some(smallest))
}
