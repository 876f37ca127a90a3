//! Kernels that count what threads have no right to: no step is longer than it is charged, of each kind.

mod held;
mod objects;

use beryl_builder::toolchain::root;

#[test]
fn steps_that_count_lacks_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("kernel/boards/mps2-an385/stranger")).counts_lacks);
    assert!(held::all(&objects::with("counted", &[("system", "refusals = \"counted\"")])).counts_lacks);
}

/// In instructions: who is allowed pays nothing.
#[test]
fn what_is_allowed_costs_no_more() {
    objects::assert_cost(
        &objects::with("counted", &[("system", "refusals = \"counted\"")]),
        &[("mailbox/pair-8", 0), ("endpoint/round-trip", 0), ("semaphore/pair", 0)],
    );
}
