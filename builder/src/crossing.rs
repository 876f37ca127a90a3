//! What crosses between the nodes of a system: which part of the system each node is, which values cross, and when.
//!
//! Each node is a system of its own, with a kernel, a proof and an image: the processes that the description puts there,
//! and the modules of the timing program that these carry out. Where such a module reads an output of a module on
//! another node, it has a sensor instead, which the kernel reads: of what has arrived, it gives what counts at the
//! logical instant ([`beryl_abi::link`]). A value counts from the end of its job's logical execution time on, as on one
//! node, and the bus carries it between the job's completion and that instant. So no module can tell where another one is.
//!
//! A core of a machine is the same as a node, but for what carries its values to other cores: memory that both see, so
//! they need no bus, and the job has all of its logical execution time.
//!
//! After P4 of OSPERT 2007 (TDL), where a copy of each module that is read from afar follows the original's mode and phase,
//! which packets tell. Here a sensor is enough, since each value has the instant from which it counts.

mod bus;
mod clocks;
mod cycle;
mod in_c;
mod links;
mod part;
mod readers;
mod replicas;

pub use bus::{Frame, Schedule};
pub use clocks::Kept;
pub use links::Link;
pub use readers::End;

use beryl_timing::{Model, Place};

use crate::assembly::Links;
use crate::board::Board;
use crate::description::{Description, Node, Outputs, Placed, Problem, code};
use crate::error::BuildError;
use crate::quantity::Nanoseconds;

/// A system of several nodes, before each is looked at by itself.
pub(crate) struct Whole {
    pub(crate) description: Description,
    pub(crate) model: Model,
    /// The node of each module.
    places: Vec<usize>,
    pub(crate) links: Vec<Link>,
    pub(crate) schedule: Schedule,
}

/// What one node is by itself.
pub(crate) struct Part {
    pub(crate) description: Description,
    pub(crate) model: Model,
    pub(crate) links: Links,
}

impl Whole {
    /// The system of a description with nodes.
    pub(crate) fn of(description: Description, model: Model) -> Result<Whole, BuildError> {
        refuse_completion(&description)?;
        let model = replicas::expand(model, &description)?;
        let word = Node::word_of(&description.nodes);
        let places = links::places(&model, &description, word)?;
        let links = links::links(&model, &places, word)?;
        let far: Vec<Link> = links.iter().map(|link| link.far(&description.nodes)).collect();
        let schedule = bus::schedule(&model, &description, &places, &far)?;
        let whole = Whole { description, model, places, links, schedule };
        in_c::check(&whole)?;
        Ok(whole)
    }

    /// Of each value that crosses, who sends it and who reads it.
    pub(crate) fn ends(&self) -> Vec<Option<(End, Vec<End>)>> {
        self.links.iter().map(|link| readers::ends(&self.model, &self.places, link)).collect()
    }

    /// The number of the node that a command is about.
    pub(crate) fn chosen(&self, named: Option<&str>) -> Result<usize, BuildError> {
        let found =
            self.description.nodes.iter().position(|node| named.is_some_and(|name| node.name.value == name));
        found.ok_or_else(|| self.without_choice(named))
    }

    /// A command that is about one node hasn't been told which.
    fn without_choice(&self, named: Option<&str>) -> BuildError {
        let names = self.description.nodes.iter().map(|node| format!("`{}`", node.name.value));
        let names: Vec<_> = names.collect();
        let place = self.description.nodes.first().map_or((0, 0).into(), |node| node.name.place);
        let word = Node::word_of(&self.description.nodes);
        let words = self.description.nodes.first().map_or("nodes", |first| match first.is_core() {
            true => "cores",
            false => "nodes",
        });
        let message = match named {
            Some(name) => format!("this system has no {word} `{name}`"),
            None => format!("this system has several {words}, and this command is about one"),
        };
        BuildError::Description(self.description.alone(Problem {
            code: code::MISSING,
            place,
            message,
            label: format!("the first of its {words}"),
            help: format!(
                "say which by `--node`, if the command has that: {}; `beryl check`, `plan`, `build`, `sim` and `run` are about all of them",
                names.join(", ")
            )
            .into(),
        }))
    }

    /// What one of its nodes is by itself.
    pub(crate) fn part(&self, node: usize, board: Option<&'static Board>) -> Result<Part, BuildError> {
        let part::Cut { model, mut links, modules } = part::cut(&self.model, &self.places, &self.links, node);
        let triggers = part::triggers(&model);
        let mut description = self.description.part(node, board, &triggers)?;
        let functions = part::functions(&model, &description);
        description.c.functions.retain(|function| functions.contains(&function.value));
        self.refuse_unlike_whole(&description)?;
        let own = |name: &String| description.threads.iter().any(|thread| thread.name.value == *name);
        let threads = self.description.threads.iter().map(|thread| &thread.name.value);
        links.elsewhere.extend(threads.filter(|name| !own(name)).cloned());
        // A job has to be done when the bus takes its values.
        for task in &mut description.tasks {
            let own = modules.iter().zip(&model.modules).find_map(|(whole, module)| {
                let index = module.tasks.iter().position(|row| task.is_about(&module.name, &row.name))?;
                Some((*whole, index))
            });
            let Some(sent) = own.and_then(|own| self.schedule.deadline(own)) else { continue };
            let earlier = task.deadline.as_ref().map(|deadline| deadline.value);
            let value = earlier.map_or(sent, |earlier| earlier.min(sent));
            task.deadline = Some(Placed::new(value, task.name.place));
        }
        Ok(Part { description, model, links })
    }

    /// The same where the others run, too: of a board with several cores, a core has one, and its part of the memory.
    pub(crate) fn part_beside_others(
        &self,
        node: usize,
        board: Option<&'static Board>,
    ) -> Result<Part, BuildError> {
        let mut part = self.part(node, board)?;
        let own = self.description.core(node);
        if let Some(own) = own.and_then(|core| part.description.board.board.value.cores.get(core)) {
            part.description.move_to(own);
        }
        Ok(part)
    }

    /// What a part can't have yet.
    fn refuse_unlike_whole(&self, description: &Description) -> Result<(), BuildError> {
        let Some(slot) = description.objects.slots.first() else { return Ok(()) };
        Err(BuildError::Description(description.alone(Problem {
            code: code::CONFLICT,
            place: slot.name.place,
            message: "a module with a slot can't be part of a system with several kernels: what it sends is fixed"
                .to_owned(),
            label: "this slot".to_owned(),
            help: "leave the slot out, or describe what has its kernel as a system of its own".into(),
        })))
    }
}

/// Outputs that are visible as soon as they are there count at no instant that others could know.
fn refuse_completion(description: &Description) -> Result<(), BuildError> {
    if description.system.outputs == Outputs::Let {
        return Ok(());
    }
    Err(BuildError::Description(description.alone(Problem {
        code: code::CONFLICT,
        place: description.system.name.place,
        message: "between nodes, outputs count at the ends of logical execution times".to_owned(),
        label: "not earlier".to_owned(),
        help: "leave `outputs` out, or the nodes".into(),
    })))
}

/// A mistake in the timing program that only its nodes make one.
fn refused(model: &Model, place: Place, message: String, label: &str, help: &str) -> BuildError {
    let problem = beryl_timing::Problem {
        code: "beryl::builder::nodes",
        place,
        message,
        label: label.to_owned(),
        help: help.to_owned().into(),
    };
    BuildError::Timing(beryl_timing::Diagnostics::one("in the timing program", model.diagnostic(problem)))
}

/// Time in nanoseconds of the timing language's microseconds.
fn nanoseconds(time: beryl_timing::Microseconds) -> Nanoseconds {
    Nanoseconds::new(time.0.saturating_mul(1000))
}
