//! Whole sequences of buffers, worked out by hand.

use super::*;

/// A writer of period 2 that goes first, and a reader of period 5 behind it, with or without a delay.
fn pair(delayed: bool) -> Graph {
    let node = |period, urgency| Node { period: ticks(period), offset: ticks(0), urgency };
    Graph { nodes: vec![node(2, 0), node(5, 1)], links: vec![Link { writer: 0, reader: 1, delayed }] }
}

/// The buffer that the writer has behind each of its activations, and that of the reader behind each of its own,
/// whichever comes next: `w` or `r`.
fn walk(port: &mut dyn Port, steps: &str) -> Vec<usize> {
    let step = |step| match step {
        'w' => {
            port.writer_activated(&mut []).unwrap();
            port.written()
        }
        'r' => {
            port.reader_activated(0, &mut []);
            port.read(0)
        }
        _ => {
            port.reader_completed(0);
            port.read(0)
        }
    };
    steps.chars().map(step).collect()
}

#[test]
fn a_free_buffer_goes_round_while_a_reader_holds_another() {
    let graph = pair(false);
    assert_eq!(dynamic::depth(&graph, 0), 2);
    for (letting, steps) in [(Letting::AtCompletion, "wrwwcwrw"), (Letting::AtNextActivation, "wrwwwrww")] {
        let mut port = Dynamic::new(&graph, 0, 2, letting);
        let found = walk(&mut port, steps);
        // The reader holds 0. Meanwhile the writer has only 1, again and again, since nobody else reads that.
        let meant = match letting {
            Letting::AtCompletion => [0, 0, 1, 1, 0, 1, 1, 0],
            Letting::AtNextActivation => [0, 0, 1, 1, 1, 1, 0, 0],
        };
        assert_eq!(found, meant, "{letting:?}");
    }
}

#[test]
fn with_a_delay_the_buffer_before_is_kept() {
    let graph = pair(true);
    assert_eq!(dynamic::depth(&graph, 0), 3);
    let mut port = Dynamic::new(&graph, 0, 3, Letting::AtCompletion);
    assert_eq!(walk(&mut port, "wrwwcwrw"), [1, 0, 2, 1, 0, 2, 1, 0]);
}

#[test]
fn a_ring_goes_on_and_a_reader_stays_where_it_was() {
    let graph = pair(false);
    let responses = [ticks(1), ticks(4)];
    // At 5 the reader is 1 behind the writer, and has its buffer until 9: four writes may begin in three periods.
    assert_eq!(graph.behind(graph.links[0]), ticks(1));
    assert_eq!(circular::depth(&graph, 0, &responses), Ok(3));
    assert_eq!(circular::depth(&pair(true), 0, &responses), Ok(4));
    let mut port = Circular::new(&graph, 0, 3);
    assert_eq!(walk(&mut port, "wrwwwrw"), [1, 1, 2, 0, 1, 1, 2]);
    let mut port = Circular::new(&pair(true), 0, 4);
    assert_eq!(walk(&mut port, "rwrwr"), [3, 1, 0, 2, 1]);
}

#[test]
fn a_reader_is_fed_when_its_writer_is_done() {
    for (delayed, meant) in [(false, [8, 8, 8, 9]), (true, [7, 7, 7, 8])] {
        let mut port = Fed::new(&pair(delayed), 0);
        let mut values = vec![7; port.buffers()];
        let mut input = Vec::new();
        // The first job of both: the reader waits, unless it is delayed.
        port.writer_activated(&mut values).unwrap();
        port.reader_activated(0, &mut values);
        values[port.written()] = 8;
        port.writer_completed(&mut values);
        input.push(values[port.read(0)]);
        // The writer's second job, with the reader's first still at work.
        port.writer_activated(&mut values).unwrap();
        input.push(values[port.read(0)]);
        values[port.written()] = 9;
        port.writer_completed(&mut values);
        input.push(values[port.read(0)]);
        // The reader's second job comes when that is done.
        port.reader_activated(0, &mut values);
        input.push(values[port.read(0)]);
        assert_eq!(input, meant, "delayed: {delayed}");
    }
}

#[test]
fn a_reader_before_its_writer_needs_two() {
    let node = |period, urgency| Node { period: ticks(period), offset: ticks(0), urgency };
    let links = vec![Link { writer: 0, reader: 1, delayed: true }];
    let graph = Graph { nodes: vec![node(4, 1), node(3, 0)], links };
    assert_eq!(dynamic::depth(&graph, 0), 2);
    assert_eq!(circular::depth(&graph, 0, &[ticks(4), ticks(2)]), Ok(2));
}
