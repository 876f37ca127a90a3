//! A model of jobs that preempt each other and write and read buffers, tick by tick.
//!
//! It makes it as hard for a protocol as it can be: from a job's first tick to its last its buffer holds rubbish,
//! and a reader looks twice, at its first tick and at its last. At an instant first jobs end, then writers are
//! activated, then readers.

use super::Graph;
use super::zero_time::{Function, Reads, initial};
use crate::ticks::Ticks;

/// What is in a buffer that is being written.
const RUBBISH: u64 = 0xDEAD_0000_DEAD;

/// Which buffers a writer and its readers have. Readers are numbered in the order of [`Graph::readers`]. `values` are what
/// is in the buffers, for a protocol that copies.
pub trait Port {
    /// How many buffers there are.
    fn buffers(&self) -> usize;
    /// The writer is activated; none if there is no buffer for it.
    fn writer_activated(&mut self, values: &mut [u64]) -> Option<()>;
    /// The writer's job is done.
    fn writer_completed(&mut self, _values: &mut [u64]) {}
    /// A reader is activated, after the writer where both are.
    fn reader_activated(&mut self, reader: usize, values: &mut [u64]);
    /// A reader's job is done.
    fn reader_completed(&mut self, _reader: usize) {}
    /// The buffer that the writer's job writes.
    fn written(&self) -> usize;
    /// The buffer that a reader's job reads.
    fn read(&self, reader: usize) -> usize;
}

/// Why a run came to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// A node was activated whose last job wasn't done.
    Late {
        /// The node.
        node: usize,
    },
    /// A writer had no buffer to write.
    NoBuffer {
        /// The node.
        node: usize,
    },
}

/// What a run comes to: what each job that was done has read at its first tick, and at its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// At the first.
    pub first: Reads,
    /// At the last.
    pub last: Reads,
}

struct Job {
    left: u64,
    first: Option<Vec<u64>>,
}

struct Run<'a, P> {
    graph: &'a Graph,
    /// The ports of all nodes, by node.
    ports: Vec<P>,
    buffers: Vec<Vec<u64>>,
    jobs: Vec<Option<Job>>,
    seen: Seen,
}

/// Runs all nodes until the end. `takes` says how many ticks each next job of a node takes, at least one.
///
/// # Errors
/// [`Stopped`] if a job is late, or a port has too few buffers.
pub fn run<P: Port>(
    graph: &Graph,
    end: Ticks,
    ports: Vec<P>,
    function: Function,
    mut takes: impl FnMut(usize) -> u64,
) -> Result<Seen, Stopped> {
    let nodes = graph.nodes.len();
    let buffers = ports.iter().enumerate().map(|(node, port)| vec![initial(node); port.buffers()]).collect();
    let seen = Seen { first: vec![Vec::new(); nodes], last: vec![Vec::new(); nodes] };
    let jobs = (0..nodes).map(|_| None).collect();
    let mut run = Run { graph, ports, buffers, jobs, seen };
    let order = graph.by_urgency();
    for instant in (0..end.get()).map(Ticks::new) {
        run.activate(instant, &mut takes)?;
        if let Some(node) = order.iter().find(|node| run.jobs[**node].is_some()) {
            run.pass(*node, function);
        }
    }
    Ok(run.seen)
}

impl<P: Port> Run<'_, P> {
    /// Activates what is due: all of them as writers, then all as readers.
    fn activate(&mut self, now: Ticks, takes: &mut impl FnMut(usize) -> u64) -> Result<(), Stopped> {
        let due = || (0..self.graph.nodes.len()).filter(|node| self.graph.nodes[*node].is_due(now));
        let due: Vec<_> = due().collect();
        for node in due.iter().copied() {
            if self.jobs[node].is_some() {
                return Err(Stopped::Late { node });
            }
            self.ports[node].writer_activated(&mut self.buffers[node]).ok_or(Stopped::NoBuffer { node })?;
        }
        for node in due {
            for link in self.graph.inputs(node) {
                let (writer, reader) = self.place(link);
                self.ports[writer].reader_activated(reader, &mut self.buffers[writer]);
            }
            self.jobs[node] = Some(Job { left: takes(node).max(1), first: None });
        }
        Ok(())
    }

    /// A node's job has the processor for a tick.
    fn pass(&mut self, node: usize, function: Function) {
        let Some(mut job) = self.jobs[node].take() else { return };
        let buffer = self.ports[node].written();
        let inputs = self.inputs(node);
        let first = job.first.get_or_insert_with(|| inputs.clone());
        self.buffers[node][buffer] = RUBBISH;
        job.left -= 1;
        if job.left > 0 {
            self.jobs[node] = Some(job);
            return;
        }
        self.buffers[node][buffer] = function(node, self.seen.first[node].len(), first);
        self.seen.first[node].push(std::mem::take(first));
        self.seen.last[node].push(inputs);
        self.ports[node].writer_completed(&mut self.buffers[node]);
        for link in self.graph.inputs(node) {
            let (writer, reader) = self.place(link);
            self.ports[writer].reader_completed(reader);
        }
    }

    fn inputs(&self, node: usize) -> Vec<u64> {
        let value = |link| {
            let (writer, reader) = self.place(link);
            self.buffers[writer][self.ports[writer].read(reader)]
        };
        self.graph.inputs(node).map(value).collect()
    }

    /// A link's writer, and its reader's number among those of the writer.
    fn place(&self, link: usize) -> (usize, usize) {
        let writer = self.graph.links[link].writer;
        (writer, self.graph.readers(writer).take_while(|other| *other != link).count())
    }
}
