//! What has no synchronous values is refused, with a reason and a proposal.

use super::*;
use crate::synchronous::Refused;

/// Nodes of these urgencies, and links: writer, reader, whether delayed.
fn graph(urgencies: &[u8], links: &[(usize, usize, bool)]) -> Graph {
    let node = |urgency: &u8| Node { period: ticks(4), offset: ticks(0), urgency: *urgency };
    let link = |(writer, reader, delayed): &(usize, usize, bool)| Link {
        writer: *writer,
        reader: *reader,
        delayed: *delayed,
    };
    Graph { nodes: urgencies.iter().map(node).collect(), links: links.iter().map(link).collect() }
}

fn says(graph: &Graph) -> String {
    graph.check().unwrap_err().to_string()
}

#[test]
fn values_of_one_instant_do_not_go_round() {
    let round = graph(&[0, 1, 2], &[(0, 1, false), (1, 2, false), (2, 1, false)]);
    assert_eq!(says(&round), "values of one instant go round: 1 of 2 of 1; delay one of these links");
    assert_eq!(round.check(), Err(Refused::Cycle { nodes: vec![1, 2] }));
    assert_eq!(
        says(&graph(&[0], &[(0, 0, false)])),
        "values of one instant go round: 0 of 0; delay one of these links"
    );
    assert_eq!(
        graph(&[0, 1, 2], &[(0, 1, false), (1, 2, false), (2, 1, true), (0, 0, true)]).check(),
        Ok(())
    );
}

#[test]
fn who_goes_first_is_known() {
    let link = Link { writer: 0, reader: 1, delayed: true };
    assert_eq!(graph(&[3, 3], &[(0, 1, true)]).check(), Err(Refused::SameUrgency { link }));
    assert_eq!(
        says(&graph(&[3, 3], &[(0, 1, false)])),
        "1 reads from 0, and nobody knows which goes first: make the writer more urgent, or the reader, with a delay"
    );
    assert_eq!(graph(&[3, 3], &[]).check(), Ok(()));
}

#[test]
fn nobody_reads_before_it_is_written() {
    assert_eq!(
        says(&graph(&[4, 3], &[(0, 1, false)])),
        "1 reads from 0 at the same instant, and is more urgent: delay the link, or make the writer more urgent"
    );
    assert_eq!(graph(&[4, 3], &[(0, 1, true)]).check(), Ok(()));
}

#[test]
fn rhythms_and_names_are_there() {
    let mut odd = graph(&[0, 1], &[(0, 2, false)]);
    assert_eq!(says(&odd), "the link from 0 to 2 names a node that isn't there");
    odd.nodes[1].offset = ticks(4);
    assert_eq!(
        says(&odd),
        "node 1 has no period, or an offset that isn't less: give it an offset below its period"
    );
    odd.nodes[1].period = ticks(0);
    assert_eq!(odd.check(), Err(Refused::Rhythm { node: 1 }));
}
