//! Kernels of nodes: no step is longer than it is charged, of each kind, where values come from other kernels and go to
//! them; and what it takes to look for one that has come.

mod held;

use std::collections::BTreeSet;

use beryl_abi::Instant;
use beryl_bench::observed::executed;
use beryl_bench::step::Kernel;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use object::{Object, ObjectSymbol};

#[test]
fn steps_of_a_node_take_no_longer_than_they_are_charged() {
    let formation = root().join("examples/formation");
    let leader = held::node(&formation, "leader");
    assert!(!leader.leaving.is_empty() && leader.arriving.is_empty());
    for (kernel, leaves) in [("left_flight", false), ("left_watch", true), ("right", true)] {
        let follower = held::node(&formation, kernel);
        assert!(follower.leaving.is_empty() != leaves && !follower.arriving.is_empty(), "{kernel}");
    }
}

/// Of a node alone, to which nothing comes: the newest entry is the one that counts.
#[test]
fn finding_what_counts_takes_what_is_written() {
    let variant = Variant { node: Some("right"), ..Variant::default() };
    let project = Project::load(&root().join("examples/formation"), variant).expect("a system");
    let workshop = Workshop::new(&root().join("target/e2e/held"));
    let kernel = Kernel::of(project, &workshop).expect("a kernel");
    let file = object::File::parse(kernel.elf.as_slice()).expect("a file");
    let finds =
        |symbol: &object::Symbol<'_, '_>| symbol.name().is_ok_and(|name| name.contains("newest_that_counts"));
    let function = file.symbols().find(finds).expect("the kernel looks for what has come");
    let start = u32::try_from(function.address() & !1).expect("an address");
    let code = start..start + u32::try_from(function.size()).expect("a size");
    let end = Instant::from_ticks(20 * 25_000);
    let all = executed(&kernel.project, &kernel.built, &workshop, code, end).expect("a run");
    let calls: BTreeSet<usize> =
        all.split(|address| *address == start).skip(1).map(|rest| rest.len() + 1).collect();
    assert_eq!(calls, BTreeSet::from([FOUND]), "as docs/decisions/0141-nodes.md says");
}

/// Instructions of a look at the newest entry, if that counts.
const FOUND: usize = 50;
