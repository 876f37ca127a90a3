//! CMSIS-RTOS2 in C over pools of the description: what its calls answer, in the simulation and on the board alike.

use std::collections::BTreeMap;
use std::fs;

use beryl_trace::{DecodedNote, Happening, decode};

use common::{beryl, folder, left, lock, root};

mod common;

/// What was told in a simulation, by its number.
fn told(name: &str) -> BTreeMap<u16, Vec<i32>> {
    let mut told: BTreeMap<u16, Vec<i32>> = BTreeMap::new();
    for event in decode(&left("conformance", &format!("{name}/sim.trace"))).expect("a whole trace") {
        if let Happening::Note(DecodedNote::Event { event, value, .. }) = event.happening {
            told.entry(event).or_default().push(value.cast_signed());
        }
    }
    told
}

#[test]
fn calls_of_cmsis_answer_what_its_text_says_on_all_hosts() {
    const OK: i32 = 0;
    const ERROR: i32 = -1;
    const LATE: i32 = -2;
    const RESOURCE: i32 = -3;
    const PARAMETER: i32 = -4;
    let _lock = lock("cmsis");
    let suite = folder().join("cmsis.toml");
    let system = root().join("cli/tests/c/cmsis");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"1s\"\nshows = \"C\"\ncompare = \"all\"\n",
        system.display()
    );
    fs::write(&suite, text).expect("written");
    beryl(&["conformance", &suite.display().to_string()]).ended(0);
    let expected: [(u16, &[i32]); 6] = [
        // Inactive, made ready once; pools that are empty, and a count that can't be.
        (1, &[0, OK, 1, ERROR, 1, 1]),
        // The thread that is made, twice: it is given its argument, an item, and the mutex when the other has left it.
        (2, &[1, OK, RESOURCE, LATE, RESOURCE, OK, OK, 0]),
        // More urgent than its pool may be: none is made. Nobody is suspended, nor ended by another.
        (3, &[1, 40, 2, 1, ERROR, ERROR, PARAMETER]),
        // Entered twice and left twice; once more is once too often.
        (4, &[OK, OK, OK, 1, OK, OK, RESOURCE]),
        // It has ended, so it is free, and is made again.
        (5, &[1, ERROR, 1]),
        (6, &[RESOURCE, PARAMETER, OK, 10, PARAMETER]),
    ];
    let expected: BTreeMap<u16, Vec<i32>> =
        expected.into_iter().map(|(event, values)| (event, values.to_vec())).collect();
    assert_eq!(told("cmsis"), expected);
}
