//! Runs that break a program: execution times under which it goes wrong.
//!
//! The checker of time names the first instant at which a program may go wrong, so a run that goes wrong there is
//! a shortest one. Which execution times lead there is searched for: the bounds first, then short and long jobs in
//! all combinations, and in turn with them any.

use beryl_syscode::Container;

use crate::machine::{Machine, Trap};
use crate::trace::{Entry, Event};
use crate::world::World;

/// How long a task's job of that number takes.
pub type Execution = Box<dyn Fn(usize, usize) -> u64>;

/// A run that goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// When it goes wrong first.
    pub at: u64,
    /// What happened up to then.
    pub trace: Vec<Entry>,
    /// The trap that ended it, if it was no exception.
    pub trap: Option<Trap>,
}

/// How many jobs are tried short and long in all combinations.
const COMBINED: u64 = 10;

/// Searches for a run that goes wrong at `at` or before. Gives up after so many tries.
#[must_use]
pub fn counterexample(
    programs: &[Container<'_>],
    world: &dyn Fn(Execution) -> World,
    bounds: &[u64],
    at: u64,
    tries: u64,
) -> Option<Counterexample> {
    (0..tries).find_map(|number| {
        let execution = attempt(number, bounds.to_vec());
        broken(Machine::new(programs, world(execution)), at)
    })
}

/// The execution times of an attempt.
fn attempt(number: u64, bounds: Vec<u64>) -> Execution {
    let count = bounds.len().max(1) as u64;
    let bound = move |task: usize| bounds.get(task).copied().unwrap_or(1).max(1);
    let combination = number / 2;
    if number.is_multiple_of(2) && combination < 1 << COMBINED {
        // A bit for each of the first jobs: 0 for the bound, so that the first attempt is the worst case.
        return Box::new(move |task, job| {
            let bit = job as u64 * count + task as u64;
            if bit < COMBINED && combination >> bit & 1 == 1 { 1 } else { bound(task) }
        });
    }
    Box::new(move |task, job| {
        let random = mixed(number ^ (job as u64) << 24 ^ (task as u64) << 48);
        match (number % 3, random % 2) {
            (0, 0) => 1,
            (0, _) => bound(task),
            _ => 1 + random / 2 % bound(task),
        }
    })
}

/// A number that looks like chance (the finaliser of splitmix64). Not from `testing/`: this is no test, and which run
/// is found follows from it.
fn mixed(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// The run up to where it goes wrong, if it does in time.
fn broken(machine: Machine, at: u64) -> Option<Counterexample> {
    let (mut trace, trap) = machine.run_to_trap(at + 1);
    let wrong = trace.iter().position(|entry| matches!(entry.event, Event::Violation(..)));
    match (wrong, trap) {
        (Some(position), _) => {
            trace.truncate(position + 1);
            let at = trace.last().map_or(0, |entry| entry.at);
            Some(Counterexample { at, trace, trap: None })
        }
        (None, Some((trap, at))) => Some(Counterexample { at, trace, trap: Some(trap) }),
        (None, None) => None,
    }
}
