//! A recorded run of a system: what the program said, and what happened.

use std::fs;

use beryl_abi::Instant;
use beryl_trace::{Event, Happening, Names, decode};

use super::{Ran, beryl, folder, left, left_text, lock};

/// The board on which `beryl run` runs a system that names it.
const BOARD: &str = "mps2-an385";

/// What a run said, and what happened.
pub struct Run {
    pub ran: Ran,
    pub events: Vec<Event>,
    pub names: Names,
}

impl Run {
    /// Runs the system called `name` with `beryl sim` or `beryl run`, and other arguments.
    pub fn of(command: &str, system: &str, name: &str, others: &[&str]) -> Run {
        let _lock = lock(name);
        let machine = if command == "run" { BOARD } else { command };
        let trace = format!("{machine}.trace");
        // What an earlier run has left says nothing of this one.
        let _ = fs::remove_file(folder().join("out").join(name).join(&trace));
        let ran = beryl(&[&[command, system], others].concat());
        let names = Names::parse(&left_text(name, "names.json")).expect("names");
        let events = decode(&left(name, &trace)).expect("a whole trace");
        Run { ran, events, names }
    }

    /// In nanoseconds.
    pub fn at(&self, instant: Instant) -> u64 {
        self.names.tick.logical(instant).nanoseconds()
    }

    /// How long the jobs of a thread took from their release to their end, in nanoseconds.
    pub fn responses(&self, thread: &str) -> Vec<u64> {
        let index = self.names.threads.iter().position(|named| named.name == thread).expect("a thread");
        let (mut released, mut responses) = (0, Vec::new());
        for event in &self.events {
            match event.happening {
                Happening::Release { task, instant, .. } if task.index() == index => {
                    released = self.at(instant)
                }
                Happening::Complete { task, .. } if task.index() == index => {
                    responses.push(self.names.tick.logical(event.time).nanoseconds() - released);
                }
                _ => {}
            }
        }
        responses
    }
}
