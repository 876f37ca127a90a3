//! The same for a system of several nodes: each is a project of its own.

use std::path::Path;

use beryl_timing::Source;
use beryl_trace::{Names, Tick};

use crate::assembly::{Links, assemble_linked};
use crate::crossing::Whole;
use crate::description::{Across, Description};
use crate::emit::names::{modes_called, names};
use crate::error::BuildError;
use crate::nodes::{Node, Nodes, Together};
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
            let row = &whole.description.nodes[node];
            let project = Parsed::part(folder, whole.part_beside_others(node, variant.board)?).joined()?;
            let core_of = row.core_of.clone().flatten();
            Ok(Node {
                name: row.name.value.clone(),
                machine: row.machine,
                word: row.word(),
                core_of,
                project,
            })
        });
        let parts = parts.collect::<Result<Vec<Node>, BuildError>>()?;
        let across = across(&whole.description, &parts)?;
        let together = together(&whole);
        let ends = whole.ends();
        let Whole { description, links, schedule, .. } = whole;
        let doorbells = description.doorbells();
        Ok(Nodes {
            name: description.system.name.value,
            parts,
            links,
            ends,
            schedule,
            doorbells,
            across,
            together,
        })
    }
}

/// All of it on one node.
fn together(whole: &Whole) -> Option<Together> {
    let Whole { description, model, .. } = whole;
    let assembly = assemble_linked(model, &[], &Links::default(), description).ok()?;
    Some(Together { assembly, tick: description.board.nanoseconds() })
}

/// What is asserted of points on two nodes; everything else that is asserted, or has a unit, must be on some node.
fn across(description: &Description, parts: &[Node]) -> Result<Vec<Across>, BuildError> {
    let names = parts.iter().filter_map(|Node { project, .. }| {
        let tick = Tick::new(project.tick(), 1)?;
        Some(Names { modes: modes_called(&project.assembly), ..names(&project.assembly, tick) })
    });
    let names: Vec<Names> = names.collect();
    description.units.each_of_one(&names)?;
    Ok(description.assertions.across(&names)?)
}
