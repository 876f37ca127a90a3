//! Costs of pieces of code, and how they add up across step boundaries.
//!
//! A piece of code is entered, or a path begins at a boundary inside it; it is left, or the path ends at a
//! boundary inside it. That makes four longest paths, [`Cost`]. Written as a max-plus matrix over (begin,
//! live, end),
//!
//! ```text
//!          begin     live          end
//! begin  (   0    cut_to_exit   cut_to_cut   )
//! live   (   -     through      entry_to_cut )
//! end    (   -        -             0        )
//! ```
//!
//! running one piece after another ([`Cost::then`]) is the matrix product, a choice ([`Cost::or`]) the
//! element-wise maximum, and a loop ([`Cost::repeat`]) a power. A `None` is minus infinity: there is no such
//! path. Each number carries the path that it was counted on.

use std::rc::Rc;

/// A basic block as it appears on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The block's first address.
    pub address: u32,
    /// Its instructions.
    pub instructions: u64,
}

/// How a path was put together.
#[derive(Debug)]
enum Trail {
    Nothing,
    Block(Visit),
    Then(Rc<Trail>, Rc<Trail>),
    Repeat(u64, Rc<Trail>),
}

/// One path: its length in instructions, and where it leads.
#[derive(Clone, Debug)]
pub struct Path {
    /// Executed instructions.
    pub instructions: u64,
    trail: Rc<Trail>,
}

/// The four longest paths of a piece of code; `None` where there is none.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// From the entry to the exit, past no boundary.
    pub through: Option<Path>,
    /// From the entry to the first boundary.
    pub entry_to_cut: Option<Path>,
    /// From the last boundary to the exit.
    pub cut_to_exit: Option<Path>,
    /// From a boundary to the next.
    pub cut_to_cut: Option<Path>,
}

impl Path {
    fn nothing() -> Self {
        Path { instructions: 0, trail: Rc::new(Trail::Nothing) }
    }

    fn then(&self, next: &Path) -> Path {
        let trail = match (&*self.trail, &*next.trail) {
            (Trail::Nothing, _) => Rc::clone(&next.trail),
            (_, Trail::Nothing) => Rc::clone(&self.trail),
            _ => Rc::new(Trail::Then(Rc::clone(&self.trail), Rc::clone(&next.trail))),
        };
        Path { instructions: self.instructions.saturating_add(next.instructions), trail }
    }

    fn repeat(&self, rounds: u64) -> Path {
        let trail = Rc::new(Trail::Repeat(rounds, Rc::clone(&self.trail)));
        Path { instructions: self.instructions.saturating_mul(rounds), trail }
    }

    /// Calls `visit` with each block on the path, in order, and how often it runs there.
    pub fn visits(&self, mut visit: impl FnMut(Visit, u64)) {
        let mut ahead = vec![(&self.trail, 1_u64)];
        while let Some((trail, times)) = ahead.pop() {
            match &**trail {
                Trail::Nothing => {}
                Trail::Block(block) => visit(*block, times),
                Trail::Then(first, second) => ahead.extend([(second, times), (first, times)]),
                Trail::Repeat(rounds, round) => ahead.push((round, times.saturating_mul(*rounds))),
            }
        }
    }
}

impl Cost {
    /// Code that does nothing.
    pub fn nothing() -> Self {
        Cost { through: Some(Path::nothing()), ..Cost::default() }
    }

    /// A basic block, without what it calls.
    pub fn block(visit: Visit) -> Self {
        let path = Path { instructions: visit.instructions, trail: Rc::new(Trail::Block(visit)) };
        Cost { through: Some(path), ..Cost::default() }
    }

    /// The end of every path that gets here: a boundary, or code that never goes on.
    pub fn end() -> Self {
        Cost { entry_to_cut: Some(Path::nothing()), ..Cost::default() }
    }

    /// A boundary: every path that gets here ends, and others begin. The head of a step boundary loop.
    pub fn boundary() -> Self {
        Cost { entry_to_cut: Some(Path::nothing()), cut_to_exit: Some(Path::nothing()), ..Cost::default() }
    }

    /// Whether no path leads out of it.
    pub fn never_goes_on(&self) -> bool {
        self.through.is_none() && self.cut_to_exit.is_none()
    }

    /// This code, then `next`.
    #[must_use]
    pub fn then(&self, next: &Cost) -> Cost {
        Cost {
            through: joined(&self.through, &next.through),
            entry_to_cut: longer(self.entry_to_cut.clone(), joined(&self.through, &next.entry_to_cut)),
            cut_to_exit: longer(next.cut_to_exit.clone(), joined(&self.cut_to_exit, &next.through)),
            cut_to_cut: longer(
                longer(self.cut_to_cut.clone(), next.cut_to_cut.clone()),
                joined(&self.cut_to_exit, &next.entry_to_cut),
            ),
        }
    }

    /// This code or `other`.
    #[must_use]
    pub fn or(self, other: Cost) -> Cost {
        Cost {
            through: longer(self.through, other.through),
            entry_to_cut: longer(self.entry_to_cut, other.entry_to_cut),
            cut_to_exit: longer(self.cut_to_exit, other.cut_to_exit),
            cut_to_cut: longer(self.cut_to_cut, other.cut_to_cut),
        }
    }

    /// This code, at most `rounds` times in a row.
    #[must_use]
    pub fn repeat(&self, rounds: u64) -> Cost {
        let Some(before_last) = rounds.checked_sub(1) else { return Cost::nothing() };
        let at_most = |rounds| Cost {
            through: self.through.as_ref().map(|round| round.repeat(rounds)).or(Some(Path::nothing())),
            ..Cost::default()
        };
        let between = before_last.checked_sub(1).map(|rounds| self.then(&at_most(rounds)).then(self));
        Cost {
            through: at_most(rounds).through,
            entry_to_cut: at_most(before_last).then(self).entry_to_cut,
            cut_to_exit: self.then(&at_most(before_last)).cut_to_exit,
            cut_to_cut: longer(self.cut_to_cut.clone(), between.and_then(|rounds| rounds.cut_to_cut)),
        }
    }
}

fn joined(first: &Option<Path>, second: &Option<Path>) -> Option<Path> {
    Some(first.as_ref()?.then(second.as_ref()?))
}

fn longer(one: Option<Path>, other: Option<Path>) -> Option<Path> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.instructions > one.instructions { other } else { one }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(instructions: u64) -> Cost {
        Cost::block(Visit { address: 0, instructions })
    }

    fn numbers(cost: &Cost) -> [Option<u64>; 4] {
        [&cost.through, &cost.entry_to_cut, &cost.cut_to_exit, &cost.cut_to_cut]
            .map(|path| path.as_ref().map(|path| path.instructions))
    }

    /// Three instructions, a boundary, four instructions.
    fn cut() -> Cost {
        let end = block(3).then(&Cost::end());
        end.or(Cost::boundary().then(&block(4)))
    }

    #[test]
    fn sequence_and_choice() {
        assert_eq!(numbers(&block(2).then(&block(5))), [Some(7), None, None, None]);
        assert_eq!(numbers(&block(2).or(block(5))), [Some(5), None, None, None]);
        assert_eq!(numbers(&cut()), [None, Some(3), Some(4), None]);
        assert_eq!(numbers(&block(10).then(&cut()).then(&block(20))), [None, Some(13), Some(24), None]);
        assert_eq!(numbers(&cut().then(&block(9)).then(&cut())), [None, Some(3), Some(4), Some(16)]);
    }

    #[test]
    fn a_power_is_the_choice_of_all_products() {
        let body = cut().or(block(6));
        let mut longest = Cost::nothing();
        for rounds in 0..6 {
            assert_eq!(numbers(&body.repeat(rounds)), numbers(&longest), "{rounds} rounds");
            longest = longest.then(&body).or(longest);
        }
    }

    #[test]
    fn a_path_visits_what_it_counts() {
        let visit = |address| Cost::block(Visit { address, instructions: 2 });
        let path = visit(1).then(&visit(2).then(&visit(3).repeat(4)).repeat(5)).through.unwrap();
        let mut visits = Vec::new();
        path.visits(|visit, times| visits.push((visit.address, times)));
        assert_eq!(visits, [(1, 1), (2, 5), (3, 20)]);
        assert_eq!(path.instructions, 2 + 5 * (2 + 4 * 2));
    }
}
