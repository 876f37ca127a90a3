//! A run of several nodes or cores: nodes each on an emulated board, with the bus between them, and all cores of a node or of a
//! system on one.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::emulator::{self, Accesses, Core, Member, Outcome, Together, Trouble};
use beryl_builder::functions::missing;
use beryl_builder::nodes::Node;
use beryl_builder::{Nodes, image, plugged};
use beryl_trace::statistics::Tally;
use beryl_trace::{Comparison, Names, compare};

use super::{Left, Run, Shown, identical, left_by};
use crate::command::sim::{Program, Recipe, Simulated, end, plain};
use crate::command::trace::several;
use crate::command::trace::together::{self, Part as Drawn};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, keep_statements, names_of, workshop};
use crate::{nodes, proof};

/// The stem of the names of files that are about no node alone.
const NAME: &str = "run";

/// A node or a core that is run.
struct Part<'a> {
    node: &'a Node,
    names: Names,
}

impl Part<'_> {
    fn board(&self) -> &'static str {
        self.node.project.description.board.board.value.name
    }

    /// Whether one of its processes has the board's console.
    fn has_console(&self) -> bool {
        let description = &self.node.project.description;
        let mut devices = description.processes.iter().flat_map(|process| &process.devices);
        devices.any(|device| device.value.name == description.board.board.value.console)
    }

    /// Where its files of the emulated run are.
    fn place(&self) -> Place {
        Place::of(&self.node.project, self.board())
    }
}

impl Run {
    /// Simulates all nodes or cores at once, builds an image for each, boots them together, and compares what each has written.
    pub(super) fn run_nodes(&self, system: &Nodes, console: &Console) -> Result<ExitCode, Failure> {
        let are_cores = system.word() == "core";
        if are_cores {
            self.refuse_without_bus()?;
        }
        if self.live {
            return Err(nodes::about_one("--live", system).into());
        }
        if self.network.is_some() {
            return Err(nodes::about_one("--network", system).into());
        }
        let at_speed = |node: &Node| match self.speed {
            Some(speed) => Node { project: node.project.at_speed(speed), ..node.clone() },
            None => node.clone(),
        };
        let system = Nodes { parts: system.parts.iter().map(at_speed).collect(), ..system.clone() };
        for node in &system.parts {
            missing::check(&node.project, &workshop())?;
            if !self.unchecked && !proof::allows("run", &node.project, console) {
                return Ok(ExitCode::from(REFUSED));
            }
        }
        if !self.unchecked && !nodes::are_read_in_time(&system, console) {
            proof::how_to_go_on("run", console);
            return Ok(ExitCode::from(REFUSED));
        }
        match (are_cores, system.parts.first()) {
            (true, Some(first)) => {
                let speed = first.project.description.board.speed;
                emulator::require_cores(system.parts.len(), speed)?;
            }
            _ => emulator::require_bus(&system)?,
        }
        for node in &system.parts {
            let board = node.project.description.board.board.value;
            emulator::require(board, format_args!("not run on {}", board.name))?;
        }
        let parts = system.parts.iter().map(|node| Ok(Part { node, names: names_of(&node.project)? }));
        let parts = parts.collect::<anyhow::Result<Vec<_>>>()?;
        let simulated = self.simulate_nodes(&system, &parts, console)?;
        let accesses: Vec<_> = simulated.iter().map(|one| &one.accesses).collect();
        let (left, fates) = self.on_boards(&system, &parts, &accesses, console)?;
        let traces: Vec<_> = parts.iter().map(|part| part.board().to_owned()).collect();
        several::keep(&system, NAME, &traces, &fates)?;
        self.show_nodes(&system, &parts, &simulated, &left, console)
    }

    fn simulate_nodes(
        &self,
        system: &Nodes,
        parts: &[Part<'_>],
        console: &Console,
    ) -> Result<Vec<Simulated>, Failure> {
        let Some(first) = system.parts.first() else { return Ok(Vec::new()) };
        let twin = |part: &Part<'_>| Place::of(&part.node.project, format!("{}.sim", part.board()));
        let places: Vec<_> =
            parts.iter().map(|part| (part.node.name.as_str(), &part.names, twin(part))).collect();
        // Clocks of emulated boards are exact.
        let counts = [("--loss", self.loss), ("--corrupt", self.corrupt), ("--drift", 0)];
        let options = counts.map(|(name, count)| [name.to_owned(), count.to_string()]).concat();
        let recipe = Recipe { seed: self.seed, ..plain(&first.project, self.span_of(system)) };
        let program = Program::of_nodes(system, Place::of_nodes(&system.name, NAME), console)?;
        let simulated = program.run_nodes(&recipe, &places, &options, console)?.nodes;
        match simulated.iter().any(|one| one.endless(console)) {
            true => Err(anyhow!("a node's simulation ended early, so its board isn't run").into()),
            false => Ok(simulated),
        }
    }

    /// Builds the images and runs them on their boards; what each has left, and what has become of the frames between them.
    fn on_boards(
        &self,
        system: &Nodes,
        parts: &[Part<'_>],
        accesses: &[&Accesses],
        console: &Console,
    ) -> Result<(Vec<Left>, String), Failure> {
        let mut members: Vec<Member<'_>> = Vec::new();
        let machine = |part: &Part<'_>| part.node.machine;
        let mut before = None;
        for (number, ((part, accesses), Node { project, .. })) in
            parts.iter().zip(accesses).zip(system.on_boards()).enumerate()
        {
            let board = project.description.board.board.value;
            let Node { name, word, core_of, .. } = part.node;
            let built = image::build(&project, &workshop(), |step| {
                console.step(format_args!("{word} {name}: {step}"));
            })?;
            keep_statements(&part.place().file("trace"), &built.statements)?;
            let end = end(&project, self.span_of(system));
            let core = Core {
                number,
                name,
                board,
                image: built.image,
                window: accesses.window(board, end)?,
                speaks: part.has_console(),
            };
            let is_next_core = before.replace(machine(part)) == Some(machine(part));
            match members.last_mut().filter(|_| is_next_core) {
                Some(member) => member.cores.push(core),
                None => members.push(Member {
                    name: core_of.as_ref().unwrap_or(name),
                    cores: vec![core],
                    speed: project.description.board.speed,
                    end,
                    folder: part.place().scratch(),
                }),
            }
        }
        let (outcomes, fates) = match (system.word(), members.first()) {
            ("core", Some(all)) => (cores_on_a_board(system, all, console)?, String::new()),
            _ => self.nodes_at_a_bus(system, parts, &members, console)?,
        };
        let kept = outcomes.into_iter().zip(parts);
        let left = kept.map(|(run, part)| left_by(run, None, &part.place(), &part.names));
        Ok((left.collect::<Result<_, Failure>>()?, fates))
    }

    /// Runs a board for each node, and the bus between them.
    fn nodes_at_a_bus(
        &self,
        system: &Nodes,
        parts: &[Part<'_>],
        members: &[Member<'_>],
        console: &Console,
    ) -> Result<(Vec<Outcome>, String), Failure> {
        console.step("building the bus controllers for the emulators");
        let plugin = plugged::build_bus(system, &workshop())?;
        let trouble = Trouble { loss: self.loss, corrupt: self.corrupt, seed: self.seed };
        let has_cores = members.iter().any(|member| member.cores.len() > 1);
        let turns = has_cores.then(|| plugged::build_turns(system, &workshop())).transpose()?;
        let (links, schedule) = (&system.links, &system.schedule);
        let together = Together { plugin, turns, links, schedule, trouble };
        console.step(format_args!("running on {}", boards(parts)));
        let (outcomes, bus) = together.run(members)?;
        let (bus, fates) = (bus.to_string(), bus.fates);
        console.title("Nodes");
        console.say(format_args!("  bus: {bus}"));
        console.object(&serde_json::json!({ "bus": bus }));
        Ok((outcomes, fates))
    }

    fn show_nodes(
        &self,
        system: &Nodes,
        parts: &[Part<'_>],
        simulated: &[Simulated],
        left: &[Left],
        console: &Console,
    ) -> Result<ExitCode, Failure> {
        let (mut writes, mut all, mut are_well) = (0, Tally::default(), true);
        let mut differences = Vec::new();
        for ((part, simulated), left) in parts.iter().zip(simulated).zip(left) {
            nodes::title(part.node, console);
            let span = self.span_of(system);
            let Shown { tally, is_well } = self.show(&part.node.project, &part.names, left, span, console)?;
            all = all.and(tally);
            are_well &= is_well;
            match compare(&simulated.recorded.recording, &left.recorded.recording) {
                Comparison::Equal { actuators, .. } => writes += actuators,
                Comparison::Different(difference) => {
                    differences.push((part, difference.in_words("sim", part.board(), &part.names)));
                }
            }
        }
        let drawn = parts.iter().zip(left).map(|(part, left)| Drawn {
            names: &part.names,
            events: &left.recorded.events,
            end: end(&part.node.project, self.span_of(system)),
        });
        together::timeline(system, &drawn.collect::<Vec<_>>(), self.window, console)?;
        let (name, on) = (&system.name, boards(parts));
        if differences.is_empty() {
            console.say(format_args!(
                "{name}: {writes} actuator writes, identical on sim and {on} ({}); {all}",
                how_many(system)
            ));
            console.object(&identical(writes, all));
            return Ok(ExitCode::from(if are_well { WELL } else { REFUSED }));
        }
        for (part, words) in differences {
            let (word, node, board) = (part.node.word, &part.node.name, part.board());
            console.say(format_args!("{name}: {word} {node}: sim and {board} differ\n{words}"));
            console.object(&serde_json::json!({ "identical": false, word: node, "difference": words }));
        }
        Ok(ExitCode::from(REFUSED))
    }
}

/// Runs one board with all cores.
fn cores_on_a_board(
    system: &Nodes,
    Member { cores, speed, .. }: &Member<'_>,
    console: &Console,
) -> Result<Vec<Outcome>, Failure> {
    let Some(Core { board, .. }) = cores.first() else { return Ok(Vec::new()) };
    console.step("building what ends the turns of emulated cores");
    let turns = plugged::build_turns(system, &workshop())?;
    console.step(format_args!("running on {} cores of {}", cores.len(), board.name));
    let folder = Place::of_nodes(&system.name, board.name).scratch();
    Ok(emulator::on_one_board(cores, *speed, &turns, &folder)?)
}

/// How many nodes there are, or cores; and of nodes with cores, how many kernels are on them all.
fn how_many(system: &Nodes) -> String {
    let (kernels, word) = (system.parts.len(), system.word());
    let machines = system.parts.iter().map(|part| part.machine).collect::<BTreeSet<_>>().len();
    if word == "core" || machines == kernels {
        format!("{kernels} {word}s")
    } else {
        format!("{machines} nodes with {kernels} kernels")
    }
}

/// The boards, each once.
fn boards(parts: &[Part<'_>]) -> String {
    let mut names: Vec<_> = parts.iter().map(Part::board).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" and ")
}
