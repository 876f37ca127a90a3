//! Random graphs of several rates, and the systems that they become.

use std::fmt::Write as _;

use beryl_analysis::fixed_priority::response_times;
use beryl_analysis::synchronous::{Graph, Link, Node};
use beryl_analysis::{Sporadic, Ticks};
use beryl_builder::Project;
use beryl_builder::code::CodeError;
use beryl_testing::{Draw, SplitMix64 as Random};

use crate::common::{parsed, try_project};

/// The mode's period in milliseconds, and its divisors of which tasks have one each.
const ROUND: u64 = 60;
const PERIODS: [u64; 10] = [2, 3, 4, 5, 6, 10, 12, 15, 20, 30];

/// A graph, the longest times of its nodes' jobs, and how it is laid out.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub graph: Graph,
    /// The logical execution time of each node: its period, or one of so many slots of the mode's.
    pub windows: Vec<u64>,
    /// A sensor that one node reads, and an actuator that is updated from another, or the same, in such a rhythm.
    pub ends: Option<Ends>,
    rounds: u64,
    pub worst: Vec<u64>,
    /// Whether a node's output takes the kernel more than one step to copy.
    pub is_long: Vec<bool>,
}

/// Where values come from and go to.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Who reads the sensor.
    pub first: usize,
    /// Whose output the actuator gets.
    pub last: usize,
    /// How often.
    pub period: u64,
}

/// Any function of everything that a job could tell apart.
pub fn mixed(node: usize, job: usize, inputs: &[u64]) -> u64 {
    inputs.iter().fold((node as u64 + 1) * 1_000_003 + job as u64, |sum, input| {
        sum.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ input
    })
}

impl Drawn {
    /// Two to six nodes, each done before its next activation, and links that can be synchronous.
    pub fn of(random: &mut Random) -> Drawn {
        Drawn::between(random, false)
    }

    /// The same from a sensor to an actuator. One node in four has one activation in the mode's period, with an offset.
    pub fn with_ends(random: &mut Random) -> Drawn {
        let mut drawn = Drawn::between(random, true);
        let nodes = drawn.graph.nodes.len();
        let [first, last] = [random.below(nodes), random.below(nodes)];
        drawn.ends = Some(Ends { first, last, period: *random.one_of(&PERIODS) });
        drawn.is_long[last] = false;
        drawn.rounds = 6;
        drawn
    }

    fn between(random: &mut Random, has_offsets: bool) -> Drawn {
        loop {
            let count = random.within(2, 6) as usize;
            let mut urgencies: Vec<u8> = (0..count as u8).collect();
            random.shuffle(&mut urgencies);
            let node = |urgency, random: &mut Random| Node {
                period: Ticks::new(*random.one_of(&PERIODS)),
                offset: Ticks::ZERO,
                urgency,
            };
            let mut nodes: Vec<_> = urgencies.iter().map(|urgency| node(*urgency, random)).collect();
            let worst: Vec<_> = nodes.iter().map(|node| random.within(1, node.period.get() / 2)).collect();
            let windows: Vec<_> = nodes.iter().map(|node| node.period.get()).collect();
            for node in &mut nodes {
                if has_offsets && random.chance(25) {
                    let slots = ROUND / node.period.get();
                    node.offset = Ticks::new(node.period.get() * random.within(0, slots - 1));
                    node.period = Ticks::new(ROUND);
                }
            }
            if are_in_time(&nodes, &worst, &windows) {
                let links = links(&nodes, random);
                let is_long = (0..count).map(|_| random.chance(20)).collect();
                return Drawn {
                    graph: Graph { nodes, links },
                    windows,
                    ends: None,
                    rounds: 2,
                    worst,
                    is_long,
                };
            }
        }
    }

    /// Long enough for everything to happen several times.
    pub fn end(&self) -> Ticks {
        Ticks::new(self.rounds * ROUND + 5)
    }

    /// The node of a task.
    pub fn node(name: &str) -> Option<usize> {
        name.strip_prefix('t')?.parse().ok()
    }

    /// The number of a node's process.
    pub fn process(&self, node: usize) -> usize {
        self.worst[node] as usize % 2
    }

    /// How many numbers of eight bytes a node's output has.
    pub fn numbers(&self, node: usize) -> u32 {
        if self.is_long[node] { 11 } else { 1 }
    }

    /// The system.
    pub fn project(&self) -> Result<Project, CodeError> {
        try_project(&self.timing(), parsed(&self.description()))
    }

    fn kind(&self, node: usize) -> String {
        if self.is_long[node] { format!("long[{}]", self.numbers(node)) } else { "long".to_owned() }
    }

    fn timing(&self) -> String {
        let mut text = "module M {\n".to_owned();
        let mut mode = format!("  start mode m [period = {ROUND}ms] {{\n");
        if let Some(ends) = self.ends {
            text += "  sensor long place uses read;\n  actuator long motor := 0 uses set;\n";
            writeln!(mode, "    actuator [freq = {}] motor := t{}.out;", ROUND / ends.period, ends.last)
                .expect("a text takes everything");
        }
        for node in 0..self.graph.nodes.len() {
            let inputs = self.graph.inputs(node).map(|link| (link, self.graph.links[link].writer));
            let inputs: Vec<_> = inputs.collect();
            let mut declared: String =
                inputs.iter().map(|(link, from)| format!("input {} i{link}; ", self.kind(*from))).collect();
            let mut names: String = inputs.iter().map(|(link, _)| format!("i{link}, ")).collect();
            let mut from: Vec<_> = inputs.iter().map(|(_, from)| format!("t{from}.out")).collect();
            if self.ends.is_some_and(|ends| ends.first == node) {
                declared += "input long sample; ";
                names += "sample, ";
                from.push("place".to_owned());
            }
            let initial = vec![(-1 - node as i64).to_string(); self.numbers(node) as usize].join(", ");
            let initial = if self.is_long[node] { format!("{{{initial}}}") } else { initial };
            let kind = self.kind(node);
            writeln!(
                text,
                "  task t{node} {{ {declared}output {kind} out := {initial}; uses f{node}({names}out); }}"
            )
            .expect("a text takes everything");
            writeln!(mode, "    task [{}] t{node}({});", self.rhythm(node), from.join(", "))
                .expect("a text takes everything");
        }
        text + &mode + "  }\n}\n"
    }

    /// Whether a node has one of several slots of the mode's period.
    pub fn has_offset(&self, node: usize) -> bool {
        self.graph.nodes[node].period.get() != self.windows[node]
    }

    fn rhythm(&self, node: usize) -> String {
        let (row, window) = (&self.graph.nodes[node], self.windows[node]);
        let frequency = ROUND / window;
        match self.has_offset(node) {
            false => format!("freq = {frequency}"),
            true => format!("freq = {frequency}, slots = {}", row.offset.get() / window + 1),
        }
    }

    fn description(&self) -> String {
        let stack = if self.ends.is_some() { "driver_stack = \"512\"\n" } else { "" };
        let mut text = format!(
            "[system]\nname = \"drawn\"\ntiming = [\"small.tdl\"]\napplication = \"app\"\noutputs = \"synchronous\"\n\
             [board]\nname = \"mps2-an385\"\nflash = \"1M\"\nram = \"1M\"\nspeed = 5\n\
             [process.p0]\nmemory = \"64\"\n{stack}[process.p1]\nmemory = \"64\"\n{stack}\
             [[band]]\nname = \"all\"\npolicy = \"fixed\"\n"
        );
        if self.ends.is_some() {
            text += "[driver.read]\nprocess = \"p0\"\nworst = \"50us\"\n[driver.set]\nprocess = \"p1\"\nworst = \"50us\"\n";
        }
        for (node, row) in self.graph.nodes.iter().enumerate() {
            let own = self.graph.inputs(node).map(|link| self.graph.links[link]);
            let delayed: Vec<_> =
                own.filter(|link| link.delayed).map(|link| format!("\"t{}.out\"", link.writer)).collect();
            writeln!(
                text,
                "[task.t{node}]\nprocess = \"p{}\"\nband = \"all\"\npriority = {}\nworst = \"{}ms\"\nstack = \"512\"\nwaits = \"never\"\n\
                 delayed = [{}]",
                self.process(node),
                31 - row.urgency,
                self.worst[node],
                delayed.join(", ")
            )
            .expect("a text takes everything");
        }
        text
    }
}

/// Whether all are done in time, whatever happens: also if offsets weren't there.
fn are_in_time(nodes: &[Node], worst: &[u64], windows: &[u64]) -> bool {
    let order = Graph { nodes: nodes.to_vec(), links: Vec::new() }.by_urgency();
    let tasks: Vec<_> =
        order.iter().map(|node| Sporadic::implicit(nodes[*node].period, Ticks::new(worst[*node]))).collect();
    let Ok(found) = response_times(&tasks, &[]) else { return false };
    order.iter().zip(found).all(|(node, response)| response.get() <= windows[*node])
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
