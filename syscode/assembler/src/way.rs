//! The shortest run of a program that breaks a rule of structure, with its listing.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use beryl_syscode::check::{Point, Reason, Refusal, Rights, Structure};
use beryl_syscode::{Container, Instruction, Listing};

/// An instruction of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The instruction.
    pub address: usize,
    /// It is come to by a trigger, or in a thread that has begun: not at once.
    pub is_later: bool,
}

/// A run from where a program is entered to an instruction that breaks a rule; prints itself, an instruction a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The instructions; none if nothing leads to the one at fault.
    pub steps: Vec<Step>,
    /// Another run, which meets this one and can't go on together with it.
    pub other: Vec<Step>,
    listing: Vec<String>,
}

/// So many different points are looked at, far more than sensible programs have.
const MOST: usize = 1 << 20;
/// Of a longer run, what lies between its beginning and its end isn't shown.
const SHOWN: usize = 40;

impl Way {
    /// The shortest run to what a program was refused for.
    #[must_use]
    pub fn to(container: Container<'_>, rights: Rights<'_>, refusal: Refusal) -> Way {
        let mut marks = vec![0; container.length()];
        let mut search = Search {
            container,
            structure: Structure::new(container, rights, &mut marks),
            points: Vec::new(),
            known: HashMap::new(),
        };
        let found = search.run(refusal);
        let other = if found.is_some() { None } else { search.other(refusal) };
        let (last, other) = match (found, other) {
            (Some(last), _) => (Some(last), None),
            (None, Some((last, other))) => (Some(last), Some(other)),
            (None, None) => (search.first_at(refusal.address), None),
        };
        let steps = |last: Option<usize>| last.map(|last| search.back(last)).unwrap_or_default();
        Way { steps: steps(last), other: steps(other), listing: listing(&container) }
    }
}

/// A point that was come to, and from which.
struct Reached {
    point: Point,
    from: Option<usize>,
    is_later: bool,
}

struct Search<'a> {
    container: Container<'a>,
    structure: Structure<'a>,
    /// In the order in which they were come to: the nearest first.
    points: Vec<Reached>,
    known: HashMap<Point, usize>,
}

impl Search<'_> {
    fn reach(&mut self, point: Point, from: Option<usize>, is_later: bool) {
        let number = self.points.len();
        if number < MOST && !self.known.contains_key(&point) {
            self.known.insert(point, number);
            self.points.push(Reached { point, from, is_later });
        }
    }

    /// Looks at all points, the nearest first, until one of them breaks the rule by itself.
    fn run(&mut self, refusal: Refusal) -> Option<usize> {
        let mut begin = VecDeque::new();
        self.structure.beginnings(|point| begin.push_back(point));
        begin.into_iter().for_each(|point| self.reach(point, None, false));
        let mut number = 0;
        while let Some(point) = self.points.get(number).map(|reached| reached.point) {
            let mut next = Vec::new();
            match self.structure.follow(point, |to, is_later| next.push((to, is_later))) {
                Err(broken) if broken == refusal => return Some(number),
                // Another rule is broken before: this one is looked for behind it.
                Err(_) => self.pass(point, number),
                Ok(()) => next.into_iter().for_each(|(to, is_later)| self.reach(to, Some(number), is_later)),
            }
            number += 1;
        }
        None
    }

    /// Goes on wherever the code leads.
    fn pass(&mut self, point: Point, number: usize) {
        let word = self.container.instruction(point.address);
        let (next, target) = match word.and_then(Instruction::decode) {
            Some(Instruction::Jump { address } | Instruction::Change { address }) => (false, Some(address)),
            Some(
                Instruction::Branch { address }
                | Instruction::Late { address, .. }
                | Instruction::Beat { address, .. }
                | Instruction::Next { address, .. }
                | Instruction::Owed { address, .. }
                | Instruction::Offender { address, .. }
                | Instruction::Future { address, .. }
                | Instruction::When { address, .. }
                | Instruction::Fork { address },
            ) => (true, Some(address)),
            Some(
                Instruction::Return {}
                | Instruction::Resume {}
                | Instruction::Retry {}
                | Instruction::Postpone { .. }
                | Instruction::Tolerate { .. },
            )
            | None => (false, None),
            Some(Instruction::DispatchUntil { otherwise, .. }) => {
                let behind = u16::try_from(point.address + 1).unwrap_or(u16::MAX);
                (true, Some(behind.saturating_add(otherwise.into())))
            }
            Some(_) => (true, None),
        };
        let next = if next { Some(point.address + 1) } else { None };
        for address in [next, target.map(usize::from)].into_iter().flatten() {
            self.reach(point.at(address), Some(number), false);
        }
    }

    /// Two runs that don't go together where they meet: behind the instruction at fault.
    fn other(&mut self, refusal: Refusal) -> Option<(usize, usize)> {
        if refusal.reason != Reason::Disagreement {
            return None;
        }
        let meets = |search: &Self, number: usize| {
            let reached = &search.points[number];
            let from = reached.from.map(|from| search.points[from].point.address);
            from == Some(refusal.address)
        };
        let last = (0..self.points.len()).find(|number| meets(self, *number))?;
        let target = self.points[last].point;
        let is_other = |reached: &Reached| reached.point.address == target.address && reached.point != target;
        let other = self.points.iter().position(is_other)?;
        Some((last, other))
    }

    /// The nearest point at an instruction.
    fn first_at(&self, address: usize) -> Option<usize> {
        self.points.iter().position(|reached| reached.point.address == address)
    }

    /// The run to a point.
    fn back(&self, last: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut next = Some(last);
        while let Some(reached) = next.and_then(|number| self.points.get(number)) {
            steps.push(Step { address: reached.point.address, is_later: reached.is_later });
            next = reached.from;
        }
        steps.reverse();
        steps
    }
}

/// A program's instructions as they read.
fn listing(container: &Container<'_>) -> Vec<String> {
    let (drivers, tasks): (Vec<_>, Vec<_>) = (container.drivers().collect(), container.tasks().collect());
    let ports: Vec<_> = container.ports().collect();
    let listing = Listing {
        code: &container.code().collect::<Vec<_>>(),
        durations: &container.durations().collect::<Vec<_>>(),
        conditions: &container.conditions().collect::<Vec<_>>(),
        tick: 0,
        driver: &|number| drivers.get(usize::from(number)).copied(),
        task: &|number| tasks.get(usize::from(number)).copied(),
        port: &|number| ports.get(usize::from(number)).copied(),
    };
    listing.to_string().lines().map(str::to_owned).collect()
}

impl fmt::Display for Way {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return writeln!(out, "  nothing leads to this instruction, but all code has to be code");
        }
        writeln!(out, "  the shortest run that comes there:")?;
        self.run(&self.steps, out)?;
        if !self.other.is_empty() {
            writeln!(out, "  and one that can't go on together with it:")?;
            self.run(&self.other, out)?;
        }
        Ok(())
    }
}

impl Way {
    fn run(&self, steps: &[Step], out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left_out = steps.len().saturating_sub(SHOWN);
        for (number, step) in steps.iter().enumerate() {
            if left_out > 0 && number == SHOWN / 2 {
                writeln!(out, "          ... {left_out} more")?;
            }
            if (SHOWN / 2..SHOWN / 2 + left_out).contains(&number) {
                continue;
            }
            let line = self.listing.get(step.address).map_or("", String::as_str);
            writeln!(out, "    {}{line}", if step.is_later { "later " } else { "      " })?;
        }
        Ok(())
    }
}
