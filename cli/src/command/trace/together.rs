//! The timeline of several nodes on one axis, with what goes from one to another.

use beryl_abi::Instant;
use beryl_builder::Nodes;
use beryl_builder::workshop::replace;
use beryl_trace::timeline::{Crossing, Timeline, svg, terminal};
use beryl_trace::{Event, Names, Nanoseconds};

use super::shown;
use crate::command::times::Window;
use crate::console::{Console, Failure};
use crate::files::Place;

/// What one node did: in the order of the system's.
pub struct Part<'a> {
    pub names: &'a Names,
    pub events: &'a [Event],
    /// When its run ended.
    pub end: Instant,
}

/// Prints the timeline of all nodes in a window, that of the node which would show the longest if none is asked for, and
/// writes it to `timeline.svg` among the results of the system.
///
/// # Errors
/// If the window isn't in the run, or the picture can't be written.
pub fn timeline(
    system: &Nodes,
    parts: &[Part<'_>],
    window: Window,
    console: &Console,
) -> Result<(), Failure> {
    let windows = parts.iter().map(|part| {
        let (from, to) = shown(part.names, part.events, window, part.end)?;
        Ok((part.names.tick.logical(from), part.names.tick.logical(to)))
    });
    let windows = windows.collect::<anyhow::Result<Vec<_>>>()?;
    let Some((from, to)) = windows.into_iter().max_by_key(|(from, to)| to.since(*from)) else {
        return Ok(());
    };
    let drawn = system.parts.iter().zip(parts).map(|(node, part)| {
        let [from, to] = [from, to].map(|at| part.names.tick.instant(at));
        (node.name.clone(), Timeline::of(part.events, part.names, from, to))
    });
    let crossings = system.crossings().into_iter().filter_map(|crossing| {
        let counts_after = Nanoseconds::new(crossing.counts_after?);
        Some(Crossing { from: crossing.from, to: crossing.to, counts_after })
    });
    let crossings: Vec<_> = crossings.collect();
    let Some(timeline) = Timeline::together(system.name.clone(), drawn.collect(), &crossings) else {
        return Ok(());
    };
    console.title(format_args!("All {}s", system.word()));
    console.say(terminal::render(&timeline, console.drawing()));
    let path = Place::of_nodes(&system.name, "timeline").file("svg");
    replace(&path, svg::render(&timeline).as_bytes())?;
    console.say(format_args!("  as a picture: {}", path.display()));
    Ok(())
}
