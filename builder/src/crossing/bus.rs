//! The bus: which node sends when, and what.
//!
//! The schedule repeats with a [cycle](super::cycle). A frame carries all values of a node that count from one instant of
//! the cycle on. Which these are depends on the modes in which its modules are, and on how far these have got: a frame has
//! room for the largest of what each module may have to send then, since modules change their modes independently. A
//! frame ends when its values begin to count, or earlier if the bus is taken then; so each is as late as possible, which
//! leaves the jobs whose values it carries the most time. Where [clocks](super::clocks) are apart, each frame ends so much earlier: then it
//! is over by the clock of whoever reads it or sends the next one, too.
//!
//! After P4 of OSPERT 2007, 11 and 15: the cycle is its communication period, a frame its datagram. Its heuristic for
//! more difficult cases is only cited there.

use std::collections::{BTreeMap, BTreeSet};

use beryl_timing::{Activity, Mode, Model, Place, Task};

use super::clocks::{self, Kept};
use super::{Link, cycle, nanoseconds};
use crate::description::{Bus, Description, Problem, code};
use crate::error::BuildError;
use crate::quantity::{Bytes, Nanoseconds};

/// Bytes in a frame for each module with values in it: its mode and how far it has got in it.
const TAG: u32 = 2;
/// Bytes of its checksum.
const CHECKSUM: u32 = 4;

/// When the nodes send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// After this it begins again; zero if nothing is sent.
    pub cycle: Nanoseconds,
    /// The frames of a cycle, in their order.
    pub frames: Vec<Frame>,
    /// How the nodes' clocks are kept together, if they drift.
    pub clocks: Option<Kept>,
    /// By which time after its release a job of a task that sends has to be done: by module and task of the whole.
    deadlines: BTreeMap<(usize, usize), Nanoseconds>,
}

/// What a node sends once a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The node.
    pub node: usize,
    /// From the beginning of the cycle to the instant at which its values are taken.
    pub start: Nanoseconds,
    /// To when they have arrived.
    pub end: Nanoseconds,
    /// To when they count.
    pub counts: Nanoseconds,
    /// The most bytes that it carries.
    pub bytes: Bytes,
    /// The links that it may carry.
    pub links: Vec<usize>,
}

impl Schedule {
    /// By which time after its release a job of a task has to be done, if it sends.
    #[must_use]
    pub fn deadline(&self, (module, task): (usize, usize)) -> Option<Nanoseconds> {
        self.deadlines.get(&(module, task)).copied()
    }
}

/// The schedule of a whole system. Links without readers are those that no bus has to carry.
pub(super) fn schedule(
    model: &Model,
    description: &Description,
    places: &[usize],
    links: &[Link],
) -> Result<Schedule, BuildError> {
    let crossing: Vec<Link> = links.iter().filter(|link| !link.to.is_empty()).cloned().collect();
    let Some(first) = crossing.first() else { return Ok(Schedule::default()) };
    let Some(bus) = &description.bus else {
        return Err(without_bus(description, first));
    };
    let senders: BTreeSet<usize> = crossing.iter().map(|link| link.module).collect();
    let cycle = cycle::cycle(model, &crossing);
    let mut ends: Vec<End> = Vec::new();
    for index in senders {
        let Some(module) = model.modules.get(index) else { continue };
        for mode in cycle::modes(module) {
            let mut own = ends_in(model, index, mode, links, cycle)?;
            if cycle::only(module).is_some() {
                leave_unread(model, &mut own, links, cycle);
            }
            ends.extend(own);
        }
    }
    let mut frames = frames(&ends, places, links);
    let mut clocks = clocks::kept(description, &frames, cycle)?;
    let apart = clocks.as_ref().map_or(0, |kept| kept.apart.get());
    place(&mut frames, bus, (cycle, apart), description)?;
    let deadlines = deadlines(&ends, &frames, places, (model, apart))?;
    frames.sort_by_key(|frame| frame.start);
    if let Some(kept) = &mut clocks {
        kept.frame = frames.iter().position(|frame| frame.node == kept.by).unwrap_or(0);
    }
    Ok(Schedule { cycle: Nanoseconds::new(cycle), frames, clocks, deadlines })
}

/// The end of a logical execution time of a task that sends.
struct End {
    module: usize,
    task: usize,
    /// The task's name, and where the text has it.
    name: String,
    place: Place,
    /// The mode's name tells modes of a module apart.
    mode: String,
    /// From the release to the end.
    length: u64,
    /// Whether there surely is a job that ends then.
    is_certain: bool,
    /// The links whose values it sends.
    links: Vec<usize>,
    /// The cycle of the mode's period in which it ends, and from that cycle's beginning to the end.
    phase: u64,
    offset: u64,
}

fn ends_in(
    model: &Model,
    module: usize,
    mode: &Mode,
    links: &[Link],
    cycle: u64,
) -> Result<Vec<End>, BuildError> {
    let mut ends = Vec::new();
    let period = nanoseconds(mode.period).get().max(1);
    for activity in &mode.activities {
        let Activity::Task { task, guard, .. } = activity else { continue };
        let Some(row) = model.modules.get(module).and_then(|text| text.tasks.get(*task)) else { continue };
        let own = links.iter().enumerate().filter(|(_, link)| (link.module, link.task) == (module, *task));
        let own: Vec<usize> = own.filter(|(_, link)| !link.to.is_empty()).map(|(link, _)| link).collect();
        if own.is_empty() {
            continue;
        }
        if activity.frequency() > cycle::MOST_LOOKS {
            return Err(too_often(model, row, activity.frequency()));
        }
        for begin in (0..cycle.max(period)).step_by(usize::try_from(period).unwrap_or(usize::MAX)) {
            for window in activity.windows(mode.period) {
                let end = begin + nanoseconds(window.end).get();
                ends.push(End {
                    module,
                    task: *task,
                    name: row.name.clone(),
                    place: row.place,
                    mode: mode.name.clone(),
                    length: nanoseconds(window.length()).get(),
                    // An instant at the border of two cycles ends the first.
                    phase: (end - 1) / cycle,
                    offset: (end - 1) % cycle + 1,
                    is_certain: guard.is_none(),
                    links: own.clone(),
                });
            }
        }
    }
    Ok(ends)
}

/// Leaves out of the values of a module that stays in one mode those that nobody looks at before the next ones, if these
/// surely come.
fn leave_unread(model: &Model, ends: &mut Vec<End>, links: &[Link], cycle: u64) {
    // Of a mode that is longer than the cycle, several ends are at one place of it.
    if ends.iter().any(|end| end.phase > 0) {
        return;
    }
    let offsets: Vec<(usize, u64)> = ends.iter().map(|end| (end.task, end.offset)).collect();
    let next = |task: usize, offset: u64| {
        let later = offsets.iter().filter(|(own, _)| *own == task).map(|(_, other)| match *other > offset {
            true => *other,
            false => *other + cycle,
        });
        later.min().unwrap_or(offset + cycle)
    };
    for end in ends.iter_mut().filter(|end| end.is_certain) {
        let until = next(end.task, end.offset);
        let is_read = |link: &usize| {
            links.get(*link).is_some_and(|link| cycle::is_read(model, link, cycle, end.offset, until))
        };
        end.links = end.links.iter().copied().filter(is_read).collect();
    }
    ends.retain(|end| !end.links.is_empty());
}

/// What each node sends for each instant of the cycle, without its place.
fn frames(ends: &[End], places: &[usize], links: &[Link]) -> Vec<Frame> {
    let mut sent: BTreeMap<(u64, usize), Vec<&End>> = BTreeMap::new();
    for end in ends {
        let Some(node) = places.get(end.module) else { continue };
        sent.entry((end.offset, *node)).or_default().push(end);
    }
    let frame = |((offset, node), ends): ((u64, usize), Vec<&End>)| {
        let own: BTreeSet<usize> = ends.iter().flat_map(|end| end.links.iter().copied()).collect();
        let modules: BTreeSet<usize> = ends.iter().map(|end| end.module).collect();
        let largest = |module: &usize| TAG.saturating_add(largest(&ends, *module, links));
        Frame {
            node,
            start: Nanoseconds::ZERO,
            end: Nanoseconds::ZERO,
            counts: Nanoseconds::new(offset),
            bytes: Bytes::new(modules.iter().map(largest).fold(CHECKSUM, u32::saturating_add)),
            links: own.into_iter().collect(),
        }
    };
    sent.into_iter().map(frame).collect()
}

/// The most bytes that a module sends in a frame, in any mode and at any of its periods' cycles.
fn largest(ends: &[&End], module: usize, links: &[Link]) -> u32 {
    let mut sums: BTreeMap<(&str, u64), u32> = BTreeMap::new();
    for end in ends.iter().filter(|end| end.module == module) {
        let own = end.links.iter().filter_map(|link| links.get(*link));
        let bytes = own.map(|link| link.length).fold(0, u32::saturating_add);
        let sum = sums.entry((&end.mode, end.phase)).or_default();
        *sum = sum.saturating_add(bytes);
    }
    sums.into_values().max().unwrap_or(0)
}

/// Puts the frames into the cycle, each as late as possible, with so much between two of them and before their values count as
/// clocks may be apart. They are in the order in which their values count.
fn place(
    frames: &mut [Frame],
    bus: &Bus,
    (cycle, apart): (u64, u64),
    description: &Description,
) -> Result<(), BuildError> {
    if let Some((frame, most)) = frames.iter().rev().find_map(|frame| {
        let most = bus.most.filter(|most| most.value < frame.bytes)?;
        Some((frame, most))
    }) {
        return Err(too_large(frame, most.place, description));
    }
    if let Err(full) = put(frames, bus, cycle, apart) {
        let fits = |apart: u64| put(&mut frames.to_vec(), bus, cycle, apart).is_ok();
        let better = clocks::that_fit(description, cycle, fits).filter(|_| apart > 0);
        return Err(too_short(&full, apart, better, description));
    }
    Ok(())
}

/// A frame for which the cycle has no time: which, how long it is, and when it has to end.
struct Full {
    frame: Frame,
    length: u64,
    end: u64,
}

fn put(frames: &mut [Frame], bus: &Bus, cycle: u64, apart: u64) -> Result<(), Full> {
    let mut taken = cycle;
    for frame in frames.iter_mut().rev() {
        let length = bus
            .byte
            .value
            .get()
            .saturating_mul(frame.bytes.get().into())
            .saturating_add(bus.frame.value.get());
        let latest = taken.min(frame.counts.get());
        let full = || Full { frame: frame.clone(), length, end: latest.saturating_sub(apart) };
        let end = latest.checked_sub(apart).ok_or_else(full)?;
        let start = end.checked_sub(length).ok_or_else(full)?;
        (frame.start, frame.end, taken) = (Nanoseconds::new(start), Nanoseconds::new(end), start);
    }
    Ok(())
}

/// By when jobs have to be done: their values are taken at the start of the frame.
fn deadlines(
    ends: &[End],
    frames: &[Frame],
    places: &[usize],
    (model, apart): (&Model, u64),
) -> Result<BTreeMap<(usize, usize), Nanoseconds>, BuildError> {
    let mut deadlines = BTreeMap::new();
    for end in ends {
        let is_own =
            |frame: &&Frame| frame.counts.get() == end.offset && Some(&frame.node) == places.get(end.module);
        let Some(frame) = frames.iter().find(is_own) else { continue };
        let ahead = end.offset - frame.start.get();
        // Where clocks are apart, what it replaces may be read elsewhere for so much longer than its job has begun here.
        let until_there = end.length.saturating_sub(end.offset - frame.end.get());
        let left = end.length.checked_sub(ahead).filter(|left| *left > 0 && until_there > apart);
        let Some(left) = left else {
            return Err(no_time(model, end, ahead));
        };
        let earliest = deadlines.entry((end.module, end.task)).or_insert(Nanoseconds::new(left));
        *earliest = (*earliest).min(Nanoseconds::new(left));
    }
    Ok(deadlines)
}

fn too_often(model: &Model, task: &Task, frequency: u32) -> BuildError {
    super::refused(
        model,
        task.place,
        format!("task `{}` sends {frequency} values in a period, and a schedule lists each", task.name),
        "sends too often",
        &format!("write a shorter period: at most {} values in one can be listed", cycle::MOST_LOOKS),
    )
}

fn without_bus(description: &Description, link: &Link) -> BuildError {
    let name = |node: usize| description.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
    let place = description.nodes.get(link.from).map_or((0, 0).into(), |node| node.name.place);
    BuildError::Description(description.alone(Problem {
        code: code::MISSING,
        place,
        message: format!(
            "`{}` is read on node `{}`, and nothing says how it gets there from `{}`",
            link.name,
            link.to.first().map(|node| name(*node)).unwrap_or_default(),
            name(link.from)
        ),
        label: "without a way to others".to_owned(),
        help: "add [bus] with `frame = \"...\"`, how long an empty frame takes, and `byte = \"...\"`, how much longer for each byte"
            .into(),
    }))
}

fn too_large(frame: &Frame, place: miette::SourceSpan, description: &Description) -> BuildError {
    let node = description.nodes.get(frame.node).map(|node| node.name.as_str()).unwrap_or_default();
    BuildError::Description(
        description.alone(Problem {
            code: code::RANGE,
            place,
            message: format!(
                "node `{node}` has {} bytes to send for {} of the cycle, and a frame has at most this",
                frame.bytes.get(),
                frame.counts
            ),
            label: "the most in a frame".to_owned(),
            help: format!(
                "allow \"{}\" if the bus can, send less, or let tasks of the node end at different times",
                frame.bytes.get()
            )
            .into(),
        }),
    )
}

fn too_short(full: &Full, apart: u64, better: Option<u32>, description: &Description) -> BuildError {
    let Full { frame, length, end } = full;
    let node = description.nodes.get(frame.node);
    let place = node.map_or((0, 0).into(), |node| node.name.place);
    let name = node.map(|node| node.name.as_str()).unwrap_or_default();
    let clocks = match apart {
        0 => String::new(),
        apart => format!(", as clocks may be {} apart", Nanoseconds::new(apart)),
    };
    let better = match better {
        Some(drift) => format!("clocks that are wrong by no more than {drift}ppm would do; or "),
        None => String::new(),
    };
    BuildError::Description(description.alone(Problem {
        code: code::RANGE,
        place,
        message: format!(
            "the bus has no time for what node `{name}` sends: its {} bytes take {}, and of the cycle only {} are left before \
             they count, at {}{clocks}",
            frame.bytes.get(),
            Nanoseconds::new(*length),
            Nanoseconds::new(*end),
            frame.counts
        ),
        label: "its values don't fit".to_owned(),
        help: format!(
            "{better}take a faster bus, send less, or put modules that read each other's outputs on one node"
        )
        .into(),
    }))
}

fn no_time(model: &Model, end: &End, ahead: u64) -> BuildError {
    let (name, place) = (&end.name, end.place);
    super::refused(
        model,
        place,
        format!(
            "task `{name}` has no time to compute what it sends: the bus takes its values {} before they count, and its \
             logical execution time is only {}",
            Nanoseconds::new(ahead),
            Nanoseconds::new(end.length)
        ),
        "sent before it is released",
        "take a faster bus, send less, or give the task a longer logical execution time",
    )
}
