//! The longest path through a graph whose edges all take time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::chain::Longest;
use crate::chain::quick::Quick;
use crate::failure::Failure;
use crate::ticks::Ticks;

/// The most nodes to visit.
const MOST: usize = 500_000;

/// An outgoing edge.
#[derive(Clone, Copy)]
pub(super) struct Way<N> {
    /// Its length; positive.
    pub wait: Ticks,
    /// Whether it ends with an arrival.
    pub arrives: bool,
    /// The nodes that it leads to, if any.
    pub next: [Option<N>; 2],
}

/// How to treat a run that never arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Endless {
    /// It counts as unbounded.
    Counts,
    /// It is ignored.
    Ignored,
}

/// What is known about a node.
#[derive(Clone, Copy)]
struct Node {
    /// The range of its edges among all edges, once computed.
    ways: Option<(usize, usize)>,
    /// Whether it leads to an arrival.
    leads: bool,
    /// Whether it is on the current path.
    is_open: bool,
    /// Its longest time, once known.
    time: Option<Ticks>,
}

/// The part of the graph visited so far: nodes are numbered in visiting order.
struct Graph<N, F> {
    onwards: F,
    numbers: HashMap<N, usize, Quick>,
    found: Vec<N>,
    nodes: Vec<Node>,
    ways: Vec<Way<usize>>,
    /// The edges of one node, before their targets are numbered.
    met: Vec<Way<N>>,
}

/// The longest time from any of `starts` to an arrival. `onwards` gives the edges of a node.
pub(super) fn longest<N: Copy + Eq + Hash>(
    starts: &[N],
    endless: Endless,
    onwards: impl Fn(N, &mut Vec<Way<N>>),
) -> Result<Longest, Failure> {
    let mut graph = Graph {
        onwards,
        numbers: HashMap::default(),
        found: Vec::new(),
        nodes: Vec::new(),
        ways: Vec::new(),
        met: Vec::new(),
    };
    let mut numbers = Vec::new();
    for start in starts {
        numbers.push(graph.number(*start, endless)?);
    }
    if endless == Endless::Ignored {
        graph.mark(endless)?;
    }
    graph.from(&numbers, endless)
}

impl<N: Copy + Eq + Hash, F: Fn(N, &mut Vec<Way<N>>)> Graph<N, F> {
    fn number(&mut self, node: N, endless: Endless) -> Result<usize, Failure> {
        let number = self.found.len();
        match self.numbers.entry(node) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(_) if number >= MOST => Err(Failure::TooLong),
            Entry::Vacant(new) => {
                new.insert(number);
                self.found.push(node);
                let leads = endless == Endless::Counts;
                self.nodes.push(Node { ways: None, leads, is_open: false, time: None });
                Ok(number)
            }
        }
    }

    /// The edges of a node.
    fn ways(&mut self, number: usize, endless: Endless) -> Result<(usize, usize), Failure> {
        if let Some(known) = self.nodes[number].ways {
            return Ok(known);
        }
        let begin = self.ways.len();
        let mut met = std::mem::take(&mut self.met);
        met.clear();
        (self.onwards)(self.found[number], &mut met);
        for Way { wait, arrives, next } in &met {
            let mut numbered = [None; 2];
            for (number, next) in numbered.iter_mut().zip(next) {
                *number = next.map(|next| self.number(next, endless)).transpose()?;
            }
            self.ways.push(Way { wait: *wait, arrives: *arrives, next: numbered });
        }
        self.met = met;
        let ways = (begin, self.ways.len());
        self.nodes[number].ways = Some(ways);
        Ok(ways)
    }

    /// Marks all nodes that lead to an arrival, backwards from the nodes with an edge that arrives.
    fn mark(&mut self, endless: Endless) -> Result<(), Failure> {
        let (mut links, mut open) = (Vec::new(), Vec::new());
        let mut number = 0;
        while number < self.found.len() {
            let (begin, end) = self.ways(number, endless)?;
            let ways = &self.ways[begin..end];
            links.extend(ways.iter().flat_map(|way| way.next).flatten().map(|next| (next, number)));
            if ways.iter().any(|way| way.arrives) {
                open.push(number);
            }
            number += 1;
        }
        links.sort_unstable();
        while let Some(number) = open.pop() {
            if !self.nodes[number].leads {
                self.nodes[number].leads = true;
                let first = links.partition_point(|(next, _)| *next < number);
                let before = links[first..].iter().take_while(|(next, _)| *next == number);
                open.extend(before.map(|(_, before)| *before));
            }
        }
        Ok(())
    }

    /// The longest times, each node after all its successors; a node on a cycle has none. Nodes are visited
    /// on the way, so cycles are found early.
    fn from(&mut self, starts: &[usize], endless: Endless) -> Result<Longest, Failure> {
        let mut open: Vec<usize> = starts.to_vec();
        while let Some(&number) = open.last() {
            if self.nodes[number].time.is_some() || !self.nodes[number].leads {
                open.pop();
                continue;
            }
            let (begin, end) = self.ways(number, endless)?;
            let is_open = std::mem::replace(&mut self.nodes[number].is_open, true);
            let before = open.len();
            for next in self.ways[begin..end].iter().flat_map(|way| way.next).flatten() {
                let node = &self.nodes[next];
                if node.leads && node.time.is_none() {
                    if is_open || node.is_open {
                        return Ok(Longest::Unbounded);
                    }
                    open.push(next);
                }
            }
            if open.len() == before {
                self.nodes[number].time = Some(self.time(begin, end)?);
                self.nodes[number].is_open = false;
                open.pop();
            }
        }
        let longest = starts.iter().filter_map(|start| self.nodes[*start].time).max();
        Ok(longest.map_or(Longest::Never, Longest::Within))
    }

    /// The longest time of a node, from its successors.
    fn time(&self, begin: usize, end: usize) -> Result<Ticks, Failure> {
        let mut longest = Ticks::ZERO;
        for way in &self.ways[begin..end] {
            let after = way.next.iter().flatten().filter_map(|next| self.nodes[*next].time).max();
            if way.arrives || after.is_some() {
                longest = longest.max(way.wait.plus(after.unwrap_or(Ticks::ZERO))?);
            }
        }
        Ok(longest)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The graph has a hundred thousand nodes, but only few are visited, since the first one is on a cycle.
    #[test]
    fn who_follows_itself_is_found_before_all_others_are_looked_at() {
        let asked = Cell::new(0);
        let onwards = |node: u32, ways: &mut Vec<Way<u32>>| {
            asked.set(asked.get() + 1);
            let next = [Some((node + 1) % 100_000), Some(0)];
            ways.push(Way { wait: Ticks::new(1), arrives: false, next });
        };
        assert_eq!(longest(&[0], Endless::Counts, onwards), Ok(Longest::Unbounded));
        assert!(asked.get() < 10, "{} nodes", asked.get());
    }
}
