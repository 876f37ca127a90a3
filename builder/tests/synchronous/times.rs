//! Times of chains with synchronous values: a value takes as long through the kernel as is told, and is as old.
//!
//! The sensor tells the time. Each job's value is one of its own, so that from what the actuator gets it is found which jobs a
//! value went through, and which sample the first of them had. Nothing of how the kernel feeds inputs is asked.

use beryl_analysis::chain::Longest;
use beryl_analysis::synchronous::zero_time;
use beryl_builder::proof::chains;
use beryl_testing::{SplitMix64 as Random, cases};

use crate::are_meant;
use crate::drawn::{Drawn, mixed};
use crate::run::{Seen, run};

/// When the sample was taken from which a value comes along a path of nodes, if one did.
fn taken(drawn: &Drawn, seen: &Seen, path: &[usize], value: u64) -> Option<u64> {
    let (node, before) = path.split_last()?;
    let reads = &seen.first[*node];
    let job = (0..reads.len()).find(|job| mixed(*node, *job, &reads[*job]) == value)?;
    let Some(writer) = before.last() else { return Some(seen.samples[job]) };
    let mut links = drawn.graph.inputs(*node).map(|link| drawn.graph.links[link].writer);
    let input = links.position(|from| from == *writer).expect("a link of the chain");
    taken(drawn, seen, before, reads[job][input])
}

/// The longest latency and age of updates: a change may come after any instant before the end, and is followed if it arrives.
fn longest(updates: &[(u64, u64)], end: u64) -> [Option<u64>; 2] {
    let age = updates.iter().map(|(now, taken)| now - taken).max();
    let latency = (0..end).filter_map(|change| {
        let (now, _) = updates.iter().find(|(_, taken)| *taken > change)?;
        Some(now - change)
    });
    [latency.max(), age]
}

#[test]
fn a_value_takes_as_long_through_the_kernel_as_is_told() {
    let (mut told, mut offsets, mut delayed) = (0, 0, 0);
    for seed in 0..cases(1000, 20_000) {
        let mut random = Random(seed);
        let drawn = Drawn::with_ends(&mut random);
        let project = drawn.project().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}"));
        let unit = 1_000_000 / u64::from(project.tick());
        let seen = run(&project, &drawn, &mut random, seed);
        let links = &drawn.graph.links;
        // With a slot a delay isn't always that of an activation.
        if !links.iter().any(|link| link.delayed && drawn.has_offset(link.writer)) {
            let meant = zero_time::run(&drawn.graph, drawn.end(), mixed);
            assert!(are_meant(&seen.first, &meant), "seed {seed}: {drawn:?}");
        }
        for row in chains(&project.assembly).rows {
            let found = row.found.as_ref().unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
            let path: Vec<_> = row.names.iter().filter_map(|name| Drawn::node(name)).collect();
            let update = |(now, value): &(u64, u64)| Some((*now, taken(&drawn, &seen, &path, *value)?));
            let updates: Vec<_> = seen.updates.iter().filter_map(update).collect();
            let times = found.switching;
            let told_times = [times.latency, times.age].map(|time| match time {
                Longest::Within(ticks) => Some(ticks.get() / unit),
                other => panic!("seed {seed}: {other:?} in a mode that is never left"),
            });
            assert_eq!(
                longest(&updates, drawn.end().get()),
                told_times,
                "seed {seed}: {:?} {drawn:?}",
                row.names
            );
            told += 1;
            offsets += path.iter().filter(|node| drawn.has_offset(**node)).count();
            let is_delayed = |pair: &[usize]| {
                links.iter().any(|link| link.delayed && [link.writer, link.reader] == pair[..])
            };
            delayed += path.windows(2).filter(|pair| is_delayed(pair)).count();
        }
    }
    assert!(
        told > 500 && offsets > 200 && delayed > 200,
        "what is it that was tried? {told} {offsets} {delayed}"
    );
}
