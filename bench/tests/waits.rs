//! Kernels in which some threads never wait: no step is longer than it is charged, of each kind, and what asking costs.

mod held;
mod objects;

use std::path::PathBuf;

use beryl_builder::toolchain::root;

/// `bench/objects` with such a thread, which has nothing to do before the measurements are over.
fn objects_with_one() -> PathBuf {
    const ONE: &str = "[thread.prompt]\nprocess = \"first\"\nband = \"threads\"\npriority = 0\nperiod = \"20s\"\n\
                       offset = \"20s\"\nworst = \"1ms\"\nentry = \"job\"\nstack = \"1k\"\nwaits = \"never\"\n";
    objects::with("prompt", &[("", ONE)])
}

#[test]
fn steps_that_ask_who_waits_take_no_longer_than_they_are_charged() {
    assert!(held::all(&objects_with_one()).has_prompt());
    assert!(held::all(&root().join("examples/runaway")).has_prompt());
}

/// In instructions: a message there and back, a call, a semaphore.
#[test]
fn asking_costs_as_much_more_as_is_written() {
    let benches = [
        ("mailbox/pair-8", 10),
        ("endpoint/round-trip", 2),
        ("semaphore/pair", 0),
        ("notification/there", 8),
    ];
    objects::assert_cost(&objects_with_one(), &benches);
}
