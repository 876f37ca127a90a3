//! A run of several nodes.

use beryl_abi::Instant;
use beryl_builder::Nodes;
use beryl_builder::description::Across;
use beryl_builder::functions::missing;
use beryl_builder::nodes::Node;
use beryl_builder::quantity::Nanoseconds;
use beryl_trace::Names;
use beryl_trace::assertion::Evidence;
use beryl_trace::jobs::History;

use super::frames::Frames;
use super::program::Together;
use super::{NAME, Program, Recipe, Sim, Simulated, end};
use crate::command::times::Span;
use crate::command::trace::several;
use crate::command::trace::together::{self, Part};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, names_of, workshop};
use crate::{assertions, nodes, proof};

impl Sim {
    /// Simulates all nodes at once, and prints what each did.
    pub(super) fn simulate_nodes(
        &self,
        recipe: &Recipe,
        system: &Nodes,
        console: &Console,
    ) -> Result<u8, Failure> {
        let of_one = [("--search", self.search.is_some()), ("--fault", !self.fault.is_empty())];
        if let Some((option, _)) = of_one.iter().find(|(_, is_given)| *is_given) {
            return Err(nodes::about_one(option, system).into());
        }
        self.refuse_for_cores(system)?;
        for node in &system.parts {
            missing::check(&node.project, &workshop())?;
            if !recipe.unchecked && !proof::allows("sim", &node.project, console) {
                return Ok(REFUSED);
            }
        }
        if !recipe.unchecked && !nodes::are_read_in_time(system, console) {
            proof::how_to_go_on("sim", console);
            return Ok(REFUSED);
        }
        let place = Place::of_nodes(&system.name, NAME);
        let names = system.parts.iter().map(|node| names_of(&node.project)).collect::<Result<Vec<_>, _>>()?;
        let places: Vec<_> = system
            .parts
            .iter()
            .zip(&names)
            .map(|(node, names)| (node.name.as_str(), names, Place::of(&node.project, NAME)))
            .collect();
        let given = self.drift.map(|drift| ("--drift", drift));
        let options = [("--loss", self.loss), ("--corrupt", self.corrupt)].into_iter().chain(given);
        let options: Vec<_> =
            options.flat_map(|(name, value)| [name.to_owned(), value.to_string()]).collect();
        let program = Program::of_nodes(system, place, console)?;
        let Together { nodes: mut all, frames, fates, apart } =
            program.run_nodes(recipe, &places, &options, console)?;
        console.title(if system.word() == "core" { "Cores" } else { "Nodes" });
        // The environment is everybody's, and says once how it was.
        let (is_well, report) =
            all.first().map_or((true, ""), |first| (first.report.0, first.report.1.as_str()));
        report.lines().for_each(|line| console.say(format_args!("  {line}")));
        if !frames.is_empty() {
            Frames::lines(&frames).iter().for_each(|line| console.say(format_args!("  {line}")));
        }
        apart.into_iter().for_each(|apart| nodes::say_apart(system, apart, console));
        let frames: Vec<_> = frames.iter().map(Frames::object).collect();
        console.object(
            &serde_json::json!({ "simulation": report.trim_end(), "well": is_well, "frames": frames }),
        );
        let mut code = if hold_across(system, &all, &names, console)? { WELL } else { REFUSED };
        for ((simulated, node), names) in all.iter_mut().zip(&system.parts).zip(&names) {
            nodes::title(node, console);
            simulated.report.1.clear();
            code = code.max(self.show(recipe, &node.project, names, simulated, console)?);
        }
        let end = |node: &Node| match recipe.until {
            None => end(&node.project, Span { length: Nanoseconds::new(recipe.length) }),
            Some(_) => Instant::START,
        };
        let parts = all.iter().zip(&system.parts).zip(&names);
        let parts = parts.map(|((simulated, node), names)| Part {
            names,
            events: &simulated.recorded.events,
            end: end(node),
        });
        together::timeline(system, &parts.collect::<Vec<_>>(), self.window, console)?;
        let traces = vec![NAME.to_owned(); system.parts.len()];
        several::keep(system, NAME, &traces, &fates)?;
        Ok(code)
    }

    /// Between cores there are no frames, and cores of one machine have one clock.
    fn refuse_for_cores(&self, system: &Nodes) -> Result<(), Failure> {
        let has_cores = system.parts.iter().any(|part| part.word == "core");
        for (option, _) in self.of_bus().into_iter().filter(|(_, count)| *count > 0 && has_cores) {
            let why = match option {
                "--drift" => "is about clocks of nodes without cores, and this system has cores",
                _ if system.word() == "core" => "is about frames on a bus, and between cores there is none",
                _ => continue,
            };
            return Err(anyhow::anyhow!("`{option}` {why}; leave it out").into());
        }
        Ok(())
    }
}

/// Whether what is asserted of points on two nodes holds.
fn hold_across(
    system: &Nodes,
    all: &[Simulated],
    names: &[Names],
    console: &Console,
) -> Result<bool, Failure> {
    let histories: Vec<_> = all.iter().map(|node| History::of(&node.recorded.events)).collect();
    let evidence = |node: usize| {
        let (simulated, history) = (all.get(node)?, histories.get(node)?);
        Some(Evidence { events: &simulated.recorded.events, history, names: names.get(node)? })
    };
    let stated = system.across.iter().filter_map(|Across { stated, nodes: [first, second] }| {
        Some((stated, [evidence(*first)?, evidence(*second)?]))
    });
    Ok(assertions::hold_across(&stated.collect::<Vec<_>>(), (system.word(), "sim"), console)?)
}
