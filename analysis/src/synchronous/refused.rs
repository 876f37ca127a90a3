//! Why a graph can't have synchronous values.

use std::fmt;

use super::{Graph, Link};
use crate::ticks::Ticks;

/// Why a graph can't have synchronous values. Nodes are named by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A node has no period, or its offset isn't less.
    Rhythm {
        /// The node.
        node: usize,
    },
    /// A link names a node that isn't there.
    Nobody {
        /// The link.
        link: Link,
    },
    /// Each of these reads the next one's output at the same instant, and the last the first one's.
    Cycle {
        /// The nodes.
        nodes: Vec<usize>,
    },
    /// Nobody knows which of the two goes first.
    SameUrgency {
        /// The link between them.
        link: Link,
    },
    /// The reader goes before the writer, and so can't have a value of the same instant.
    ReaderFirst {
        /// The link between them.
        link: Link,
    },
}

impl Graph {
    /// Refuses what has no synchronous values under these urgencies. Cost: linear in nodes times links.
    ///
    /// # Errors
    /// [`Refused`], the first of its kinds in their order.
    pub fn check(&self) -> Result<(), Refused> {
        for (node, row) in self.nodes.iter().enumerate() {
            if row.period == Ticks::ZERO || row.offset >= row.period {
                return Err(Refused::Rhythm { node });
            }
        }
        let is_there = |link: &&Link| link.writer.max(link.reader) < self.nodes.len();
        if let Some(link) = self.links.iter().find(|link| !is_there(link)) {
            return Err(Refused::Nobody { link: *link });
        }
        self.refuse_cycles()?;
        for link in self.links.iter().filter(|link| link.writer != link.reader) {
            let [writer, reader] = [link.writer, link.reader].map(|node| self.nodes[node].urgency);
            if writer == reader {
                return Err(Refused::SameUrgency { link: *link });
            }
            if writer > reader && !link.delayed {
                return Err(Refused::ReaderFirst { link: *link });
            }
        }
        Ok(())
    }

    /// Takes away nodes that read nothing of the same instant from those that are left. If there are some that
    /// all do, going from reader to writer among them comes round.
    fn refuse_cycles(&self) -> Result<(), Refused> {
        let mut left: Vec<_> = (0..self.nodes.len()).collect();
        let writer = |node: usize, left: &[usize]| {
            let at_once = self.links.iter().filter(|link| !link.delayed && link.reader == node);
            at_once.map(|link| link.writer).find(|writer| left.contains(writer))
        };
        loop {
            let (kept, free): (Vec<_>, Vec<_>) =
                left.iter().partition(|node| writer(**node, &left).is_some());
            left = kept;
            if free.is_empty() {
                break;
            }
        }
        let Some(first) = left.first() else { return Ok(()) };
        let mut way = vec![*first];
        while let Some(next) = way.last().and_then(|node| writer(*node, &left)) {
            if let Some(start) = way.iter().position(|node| *node == next) {
                return Err(Refused::Cycle { nodes: way.split_off(start) });
            }
            way.push(next);
        }
        Ok(())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Rhythm { node } => {
                write!(
                    out,
                    "node {node} has no period, or an offset that isn't less: give it an offset below its period"
                )
            }
            Refused::Nobody { link: Link { writer, reader, .. } } => {
                write!(out, "the link from {writer} to {reader} names a node that isn't there")
            }
            Refused::Cycle { nodes } => {
                let names: Vec<_> = nodes.iter().map(ToString::to_string).collect();
                let names = names.join(" of ");
                write!(
                    out,
                    "values of one instant go round: {names} of {}; delay one of these links",
                    nodes[0]
                )
            }
            Refused::SameUrgency { link: Link { writer, reader, .. } } => write!(
                out,
                "{reader} reads from {writer}, and nobody knows which goes first: make the writer more urgent, or the \
                 reader, with a delay"
            ),
            Refused::ReaderFirst { link: Link { writer, reader, .. } } => write!(
                out,
                "{reader} reads from {writer} at the same instant, and is more urgent: delay the link, or make the \
                 writer more urgent"
            ),
        }
    }
}

impl std::error::Error for Refused {}
