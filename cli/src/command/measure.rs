//! `beryl measure`: what jobs take on the emulated board, by path, and what to declare.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::measured::{Paths, Subject, measure};
use beryl_builder::{Project, emulator, image};

use crate::SystemFolder;
use crate::bounded;
use crate::command::board::Chosen;
use crate::command::sim::{Program, Recipe, end};
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, load, names_of, workshop};
use crate::measured::{Case, Measured, show};

/// Count the instructions of each job on the emulated board, and propose what to declare.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl measure examples/helicopter --for 4s
  beryl measure examples/helicopter --plant-seed 1 --plant-seed 2 --margin 50
  beryl measure examples/helicopter --case out/helicopter/sim.run   a recorded run is a case, too
  beryl measure examples/helicopter --job control                   the paths of one task, thread or driver

What was measured is no bound: there may be a longer path that no case took. `beryl check` shows it beside what is
declared.")]
pub struct Measure {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    span: Span,
    /// A case: a run with this seed of the environment [1, where no case is named].
    #[arg(long, value_name = "SEED")]
    plant_seed: Vec<u64>,
    /// A case: the run of the simulator that left this sim.run.
    #[arg(long, value_name = "FILE")]
    case: Vec<PathBuf>,
    /// Show the paths of this task, thread or driver.
    #[arg(long, value_name = "NAME")]
    job: Option<String>,
    /// How much more than was measured is proposed, in percent.
    #[arg(long, default_value_t = 20, value_name = "PERCENT", value_parser = clap::value_parser!(u16).range(0..=1000))]
    margin: u16,
    /// How often the loop of a `// bound: NAME`, or each loop of a function without sources, goes round at most.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = number)]
    bound: Vec<(String, u64)>,
}

fn number(text: &str) -> Result<(String, u64), String> {
    let (name, number) = text.rsplit_once('=').ok_or("write NAME=NUMBER")?;
    let number = number.parse().map_err(|reason| format!("`{number}`: {reason}"))?;
    Ok((name.to_owned(), number))
}

impl Measure {
    /// Simulates and runs each case, counts, and keeps the result for `beryl check`.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        let subjects = self.subjects(&project)?;
        let cases = self.cases(&project)?;
        let board = project.description.board.board.value;
        emulator::require(board, "not measured")?;
        let mut jobs: BTreeMap<Subject, Paths> = BTreeMap::new();
        let place = Place::of(&project, "measured");
        let program = Program::build(&project, place.clone(), console)?;
        let built = image::build(&project, &workshop(), |step| console.step(step))?;
        let names = names_of(&project)?;
        for (case, recipe) in &cases {
            let simulated = program.run(recipe, &names, console)?;
            console.step(format_args!("measuring on {}: {}", board.name, case.words()));
            let length = Span { length: case.length() };
            let window = simulated.accesses.window_without_trace(board, end(&project, length))?;
            for (subject, paths) in measure(&project, &built, &workshop(), &window, &place.scratch())? {
                let known = jobs.entry(subject).or_default();
                for (hash, way) in paths {
                    known.entry(hash).and_modify(|known| known.jobs += way.jobs).or_insert(way);
                }
            }
        }
        console.step("looking for the longest path");
        let given = self.bound.iter().cloned().collect();
        let mut rows = Vec::new();
        for subject in subjects {
            let bound = bounded::bound(&project, subject, &given);
            rows.push((subject, jobs.remove(&subject).unwrap_or_default(), bound));
        }
        let cases = cases.into_iter().map(|(case, _)| case).collect();
        let measured = Measured::new(&project, cases, rows)?;
        let kept = measured.keep(&project)?;
        let is_kept = show(&project, &measured, self.margin, self.job.as_deref(), console);
        console.say(format_args!("  kept for `beryl check` in {}", kept.display()));
        Ok(ExitCode::from(if is_kept { WELL } else { REFUSED }))
    }

    fn subjects(&self, project: &Project) -> Result<Vec<Subject>, Failure> {
        let subjects = Subject::all(project);
        let names: Vec<_> = subjects.iter().map(|subject| format!("`{}`", subject.name(project))).collect();
        if let Some(wanted) = &self.job
            && subjects.iter().all(|subject| subject.name(project) != wanted)
        {
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(anyhow!("`{wanted}` has no jobs; these have: {there}").into());
        }
        if subjects.is_empty() {
            return Err(anyhow!(
                "nothing in this system has jobs with a `worst`: neither tasks, drivers, nor threads with a `period` or a `separation`"
            )
            .into());
        }
        Ok(subjects)
    }

    /// The cases, each with the run that gives its values.
    fn cases(&self, project: &Project) -> Result<Vec<(Case, Recipe)>, Failure> {
        let mut seeds = self.plant_seed.clone();
        if seeds.is_empty() && self.case.is_empty() {
            seeds.push(1);
        }
        let length = self.span.length.get();
        let with_seed = |plant_seed| {
            let recipe = Recipe { length, plant_seed, ..Recipe::of(&project.folder) };
            (Case { plant_seed, length_ns: length, of: None }, recipe)
        };
        let mut cases: Vec<_> = seeds.into_iter().map(with_seed).collect();
        for file in &self.case {
            let recipe = Recipe::read(file)?;
            let same = |one: &PathBuf| one.canonicalize().ok();
            if same(&recipe.folder) != same(&project.folder) {
                return Err(anyhow!(
                    "{} is a run of {}, not of {}: name a run of this system",
                    file.display(),
                    recipe.folder.display(),
                    project.folder.display()
                )
                .into());
            }
            let of = Some(file.display().to_string());
            cases.push((Case { plant_seed: recipe.plant_seed, length_ns: recipe.length, of }, recipe));
        }
        Ok(cases)
    }
}
