//! A scenario: what is decided about a run before it begins.

use std::cell::RefCell;
use std::rc::Rc;

use beryl_abi::{DriverId, Instant, Line, ThreadId};

use crate::fault_injection::Harm;

/// What is decided before a run begins. Nothing, where nobody explores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// What is picked where there is a choice, in the order of the choices. Behind its end the first of all is picked.
    pub picks: Vec<u8>,
    /// Interrupts that may come or not, in the order of their instants: each is a choice between two, none being the first.
    pub chances: Vec<(Instant, Line)>,
    /// What of the past counts as part of the state.
    pub keep: Vec<Past>,
    /// What goes wrong on purpose.
    pub harms: Vec<Harm>,
}

/// Something of the past that somebody who looks at runs wants to compare with what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// When all happened that has happened to a thread and its jobs.
    All(ThreadId),
    /// When its last job was released, and when its last one ended.
    Last(ThreadId),
    /// How long after its logical instants a driver was carried out, at least and at most.
    Spread(DriverId),
}

/// A choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Among how many; at least two.
    pub options: u8,
    /// Which one, from 0.
    pub pick: u8,
}

/// The picks of a scenario and the choices that came of them, shared by all who choose.
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

    /// Picks one of so many. What leaves no choice isn't one.
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
