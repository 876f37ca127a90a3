//! Synchronous values: both protocols among jobs that preempt each other, compared with work in no time. A failure
//! names its seed.

mod by_hand;
mod refused;
mod tearing;

use beryl_testing::{Draw, SplitMix64 as Random, cases};

use super::ticks;
use crate::fixed_priority::response_times;
use crate::synchronous::circular::{self, Circular};
use crate::synchronous::dynamic::{self, Dynamic, Letting};
use crate::synchronous::fed::Fed;
use crate::synchronous::model::{self, Port, Seen, Stopped};
use crate::synchronous::{Graph, Link, Node, zero_time};
use crate::{Sporadic, Ticks};

const PERIODS: [u64; 10] = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20];

/// A graph, the worst times of its nodes, and the longest responses that follow from them.
struct Drawn {
    graph: Graph,
    worst: Vec<u64>,
    responses: Vec<Ticks>,
}

/// Any function of everything that a job could tell apart.
fn mixed(node: usize, job: usize, inputs: &[u64]) -> u64 {
    inputs.iter().fold(node as u64 * 1_000_003 + job as u64, |sum, input| {
        sum.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ input
    })
}

/// Two to six nodes of several rates, each done before its next activation, and links that can be synchronous.
fn drawn(random: &mut Random) -> Drawn {
    loop {
        let count = random.within(2, 6) as usize;
        let mut urgencies: Vec<u8> = (0..count as u8).collect();
        random.shuffle(&mut urgencies);
        let nodes: Vec<_> = urgencies.iter().map(|urgency| node(*urgency, random)).collect();
        let worst: Vec<_> = nodes.iter().map(|node| random.within(1, node.period.get() / 2)).collect();
        if let Some(responses) = responses(&nodes, &worst) {
            let links = links(&nodes, random);
            return Drawn { graph: Graph { nodes, links }, worst, responses };
        }
    }
}

fn node(urgency: u8, random: &mut Random) -> Node {
    let period = *random.one_of(&PERIODS);
    Node { period: ticks(period), offset: ticks(random.within(0, period - 1)), urgency }
}

/// The longest responses by node, if all are done in time.
fn responses(nodes: &[Node], worst: &[u64]) -> Option<Vec<Ticks>> {
    let order = Graph { nodes: nodes.to_vec(), links: Vec::new() }.by_urgency();
    let tasks: Vec<_> =
        order.iter().map(|node| Sporadic::implicit(nodes[*node].period, ticks(worst[*node]))).collect();
    let found = response_times(&tasks, &[]).ok()?;
    let mut responses = vec![Ticks::ZERO; nodes.len()];
    order.iter().zip(found).for_each(|(node, response)| responses[*node] = response);
    let in_time = nodes.iter().zip(&responses).all(|(node, response)| *response <= node.period);
    in_time.then_some(responses)
}

/// Some pairs are linked; against the order of urgencies, and to itself, with a delay.
fn links(nodes: &[Node], random: &mut Random) -> Vec<Link> {
    let mut links = Vec::new();
    for writer in 0..nodes.len() {
        for reader in 0..nodes.len() {
            if random.chance(40) {
                let goes_first = nodes[writer].urgency < nodes[reader].urgency;
                links.push(Link { writer, reader, delayed: !goes_first || random.chance(30) });
            }
        }
    }
    links
}

impl Drawn {
    /// Everything that can happen to offsets happens in a hyperperiod.
    fn end(&self) -> Ticks {
        let all = self.graph.nodes.iter().try_fold(ticks(1), |all, node| all.common_multiple(node.period));
        ticks(all.unwrap().get() * 2 + 20)
    }

    fn all<P>(&self, port: impl Fn(&Graph, usize) -> P) -> Vec<P> {
        (0..self.graph.nodes.len()).map(|node| port(&self.graph, node)).collect()
    }

    fn dynamic(&self, letting: Letting, fewer: usize) -> Vec<Dynamic> {
        self.all(|graph, node| {
            let depth = dynamic::depth(graph, node).saturating_sub(fewer).max(1);
            Dynamic::new(graph, node, depth, letting)
        })
    }

    fn circular(&self, fewer: usize) -> Vec<Circular> {
        self.all(|graph, node| {
            let depth = circular::depth(graph, node, &self.responses).unwrap();
            Circular::new(graph, node, depth.saturating_sub(fewer).max(1))
        })
    }

    fn run<P: Port>(&self, ports: Vec<P>, random: &mut Random) -> Result<Seen, Stopped> {
        // Usually somewhere up to the worst times, often these: then responses are the longest.
        let takes = |node: usize| {
            if random.chance(50) { self.worst[node] } else { random.within(1, self.worst[node]) }
        };
        model::run(&self.graph, self.end(), ports, mixed, takes)
    }

    /// Whether everything that was read is what work in no time reads. Jobs that are under way at the end have
    /// read nothing yet.
    fn is_synchronous(&self, seen: &Seen) -> bool {
        let meant = zero_time::run(&self.graph, self.end(), mixed);
        let agree = |reads: &zero_time::Reads| {
            reads
                .iter()
                .zip(&meant)
                .all(|(found, meant)| meant.starts_with(found) && found.len() + 1 >= meant.len())
        };
        agree(&seen.first) && agree(&seen.last)
    }
}

/// One buffer for each writer, as a plain variable.
struct Single;

impl Port for Single {
    fn buffers(&self) -> usize {
        1
    }
    fn writer_activated(&mut self, _values: &mut [u64]) -> Option<()> {
        Some(())
    }
    fn reader_activated(&mut self, _reader: usize, _values: &mut [u64]) {}
    fn written(&self) -> usize {
        0
    }
    fn read(&self, _reader: usize) -> usize {
        0
    }
}

/// Two buffers: what a job writes is seen from the writer's next activation on, whoever reads.
struct Double(usize);

impl Port for Double {
    fn buffers(&self) -> usize {
        2
    }
    fn writer_activated(&mut self, _values: &mut [u64]) -> Option<()> {
        self.0 = 1 - self.0;
        Some(())
    }
    fn reader_activated(&mut self, _reader: usize, _values: &mut [u64]) {}
    fn written(&self) -> usize {
        self.0
    }
    fn read(&self, _reader: usize) -> usize {
        1 - self.0
    }
}

#[test]
fn what_is_read_is_what_work_in_no_time_reads() {
    let mut plain = 0;
    let count = cases(3_000, 50_000);
    for seed in 0..count {
        let drawn = drawn(&mut Random(seed));
        assert_eq!(drawn.graph.check(), Ok(()), "seed {seed}: {:?}", drawn.graph);
        for letting in [Letting::AtCompletion, Letting::AtNextActivation] {
            let seen = drawn.run(drawn.dynamic(letting, 0), &mut Random(!seed));
            let same = seen.as_ref().is_ok_and(|seen| drawn.is_synchronous(seen));
            assert!(same, "seed {seed}: dynamic, {letting:?}: {:?}: {seen:?}", drawn.graph);
        }
        let seen = drawn.run(drawn.circular(0), &mut Random(!seed));
        let same = seen.as_ref().is_ok_and(|seen| drawn.is_synchronous(seen));
        assert!(same, "seed {seed}: circular: {:?}: {seen:?}", drawn.graph);
        let seen = drawn.run(drawn.all(Fed::new), &mut Random(!seed));
        let same = seen.as_ref().is_ok_and(|seen| drawn.is_synchronous(seen));
        assert!(same, "seed {seed}: fed: {:?}: {seen:?}", drawn.graph);
        let seen = drawn.run(drawn.all(|_, _| Single), &mut Random(!seed));
        plain += u64::from(seen.is_ok_and(|seen| !drawn.is_synchronous(&seen)));
    }
    // The negative control: most graphs need more than a variable.
    assert!(plain * 2 > count, "{plain} of {count} graphs are not synchronous with plain variables");
}

#[test]
fn what_is_published_at_the_next_activation_is_something_else() {
    let mut other = 0;
    for seed in 0..300 {
        let drawn = drawn(&mut Random(seed));
        if drawn.graph.links.iter().any(|link| !link.delayed) {
            let seen = drawn.run(drawn.all(|_, _| Double(0)), &mut Random(!seed)).unwrap();
            assert!(!drawn.is_synchronous(&seen), "seed {seed}: {:?}", drawn.graph);
            other += 1;
        }
    }
    assert!(other > 100, "{other}");
}

/// How often a run with fewer buffers goes wrong.
fn goes_wrong(fewer: impl Fn(&Drawn, u64) -> bool) -> usize {
    (0..cases(1_000, 10_000)).filter(|seed| fewer(&drawn(&mut Random(*seed)), *seed)).count()
}

#[test]
fn with_one_buffer_less_either_fails() {
    for letting in [Letting::AtCompletion, Letting::AtNextActivation] {
        let wrong = goes_wrong(|drawn, seed| {
            let seen = drawn.run(drawn.dynamic(letting, 1), &mut Random(!seed));
            !seen.is_ok_and(|seen| drawn.is_synchronous(&seen))
        });
        assert!(wrong > 100, "dynamic, {letting:?}: {wrong}");
    }
    let wrong = goes_wrong(|drawn, seed| {
        let seen = drawn.run(drawn.circular(1), &mut Random(!seed));
        !seen.is_ok_and(|seen| drawn.is_synchronous(&seen))
    });
    assert!(wrong > 100, "circular: {wrong}");
}

#[test]
fn how_far_a_reader_is_behind_is_what_a_hyperperiod_shows() {
    for seed in 0..cases(1_000, 10_000) {
        let drawn = drawn(&mut Random(seed));
        for link in drawn.graph.links.iter().copied() {
            let [writer, reader] = [link.writer, link.reader].map(|node| drawn.graph.nodes[node]);
            let due = |node: Node| (0..drawn.end().get()).filter(move |now| node.is_due(ticks(*now)));
            let last = |now: u64| due(writer).take_while(|at| *at <= now).last();
            let most = due(reader).filter_map(|now| last(now).map(|at| now - at)).max();
            assert_eq!(
                most,
                Some(drawn.graph.behind(link).get()),
                "seed {seed}: {link:?}: {:?}",
                drawn.graph
            );
        }
    }
}
