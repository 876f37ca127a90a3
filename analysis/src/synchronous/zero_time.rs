//! The meaning: all work in no time. The plainest text of it, which everything else is compared with.

use super::Graph;
use crate::ticks::Ticks;

/// What a node's job makes of its inputs: node, number of the job, and the values that it read.
pub type Function = fn(usize, usize, &[u64]) -> u64;

/// What each job of each node reads, by node, job and input.
pub type Reads = Vec<Vec<Vec<u64>>>;

/// A value that is there before the writer's first job.
pub fn initial(writer: usize) -> u64 {
    u64::MAX - writer as u64
}

/// All instants before the end. At each, all nodes that are due take their turns by urgency.
pub fn run(graph: &Graph, end: Ticks, function: Function) -> Reads {
    let mut reads = vec![Vec::new(); graph.nodes.len()];
    let mut written = vec![Vec::new(); graph.nodes.len()];
    for instant in (0..end.get()).map(Ticks::new) {
        for node in graph.by_urgency() {
            if graph.nodes[node].is_due(instant) {
                let inputs: Vec<u64> =
                    graph.inputs(node).map(|link| value(graph, &written, link, instant)).collect();
                let number = written[node].len();
                written[node].push(function(node, number, &inputs));
                reads[node].push(inputs);
            }
        }
    }
    reads
}

/// What the writer's last activation up to now comes to, or with a delay the one before.
fn value(graph: &Graph, written: &[Vec<u64>], link: usize, now: Ticks) -> u64 {
    let link = graph.links[link];
    let activations = (0..=now.get()).filter(|at| graph.nodes[link.writer].is_due(Ticks::new(*at))).count();
    let number = if link.delayed { activations.checked_sub(2) } else { activations.checked_sub(1) };
    number.map_or(initial(link.writer), |number| written[link.writer][number])
}
