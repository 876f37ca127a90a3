//! The temporal concurrency control protocol: buffers in a ring, as many as a reader may be behind.
//!
//! A writer's activation goes on to the next buffer, a reader's remembers the writer's position, or the one before
//! with a delay. Nothing is counted, and nothing is done at completions. That no buffer comes round while a reader
//! has it follows from times: response times are those of the proof.

use super::model::Port;
use super::{Graph, Link};
use crate::ticks::{Ticks, TimesTooLarge};

/// A writer's buffers under this protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circular {
    depth: usize,
    current: usize,
    /// Whether each reader has a delay, and its buffer.
    readers: Vec<(bool, usize)>,
}

/// How many buffers a writer needs, if each node's response times are at most these.
///
/// A value is kept from its writer's activation until the reader is done. In that time the writer is activated
/// once for each of its periods that has begun. A reader that is more urgent than its writer, or the writer itself,
/// is done before the writer gets the processor again, however long it takes: with its delay two are enough. The
/// formula of the literature counts such a reader by its response time, and often comes to three.
///
/// # Errors
/// [`TimesTooLarge`] if a sum of times doesn't fit, or the number of buffers.
pub fn depth(graph: &Graph, writer: usize, responses: &[Ticks]) -> Result<usize, TimesTooLarge> {
    let mut most = 1;
    for link in graph.readers(writer).map(|link| graph.links[link]) {
        most = most.max(if graph.is_overtaken(link) { for_reader(graph, link, responses)? } else { 2 });
    }
    Ok(most)
}

fn for_reader(graph: &Graph, link: Link, responses: &[Ticks]) -> Result<usize, TimesTooLarge> {
    let period = graph.nodes[link.writer].period;
    let age = if link.delayed { period } else { Ticks::ZERO };
    let kept = graph.behind(link).plus(age)?.plus(responses[link.reader])?;
    usize::try_from(kept.covered_by(period)).map_err(|_| TimesTooLarge)
}

impl Circular {
    /// A writer's buffers, so many of them, at least one. All have the initial value.
    pub fn new(graph: &Graph, writer: usize, depth: usize) -> Circular {
        let readers = graph.readers(writer).map(|link| (graph.links[link].delayed, 0)).collect();
        Circular { depth, current: 0, readers }
    }
}

impl Port for Circular {
    fn buffers(&self) -> usize {
        self.depth
    }

    fn writer_activated(&mut self, _values: &mut [u64]) -> Option<()> {
        self.current = if self.current + 1 == self.depth { 0 } else { self.current + 1 };
        Some(())
    }

    fn reader_activated(&mut self, reader: usize, _values: &mut [u64]) {
        let before = self.current.checked_sub(1).unwrap_or(self.depth - 1);
        let (delayed, buffer) = &mut self.readers[reader];
        *buffer = if *delayed { before } else { self.current };
    }

    fn written(&self) -> usize {
        self.current
    }

    fn read(&self, reader: usize) -> usize {
        self.readers[reader].1
    }
}
