//! All small programs of E and S code, with all times that their jobs may take: the kernel does what the
//! reference machine does, event by event, and what the checkers promise of those that they accept holds.
//!
//! Two tasks share a processor for two periods of five ticks. Every program of a shape is tried of which each
//! instruction is reached, with both things that its guard may say and all combinations of times. Nothing is
//! drawn, so nothing of a shape is missed: of 209,135 programs 31,635 are well-formed and 22,538 of these in
//! time. In 46,080 of 123,480 runs something goes wrong, and never in one of the latter.
//!
//! A run is compared up to where kernel and reference machine may differ: where one of two threads, whose
//! time came at the same instant, is too late for the processor (docs/decisions/0021).

mod choices;
#[path = "../common/mod.rs"]
mod common;
mod observed;
mod on_kernel;
mod on_model;
mod shape;

use std::cell::RefCell;
use std::rc::Rc;

use beryl_kernel::System;
use beryl_reference::Trap;
use beryl_syscode::Container;

use choices::Choices;
use observed::{Observed, Weather, Word};
use shape::{Shape, Small};

/// Two periods.
const UNTIL: u64 = 10;

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    programs: usize,
    /// Programs that the checker of structure accepts.
    well_formed: usize,
    /// Those of them that the checker of time accepts.
    in_time: usize,
    runs: usize,
    /// Runs in which something goes wrong.
    wrong: usize,
    /// Runs that end with more threads than places, which the checker of structure leaves to the one of time.
    crowded: usize,
}

/// A program that is well-formed.
struct Subject<'a> {
    small: &'a Small,
    container: Container<'a>,
    system: &'static System<on_kernel::Two>,
    begins_threads: bool,
    is_in_time: bool,
}

impl Subject<'_> {
    /// Carries it out with all times that its jobs may take.
    fn explore(&self, weather: Weather, tally: &mut Tally) {
        let choices = Rc::new(RefCell::new(Choices::default()));
        loop {
            tally.runs += 1;
            match on_model::run(self.container, weather, &choices, UNTIL) {
                Ok(told) => self.compare(told, weather, &choices.borrow(), tally),
                Err(Trap::Threads { .. }) if self.begins_threads && !self.is_in_time => tally.crowded += 1,
                Err(trap) => panic!("{trap:?}, {weather:?}\n{}", self.small),
            }
            if !choices.borrow_mut().advance() {
                return;
            }
        }
    }

    fn compare(&self, mut expected: Vec<Observed>, weather: Weather, choices: &Choices, tally: &mut Tally) {
        let is_wrong = |(_, word): &Observed| matches!(word, Word::Violation(_) | Word::Share);
        if expected.iter().any(is_wrong) {
            assert!(!self.is_in_time, "accepted, and yet {expected:?}, {weather:?}\n{}", self.small);
            tally.wrong += 1;
        }
        let mut found = on_kernel::run(self.system, weather, choices, UNTIL);
        let parts = |(_, word): &Observed| match word {
            Word::Share => self.small.threads() > 1,
            _ => false,
        };
        if let Some(place) = expected.iter().position(parts) {
            expected.truncate(place + 1);
            found.truncate(place + 1);
        }
        assert_eq!(found, expected, "{weather:?}\n{}", self.small);
    }
}

/// Explores all programs of a shape.
fn explore(shape: &Shape) -> Tally {
    let mut tally = Tally::default();
    for small in shape.programs() {
        tally.programs += 1;
        let bytes = small.bytes();
        let container = Container::reopen(&bytes).expect("a fresh container");
        let Some(begins_threads) = on_model::begins_threads(container) else { continue };
        let (small, system, is_in_time) =
            (&small, on_kernel::system(&small), on_model::is_in_time(container));
        tally.well_formed += 1;
        tally.in_time += usize::from(is_in_time);
        let subject = Subject { small, container, system, begins_threads, is_in_time };
        subject.explore(Weather { begins_with_yes: true }, &mut tally);
        if small.asks() {
            subject.explore(Weather { begins_with_yes: false }, &mut tally);
        }
    }
    tally
}

#[test]
fn every_program_of_up_to_five_instructions() {
    let tallies = [1, 2, 3, 4].map(|length| explore(&Shape::any(length)));
    let expected = [
        Tally { programs: 13, well_formed: 11, in_time: 11, runs: 14, wrong: 0, crowded: 0 },
        Tally { programs: 245, well_formed: 128, in_time: 123, runs: 210, wrong: 10, crowded: 2 },
        Tally { programs: 6065, well_formed: 1601, in_time: 1437, runs: 3337, wrong: 482, crowded: 71 },
        Tally {
            programs: 186_737,
            well_formed: 21_551,
            in_time: 17_894,
            runs: 54_455,
            wrong: 14_252,
            crowded: 1700,
        },
    ];
    assert_eq!(tallies, expected);
}

#[test]
fn every_thread_of_three_instructions_beside_two_of_e_code() {
    let expected =
        Tally { programs: 11_979, well_formed: 7560, in_time: 2983, runs: 52_920, wrong: 23_204, crowded: 0 };
    assert_eq!(explore(&Shape::thread()), expected);
}

#[test]
fn every_two_threads_of_two_instructions() {
    let expected =
        Tally { programs: 4096, well_formed: 784, in_time: 90, runs: 12_544, wrong: 8132, crowded: 0 };
    assert_eq!(explore(&Shape::two_threads()), expected);
}
