//! Synchronous values: what several rates read under fixed priorities is what they would read if all work took no
//! time.
//!
//! At each instant all nodes that are due read, reckon and write, in the order of their urgencies, in no time:
//! that is the meaning of a synchronous program, and [`zero_time`] does exactly this. On a processor jobs take
//! time and preempt each other, and with one buffer a reader sees what its writer has just written, or half of
//! it. Two protocols keep the values all the same. Both choose at a job's *activation* which buffer it will
//! write or read, so it doesn't matter when in between it does:
//!
//! | protocol | buffers | at an activation | at a completion | needs to know |
//! |---|---|---|---|---|
//! | [`dynamic`], DBP in constant time | one for each less urgent reader, and one or two more | a count or a list of free buffers | nothing, or as printed a count | who is more urgent |
//! | [`circular`], TCCP | as many writes as a reader may be behind | a position in a ring | nothing | response times, too |
//!
//! [`fed`] is a third one, which copies a value to each reader when its writer is done.
//!
//! [`model`] runs each among jobs that preempt each other. It shares nothing with [`zero_time`], with which a
//! test compares it on random graphs.
//!
//! After Wang, Di Natale, Sangiovanni-Vincentelli, *An OSEK/VDX Implementation of Synchronous Reactive
//! Semantics Preserving Communication Protocols* (OSPERT 2007). The protocols are as literature has them
//! (Caspi, Scaife, Sofronis, Tripakis, *Semantics-preserving multitask implementation of synchronous programs*,
//! 2008): of the paper itself only captions were at hand. Decision 0151 says where we deviate.
//!
//! # What is supposed
//!
//! One processor, fixed priorities, each job done before its node's next activation, none that waits for
//! anything in the middle. A node has one output.

use crate::ticks::{Ticks, greatest_common_divisor};

pub mod circular;
pub mod dynamic;
pub mod fed;
pub mod model;
mod refused;
pub mod zero_time;

pub use refused::Refused;

/// What is activated periodically, reads its inputs, and writes its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// From one activation to the next; positive.
    pub period: Ticks,
    /// The first activation; less than the period.
    pub offset: Ticks,
    /// Who goes first: the least does. Nodes that are linked have different ones.
    pub urgency: u8,
}

/// An input of a node: where its values are from. Nodes are named by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Who writes.
    pub writer: usize,
    /// Who reads.
    pub reader: usize,
    /// Whether it reads what the writer's last activation but one comes to, instead of the last one.
    pub delayed: bool,
}

/// Nodes and their links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The links.
    pub links: Vec<Link>,
}

impl Node {
    /// Whether it is activated at this instant.
    pub fn is_due(&self, now: Ticks) -> bool {
        now >= self.offset && now.less(self.offset).get().is_multiple_of(self.period.get().max(1))
    }
}

impl Graph {
    /// The positions of the links of which a node is the reader, in their order: its inputs.
    pub fn inputs(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.positions(move |link| link.reader == node)
    }

    /// The positions of the links of which a node is the writer, in their order.
    pub fn readers(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.positions(move |link| link.writer == node)
    }

    fn positions<'a>(&'a self, is_one: impl Fn(&Link) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
        self.links.iter().enumerate().filter(move |(_, link)| is_one(link)).map(|(position, _)| position)
    }

    /// The positions of nodes by their urgencies, the most urgent first.
    pub fn by_urgency(&self) -> Vec<usize> {
        let mut nodes: Vec<_> = (0..self.nodes.len()).collect();
        nodes.sort_by_key(|node| self.nodes[*node].urgency);
        nodes
    }

    /// Whether a link's reader may be in the middle of its job when the writer begins the next one: it is less
    /// urgent. Of the others, a job that reads is over before the writer gets the processor again.
    pub fn is_overtaken(&self, link: Link) -> bool {
        self.nodes[link.writer].urgency < self.nodes[link.reader].urgency
    }

    /// The longest time from the writer's last activation to an activation of the reader, over all of both:
    /// their distances are those that differ by multiples of the greatest common divisor of the periods.
    pub fn behind(&self, link: Link) -> Ticks {
        let (writer, reader) = (&self.nodes[link.writer], &self.nodes[link.reader]);
        let step = greatest_common_divisor(writer.period.get().into(), reader.period.get().into()).max(1);
        let (ahead, back) = (u128::from(reader.offset.get()), u128::from(writer.offset.get()) % step);
        let least = (ahead + step - back) % step;
        // Less than the writer's period, so it fits.
        writer.period.less(Ticks::new(u64::try_from(step - least).unwrap_or(u64::MAX)))
    }
}
