//! The longest path: through a function whose loops are collapsed from the inside out, and through all it
//! calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds::{Bounds, Chain, MachineLoop, Rule, Source};
use crate::cost::{Cost, Path};
use crate::flow::{Block, Function, Next, function};
use crate::lines::Lines;
use crate::loops::{Loop, Loops, find};
use crate::{Location, PathError, Report, Request, Span, Step};
use beryl_machine_code::image::{Image, parse};

/// See [`crate::longest_step`].
pub fn longest_step(elf: &[u8], request: &Request) -> Result<Report, PathError> {
    let file = parse(elf)?;
    let image = Image::new(&file)?;
    let lines = Lines::new(&file)?;
    let bounds = Bounds::new(&lines, request);
    let excluded = all(&image, &request.excluded)?;
    let looks = all(&image, &request.boundaries)?;
    let mut analysis = Analysis {
        image: &image,
        lines: &lines,
        request,
        bounds,
        known: excluded.iter().map(|address| (*address, Cost::default())).collect(),
        excluded,
        open: Vec::new(),
        boundaries: looks.clone(),
        looks,
    };
    let mut steps = Vec::new();
    for entry in &request.entries {
        steps.push(analysis.step(entry)?);
    }
    let longest = steps.iter().map(|step| step.instructions).max().unwrap_or_default();
    Ok(Report { longest, steps, boundaries: analysis.boundaries.into_iter().collect() })
}

/// The functions with these names.
fn all(image: &Image<'_>, names: &[String]) -> Result<BTreeSet<u32>, PathError> {
    let mut addresses = BTreeSet::new();
    for name in names {
        addresses.extend(image.addresses(name)?);
    }
    Ok(addresses)
}

struct Analysis<'a> {
    image: &'a Image<'a>,
    lines: &'a Lines<'a>,
    request: &'a Request,
    bounds: Bounds<'a>,
    /// Functions that don't run: no path leads through them.
    excluded: BTreeSet<u32>,
    /// Functions that look at what is pending.
    looks: BTreeSet<u32>,
    known: BTreeMap<u32, Cost>,
    /// The functions that are being measured, each called by the one before.
    open: Vec<u32>,
    /// The heads of step boundary loops, and the instructions and functions that look at what is pending.
    boundaries: BTreeSet<u32>,
}

/// Where a piece of a function is left to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Block(u32),
    Return,
}

/// The costs of all ways out of a piece of code, and of going back to its head.
#[derive(Default)]
struct Outflow {
    ways: BTreeMap<Way, Cost>,
    back: Cost,
}

impl Outflow {
    fn add(&mut self, way: Way, cost: Cost) {
        let known = self.ways.remove(&way).unwrap_or_default();
        self.ways.insert(way, known.or(cost));
    }
}

/// A loop and the loops of the source around its body.
struct Inside<'a> {
    machine: &'a Loop,
    around: Chain,
}

/// A function with its loops.
struct Shape {
    function: Function,
    loops: Loops,
}

impl Analysis<'_> {
    fn step(&mut self, entry: &str) -> Result<Step, PathError> {
        let mut steps = Vec::new();
        for address in self.image.addresses(entry)? {
            let cost = self.function(*address)?;
            let paths = [
                (Span::EntryToExit, cost.through),
                (Span::EntryToBoundary, cost.entry_to_cut),
                (Span::BoundaryToBoundary, cost.cut_to_cut),
                (Span::BoundaryToExit, cost.cut_to_exit),
            ];
            steps.extend(paths.into_iter().filter_map(|(span, path)| Some((span, path?))));
        }
        // A handler has at least one path: it returns, reaches a boundary, or halts.
        let longest = steps.into_iter().rev().max_by_key(|(_, path)| path.instructions);
        let (span, path) = longest.ok_or_else(|| PathError::NoSymbol(entry.to_owned()))?;
        let instructions = path.instructions;
        Ok(Step { entry: entry.to_owned(), instructions, span, path: self.locations(&path) })
    }

    fn locations(&self, path: &Path) -> Vec<Location> {
        let mut locations = Vec::new();
        path.visits(|visit, count| {
            let frames = self.lines.frames(visit.address);
            let frame = self.bounds.innermost_of_ours(&frames).or(frames.first());
            locations.push(Location {
                address: visit.address,
                function: frame
                    .and_then(|frame| frame.function.clone())
                    .unwrap_or_else(|| self.image.name(visit.address)),
                file: frame.map(|frame| frame.file.clone()).unwrap_or_default(),
                line: frame.map(|frame| frame.line).unwrap_or_default(),
                instructions: visit.instructions,
                count,
            });
        });
        locations
    }

    fn function(&mut self, start: u32) -> Result<Cost, PathError> {
        if let Some(cost) = self.known.get(&start) {
            return Ok(cost.clone());
        }
        if let Some(first) = self.open.iter().position(|open| *open == start) {
            let circle = self.open[first..].iter().chain([&start]);
            return Err(PathError::Recursion(circle.map(|address| self.image.name(*address)).collect()));
        }
        self.open.push(start);
        let shape = self.shape(start)?;
        let mut outflow = self.walk(&shape, None)?;
        self.open.pop();
        let mut cost = outflow.ways.remove(&Way::Return).unwrap_or_default();
        if self.looks.contains(&start) {
            cost = Cost::boundary().then(&cost);
        }
        self.known.insert(start, cost.clone());
        Ok(cost)
    }

    fn shape(&self, start: u32) -> Result<Shape, PathError> {
        let function = function(self.image, &self.request.indirect, &self.excluded, start)?;
        let loops = find(&function)
            .map_err(|address| PathError::Irreducible { function: self.image.name(start), address })?;
        Ok(Shape { function, loops })
    }

    /// Costs from the head of `inside` (or of the whole function) once through it, loops inside it collapsed.
    fn walk(&mut self, shape: &Shape, inside: Option<&Inside<'_>>) -> Result<Outflow, PathError> {
        let head = inside.map_or(shape.function.start, |inside| inside.machine.head);
        let mut arrivals = BTreeMap::from([(head, Cost::nothing())]);
        let mut outflow = Outflow::default();
        for address in &shape.loops.order {
            let Some(arrival) = arrivals.remove(address) else { continue };
            let inner = shape.loops.by_head.get(address).filter(|_| *address != head || inside.is_none());
            let ways = match inner {
                Some(inner) => self.collapse(shape, inner, inside.map_or(&[], |inside| &inside.around))?,
                None => self.block(&shape.function.blocks[address])?,
            };
            for (way, cost) in ways {
                let cost = arrival.then(&cost);
                match (way, inside) {
                    (Way::Block(to), Some(inside)) if to == inside.machine.head => {
                        outflow.back = outflow.back.or(cost)
                    }
                    (Way::Block(to), Some(inside)) if !inside.machine.body.contains(&to) => {
                        outflow.add(way, cost)
                    }
                    (Way::Block(to), _) => {
                        let known = arrivals.remove(&to).unwrap_or_default();
                        arrivals.insert(to, known.or(cost));
                    }
                    (Way::Return, _) => outflow.add(way, cost),
                }
            }
        }
        Ok(outflow)
    }

    /// The costs of a loop's ways out, all its rounds included.
    fn collapse(
        &mut self,
        shape: &Shape,
        machine: &Loop,
        outer: &[Source],
    ) -> Result<BTreeMap<Way, Cost>, PathError> {
        let (rule, around) = self.rule(shape, machine, outer)?;
        let mut once = self.walk(shape, Some(&Inside { machine, around }))?;
        let rounds = match rule {
            Rule::Bound(bound) => once.back.repeat(bound),
            Rule::Boundary => Cost::boundary(),
        };
        if rule == Rule::Boundary {
            self.boundaries.insert(machine.head);
            let round = std::mem::take(&mut once.back);
            once.add(Way::Return, round.then(&Cost::end()));
        }
        if once.ways.is_empty() {
            once.add(Way::Return, Cost::end());
        }
        Ok(once.ways.into_iter().map(|(way, cost)| (way, rounds.then(&cost))).collect())
    }

    fn rule(&mut self, shape: &Shape, machine: &Loop, outer: &[Source]) -> Result<(Rule, Chain), PathError> {
        let start = shape.function.start;
        if let Some(bound) = self.image.lookup(&self.request.symbol_bounds, start) {
            return Ok((Rule::Bound(*bound), outer.to_vec()));
        }
        let block = |address: u32| &shape.function.blocks[&address];
        let machine = MachineLoop {
            function: self.image.name(start),
            has_several_ways_back: machine.has_several_ways_back(&shape.function),
            addresses: shape
                .loops
                .own(machine)
                .flat_map(|own| block(own).addresses.iter().copied())
                .collect(),
            certain: machine
                .certain(&shape.function)
                .flat_map(|certain| block(certain).lasting.iter().copied())
                .collect(),
        };
        self.bounds.rule(&machine, outer)
    }

    fn block(&mut self, block: &Block) -> Result<BTreeMap<Way, Cost>, PathError> {
        let mut called = if block.calls.is_empty() || block.call_is_conditional {
            Cost::nothing()
        } else {
            Cost::default()
        };
        for callee in &block.calls {
            called = called.or(self.function(*callee)?);
        }
        let visit = block.visit();
        let mut cost = Cost::block(visit).then(&called);
        if self.image.looks.contains(&visit.address) {
            self.boundaries.insert(visit.address);
            cost = Cost::boundary().then(&cost);
        }
        let mut outflow = Outflow::default();
        if cost.never_goes_on() {
            // What stands behind a call that doesn't come back belongs to somebody else.
            outflow.add(Way::Return, cost);
            return Ok(outflow.ways);
        }
        for next in &block.next {
            let (way, after) = match next {
                Next::Block(to) => (Way::Block(*to), Cost::nothing()),
                Next::Function(callee) => (Way::Return, self.function(*callee)?),
                Next::Return => (Way::Return, Cost::nothing()),
                Next::Halt => (Way::Return, Cost::end()),
            };
            outflow.add(way, cost.then(&after));
        }
        Ok(outflow.ways)
    }
}
