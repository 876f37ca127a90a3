//! Kernels with limits of clients: no step is longer than it is charged, of each kind, and what a limit costs.

mod held;
mod objects;

use std::path::PathBuf;

use beryl_builder::toolchain::root;

/// `bench/objects` with limits that nobody uses up: a microsecond is less than an instruction takes.
fn objects_within_limits() -> PathBuf {
    const LIMIT: &str = "limits.first = { requests = 2, within = \"1us\" }";
    let limited = ["mailbox.short", "mailbox.long", "mailbox.events", "endpoint.near", "endpoint.far"];
    objects::with("limited", &limited.map(|object| (object, LIMIT)))
}

#[test]
fn steps_of_limited_clients_take_no_longer_than_they_are_charged() {
    assert!(held::all(&objects_within_limits()).has_limits());
    assert!(held::all(&root().join("examples/babble")).has_limits());
}

/// In instructions, what limits cost where nothing is refused: a message there and back, a call.
#[test]
fn limits_cost_as_much_more_as_is_written() {
    objects::assert_cost(&objects_within_limits(), &[("mailbox/pair-8", 90), ("endpoint/round-trip", 100)]);
}
