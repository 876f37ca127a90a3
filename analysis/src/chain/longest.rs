//! The longest way through a graph whose ways all take time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::chain::Longest;
use crate::chain::quick::Quick;
use crate::failure::Failure;
use crate::ticks::Ticks;

/// How many nodes are looked at.
const MOST: usize = 500_000;

/// A way onwards.
#[derive(Clone, Copy)]
pub(super) struct Way<N> {
    /// How long it takes; positive.
    pub wait: Ticks,
    /// Whether what is looked for happens at its end.
    pub arrives: bool,
    /// Where it goes on, if it does.
    pub next: [Option<N>; 2],
}

/// What a run that never arrives means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Endless {
    /// It takes longer than anything.
    Counts,
    /// It isn't asked for.
    Ignored,
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Node {
    /// Its ways among all, once they have been asked for.
    ways: Option<(usize, usize)>,
    /// Whether it leads to an arrival.
    leads: bool,
    /// Whether the way that is followed has come through it.
    is_open: bool,
    /// The longest time from it, once that is known.
    time: Option<Ticks>,
}

/// The graph as far as it has been looked at: nodes by numbers, in the order in which they were met.
struct Graph<N, F> {
    onwards: F,
    numbers: HashMap<N, usize, Quick>,
    found: Vec<N>,
    nodes: Vec<Node>,
    ways: Vec<Way<usize>>,
    /// The ways of one node, before they are numbered.
    met: Vec<Way<N>>,
}

/// The longest time from any of `starts` to an arrival. `onwards` tells the ways of a node.
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

    /// The ways of a node.
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

    /// Marks all nodes that lead to an arrival, backwards from those before one.
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

    /// The longest times, each node after all that follow it; a node that follows itself has none. Nodes are met on the way, so one that
    /// follows itself is soon found.
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

    /// The longest time of a node, from those that follow it.
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

    /// Of a hundred thousand nodes few are asked for, since the first that is met follows itself.
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
