//! The runs still to be made, and their order.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A run to be made: the same as an earlier run up to one choice, with a different pick there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The picks of the earlier run.
    pub path: Rc<[u8]>,
    /// The index of that choice.
    pub place: usize,
    /// The new pick.
    pub pick: u8,
    /// The fingerprint of the state before the choice, if it is known.
    pub before: Option<u64>,
}

impl Branch {
    /// The picks of this run, up to the choice.
    pub fn picks(&self) -> Vec<u8> {
        let mut picks = self.path.get(..self.place).unwrap_or_default().to_vec();
        picks.push(self.pick);
        picks
    }
}

/// Which runs come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those that branch off last: few are open at a time, and most end soon where states are compared.
    Deepest,
    /// Those with the fewest picks other than the first. Without comparing states, a search never gets
    /// through all runs, and a failure usually takes few such picks.
    Plainest,
}

/// The runs still to be made.
#[derive(Debug)]
pub struct Branches {
    order: Order,
    /// By the number of picks other than the first; all at 0 if the order doesn't need it. No list is empty.
    open: BTreeMap<usize, Vec<Branch>>,
}

impl Branches {
    /// An empty set.
    pub fn new(order: Order) -> Branches {
        Branches { order, open: BTreeMap::new() }
    }

    /// Adds a branch.
    pub fn push(&mut self, branch: Branch) {
        let others = match self.order {
            Order::Deepest => 0,
            Order::Plainest => others(&branch),
        };
        self.open.entry(others).or_default().push(branch);
    }

    /// Takes the next branch.
    pub fn pop(&mut self) -> Option<Branch> {
        let mut first = self.open.first_entry()?;
        let branch = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        branch
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// All runs with at most this many picks other than the first have been made; `None` if that isn't known.
    pub fn plain(&self) -> Option<usize> {
        let least = (self.order == Order::Plainest).then(|| self.open.keys().next()).flatten();
        least.and_then(|least| least.checked_sub(1))
    }
}

/// How many picks of a run aren't the first option.
fn others(branch: &Branch) -> usize {
    branch.picks().iter().filter(|pick| **pick != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(path: &[u8], place: usize, pick: u8) -> Branch {
        Branch { path: path.into(), place, pick, before: None }
    }

    fn popped(order: Order) -> Vec<Vec<u8>> {
        let mut branches = Branches::new(order);
        for branch in [branch(&[0, 0, 0], 2, 1), branch(&[1, 0, 2], 1, 1), branch(&[0, 3], 0, 1)] {
            branches.push(branch);
        }
        std::iter::from_fn(|| branches.pop()).map(|branch| branch.picks()).collect()
    }

    #[test]
    fn the_deepest_or_the_plainest_come_first() {
        assert_eq!(popped(Order::Deepest), [vec![1], vec![1, 1], vec![0, 0, 1]]);
        assert_eq!(popped(Order::Plainest), [vec![1], vec![0, 0, 1], vec![1, 1]]);
    }

    #[test]
    fn it_is_known_how_plain_the_runs_were_that_all_were_made() {
        let mut branches = Branches::new(Order::Plainest);
        assert_eq!(branches.plain(), None);
        branches.push(branch(&[0], 0, 1));
        branches.push(branch(&[1, 0], 1, 1));
        assert_eq!(branches.plain(), Some(0), "the first run was made");
        branches.pop();
        assert_eq!(branches.plain(), Some(1));
        branches.pop();
        assert!(branches.is_empty() && branches.plain().is_none(), "all");
        let mut deepest = Branches::new(Order::Deepest);
        deepest.push(branch(&[1, 0], 1, 1));
        assert_eq!(deepest.plain(), None);
    }
}
