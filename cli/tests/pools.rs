//! Objects by values in C: five threads of one function, tables of objects, `void job(void *)`; and who has no right to one.

use std::collections::BTreeMap;
use std::fs;

use beryl_abi::CallError;
use beryl_trace::{Happening, decode};

use common::{beryl, change, copy, folder, left, lock, root, told};

mod common;

/// The system under a name of its own, and a suite that has it alone.
fn suite(name: &str) -> String {
    let system = folder().join("systems").join(name);
    copy(&root().join("cli/tests/c/pools"), &system);
    change(&system.join("beryl.toml"), "name = \"pools\"", &format!("name = {name:?}"));
    let suite = folder().join(format!("{name}.toml"));
    let folder = system.display();
    let text = format!("[[system]]\nfolder = \"{folder}\"\nfor = \"1s\"\nshows = \"C\"\ncompare = \"all\"\n");
    fs::write(&suite, text).expect("written");
    suite.display().to_string()
}

#[test]
fn objects_are_named_by_values_on_all_hosts() {
    const DONE: u32 = 0;
    const REFUSED: u32 = CallError::NoSuchObject as u32;
    const LENGTH: u32 = CallError::OutOfRange as u32;
    const BLOCKS: u32 = CallError::WouldBlock as u32;
    const LATE: u32 = CallError::TimedOut as u32;
    const OWNER: u32 = CallError::NotOwner as u32;
    const RAISED: u32 = CallError::Raised as u32;
    let _lock = lock("pools");
    let suite = suite("pools");
    beryl(&["conformance", &suite]).ended(0);
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    let expected: [(u16, &[u32]); 27] = [
        // Each worker at its own gate, twice, in the order in which they are opened.
        (1, &[4, 3, 2, 1, 0, 4, 3, 2, 1, 0]),
        (2, &[DONE; 10]),
        // Taken, given back, not owned any more; and no value.
        (3, &[DONE, DONE, OWNER, 1]),
        // Inside nobody waits, and who has left isn't inside.
        (4, &[DONE, 0, RAISED, DONE, OWNER]),
        (5, &[DONE, LENGTH, REFUSED]),
        (6, &[DONE, 42, LENGTH]),
        (7, &[DONE, DONE, LENGTH]),
        (8, &[DONE, DONE, 6]),
        (9, &[DONE]),
        (10, &[DONE, LENGTH]),
        (11, &[DONE, DONE, DONE]),
        (12, &[DONE, DONE, 0]),
        // What a file from elsewhere comes to, as it is told to by `defines`.
        (13, &[306]),
        // Who one is; a register of a device, and what nobody typed.
        (14, &[1, 13, u32::MAX]),
        // The first is the stranger's.
        (20, &[4, 4, 3, 2, 1, 0, 4, 3, 2, 1]),
        (21, &[77]),
        (22, &[5]),
        (23, &[DONE, 6, LATE]),
        (24, &[DONE, 789, DONE, REFUSED]),
        (25, &[DONE, 123]),
        (26, &[DONE, 2, LATE, DONE, BLOCKS]),
        (27, &[1, DONE]),
        (28, &[DONE, DONE]),
        (29, &[DONE, 1, 1_000_000_000, 1]),
        // Each object that isn't the stranger's, each kind that it isn't; and what it may do.
        (40, &[REFUSED, REFUSED, 1, REFUSED, REFUSED, 1, REFUSED, REFUSED, REFUSED, REFUSED, 0, REFUSED]),
        (41, &[DONE]),
        (42, &[1]),
    ];
    let expected: BTreeMap<u16, Vec<u32>> =
        expected.into_iter().map(|(event, values)| (event, values.to_vec())).collect();
    assert_eq!(told("pools"), expected);
}

/// A handle is its thread's own. Another that finds it in a global is stopped on both machines.
#[test]
fn who_uses_the_handle_of_another_is_stopped_on_all_hosts() {
    let _lock = lock("pools_with_a_handle");
    let suite = suite("pools_with_a_handle");
    let source = folder().join("systems/pools_with_a_handle/pools.c");
    change(
        &source,
        "void worker(const beryl_semaphore *gate, done_sender *done) {",
        "static done_sender *lent;\n\nvoid worker(const beryl_semaphore *gate, done_sender *done) {\n    lent = done;",
    );
    change(
        &source,
        "    TELL(41, beryl_mailbox_send(own->done, &word, 4, BERYL_POLL));",
        "    beryl_sleep(BERYL_MS(300));\n    const int32_t one = 1;\n    done_send(lent, &one, BERYL_POLL);\n    TELL(41, 99);",
    );
    beryl(&["conformance", &suite]).ended(0);
    let told = told("pools_with_a_handle");
    assert!(!told.contains_key(&41) && told[&29].len() == 4, "{told:?}");
    let trace = decode(&left("conformance", "pools_with_a_handle/mps2-an385.trace")).expect("a whole trace");
    let faults = trace.iter().filter(|event| matches!(event.happening, Happening::Fault { .. })).count();
    assert_eq!(faults, 1, "the stranger alone is stopped");
}
