//! The same for a system of several nodes: each is a project of its own.

use std::path::Path;

use beryl_timing::Source;
use beryl_trace::{Names, Tick};

use crate::crossing::Whole;
use crate::description::Description;
use crate::emit::names::{modes_called, names};
use crate::error::BuildError;
use crate::nodes::{Node, Nodes};
use crate::parsed::{Parsed, Variant, compiled, sources};

impl Nodes {
    /// The system in `folder`, if it has nodes.
    ///
    /// # Errors
    /// Everything that can be wrong with its texts, and whatever doesn't fit on a node or on the bus.
    pub fn load(folder: &Path, variant: Variant) -> Result<Option<Nodes>, BuildError> {
        let mut description = Description::load_for(&Parsed::path(folder)?, variant.board)?;
        if description.nodes.is_empty() {
            return Ok(None);
        }
        if let Some(outputs) = variant.outputs {
            description.system.outputs = outputs;
        }
        let sources = sources(folder, &description)?;
        Nodes::of(folder, description, &sources, variant).map(Some)
    }

    /// The system of a description with nodes and a timing program that have been read.
    ///
    /// # Errors
    /// As [`Nodes::load`].
    pub fn of(
        folder: &Path,
        description: Description,
        sources: &[Source],
        variant: Variant,
    ) -> Result<Nodes, BuildError> {
        let whole = Whole::of(description, compiled(sources)?)?;
        let parts = (0..whole.description.nodes.len()).map(|node| {
            let name = whole.description.nodes[node].name.value.clone();
            Ok(Node { name, project: Parsed::part(folder, whole.part(node, variant.board)?).joined()? })
        });
        let parts = parts.collect::<Result<Vec<Node>, BuildError>>()?;
        refuse_unknown_names(&whole.description, &parts)?;
        let Whole { description, links, schedule, .. } = whole;
        Ok(Nodes { name: description.system.name.value, parts, links, schedule })
    }
}

/// What is asserted and what has a unit must be on some node.
fn refuse_unknown_names(description: &Description, parts: &[Node]) -> Result<(), BuildError> {
    let names = parts.iter().filter_map(|Node { project, .. }| {
        let tick = Tick::new(project.tick(), 1)?;
        Some(Names { modes: modes_called(&project.assembly), ..names(&project.assembly, tick) })
    });
    let names: Vec<Names> = names.collect();
    description.assertions.each_about_one(&names)?;
    Ok(description.units.each_of_one(&names)?)
}
