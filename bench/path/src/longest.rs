//! The longest path: through a function whose loops are collapsed from the inside out, and through all it
//! calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::alive::{Alive, alive, changes};
use crate::bounds::{Bounds, Chain, MachineLoop, Rule, Source};
use crate::cost::{Cost, Path};
use crate::flow::{Block, Function, Next, function};
use crate::loops::{Loop, Loops, find};
use crate::state::{Facts, State};
use crate::step::{Lead, carry_out};
use crate::{Begins, Entry, Location, PathError, Report, Request, Span, Step};
use beryl_code::Lines;
use beryl_code::image::{Image, parse};

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
        known: BTreeMap::new(),
        beginnings: BTreeMap::new(),
        shapes: BTreeMap::new(),
        rules: BTreeMap::new(),
        asking: BTreeMap::new(),
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
    /// In what states functions come back, by the state in which they begin.
    known: BTreeMap<u32, BTreeMap<State, Rc<States>>>,
    /// With how many beginnings each function was followed of which nothing was known before this entry.
    beginnings: BTreeMap<u32, usize>,
    shapes: BTreeMap<u32, Rc<Shape>>,
    /// What the source says of loops, by function, head, and the loops of the source around.
    rules: BTreeMap<(u32, u32, Chain), (Rule, Chain)>,
    /// Whether functions ask about the exception.
    asking: BTreeMap<u32, bool>,
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

/// What is known where, with the costs of the ways to there.
type States = BTreeMap<State, Cost>;

/// The states in which a function comes back.
struct Returns {
    states: Rc<States>,
    /// Whether what was known of the exception before is known behind, whatever the states say.
    keeps_facts: bool,
}

impl Returns {
    /// What is known behind the call that was made in `state`, with the costs of the call.
    fn behind<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (State, &'a Cost)> {
        self.states.iter().map(move |(left, cost)| {
            let after = state.after(left);
            (if self.keeps_facts { after.with_facts(state.facts()) } else { after }, cost)
        })
    }
}

/// The states in which a piece of code is left, with their costs, and the cost of going back to its head.
#[derive(Default)]
struct Outflow {
    ways: BTreeMap<Way, States>,
    back: Cost,
}

impl Outflow {
    fn add(&mut self, way: Way, state: State, cost: Cost) {
        add(self.ways.entry(way).or_default(), state, cost);
    }
}

fn add(states: &mut States, state: State, cost: Cost) {
    let known = states.entry(state).or_default();
    *known = std::mem::take(known).or(cost);
}

/// More ways than that aren't kept apart.
const MOST_STATES: usize = 48;
/// With more beginnings than that a function isn't followed from one entry: what others have asked of it before doesn't count.
const MOST_BEGINNINGS: usize = 96;

/// All of them if there are few; else what holds by all that agree about the stack, and if these are many,
/// too, what holds by all.
fn few(states: States) -> States {
    if states.len() <= MOST_STATES {
        return states;
    }
    let mut groups: Vec<(State, Cost)> = Vec::new();
    for (state, cost) in states {
        match groups.iter_mut().find(|(other, _)| other.has_same_stack(&state)) {
            Some((common, known)) => {
                *common = common.common(&state);
                *known = std::mem::take(known).or(cost);
            }
            None => groups.push((state, cost)),
        }
    }
    if groups.len() <= MOST_STATES {
        let mut states = States::new();
        groups.into_iter().for_each(|(state, cost)| add(&mut states, state, cost));
        return states;
    }
    let all = groups.into_iter().reduce(|(one, cost), (other, more)| (one.common(&other), cost.or(more)));
    all.into_iter().collect()
}

/// A loop and the loops of the source around its body.
struct Inside<'a> {
    machine: &'a Loop,
    around: Chain,
}

/// A function with its loops, and the registers that are needed at its blocks.
struct Shape {
    function: Function,
    loops: Loops,
    alive: BTreeMap<u32, Alive>,
}

impl Shape {
    fn needed(&self, block: u32) -> Alive {
        self.alive.get(&block).copied().unwrap_or(Alive::MAX)
    }
}

impl Analysis<'_> {
    fn step(&mut self, entry: &Entry) -> Result<Step, PathError> {
        self.beginnings.clear();
        let mut steps = Vec::new();
        for address in self.image.addresses(&entry.symbol)? {
            let left = self.function(*address, &State::entry(self.image.processor, entry.facts))?;
            let cost = left.states.values().cloned().reduce(Cost::or).unwrap_or_default();
            let entering = [(Span::EntryToExit, cost.through), (Span::EntryToBoundary, cost.entry_to_cut)];
            let inside =
                [(Span::BoundaryToBoundary, cost.cut_to_cut), (Span::BoundaryToExit, cost.cut_to_exit)];
            let entering = entering.into_iter().filter(|_| entry.begins != Begins::AtBoundary);
            let inside = inside.into_iter().filter(|_| entry.begins != Begins::AtEntry);
            steps.extend(entering.chain(inside).filter_map(|(span, path)| Some((span, path?))));
        }
        // A handler has at least one path: it returns, reaches a boundary, or halts.
        let longest = steps.into_iter().rev().max_by_key(|(_, path)| path.instructions);
        let (span, path) = longest.ok_or_else(|| PathError::NoStep(entry.name.clone()))?;
        let instructions = path.instructions;
        Ok(Step { entry: entry.name.clone(), instructions, span, path: self.locations(&path) })
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

    /// The states in which a function comes back that begins in one.
    fn function(&mut self, start: u32, state: &State) -> Result<Returns, PathError> {
        if self.excluded.contains(&start) {
            return Ok(Returns { states: Rc::default(), keeps_facts: false });
        }
        let shape = self.shape(start)?;
        let state = state.clone().only(shape.needed(start));
        let keeps_facts = !state.has_frame() && !self.asks(start)?;
        let state = if keeps_facts { state.with_facts(Facts::default()) } else { state };
        Ok(Returns { states: self.follow(start, &shape, state)?, keeps_facts })
    }

    fn follow(&mut self, start: u32, shape: &Shape, mut state: State) -> Result<Rc<States>, PathError> {
        let known = self.known.entry(start).or_default();
        if let Some(left) = known.get(&state) {
            return Ok(Rc::clone(left));
        }
        let beginnings = self.beginnings.entry(start).or_default();
        if *beginnings >= MOST_BEGINNINGS {
            state = state.forgotten();
            if let Some(left) = known.get(&state) {
                return Ok(Rc::clone(left));
            }
        }
        *beginnings = beginnings.saturating_add(1);
        if let Some(first) = self.open.iter().position(|open| *open == start) {
            let circle = self.open[first..].iter().chain([&start]);
            return Err(PathError::Recursion(circle.map(|address| self.image.name(*address)).collect()));
        }
        self.open.push(start);
        let mut outflow = self.walk(shape, None, &state)?;
        self.open.pop();
        let mut left = few(outflow.ways.remove(&Way::Return).unwrap_or_default());
        if self.looks.contains(&start) {
            left.values_mut().for_each(|cost| *cost = Cost::boundary().then(cost));
        }
        let left = Rc::new(left);
        self.known.entry(start).or_default().insert(state, Rc::clone(&left));
        Ok(left)
    }

    /// Whether a function, or one that it calls, asks about the exception or its frame. If not, it is the
    /// same whatever is known of these.
    fn asks(&mut self, start: u32) -> Result<bool, PathError> {
        if let Some(asks) = self.asking.get(&start) {
            return Ok(*asks);
        }
        // Whoever calls itself is refused elsewhere.
        self.asking.insert(start, true);
        let shape = self.shape(start)?;
        let mut asks = shape.function.asks();
        for callee in shape.function.callees() {
            asks |= !self.excluded.contains(&callee) && self.asks(callee)?;
        }
        self.asking.insert(start, asks);
        Ok(asks)
    }

    fn shape(&mut self, start: u32) -> Result<Rc<Shape>, PathError> {
        if let Some(shape) = self.shapes.get(&start) {
            return Ok(Rc::clone(shape));
        }
        let function = function(self.image, &self.request.indirect, &self.excluded, start)?;
        let loops = find(&function)
            .map_err(|address| PathError::Irreducible { function: self.image.name(start), address })?;
        let alive = alive(&function);
        let shape = Rc::new(Shape { function, loops, alive });
        self.shapes.insert(start, Rc::clone(&shape));
        Ok(shape)
    }

    /// Costs from the head of `inside` (or of the whole function) once through it, loops inside it collapsed.
    fn walk(
        &mut self,
        shape: &Shape,
        inside: Option<&Inside<'_>>,
        state: &State,
    ) -> Result<Outflow, PathError> {
        let head = inside.map_or(shape.function.start, |inside| inside.machine.head);
        let mut arrivals = BTreeMap::from([(head, States::from([(state.clone(), Cost::nothing())]))]);
        let mut outflow = Outflow::default();
        for address in &shape.loops.order {
            let Some(mut arrived) = arrivals.remove(address) else { continue };
            let inner = shape.loops.by_head.get(address).filter(|_| *address != head || inside.is_none());
            if let Some(inner) = inner {
                arrived = before_loop(shape, inner, arrived);
            }
            for (state, arrival) in few(arrived) {
                let left = match inner {
                    Some(inner) => {
                        self.collapse(shape, inner, inside.map_or(&[], |inside| &inside.around), &state)?
                    }
                    None => self.block(shape, *address, &state)?,
                };
                for (way, states) in left {
                    for (state, cost) in states {
                        let cost = arrival.then(&cost);
                        match (way, inside) {
                            (Way::Block(to), Some(inside)) if to == inside.machine.head => {
                                outflow.back = std::mem::take(&mut outflow.back).or(cost);
                            }
                            (Way::Block(to), Some(inside)) if !inside.machine.body.contains(&to) => {
                                outflow.add(way, state, cost);
                            }
                            (Way::Block(to), _) => add(arrivals.entry(to).or_default(), state, cost),
                            (Way::Return, _) => outflow.add(way, state, cost),
                        }
                    }
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
        state: &State,
    ) -> Result<BTreeMap<Way, States>, PathError> {
        let (rule, around) = self.rule(shape, machine, outer)?;
        let mut once = self.walk(shape, Some(&Inside { machine, around }), state)?;
        let rounds = match rule {
            Rule::Bound(bound) => once.back.repeat(bound),
            Rule::Boundary => Cost::boundary(),
        };
        if rule == Rule::Boundary {
            self.boundaries.insert(machine.head);
            let round = std::mem::take(&mut once.back);
            once.add(Way::Return, state.leave(), round.then(&Cost::end()));
        }
        if once.ways.is_empty() {
            once.add(Way::Return, state.leave(), Cost::end());
        }
        let mut ways = once.ways;
        ways.values_mut().flat_map(BTreeMap::values_mut).for_each(|cost| *cost = rounds.then(cost));
        Ok(ways)
    }

    fn rule(&mut self, shape: &Shape, machine: &Loop, outer: &[Source]) -> Result<(Rule, Chain), PathError> {
        let asked = (shape.function.start, machine.head, outer.to_vec());
        if let Some(known) = self.rules.get(&asked) {
            return Ok(known.clone());
        }
        let rule = self.read_rule(shape, machine, outer)?;
        self.rules.insert(asked, rule.clone());
        Ok(rule)
    }

    fn read_rule(
        &mut self,
        shape: &Shape,
        machine: &Loop,
        outer: &[Source],
    ) -> Result<(Rule, Chain), PathError> {
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

    /// The ways out of a block, in the states that they lead to.
    fn block(
        &mut self,
        shape: &Shape,
        address: u32,
        state: &State,
    ) -> Result<BTreeMap<Way, States>, PathError> {
        let block = &shape.function.blocks[&address];
        let visit = block.visit();
        let mut cost = Cost::block(visit);
        if self.image.looks.contains(&visit.address) {
            self.boundaries.insert(visit.address);
            cost = Cost::boundary().then(&cost);
        }
        let mut outflow = Outflow::default();
        for (state, lead) in carry_out(&shape.function, block, state) {
            match lead {
                Lead::To(next) => self.go_to(shape, next, &state, &cost, &mut outflow)?,
                Lead::Call(known) => self.call(shape, block, known, &state, &cost, &mut outflow)?,
            }
        }
        Ok(outflow.ways)
    }

    fn go_to(
        &mut self,
        shape: &Shape,
        next: Next,
        state: &State,
        cost: &Cost,
        outflow: &mut Outflow,
    ) -> Result<(), PathError> {
        match next {
            Next::Block(to) => {
                outflow.add(Way::Block(to), state.clone().only(shape.needed(to)), cost.clone());
            }
            Next::Function(callee) => {
                for (after, called) in self.function(callee, &state.enter())?.behind(state) {
                    outflow.add(Way::Return, after.leave(), cost.then(called));
                }
            }
            Next::Return => outflow.add(Way::Return, state.leave(), cost.clone()),
            Next::Halt => outflow.add(Way::Return, state.leave(), cost.then(&Cost::end())),
        }
        Ok(())
    }

    fn call(
        &mut self,
        shape: &Shape,
        block: &Block,
        known: Option<u32>,
        state: &State,
        cost: &Cost,
        outflow: &mut Outflow,
    ) -> Result<(), PathError> {
        for callee in block.calls.iter().filter(|callee| known.is_none_or(|known| known == **callee)) {
            for (after, called) in self.function(*callee, &state.enter())?.behind(state) {
                let after = if block.calls_piece { after.behind_piece() } else { after };
                let cost = cost.then(called);
                if cost.never_goes_on() {
                    // What stands behind a call that doesn't come back belongs to somebody else.
                    outflow.add(Way::Return, state.leave(), cost);
                    continue;
                }
                for next in &block.next {
                    self.go_to(shape, *next, &after, &cost, outflow)?;
                }
            }
        }
        Ok(())
    }
}

/// What is known before a loop, whatever its rounds change.
fn before_loop(shape: &Shape, machine: &Loop, arrived: States) -> States {
    let (writes, stores) = changes(&shape.function, machine.body.iter());
    let mut before = States::new();
    for (mut state, cost) in arrived {
        state.before_loop(writes, stores);
        add(&mut before, state, cost);
    }
    before
}
