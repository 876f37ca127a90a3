//! `beryl plan`: which bands the tasks of a system could be in, how much load each choice would bear, and
//! which one to take.
//!
//! Each proposal is built as it would appear in the files and put to the test of `beryl check`, by the same
//! function (`builder/src/placement.rs`): by what factor may everything take longer? For the threads of a
//! fixed band the command proposes offsets, where these keep threads apart.

use std::cmp::Reverse;
use std::process::ExitCode;

use beryl_analysis::sensitivity::Factor;
use beryl_builder::description::Policy;
use beryl_builder::placement::{Candidate, Found, How, Order, PlacedBand, search};
use beryl_builder::proof::judge::slowdown;
use beryl_builder::proof::{MOST_THREADS, Shift, movable, offsets, system, unproved};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{BuildError, Nodes, Parsed, Variant};

use crate::SystemFolder;
use crate::command::board::{Chosen, kept};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::nodes;
use crate::proof::{milliseconds, nanoseconds};

/// Propose bands, priorities and offsets.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  beryl plan examples/engine")]
pub struct Plan {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
}

impl Plan {
    /// Tries candidates of each kind and proposes one, for each node.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let (folder, variant) = (&self.system.folder, self.chosen.variant());
        let system = if variant.node.is_some() { None } else { Nodes::load(folder, variant)? };
        let Some(system) = system else {
            return Plan::propose(Parsed::read(folder, variant)?, console).map(ExitCode::from);
        };
        let mut code = WELL;
        for node in &system.parts {
            nodes::title(node, console);
            let variant = Variant { node: Some(kept(&node.name)), ..variant };
            code = code.max(Plan::propose(Parsed::read(folder, variant)?, console)?);
        }
        Ok(ExitCode::from(code))
    }

    /// The same for a system, or a part of one.
    fn propose(parsed: Parsed, console: &Console) -> Result<u8, Failure> {
        let project = parsed.clone().joined()?;
        console.title(format!("Bands for {}", project.assembly.name));
        if system(&project).bands.is_empty() {
            console.say("  there is no task and no periodic thread, so there is nothing to place");
            return Ok(WELL);
        }
        if project.assembly.has_partitions() {
            console.say("  bands of partitions stay as they are: whose windows whom should hold isn't a matter of urgency");
            return Ok(WELL);
        }
        if Order::of(&project).is_empty() {
            console.say("  all tasks are offered to programs of slots, so they stay where they are");
            return Ok(WELL);
        }
        let mut tell = |count| console.step(format_args!("looked at {count} ways to place them"));
        let found = search(&parsed, &project, &mut tell);
        found.iter().for_each(|found| show(console, found));
        if found.iter().any(|found| matches!(found.how, How::BorderByBorder(_))) {
            console.say("  border by border: each border is moved through all its places until none is better; others may be");
        }
        let Some(best) = best_that_fits(found, console)? else {
            console.say(
                "\n  None holds. `beryl check` shows who is late first, and the shortest run that shows it.",
            );
            return Ok(REFUSED);
        };
        propose(console, &best);
        shift(console, &parsed, &best);
        for what in unproved(&best.project.assembly) {
            console.say(format_args!("  not counted: {what}"));
        }
        Ok(WELL)
    }
}

/// The candidate that bears the most, of those whose kernels fit into the flash; on a tie the simpler one,
/// which comes first. `None` if none holds.
///
/// # Errors
/// If no kernel of a candidate that holds fits, with the bytes that the best one lacks; or if a kernel can't
/// be compiled.
fn best_that_fits(found: Vec<Found>, console: &Console) -> Result<Option<Candidate>, BuildError> {
    let mut candidates: Vec<_> = found.into_iter().filter_map(|found| found.best).collect();
    candidates.sort_by_key(|candidate| Reverse(candidate.slowdown));
    let mut too_large = None;
    for candidate in candidates {
        match candidate.project.settled(|what| console.step(what)) {
            Ok(project) => return Ok(Some(Candidate { project, ..candidate })),
            Err(refusal @ BuildError::Plan(_)) => too_large = too_large.or(Some(refusal)),
            Err(wrong) => return Err(wrong),
        }
    }
    too_large.map_or(Ok(None), Err)
}

fn show(console: &Console, found: &Found) {
    let Found { what, how, best } = found;
    let (how, method) = match how {
        How::Only => (String::new(), "the only one".to_owned()),
        How::BestOf(count) => (format!(", the best of all {count}"), format!("the best of all {count}")),
        How::BorderByBorder(count) => {
            (format!(", the best found border by border among {count}"), format!("border by border, {count}"))
        }
    };
    let Some(best) = best else {
        console.say(format_args!("  {what:<38} doesn't hold, or isn't another one"));
        console.object(&serde_json::json!({ "bands": what, "holds": false, "method": method }));
        return;
    };
    let slowdown = best.slowdown;
    let times = if slowdown == Factor::MOST { "100".to_owned() } else { slowdown.to_string() };
    let sizes: Vec<_> = best.dynamic.iter().map(usize::to_string).collect();
    let sizes =
        if sizes.is_empty() { String::new() } else { format!(" ({} dynamic{how})", sizes.join(" + ")) };
    console.say(format_args!("  {what:<38} holds if everything takes {times:>8} times as long{sizes}"));
    let bands: Vec<_> = best.placement.bands.iter().map(row).collect();
    console.object(&serde_json::json!({
        "bands": what, "holds": true, "slowdown": slowdown.to_string(), "dynamic": best.dynamic, "method": method,
        "proposal": bands,
    }));
}

/// A band as JSON.
fn row(band: &PlacedBand) -> serde_json::Value {
    let member = |member: &beryl_builder::placement::Member| match member.priority {
        Some(priority) => serde_json::json!({ "name": member.name, "priority": priority }),
        None => serde_json::json!({ "name": member.name }),
    };
    let members: Vec<_> = band.members.iter().map(member).collect();
    serde_json::json!({
        "name": band.band.name.value, "policy": policy(band.band.policy), "members": members,
    })
}

fn policy(policy: Policy) -> &'static str {
    match policy {
        Policy::Dynamic => "dynamic",
        Policy::Fixed => "fixed",
        Policy::Code => "code",
    }
}

/// Which offsets to use, and what they gain.
fn shift(console: &Console, parsed: &Parsed, best: &Candidate) {
    let project = &best.project;
    let count = movable(project, &system(project)).len();
    if count > MOST_THREADS {
        console.say(format_args!("\n  Offsets are looked for among {MOST_THREADS} periodic threads in a fixed band at most; here are {count}."));
    }
    // A system that can't be analysed without offsets is no better with them.
    let shifts = offsets(project, &system(project)).unwrap_or_default();
    let parsed = parsed.placed(&project.assembly, &best.placement);
    let written =
        |Shift { name, offset, .. }: &Shift| (name.clone(), Nanoseconds::new(nanoseconds(project, *offset)));
    let parsed =
        shifts.iter().map(written).fold(parsed, |parsed, (name, offset)| parsed.shifted(&name, offset));
    // Each instant costs kernel steps, so threads kept apart may cost too much.
    let slowdown = parsed.joined().ok().as_ref().and_then(slowdown);
    let Some(slowdown) = slowdown.filter(|_| !shifts.is_empty()) else { return };
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
    console.object(&serde_json::json!({ "with_offsets": slowdown.to_string() }));
    console.say(format_args!("  with these offsets it holds if everything takes {slowdown} times as long"));
    console
        .say("  saves in all: by so much all responses together are shorter than if it came with the system");
    console.say("  Values that one of them reads of another are older or newer by the difference.");
}

/// Prints what to write into the description.
fn propose(console: &Console, best: &Candidate) {
    console.title("Proposed: what bears most, and of equals the simplest");
    for PlacedBand { band, members } in &best.placement.bands {
        let name = &band.name.value;
        console.say(format_args!("  [[band]]\n  name = \"{name}\"\n  policy = \"{}\"", policy(band.policy)));
        for member in members {
            let priority = member.priority.map(|priority| format!(", priority = {priority}"));
            let priority = priority.unwrap_or_default();
            console.say(format_args!("    {}: band = \"{name}\"{priority}", member.name));
        }
        let mut priorities: Vec<_> = members.iter().filter_map(|member| member.priority).collect();
        priorities.dedup();
        if priorities.len() < members.len() && !priorities.is_empty() {
            console.say("  # more tasks than priorities: those whose deadlines differ least share one");
        }
    }
}
