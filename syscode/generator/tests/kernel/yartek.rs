//! The map building of Mumolo, Nolich and Lenac (Yartek), without preemption, over its hyperperiod of 6000
//! ms; a tick is one.
//!
//! `cli/tests/sonars.rs` has it as a whole system.

use beryl_generator::{Scheme, Task, TaskSet, generate};

use crate::host::{LONGEST, on_kernel, on_model};

/// The ten tasks: period and length.
const TASKS: [(u64, u64); 10] = [
    (500, 20),
    (500, 20),
    (500, 20),
    (500, 20),
    (500, 20),
    (500, 20),
    (500, 100),
    (1200, 20),
    (1200, 20),
    (2000, 20),
];

/// Who runs without a pause, from when on: six sonars and the map, the odometers, the antisensor.
const SONARS: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];
const ODOMETERS: [usize; 2] = [7, 8];
const ANTISENSOR: [usize; 1] = [9];
const BURSTS: [(usize, &[&[usize]]); 14] = [
    (0, &[&SONARS, &ODOMETERS, &ANTISENSOR]),
    (500, &[&SONARS]),
    // Two have waited since 1200.
    (1000, &[&SONARS, &ODOMETERS]),
    (1500, &[&SONARS]),
    (2000, &[&SONARS, &ANTISENSOR]),
    (2400, &[&ODOMETERS]),
    (2500, &[&SONARS]),
    (3000, &[&SONARS]),
    // Since 3600.
    (3500, &[&SONARS, &ODOMETERS]),
    (4000, &[&SONARS, &ANTISENSOR]),
    (4500, &[&SONARS]),
    (4800, &[&ODOMETERS]),
    (5000, &[&SONARS]),
    (5500, &[&SONARS]),
];

#[test]
fn yarteks_map_building_runs_as_it_was_worked_out() {
    let task = |(number, (period, bound))| Task::new(&format!("t{number}"), period, bound);
    let set = TaskSet::new("map", TASKS.into_iter().enumerate().map(task).collect());
    let mut expected = vec![None; 6000];
    for (begin, rows) in BURSTS {
        let mut now = begin;
        for task in rows.iter().flat_map(|tasks| *tasks) {
            let end = now + TASKS[*task].1 as usize;
            expected[now..end].fill(Some(*task));
            now = end;
        }
    }
    assert_eq!(expected.iter().filter(|runs| runs.is_none()).count(), 3_100);
    let programs = [generate(&set, Scheme::NonPreemptiveEdf).expect("it fits")];
    assert_eq!(on_kernel(&programs, TASKS.len(), &set, LONGEST, 6000), expected);
    assert_eq!(on_model(&programs, &set, LONGEST, 6000), expected);
}
