//! The longest way through a graph whose ways all take time.

use std::collections::HashMap;
use std::hash::Hash;

use crate::chain::Longest;
use crate::failure::Failure;
use crate::ticks::Ticks;

/// How many nodes are looked at.
const MOST: usize = 500_000;

/// A way onwards.
pub(super) struct Way<N> {
    /// How long it takes; positive.
    pub wait: Ticks,
    /// Whether what is looked for happens at its end.
    pub arrives: bool,
    /// Where it goes on, if it does.
    pub next: Vec<N>,
}

/// What a run that never arrives means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Endless {
    /// It takes longer than anything.
    Counts,
    /// It isn't asked for.
    Ignored,
}

/// Where a node stands in the list of all.
type Numbers<N> = HashMap<N, usize>;

struct Node<N> {
    ways: Vec<Way<N>>,
    /// Whether it leads to an arrival.
    leads: bool,
}

/// The longest time from any of `starts` to an arrival.
pub(super) fn longest<N: Copy + Eq + Hash>(
    starts: &[N],
    endless: Endless,
    ways: impl Fn(N) -> Vec<Way<N>>,
) -> Result<Longest, Failure> {
    let (numbers, mut nodes) = reach(starts, ways)?;
    if endless == Endless::Ignored {
        mark(&numbers, &mut nodes);
    } else {
        nodes.iter_mut().for_each(|node| node.leads = true);
    }
    from(starts, &numbers, &nodes)
}

/// All nodes that can be reached.
fn reach<N: Copy + Eq + Hash>(
    starts: &[N],
    ways: impl Fn(N) -> Vec<Way<N>>,
) -> Result<(Numbers<N>, Vec<Node<N>>), Failure> {
    let (mut numbers, mut found) = (Numbers::new(), Vec::new());
    let mut meet = |node: N, found: &mut Vec<N>| {
        numbers.entry(node).or_insert_with(|| {
            found.push(node);
            found.len() - 1
        });
    };
    starts.iter().for_each(|start| meet(*start, &mut found));
    let mut nodes = Vec::new();
    while let Some(node) = found.get(nodes.len()).copied() {
        let ways = ways(node);
        ways.iter().flat_map(|way| &way.next).for_each(|next| meet(*next, &mut found));
        nodes.push(Node { ways, leads: false });
        if nodes.len() > MOST {
            return Err(Failure::TooLong);
        }
    }
    Ok((numbers, nodes))
}

/// Marks the nodes that lead to an arrival, backwards from those before one.
fn mark<N: Copy + Eq + Hash>(numbers: &Numbers<N>, nodes: &mut [Node<N>]) {
    let mut before = vec![Vec::new(); nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        node.ways.iter().flat_map(|way| &way.next).for_each(|next| before[numbers[next]].push(number));
    }
    let arrives = |node: &Node<N>| node.ways.iter().any(|way| way.arrives);
    let mut open: Vec<_> = (0..nodes.len()).filter(|number| arrives(&nodes[*number])).collect();
    while let Some(number) = open.pop() {
        if !nodes[number].leads {
            nodes[number].leads = true;
            open.extend(&before[number]);
        }
    }
}

/// The longest times, each node after all that follow it; a node that follows itself has none.
fn from<N: Copy + Eq + Hash>(
    starts: &[N],
    numbers: &Numbers<N>,
    nodes: &[Node<N>],
) -> Result<Longest, Failure> {
    let mut times: Vec<Option<Ticks>> = vec![None; nodes.len()];
    let mut is_open = vec![false; nodes.len()];
    let mut open: Vec<usize> = starts.iter().map(|start| numbers[start]).collect();
    while let Some(&number) = open.last() {
        let node = &nodes[number];
        if times[number].is_some() || !node.leads {
            open.pop();
            continue;
        }
        let nexts = node.ways.iter().flat_map(|way| &way.next).map(|next| numbers[next]);
        let left: Vec<_> = nexts.filter(|next| nodes[*next].leads && times[*next].is_none()).collect();
        if left.is_empty() {
            times[number] = Some(time(node, numbers, &times)?);
            is_open[number] = false;
            open.pop();
        } else if is_open[number] || left.iter().any(|next| is_open[*next]) {
            return Ok(Longest::Unbounded);
        } else {
            is_open[number] = true;
            open.extend(left);
        }
    }
    let longest = starts.iter().filter_map(|start| times[numbers[start]]).max();
    Ok(longest.map_or(Longest::Never, Longest::Within))
}

/// The longest time of a node, from those that follow it.
fn time<N: Eq + Hash>(
    node: &Node<N>,
    numbers: &Numbers<N>,
    times: &[Option<Ticks>],
) -> Result<Ticks, Failure> {
    let mut longest = Ticks::ZERO;
    for way in &node.ways {
        let after = way.next.iter().filter_map(|next| times[numbers[next]]).max();
        if way.arrives || after.is_some() {
            longest = longest.max(way.wait.plus(after.unwrap_or(Ticks::ZERO))?);
        }
    }
    Ok(longest)
}
