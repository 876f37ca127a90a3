//! What would be in a system takes the steps of the models: the same buffers after each of random activations and
//! completions. A failure names its seed.

use beryl_analysis::Ticks;
use beryl_analysis::synchronous::circular;
use beryl_analysis::synchronous::dynamic::{self, Letting};
use beryl_analysis::synchronous::model::Port;
use beryl_analysis::synchronous::{Graph, Link, Node};
use beryl_buffers::{Circular, Dynamic, READERS, Reader};
use beryl_testing::{Draw, SplitMix64 as Random, cases};

/// A writer and so many readers as there can be, or fewer; each less urgent than the writer, or delayed.
fn graph(random: &mut Random) -> Graph {
    let period = Ticks::new(random.within(1, 9));
    let node = |urgency| Node { period, offset: Ticks::ZERO, urgency };
    let mut graph = Graph { nodes: vec![node(100)], links: Vec::new() };
    for reader in 1..=random.within(1, READERS as u64) as usize {
        let goes_first = random.chance(30);
        graph.nodes.push(node(if goes_first { reader } else { 100 + reader } as u8));
        graph.links.push(Link { writer: 0, reader, delayed: goes_first || random.chance(30) });
    }
    graph
}

fn readers(graph: &Graph) -> Vec<Reader> {
    let reader = |link: &Link| Reader { is_delayed: link.delayed, is_overtaken: graph.is_overtaken(*link) };
    graph.links.iter().map(reader).collect()
}

#[test]
fn dynamic_buffers_are_those_of_the_model() {
    for seed in 0..cases(500, 5_000) {
        let mut random = Random(seed);
        let graph = graph(&mut random);
        let readers = readers(&graph);
        let letting = *random.one_of(&[Letting::AtCompletion, Letting::AtNextActivation]);
        let mut model = dynamic::Dynamic::new(&graph, 0, dynamic::depth(&graph, 0), letting);
        let mut own = Dynamic::new(&readers);
        for step in 0..300 {
            let number = random.below(readers.len());
            match random.below(3) {
                0 => {
                    model.writer_activated(&mut []).unwrap();
                    own.writer_activated();
                }
                1 => {
                    model.reader_activated(number, &mut []);
                    own.reader_activated(number as u8, readers[number]);
                }
                _ => {
                    model.reader_completed(number);
                    if letting == Letting::AtCompletion {
                        own.reader_completed(number as u8);
                    }
                }
            }
            assert_eq!(usize::from(own.written()), model.written(), "seed {seed}, step {step}: {graph:?}");
            let read = usize::from(own.read(number as u8));
            assert_eq!(read, model.read(number), "seed {seed}, step {step}: {graph:?}");
        }
    }
}

#[test]
fn a_ring_of_buffers_is_that_of_the_model() {
    for seed in 0..cases(500, 5_000) {
        let mut random = Random(seed);
        let graph = graph(&mut random);
        let readers = readers(&graph);
        let depth = random.within(1, 16) as usize;
        let (mut model, mut own) = (circular::Circular::new(&graph, 0, depth), Circular::new(depth as u8));
        for step in 0..300 {
            let number = random.below(readers.len());
            if random.chance(50) {
                model.writer_activated(&mut []).unwrap();
                own.writer_activated();
            } else {
                model.reader_activated(number, &mut []);
                own.reader_activated(number as u8, readers[number]);
            }
            assert_eq!(usize::from(own.written()), model.written(), "seed {seed}, step {step}: {graph:?}");
            let read = usize::from(own.read(number as u8));
            assert_eq!(read, model.read(number), "seed {seed}, step {step}: {graph:?}");
        }
    }
}
