//! Systems of several nodes: each as a system of its own, and what is between them.

use std::path::Path;

use beryl_builder::nodes::{Node, Nodes};
use beryl_builder::{BuildError, Variant};

use crate::console::{Console, Failure};

/// The system in a folder, if it has nodes and none of them is chosen. Compiles kernels if only that can tell whether they
/// fit.
///
/// # Errors
/// For anything that can be wrong with the system.
pub fn described(folder: &Path, variant: Variant, console: &Console) -> Result<Option<Nodes>, Failure> {
    if variant.node.is_some() {
        return Ok(None);
    }
    let Some(system) = Nodes::load(folder, variant)? else { return Ok(None) };
    let settled = system.parts.into_iter().map(|node| node.settled(|what| console.step(what)));
    let parts = settled.collect::<Result<Vec<_>, BuildError>>()?;
    for node in &parts {
        node.project.assembly.warnings.iter().for_each(|warning| console.report(warning));
    }
    Ok(Some(Nodes { parts, ..system }))
}

/// From here on it is about this node.
pub fn title(node: &Node, console: &Console) {
    console.title(format_args!("Node {}", node.name));
    console.object(&serde_json::json!({ "node": node.name }));
}

/// An option is about one node, and there are several.
pub fn about_one(option: &str, system: &Nodes) -> anyhow::Error {
    let names: Vec<_> = system.parts.iter().map(|node| node.name.as_str()).collect();
    anyhow::anyhow!(
        "`{option}` is about one node, and {} has several; name one by `--node`: {}",
        system.name,
        names.join(", ")
    )
}

/// Prints what crosses between the nodes, and when.
pub fn show(system: &Nodes, console: &Console) {
    let node = |number: usize| system.parts.get(number).map(|node| node.name.as_str()).unwrap_or_default();
    let schedule = &system.schedule;
    console.title("Bus");
    if schedule.frames.is_empty() {
        console.say("  nothing crosses between the nodes");
    } else {
        console.say(format_args!("  every {}", schedule.cycle));
        console.say("  node                from       until      counts at  bytes  values");
    }
    for frame in &schedule.frames {
        let names = frame.links.iter().filter_map(|link| system.links.get(*link));
        let values: Vec<_> = names
            .map(|link| {
                let readers: Vec<_> = link.to.iter().map(|reader| node(*reader)).collect();
                format!("{} to {}", link.name, readers.join(", "))
            })
            .collect();
        console.say(format_args!(
            "  {:<18}  {:<9}  {:<9}  {:<9}  {:>5}  {}",
            node(frame.node),
            frame.start.to_string(),
            frame.end.to_string(),
            frame.counts.to_string(),
            frame.bytes.get(),
            values.join("; ")
        ));
        console.object(&serde_json::json!({
            "bus": node(frame.node), "cycle_ns": schedule.cycle.get(), "from_ns": frame.start.get(),
            "until_ns": frame.end.get(), "counts_ns": frame.counts.get(), "bytes": frame.bytes.get(), "values": values,
        }));
    }
}
