//! `[node.NAME]` and `[bus]`: which machines a system runs on, each with a kernel of its own, and what is between them.

use std::collections::BTreeMap;

use super::clocks::clocks;
use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::{Entry, Section};
use super::value::Text;
use super::{Bus, Node, Placed, Use, code};
use crate::board::{BOARDS, Board};
use beryl_timing::Help;

/// The key of a process that names its node.
pub(super) const KEY: &str = "node";
const NODE: &[&str] = &["board"];
const BUS: &[&str] = &["frame", "byte", "most", "drift", "clock", "lost", "reading"];

/// Nodes of a system: more don't fit on any bus that such systems have.
const MOST_NODES: usize = 16;

/// The nodes of the file, in the order of the text.
pub(super) fn nodes(
    file: &Section<'_>,
    chosen: Option<&'static Board>,
    reporter: &mut Reporter,
) -> Vec<Node> {
    let entries = file.entries("node", reporter);
    let nodes = entries.iter().enumerate().filter_map(|(machine, entry)| node(machine, entry, reporter));
    nodes.map(|node| Node { board: chosen.or(node.board), ..node }).collect()
}

fn node(machine: usize, entry: &Entry<'_>, reporter: &mut Reporter) -> Option<Node> {
    let section = entry.open("node", 1, NODE, reporter)?;
    let named = section.optional::<Text>("board", reporter);
    let board = named.as_ref().and_then(|Placed { value: Text(name), place }| {
        let found = Board::named(name);
        if found.is_none() {
            let boards: Vec<&str> = BOARDS.iter().map(|board| board.name).collect();
            reporter.unknown("board", &Placed::new(name.clone(), *place), &boards);
        }
        found
    });
    (named.is_some() == board.is_some()).then(|| Node {
        name: entry.name.clone(),
        board,
        machine,
        core_of: None,
    })
}

/// What the file says of the bus; nothing if it has none.
pub(super) fn bus(file: &Section<'_>, nodes: &[Node], reporter: &mut Reporter) -> Option<Bus> {
    let section = file.optional_section("bus", BUS, reporter)?;
    let (frame, byte) = (section.required("frame", reporter), section.required("byte", reporter));
    let most = section.optional("most", reporter);
    let clocks = clocks(&section, nodes, reporter);
    Some(Bus { frame: frame?, byte: byte?, most, clocks })
}

/// The node that a process names, if it names one: its position. The outer `None`: there is no such node.
#[expect(clippy::option_option, reason = "a process may name no node, or one that isn't there")]
pub(super) fn of_process(
    section: &Section<'_>,
    nodes: &[Node],
    reporter: &mut Reporter,
) -> Option<Option<Placed<usize>>> {
    if !section.has(KEY) {
        return Some(None);
    }
    let Placed { value: Text(name), place } = section.optional(KEY, reporter)?;
    let found = nodes.iter().position(|node| !node.is_core() && node.name.value == name);
    let cores = nodes.iter().filter(|core| core.core_of == Some(Some(name.clone())));
    let cores: Vec<_> = cores.map(|core| format!("`core = \"{}\"`", core.name.value)).collect();
    if !cores.is_empty() {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("node `{name}` has cores, and this doesn't say on which"),
            label: "a node with cores".to_owned(),
            help: format!("write one of {} instead", cores.join(", ")).into(),
        });
    } else if found.is_none() {
        let names = nodes.iter().filter(|node| !node.is_core()).map(|node| node.name.as_str());
        let names: Vec<&str> = names.collect();
        reporter.unknown("node", &Placed::new(name, place), &names);
    }
    Some(Some(Placed::new(found?, place)))
}

/// Every process is on a node and every node has one, if there are any; and nothing is shared between nodes.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let has_nodes = parts.nodes.iter().any(|node| node.core_of != Some(None));
    if let Some(bus) = parts.bus.as_ref().filter(|_| !has_nodes) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: bus.frame.place,
            message: "a bus connects nodes, and there are none".to_owned(),
            label: "of this bus".to_owned(),
            help: "add two or more [node.NAME], and `node = \"NAME\"` to each process; or leave [bus] out"
                .into(),
        });
    }
    if let Some(node) = parts.nodes.get(MOST_NODES) {
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: node.name.place,
            message: format!("a system has at most {MOST_NODES} nodes"),
            label: "one too many".to_owned(),
            help: "join some of the nodes".into(),
        });
    }
    for (index, node) in parts.nodes.iter().enumerate() {
        if !parts.processes.iter().any(|process| process.is_on(index)) {
            reporter.report(Problem {
                code: code::USERS,
                place: node.name.place,
                message: format!("no process is on {} `{}`", node.word(), node.name.value),
                label: format!("an empty {}", node.word()),
                help: format!(
                    "write `{0} = \"{1}\"` into a process, or leave the {0} out",
                    node.word(),
                    node.name.value
                )
                .into(),
            });
        }
    }
    for process in parts.processes.iter().filter(|process| !parts.nodes.is_empty() && process.node.is_none())
    {
        let word = Node::word_of(&parts.nodes);
        let names = parts.nodes.iter().map(|node| match word {
            "node or core" => format!("`{} = \"{}\"`", node.word(), node.name.value),
            _ => format!("\"{}\"", node.name.value),
        });
        let names: Vec<_> = names.collect();
        let help = Help::from(match word {
            "node or core" => format!("add one of {}", names.join(", ")),
            word => format!("add `{word} = ...` with one of {}", names.join(", ")),
        });
        let line = reporter.behind_head(process.name.place);
        let written = parts.nodes.iter().map(|node| format!("\n{} = \"{}\"", node.word(), node.name.value));
        let lines = line.into_iter().flat_map(|line| written.clone().map(move |text| (line, text)));
        reporter.report(Problem {
            code: code::MISSING,
            place: process.name.place,
            message: format!("nothing says on which {word} process `{}` is", process.name.value),
            label: format!("`{}` is missing", parts.nodes.first().map_or("node", Node::word)),
            help: lines.fold(help, |help, (line, text)| help.or(line, text)),
        });
    }
    check_shared(parts, reporter);
}

/// Which object is used, by its table and its position there.
fn object(used: Use) -> (&'static str, usize) {
    match used {
        Use::Lock(index) => ("lock", index),
        Use::Semaphore(index) => ("semaphore", index),
        Use::Condition(index) => ("condition", index),
        Use::Send(index) | Use::Receive(index) => ("mailbox", index),
        Use::Call(index) | Use::Serve(index) => ("endpoint", index),
        Use::Set(index) | Use::AwaitBits(index) => ("event_group", index),
        Use::Notify(index) | Use::Await(index) => ("notification", index),
        Use::Interrupt(index) => ("interrupt", index),
        Use::Write(index) | Use::Read(index) | Use::ReadSlow(index) => ("state", index),
        Use::Region(index) => ("region", index),
        Use::Slot(index) => ("slot", index),
        Use::Trace => ("trace", 0),
        Use::Priority(index) => ("thread", index),
        Use::Replace(index) => ("process", index),
    }
}

/// Whether it is a doorbell, which has rules of its own.
fn is_doorbell(parts: &Parts, used: Use) -> bool {
    let (Use::Notify(index) | Use::Await(index)) = used else { return false };
    let name = parts.objects.notifications.get(index);
    parts.objects.doorbells.iter().any(|bell| name.is_some_and(|name| name.value == bell.name.value))
}

/// What threads of one node share, no thread of another can reach.
fn check_shared(parts: &Parts, reporter: &mut Reporter) {
    let node = |process: beryl_abi::ProcessId| Some(parts.processes.get(process.index())?.node?.value);
    let tasks = parts.tasks.iter().map(|task| (task.process.value, &task.uses));
    let threads = parts.threads.iter().map(|thread| (thread.process.value, &thread.uses));
    let users: Vec<(usize, &Placed<Use>)> = tasks
        .chain(threads)
        .filter_map(|(process, uses)| Some((node(process)?, uses)))
        .flat_map(|(node, uses)| uses.iter().map(move |used| (node, used)))
        .filter(|(_, used)| !is_doorbell(parts, used.value))
        .collect();
    let mut first_users: BTreeMap<(&str, usize), (usize, &Placed<Use>)> = BTreeMap::new();
    for (node, used) in users {
        let (other, first) = *first_users.entry(object(used.value)).or_insert((node, used));
        if other == node {
            continue;
        }
        let name = |node: usize| parts.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
        let word = parts.nodes.get(node).map_or("node", Node::word);
        let problem = Problem {
            code: code::CONFLICT,
            place: used.place,
            message: format!(
                "an object is one {word}'s, and this one is used on `{}` and on `{}`",
                name(other),
                name(node)
            ),
            label: format!("used on another {word}"),
            help: format!(
                "put its users on one {word}; between {word}s, modules of the timing program import each other's outputs"
            )
            .into(),
        };
        reporter.report_with(problem, first.place, "used here first");
    }
}
