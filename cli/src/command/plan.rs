//! `beryl plan`: which bands the tasks of a system could stand in, how much each would bear, and which to take.
//!
//! Candidates are those of combined static and dynamic scheduling (EMERALDS, section 5): tasks in the order of their
//! deadlines, the first in one or two dynamic bands, the others in a fixed band by deadline. Each is asked the same question
//! that `beryl check` asks, with drivers and kernel: how many times as long may everything take? For the threads of a fixed
//! band it proposes offsets, where these keep threads apart.

use std::process::ExitCode;

use beryl_analysis::sensitivity::{Factor, Speed, speed};
use beryl_analysis::{Policy, System};
use beryl_builder::proof::{Shift, arranged, offsets, unproved};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{Project, Variant};

use crate::SystemFolder;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::proof::{milliseconds, nanoseconds};

/// Propose bands, priorities and offsets.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  beryl plan examples/engine")]
pub struct Plan {
    #[command(flatten)]
    system: SystemFolder,
}

/// Bands that hold.
struct Candidate {
    /// How many tasks stand in each dynamic band; the others stand in a fixed one below.
    dynamic: Vec<usize>,
    system: System,
    speed: Speed,
}

impl Plan {
    /// Looks at all candidates and proposes one.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = Project::load(&self.system.folder, Variant::default())?;
        let all: usize = arranged(&project, &[]).bands.iter().map(|band| band.tasks.len()).sum();
        // Asynchronous tasks have their place, below all others.
        let count = all.saturating_sub(project.assembly.asynchronous.len());
        console.title(format!("Bands for {}", project.assembly.name));
        if all == 0 {
            console.say("  there is no task and no periodic thread, so there is nothing to place");
            return Ok(ExitCode::from(WELL));
        }
        let found = [alone(&project, &[]), alone(&project, &[count]), split(&project, count)];
        let two = found[2].as_ref().and_then(|best| split_again(&project, best.dynamic[0]));
        let found: Vec<_> = found.into_iter().chain([two]).collect();
        for (found, what) in found.iter().zip(KINDS) {
            tell(console, what, found.as_ref());
        }
        let best = found.into_iter().flatten().reduce(better);
        let Some(best) = best else {
            console.say(
                "\n  None holds. `beryl check` shows who is late first, and the shortest run that shows it.",
            );
            return Ok(ExitCode::from(REFUSED));
        };
        propose(console, &best);
        shift(&project, console, &best);
        for what in unproved(&project.assembly) {
            console.say(format_args!("  not counted: {what}"));
        }
        Ok(ExitCode::from(WELL))
    }
}

/// The most urgent priority of a fixed band.
const MOST_PRIORITY: usize = 31;

/// The kinds of candidates, in the order in which they are told.
const KINDS: [&str; 4] = [
    "a fixed band, by deadline",
    "a dynamic band",
    "a dynamic band above a fixed one",
    "two dynamic bands above a fixed one",
];

/// One candidate, if it holds.
fn alone(project: &Project, dynamic: &[usize]) -> Option<Candidate> {
    let system = arranged(project, dynamic);
    let speed = speed(&system).ok()?;
    Some(Candidate { dynamic: dynamic.to_vec(), system, speed })
}

/// The best of all with one dynamic band above a fixed one.
fn split(project: &Project, count: usize) -> Option<Candidate> {
    (1..count).filter_map(|size| alone(project, &[size])).reduce(better)
}

/// The best of all that part a dynamic band in two.
fn split_again(project: &Project, size: usize) -> Option<Candidate> {
    (1..size).filter_map(|first| alone(project, &[first, size - first])).reduce(better)
}

/// Whoever bears more; the simpler one, which comes first, if both bear the same.
fn better(one: Candidate, other: Candidate) -> Candidate {
    if other.speed.slowdown > one.speed.slowdown { other } else { one }
}

fn tell(console: &Console, what: &str, candidate: Option<&Candidate>) {
    let Some(candidate) = candidate else {
        console.say(format_args!("  {what:<38} doesn't hold, or isn't another one"));
        console.object(&serde_json::json!({ "bands": what, "holds": false }));
        return;
    };
    let slowdown = candidate.speed.slowdown;
    let times = if slowdown == Factor::MOST { "100".to_owned() } else { slowdown.to_string() };
    let sizes: Vec<_> = candidate.dynamic.iter().map(usize::to_string).collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!(" ({} dynamic)", sizes.join(" + ")) };
    console.say(format_args!("  {what:<38} holds if everything takes {times:>8} times as long{sizes}"));
    console.object(&serde_json::json!({
        "bands": what, "holds": true, "slowdown": times, "dynamic": candidate.dynamic,
    }));
}

/// Which offsets, and what they are good for.
fn shift(project: &Project, console: &Console, best: &Candidate) {
    // What can't be told without offsets isn't better with them.
    let shifts = offsets(project, &best.system).unwrap_or_default();
    if shifts.is_empty() {
        return;
    }
    console.title("Offsets: threads needn't all come at once");
    console.say(format_args!(
        "  {:<20} {:>12} {:>22} {:>14} {:>14}",
        "thread", "offset", "response at any offset", "with these", "saves in all"
    ));
    for Shift { name, offset, before, after, saves } in &shifts {
        let written = format!("\"{}\"", Nanoseconds::new(nanoseconds(project, *offset)));
        let [before, after, saves] =
            [before, after, saves].map(|time| (milliseconds(project, *time), nanoseconds(project, *time)));
        console
            .say(format_args!("  {name:<20} {written:>12} {:>22} {:>14} {:>14}", before.0, after.0, saves.0));
        console.object(&serde_json::json!({
            "thread": name, "offset_ns": nanoseconds(project, *offset), "response_ns": before.1,
            "response_with_offsets_ns": after.1, "saves_ns": saves.1,
        }));
    }
    console
        .say("  saves in all: by so much all responses together are shorter than if it came with the system");
    console.say("  Values that one of them reads of another are older or newer by the difference.");
}

/// What to write into the description.
fn propose(console: &Console, best: &Candidate) {
    console.title("Proposed: what bears most, and of equals the simplest");
    for band in &best.system.bands {
        let name = band.name.replace(' ', "_");
        let policy = if band.policy == Policy::Dynamic { "dynamic" } else { "fixed" };
        console.say(format_args!("  [[band]]\n  name = \"{name}\"\n  policy = \"{policy}\""));
        let last = band.tasks.len().saturating_sub(1);
        if band.policy == Policy::Fixed && last > MOST_PRIORITY {
            console.say(
                "  # more tasks than priorities: let neighbours share one, and see what `beryl check` says",
            );
        }
        for (position, task) in band.tasks.iter().enumerate() {
            let priority = match band.policy {
                Policy::Dynamic => String::new(),
                Policy::Fixed => format!(", priority = {}", last - position),
            };
            console.say(format_args!("    {}: band = \"{name}\"{priority}", task.name));
        }
    }
}
