//! Kernels that look at ports of all lengths: no step is longer than it is charged, of each kind, and a look takes what its words
//! are charged.

mod held;

use beryl_bench::looks::{LOOKED_AT, looking_at};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;

#[test]
fn steps_that_look_at_records_and_arrays_take_no_longer_than_they_are_charged() {
    let system = held::all(&root().join("conformance/changes"));
    assert_eq!((system.longest_port(), system.event_triggers()), (16, 5));
}

#[test]
fn looks_take_no_longer_than_their_words_are_charged() {
    let workshop = Workshop::new(&root());
    for (words, port) in LOOKED_AT {
        let project = looking_at(&workshop, Some(port)).unwrap_or_else(|error| panic!("{error:?}"));
        let kept = if words > 1 { words } else { 0 };
        assert_eq!(u64::try_from(project.assembly.longest_port()), Ok(kept), "{port}");
        held::all(&workshop.folder(&project.assembly.name).join("system"));
    }
}
