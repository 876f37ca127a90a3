//! Whether all others still hold their deadlines while processes are stopped after faults.
//!
//! A stop comes once in a system's life, so it isn't in the response times of every day. It is a question of its own:
//! with the stop above all bands, anywhere, is everybody in time? First all stops are asked about at once; only if
//! that is too much, each by itself.

use beryl_analysis::Interference;

use super::judge;
use super::modes::prove_beside;
use crate::load::{Stop, stops};
use crate::project::Project;

/// What stops of processes come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Each process that may stop while there are others, with what that takes, and whether there is room for it.
    pub stops: Vec<(Stop, Room)>,
}

/// For what there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// For the stops of all processes in one stretch of time.
    ForAll,
    /// For this stop, as long as no other process stops in the same stretch of time.
    ForOne,
    /// Somebody may be late.
    None,
}

impl Stopped {
    /// Whether everybody else is in time while a process stops.
    #[must_use]
    pub fn has_room(&self, process: usize) -> bool {
        self.stops.iter().all(|(stop, room)| stop.process != process || *room != Room::None)
    }
}

/// Asks for each process whether the others are in time while it is stopped, whichever programs run. A process that
/// is the only one leaves nobody behind.
#[must_use]
pub fn stopped(project: &Project) -> Stopped {
    let all = stops(project);
    let with_threads = (0..project.assembly.processes.len())
        .filter(|process| project.assembly.threads_of(*process).any(|row| row.role.is_applications()));
    if with_threads.count() < 2 {
        return Stopped { stops: Vec::new() };
    }
    let holds = |stops: &[Stop]| {
        let others: Vec<Interference> = stops.iter().map(|stop| stop.interference(project)).collect();
        judge::all(project).all(|project| prove_beside(&project, &others).is_ok())
    };
    let at_once = holds(&all);
    let room = |stop: &Stop| match at_once {
        true => Room::ForAll,
        false if holds(std::slice::from_ref(stop)) => Room::ForOne,
        false => Room::None,
    };
    Stopped { stops: all.iter().map(|stop| (stop.clone(), room(stop))).collect() }
}
