//! Which cores a doorbell is between: one rings it, and another one of the same machine hears it.

use std::collections::BTreeMap;

use beryl_abi::{ProcessId, doorbell};

use super::diagnostic::{Problem, Reporter};
use super::doorbells::{ROLES, used};
use super::readable::Parts;
use super::{Doorbell, Node, Objects, Placed, Use, code};

/// Who uses a doorbell: on which kernel, and where that is said.
pub(super) struct End {
    pub(super) kernel: Option<usize>,
    place: miette::SourceSpan,
}

/// Everybody who rings a doorbell, and whoever hears it.
pub(super) fn ends<'a>(
    bell: &Doorbell,
    objects: &Objects,
    uses: impl Iterator<Item = (Option<usize>, &'a [Placed<Use>])>,
) -> [Vec<End>; 2] {
    let roles = ROLES.map(|role| used(bell, role, objects));
    let mut ends = [Vec::new(), Vec::new()];
    for (kernel, uses) in uses {
        for (role, found) in roles.iter().zip(&mut ends) {
            let own = uses.iter().filter(|used| Some(used.value) == *role);
            found.extend(own.map(|used| End { kernel, place: used.place }));
        }
    }
    ends
}

/// A doorbell goes from one core to another of its machine.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let kernel = |process: ProcessId| Some(parts.processes.get(process.index())?.node?.value);
    let mut between: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for bell in &parts.objects.doorbells {
        let tasks = parts.tasks.iter().map(|task| (kernel(task.process.value), task.uses.as_slice()));
        let threads =
            parts.threads.iter().map(|thread| (kernel(thread.process.value), thread.uses.as_slice()));
        let [rings, hears] = ends(bell, &parts.objects, tasks.chain(threads));
        let (Some(first), Some(hears)) = (rings.first(), hears.first()) else { continue };
        if parts.nodes.is_empty() {
            refuse(bell.name.place, ALONE, reporter);
            continue;
        }
        let (Some(from), Some(to)) = (first.kernel, hears.kernel) else { continue };
        if let Some(other) = rings.iter().find(|other| other.kernel != Some(from)) {
            reporter.report_with(problem(other.place, SEVERAL), first.place, "rung here first");
        } else if from == to {
            reporter.report_with(problem(hears.place, SAME), first.place, "rung here");
        } else if !are_cores_of_one(&parts.nodes, [from, to]) {
            reporter.report_with(problem(hears.place, NODES), first.place, "rung here");
        } else {
            let number = between.entry([from, to]).or_default();
            if *number == doorbell::BELLS {
                refuse(bell.name.place, MANY, reporter);
            }
            *number = number.saturating_add(1);
        }
    }
}

fn are_cores_of_one(nodes: &[Node], [from, to]: [usize; 2]) -> bool {
    let of = |kernel: usize| nodes.get(kernel).filter(|node| node.is_core()).map(|node| node.machine);
    of(from).is_some() && of(from) == of(to)
}

/// What is wrong with a doorbell: what is said of it, at its place, and what helps.
type Wrong = [&'static str; 3];

const ALONE: Wrong = [
    "a doorbell goes from one core to another, and this system has one kernel",
    "this doorbell",
    "write [notification.NAME] with `NAME.notify` and `NAME.wait`, or put its ends on two [core.NAME]",
];
const SEVERAL: Wrong = [
    "a doorbell is rung by one core, and this is another one",
    "rung on another core",
    "describe a doorbell for each core that rings",
];
const SAME: Wrong = [
    "a doorbell goes from one core to another, and this is the core that rings it",
    "heard on the same core",
    "write [notification.NAME] with `NAME.notify` and `NAME.wait`, or put one end on another core",
];
const NODES: Wrong = [
    "a doorbell goes from one core to another of its machine, and these are two machines",
    "heard on another node",
    "put both ends on cores of one node; between nodes, modules of the timing program import each other's outputs",
];
const MANY: Wrong = [
    "one core has eight doorbells at another, at most",
    "one too many",
    "let one doorbell ring for several things, and look which it was",
];

fn problem(place: miette::SourceSpan, [message, label, help]: Wrong) -> Problem {
    Problem {
        code: code::CONFLICT,
        place,
        message: message.to_owned(),
        label: label.to_owned(),
        help: help.into(),
    }
}

fn refuse(place: miette::SourceSpan, wrong: Wrong, reporter: &mut Reporter) {
    reporter.report(problem(place, wrong));
}

/// A doorbell between two kernels, as both know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// Its name.
    pub name: String,
    /// The kernel that rings it.
    pub from: usize,
    /// The kernel that hears it.
    pub to: usize,
    /// Its bit where it is rung.
    pub bell: u32,
    /// Its line where it is heard.
    pub line: u16,
}
