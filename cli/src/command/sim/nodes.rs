//! A run of several nodes.

use beryl_builder::Nodes;
use beryl_builder::functions::missing;

use super::{NAME, Program, Recipe, Sim};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, names_of};
use crate::{nodes, proof};

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
        for node in &system.parts {
            missing::check(&node.project)?;
            if !recipe.unchecked && !proof::allows("sim", &node.project, console) {
                return Ok(REFUSED);
            }
        }
        let place = Place::of_nodes(&system.name, NAME);
        let names = system.parts.iter().map(|node| names_of(&node.project)).collect::<Result<Vec<_>, _>>()?;
        let places: Vec<_> = system
            .parts
            .iter()
            .zip(&names)
            .map(|(node, names)| (node.name.as_str(), names, Place::of(&node.project, NAME)))
            .collect();
        let options = ["--loss".to_owned(), self.loss.to_string()];
        let program = Program::of_nodes(system, place, console)?;
        let (all, bus) = program.run_nodes(recipe, &places, &options, console)?;
        console.title("Nodes");
        // The environment is everybody's, and says once how it was.
        let (is_well, report) =
            all.first().map_or((true, ""), |first| (first.report.0, first.report.1.as_str()));
        report.lines().for_each(|line| console.say(format_args!("  {line}")));
        if !bus.is_empty() {
            console.say(format_args!("  bus: {bus}"));
        }
        console.object(&serde_json::json!({ "simulation": report.trim_end(), "well": is_well, "bus": bus }));
        let mut code = WELL;
        for ((mut simulated, node), names) in all.into_iter().zip(&system.parts).zip(&names) {
            nodes::title(node, console);
            simulated.report.1.clear();
            code = code.max(self.show(recipe, &node.project, names, &simulated, console)?);
        }
        Ok(code)
    }
}
