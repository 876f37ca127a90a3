//! For a slot's program with an instant that is too heavy: the shortest run to the earliest such instant, and the
//! heaviest way through it, up to the instruction with which it takes more than it may.
//!
//! An event may come right behind another instant, so in a program that waits for events an instant may take only
//! half as much.
//!
//! The check of weight names the instruction and no more. Here instants are followed in the order in which they may
//! come, whatever guards say. That is for people to read; no program is accepted because of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};

use beryl_syscode::check::weight::Costs;
use beryl_syscode::round::is_beat;
use beryl_syscode::{Container, Instruction, Round};

use super::Visit;
use crate::project::Project;

/// A run to an instant that is too heavy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeavyRun {
    /// Its instants. The last one ends with the instruction that makes it too heavy.
    pub instants: Vec<Visit>,
    /// What each instruction of the last instant takes, in ticks.
    pub parts: Vec<u32>,
    /// What all of its instructions together may take.
    pub most: u32,
}

/// The shortest run to an instant that is too heavy for its slot. If there is none, no run gets to the code that is
/// too heavy.
#[must_use]
pub fn heavy_run(project: &Project, slot: usize, bytes: &[u8]) -> Option<HeavyRun> {
    let container = Container::read(bytes).ok()?;
    let supply = project.supplies.get(slot)?;
    let instructions = container.code().filter_map(Instruction::decode);
    let has_events =
        instructions.into_iter().any(|instruction| matches!(instruction, Instruction::When { .. }));
    let costs = supply.costs();
    let most = if has_events { costs.limit() / 2 } else { costs.limit() };
    Search { container, costs, most }.run()
}

struct Search<'a> {
    container: Container<'a>,
    costs: Costs<'a>,
    /// What an instant may take.
    most: u32,
}

/// An instant: when it may come first, and the instants before it.
struct Node {
    at: u64,
    address: u16,
    /// How far the program's round has come.
    position: u32,
    /// The instant before it, and what is done there.
    before: Option<(usize, Vec<u16>)>,
}

/// Where the next instant begins, and how many ticks later.
type Next = (u16, u64);

/// A point of an instant: the instruction, the next instant if it is known, and how far the round has come.
type Point = (u16, Option<Next>, u32);

impl Search<'_> {
    fn run(&self) -> Option<HeavyRun> {
        let mut nodes = vec![Node { at: 0, address: self.container.start(), position: 0, before: None }];
        let mut open = BinaryHeap::from([Reverse((0_u64, 0_usize))]);
        let mut known = BTreeSet::new();
        while let Some(Reverse((at, number))) = open.pop() {
            let Node { address, position, .. } = *nodes.get(number)?;
            if !known.insert((address, position)) {
                continue;
            }
            if let Some(addresses) = self.too_heavy(address) {
                return Some(self.found(&nodes, number, addresses));
            }
            for ((address, delay), position, addresses) in self.ends(address, position) {
                let at = at.saturating_add(delay);
                open.push(Reverse((at, nodes.len())));
                nodes.push(Node { at, address, position, before: Some((number, addresses)) });
            }
        }
        None
    }

    fn instruction(&self, address: u16) -> Option<Instruction> {
        self.container.instruction(address.into()).and_then(Instruction::decode)
    }

    /// What an instruction takes, with all drivers of its run.
    fn taken(&self, instruction: Instruction) -> u32 {
        let count = if let Instruction::Calls { count, .. } = instruction { count } else { 1 };
        (0..count).map(|position| self.costs.own(instruction, position)).fold(0, u32::saturating_add)
    }

    /// The heaviest way from an address on up to where it takes too much.
    fn too_heavy(&self, start: u16) -> Option<Vec<u16>> {
        // For each address what has been taken before it, and where that way comes from.
        let mut before: BTreeMap<u16, (u32, Option<u16>)> = BTreeMap::from([(start, (0, None))]);
        let mut next = Some(start);
        while let Some(address) = next {
            let (taken, _) = before.get(&address).copied()?;
            let instruction = self.instruction(address)?;
            let taken = taken.saturating_add(self.taken(instruction));
            if taken > self.most {
                let steps = std::iter::successors(Some(address), |step| before.get(step)?.1);
                let mut addresses: Vec<_> = steps.collect();
                addresses.reverse();
                return Some(addresses);
            }
            for to in follow(address, instruction).into_iter().flatten() {
                let known = before.entry(to).or_insert((taken, Some(address)));
                if known.0 < taken {
                    *known = (taken, Some(address));
                }
            }
            next = before.range(address.saturating_add(1)..).next().map(|(address, _)| *address);
        }
        None
    }

    /// The instants that may follow one, each with the fewest instructions that lead to it.
    fn ends(&self, start: u16, position: u32) -> Vec<(Next, u32, Vec<u16>)> {
        let begin: Point = (start, None, position);
        let mut from = HashMap::from([(begin, None)]);
        let mut open = VecDeque::from([begin]);
        let mut ends = Vec::new();
        while let Some(point) = open.pop_front() {
            let (address, mut next, mut position) = point;
            let Some(instruction) = self.instruction(address) else { continue };
            if let (Instruction::Return {}, Some(next)) = (instruction, next) {
                let steps = std::iter::successors(Some(point), |step| from.get(step).copied().flatten());
                let mut addresses: Vec<_> = steps.map(|(address, ..)| address).collect();
                addresses.reverse();
                ends.push((next, position, addresses));
            }
            if let Instruction::Future { delay, address } = instruction {
                next = self.container.duration(delay).map(|delay| (address, delay.ticks()));
            }
            let mut goes_on = follow(address, instruction);
            match instruction {
                Instruction::Next { round, address } => {
                    let round = self.container.condition(round);
                    let round =
                        round.and_then(|round| Round::of(round, |number| self.container.duration(number)));
                    let beat = round.map(|round| round.next(position));
                    next = beat.map(|beat| (address, beat.ahead.into()));
                    position = beat.map_or(position, |beat| beat.position);
                }
                Instruction::Beat { beat, .. } => {
                    let comes = self.container.duration(beat).is_some_and(|beat| is_beat(position, beat));
                    goes_on[usize::from(comes)] = None;
                }
                Instruction::Round {} => position = 0,
                _ => {}
            }
            // The event may come with the next tick.
            if let Instruction::When { address, .. } = instruction {
                next = Some((address, 1));
            }
            for to in goes_on.into_iter().flatten() {
                from.entry((to, next, position)).or_insert_with(|| {
                    open.push_back((to, next, position));
                    Some(point)
                });
            }
        }
        ends
    }

    fn found(&self, nodes: &[Node], number: usize, addresses: Vec<u16>) -> HeavyRun {
        let parts = addresses.iter().filter_map(|address| self.instruction(*address));
        let parts = parts.map(|instruction| self.taken(instruction)).collect();
        let mut instants = Vec::new();
        let (mut number, mut addresses) = (number, addresses);
        while let Some(node) = nodes.get(number) {
            instants.push(Visit { at: node.at, addresses });
            let Some((before, done)) = &node.before else { break };
            (number, addresses) = (*before, done.clone());
        }
        instants.reverse();
        HeavyRun { instants, parts, most: self.most }
    }
}

/// What may follow an instruction at the same instant. Programs for slots have no threads.
fn follow(address: u16, instruction: Instruction) -> [Option<u16>; 2] {
    let next = address.checked_add(1);
    match instruction {
        Instruction::Return {} | Instruction::Change { .. } => [None, None],
        Instruction::Jump { address } => [None, Some(address)],
        Instruction::Branch { address }
        | Instruction::Late { address, .. }
        | Instruction::Beat { address, .. } => [next, Some(address)],
        _ => [next, None],
    }
}
