//! Kernels with threads that use floating point: no step is longer than it is charged, of each kind, and what a switch costs with and
//! without.

mod held;
mod objects;

use std::fs;
use std::path::PathBuf;

use beryl_builder::toolchain::root;

/// `bench/objects` on a board with floating point, which these processes use.
fn with_floating(name: &str, processes: &[&str]) -> PathBuf {
    let lines: Vec<_> = processes.iter().map(|process| (*process, "floating = \"hardware\"")).collect();
    let folder = objects::with(name, &lines);
    let path = folder.join("beryl.toml");
    let text = fs::read_to_string(&path).expect("a description");
    fs::write(&path, text.replace("\"mps2-an385\"", "\"mps2-an386\"")).expect("written");
    folder
}

#[test]
fn steps_with_floating_point_take_no_longer_than_they_are_charged() {
    assert!(held::all(&with_floating("floating_held", &["process.first", "process.second"])).floating() > 2);
}

/// Where threads begin anew, all their registers are made zero.
#[test]
fn steps_that_begin_anew_with_floating_point_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("cli/tests/floating")).has_restarts());
}

/// In instructions, from one thread that uses floating point to another.
#[test]
fn a_switch_between_two_that_use_floating_point_costs_as_much_more_as_is_written() {
    objects::assert_cost(&with_floating("floating_both", &["process.first", "process.second"]), &BOTH);
}

/// The same to one that doesn't, where the other process does.
#[test]
fn a_switch_costs_less_more_where_one_has_none() {
    objects::assert_cost(&with_floating("floating_one", &["process.second"]), &ONE);
}

/// None of a switch, one, and two.
const BOTH: [(&str, u64); 3] = [("mailbox/pair-8", 0), ("event-group/wake", 15), ("endpoint/round-trip", 30)];
const ONE: [(&str, u64); 3] = [("mailbox/pair-8", 0), ("event-group/wake", 8), ("endpoint/round-trip", 16)];
