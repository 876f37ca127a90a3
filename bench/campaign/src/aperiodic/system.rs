//! An application's system, as its description says it.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use beryl_analysis::Ticks;
use beryl_builder::Project;
use beryl_builder::board::MEASURED;

use super::Way;
use super::application::{Application, with_kernel};
use crate::trial::project;
use crate::written::Written;

/// What soft work tells when it is there.
pub const CAME: &str = "came";
/// What it tells when it is done.
pub const GONE: &str = "gone";

/// Under dual priorities so many places below soft work are left of the kernel's 32, where 16 hard tasks have one each
/// above it.
const BELOW: usize = 12;
/// That of a scheduler.
const TOP: usize = 31;

/// The name of what a hard task tells when a job is done.
pub fn end(task: usize) -> String {
    format!("end{task}")
}

fn thread(name: &str, priority: usize) -> String {
    format!(
        "[thread.{name}]\nprocess = \"one\"\nband = \"all\"\nentry = \"{name}\"\nstack = \"1024\"\n\
         priority = {priority}\n"
    )
}

fn uses(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    format!("uses = [{}]\n", names.join(", "))
}

impl Application {
    /// Its system; a server has so much of its period.
    pub fn project(&self, way: Way, budget: Option<Ticks>) -> Result<Project> {
        let mut text = format!(
            "[system]\nname = \"drawn\"\napplication = \"app\"\n[board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\n\
             [process.one]\nmemory = \"256\"\n[[band]]\nname = \"all\"\npolicy = \"fixed\"\n"
        );
        (0..self.tasks.len()).for_each(|task| text += &self.hard(task, way));
        text += &self.others(way, budget);
        let made = project(&Written { description: text, timing: String::new() })?;
        ensure!(1_000 % made.tick() == 0, "a microsecond isn't whole ticks");
        Ok(made)
    }

    /// A hard task. Under dual priorities it has a place below soft work and one above it.
    fn hard(&self, task: usize, way: Way) -> String {
        let row = &self.tasks[task];
        let is_dual = matches!(way, Way::Dual(_));
        let place = if is_dual { self.below(task) } else { self.tasks.len() - task + 1 };
        let mut text = thread(&format!("hard{task}"), place);
        // What the kernel takes for a job is counted by the proof that servers have; it is said here for others.
        let worst = if matches!(way, Way::Server(_)) { row.worst } else { with_kernel(row).worst };
        let _ = writeln!(text, "period = \"{}us\"\nworst = \"{}us\"", row.period.get(), worst.get());
        if is_dual {
            let _ = writeln!(text, "priorities = [{}, {}]", self.below(task), self.above(task));
        }
        if way.is_told() {
            text += &uses([format!("{}.notify", end(task))]);
        }
        text
    }

    /// Soft work, and who changes priorities.
    fn others(&self, way: Way, budget: Option<Ticks>) -> String {
        let count = self.tasks.len();
        match way {
            Way::Background => thread("soft", 1),
            Way::Server(rule) => {
                let (budget, every) = (budget.unwrap_or(Ticks::ZERO).get(), self.mean.get());
                thread("soft", count + 2)
                    + &format!(
                        "budget = \"{budget}us\"\nevery = \"{every}us\"\npolicy = \"{}\"\n",
                        rule.name()
                    )
            }
            Way::Dual(_) => {
                let changed = (0..count).map(|task| format!("hard{task}.priority")).collect();
                thread("soft", self.places_below() + 1) + &self.scheduler(way, changed)
            }
            Way::Slack { .. } => {
                let priorities = format!("priorities = [1, {}]\n", count + 2);
                thread("soft", count + 2)
                    + &priorities
                    + &self.scheduler(way, vec!["soft.priority".to_owned()])
            }
        }
    }

    /// What soft work tells, if it does, and who changes these priorities, perhaps told of ends and of that.
    fn scheduler(&self, way: Way, changed: Vec<String>) -> String {
        if !way.is_told() {
            return thread("scheduler", TOP) + &uses(changed);
        }
        let ends = (0..self.tasks.len()).map(end);
        let told: Vec<String> = ends.chain([CAME, GONE].map(str::to_owned)).collect();
        let waits = told.iter().map(|name| format!("{name}.wait"));
        let mut text = uses([CAME, GONE].map(|name| format!("{name}.notify")));
        text += &thread("scheduler", TOP);
        text += &uses(changed.into_iter().chain(waits));
        told.iter().for_each(|name| text += &format!("[notification.{name}]\n"));
        text
    }

    fn places_below(&self) -> usize {
        self.tasks.len().min(BELOW)
    }

    /// A hard task's priority before its promotion. Where there are too few, the least urgent tasks have one for two.
    pub fn below(&self, task: usize) -> usize {
        let places = self.places_below();
        let alone = 2 * places - self.tasks.len();
        places - if task < alone { task } else { alone + (task - alone) / 2 }
    }

    /// The same behind it: soft work is between.
    pub fn above(&self, task: usize) -> usize {
        self.places_below() + 1 + self.tasks.len() - task
    }
}
