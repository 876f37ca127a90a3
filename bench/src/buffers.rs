//! Buffers whose values are those of zero time: what the steps of DBP and TCCP take, and how many buffers and bytes some
//! writers need.

use anyhow::Result;
use beryl_analysis::Ticks;
use beryl_analysis::synchronous::{Graph, Link, Node, circular, dynamic};
use beryl_builder::workshop::Workshop;

use crate::console::Console;
use crate::row::Row;
use crate::systems::{BUFFERS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &["buffers"];
/// The measured steps, as `bench/buffers/app` has them.
pub const STEPS: [&str; 5] =
    ["dynamic/writer", "dynamic/reader", "dynamic/completion", "circular/writer", "circular/reader"];
/// Numbers of readers, as the application has them.
pub const READERS: [u32; 4] = [1, 2, 4, 8];

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 60;

/// Builds and runs the system that takes the steps.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(BUFFERS)?, workshop, MILLIONS)?;
    let cases = STEPS.iter().flat_map(|step| READERS.map(|readers| (*step, readers)));
    cases.map(|(step, readers)| row(&console, step, readers)).collect()
}

fn row(console: &Console, step: &str, readers: u32) -> Result<Row> {
    let samples = console.samples(&format!("{step}/{readers}"))?;
    let counts: Result<Vec<u64>> = samples.iter().map(|sample| sample.instructions()).collect();
    Row::instructions(NAMES[0], &case(step, readers), &counts?)
}

/// The case of a step with so many readers.
pub fn case(step: &str, readers: u32) -> String {
    format!("{step}, readers: {readers}")
}

/// A reader of a writer: its period in those of the writer, in tenths, and how it goes before or behind.
#[derive(Clone, Copy)]
pub enum Read {
    /// Less urgent, and done at the end of its period at the latest.
    Behind(u64),
    /// The same with a delay.
    BehindDelayed(u64),
    /// More urgent, with the delay that this takes.
    Before(u64),
}

/// A writer's buffers.
pub struct Needs {
    /// With DBP.
    pub dynamic: usize,
    /// With TCCP.
    pub circular: usize,
    /// With logical execution times: its own, the visible one, and an input for each reader.
    pub logical: usize,
    /// How many readers there are.
    readers: usize,
}

/// What a writer with these readers needs.
pub fn needs(readers: &[Read]) -> Result<Needs> {
    let node = |period, urgency| Node { period: Ticks::new(period), offset: Ticks::ZERO, urgency };
    let mut graph = Graph { nodes: vec![node(10, 100)], links: Vec::new() };
    for (reader, read) in (1..).zip(readers) {
        let (period, urgency, delayed) = match read {
            Read::Behind(period) => (*period, 101, false),
            Read::BehindDelayed(period) => (*period, 101, true),
            Read::Before(period) => (*period, 99, true),
        };
        graph.nodes.push(node(period, urgency));
        graph.links.push(Link { writer: 0, reader, delayed });
    }
    graph.check()?;
    let responses: Vec<_> = graph.nodes.iter().map(|node| node.period).collect();
    Ok(Needs {
        dynamic: dynamic::depth(&graph, 0),
        circular: circular::depth(&graph, 0, &responses)?,
        logical: readers.len() + 2,
        readers: readers.len(),
    })
}

impl Needs {
    /// Bytes with DBP for values of so many: three places, a count or successor a buffer, two places a reader.
    pub fn dynamic_bytes(&self, value: usize) -> usize {
        self.dynamic * (value + 1) + 3 + 2 * self.readers
    }

    /// Bytes with TCCP: three places, and one a reader.
    pub fn circular_bytes(&self, value: usize) -> usize {
        self.circular * value + 3 + self.readers
    }

    /// Bytes with logical execution times.
    pub fn logical_bytes(&self, value: usize) -> usize {
        self.logical * value
    }
}
