//! `[core.NAME]`: cores of the system's board, or of a node's, each with a kernel of its own; and which kernel a process has.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::{Entry, Section};
use super::value::Text;
use super::{Node, Placed, Use, code, nodes};
use crate::board::{BOARDS, Board, Rights};

/// The key of a process that names its core.
pub(super) const KEY: &str = "core";
const CORE: &[&str] = &["node"];

/// What has a kernel, in the order of the text: nodes, and in the place of a node with cores, these.
pub(super) fn kernels(
    file: &Section<'_>,
    chosen: Option<&'static Board>,
    reporter: &mut Reporter,
) -> Vec<Node> {
    let nodes = nodes::nodes(file, chosen, reporter);
    let entries = file.entries("core", reporter);
    let cores: Vec<Node> = entries.iter().filter_map(|entry| core(entry, &nodes, reporter)).collect();
    if nodes.is_empty() {
        return cores;
    }
    let in_place_of = |node: Node| -> Vec<Node> {
        let own: Vec<Node> = cores.iter().filter(|core| core.machine == node.machine).cloned().collect();
        if own.is_empty() { vec![node] } else { own }
    };
    nodes.into_iter().flat_map(in_place_of).collect()
}

/// A core, which is on the system's board unless it says on which node's.
fn core(entry: &Entry<'_>, nodes: &[Node], reporter: &mut Reporter) -> Option<Node> {
    let section = entry.open("core", 1, CORE, reporter)?;
    let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let name = entry.name.clone();
    if let Some(same) = nodes.iter().find(|node| node.name.value == name.value) {
        let problem = Problem {
            code: code::CONFLICT,
            place: name.place,
            message: format!("a node is called `{}`, too", name.value),
            label: "this core".to_owned(),
            help: "give the core another name: both are named by what has a kernel of its own".into(),
        };
        reporter.report_with(problem, same.name.place, "the node");
        return None;
    }
    let Some(Placed { value: Text(of), place }) = section.optional("node", reporter) else {
        if nodes.is_empty() {
            return Some(Node { name, board: None, machine: 0, core_of: Some(None) });
        }
        reporter.report(Problem {
            code: code::MISSING,
            place: name.place,
            message: format!("nothing says of which node `{}` is a core", name.value),
            label: "`node` is missing".to_owned(),
            help: format!("add `node = ...` with one of {}", known.join(", ")).into(),
        });
        return None;
    };
    let Some(node) = nodes.iter().find(|node| node.name.value == of) else {
        reporter.unknown("node", &Placed::new(of, place), &known);
        return None;
    };
    Some(Node { name, board: node.board, machine: node.machine, core_of: Some(Some(of)) })
}

/// What has the kernel of a process, if it says so: its position. The outer `None`: there is no such thing.
#[expect(clippy::option_option, reason = "a process may name nothing, or what isn't there")]
pub(super) fn of_process(
    section: &Section<'_>,
    kernels: &[Node],
    reporter: &mut Reporter,
) -> Option<Option<Placed<usize>>> {
    if !section.has(KEY) {
        return nodes::of_process(section, kernels, reporter);
    }
    let Placed { value: Text(name), place } = section.optional(KEY, reporter)?;
    if let Some(Placed { place: node, .. }) = section.optional::<Text>(nodes::KEY, reporter) {
        reporter.report_with(
            Problem {
                code: code::CONFLICT,
                place: node,
                message: "a process is on one core, and its node is that core's".to_owned(),
                label: "said twice".to_owned(),
                help: "leave `node` out".into(),
            },
            place,
            "its core",
        );
        return None;
    }
    let found = kernels.iter().position(|core| core.is_core() && core.name.value == name);
    if found.is_none() {
        let names = kernels.iter().filter(|core| core.is_core()).map(|core| core.name.as_str());
        reporter.unknown("core", &Placed::new(name, place), &names.collect::<Vec<_>>());
    }
    Some(Some(Placed::new(found?, place)))
}

/// No board has more cores in the description than on it, nor a device for two of them.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    check_devices(parts, reporter);
    check_halves(parts, reporter);
    let Some(usual) = parts.board.map(|board| board.board.value) else { return };
    for (index, core) in parts.nodes.iter().enumerate().filter(|(_, core)| core.is_core()) {
        let board = core.board.unwrap_or(usual);
        let before = parts.nodes.iter().take(index).filter(|other| other.machine == core.machine).count();
        if before != board.most_kernels() {
            continue;
        }
        let cores = parts.nodes.iter().filter(|other| other.machine == core.machine).count();
        let larger = BOARDS.iter().filter(|other| other.most_kernels() >= cores);
        let larger: Vec<_> =
            larger.map(|board| format!("`{}` has {}", board.name, board.most_kernels())).collect();
        let other = match larger.join(", ") {
            none if none.is_empty() => "describe a node for them".to_owned(),
            larger => format!("take another board: {larger}"),
        };
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: core.name.place,
            message: match board.most_kernels() {
                1 => format!("`{}` has one core", board.name),
                cores => format!("`{}` has {cores} cores", board.name),
            },
            label: "one too many".to_owned(),
            help: format!("put its processes on another core, or {other}").into(),
        });
    }
}

/// A device is one kernel's: no other one knows what is done with it. What all may read, all may have, and each core has a window to the
/// environment.
fn check_devices(parts: &Parts, reporter: &mut Reporter) {
    let Some(usual) = parts.board.map(|board| board.board.value) else { return };
    let on_cores = parts.processes.iter().filter_map(|process| {
        let core = process.node?.value;
        Some((core, parts.nodes.get(core).filter(|core| core.is_core())?, process))
    });
    let devices = on_cores.flat_map(|(core, row, process)| {
        let window = row.board.unwrap_or(usual).environment;
        let own = process
            .devices
            .iter()
            .filter(move |device| device.value.rights == Rights::ReadWrite && device.value.name != window);
        own.map(move |device| (core, row, device))
    });
    let devices: Vec<_> = devices.collect();
    for (index, (core, row, device)) in devices.iter().enumerate() {
        let first = devices.iter().take(index).find(|(_, other, before)| {
            other.machine == row.machine && before.value.name == device.value.name
        });
        let Some((_, other, before)) = first.filter(|(first, ..)| first != core) else { continue };
        let problem = Problem {
            code: code::CONFLICT,
            place: device.place,
            message: format!(
                "a device is one core's, and `{}` is given to processes on `{}` and on `{}`",
                device.value.name, other.name.value, row.name.value
            ),
            label: "given to another core".to_owned(),
            help: "put both processes on one core, or let one of them have the device, and modules import what it reads".into(),
        };
        reporter.report_with(problem, before.place, "given to this one first");
    }
}

/// What a board has for one kernel, and uses itself where its cores have one each, nobody gets there: a device, or a line.
fn check_halves(parts: &Parts, reporter: &mut Reporter) {
    let Some(usual) = parts.board.map(|board| board.board.value) else { return };
    let taken = |board: &Board| format!("kernels of several cores use it themselves on `{}`", board.name);
    for process in &parts.processes {
        let Some(row) = process.node.as_ref().and_then(|node| parts.nodes.get(node.value)) else { continue };
        let board = row.board.unwrap_or(usual);
        let Some(own) = board.cores.first().filter(|_| row.is_core()) else { continue };
        for device in process.devices.iter().filter(|device| own.device(device.value.name).is_none()) {
            let left: Vec<_> = own.devices.iter().map(|device| format!("`{}`", device.name)).collect();
            reporter.report(Problem {
                code: code::CONFLICT,
                place: device.place,
                message: format!("`{}` can't be given to a process: {}", device.value.name, taken(board)),
                label: "an alarm of theirs".to_owned(),
                help: format!("leave it out, or `[core.NAME]`; a core has {}", left.join(", ")).into(),
            });
        }
    }
    let is_bell = |name: &String| parts.objects.doorbells.iter().any(|bell| bell.name.value == *name);
    for (index, row) in parts.objects.interrupts.iter().enumerate() {
        // What no kernel of the board leaves to threads is refused as such.
        if is_bell(&row.name.value) || usual.kernel_lines.contains(&row.line.value) {
            continue;
        }
        let is_theirs = |node: &&Node| {
            let own = node.board.unwrap_or(usual).cores.first().filter(|_| node.is_core());
            own.is_some_and(|core| core.kernel_lines.contains(&row.line.value))
        };
        let Some(node) = served_on(index, parts).find(is_theirs) else { continue };
        let taken = taken(node.board.unwrap_or(usual));
        reporter.report(Problem {
            code: code::RANGE,
            place: row.line.place,
            message: format!("line {} can't be served by a thread: {taken}", row.line.value),
            label: "the kernels' own".to_owned(),
            help: "write the line of a device that a core has".into(),
        });
    }
}

/// The nodes and cores of the threads and tasks that use an interrupt.
fn served_on(interrupt: usize, parts: &Parts) -> impl Iterator<Item = &Node> {
    let threads = parts.threads.iter().map(|thread| (&thread.process, &thread.uses));
    let tasks = parts.tasks.iter().map(|task| (&task.process, &task.uses));
    let is_used = move |uses: &[Placed<Use>]| uses.iter().any(|used| used.value == Use::Interrupt(interrupt));
    let processes = threads.chain(tasks).filter(move |(_, uses)| is_used(uses)).map(|(process, _)| process);
    processes.filter_map(|process| parts.nodes.get(parts.processes.get(process.value.index())?.node?.value))
}
