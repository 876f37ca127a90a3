//! Systems of several nodes or cores: each as a system of its own, and what is between them.

use std::path::Path;

use beryl_abi::link;
use beryl_builder::crossing::Link;
use beryl_builder::nodes::{Node, Nodes};
use beryl_builder::quantity::Nanoseconds;
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
    let title = if node.word == "core" { "Core" } else { "Node" };
    console.title(format_args!("{title} {}", node.name));
    console.object(&serde_json::json!({ node.word: node.name }));
}

/// An option is about one node, and there are several.
pub fn about_one(option: &str, system: &Nodes) -> anyhow::Error {
    let names: Vec<_> = system.parts.iter().map(|node| node.name.as_str()).collect();
    anyhow::anyhow!(
        "`{option}` is about one {}, and {} has several; name one by `--node`: {}",
        system.word(),
        system.name,
        names.join(", ")
    )
}

/// Prints what crosses between the nodes, and when.
pub fn show(system: &Nodes, console: &Console) {
    let node = |number: usize| system.parts.get(number).map(|node| node.name.as_str()).unwrap_or_default();
    let schedule = &system.schedule;
    show_shared(system, console);
    if system.word() == "core" {
        return;
    }
    console.title("Bus");
    if schedule.frames.is_empty() {
        console.say("  nothing crosses between the nodes");
    } else {
        console.say(format_args!("  every {}", schedule.cycle));
        show_clocks(system, console);
        console.say("  node                from       until      counts at  bytes  values");
    }
    for frame in &schedule.frames {
        let names = frame.links.iter().filter_map(|link| system.links.get(*link));
        let values: Vec<_> = names
            .map(|link| {
                let readers = link.to.iter().filter(|reader| !system.is_near(link, **reader));
                let readers: Vec<_> = readers.map(|reader| node(*reader)).collect();
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

/// Prints how wrong clocks may be, and what keeps them together.
fn show_clocks(system: &Nodes, console: &Console) {
    let Some(kept) = &system.schedule.clocks else { return };
    let by = system.parts.get(kept.by).map(|node| node.name.as_str()).unwrap_or_default();
    let lost = match kept.lost {
        0 => String::new(),
        lost => format!(", or after {lost} lost ones"),
    };
    console.say(format_args!("  clocks: within {}ppm, set by each first frame of {by}{lost}", kept.drift));
    console.say(format_args!(
        "  at most {} apart, so every frame is over so much earlier; set by going up to {}ppm faster or slower",
        kept.apart,
        kept.most_change()
    ));
    console.object(&serde_json::json!({
        "clocks_ppm": kept.drift, "set_by": by, "lost": kept.lost, "apart_ns": kept.apart.get(), "set_ppm": kept.most_change(),
    }));
}

/// Says how far apart clocks were in a run.
pub fn say_apart(system: &Nodes, apart: u64, console: &Console) {
    let bound = system.schedule.clocks.as_ref().map(|kept| kept.apart);
    let of = bound
        .map_or_else(|| "nothing keeps them together".to_owned(), |bound| format!("they may be {bound}"));
    console.say(format_args!("  clocks: at most {} apart, and {of}", Nanoseconds::new(apart)));
    console.object(&serde_json::json!({ "apart_ns": apart, "most_apart_ns": bound.map(Nanoseconds::get) }));
}

/// Whether each value that crosses is still there when the latest of its readers is done with it; says which aren't.
pub fn are_read_in_time(system: &Nodes, console: &Console) -> bool {
    let late = system.links.iter().zip(system.reading()).filter(|(_, reading)| reading.is_too_late());
    let mut are_well = true;
    for (link, reading) in late {
        are_well = false;
        let (stays, (late, reader)) =
            (reading.within.unwrap_or_default(), reading.latest.unwrap_or_default());
        let reader = system.parts.get(reader).map(|part| format!("{} `{}`", part.word, part.name));
        let reader = reader.unwrap_or_default();
        console.say(format_args!(
            "REFUSED: {reader} may read `{}` {late} behind the instant that it is for, and it is overwritten after {stays}.\n  \
             Give its task a longer logical execution time, or let the drivers on {reader} take less.",
            link.name
        ));
        console.object(&serde_json::json!({
            "refused": "read too late", "value": link.name, "reader": reader, "stays_ns": stays.get(), "late_ns": late.get(),
        }));
    }
    are_well
}

/// Prints what crosses between cores of one machine, which has no time of its own: it is there when it counts.
fn show_shared(system: &Nodes, console: &Console) {
    let core = |number: usize| system.parts.get(number).map(|core| core.name.as_str()).unwrap_or_default();
    let readers = |link: &Link| -> Vec<&str> {
        link.to.iter().filter(|reader| system.is_near(link, **reader)).map(|reader| core(*reader)).collect()
    };
    let links = system.links.iter().zip(system.reading());
    let shared: Vec<_> = links.filter(|(link, _)| !readers(link).is_empty()).collect();
    if shared.is_empty() && system.word() != "core" {
        return;
    }
    console.title("Memory between cores");
    if shared.is_empty() {
        console.say("  nothing crosses between the cores");
    } else {
        console.say("  core                bytes  stays for  late by    values");
    }
    for (link, reading) in shared {
        let (from, readers) = (core(link.from), readers(link));
        let bytes = link::size(link.length);
        let times = [reading.within, reading.latest.map(|(late, _)| late)];
        let [stays, late] = times.map(|time| time.map_or("?".to_owned(), |time| time.to_string()));
        console.say(format_args!(
            "  {from:<18}  {bytes:>5}  {stays:<9}  {late:<9}  {} to {}",
            link.name,
            readers.join(", ")
        ));
        console.object(&serde_json::json!({
            "shared": link.name, "core": from, "readers": readers, "bytes": bytes,
            "stays_ns": times[0].map(Nanoseconds::get), "late_ns": times[1].map(Nanoseconds::get),
        }));
    }
}
