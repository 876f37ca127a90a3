//! Natural loops of a control-flow graph.
//!
//! Dominators as in Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", section 3.

use std::collections::{BTreeMap, BTreeSet};

use crate::flow::Function;

/// A natural loop.
#[derive(Debug)]
pub struct Loop {
    /// The only block that it is entered at.
    pub head: u32,
    /// The blocks that jump back to the head.
    pub tails: BTreeSet<u32>,
    /// All its blocks.
    pub body: BTreeSet<u32>,
}

impl Loop {
    /// Whether control can come back to the head from several places, also by way of a common last block.
    /// Then several loops of the source may have become this one.
    pub fn has_several_ways_back(&self, function: &Function) -> bool {
        let leads_to =
            |block: &u32, to: u32| function.blocks[block].followers().any(|follower| follower == to);
        match self.tails.first() {
            Some(tail) if self.tails.len() == 1 && *tail != self.head => {
                let only_jumps = function.blocks[tail].followers().all(|follower| follower == self.head);
                only_jumps && self.body.iter().filter(|block| leads_to(block, *tail)).count() > 1
            }
            _ => self.tails.len() > 1,
        }
    }

    /// The blocks that are run in every round, also in the last one.
    pub fn certain<'a>(&'a self, function: &'a Function) -> impl Iterator<Item = u32> + 'a {
        self.body.iter().copied().filter(|block| !self.can_avoid(function, *block))
    }

    /// Whether a round, from the head back to it or out of the loop, can do without `block`.
    fn can_avoid(&self, function: &Function, block: u32) -> bool {
        let mut seen = BTreeSet::from([block]);
        let mut ahead = vec![self.head];
        while let Some(address) = ahead.pop() {
            if !seen.insert(address) {
                continue;
            }
            let reached = &function.blocks[&address];
            let ends = |follower| follower == self.head || !self.body.contains(&follower);
            if reached.leaves_function() || reached.followers().any(ends) {
                return true;
            }
            ahead.extend(reached.followers());
        }
        false
    }
}

/// The loops of a function, by head, and an order that follows every edge except those back to a head.
#[derive(Debug)]
pub struct Loops {
    /// All blocks, each behind the blocks that lead to it.
    pub order: Vec<u32>,
    /// The loops by their head.
    pub by_head: BTreeMap<u32, Loop>,
}

impl Loops {
    /// The blocks of `machine` that belong to no loop inside it.
    pub fn own<'a>(&'a self, machine: &'a Loop) -> impl Iterator<Item = u32> + 'a {
        let inner = |found: &&Loop| found.head != machine.head && machine.body.contains(&found.head);
        let in_inner =
            move |block: u32| self.by_head.values().filter(inner).any(|found| found.body.contains(&block));
        machine.body.iter().copied().filter(move |block| !in_inner(*block))
    }
}

/// Finds the loops of `function`.
///
/// # Errors
///
/// The address of a block that jumps into the middle of a loop.
pub fn find(function: &Function) -> Result<Loops, u32> {
    let graph = Graph::new(function);
    let dominators = graph.dominators();
    let mut by_head = BTreeMap::new();
    for (position, followers) in graph.followers.iter().enumerate() {
        for head in followers.iter().copied().filter(|head| *head <= position) {
            if !dominates(&dominators, head, position) {
                return Err(graph.order[position]);
            }
            graph.add_to_loop(
                by_head.entry(graph.order[head]).or_insert_with(|| empty(graph.order[head])),
                position,
            );
        }
    }
    Ok(Loops { order: graph.order, by_head })
}

fn empty(head: u32) -> Loop {
    Loop { head, tails: BTreeSet::new(), body: BTreeSet::from([head]) }
}

/// The graph with blocks as positions in reverse postorder.
struct Graph {
    order: Vec<u32>,
    followers: Vec<Vec<usize>>,
    leaders: Vec<Vec<usize>>,
}

impl Graph {
    fn new(function: &Function) -> Self {
        let order = reverse_postorder(function);
        let positions: BTreeMap<u32, usize> =
            order.iter().enumerate().map(|(position, block)| (*block, position)).collect();
        let mut graph =
            Graph { followers: vec![Vec::new(); order.len()], leaders: vec![Vec::new(); order.len()], order };
        for (position, block) in graph.order.iter().enumerate() {
            for follower in function.blocks[block].followers() {
                let follower = positions[&follower];
                graph.followers[position].push(follower);
                graph.leaders[follower].push(position);
            }
        }
        graph
    }

    /// The immediate dominator of each position; the first is its own.
    fn dominators(&self) -> Vec<usize> {
        let mut dominators = vec![None; self.order.len()];
        dominators[0] = Some(0);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for position in 1..self.order.len() {
                let known =
                    self.leaders[position].iter().copied().filter(|leader| dominators[*leader].is_some());
                let closest = known.reduce(|one, other| meet(&dominators, one, other));
                changed |= dominators[position] != closest;
                dominators[position] = closest;
            }
        }
        dominators.into_iter().flatten().collect()
    }

    /// Adds the blocks from which `tail` is reached without passing the loop's head.
    fn add_to_loop(&self, found: &mut Loop, tail: usize) {
        found.tails.insert(self.order[tail]);
        let mut ahead = vec![tail];
        while let Some(position) = ahead.pop() {
            if found.body.insert(self.order[position]) {
                ahead.extend(&self.leaders[position]);
            }
        }
    }
}

fn meet(dominators: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    while one != other {
        if one > other {
            one = dominators[one].unwrap_or_default();
        } else {
            other = dominators[other].unwrap_or_default();
        }
    }
    one
}

fn dominates(dominators: &[usize], head: usize, mut position: usize) -> bool {
    while position > head {
        position = dominators[position];
    }
    position == head
}

fn reverse_postorder(function: &Function) -> Vec<u32> {
    let mut postorder = Vec::new();
    let mut seen = BTreeSet::from([function.start]);
    let mut open = vec![(function.start, function.blocks[&function.start].followers().collect::<Vec<_>>())];
    while let Some((block, followers)) = open.last_mut() {
        match followers.pop() {
            Some(follower) if seen.insert(follower) => {
                open.push((follower, function.blocks[&follower].followers().collect()));
            }
            Some(_) => {}
            None => {
                postorder.push(*block);
                open.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}
