//! Several nodes at once: each runs its own kernel on its own virtual processor, and whoever comes first goes first.
//!
//! Each has a clock of its own, which counts a little too fast or too slow if clocks drift. What happens is ordered by the
//! time that is common to all. At one instant what the bus delivers comes first, then what the nodes do, in their order, then what
//! the bus takes: so a job that is done just in time is sent, and a value that arrives just in time is read. What nodes do
//! at one instant they do without knowing of each other, but for an environment that answers one node at an instant by
//! what another one has written at the same. The environment is asked by the clock of the node that asks.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use beryl_kernel::{Charges, Sizes};

use crate::bus::{Bus, FrameCounts, Link, Place, Schedule, Turn};
use crate::clocks::Clocks;
use crate::command::{Request, complain, finish};
use crate::corruption::Corruption;
use crate::doorbells::{Delays, Doorbell};
use crate::environment::Nanoseconds;
use crate::error::SimulationError;
use crate::peer::Nobody;
use crate::processor::Processor;
use crate::scenario::Scenario;
use crate::shared::Shared;
use crate::simulation::{Options, Outcome, Simulation, Tick};

/// A node, ready to be run.
pub struct Node<'a> {
    /// Its name.
    name: &'static str,
    charges: Charges,
    tick: Tick,
    doorbells: &'a [Doorbell],
    make: Box<Make<'a>>,
}

/// What makes a node that runs.
type Make<'a> = dyn FnOnce(&Options) -> Result<Box<dyn Stepped + 'a>, SimulationError> + 'a;

impl<'a> Node<'a> {
    /// The node of this name, which runs `simulation`; its kernel's steps take what the proof charges.
    pub fn new<S: Sizes>(name: &'static str, charges: Charges, simulation: Simulation<'a, S>) -> Node<'a> {
        let tick = simulation.tick;
        let make = |options: &Options| {
            let processor = Processor::new(simulation, Box::new(Nobody), options, &Scenario::default())?;
            Ok(Box::new(processor) as Box<dyn Stepped + 'a>)
        };
        Node { name, charges, tick, doorbells: &[], make: Box::new(make) }
    }

    /// The same with what it can ring at other cores.
    #[must_use]
    pub fn ringing(self, doorbells: &'a [Doorbell]) -> Node<'a> {
        Node { doorbells, ..self }
    }
}

/// A node that runs.
trait Stepped {
    fn start(&mut self) -> Result<(), SimulationError>;
    fn coming(&mut self) -> Result<Option<beryl_abi::Instant>, SimulationError>;
    fn step(&mut self) -> Result<(), SimulationError>;
    fn has_stopped(&self) -> bool;
    fn look_again(&mut self);
    fn rung(&mut self) -> (u32, beryl_abi::Instant);
    fn hear(&mut self, at: beryl_abi::Instant, line: beryl_abi::Line);
    fn memory(&self) -> &crate::fiber::Arena;
    fn finish(self: Box<Self>, endless: Option<SimulationError>) -> (Outcome, Option<SimulationError>);
}

impl<S: Sizes> Stepped for Processor<S> {
    fn start(&mut self) -> Result<(), SimulationError> {
        Processor::start(self)
    }

    fn coming(&mut self) -> Result<Option<beryl_abi::Instant>, SimulationError> {
        Processor::coming(self)
    }

    fn step(&mut self) -> Result<(), SimulationError> {
        Processor::step(self)
    }

    fn has_stopped(&self) -> bool {
        Processor::has_stopped(self)
    }

    fn look_again(&mut self) {
        Processor::look_again(self);
    }

    fn rung(&mut self) -> (u32, beryl_abi::Instant) {
        Processor::rung(self)
    }

    fn hear(&mut self, at: beryl_abi::Instant, line: beryl_abi::Line) {
        Processor::hear(self, at, line);
    }

    fn memory(&self) -> &crate::fiber::Arena {
        Processor::memory(self)
    }

    fn finish(self: Box<Self>, endless: Option<SimulationError>) -> (Outcome, Option<SimulationError>) {
        Processor::finish(*self, endless)
    }
}

/// What has come of several nodes.
pub struct Together {
    /// Of each, by its name, in their order.
    pub nodes: Vec<(&'static str, Outcome)>,
    /// What has become of the frames of each.
    pub frames: Vec<FrameCounts>,
    /// What has become of each frame of the schedule, as [`Fate`](beryl_abi::frame::Fate) tells it.
    pub fates: String,
    /// How far apart two clocks were at most, in nanoseconds, whenever a frame began or arrived.
    pub apart: u64,
}

/// What a bus does to its frames, and how wrong clocks are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Of a thousand frames, how many are lost.
    pub loss: u32,
    /// Of a thousand that aren't, how many arrive corrupt.
    pub corrupt: u32,
    /// By how much clocks may be wrong, in parts per million; nothing for what the schedule says.
    pub drift: Option<u32>,
    /// The seed of all of these.
    pub seed: u64,
}

/// Runs nodes until a time, with a bus that does some harm, and memory that some of them share.
///
/// # Errors
/// See [`SimulationError`].
pub fn run(
    nodes: Vec<Node<'_>>,
    (schedule, shared): (&Schedule<'_>, &[Link<'_>]),
    until: Nanoseconds,
    options: impl Fn(Charges) -> Options,
    Trouble { loss, corrupt, drift, seed }: Trouble,
) -> Result<Together, SimulationError> {
    let mut bus = Bus::new(*schedule, loss, seed).spoiling(Corruption::new(corrupt, seed));
    let drift = drift.unwrap_or(schedule.drift);
    let mut clocks = Clocks::new(nodes.len(), drift, seed, schedule.keeping.filter(|_| drift > 0));
    let mut shared = Shared::new(shared, seed);
    let names: Vec<_> = nodes.iter().map(|node| node.name).collect();
    let ticks: Vec<_> = nodes.iter().map(|node| node.tick).collect();
    let mut bells = Bells::of(&nodes, seed);
    let mut all = Vec::new();
    for Node { charges, tick, make, .. } in nodes {
        all.push(make(&Options { until: tick.instant(until), ..options(charges) })?);
    }
    all.iter_mut().try_for_each(|node| node.start())?;
    while let Some((at, next)) = first(&mut all, &ticks, &clocks)? {
        let places = || -> Vec<Place<'_>> {
            all.iter().zip(&ticks).map(|(node, tick)| (node.memory(), *tick)).collect()
        };
        if shared.next().is_some_and(|due| due <= at) {
            shared.deliver(at, &places());
            continue;
        }
        match bus.next(&clocks) {
            Turn::Delivers(due) if due <= at => bus.deliver(due, &places(), &mut clocks),
            Turn::Takes(due) if due < at => {
                clocks.look(due);
                bus.take(&places(), &clocks);
            }
            _ => {
                all[next].step()?;
                bells.carry(next, &mut all, &ticks);
                let (node, tick) = (&all[next], ticks[next]);
                shared.look(next, at, (node.memory(), tick));
                if all[next].has_stopped() {
                    break;
                }
                all.iter_mut().for_each(|node| node.look_again());
            }
        }
    }
    let apart = clocks.apart();
    let frames = (0..all.len()).map(|node| bus.counts(node)).collect();
    let fates = bus.fates();
    let outcomes = all.into_iter().map(|node| node.finish(None).0);
    Ok(Together { nodes: names.into_iter().zip(outcomes).collect(), frames, fates, apart })
}

/// The doorbells of all nodes.
struct Bells<'a> {
    of: Vec<&'a [Doorbell]>,
    delays: Delays,
}

impl<'a> Bells<'a> {
    fn of(nodes: &[Node<'a>], seed: u64) -> Bells<'a> {
        Bells { of: nodes.iter().map(|node| node.doorbells).collect(), delays: Delays::new(seed) }
    }

    /// What a node has rung in its last step is on its way.
    fn carry(&mut self, node: usize, all: &mut [Box<dyn Stepped + '_>], ticks: &[Tick]) {
        let (rung, at) = all[node].rung();
        for bell in self.of[node].iter().filter(|bell| rung & bell.bell != 0) {
            let comes = self.delays.comes(*bell, (at, ticks[node]), ticks[bell.to]);
            all[bell.to].hear(comes, bell.line);
        }
    }
}

/// Which node goes next, and when, in nanoseconds of common time.
fn first(
    nodes: &mut [Box<dyn Stepped + '_>],
    ticks: &[Tick],
    clocks: &Clocks,
) -> Result<Option<(u64, usize)>, SimulationError> {
    let mut first: Option<(u64, usize)> = None;
    for (number, (node, tick)) in nodes.iter_mut().zip(ticks).enumerate() {
        let Some(at) = node.coming()? else { continue };
        let at = clocks.comes(number, tick.nanoseconds(at).count());
        if first.is_none_or(|(earliest, _)| at < earliest) {
            first = Some((at, number));
        }
    }
    Ok(first)
}

/// The body of a generated simulation program of several nodes; see [`crate::main`]. `--ticks` counts those of the first
/// node. Each node has files of its own, with a point and its name behind the name given.
pub fn main<'a>(
    schedule: &Schedule<'_>,
    shared: &[Link<'_>],
    make: impl FnOnce(u64) -> Vec<Node<'a>>,
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let request = match Request::parse(&arguments, Charges::NONE) {
        Ok(request) => request,
        Err(reason) => return complain(2, &format!("{reason}; see --help")),
    };
    let nodes = make(request.plant_seed);
    let Some(first) = nodes.first() else { return complain(2, "there are no nodes") };
    let until = first.tick.nanoseconds(request.options.until);
    let options = |charges| Options { costs: request.options.costs.with(charges), ..request.options };
    crate::place::keep_panics(crate::fiber::is_in_application);
    let together = match run(nodes, (schedule, shared), until, options, request.trouble()) {
        Ok(together) => together,
        Err(error) => return complain(3, &error.to_string()),
    };
    let mut report = Ok(String::new());
    let mut console = String::new();
    for (name, outcome) in &together.nodes {
        if let Err(reason) = request.with_files(|path| of_node(path, name)).write_files(outcome) {
            return complain(4, &reason);
        }
        if request.console.is_none() {
            console += &outcome.console;
        }
        if outcome.environment != Ok(String::new()) {
            report.clone_from(&outcome.environment);
        }
    }
    if schedule.cycle > 0 {
        for ((name, _), FrameCounts { sent, lost, corrupt }) in together.nodes.iter().zip(&together.frames) {
            let _ = writeln!(io::stderr(), "bus: {name} {sent} {lost} {corrupt}");
        }
        let _ = writeln!(io::stderr(), "frames: {}", together.fates);
        if request.trouble().drift.unwrap_or(schedule.drift) > 0 {
            let _ = writeln!(io::stderr(), "clocks: {}", together.apart);
        }
    }
    match report {
        Ok(report) => finish(0, &format!("{console}{report}")),
        Err(report) => finish(1, &format!("{console}{report}")),
    }
}

/// The file of a node.
fn of_node(path: &Path, node: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(node);
    name.into()
}
