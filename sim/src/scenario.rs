//! A scenario: the decisions about a run that are made before it begins.

use std::cell::RefCell;
use std::rc::Rc;

use beryl_abi::{DriverId, Instant, Line, ThreadId};

use crate::fault_injection::Harm;
use crate::hostile::Hostile;

/// The decisions that are made before a run begins. None, unless runs are explored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// The picks, in the order of the choices. Beyond their end the first option is picked.
    pub picks: Vec<u8>,
    /// Interrupts that may or may not come, in the order of their instants: each is a choice between two, of
    /// which the first is none.
    pub chances: Vec<(Instant, Line)>,
    /// The past that counts as part of the state.
    pub keep: Vec<Past>,
    /// Deliberate faults.
    pub harms: Vec<Harm>,
    /// The process that is hostile, if any.
    pub hostile: Option<Hostile>,
}

/// A piece of the past that is to be compared with the future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// All past events of a thread and its jobs.
    All(ThreadId),
    /// When its last job was released, and when its last one ended.
    Last(ThreadId),
    /// The least and the most delay of a driver after its logical instants.
    Spread(DriverId),
}

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The number of options; at least two.
    pub options: u8,
    /// The one that was picked, from 0.
    pub pick: u8,
}

/// The picks of a scenario and the choices made so far, shared by everything that chooses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(Rc<RefCell<Choices>>);

#[derive(Debug, Default)]
struct Choices {
    picks: Vec<u8>,
    made: Vec<Choice>,
}

impl Script {
    pub(crate) fn new(picks: Vec<u8>) -> Script {
        Script(Rc::new(RefCell::new(Choices { picks, made: Vec::new() })))
    }

    /// Picks one of this many options. A single option isn't a choice.
    pub(crate) fn choose(&self, options: u8) -> u8 {
        if options < 2 {
            return 0;
        }
        let Choices { picks, made } = &mut *self.0.borrow_mut();
        let pick = picks.get(made.len()).copied().unwrap_or(0).min(options - 1);
        made.push(Choice { options, pick });
        pick
    }

    /// How many choices were made.
    pub(crate) fn count(&self) -> usize {
        self.0.borrow().made.len()
    }

    /// The choices that were made.
    pub(crate) fn made(&self) -> Vec<Choice> {
        self.0.borrow().made.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Script};

    #[test]
    fn what_is_not_planned_is_the_first() {
        let script = Script::new(vec![2, 9]);
        let picked = [3, 1, 2, 4].map(|options| script.choose(options));
        assert_eq!(picked, [2, 0, 1, 0]);
        let choice = |options, pick| Choice { options, pick };
        assert_eq!(script.made(), [choice(3, 2), choice(2, 1), choice(4, 0)], "one option is no choice");
    }
}
