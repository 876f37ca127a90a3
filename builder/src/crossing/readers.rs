//! Who reads what crosses: the tasks on other nodes that have it as an input.

use beryl_timing::{Activity, Model};

use super::links::{Link, output};

/// A task that sends or reads a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The number of its node.
    pub node: usize,
    /// Its module.
    pub module: String,
    /// Its index in that.
    pub task: usize,
}

/// The task whose output a link is, and those on other nodes that read it, each once.
pub(super) fn ends(model: &Model, places: &[usize], link: &Link) -> Option<(End, Vec<End>)> {
    let end = |module: usize, task: usize| {
        Some(End { node: *places.get(module)?, module: model.modules.get(module)?.name.clone(), task })
    };
    let mut readers: Vec<End> = Vec::new();
    for (number, module) in model.modules.iter().enumerate() {
        let activities = module.modes.iter().flat_map(|mode| &mode.activities);
        for activity in activities {
            let Activity::Task { task, inputs, .. } = activity else { continue };
            let reads = inputs.iter().filter_map(output).any(|of| of == (link.module, link.task, link.port));
            let reader = end(number, *task).filter(|reader| reads && reader.node != link.from);
            readers.extend(reader.filter(|reader| !readers.contains(reader)));
        }
    }
    Some((end(link.module, link.task)?, readers))
}
